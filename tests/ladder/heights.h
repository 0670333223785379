/* SPDX-License-Identifier: MIT */
/* Exact heights: the distance to the sink over arcs that can carry more.
 *
 * The global relabelling that both papers name and do not build on the grid. Each height is lowered
 * to one above its lowest neighbour until none falls; a block makes FS_LADDER_SWEEPS sweeps over
 * its tile in shared memory and sleeps while no height in it and around it fell. The fixed point is
 * the same for every order.
 */
#ifndef FS_LADDER_HEIGHTS_H
#define FS_LADDER_HEIGHTS_H

#include "tests/ladder/grid.h"

FS_PHASE void
fs_ladder_start_heights (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  int32_t p = fs_ladder_pixel (grid, block, thread);
  (void)tile;
  if (thread == 0)
    grid->touched[block] = grid->nodes.now;
  if (p >= 0)
    grid->nodes.height[p] = grid->nodes.sink[p] > 0 ? 1 : FS_LADDER_FAR;
}

/* One thread decides for its block: the marks may change while it runs. */
FS_PHASE void
fs_ladder_wake (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  int col = block % grid->tile_cols;
  int row = block / grid->tile_cols;
  if (thread != 0)
    return;
  tile->awake = 0;
  for (int y = fs_max_i32 (row - 1, 0); y <= fs_min_i32 (row + 1, grid->tile_rows - 1); y++)
    for (int x = fs_max_i32 (col - 1, 0); x <= fs_min_i32 (col + 1, grid->tile_cols - 1); x++)
      if (grid->touched[y * grid->tile_cols + x] >= grid->nodes.now - 1)
        tile->awake = 1;
}

/* After fs_ladder_wake. */
FS_PHASE void
fs_ladder_load_heights (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  const FsLadderNodes *nodes = &grid->nodes;
  int32_t p = fs_ladder_pixel (grid, block, thread);
  if (!tile->awake)
    return;
  fs_ladder_load (grid, tile, block, thread);
  for (int i = thread; i < FS_LADDER_HALO_PIXELS; i += FS_LADDER_THREADS)
    tile->height[1][i] = tile->height[0][i];
  unsigned open = 0;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++)
    if (p >= 0 && fs_ladder_has (nodes, d) && nodes->residual[d][p] > 0)
      open |= 1u << d;
  tile->open[thread] = (uint8_t)open;
}

/* After fs_ladder_load_heights or the sweep before; sweep = 0 … FS_LADDER_SWEEPS − 1. */
FS_PHASE void
fs_ladder_sweep (FsLadderTile *tile, int thread, int sweep)
{
  if (!tile->awake)
    return;
  const int32_t *from = tile->height[sweep % 2];
  int cell = fs_ladder_cell (thread);
  unsigned open = tile->open[thread];
  int32_t height = from[cell];
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++)
    if (open & (1u << d))
      height = fs_min_i32 (height, from[cell + fs_ladder_cell_step (d)] + 1);
  tile->height[1 - sweep % 2][cell] = height;
}

/* After the last sweep. */
FS_PHASE void
fs_ladder_store_heights (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  const FsLadderNodes *nodes = &grid->nodes;
  int32_t p = fs_ladder_pixel (grid, block, thread);
  if (!tile->awake || p < 0)
    return;
  int32_t height = tile->height[FS_LADDER_SWEEPS % 2][fs_ladder_cell (thread)];
  if (height >= nodes->height[p])
    return;
  nodes->height[p] = height;
  grid->touched[block] = nodes->now;
  nodes->word[FS_LADDER_WORD_LOWERED] = nodes->now;
}

#endif
