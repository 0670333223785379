/* SPDX-License-Identifier: MIT */
/* Upsampling from the cells of a level to the pixels of the photo.   Layer: energy.
 *
 * Threads: only reads.
 */
#ifndef FS_ENERGY_GEODESIC_UPSAMPLE_H
#define FS_ENERGY_GEODESIC_UPSAMPLE_H

#include "energy/geodesic/level.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

/* Upsamples a cell plane to row y, columns [x0, x1) of the photo: bilinear between the centres of
 * cells, constant beyond the outermost ones. out[0] is column x0. A pixel's value does not depend
 * on x0 and x1: first the two rows of cells are interpolated and rounded, then the two columns; a
 * half is rounded up. Values are below 2^30 in magnitude. At k = 0 the plane itself. Cost less than
 * 1 ns a pixel. */
void fs_geodesic_upsample_row (const FsGeodesicLevel *level, const int32_t *plane, int y, int x0,
                               int x1, int32_t *out);

/* The same for one pixel (y·W + x). */
int32_t fs_geodesic_upsample (const FsGeodesicLevel *level, const int32_t *plane, uint32_t pixel);

/* The plane for devices, which upsample it to the same numbers (solver/link_source.h). */
FsCoarsePlane fs_geodesic_coarse_plane (const FsGeodesicLevel *level, const int32_t *plane);

/* The pixels whose upsampled value may change when a plane has changed in these cells (repetitions
 * allowed): appends rectangles without overlap to `rects` (of FsRect, in pixels), in rows of cells
 * from top to bottom and left to right. Cost O(n + bounding rectangle of the cells). */
void fs_geodesic_touched_pixels (const FsGeodesicLevel *level, const uint32_t *cells, size_t n,
                                 GArray *rects);

G_END_DECLS

#endif
