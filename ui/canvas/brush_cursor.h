/* SPDX-License-Identifier: MIT */
/* The brush as a circle of its true size, and the trail of a growing stroke.   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_BRUSH_CURSOR_H
#define FS_UI_CANVAS_BRUSH_CURSOR_H

#include "app/strokes/stroke.h"
#include <gdk/gdk.h>

G_BEGIN_DECLS

/* Widget pixels. The circle's line lies on the radius; bright and dark, so that it shows on any
 * photo. Very small brushes get a cross besides. */
void fs_brush_cursor_draw (cairo_t *cr, double x, double y, double radius, uint8_t label);
/* The straight line that a click would paint, in the same two tones. */
void fs_brush_cursor_draw_line (cairo_t *cr, double x0, double y0, double x1, double y1);
/* The rectangle that draw() may touch. */
GdkRectangle fs_brush_cursor_bounds (double x, double y, double radius);

/* In image pixels, under the transform that is set. Skips what the clip hides. */
void fs_brush_cursor_draw_trail (cairo_t *cr, const FsSample *samples, guint n, double radius_px,
                                 uint8_t label);

G_END_DECLS

#endif
