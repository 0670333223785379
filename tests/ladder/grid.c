/* SPDX-License-Identifier: MIT */
#include "tests/ladder/solve.h"

const FsLadderMethod fs_ladder_push_pull = {
  .push = FS_LADDER_KERNEL_PUSH,
  .pull = FS_LADDER_KERNEL_PULL,
  .relabel = FS_LADDER_KERNEL_PULL_RELABEL,
  .activate = FS_LADDER_NO_KERNEL,
  .start_heights = FS_LADDER_KERNEL_START_HEIGHTS,
  .lower = FS_LADDER_KERNEL_LOWER,
  .draw = FS_LADDER_KERNEL_DRAW,
};

const FsLadderMethod fs_ladder_atomic = {
  .push = FS_LADDER_KERNEL_PUSH_ATOMIC,
  .pull = FS_LADDER_NO_KERNEL,
  .relabel = FS_LADDER_KERNEL_RELABEL,
  .activate = FS_LADDER_NO_KERNEL,
  .start_heights = FS_LADDER_KERNEL_START_HEIGHTS,
  .lower = FS_LADDER_KERNEL_LOWER,
  .draw = FS_LADDER_KERNEL_DRAW,
  .in_place = 1,
};

const FsLadderMethod fs_ladder_stochastic = {
  .push = FS_LADDER_KERNEL_PUSH_ACTIVE,
  .pull = FS_LADDER_NO_KERNEL,
  .relabel = FS_LADDER_KERNEL_RELABEL_ACTIVE,
  .activate = FS_LADDER_KERNEL_ACTIVATE,
  .start_heights = FS_LADDER_KERNEL_START_HEIGHTS,
  .lower = FS_LADDER_KERNEL_LOWER,
  .draw = FS_LADDER_KERNEL_DRAW,
  .in_place = 1,
};

void
fs_ladder_cut_grid (const FsLadderRun *run, const FsLadderMethod *method,
                    const FsLadderLevel *level)
{
  FsLadderGrid grid = {
    .nodes = { .n = (int32_t)fs_ladder_level_pixels (level), .n_forward = level->neighbours / 2 },
    .width = level->width,
    .height = level->height,
    .tile_cols = (level->width + FS_LADDER_TILE_W - 1) / FS_LADDER_TILE_W,
    .tile_rows = (level->height + FS_LADDER_TILE_H - 1) / FS_LADDER_TILE_H,
    .tlink = level->tlink,
    .mask = level->mask,
  };
  size_t n_tiles = (size_t)grid.tile_cols * grid.tile_rows;
  for (int d = 0; d < FS_LADDER_FORWARD; d++)
    grid.nlink[d] = level->nlink[d];
  fs_ladder_alloc_words (run, &grid.nodes);
  fs_ladder_alloc_nodes (run, &grid.nodes, method);
  grid.touched = fs_ladder_alloc (run->machine, n_tiles * sizeof *grid.touched);
  grid.active = fs_ladder_alloc (run->machine, n_tiles);
  grid.traded = fs_ladder_alloc (run->machine, n_tiles);
  int64_t n_threads = (int64_t)n_tiles * FS_LADDER_THREADS;
  fs_ladder_set_clock (run->machine, 1);
  fs_ladder_launch (run->machine, FS_LADDER_KERNEL_BUILD, &grid, n_threads);
  fs_ladder_solve (run, method, &grid, &grid.nodes, n_threads);
  fs_ladder_set_clock (run->machine, 0);
}
