/* SPDX-License-Identifier: MIT */
/* The kernels of a preview: the pyramid, the band of a level, its tiles' state and its mask.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_PREVIEW_CUH
#define FS_KERNELS_PREVIEW_CUH

#include "solver/kernels/band.h"
#include "solver/kernels/passes.cuh"

/* What the host wants to know of a level's band. */
struct FsBandCounts {
  unsigned long long n_pixels;
  uint32_t n_tiles;
};

/* What the kernels of a preview count, all 0 at first: of each level's band and its cut, and of the
 * whole. */
struct FsPreviewCounts {
  FsBandCounts band[FS_ENGINE_LEVELS + 1];
  unsigned long long energy;
  uint32_t n_done; /* blocks that have added to it */
  FsRounds rounds[FS_ENGINE_LEVELS + 1];
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

/* A warp a word of 32 fine columns of a coarse row: the marks of that row that may reach them, as
 * many as it has lanes at a time. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_band_wide_kernel (FsGridState fine, FsPreviewLevel coarse, uint32_t *wide, int dilation)
{
  size_t word = (size_t)blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP;
  if (word >= (size_t)coarse.shape.height * fine.tiles_x)
    return;
  int lane = threadIdx.x % FS_WARP, is_held = 0;
  int left = (int)(word % fine.tiles_x) * FS_SIDE, y = (int)(word / fine.tiles_x);
  int first = fs_band_first (left + lane, dilation);
  int last = fs_band_last (left + lane, dilation, coarse.shape.width);
  int end = fs_band_last (left + FS_SIDE - 1, dilation, coarse.shape.width);
  for (int at = fs_band_first (left, dilation); at <= end; at += FS_WARP) {
    uint32_t marks = __ballot_sync (FS_ALL_LANES, fs_band_marks (&coarse, at + lane, y));
    is_held |= fs_band_reaches (marks, at, first, last);
  }
  fs_warp_write_word (&wide[word], left + lane < fine.width && is_held);
}

/* By a block: a tile's mask from the next coarser one, where the host reads it as well unless that
 * is NULL: in one piece, for each write on the way there takes its time. */
static __device__ void
fs_tile_expand (const FsPreviewLevel &fine, const FsPreviewLevel &coarse, int restores,
                uint32_t *shown)
{
  __shared__ uint32_t words[FS_SIDE];
  int x, y;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    fs_tile_pixel (fine.shape, blockIdx.x, at, &x, &y);
    fs_warp_write_word (&words[at / FS_SIDE], fs_band_expand (&fine, &coarse, restores, x, y));
  }
  __syncthreads ();
  if (threadIdx.x >= FS_SIDE)
    return;
  size_t row = (size_t)blockIdx.x * FS_SIDE + threadIdx.x;
  fine.shape.object[row] = words[threadIdx.x];
  if (shown != NULL)
    shown[row] = words[threadIdx.x];
}

__global__ void
__launch_bounds__ (FS_BLOCK) fs_band_expand_kernel (FsPreviewLevel fine, FsPreviewLevel coarse,
                                                    int restores, uint32_t *shown)
{
  fs_tile_expand (fine, coarse, restores, shown);
}

struct FsBandParts {
  uint32_t *wide, *band;
  int32_t *slots; /* of each tile of the level: its place in the list, −1 outside the band */
  uint32_t *tiles;
  FsBandCounts *counts; /* of the level */
  uint32_t room;        /* tiles of the band that there is memory for */
};

