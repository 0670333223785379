/* SPDX-License-Identifier: MIT */
/* The planes of a solve's state, taken from an arena.   Layer: solver/kernels. */
#ifndef FS_KERNELS_STATE_ARENA_CUH
#define FS_KERNELS_STATE_ARENA_CUH

#include "solver/kernels/cuda/calls.cuh"

#include "solver/kernels/solve/grid_state.h"

/* The planes that every cut has; the mask and the neighbours of a band's tiles are taken apart. */
static inline void
fs_divide_state (FsGridState *grid, size_t tiles, FsArena *arena)
{
  fs_arena_take (arena, &grid->excess, tiles * FS_TILE_PIXELS);
  fs_arena_take (arena, &grid->residual, tiles * grid->n_arcs * FS_TILE_PIXELS);
  fs_arena_take (arena, &grid->border, tiles * 4 * FS_SIDE);
  fs_arena_take (arena, &grid->open, tiles * grid->n_arcs * FS_SIDE);
  fs_arena_take (arena, &grid->deficit, tiles * FS_SIDE);
  fs_arena_take (arena, &grid->excess_bits, tiles * FS_SIDE);
  fs_arena_take (arena, &grid->found, tiles * FS_SIDE);
  fs_arena_take (arena, &grid->border_flow, tiles * grid->n_slots * FS_SIDE);
  fs_arena_take (arena, &grid->flags, tiles);
  fs_arena_take (arena, &grid->highest, tiles);
}

#endif
