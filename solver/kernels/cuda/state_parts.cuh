/* SPDX-License-Identifier: MIT */
/* The planes of a solve's state as parts of a block.   Layer: solver/kernels. */
#ifndef FS_KERNELS_STATE_PARTS_CUH
#define FS_KERNELS_STATE_PARTS_CUH

#include "solver/kernels/cuda/calls.cuh"

#include "solver/kernels/solve/grid_state.h"

/* Those that every cut has: the mask, and what lies beside a band's tiles, are apart. */
static inline void
fs_divide_state (FsGridState *grid, size_t tiles, FsParts *parts)
{
  fs_part (parts, &grid->excess, tiles * FS_TILE_PIXELS);
  fs_part (parts, &grid->residual, tiles * grid->n_arcs * FS_TILE_PIXELS);
  fs_part (parts, &grid->border, tiles * 4 * FS_SIDE);
  fs_part (parts, &grid->open, tiles * grid->n_arcs * FS_SIDE);
  fs_part (parts, &grid->deficit, tiles * FS_SIDE);
  fs_part (parts, &grid->excess_bits, tiles * FS_SIDE);
  fs_part (parts, &grid->found, tiles * FS_SIDE);
  fs_part (parts, &grid->border_flow, tiles * grid->n_slots * FS_SIDE);
  fs_part (parts, &grid->flags, tiles);
  fs_part (parts, &grid->highest, tiles);
}

#endif
