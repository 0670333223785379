/* SPDX-License-Identifier: MIT */
/* Contour of the object as a thin line of moving dashes.   Layer: ui.
 *
 * It is one widget pixel wide at any zoom: the mask is sampled at the pixels of the screen, and
 * those are drawn that differ from the pixel to the left or above. They are cached as last drawn
 * (screen_cache.h), so that a step of the dashes costs one copy.
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

/* The same as for the canvas's FsScreenCache; device pixels. */
void fs_contour_set_size (FsContour *contour, int width, int height);
void fs_contour_invalidate (FsContour *contour, const FsRect *device);
void fs_contour_invalidate_all (FsContour *contour);
void fs_contour_scroll (FsContour *contour, int dx, int dy);

/* Draws in device pixels; nothing without a mask. `phase`: the number of steps that the dashes have
 * moved. */
void fs_contour_draw (FsContour *contour, cairo_t *cr, const FsPyramid *pyramid,
                      const FsViewTransform *transform, guint phase);

G_END_DECLS

#endif
