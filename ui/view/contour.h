/* SPDX-License-Identifier: MIT */
/* A thin line of moving dashes along the border of the object.   Layer: ui.
 *
 * One device pixel of the screen wide for each step of its scale, at any zoom: what is drawn is not
 * the mask's pixels but the screen's, where they differ from the one before or above. They are kept
 * as the canvas was last drawn (screen_cache.h), so that a step of the dashes costs one copy.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_VIEW_CONTOUR_H
#define FS_UI_VIEW_CONTOUR_H

#include "ui/view/pyramid.h"
#include "ui/view/view_transform.h"
#include <cairo.h>

G_BEGIN_DECLS

typedef struct _FsContour FsContour;

FsContour *fs_contour_new (void);
void fs_contour_free (FsContour *contour);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsContour, fs_contour_free)

/* As with the canvas's own cache; device pixels. */
void fs_contour_set_size (FsContour *contour, int width, int height);
void fs_contour_invalidate (FsContour *contour, const FsRect *device);
void fs_contour_invalidate_all (FsContour *contour);
void fs_contour_scroll (FsContour *contour, int dx, int dy);

/* Draws in device pixels, without a mask nothing. `phase` counts the steps of the dashes. */
void fs_contour_draw (FsContour *contour, cairo_t *cr, const FsPyramid *pyramid,
                      const FsViewTransform *transform, guint phase);

G_END_DECLS

#endif
