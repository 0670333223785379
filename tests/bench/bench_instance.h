/* SPDX-License-Identifier: MIT */
/* Benchmark problems: a photo and its seeds at a chosen size, as the energy that the program cuts.
 */
#ifndef FS_BENCH_INSTANCE_H
#define FS_BENCH_INSTANCE_H

#include "energy/energy.h"

G_BEGIN_DECLS

typedef struct {
  char *name;
  FsImage *image;
  FsSeedMap *seeds;
  FsEnergy *energy; /* its grid has the t-links of the seeds */
} BenchInstance;

/* `megapixels` 0 keeps the photo's own size. Exits with a message where a file cannot be read. */
BenchInstance *bench_instance_new (const char *photo, const char *seeds, double megapixels,
                                   FsNeighbours neighbours);
void bench_instance_free (BenchInstance *instance);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchInstance, bench_instance_free)

/* Paints the i-th of a fixed row of strokes, a fiftieth of the diagonal long, and lists the t-links
 * that it changes (GArray of FsTlinkChange). Each begins on the side that it confirms; every other
 * one begins at the mask's border and runs across it as it comes: a correction. */
GArray *bench_instance_stroke (BenchInstance *instance, int i, const uint8_t *mask);

/* T-links of models fitted to the seeds as they are now; g_free. */
int32_t *bench_instance_refit (BenchInstance *instance);

/* Milliseconds: processor time of the calling thread, or of the wall where several threads work. */
void bench_set_wall_clock (gboolean wall);
double bench_now_ms (void);

G_END_DECLS

#endif
