/* SPDX-License-Identifier: MIT */
/* Phases that every rung on the grid shares.
 *
 * Each is a function of the state, the block's shared tile, the block and the thread. Between two
 * phases of one kernel lies a barrier.
 */
#ifndef FS_LADDER_GRID_H
#define FS_LADDER_GRID_H

#include "tests/ladder/state.h"

/* The graph from the problem: Vineet & Narayanan 2008, section 2.2. All heights are 0. */
FS_PHASE void
fs_ladder_build (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  const FsLadderNodes *nodes = &grid->nodes;
  int x = fs_ladder_x (grid, block, thread);
  int y = fs_ladder_y (grid, block, thread);
  int32_t p = fs_ladder_pixel (grid, block, thread);
  (void)tile;
  if (thread == 0)
    grid->active[block] = grid->traded[block] = 1;
  if (p < 0)
    return;
  int32_t tlink = grid->tlink[p];
  nodes->excess[p] = nodes->previous[p] = fs_max_i32 (tlink, 0);
  nodes->sink[p] = fs_max_i32 (-tlink, 0);
  nodes->height[p] = 0;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    if (!fs_ladder_has (nodes, d))
      continue;
    int32_t q = p + fs_ladder_step (grid, d);
    int inside =
        fs_ladder_inside (grid->width, grid->height, x + fs_ladder_dx (d), y + fs_ladder_dy (d));
    nodes->residual[d][p] = inside ? grid->nlink[d % 4][d < 4 ? p : q] : 0;
  }
}

/* Heights of the tile and of the pixels around it into shared memory. */
FS_PHASE void
fs_ladder_load (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  int x0 = block % grid->tile_cols * FS_LADDER_TILE_W - 1;
  int y0 = block / grid->tile_cols * FS_LADDER_TILE_H - 1;
  for (int i = thread; i < FS_LADDER_HALO_PIXELS; i += FS_LADDER_THREADS) {
    int x = x0 + i % FS_LADDER_HALO_W;
    int y = y0 + i / FS_LADDER_HALO_W;
    int inside = fs_ladder_inside (grid->width, grid->height, x, y);
    tile->height[0][i] = inside ? grid->nodes.height[y * grid->width + x] : FS_LADDER_FAR;
  }
}

/* One more than the lowest neighbour that more could be sent to. All nodes are relabelled, not only
 * those with excess: the papers leave both readings, and heights spread faster so. */
FS_PHASE void
fs_ladder_relabel (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  const FsLadderNodes *nodes = &grid->nodes;
  int32_t p = fs_ladder_pixel (grid, block, thread);
  int cell = fs_ladder_cell (thread);
  if (p < 0)
    return;
  int32_t lowest = nodes->sink[p] > 0 ? 0 : FS_LADDER_FAR;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++)
    if (fs_ladder_has (nodes, d) && nodes->residual[d][p] > 0)
      lowest = fs_min_i32 (lowest, tile->height[0][cell + fs_ladder_cell_step (d)]);
  nodes->raised[p] = fs_ladder_above (nodes, lowest);
}

/* The papers' stop rule: has the excess changed since the last look? */
FS_PHASE void
fs_ladder_look (const FsLadderNodes *nodes, int32_t i)
{
  if (i >= nodes->n || nodes->excess[i] == nodes->previous[i])
    return;
  nodes->previous[i] = nodes->excess[i];
  nodes->word[FS_LADDER_WORD_MOVED] = nodes->now;
}

/* The sound stop rule, with exact heights: is there excess that can reach the sink? */
FS_PHASE void
fs_ladder_find_left (const FsLadderNodes *nodes, int32_t i)
{
  if (i < nodes->n && nodes->excess[i] > 0 && nodes->height[i] < FS_LADDER_FAR)
    nodes->word[FS_LADDER_WORD_LEFT] = nodes->now;
}

/* Background is what can still reach the sink; heights must be exact. */
FS_PHASE void
fs_ladder_draw (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  int32_t p = fs_ladder_pixel (grid, block, thread);
  (void)tile;
  if (p >= 0)
    grid->mask[p] = grid->nodes.height[p] >= FS_LADDER_FAR;
}

#endif