/* The tile's mask from the next coarser level, its bits of the band, and its place in the list if
 * it has any. `is_whole`: the band is all, and there is no coarser level. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_band_kernel (FsPreviewLevel fine, FsPreviewLevel coarse, FsBandParts parts, int dilation,
                    int is_whole, uint32_t *shown)
{
  int x, y, n = 0, tile = blockIdx.x;
  if (!is_whole)
    fs_tile_expand (fine, coarse, 0, shown);
  else if (threadIdx.x < FS_SIDE)
    fine.shape.object[(size_t)tile * FS_SIDE + threadIdx.x] = 0;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    fs_tile_pixel (fine.shape, tile, at, &x, &y);
    int is_held = is_whole ? fs_is_inside (&fine.shape, x, y)
                           : fs_band_holds (&fine.shape, &coarse, parts.wide, dilation, x, y);
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

/* Whether a place of the list has a tile: none has where they are more than there is room for. */
static __device__ bool
fs_band_has (const FsBandParts &parts, int slot)
{
  uint32_t n_tiles = parts.counts->n_tiles;
  return n_tiles <= parts.room && (uint32_t)slot < n_tiles;
}

/* Places without a tile are never visited. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_band_start_kernel (FsGridState state, FsPreviewLevel level,
                                                   FsGridState cut, FsBandParts parts)
{
  int slot = blockIdx.x;
  if (!fs_band_has (parts, slot)) {
    if (threadIdx.x == 0)
      state.flags[slot] = 0;
    return;
  }
  int tile = (int)parts.tiles[slot];
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_write_start_bits (state, slot, at,
                         fs_band_start (&state, &level, &cut, parts.band, slot, tile, at));
  for (int i = threadIdx.x; i < 4 * FS_SIDE; i += FS_BLOCK)
    state.border[(size_t)slot * 4 * FS_SIDE + i] = FS_FAR;
  for (int i = threadIdx.x; i < state.n_slots * FS_SIDE; i += FS_BLOCK)
    state.mail[(size_t)slot * state.n_slots * FS_SIDE + i] = 0;
  if (threadIdx.x < 9)
    fs_band_start_beside (&state, &level.shape, parts.slots, slot, tile, threadIdx.x);
  if (threadIdx.x == 0) {
    state.highest[slot] = 0;
    state.flags[slot] = FS_TILE_VISITED;
  }
}

/* Where the host reads the finest mask: all of it, and then the tiles that its band has. */
struct FsPreviewShown {
  uint32_t *mask, *tiles;
};

/* Takes the mask over; `shown` of the finest level alone. The others keep their flow, each for its
 * next cut. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_band_take_kernel (FsGridState state, FsPreviewLevel level,
                                                  FsBandParts parts, FsPreviewShown shown)
{
  int slot = blockIdx.x;
  if (!fs_band_has (parts, slot))
    return;
  int tile = (int)parts.tiles[slot];
  for (int at = threadIdx.x; level.kept[0] != NULL && at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_band_keep (&state, &level, parts.band, slot, tile, at);
  if (threadIdx.x >= FS_SIDE)
    return;
  fs_band_take_row (&state, &level.shape, parts.band, slot, tile, threadIdx.x);
  if (shown.mask == NULL)
    return;
  size_t row = (size_t)tile * FS_SIDE + threadIdx.x;
  shown.mask[row] = level.shape.object[row];
  if (threadIdx.x == 0)
    shown.tiles[slot] = (uint32_t)tile;
}

/* The block that is done last writes all that was counted into the host's memory. */
static __device__ void
fs_preview_tell (FsPreviewCounts *counts, FsPreviewCounts *told)
{
  __shared__ int is_last;
  if (threadIdx.x == 0) {
    __threadfence ();
    is_last = atomicAdd (&counts->n_done, 1u) + 1 == gridDim.x;
    __threadfence ();
  }
  __syncthreads ();
  if (!is_last)
    return;
  for (size_t i = threadIdx.x; i < sizeof *told / sizeof (uint32_t); i += FS_BLOCK)
    ((uint32_t *)told)[i] = __ldcg (&((const uint32_t *)counts)[i]);
}

__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_preview_cost_kernel (FsPreviewLevel level, FsPreviewCounts *counts, FsPreviewCounts *told)
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
  fs_preview_tell (counts, told);
}

#endif
