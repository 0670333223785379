/* SPDX-License-Identifier: MIT */
/* Rendering of the views: marks, overlay, cut-out, mask, edge, original.   Layer: ui.
 *
 * The contour view is the original with a line over it (contour.h). Cut-out, mask and edge show the
 * live edge (edge_levels.h), the others the exact mask.
 *
 * compose() turns one window of a pyramid level into pixels; paint() paints a part of the photo
 * with it, block by block. A block's window has a margin of two pixels for the filter, so that
 * there are no seams between blocks. No temporary surface is larger than about twice a block.
 *
 * Threads: any, one at a time for each scratch.
 */
#ifndef FS_UI_VIEW_VIEWS_H
#define FS_UI_VIEW_VIEWS_H

#include "ui/view/pyramid.h"
#include "ui/view/view_style.h"
#include "ui/view/view_transform.h"
#include <cairo.h>

G_BEGIN_DECLS

/* Usual colours of labels as 0xRRGGBB; distinguishable with red-green colour blindness, too. */
uint32_t fs_view_label_colour (uint8_t label);
/* All of them, none hidden. */
void fs_view_labels_reset (FsViewLabels *labels);
/* The same for an FsEdgeZone. */
uint32_t fs_view_zone_colour (uint8_t zone);

/* TRUE if zones of the edge are shown: always with marks, never over the original. */
gboolean fs_view_shows_zones (const FsViewStyle *style);
/* TRUE if the view has the alpha of the edge. */
gboolean fs_view_shows_edge (const FsViewStyle *style);

/* Composes `window` (inside the level) as premultiplied ARGB32, rows of `stride_px`. Without a mask
 * overlay, cut-out and edge show the whole photo, and the mask view is black. */
void fs_view_compose (const FsPyramidLevel *level, const FsViewStyle *style, const FsRect *window,
                      uint32_t *out, size_t stride_px);

/* Scratch memory of paint(), grown on demand. Zero-initialised: empty. */
typedef struct {
  uint32_t *pixels;
  size_t capacity; /* pixels */
} FsViewScratch;

void fs_view_scratch_clear (FsViewScratch *scratch);

/* Paints `device` (device pixels; `cr` must have no scale) with surround, backdrop and photo. */
void fs_view_paint (const FsPyramid *pyramid, const FsViewStyle *style,
                    const FsViewTransform *transform, const FsRect *device, FsViewScratch *scratch,
                    cairo_t *cr);

G_END_DECLS

#endif
