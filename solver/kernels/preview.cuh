/* SPDX-License-Identifier: MIT */
/* The kernels of a preview: the pyramid, the band of a level, its tiles' state and its mask.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_PREVIEW_CUH
#define FS_KERNELS_PREVIEW_CUH

#include "solver/kernels/band.h"
#include "solver/kernels/passes.cuh"

/* What the host wants to know of a level's band, and of the whole preview. */
struct FsPreviewCounts {
  unsigned long long n_pixels, energy;
  uint32_t n_tiles;
};

/* --- The pyramid: a thread a block of the finer level --- */

/* The thread's pixel of a level; false where there is none left. */
static __device__ bool
fs_level_pixel (const FsGridState &shape, int *x, int *y)
{
  size_t pixel = (size_t)blockIdx.x * FS_BLOCK + threadIdx.x;
  *x = (int)(pixel % shape.width);
  *y = (int)(pixel / shape.width);
  return *y < shape.height;
}

__global__ void
fs_largest_pair_kernel (FsPreviewLevel fine, FsPreviewLevel coarse, uint32_t *largest)
{
  int x, y;
  bool is_there = fs_level_pixel (coarse.shape, &x, &y);
  uint32_t most = is_there ? fs_pyramid_largest_pair (&fine, &coarse, x, y) : 0;
  for (int step = FS_WARP / 2; step > 0; step /= 2) {
    uint32_t other = __shfl_xor_sync (FS_ALL_LANES, most, step);
    most = other > most ? other : most;
  }
  if (threadIdx.x % FS_WARP == 0)
    atomicMax (largest, most);
}

__global__ void
fs_level_nlinks_kernel (FsPreviewLevel fine, FsPreviewLevel coarse, const uint32_t *largest)
{
  int x, y;
  if (fs_level_pixel (coarse.shape, &x, &y))
    fs_pyramid_nlinks (&fine, &coarse, fs_pyramid_shift (&fine, *largest), x, y);
}

__global__ void
fs_level_star_kernel (FsPreviewLevel fine, FsPreviewLevel coarse)
{
  int x, y;
  if (fs_level_pixel (coarse.shape, &x, &y))
    fs_pyramid_star (&fine, &coarse, x, y);
}

__global__ void
fs_level_tlinks_kernel (FsPreviewLevel fine, FsPreviewLevel coarse, const uint32_t *largest,
                        int32_t soft_tlink)
{
  int x, y;
  if (fs_level_pixel (coarse.shape, &x, &y))
    fs_pyramid_tlink (&fine, &coarse, fs_pyramid_shift (&fine, *largest), soft_tlink, x, y);
}

/* --- The band: a block a tile, a warp a row --- */

/* Pixel `at` of a tile, as coordinates of the level. */
static __device__ void
fs_tile_pixel (const FsGridState &shape, int tile, int at, int *x, int *y)
{
  *x = tile % shape.tiles_x * FS_SIDE + at % FS_SIDE;
  *y = tile / shape.tiles_x * FS_SIDE + at / FS_SIDE;
}

/* By a warp: writes a bit a lane. */
static __device__ uint32_t
fs_warp_write_word (uint32_t *word, int bit)
{
  uint32_t bits = __ballot_sync (FS_ALL_LANES, bit);
  if (threadIdx.x % FS_WARP == 0)
    *word = bits;
  return bits;
}

__global__ void
__launch_bounds__ (FS_BLOCK) fs_band_marks_kernel (FsPreviewLevel coarse, uint32_t *marks)
{
  int x, y;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    fs_tile_pixel (coarse.shape, blockIdx.x, at, &x, &y);
    fs_warp_write_word (&marks[(size_t)blockIdx.x * FS_SIDE + at / FS_SIDE],
                        fs_band_marks (&coarse, x, y));
  }
}

