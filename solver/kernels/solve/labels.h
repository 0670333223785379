/* SPDX-License-Identifier: MIT */
/* Exact labels of one tile, by bit-parallel flood fill.   Layer: solver/kernels.
 *
 * One warp works on a tile, lane y on row y, a bit a pixel. The first fill, backwards over residual
 * arcs from the deficits of the tile, gives label 0. Then, for each label L in the tile's halo,
 * from the least upwards, a fill from the pixels with that label gives label L + 1 to the pixels
 * that are not filled yet. Fills go along rows and columns by doubling (Kogge & Stone 1973), so
 * that a fill of an open tile takes two rounds.
 *
 * The labels of the whole photo are made exact in two passes of visits to tiles, each to its fixed
 * point, which does not depend on the order of visits nor on concurrent ones:
 *
 *   raising   an outermost pixel whose distance turns out greater than its label loses the label
 *             (FS_FAR). In the end every remaining label is confirmed by a path to a deficit with
 * at most so many borders. lowering  every outermost pixel gets the least label found. In the end
 * labels are distances.
 *
 * Raising comes before lowering, so that stale labels do not confirm each other in a cycle.
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_LABELS_H
#define FS_SOLVER_KERNELS_SOLVE_LABELS_H

#include "solver/kernels/solve/grid_state.h"

/* A lane's state: row y's bits, and the labels at place y of the halo's four sides. */
typedef struct {
  uint32_t open[FS_MAX_ARCS];
  uint32_t found;
  uint32_t before;   /* found before the present label                   */
  int32_t halo[4];   /* above, below, left, right of the tile            */
  int32_t corner[4]; /* the same in all lanes: NW, NE, SW, SE of the tile */
  int32_t stored[4]; /* of place y of the tile's own sides, before the visit */
  int32_t label[4];  /* found for place y of the tile's own sides         */
} FsLabelLane;

/* The neighbouring tile (fs_tile_neighbour_at()) at a side, and at a corner: NW, NE, SW, SE. */
FS_PHASE int
fs_label_side_tile (int side)
{
  return side == FS_TOP ? 5 : side == FS_BOTTOM ? 1 : side == FS_LEFT ? 4 : 0;
}

FS_PHASE int
fs_label_corner_tile (int i)
{
  return i == 0 ? 6 : i == 1 ? 7 : i == 2 ? 3 : 2;
}

/* The halo's label at place `lane` of a side, and at a corner; `neighbour` is the tile there. */
FS_PHASE int32_t
fs_label_halo_side (const FsGridState *grid, int tile, int neighbour, int side, int lane)
{
  return fs_label_across (grid, tile, neighbour, side ^ 1, lane);
}

FS_PHASE int32_t
fs_label_halo_corner (const FsGridState *grid, int tile, int neighbour, int i)
{
  return fs_label_across (grid, tile, neighbour, i < 2 ? FS_BOTTOM : FS_TOP,
                          i % 2 == 0 ? FS_SIDE - 1 : 0);
}

/* With 4 neighbours corners are FS_FAR. */
FS_PHASE void
fs_label_load_halo (const FsGridState *grid, int n_arcs, int tile, const int neighbours[8],
                    int lane, FsLabelLane *mine)
{
  FS_UNROLL
  for (int i = 0; i < 4; i++) {
    mine->halo[i] = fs_label_halo_side (grid, tile, neighbours[fs_label_side_tile (i)], i, lane);
    mine->corner[i] =
        n_arcs == 8 ? fs_label_halo_corner (grid, tile, neighbours[fs_label_corner_tile (i)], i)
                    : FS_FAR;
    mine->stored[i] = grid->border[((size_t)tile * 4 + i) * FS_SIDE + lane];
    mine->label[i] = FS_FAR;
  }
}

/* `neighbours` are the eight neighbouring tiles, numbered as by fs_tile_neighbour_at(). */
FS_PHASE void
fs_label_load (const FsGridState *grid, int n_arcs, int tile, const int neighbours[8], int lane,
               FsLabelLane *mine)
{
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    mine->open[arc] = grid->open[((size_t)tile * n_arcs + arc) * FS_SIDE + lane];
  mine->found = grid->deficit[(size_t)tile * FS_SIDE + lane];
  mine->before = 0;
  fs_label_load_halo (grid, n_arcs, tile, neighbours, lane, mine);
}

/* The least label above `label` in the lane's places of the halo; FS_FAR if there is none. */
FS_PHASE int32_t
fs_label_next (int n_arcs, const FsLabelLane *mine, int32_t label)
{
  int32_t next = FS_FAR;
  FS_UNROLL
  for (int i = 0; i < 4; i++) {
    next = mine->halo[i] > label ? fs_min_i32 (next, mine->halo[i]) : next;
    next = n_arcs == 8 && mine->corner[i] > label ? fs_min_i32 (next, mine->corner[i]) : next;
  }
  return next;
}

