/* SPDX-License-Identifier: MIT */
/* Star convexity: each pixel's parent on its way to the object's strokes.   Layer: energy.
 *
 * Source: Gulshan, Rother, Criminisi, Blake & Zisserman 2010 (geodesic star convexity with several
 * centres): along the shortest path from an object pixel to the strokes every pixel is object. As
 * n-links that is one directed link a pixel which may not be cut, towards its parent. Differing
 * from the paper: distances are those of a level (energy/geodesic_level.h).
 *
 * The parent of a pixel is the neighbour whose distance is least, of equals the lowest direction:
 *   at k = 0  least distance plus cost of the edge, among neighbours that are strictly nearer: with
 * 8 neighbours the tree of the shortest paths itself; at k > 0  least upsampled distance, if that
 * is strictly below the pixel's own. Distances fall strictly along parents, so this is a forest
 * whatever the field holds. Seeds of either kind, pixels without a nearer neighbour, and all pixels
 * of a field without sources have no parent (FS_STAR_NONE of grid.h). A function of field and seeds
 * alone.
 *
 * Threads: all functions only read level, field and seeds; calls that write different pixels may
 * run at the same time.
 */
#ifndef FS_ENERGY_STAR_H
#define FS_ENERGY_STAR_H

#include "energy/geodesic_field.h"
#include "energy/seed_map.h"
#include "solver/grid.h"

G_BEGIN_DECLS

/* The field of d_F that parents follow, and what else they depend on. All borrowed. */
typedef struct {
  const FsGeodesicLevel *level;
  const FsGeodesicField *field;
  const FsSeedMap *seeds;
  FsNeighbours neighbours; /* 4: parents are direct neighbours only */
} FsStar;

/* The parent of one pixel, by the definition. */
uint8_t fs_star_parent (const FsStar *star, uint32_t pixel);

/* Rows [y0, y1) of the plane of parents, W·H bytes. Cost about 5 ns a pixel. */
void fs_star_fill_rows (const FsStar *star, int y0, int y1, uint8_t *parents);

/* Looks again at the pixels of n rectangles (fs_geodesic_touched_pixels) and takes new parents into
 * the plane. Appends what changed to `changes` (of FsStarChange; may be NULL). */
void fs_star_update_rects (const FsStar *star, const FsRect *rects, size_t n, uint8_t *parents,
                           GArray *changes);

/* The same for n pixels (repetitions allowed), for those whose label has changed. */
void fs_star_update_pixels (const FsStar *star, const uint32_t *pixels, size_t n, uint8_t *parents,
                            GArray *changes);

G_END_DECLS

#endif