/* A warp a word of 32 fine columns of a coarse row. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_band_wide_kernel (FsGridState fine, FsGridState coarse, const uint32_t *marks,
                         uint32_t *wide, int dilation)
{
  size_t word = (size_t)blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP;
  if (word >= (size_t)coarse.height * fine.tiles_x)
    return;
  int x = (int)(word % fine.tiles_x) * FS_SIDE + (int)(threadIdx.x % FS_WARP);
  int y = (int)(word / fine.tiles_x);
  fs_warp_write_word (&wide[word],
                      x < fine.width && fs_band_across (&coarse, marks, dilation, x, y));
}

__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_band_expand_kernel (FsPreviewLevel fine, FsPreviewLevel coarse, int restores)
{
  int x, y;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    fs_tile_pixel (fine.shape, blockIdx.x, at, &x, &y);
    fs_warp_write_word (&fine.shape.object[(size_t)blockIdx.x * FS_SIDE + at / FS_SIDE],
                        fs_band_expand (&fine, &coarse, restores, x, y));
  }
}

struct FsBandParts {
  uint32_t *marks, *wide, *band;
  int32_t *slots; /* of each tile of the level: its place in the list, −1 outside the band */
  uint32_t *tiles;
  FsPreviewCounts *counts;
};

/* The tile's bits, and its place in the list if it has any. `is_whole`: all pixels. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_band_kernel (FsGridState fine, FsPreviewLevel coarse,
                                             FsBandParts parts, int dilation, int is_whole)
{
  int x, y, n = 0, tile = blockIdx.x;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    fs_tile_pixel (fine, tile, at, &x, &y);
    int is_held = is_whole ? fs_is_inside (&fine, x, y)
                           : fs_band_holds (&fine, &coarse, parts.wide, dilation, x, y);
    n += __popc (fs_warp_write_word (&parts.band[(size_t)tile * FS_SIDE + at / FS_SIDE], is_held));
  }
  if (threadIdx.x % FS_WARP == 0 && n > 0)
    atomicAdd (&parts.counts->n_pixels, (unsigned long long)n);
  bool is_listed = __syncthreads_or (n > 0);
  if (threadIdx.x != 0)
    return;
  parts.slots[tile] = is_listed ? (int32_t)atomicAdd (&parts.counts->n_tiles, 1u) : -1;
  if (is_listed)
    parts.tiles[parts.slots[tile]] = (uint32_t)tile;
}

/* --- The state of its tiles: a block each --- */

__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_band_start_kernel (FsGridState state, FsPreviewLevel level, FsBandParts parts)
{
  int slot = blockIdx.x, tile = (int)parts.tiles[slot];
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_write_start_bits (state, slot, at,
                         fs_band_start (&state, &level, parts.band, slot, tile, at));
  for (int i = threadIdx.x; i < 4 * FS_SIDE; i += FS_BLOCK)
    state.border[(size_t)slot * 4 * FS_SIDE + i] = FS_FAR;
  if (threadIdx.x < 9)
    fs_band_start_beside (&state, &level.shape, parts.slots, slot, tile, threadIdx.x);
  if (threadIdx.x == 0) {
    state.highest[slot] = 0;
    state.flags[slot] = FS_TILE_VISITED;
  }
}

/* A warp is enough: a lane a row. */
__global__ void
fs_band_take_kernel (FsGridState state, FsPreviewLevel level, FsBandParts parts)
{
  fs_band_take_row (&state, &level.shape, parts.band, blockIdx.x, (int)parts.tiles[blockIdx.x],
                    threadIdx.x);
}

__global__ void
__launch_bounds__ (FS_BLOCK) fs_preview_cost_kernel (FsPreviewLevel level, FsPreviewCounts *counts)
{
  __shared__ int64_t room[FS_BLOCK_WARPS];
  int64_t energy = 0;
  int x, y;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    fs_tile_pixel (level.shape, blockIdx.x, at, &x, &y);
    if (fs_is_inside (&level.shape, x, y))
      energy += fs_problem_cost (&level.shape, &level.problem, x, y);
  }
  energy = fs_block_sum (energy, room);
  if (threadIdx.x == 0)
    atomicAdd (&counts->energy, (unsigned long long)energy);
}

#endif
