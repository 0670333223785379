/* SPDX-License-Identifier: MIT */
/* Scanline pre-flow: the kernel.   Layer: solver/kernels. */
#ifndef FS_KERNELS_SCANLINE_PREFLOW_CUH
#define FS_KERNELS_SCANLINE_PREFLOW_CUH

#include "solver/kernels/solve/scanline_preflow.h"
#include "solver/kernels/solve/solve.cuh"

#define FS_PREFLOW_BLOCK (FS_PREFLOW_TILES * FS_WARP)
#define FS_PREFLOW_PITCH (FS_SIDE + 1) /* so that neither rows nor columns meet in a bank */

struct FsPreflowScratch {
  int32_t transposed[FS_PREFLOW_TILES][FS_SIDE * FS_PREFLOW_PITCH];
  FsPreflowOutflow outflow[FS_PREFLOW_TILES][FS_WARP];
  FsPreflowDemand demand[FS_PREFLOW_TILES][FS_WARP];
};

/* By a warp: loads the lane's scanline of a tile's plane. */
template <int AXIS, typename T>
static __device__ void
fs_warp_preflow_load (const T *plane, int32_t *scratch, int32_t mine[FS_SIDE])
{
  int lane = threadIdx.x % FS_WARP;
#pragma unroll
  for (int i = 0; i < FS_SIDE; i++)
    mine[i] = plane[i * FS_SIDE + lane];
  if (AXIS == 1)
    return;
  __syncwarp ();
#pragma unroll
  for (int i = 0; i < FS_SIDE; i++)
    scratch[i * FS_PREFLOW_PITCH + lane] = mine[i];
  __syncwarp ();
#pragma unroll
  for (int i = 0; i < FS_SIDE; i++)
    mine[i] = scratch[lane * FS_PREFLOW_PITCH + i];
}

/* Stores it, with the words of its positive and, unless `negative` is NULL, negative values. */
template <int AXIS, typename T>
static __device__ void
fs_warp_preflow_store (const int32_t mine[FS_SIDE], int32_t *scratch, T *plane, uint32_t *positive,
                       uint32_t *negative)
{
  int lane = threadIdx.x % FS_WARP;
  uint32_t word[2] = { 0, 0 };
  if (AXIS == 0) {
    __syncwarp ();
#pragma unroll
    for (int i = 0; i < FS_SIDE; i++)
      scratch[lane * FS_PREFLOW_PITCH + i] = mine[i];
    __syncwarp ();
  }
#pragma unroll
  for (int i = 0; i < FS_SIDE; i++) {
    int32_t value = AXIS == 0 ? scratch[i * FS_PREFLOW_PITCH + lane] : mine[i];
    plane[i * FS_SIDE + lane] = (T)value;
    uint32_t is_positive = __ballot_sync (FS_ALL_LANES, value > 0);
    uint32_t is_negative = __ballot_sync (FS_ALL_LANES, value < 0);
    word[0] = lane == i ? is_positive : word[0];
    word[1] = lane == i ? is_negative : word[1];
  }
  positive[lane] = word[0];
  if (negative != NULL)
    negative[lane] = word[1];
}

/* Both passes in one direction, for the warp's tile of a segment of n. Returns whether anything
 * changes in the lane's scanline. */
template <int WAY>
static __device__ int
fs_block_preflow (int n, FsPreflowScratch *scratch, FsPreflowLane *mine)
{
  int lane = threadIdx.x % FS_WARP, place = threadIdx.x / FS_WARP;
  int32_t along = 0, wanted = 0;
  scratch->outflow[place][lane] = fs_preflow_measure (WAY, mine);
  __syncthreads ();
  for (int k = WAY == 0 ? 0 : n - 1; k != place && place < n; k += WAY == 0 ? 1 : -1)
    along = fs_preflow_outflow (scratch->outflow[k][lane], along);
  scratch->demand[place][lane] = fs_preflow_forwards (WAY, along, mine);
  __syncthreads ();
  for (int k = WAY == 0 ? n - 1 : 0; k != place && place < n; k += WAY == 0 ? -1 : 1)
    wanted = fs_preflow_demand (scratch->demand[k][lane], wanted);
  return fs_preflow_backwards (WAY, wanted, mine);
}

/* The tiles of a photo that a state holds: where `slots` is not NULL, those with a place there,
 * unless they are more than `capacity`. */
struct FsPreflowList {
  const int32_t *slots; /* −1: none */
  const uint32_t *n_tiles;
  uint32_t capacity;
  uint32_t marks; /* flags that tiles with flow get */
};

/* The warp's tile of a segment; −1: none. */
static __device__ int
fs_preflow_tile (const FsPreflowSegment &segment, const FsPreflowList &list, int place)
{
  int tile = place < segment.n ? segment.tile + place * segment.step : -1;
  if (list.slots == NULL || tile < 0)
    return tile;
  return *list.n_tiles <= list.capacity ? list.slots[tile] : -1;
}

/* A block a segment. No flow goes through a tile that is not there. */
template <int AXIS>
__global__ void
__launch_bounds__ (FS_PREFLOW_BLOCK) fs_preflow_kernel (FsGridState grid, FsPreflowList list)
{
  __shared__ FsPreflowScratch scratch;
  FsPreflowSegment segment = fs_preflow_segment (&grid, AXIS, blockIdx.x);
  int place = threadIdx.x / FS_WARP, found = fs_preflow_tile (segment, list, place);
  if (list.slots != NULL && !__syncthreads_or (found >= 0))
    return;
  size_t tile = (size_t)fs_max_i32 (found, 0);
  int32_t *transposed = scratch.transposed[place], *excess = grid.excess + tile * FS_TILE_PIXELS;
  uint16_t *forth = fs_preflow_residual (&grid, tile, fs_preflow_arc (AXIS, 0));
  uint16_t *back = fs_preflow_residual (&grid, tile, fs_preflow_arc (AXIS, 1));
  FsPreflowLane mine = {};
  if (found >= 0) {
    fs_warp_preflow_load<AXIS> (excess, transposed, mine.excess);
    fs_warp_preflow_load<AXIS> (forth, transposed, mine.residual[0]);
    fs_warp_preflow_load<AXIS> (back, transposed, mine.residual[1]);
  }
  int changes = fs_block_preflow<0> (segment.n, &scratch, &mine);
  changes |= fs_block_preflow<1> (segment.n, &scratch, &mine);
  if (!__any_sync (FS_ALL_LANES, changes) || found < 0)
    return;
  size_t row = tile * FS_SIDE;
  fs_warp_preflow_store<AXIS> (mine.excess, transposed, excess, grid.excess_bits + row,
                               grid.deficit + row);
  fs_warp_preflow_store<AXIS> (mine.residual[0], transposed, forth,
                               fs_open_word (&grid, 4, (int)tile, fs_preflow_arc (AXIS, 0), 0),
                               NULL);
  fs_warp_preflow_store<AXIS> (mine.residual[1], transposed, back,
                               fs_open_word (&grid, 4, (int)tile, fs_preflow_arc (AXIS, 1), 0),
                               NULL);
  if (threadIdx.x % FS_WARP == 0 && list.marks != 0)
    fs_set_bits (&grid.flags[tile], list.marks);
}

#endif
