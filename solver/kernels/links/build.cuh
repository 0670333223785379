/* SPDX-License-Identifier: MIT */
/* The kernels that make links from a photo and tables: a block a tile.   Layer: solver/kernels. */
#ifndef FS_KERNELS_BUILD_CUH
#define FS_KERNELS_BUILD_CUH

#include "solver/kernels/links/build.h"
#include "solver/kernels/solve/passes.cuh"

/* Makes the whole state. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_build_kernel (FsGridState grid, FsProblem problem, FsPhotoLinks links, FsSentTerms terms)
{
  __shared__ FsBuildScratch scratch;
  int tile = blockIdx.x;
  for (int i = threadIdx.x; i < FS_PIXELS_WITH_HALO; i += FS_BLOCK)
    fs_build_point (&grid, &links, tile, i, &scratch);
  __syncthreads ();
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_write_start_bits (grid, tile, at,
                         fs_build_pixel (&grid, N_ARCS, &problem, &links, &terms, &scratch, tile,
                                         at));
  fs_start_tile (grid, problem, tile);
}

/* A warp makes the t-links of a span of pixels that become fixed. */
__global__ void
fs_fix_kernel (FsGridState grid, FsProblem problem, int32_t strength, const FsFixedSpan *spans,
               size_t n)
{
  size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) / FS_WARP;
  if (i >= n)
    return;
  FsFixedSpan span = spans[i];
  for (uint32_t k = threadIdx.x % FS_WARP; k < span.n; k += FS_WARP)
    fs_fix_pixel (&grid, &problem, strength, (size_t)span.first + k, span.to_sink);
}

/* Gives every pixel the t-link that the terms say; excess follows. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_remake_kernel (FsGridState grid, FsProblem problem, FsPhotoLinks links, FsSentTerms terms)
{
  int tile = blockIdx.x, differs = 0;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    int here = fs_remake_pixel (&grid, &problem, &links, &terms, tile, at);
    differs |= here;
    if (!__any_sync (FS_ALL_LANES, here))
      continue;
    int32_t excess = grid.excess[(size_t)tile * FS_TILE_PIXELS + at];
    uint32_t deficit = __ballot_sync (FS_ALL_LANES, excess < 0);
    uint32_t excess_bits = __ballot_sync (FS_ALL_LANES, excess > 0);
    size_t row = (size_t)tile * FS_SIDE + at / FS_SIDE;
    if (threadIdx.x % FS_WARP == 0) {
      grid.deficit[row] = deficit;
      grid.excess_bits[row] = excess_bits;
    }
  }
  if (__syncthreads_or (differs) && threadIdx.x == 0)
    fs_set_bits (&grid.flags[tile], FS_TILE_STALE | FS_TILE_SUMS);
}

#endif
