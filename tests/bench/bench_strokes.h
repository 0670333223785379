/* SPDX-License-Identifier: MIT */
/* Strokes to paint on a problem, one after another: those of a second person, cut into pieces, and
 * artificial ones that turn regions over. */
#ifndef FS_BENCH_STROKES_H
#define FS_BENCH_STROKES_H

#include "tests/bench/bench_instance.h"

G_BEGIN_DECLS

typedef struct {
  uint8_t label;
  GArray *pixels; /* of uint32_t, y·W + x; none of them was a seed */
} BenchStroke;

/* Every 8-connected piece of paint in a seed map or session, stretched over the instance, where it
 * has no seed yet, cut across its length into parts so that about `n_wanted` strokes of like size
 * come out. Specks of less than an eighth of that size, where both persons painted nearly the same,
 * are left out. Exits with a message where the file cannot be read. */
GPtrArray *bench_strokes_read (const char *path, const BenchInstance *instance, int n_wanted);

/* Puts the stroke's label, or none, into the instance's seeds, and lists the t-links that this
 * changes (GArray of FsTlinkChange). */
GArray *bench_stroke_paint (const BenchStroke *stroke, BenchInstance *instance);
/* The same for a device, which makes the t-links itself: lists spans (of FsFixedSpan). */
void bench_stroke_paint_spans (const BenchStroke *stroke, BenchInstance *instance, GArray *spans);
GArray *bench_stroke_undo (const BenchStroke *stroke, BenchInstance *instance);

/* The i-th of a fixed row of strokes, a fiftieth of the diagonal long, and its label. Each begins
 * on the side of the mask that it confirms; every other one begins at the mask's border and runs
 * across it as it comes. Nobody paints like that: such strokes fight the colour models, and some
 * turn whole regions over. */
FsCapsule bench_flip_capsule (int i, const BenchInstance *instance, const uint8_t *mask,
                              uint8_t *label);
/* Paints it, and lists the t-links that it changes. */
GArray *bench_flip_paint (int i, BenchInstance *instance, const uint8_t *mask);

/* Gives the changed pixels the labels that they have in `before` (W·H), and lists their t-links. */
GArray *bench_flip_undo (const GArray *changes, BenchInstance *instance, const uint8_t *before);

G_END_DECLS

#endif
