/* SPDX-License-Identifier: MIT */
/* Smoothing of brush strokes: cubic interpolation between distant samples.   Layer: ui.
 *
 * In a fast stroke samples are far apart. Points are inserted on a cubic Hermite curve through two
 * samples. Its tangent at the first is half-way between the directions before and after it (Catmull
 * & Rom 1974); the tangent at the second is estimated without the next sample, so that there is no
 * delay. Samples are not moved, and corners, changes of direction by more than 60°, are preserved.
 *
 * Threads: plain data.
 */
#ifndef FS_UI_CANVAS_STROKE_SMOOTHING_H
#define FS_UI_CANVAS_STROKE_SMOOTHING_H

#include "app/strokes/stroke.h"

G_BEGIN_DECLS

/* Appends `sample` to `samples` (of FsSample), preceded by as many points as keep the polyline
 * within `tolerance_px` (image pixels) of the curve; none if the stroke goes straight on. `before`
 * is the sample before the last one of `samples`, or NULL if there is none. */
void fs_stroke_smoothing_append (GArray *samples, const FsSample *before, const FsSample *sample,
                                 double tolerance_px);

G_END_DECLS

#endif
