/* SPDX-License-Identifier: MIT */
/* Benchmark problems: a photo and its seeds at a chosen size, and the energy that the program cuts.
 */
#ifndef FS_BENCH_INSTANCE_H
#define FS_BENCH_INSTANCE_H

#include "energy/energy.h"
#include "solver/solver.h"

G_BEGIN_DECLS

typedef struct {
  char *name;   /* of the photo's file                            */
  double scale; /* side of the problem / side of the photo        */
  FsImage *image;
  FsSeedMap *seeds;
  FsEnergy *energy; /* NULL before bench_instance_fit                 */
} BenchInstance;

/* `seeds` is what bench_labels_read() takes; of a session the first half of the strokes.
 * `megapixels` 0 keeps the photo's own size. Exits with a message where a file cannot be read. */
BenchInstance *bench_instance_new (const char *photo, const char *seeds, double megapixels);
void bench_instance_free (BenchInstance *instance);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchInstance, bench_instance_free)

/* Makes the energy of Lazy Snapping's colour models, whatever the default is, fitted to the seeds.
 * Returns its grid, with the t-links of the seeds. */
FsGrid *bench_instance_fit (BenchInstance *instance, FsNeighbours neighbours);

/* The same of any models. */
FsGrid *bench_instance_fit_settings (BenchInstance *instance, const FsSettings *settings);

double bench_instance_megapixels (const BenchInstance *instance);

/* Milliseconds of processor time of the calling thread, of all threads, and of the wall. */
double bench_cpu_ms (void);
double bench_process_ms (void);
double bench_wall_ms (void);

/* Ends the program. */
void bench_fail (const char *message) G_GNUC_NORETURN;

G_END_DECLS

#endif