/* The halo's pixels with a given label: a word a side, and corners as bits 0 … 3. */
typedef struct {
  uint32_t side[4];
  uint32_t corners;
} FsHaloBits;

FS_PHASE uint32_t
fs_halo_corners (const FsLabelLane *mine, int32_t label)
{
  return (uint32_t)(mine->corner[0] == label) | (uint32_t)(mine->corner[1] == label) << 1
         | (uint32_t)(mine->corner[2] == label) << 2 | (uint32_t)(mine->corner[3] == label) << 3;
}

/* The halo's bits in row y, −1 … 32, of the tile with its halo: columns −1 … 32 as bits 0 … 33. */
FS_PHASE uint64_t
fs_halo_row (const FsHaloBits *halo, int y)
{
  const int last = FS_SIDE + 1;
  if (y < 0)
    return (uint64_t)halo->side[FS_TOP] << 1 | (halo->corners & 1u)
           | (uint64_t)(halo->corners >> 1 & 1u) << last;
  if (y >= FS_SIDE)
    return (uint64_t)halo->side[FS_BOTTOM] << 1 | (halo->corners >> 2 & 1u)
           | (uint64_t)(halo->corners >> 3 & 1u) << last;
  return (uint64_t)(halo->side[FS_LEFT] >> y & 1u)
         | (uint64_t)(halo->side[FS_RIGHT] >> y & 1u) << last;
}

/* The pixels of the row from which an open arc leads to a pixel of the three rows, given as bits
 * 0 … 33. */
FS_PHASE uint32_t
fs_label_reach (int n_arcs, const FsLabelLane *mine, uint64_t above, uint64_t here, uint64_t below)
{
  uint32_t reached = 0;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int dy = fs_arc_dy (n_arcs, arc);
    uint64_t row = dy < 0 ? above : dy > 0 ? below : here;
    reached |= mine->open[arc] & (uint32_t)(row >> (1 + fs_arc_dx (n_arcs, arc)));
  }
  return reached;
}

/* The row's pixels with an open arc to one of the halo's pixels. */
FS_PHASE uint32_t
fs_label_enter (int n_arcs, const FsLabelLane *mine, int lane, const FsHaloBits *halo)
{
  return fs_label_reach (n_arcs, mine, fs_halo_row (halo, lane - 1), fs_halo_row (halo, lane),
                         fs_halo_row (halo, lane + 1));
}

/* Fills along the row, both ways. */
FS_PHASE void
fs_fill_row (int n_arcs, FsLabelLane *mine)
{
  uint32_t found = mine->found;
  uint32_t east = mine->open[0], west = mine->open[n_arcs / 2];
  FS_UNROLL
  for (int step = 1; step < FS_SIDE; step *= 2) {
    found |= (east & found >> step) | (west & found << step);
    east &= east >> step;
    west &= west << step;
  }
  mine->found = found;
}

/* A lane's state of a fill along columns: what has been found, and which pixels are joined by open
 * arcs to the ones `step` rows on. */
typedef struct {
  uint32_t found, joined;
} FsColumnFill;

FS_PHASE FsColumnFill
fs_fill_column_start (int n_arcs, const FsLabelLane *mine, int down)
{
  FsColumnFill fill = { mine->found, mine->open[down ? 1 : 1 + n_arcs / 2] };
  return fill;
}

/* One doubling; `other` is the state of the lane `step` rows on, zeros beyond the tile. */
FS_PHASE FsColumnFill
fs_fill_column_step (FsColumnFill mine, FsColumnFill other)
{
  FsColumnFill next = { mine.found | (mine.joined & other.found), mine.joined & other.joined };
  return next;
}

/* One step along the diagonals, from the rows above and below. */
FS_PHASE void
fs_fill_diagonals (FsLabelLane *mine, uint32_t above, uint32_t below)
{
  mine->found |= (mine->open[7] & above >> 1) | (mine->open[6] & above << 1)
                 | (mine->open[2] & below >> 1) | (mine->open[3] & below << 1);
}

/* The label of a pixel: `label` if it has none yet and the lowest bit of `is_new` is set. */
FS_PHASE int32_t
fs_label_first (int32_t old, uint32_t is_new, int32_t label)
{
  uint32_t given = (uint32_t)label | ((is_new & 1u) - 1u);
  return given < (uint32_t)old ? (int32_t)given : old;
}

/* Sets the label of newly found outermost pixels; `top` and `bottom` are those of the tile's first
 * and last row, `row` those of the lane's own. */
