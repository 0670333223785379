/* SPDX-License-Identifier: MIT */
/* Geodesic level: the pyramid level on which geodesic distances are computed.   Layer: energy.
 *
 * A *cell* is a block of 2^k × 2^k pixels of the photo, smaller in the last column and row; its
 * colour is the mean of its pixels, in integer Lab. An *edge* joins a cell with each of its 8
 * neighbours and costs
 *
 *   c_μ = √((1 − μ)·len² + μ·d²/m),   len = 1 or √2,
 *
 * where d² is the squared difference of the two colours and m its mean over all edges of the level
 * (Gulshan, Rother, Criminisi, Blake & Zisserman 2010, equation 8 in spirit; the mixture of length
 * and contrast is ours). One unit of cost is 1/FS_GEODESIC_UNIT of a *cell's* side, so a distance
 * is 2^k times smaller than it would be in pixels. Costs are capped at FS_GEODESIC_COST_MAX, which
 * matters only in photos almost without contrast.
 *
 * *Cell planes* have n_plane elements: one for each cell, and a border of one cell round the level,
 * so that neighbours need no bounds check. Cell (X, Y) is element fs_geodesic_cell (level, X, Y),
 * its neighbour in direction d is fs_geodesic_offset (level, d) further. The border may be read; in
 * planes other than the field's its contents are undefined.
 *
 * Everything is integers (and square roots of integers, which IEEE 754 rounds correctly), so a
 * photo gives the same bits on every machine.
 *
 * Memory: 38 bytes a cell; none where a level shares the planes of another. Threads: immutable once
 * made, reference counted.
 */
#ifndef FS_ENERGY_GEODESIC_LEVEL_H
#define FS_ENERGY_GEODESIC_LEVEL_H

#include "energy/colour/lab.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "solver/grid.h"

G_BEGIN_DECLS

#define FS_GEODESIC_UNIT     256
#define FS_GEODESIC_COST_MAX (64 * FS_GEODESIC_UNIT)
/* The distance where there is no source; every other one is smaller. */
#define FS_GEODESIC_FAR ((int32_t)(1 << 30) - 1)
/* The largest number of cells; smaller photos have one pixel a cell. Finer levels cost more and
 * gave no better cuts (docs/decisions/geodesic-model.md). */
#define FS_GEODESIC_CELLS     80000
#define FS_GEODESIC_SHIFT_MAX 6

/* The values of μ for which a level has costs. */
typedef enum {
  FS_GEODESIC_MU_DISTANCES, /* 0.5 */
  FS_GEODESIC_MU_STAR,      /* 0.4 */
  FS_GEODESIC_N_MUS
} FsGeodesicMu;

/* The costs of a cell's eight edges, by direction of the arc (0 … 7); 0 for edges that leave the
 * level. */
typedef struct {
  uint16_t to[FS_N_ARCS];
} FsGeodesicCosts;

typedef struct _FsGeodesicLevel FsGeodesicLevel;

struct _FsGeodesicLevel {
  int photo_width, photo_height;
  int shift;         /* k                                             */
  int width, height; /* in cells: ⌈photo_width / 2^k⌉, …              */
  int stride;        /* of cell planes, width + 1                     */
  size_t n_plane;    /* elements of a cell plane, (height + 2)·stride + 1 */
  int32_t diagonal;  /* the photo's diagonal as a distance, in units  */
  uint64_t d2_sum;   /* m = d2_sum / n_edges                          */
  uint64_t n_edges;
  FsLab *lab;                                /* cell plane  */
  FsGeodesicCosts *costs[FS_GEODESIC_N_MUS]; /* cell planes */
  FsGeodesicLevel *planes_of;                /* the owner of the planes; NULL: this one */
};

/* Cells as elements of cell planes. */
typedef GArray FsCellList; /* of uint32_t */

/* The least k for which the photo has at most max_cells cells. */
int fs_geodesic_shift (int width, int height, int64_t max_cells);

/* Makes the level. `shift` in [0, FS_GEODESIC_SHIFT_MAX]; it is raised where a side would have more
 * than 262,144 cells. NULL where memory is short. Cost O(N), about 15 ms at 12 megapixels. */
FsGeodesicLevel *fs_geodesic_level_new (const FsImage *image, int shift);
/* The level of a photo 2^more times larger in each direction than that of `other`, with the same
 * cells: it shares the planes of `other`. NULL where the cells differ. */
FsGeodesicLevel *fs_geodesic_level_new_like (const FsImage *image, FsGeodesicLevel *other,
                                             int more);
FsGeodesicLevel *fs_geodesic_level_ref (FsGeodesicLevel *level);
void fs_geodesic_level_unref (FsGeodesicLevel *level);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsGeodesicLevel, fs_geodesic_level_unref)

/* A cell plane of zeros, with elements of size_bytes; NULL where memory is short. Freed by
 * fs_memory_free. */
void *fs_geodesic_plane_new (const FsGeodesicLevel *level, size_t size_bytes);

static inline uint32_t
fs_geodesic_cell (const FsGeodesicLevel *level, int x, int y)
{
  return (uint32_t)((size_t)(y + 1) * (size_t)level->stride + (size_t)x + 1);
}

static inline int
fs_geodesic_cell_x (const FsGeodesicLevel *level, uint32_t cell)
{
  return (int)((cell - 1) % (uint32_t)level->stride);
}

static inline int
fs_geodesic_cell_y (const FsGeodesicLevel *level, uint32_t cell)
{
  return (int)((cell - 1) / (uint32_t)level->stride) - 1;
}

/* The cell of a pixel (y·W + x) of the photo. */
static inline uint32_t
fs_geodesic_cell_of_pixel (const FsGeodesicLevel *level, uint32_t pixel)
{
  int x = (int)(pixel % (uint32_t)level->photo_width);
  int y = (int)(pixel / (uint32_t)level->photo_width);
  return fs_geodesic_cell (level, x >> level->shift, y >> level->shift);
}

/* dx and dy of an arc's direction, 0 … 7. */
static inline int
fs_arc_dx (int d)
{
  int dx = fs_direction_dx ((FsDirection)(d % FS_N_DIRECTIONS));
  return d < FS_N_DIRECTIONS ? dx : -dx;
}

static inline int
fs_arc_dy (int d)
{
  int dy = fs_direction_dy ((FsDirection)(d % FS_N_DIRECTIONS));
  return d < FS_N_DIRECTIONS ? dy : -dy;
}

static inline int
fs_geodesic_offset (const FsGeodesicLevel *level, int d)
{
  return fs_arc_dy (d) * level->stride + fs_arc_dx (d);
}

G_END_DECLS

#endif
