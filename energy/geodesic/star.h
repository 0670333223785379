/* SPDX-License-Identifier: MIT */
/* Star convexity: each pixel's parent on its way to the object's strokes.   Layer: energy.
 *
 * Source: Gulshan, Rother, Criminisi, Blake & Zisserman 2010 (geodesic star convexity with several
 * centres): along the shortest path from an object pixel to the strokes every pixel is object. As
 * n-links that is one directed link a pixel which should not be cut, towards its parent. Differing
 * from the paper: the paths are those of a level (energy/geodesic/level.h), drawn in pixels.
 *
 * A cell's parent is the neighbour through which its distance is least (μ = 0.4, from the cells
 * with object seeds), of equals the lowest direction. A pixel's parent lies in the direction of its
 * cell's parent, so that paths run side by side through a cell. One thing is seen to: a path leaves
 * its cell only into a cell that is strictly nearer. Where a diagonal would not, it runs along the
 * edge of the cell to the corner first. In a cell with object seeds a pixel's parent leads to the
 * nearest of them (by 8 neighbours: greater of dx and dy; by 4: their sum), of equal ways by the
 * lowest direction.
 *
 * Hence distances fall from cell to cell along parents, the plane is a forest whatever the field
 * holds, and every tree's root is an object seed, or a background seed on the way. Seeds have no
 * parent (FS_STAR_NONE of grid.h), nor has a pixel whose cell no object seed has reached. At k = 0
 * a pixel's parent is its cell's: the tree of the shortest paths itself. All this is a function of
 * the photo and the seeds alone.
 *
 * (Parents from distances that are interpolated between cells look smoother and were tried first:
 * valleys one cell wide then fall apart into basins without a seed, which held half of the pixels
 * of a 12-megapixel photo.)
 *
 * Memory: 7 bytes a cell. Threads: one at a time per star, but for fs_star_fill_rows.
 */
#ifndef FS_ENERGY_GEODESIC_STAR_H
#define FS_ENERGY_GEODESIC_STAR_H

#include "energy/geodesic/sources.h"
#include "energy/image/seed_map.h"
#include "solver/grid.h"

G_BEGIN_DECLS

typedef struct _FsStar FsStar;

/* A star without seeds. Parents are direct neighbours only where `neighbours` is 4. Takes a
 * reference to the level. NULL where memory is short. */
FsStar *fs_star_new (FsGeodesicLevel *level, FsNeighbours neighbours);
void fs_star_free (FsStar *star);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsStar, fs_star_free)

/* The cells' distances (a cell plane), for whom they are of use. */
const int32_t *fs_star_get_distances (const FsStar *star);

/* Computes all cells afresh. Cost O(cells). */
void fs_star_compute (FsStar *star, const FsGeodesicSources *sources);

/* Rows [y0, y1) of the plane of parents, W·H bytes, for the cells as they are and the seeds that
 * they were made from. Cost about 1 ns a pixel. Calls for different rows may run at the same time.
 */
void fs_star_fill_rows (const FsStar *star, const FsSeedMap *seeds, int y0, int y1,
                        uint8_t *parents);

/* What has changed: pixels whose label is another (all of them; others and repetitions do no harm),
 * and the cells that fs_geodesic_sources_update gave for them. */
typedef struct {
  const FsSeedMap *seeds;
  const FsGeodesicSources *sources;
  const uint32_t *pixels; /* [n_pixels] y·W + x */
  size_t n_pixels;
  const uint32_t *cells; /* [n_cells] */
  size_t n_cells;
} FsStarEdit;

/* Follows a change of the seeds. `parents` is the plane as it was right before it; it stays as it
 * is, and `changes` (of FsStarChange) gets each pixel whose parent is another now, once. At most
 * about max_cells cells get another distance, nearest first; FALSE: others are left to the next
 * update, which may be one of no pixels. The plane holds a forest in between too. Cost: what the
 * change reaches, or max_cells. */
gboolean fs_star_update (FsStar *star, const FsStarEdit *edit, size_t max_cells,
                         const uint8_t *parents, GArray *changes);

G_END_DECLS

#endif
