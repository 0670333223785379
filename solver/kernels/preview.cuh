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

/* The thread's pixel of a level, a warp 32 of a row, a block as many rows as it has warps; false
 * where there is none. */
static __device__ bool
fs_level_pixel (const FsGridState &shape, int *x, int *y)
{
  *x = (int)(blockIdx.x % shape.tiles_x * FS_WARP + threadIdx.x % FS_WARP);
  *y = (int)(blockIdx.x / shape.tiles_x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP);
  return *x < shape.width && *y < shape.height;
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

/* By a warp: whether 32 pixels of a row from x on, and all around them, have one label. */
static __device__ bool
fs_warp_is_flat (const FsGridState &shape, int x, int y)
{
  int lane = threadIdx.x % FS_WARP, tile_x = ((x + FS_SIDE - 1) / FS_SIDE) - 1 + lane % 3;
  int row = y - 1 + lane / 3 % 3;
  bool is_there = tile_x >= 0 && tile_x < shape.tiles_x && row >= 0 && row < shape.height;
  uint32_t word =
      is_there ? shape.object[fs_grid_place (&shape, tile_x * FS_SIDE, row) / FS_SIDE] : 0;
  return !__any_sync (FS_ALL_LANES, is_there && word != 0)
         || !__any_sync (FS_ALL_LANES, is_there && word != ~0u);
}

/* The marks of 32 pixels of a row from x on. */
static __device__ uint32_t
fs_warp_marks (const FsPreviewLevel &coarse, int x, int y)
{
  int lane = threadIdx.x % FS_WARP;
  if (!fs_warp_is_flat (coarse.shape, x, y))
    return __ballot_sync (FS_ALL_LANES, fs_band_marks (&coarse, x + lane, y));
  return __ballot_sync (FS_ALL_LANES, x + lane < coarse.shape.width
                                          && fs_band_contradicts (&coarse, x + lane, y));
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
    uint32_t marks = fs_warp_marks (coarse, at, y);
    is_held |= fs_band_reaches (marks, at, first, last);
  }
  fs_warp_write_word (&wide[word], left + lane < fine.width && is_held);
}

/* Without a band: by a block a tile. The host reads the finest level's where `shown` is. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_band_expand_kernel (FsPreviewLevel fine, FsPreviewLevel coarse,
                                                    int restores, uint32_t *shown)
{
  int x, y;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    size_t row = (size_t)blockIdx.x * FS_SIDE + at / FS_SIDE;
    fs_tile_pixel (fine.shape, blockIdx.x, at, &x, &y);
    uint32_t word = fs_warp_write_word (&fine.shape.object[row],
                                        fs_band_expand (&fine, &coarse, restores, x, y));
    if (shown != NULL && threadIdx.x % FS_WARP == 0)
      shown[row] = word;
  }
}

struct FsBandParts {
  uint32_t *wide, *band;
  int32_t *slots; /* of each tile of the level: its place in the list, −1 outside the band */
  uint32_t *tiles;
  FsBandCounts *counts; /* of the level */
  uint32_t room;        /* tiles of the band that there is memory for */
};

/* By a warp, a lane a row: the tile's place in the list if its band has n pixels in all. */
static __device__ void
fs_warp_list (const FsBandParts &parts, int tile, int n)
{
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    n += __shfl_xor_sync (FS_ALL_LANES, n, step);
  if (threadIdx.x % FS_WARP != 0)
    return;
  parts.slots[tile] = n > 0 ? (int32_t)atomicAdd (&parts.counts->n_tiles, 1u) : -1;
  if (n == 0)
    return;
  parts.tiles[parts.slots[tile]] = (uint32_t)tile;
  atomicAdd (&parts.counts->n_pixels, (unsigned long long)n);
}

