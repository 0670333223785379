/* SPDX-License-Identifier: MIT */
/* Star convexity: each pixel's parent on its shortest path to an object stroke.   Layer: energy.
 *
 * Source: Gulshan, Rother, Criminisi, Blake & Zisserman 2010 (geodesic star convexity with several
 * centres): along the shortest path from an object pixel to the strokes every pixel is object. As
 * n-links that is one directed link a pixel which should not be cut, towards its parent. Differing
 * from the paper: the paths are those of a level (energy/geodesic/level.h), drawn in pixels.
 *
 * A cell's parent is the neighbour through which its distance is smallest (μ = 0.4, from the cells
 * with object seeds); of equal ones that of the lowest direction. A pixel's parent lies in the
 * direction of its cell's parent, so that paths are parallel within a cell. But a path leaves its
 * cell only into a cell that is strictly nearer: where a diagonal step would not, it first runs
 * along the edge of the cell to the corner. In a cell with object seeds parents lead to the nearest
 * of them (8 neighbours: the larger of dx and dy; 4: their sum); of equal steps the lowest
 * direction.
 *
 * Hence distances fall from cell to cell along parents, and the plane of parents is a forest, for
 * any contents of the field. The root of each tree is an object seed, or a background seed on the
 * way. Seeds have no parent (FS_STAR_NONE of grid.h), nor have pixels of cells without a path to an
 * object seed. At k = 0 the forest is that of the shortest paths. All this is a function of the
 * photo and the seeds alone.
 *
 * (Parents by distances interpolated between cells look smoother, but valleys one cell wide then
 * fall apart into basins without a seed: half of the pixels of a 12-megapixel photo.)
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

/* The distances of the cells: a cell plane, owned by the star. */
const int32_t *fs_star_get_distances (const FsStar *star);

/* Computes the distances of all cells. Cost O(cells). */
void fs_star_compute (FsStar *star, const FsGeodesicSources *sources);

/* Fills rows [y0, y1) of the plane of parents, W·H bytes, from the present distances and the seeds
 * that they come from. Cost about 1 ns a pixel. Calls for different rows may run at the same time.
 */
void fs_star_fill_rows (const FsStar *star, const FsSeedMap *seeds, int y0, int y1,
                        uint8_t *parents);

/* A change of the seeds: all pixels whose label has changed (others and repetitions do no harm),
 * and the cells that fs_geodesic_sources_update gave for them. */
typedef struct {
  const FsSeedMap *seeds;
  const FsGeodesicSources *sources;
  const uint32_t *pixels; /* [n_pixels] y·W + x */
  size_t n_pixels;
  const uint32_t *cells; /* [n_cells] */
  size_t n_cells;
} FsStarEdit;

/* Updates the star after a change of the seeds. `parents` is the plane of parents before it, and is
 * only read; `changes` (of FsStarChange) gets each pixel whose parent changes, once. At most about
 * max_cells cells get a new distance, nearest first. FALSE: others are left to the next update,
 * which may have no pixels. The parents are a forest in between, too. Cost: the cells whose
 * distance changes, up to max_cells. */
gboolean fs_star_update (FsStar *star, const FsStarEdit *edit, size_t max_cells,
                         const uint8_t *parents, GArray *changes);

G_END_DECLS

#endif
