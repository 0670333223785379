/* SPDX-License-Identifier: MIT */
/* Exact labels of one tile, by breadth-first search over bits.   Layer: solver/kernels.
 *
 * One warp works on a tile, lane y on row y, a bit a pixel. The sources are the tile's deficits
 * (label 0) and the labels in the ring of pixels around it; the search goes backwards over open
 * arcs, level after level, and skips levels at which nothing lies.
 *
 * With it the labels of the whole photo are kept exact in two waves of visits, each to its own
 * fixed point, so that neither the order of the visits nor what they see of one another matters:
 *
 *   raising   a pixel whose search finds it farther than its label says loses the label (FS_FAR).
 *             In the end every label that is left is backed by a path to a deficit that is no
 *             longer than the label.
 *   lowering  every pixel takes what the search finds. In the end the labels are the distances.
 *
 * Raising before lowering is what keeps old labels from backing one another in a circle.
 */
#ifndef FS_KERNELS_LABELS_H
#define FS_KERNELS_LABELS_H

#include "solver/kernels/grid_state.h"

#define FS_RING_SIDE (FS_SIDE + 2)

/* What the lanes share. */
typedef struct {
  int32_t label[FS_RING_SIDE][FS_RING_SIDE]; /* of the ring: as it was; inside: what is found */
} FsLabelRoom;

/* One lane's part. A row's 34 pixels, the ring's two with it, are bits 0 … 33 of 64. */
typedef struct {
  uint32_t open[FS_MAX_ARCS];
  uint32_t found; /* pixels of the row that have a label   */
  uint32_t fresh; /* those that got it at the last level   */
} FsLabelLane;

/* Fills the lane's part of the room, ring included. */
FS_PHASE void
fs_label_load (const FsGridState *grid, int n_arcs, int tile, int lane, FsLabelRoom *room,
               FsLabelLane *mine)
{
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    mine->open[arc] = grid->open[((size_t)tile * n_arcs + arc) * FS_SIDE + lane];
  mine->found = mine->fresh = grid->deficit[(size_t)tile * FS_SIDE + lane];
  room->label[0][lane + 1] = fs_label_near (grid, tile, lane, -1);
  room->label[FS_SIDE + 1][lane + 1] = fs_label_near (grid, tile, lane, FS_SIDE);
  room->label[lane + 1][0] = fs_label_near (grid, tile, -1, lane);
  room->label[lane + 1][FS_SIDE + 1] = fs_label_near (grid, tile, FS_SIDE, lane);
  if (lane < 4) {
    int x = lane % 2 * (FS_SIDE + 1), y = lane / 2 * (FS_SIDE + 1);
    room->label[y][x] = fs_label_near (grid, tile, x - 1, y - 1);
  }
}

/* Writes the lane's row of the room's inside, a whole column at a time over the lanes. */
FS_PHASE void
fs_label_clear (int lane, FsLabelRoom *room)
{
  for (int y = 1; y <= FS_SIDE; y++)
    room->label[y][lane + 1] = FS_FAR;
}

/* Gives the row's fresh pixels their label. */
FS_PHASE void
fs_label_write (const FsLabelLane *mine, int lane, int32_t level, FsLabelRoom *room)
{
  for (uint32_t bits = mine->fresh; bits != 0; bits &= bits - 1)
    room->label[lane + 1][fs_lowest_bit (bits) + 1] = level;
}

/* The row's pixels at the level, of row `y` of the room (0 … 33), inside from `fresh`. Rows 0 and
 * 33 are the ring's: `fresh` is then the word of their pixels at the level. */
FS_PHASE uint64_t
fs_label_row (const FsLabelRoom *room, int y, uint32_t fresh, int32_t level)
{
  return (uint64_t)fresh << 1 | (uint64_t)(room->label[y][0] == level)
         | (uint64_t)(room->label[y][FS_SIDE + 1] == level) << (FS_SIDE + 1);
}

/* Finds the pixels of the row from which an open arc leads to a pixel at the level. */
FS_PHASE void
fs_label_step (int n_arcs, FsLabelLane *mine, uint64_t above, uint64_t here, uint64_t below)
{
  uint32_t reached = 0;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int dy = fs_arc_dy (n_arcs, arc);
    uint64_t row = dy < 0 ? above : dy > 0 ? below : here;
    reached |= mine->open[arc] & (uint32_t)(row >> (1 + fs_arc_dx (n_arcs, arc)));
  }
  mine->fresh = reached & ~mine->found;
  mine->found |= mine->fresh;
}

