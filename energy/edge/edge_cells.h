/* SPDX-License-Identifier: MIT */
/* Cells of 2^shift pixels a side, with sums of their pixels.   Layer: energy.
 *
 * Sums are computed when they are asked for first: most cells are far from the border.
 *
 * Threads: one at a time per object.
 */
#ifndef FS_ENERGY_EDGE_EDGE_CELLS_H
#define FS_ENERGY_EDGE_EDGE_CELLS_H

#include "energy/edge/edge_window.h"
#include "energy/edge/sparse_sums.h"

G_BEGIN_DECLS

/* Sums of a cell's pixels: colours, pixels, those inside, their colours, products. In fours, as
 * SSE2 makes them; two are of no use. */
enum {
  FS_RED,
  FS_GREEN,
  FS_BLUE,
  FS_COUNT,
  FS_INSIDE_RED,
  FS_INSIDE_GREEN,
  FS_INSIDE_BLUE,
  FS_INSIDE,
  FS_RR,
  FS_GG,
  FS_BB,
  FS_RG = FS_BB + 2,
  FS_GB,
  FS_RB,
  FS_N_SUMS = FS_RB + 2
};

/* The sides of the mask that a cell has, or its neighbours have. */
enum { FS_SIDE_OUTSIDE = 1, FS_SIDE_INSIDE = 2, FS_SIDES_BOTH = 3 };

typedef struct {
  int shift;
  const FsEdgeWindow *window;
  FsRect all;        /* the cells of the photo                           */
  FsRect cells;      /* those that are filled                            */
  uint8_t *sides;    /* of each of these                                 */
  int32_t *places;   /* of each: of its sums, −1 before they are asked for */
  FsSparseSum *sums; /* FS_N_SUMS numbers in `narrow`, in the order of asking */
  int n_sums;
} FsEdgeCells;

/* For areas of up to `side` pixels a side. FALSE where memory is short; to be cleared then, too. */
gboolean fs_edge_cells_init (FsEdgeCells *cells, const FsEdgeInput *input, int shift, int side);
void fs_edge_cells_clear (FsEdgeCells *cells);

/* Takes the mask of those that lie in `area`, which the window's mask has. */
void fs_edge_cells_fill (FsEdgeCells *cells, const FsEdgeWindow *window, FsRect area);

/* Cells of the photo that meet `area`, a rectangle of pixels, and `more` around them. */
FsRect fs_edge_cells_of (const FsEdgeCells *cells, FsRect area, int more);

void fs_edge_cells_sum (FsEdgeCells *cells, int x, int y);

static inline const FsSparseSum *
fs_edge_cells_get_sums (FsEdgeCells *cells, int x, int y)
{
  const gsize i = fs_rect_place (cells->cells, x, y);
  if (cells->places[i] < 0)
    fs_edge_cells_sum (cells, x, y);
  return &cells->sums[cells->places[i]];
}

/* The bitwise or of the bytes in the square around each cell of `to`; `bytes` are those of `from`,
 * and outside they are 0. `result` has room for those of `to` widened by the radius. */
void fs_edge_or_squares (const uint8_t *bytes, FsRect from, FsRect to, int radius, uint8_t *result);

G_END_DECLS

#endif
