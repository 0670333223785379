/* SPDX-License-Identifier: MIT */
/* Planes of seed labels for the benchmarks: seed maps as PNG, and recorded sessions. */
#ifndef FS_BENCH_LABELS_H
#define FS_BENCH_LABELS_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  int width, height;
  uint8_t *label; /* [height · width], as in seed_map.h */
} BenchLabels;

typedef enum {
  BENCH_LABELS_FIRST, /* of a session: what the first half of its strokes leaves */
  BENCH_LABELS_ALL,   /* of a session: what all of them leave                     */
} BenchLabelsPart;

/* Reads a seed map (PNG, whole whatever `part` says) or a session (.fretsaw). "-" stands for seeds
 * that need no file: a disc in the middle as object and the frame as background; "five" for
 * strokes on five objects and background, which fit the photo bus-12mp of the data pack. Exits with
 * a message where a file cannot be read. */
BenchLabels *bench_labels_read (const char *path, BenchLabelsPart part);
void bench_labels_free (BenchLabels *labels);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (BenchLabels, bench_labels_free)

/* The plane stretched over width × height pixels, each taking the label that lies under it; g_free.
 */
uint8_t *bench_labels_stretch (const BenchLabels *labels, int width, int height);

G_END_DECLS

#endif
