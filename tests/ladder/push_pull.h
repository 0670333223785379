/* SPDX-License-Identifier: MIT */
/* Phases of CUDA Cuts without atomics.
 *
 * Vineet & Narayanan 2008, section 2.3.2: one kernel pushes and leaves what it pushed in a plane
 * per direction, the next one fetches it and relabels. No word is written by two threads of a
 * launch, and new heights go to a plane of their own, so that every order of threads gives the same
 * state. (The paper writes heights in place.)
 */
#ifndef FS_LADDER_PUSH_PULL_H
#define FS_LADDER_PUSH_PULL_H

#include "tests/ladder/grid.h"

/* After fs_ladder_load. */
FS_PHASE void
fs_ladder_push (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  const FsLadderNodes *nodes = &grid->nodes;
  int32_t p = fs_ladder_pixel (grid, block, thread);
  int cell = fs_ladder_cell (thread);
  if (p < 0)
    return;
  int32_t excess = nodes->excess[p];
  int32_t height = tile->height[0][cell];
  if (excess > 0 && height == 1) {
    int32_t amount = fs_min_i32 (excess, nodes->sink[p]);
    nodes->sink[p] -= amount;
    excess -= amount;
  }
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    if (!fs_ladder_has (nodes, d))
      continue;
    int32_t amount = 0;
    if (excess > 0 && tile->height[0][cell + fs_ladder_cell_step (d)] == height - 1) {
      amount = fs_min_i32 (excess, nodes->residual[d][p]);
      nodes->residual[d][p] -= amount;
      excess -= amount;
    }
    nodes->flow[d][p] = amount;
  }
  nodes->excess[p] = excess;
}

FS_PHASE void
fs_ladder_pull (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  const FsLadderNodes *nodes = &grid->nodes;
  int x = fs_ladder_x (grid, block, thread);
  int y = fs_ladder_y (grid, block, thread);
  int32_t p = fs_ladder_pixel (grid, block, thread);
  (void)tile;
  if (p < 0)
    return;
  int32_t fetched = 0;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    int inside =
        fs_ladder_inside (grid->width, grid->height, x + fs_ladder_dx (d), y + fs_ladder_dy (d));
    if (!fs_ladder_has (nodes, d) || !inside)
      continue;
    int32_t amount = nodes->flow[d ^ 4][p + fs_ladder_step (grid, d)];
    if (amount > 0)
      nodes->residual[d][p] += amount;
    fetched += amount;
  }
  if (fetched > 0)
    nodes->excess[p] += fetched;
}

/* After fs_ladder_load. */
FS_PHASE void
fs_ladder_pull_relabel (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  fs_ladder_pull (grid, tile, block, thread);
  fs_ladder_relabel (grid, tile, block, thread);
}

#endif