/* The least label beyond `level` in the lane's part of the ring; FS_FAR if there is none. */
FS_PHASE int32_t
fs_label_next (const FsLabelRoom *room, int lane, int32_t level)
{
  const int32_t ring[] = {
    room->label[0][lane + 1],
    room->label[FS_SIDE + 1][lane + 1],
    room->label[lane + 1][0],
    room->label[lane + 1][FS_SIDE + 1],
    room->label[lane / 2 % 2 * (FS_SIDE + 1)][lane % 2 * (FS_SIDE + 1)],
  };
  int32_t next = FS_FAR;
  FS_UNROLL
  for (int i = 0; i < 5; i++)
    if (ring[i] > level)
      next = fs_min_i32 (next, ring[i]);
  return next;
}

/* Raising: takes labels away in column `lane`. Returns a bit for every row in which it did. */
FS_PHASE uint32_t
fs_label_raise (const FsGridState *grid, int tile, int lane, const FsLabelRoom *room)
{
  int32_t *label = grid->label + (size_t)tile * FS_TILE_PIXELS + lane;
  uint32_t raised = 0;
  for (int y = 0; y < FS_SIDE; y++) {
    int32_t old = label[y * FS_SIDE];
    if (old == FS_FAR || room->label[y + 1][lane + 1] <= old)
      continue;
    label[y * FS_SIDE] = FS_FAR;
    raised |= 1u << y;
  }
  return raised;
}

/* Lowering: takes over the labels in column `lane`. Returns a bit for every row that changed. */
FS_PHASE uint32_t
fs_label_lower (const FsGridState *grid, int tile, int lane, const FsLabelRoom *room)
{
  int32_t *label = grid->label + (size_t)tile * FS_TILE_PIXELS + lane;
  uint32_t lowered = 0;
  for (int y = 0; y < FS_SIDE; y++) {
    int32_t found = room->label[y + 1][lane + 1];
    if (label[y * FS_SIDE] == found)
      continue;
    label[y * FS_SIDE] = found;
    lowered |= 1u << y;
  }
  return lowered;
}

/* Which of the eight tiles around should look again, a bit each, numbered like 8 arcs (E S SE SW W
 * N NW NE). `changed` is what raising or lowering returned for the lane's column.
 *
 * After raising, those beside a changed pixel; after lowering, those in which a pixel beside a
 * changed one has a label more than one step beyond it. */
FS_PHASE uint32_t
fs_label_wake_raised (int lane, uint32_t changed)
{
  uint32_t top = changed & 1u, bottom = changed >> (FS_SIDE - 1);
  uint32_t wake = (top != 0 ? 1u << 5 : 0) | (bottom != 0 ? 1u << 1 : 0);
  if (lane == 0)
    wake |= (changed != 0 ? 1u << 4 : 0) | (top != 0 ? 1u << 6 : 0) | (bottom != 0 ? 1u << 3 : 0);
  if (lane == FS_SIDE - 1)
    wake |= (changed != 0 ? 1u << 0 : 0) | (top != 0 ? 1u << 7 : 0) | (bottom != 0 ? 1u << 2 : 0);
  return wake;
}

/* The tile, numbered like an arc, in which cell (x, y) of the ring lies. */
FS_PHASE int
fs_ring_tile (int x, int y)
{
  const int last = FS_SIDE + 1;
  if (y == 0)
    return x == 0 ? 6 : x == last ? 7 : 5;
  if (y == last)
    return x == 0 ? 3 : x == last ? 2 : 1;
  return x == 0 ? 4 : 0;
}

/* The tiles of the ring's cells around inside pixel (x, y) that it could lower. */
FS_PHASE uint32_t
fs_label_wake_around (const FsLabelRoom *room, int x, int y)
{
  uint32_t wake = 0;
  int32_t label = room->label[y][x];
  for (int i = 0; i < 9; i++) {
    int to_x = x + i % 3 - 1, to_y = y + i / 3 - 1;
    if (to_x >= 1 && to_x <= FS_SIDE && to_y >= 1 && to_y <= FS_SIDE)
      continue;
    if (room->label[to_y][to_x] > label + 1)
      wake |= 1u << fs_ring_tile (to_x, to_y);
  }
  return wake;
}

FS_PHASE uint32_t
fs_label_wake_lowered (const FsLabelRoom *room, int lane, uint32_t changed)
{
  const uint32_t ends = 1u | 1u << (FS_SIDE - 1);
  uint32_t wake = 0;
  uint32_t rows = lane == 0 || lane == FS_SIDE - 1 ? changed : changed & ends;
  for (; rows != 0; rows &= rows - 1)
    wake |= fs_label_wake_around (room, lane + 1, fs_lowest_bit (rows) + 1);
  return wake;
}

#endif