/* A warp a tile, a lane a row: the tile's mask from the next coarser level, where the host reads it
 * as well unless that is NULL, and its bits of the band. `is_whole`: the band is all, and there is
 * no coarser level. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_band_kernel (FsPreviewLevel fine, FsPreviewLevel coarse, FsBandParts parts, int dilation,
                    int is_whole, uint32_t *shown)
{
  int tile = (int)(blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP);
  int lane = threadIdx.x % FS_WARP;
  if (tile >= fine.shape.n_tiles)
    return;
  size_t row = (size_t)tile * FS_SIDE + lane;
  uint32_t object = 0, band = fs_tile_row_inside (&fine.shape, tile, lane);
  if (!is_whole) {
    object = fs_band_expand_row (&fine.shape, &coarse.shape, tile, lane);
    band = fs_band_row (&fine.shape, &coarse, parts.wide, dilation, tile, lane);
  }
  fine.shape.object[row] = object;
  parts.band[row] = band;
  if (shown != NULL)
    shown[row] = object;
  fs_warp_list (parts, tile, __popc (band));
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
                                                   FsBandFlow before, FsBandParts parts)
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
                         fs_band_start (&state, &level, &before, parts.band, slot, tile, at));
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
fs_preview_tell (FsPreviewCounts *counts, FsPreviewCounts *told, int n_levels)
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
  size_t bytes = offsetof (FsPreviewCounts, rounds) + (n_levels + 1) * sizeof (FsRounds);
  for (size_t i = threadIdx.x; i < bytes / sizeof (uint32_t); i += FS_BLOCK)
    ((uint32_t *)told)[i] = __ldcg (&((const uint32_t *)counts)[i]);
}

/* The labels of a row's 32 pixels in a column of tiles; 0 beyond the photo. */
static __device__ uint32_t
fs_row_labels (const FsGridState &shape, int tile_x, int y)
{
  if (tile_x < 0 || tile_x >= shape.tiles_x || y < 0 || y >= shape.height)
    return 0;
  return shape.object[fs_grid_place (&shape, tile_x * FS_SIDE, y) / FS_SIDE];
}

/* Whether these pixels have no arc from object to background. */
static __device__ bool
fs_row_is_uncut (const FsGridState &shape, int tile_x, int y)
{
  uint32_t labels = fs_row_labels (shape, tile_x, y), all = labels;
  if (labels != ~0u)
    return labels == 0;
  for (int i = y - 1; i <= y + 1; i++)
    all &= fs_row_labels (shape, tile_x, i)
           & (fs_row_labels (shape, tile_x - 1, i) >> (FS_SIDE - 1) ? ~0u : 0)
           & (fs_row_labels (shape, tile_x + 1, i) & 1 ? ~0u : 0);
  return all == ~0u;
}

/* What a pixel of a row of 32 costs: most have t-links alone. */
static __device__ int64_t
fs_row_cost (const FsPreviewLevel &level, int tile, int y)
{
  int tile_x = tile % level.shape.tiles_x, lane = threadIdx.x % FS_WARP;
  int x = tile_x * FS_SIDE + lane;
  if (!fs_is_inside (&level.shape, x, y))
    return 0;
  if (!fs_row_is_uncut (level.shape, tile_x, y))
    return fs_problem_cost (&level.shape, &level.problem, x, y);
  int32_t tlink = level.problem.tlink[(size_t)y * level.shape.width + x];
  return fs_max_i32 (fs_row_labels (level.shape, tile_x, y) != 0 ? -tlink : tlink, 0);
}

__global__ void
__launch_bounds__ (FS_BLOCK) fs_preview_cost_kernel (FsPreviewLevel level, FsPreviewCounts *counts,
                                                     FsPreviewCounts *told, int n_levels)
{
  __shared__ int64_t room[FS_BLOCK_WARPS];
  int64_t energy = 0;
  for (int tile = blockIdx.x; tile < level.shape.n_tiles; tile += gridDim.x)
#pragma unroll
    for (int i = 0; i < FS_SIDE; i += FS_BLOCK_WARPS)
      energy += fs_row_cost (level, tile,
                             tile / level.shape.tiles_x * FS_SIDE + i + (int)threadIdx.x / FS_WARP);
  energy = fs_block_sum (energy, room);
  if (threadIdx.x == 0)
    atomicAdd (&counts->energy, (unsigned long long)energy);
  fs_preview_tell (counts, told, n_levels);
}

#endif
