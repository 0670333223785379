/* SPDX-License-Identifier: MIT */
/* The kernels of a preview: the pyramid, the band of a level, its tiles' state and its mask.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_PREVIEW_CUH
#define FS_KERNELS_PREVIEW_CUH

#include "solver/kernels/preview/band.h"
#include "solver/kernels/solve/passes.cuh"

/* Counts of a level's band, for the host. */
struct FsBandCounts {
  unsigned long long n_pixels;
  uint32_t n_tiles;
  uint32_t n_listed[2]; /* at the finest level: tiles reported outside the band, and in it */
};

/* Counters of a preview, all 0 at first: of each level's band and cut, and of the whole. */
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
  uint32_t max = is_there ? fs_pyramid_largest_pair (&fine, &coarse, x, y) : 0;
  for (int step = FS_WARP / 2; step > 0; step /= 2) {
    uint32_t other = __shfl_xor_sync (FS_ALL_LANES, max, step);
    max = other > max ? other : max;
  }
  if (threadIdx.x % FS_WARP == 0)
    atomicMax (largest, max);
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
  int x, y, bits = 0;
  if (fs_level_pixel (coarse.shape, &x, &y))
    bits = fs_pyramid_tlink (&fine, &coarse, fs_pyramid_shift (&fine, *largest), soft_tlink, x, y);
  for (int i = 0; i < 4; i++) {
    uint32_t word = __ballot_sync (FS_ALL_LANES, bits >> i & 1);
    if (threadIdx.x % FS_WARP == 0 && y < coarse.shape.height)
      *fs_pyramid_word (&coarse, i, x / FS_SIDE, y) = word;
  }
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

/* By a warp, a lane a row of a fine tile: the columns that dilated marks of nearby coarse rows
 * reach. Each lane dilates one of these rows, 32 of them at a time. */
static __device__ uint32_t
fs_warp_wide (const FsGridState &fine, const FsPreviewLevel &coarse, int dilation, int tile)
{
  int lane = threadIdx.x % FS_WARP, tile_x = tile % fine.tiles_x;
  int top = tile / fine.tiles_x * FS_SIDE, height = coarse.shape.height;
  int first = fs_band_first (top + lane, dilation),
      last = fs_band_last (top + lane, dilation, height);
  int end = fs_band_last (top + FS_SIDE - 1, dilation, height);
  uint32_t reached = 0;
  for (int base = fs_band_first (top, dilation); base <= end; base += FS_WARP) {
    int row = base + lane, n = fs_min_i32 (end - base + 1, FS_WARP);
    uint32_t wide = row <= end ? fs_band_wide_word (&coarse, dilation, tile_x, row) : 0;
    for (int i = 0; i < n; i++) {
      uint32_t there = __shfl_sync (FS_ALL_LANES, wide, i);
      reached |= base + i >= first && base + i <= last ? there : 0;
    }
  }
  return reached;
}

struct FsBandTileList {
  uint32_t *band;
  int32_t *slots; /* of each tile of the level: its place in the list, −1 outside the band */
  uint32_t *tiles;
  FsBandCounts *counts; /* of the level */
  uint32_t capacity;    /* tiles of the band that there is memory for */
};

/* By a warp, a lane a row: the tile's place in the list if its band has n pixels in all. */
static __device__ void
fs_warp_list (const FsBandTileList &band_tiles, int tile, int n)
{
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    n += __shfl_xor_sync (FS_ALL_LANES, n, step);
  if (threadIdx.x % FS_WARP != 0)
    return;
  band_tiles.slots[tile] = n > 0 ? (int32_t)atomicAdd (&band_tiles.counts->n_tiles, 1u) : -1;
  if (n == 0)
    return;
  band_tiles.tiles[band_tiles.slots[tile]] = (uint32_t)tile;
  atomicAdd (&band_tiles.counts->n_pixels, (unsigned long long)n);
}

/* The host's copy of the finest mask, and a list, up to the first entry of 0, of tiles in which
 * rows have changed; `reported` has the mask as it was last reported. */
struct FsPreviewShown {
  uint32_t *mask, *reported;
  FsEngineRows *list;
};

/* By a warp, a lane a row: tells the host of a tile's rows as far as they have changed. */
static __device__ void
fs_warp_show (const FsPreviewShown &shown, uint32_t *n_listed, int tile, uint32_t object)
{
  size_t row = (size_t)tile * FS_SIDE + threadIdx.x % FS_WARP;
  bool differs = shown.reported[row] != object;
  uint32_t rows = __ballot_sync (FS_ALL_LANES, differs);
  if (differs)
    shown.reported[row] = shown.mask[row] = object;
  if (rows != 0 && threadIdx.x % FS_WARP == 0)
    shown.list[atomicAdd (n_listed, 1u)] = { (uint32_t)tile, rows };
}

