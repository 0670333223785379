/* SPDX-License-Identifier: MIT */
/* Drawing of a lasso or box on the canvas: a thin light line on a dark one, visible on any photo.
 * Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_CANVAS_LASSO_DRAWING_H
#define FS_UI_CANVAS_LASSO_DRAWING_H

#include "app/strokes/stroke.h"
#include "ui/view/view_transform.h"
#include <cairo.h>

G_BEGIN_DECLS

/* Draws in widget pixels. `is_box`: the samples are the ends of a diagonal. While it grows, the
 * line that will close it is dashed. */
void fs_lasso_drawing_draw (cairo_t *cr, const FsViewTransform *transform, const FsSample *samples,
                            guint n, gboolean is_box, gboolean grows);

/* FALSE if it encloses so little that it was a click with a small movement. */
gboolean fs_lasso_drawing_is_meant (const FsViewTransform *transform, const FsSample *samples,
                                    guint n);

G_END_DECLS

#endif
