/* SPDX-License-Identifier: MIT */
/* From the cells of a level to the pixels of the photo.   Layer: energy.
 *
 * Threads: only reads.
 */
#ifndef FS_ENERGY_GEODESIC_UPSAMPLE_H
#define FS_ENERGY_GEODESIC_UPSAMPLE_H

#include "energy/geodesic/level.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

/* Row y, columns [x0, x1) of the photo from a cell plane, bilinear between the middles of cells,
 * constant beyond the outermost ones. out[0] is column x0. A function of the pixel and the plane
 * alone, not of x0 and x1: first the two rows of cells are mixed and rounded, then the two columns;
 * a half is rounded up. Values below 2^30 in magnitude. At k = 0 the plane itself. Cost less
 * than 1 ns a pixel. */
void fs_geodesic_upsample_row (const FsGeodesicLevel *level, const int32_t *plane, int y, int x0,
                               int x1, int32_t *out);

/* The same for one pixel (y·W + x). */
int32_t fs_geodesic_upsample (const FsGeodesicLevel *level, const int32_t *plane, uint32_t pixel);

/* The plane for others who upsample it (solver/link_source.h), to the same numbers. */
FsCoarsePlane fs_geodesic_coarse_plane (const FsGeodesicLevel *level, const int32_t *plane);

/* Which pixels must be looked at again when a plane has changed in these cells (repetitions
 * allowed): appends to `rects` (of FsRect, in pixels) rectangles without overlap that hold every
 * pixel whose upsampled value may differ. They lie in rows of cells, top to
 * bottom, left to right. Cost O(n + bounding rectangle of the cells). */
void fs_geodesic_touched_pixels (const FsGeodesicLevel *level, const uint32_t *cells, size_t n,
                                 GArray *rects);

G_END_DECLS

#endif
