/* SPDX-License-Identifier: MIT */
/* Phases of CUDA Cuts with atomics, and with stochastic blocks.
 *
 * Vineet & Narayanan 2008, sections 2.3.1 and 2.3.3. Push and pull are one kernel. Only the excess
 * is added to atomically: heights stand still during a launch and flow goes down one step of
 * height, so that of two neighbours only one can write their residuals. (The paper writes these
 * atomically too.) Relabelling is in place: it reads a neighbour's old height or its new one, and
 * as heights only rise both give a height that is valid. So the order of threads and blocks decides
 * about the way to the end, and with the sound stop rule not about the end.
 */
#ifndef FS_LADDER_ATOMIC_H
#define FS_LADDER_ATOMIC_H

#include "tests/ladder/grid.h"

/* Pushes from pixel p, down to the neighbours; returns how much. `traded` is NULL, or takes the
 * blocks of p and of the neighbours that got something. */
FS_PHASE int32_t
fs_ladder_push_arcs (const FsLadderGrid *grid, const FsLadderTile *tile, int32_t p, int thread,
                     int32_t excess, uint8_t *traded)
{
  const FsLadderNodes *nodes = &grid->nodes;
  int cell = fs_ladder_cell (thread);
  int32_t height = tile->height[0][cell];
  int32_t left = excess;
  FS_UNROLL
  for (int d = 0; d < FS_LADDER_ARCS; d++) {
    if (!fs_ladder_has (nodes, d) || left <= 0
        || tile->height[0][cell + fs_ladder_cell_step (d)] != height - 1)
      continue;
    int32_t amount = fs_min_i32 (left, nodes->residual[d][p]);
    if (amount <= 0)
      continue;
    int32_t q = p + fs_ladder_step (grid, d);
    nodes->residual[d][p] -= amount;
    nodes->residual[d ^ 4][q] += amount;
    fs_add (&nodes->excess[q], amount);
    left -= amount;
    if (traded != NULL)
      traded[q / grid->width / FS_LADDER_TILE_H * grid->tile_cols
             + q % grid->width / FS_LADDER_TILE_W] = 1;
  }
  return excess - left;
}

FS_PHASE void
fs_ladder_push_to (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread,
                   uint8_t *traded)
{
  const FsLadderNodes *nodes = &grid->nodes;
  int32_t p = fs_ladder_pixel (grid, block, thread);
  int32_t excess = p < 0 ? 0 : nodes->excess[p];
  if (excess <= 0)
    return;
  int32_t drained = 0;
  if (tile->height[0][fs_ladder_cell (thread)] == 1) {
    drained = fs_min_i32 (excess, nodes->sink[p]);
    nodes->sink[p] -= drained;
  }
  int32_t sent = drained + fs_ladder_push_arcs (grid, tile, p, thread, excess - drained, traded);
  if (sent > 0)
    fs_add (&nodes->excess[p], -sent);
  if (sent > 0 && traded != NULL)
    traded[block] = 1;
}

/* After fs_ladder_load. */
FS_PHASE void
fs_ladder_push_atomic (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  fs_ladder_push_to (grid, tile, block, thread, NULL);
}

/* TRUE if this block is skipped in this iteration: it is inactive, and this is not a period-th one.
 */
FS_PHASE int
fs_ladder_is_inactive (const FsLadderGrid *grid, int block)
{
  return !grid->active[block] && grid->nodes.now % grid->nodes.period != 0;
}

FS_PHASE void
fs_ladder_load_active (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  if (!fs_ladder_is_inactive (grid, block))
    fs_ladder_load (grid, tile, block, thread);
}

/* After fs_ladder_load_active. */
FS_PHASE void
fs_ladder_push_active (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  if (!fs_ladder_is_inactive (grid, block))
    fs_ladder_push_to (grid, tile, block, thread, grid->traded);
}

/* After fs_ladder_load_active. */
FS_PHASE void
fs_ladder_relabel_active (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread)
{
  if (!fs_ladder_is_inactive (grid, block))
    fs_ladder_relabel (grid, tile, block, thread);
}

/* A thread per block: sets which ones are active in the next period. */
FS_PHASE void
fs_ladder_activate (const FsLadderGrid *grid, int32_t block)
{
  if (block >= grid->tile_cols * grid->tile_rows)
    return;
  grid->active[block] = grid->traded[block];
  grid->traded[block] = 0;
}

#endif