FS_PHASE void
fs_label_write (FsLabelLane *mine, int lane, uint32_t top, uint32_t bottom, uint32_t row,
                int32_t label)
{
  mine->label[FS_TOP] = fs_label_first (mine->label[FS_TOP], top >> lane, label);
  mine->label[FS_BOTTOM] = fs_label_first (mine->label[FS_BOTTOM], bottom >> lane, label);
  mine->label[FS_LEFT] = fs_label_first (mine->label[FS_LEFT], row, label);
  mine->label[FS_RIGHT] = fs_label_first (mine->label[FS_RIGHT], row >> (FS_SIDE - 1), label);
}

/* Three ways to store labels at place `lane` of the four sides: by raising, by lowering, and after
 * a discharge. Each returns a bit for every side whose label has changed so that neighbours must be
 * visited: raised; lowered; raised. */
FS_PHASE uint32_t
fs_label_raise (const FsGridState *grid, int tile, int lane, const FsLabelLane *mine)
{
  uint32_t raised = 0;
  FS_UNROLL
  for (int side = 0; side < 4; side++) {
    if (mine->stored[side] == FS_FAR || mine->label[side] <= mine->stored[side])
      continue;
    grid->border[((size_t)tile * 4 + side) * FS_SIDE + lane] = FS_FAR;
    raised |= 1u << side;
  }
  return raised;
}

FS_PHASE uint32_t
fs_label_lower (const FsGridState *grid, int tile, int lane, const FsLabelLane *mine)
{
  uint32_t lowered = 0;
  FS_UNROLL
  for (int side = 0; side < 4; side++) {
    if (mine->label[side] >= mine->stored[side])
      continue;
    grid->border[((size_t)tile * 4 + side) * FS_SIDE + lane] = mine->label[side];
    lowered |= 1u << side;
  }
  return lowered;
}

/* Labels beyond the distance cap were not searched, and stay. */
FS_PHASE uint32_t
fs_label_leave (const FsGridState *grid, int tile, int lane, int32_t distance_cap,
                const FsLabelLane *mine)
{
  uint32_t raised = 0;
  FS_UNROLL
  for (int side = 0; side < 4; side++) {
    int32_t *label = &grid->border[((size_t)tile * 4 + side) * FS_SIDE + lane];
    int32_t old = *label;
    if (mine->label[side] == FS_FAR && old > distance_cap)
      continue;
    *label = mine->label[side];
    raised |= mine->label[side] > old ? 1u << side : 0;
  }
  return raised;
}

/* The neighbouring tiles to visit, a bit each, numbered like 8 arcs (E S SE SW W N NW NE), given
 * the sides at which the lane's labels changed. With 4 neighbours there are none at corners. */
FS_PHASE uint32_t
fs_label_wake (int n_arcs, int lane, uint32_t sides)
{
  uint32_t top = sides >> FS_TOP & 1, bottom = sides >> FS_BOTTOM & 1;
  uint32_t wake = top << 5 | bottom << 1 | (sides >> FS_LEFT & 1) << 4 | (sides >> FS_RIGHT & 1);
  if (n_arcs == 8 && lane == 0)
    wake |= top << 6 | bottom << 3;
  if (n_arcs == 8 && lane == FS_SIDE - 1)
    wake |= top << 7 | bottom << 2;
  return wake;
}

/* The same after lowering, and only where one of the lane's changed labels can lower a label of the
 * halo. `near` has the halo's label at each of the lane's four places: the greatest of the three
 * that touch it. */
FS_PHASE uint32_t
fs_label_wake_lowered (int n_arcs, int lane, uint32_t sides, const FsLabelLane *mine,
                       const int32_t near[4])
{
  uint32_t useful = 0;
  FS_UNROLL
  for (int side = 0; side < 4; side++)
    useful |= near[side] > mine->label[side] + 1 ? 1u << side : 0;
  uint32_t wake = fs_label_wake (n_arcs, lane, sides & useful);
  if (n_arcs == 4)
    return wake;
  uint32_t corners = 0;
  if (lane == 0 || lane == FS_SIDE - 1) {
    int east = lane != 0;
    int32_t above = east ? mine->corner[1] : mine->corner[0];
    int32_t below = east ? mine->corner[3] : mine->corner[2];
    corners |= above > mine->label[FS_TOP] + 1 ? 1u << (east ? 7 : 6) : 0;
    corners |= below > mine->label[FS_BOTTOM] + 1 ? 1u << (east ? 2 : 3) : 0;
  }
  return (wake & 0x33u) | (fs_label_wake (n_arcs, lane, sides) & corners);
}

#endif
