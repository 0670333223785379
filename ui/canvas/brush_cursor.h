/* SPDX-License-Identifier: MIT */
/* Drawing of the brush circle, in its true size, and of the stroke being painted.   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_BRUSH_CURSOR_H
#define FS_UI_CANVAS_BRUSH_CURSOR_H

#include "app/strokes/stroke.h"
#include <gdk/gdk.h>

G_BEGIN_DECLS

/* Widget pixels. The line is centred on the radius, bright and dark, so that it is visible on any
 * photo. Very small brushes also get a cross. Colours are 0xRRGGBB. */
void fs_brush_cursor_draw (cairo_t *cr, double x, double y, double radius, uint32_t rgb);
/* The straight line that a click with Shift would paint, in the same two tones. */
void fs_brush_cursor_draw_line (cairo_t *cr, double x0, double y0, double x1, double y1);
/* The bounds of what draw() may draw. */
GdkRectangle fs_brush_cursor_bounds (double x, double y, double radius);

/* Image pixels, with the transform of `cr`. Skips parts outside the clip. */
void fs_brush_cursor_draw_trail (cairo_t *cr, const FsSample *samples, guint n, double radius_px,
                                 uint32_t rgb);

G_END_DECLS

#endif