/* Without a band: by a block a tile. The host reads the finest level's, unless `shown` has none. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_band_expand_kernel (FsPreviewLevel fine, FsPreviewLevel coarse,
                                                    int restores, FsPreviewShown shown)
{
  int x, y;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    size_t row = (size_t)blockIdx.x * FS_SIDE + at / FS_SIDE;
    fs_tile_pixel (fine.shape, blockIdx.x, at, &x, &y);
    uint32_t word = fs_warp_write_word (&fine.shape.object[row],
                                        fs_band_expand (&fine, &coarse, restores, x, y));
    if (shown.mask != NULL && threadIdx.x % FS_WARP == 0)
      shown.mask[row] = shown.reported[row] = word;
  }
}

/* A warp a tile, a lane a row: the tile's mask from the next coarser level, which the host is told
 * as well where the band holds nothing of it, and its bits of the band. `is_whole`: the band is
 * all, and there is no coarser level. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_band_kernel (FsPreviewLevel fine, FsPreviewLevel coarse, FsBandTileList band_tiles,
                    int dilation, int is_whole, FsPreviewShown shown)
{
  int tile = (int)(blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP);
  int lane = threadIdx.x % FS_WARP;
  if (tile >= fine.shape.n_tiles)
    return;
  size_t row = (size_t)tile * FS_SIDE + lane;
  uint32_t object = 0, band = fs_tile_row_inside (&fine.shape, tile, lane);
  if (!is_whole) {
    object = fs_band_expand_row (&fine.shape, &coarse.shape, tile, lane);
    uint32_t wide = fs_warp_wide (fine.shape, coarse, dilation, tile);
    band = fs_band_row (&fine.shape, &coarse, wide, tile, lane);
  }
  if (shown.mask != NULL && !__any_sync (FS_ALL_LANES, band != 0))
    fs_warp_show (shown, &band_tiles.counts->n_listed[0], tile, object);
  fine.shape.object[row] = object;
  band_tiles.band[row] = band;
  fs_warp_list (band_tiles, tile, __popc (band));
}

/* --- The state of its tiles --- */

/* Returns whether a place of the list has a tile: none has where they are more than there is room
 * for. */
static __device__ bool
fs_band_has (const FsBandTileList &band_tiles, int slot)
{
  uint32_t n_tiles = band_tiles.counts->n_tiles;
  return n_tiles <= band_tiles.capacity && (uint32_t)slot < n_tiles;
}

enum { FS_START_TILE_BLOCKS = FS_TILE_PIXELS / FS_BLOCK }; /* blocks a tile */

/* Blocks that a multiprocessor shall have room for at once; some have for 1,024 threads alone. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define FS_START_BLOCKS 5
#else
#define FS_START_BLOCKS 4
#endif

/* A thread a pixel: each waits for many. Places without a tile are never visited. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK, FS_START_BLOCKS)
    fs_band_start_kernel (FsGridState state, FsPreviewLevel level, FsBandFlow before,
                          FsBandTileList band_tiles)
{
  int slot = blockIdx.x / FS_START_TILE_BLOCKS;
  int at = (int)(blockIdx.x % FS_START_TILE_BLOCKS * FS_BLOCK + threadIdx.x);
  if (!fs_band_has (band_tiles, slot)) {
    if (at == 0)
      state.flags[slot] = 0;
    return;
  }
  int tile = (int)band_tiles.tiles[slot];
  fs_write_start_bits (state, slot, at,
                       fs_band_start (N_ARCS, &state, &level, &before, band_tiles.band, slot, tile,
                                      at));
  if (at < 4 * FS_SIDE)
    state.border[(size_t)slot * 4 * FS_SIDE + at] = FS_FAR;
  if (at < state.n_slots * FS_SIDE)
    state.border_flow[(size_t)slot * state.n_slots * FS_SIDE + at] = 0;
  if (at < 9)
    fs_band_start_neighbour (&state, &level.shape, band_tiles.slots, slot, tile, at);
  if (at == 0) {
    state.highest[slot] = 0;
    state.flags[slot] = FS_TILE_VISITED;
  }
}

/* Takes the mask over, and saves the flow for the level's next cut; `previous` and `shown` are of
 * the finest level alone. */
__global__ void
__launch_bounds__ (FS_TILE_PIXELS)
    fs_band_take_kernel (FsGridState state, FsPreviewLevel level, FsBandTileList band_tiles,
                         uint16_t *previous, FsPreviewShown shown)
{
  int slot = blockIdx.x;
  if (!fs_band_has (band_tiles, slot))
    return;
  int tile = (int)band_tiles.tiles[slot];
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += blockDim.x)
    fs_band_save_flow (&state, &level, band_tiles.band, previous, slot, tile, at);
  if (threadIdx.x >= FS_SIDE)
    return;
  fs_band_take_row (&state, &level.shape, band_tiles.band, slot, tile, threadIdx.x);
  if (shown.mask != NULL)
    fs_warp_show (shown, &band_tiles.counts->n_listed[1], tile,
                  level.shape.object[(size_t)tile * FS_SIDE + threadIdx.x]);
}

