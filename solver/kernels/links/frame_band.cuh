/* SPDX-License-Identifier: MIT */
/* The kernels of bands whose links are told: a block a tile.   Layer: solver/kernels. */
#ifndef FS_KERNELS_FRAME_BAND_CUH
#define FS_KERNELS_FRAME_BAND_CUH

#include "solver/kernels/links/frame_band.h"
#include "solver/kernels/solve/passes.cuh"

__global__ void
__launch_bounds__ (FS_BLOCK) fs_link_tables_build_kernel (FsGridState grid, FsLinkTables band)
{
  __shared__ FsLinkScratch scratch;
  int tile = blockIdx.x;
  for (int i = threadIdx.x; i < FS_PIXELS_WITH_HALO; i += FS_BLOCK)
    fs_link_tables_point (&band, tile, i, &scratch);
  __syncthreads ();
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_write_start_bits (grid, tile, at, fs_link_tables_start (&grid, &band, &scratch, tile, at));
  for (int i = threadIdx.x; i < 4 * FS_SIDE; i += FS_BLOCK)
    grid.border[(size_t)tile * 4 * FS_SIDE + i] = FS_FAR;
  if (threadIdx.x == 0) {
    grid.highest[tile] = 0;
    grid.flags[tile] = FS_TILE_VISITED;
  }
}

/* The mask and both sums, of a solve that has ended. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_link_tables_end_kernel (FsGridState grid, FsLinkTables band, const FsRounds *rounds,
                               FsOutcome *outcome, uint32_t *mask)
{
  __shared__ int64_t scratch[FS_BLOCK_WARPS];
  int tile = blockIdx.x;
  int64_t energy = 0, bound = 0;
  if (rounds->outcome != FS_ENGINE_DONE)
    return;
  if (threadIdx.x < FS_SIDE)
    mask[(size_t)tile * FS_SIDE + threadIdx.x] = ~grid.found[(size_t)tile * FS_SIDE + threadIdx.x];
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_link_tables_sum (&grid, &band, tile, at, &energy, &bound);
  energy = fs_block_sum (energy, scratch);
  bound = fs_block_sum (bound, scratch);
  if (threadIdx.x != 0)
    return;
  atomicAdd (&outcome->energy, (unsigned long long)energy);
  atomicAdd (&outcome->bound, (unsigned long long)bound);
}

#endif
