/* SPDX-License-Identifier: MIT */
/* Round strokes from few samples.   Layer: ui.
 *
 * A fast hand leaves samples far apart. Between two of them go points of a cubic (Hermite form)
 * that passes through both, leaves the first half-way between the directions before and after it
 * (Catmull & Rom 1974) and arrives at the second from what is known by then, so that nothing waits
 * for a third. Every sample stays where it is: nothing cuts a corner. A corner, which is a turn of
 * more than 60°, stays one.
 *
 * Threads: plain data.
 */
#ifndef FS_UI_CANVAS_STROKE_SMOOTHING_H
#define FS_UI_CANVAS_STROKE_SMOOTHING_H

#include "app/strokes/stroke.h"

G_BEGIN_DECLS

/* Appends `sample` to `samples` (of FsSample), and before it as many points as keep the chain of
 * lines within `tolerance_px` (image pixels) of the curve: none where the stroke goes straight on.
 * `before` is the sample before the last one of `samples`, NULL while there is none. */
void fs_stroke_smoothing_append (GArray *samples, const FsSample *before, const FsSample *sample,
                                 double tolerance_px);

G_END_DECLS

#endif