/* The block that is done last writes all that was counted into the host's memory. */
static __device__ void
fs_preview_report (FsPreviewCounts *counts, FsPreviewCounts *reported, int n_levels)
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
    ((uint32_t *)reported)[i] = __ldcg (&((const uint32_t *)counts)[i]);
}

enum { FS_COST_ROWS = FS_SIDE / FS_BLOCK_WARPS };
static_assert (FS_MAX_ARCS <= FS_WARP / FS_COST_ROWS, "a lane a row and arc");

/* By a warp: which pixels of its rows have an arc from object to background. A lane gets those of
 * one row and one arc, lane % FS_COST_ROWS and lane / FS_COST_ROWS. The lanes have the words of the
 * rows from the one before the first to the one behind the last, of three tiles side by side each.
 */
static __device__ uint32_t
fs_warp_row_cuts (int n_arcs, uint32_t words)
{
  int lane = threadIdx.x % FS_WARP, row = lane % FS_COST_ROWS + 1, arc = lane / FS_COST_ROWS;
  int direction = fs_arc_direction (n_arcs, arc % n_arcs);
  int at = 3 * (row + fs_direction_step_y (direction)) + 1;
  uint32_t left = __shfl_sync (FS_ALL_LANES, words, at - 1);
  uint32_t there = __shfl_sync (FS_ALL_LANES, words, at);
  uint32_t right = __shfl_sync (FS_ALL_LANES, words, at + 1);
  uint32_t here = __shfl_sync (FS_ALL_LANES, words, 3 * row + 1);
  int dx = fs_direction_step_x (direction);
  return arc < n_arcs ? here & ~fs_word_neighbour (left, there, right, dx) : 0;
}

/* By a warp: what those arcs cost. Most warps have none; arcs that leave the photo have no
 * capacity. */
static __device__ int64_t
fs_warp_cut_cost (const FsPreviewLevel &level, uint32_t words, int x, int first)
{
  int n_arcs = level.shape.n_arcs;
  uint32_t cuts = fs_warp_row_cuts (n_arcs, words);
  int64_t cost = 0;
  for (uint32_t left = __ballot_sync (FS_ALL_LANES, cuts != 0); left != 0; left &= left - 1) {
    int from = fs_lowest_bit (left);
    uint32_t cut = __shfl_sync (FS_ALL_LANES, cuts, from);
    if (cut >> threadIdx.x % FS_WARP & 1)
      cost += fs_arc_capacity (&level.shape, &level.problem, x, first + from % FS_COST_ROWS,
                               fs_arc_direction (n_arcs, from / FS_COST_ROWS));
  }
  return cost;
}

/* By a warp: its rows of a tile, what all of which need is read at once. */
static __device__ int64_t
fs_warp_cost (const FsPreviewLevel &level, int tile)
{
  const FsGridState &shape = level.shape;
  int lane = threadIdx.x % FS_WARP, tile_x = tile % shape.tiles_x, x = tile_x * FS_SIDE + lane;
  int first = tile / shape.tiles_x * FS_SIDE + (int)threadIdx.x / FS_WARP * FS_COST_ROWS;
  int32_t tlink[FS_COST_ROWS];
  int64_t cost = 0;
  uint32_t words = lane < 3 * (FS_COST_ROWS + 2)
                       ? fs_row_labels (&shape, tile_x + lane % 3 - 1, first + lane / 3 - 1)
                       : 0;
#pragma unroll
  for (int i = 0; i < FS_COST_ROWS; i++)
    tlink[i] = fs_is_inside (&shape, x, first + i)
                   ? level.problem.tlink[(size_t)(first + i) * shape.width + x]
                   : 0;
#pragma unroll
  for (int i = 0; i < FS_COST_ROWS; i++) {
    uint32_t labels = __shfl_sync (FS_ALL_LANES, words, 3 * (i + 1) + 1);
    cost += fs_max_i32 (labels >> lane & 1 ? -tlink[i] : tlink[i], 0);
  }
  return cost + fs_warp_cut_cost (level, words, x, first);
}

__global__ void
__launch_bounds__ (FS_BLOCK) fs_preview_cost_kernel (FsPreviewLevel level, FsPreviewCounts *counts,
                                                     FsPreviewCounts *reported, int n_levels)
{
  __shared__ int64_t scratch[FS_BLOCK_WARPS];
  int64_t energy = 0;
  for (int tile = blockIdx.x; tile < level.shape.n_tiles; tile += gridDim.x)
    energy += fs_warp_cost (level, tile);
  energy = fs_block_sum (energy, scratch);
  if (threadIdx.x == 0)
    atomicAdd (&counts->energy, (unsigned long long)energy);
  fs_preview_report (counts, reported, n_levels);
}

#endif
