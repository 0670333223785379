/* SPDX-License-Identifier: MIT */
/* Flow straight along rows and columns: the kernel.   Layer: solver/kernels. */
#ifndef FS_KERNELS_STRAIGHT_CUH
#define FS_KERNELS_STRAIGHT_CUH

#include "solver/kernels/solve/scanline_preflow.h"
#include "solver/kernels/solve/solve.cuh"

#define FS_STRAIGHT_BLOCK (FS_STRAIGHT_TILES * FS_WARP)
#define FS_STRAIGHT_PITCH (FS_SIDE + 1) /* so that neither rows nor columns meet in a bank */

struct FsStraightScratch {
  int32_t transposed[FS_STRAIGHT_TILES][FS_SIDE * FS_STRAIGHT_PITCH];
  FsStraightWay way[FS_STRAIGHT_TILES][FS_WARP];
  FsStraightWant want[FS_STRAIGHT_TILES][FS_WARP];
};

/* By a warp: the lane's chain of a tile's plane. */
template <int AXIS, typename T>
static __device__ void
fs_warp_straight_load (const T *plane, int32_t *scratch, int32_t mine[FS_SIDE])
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
    scratch[i * FS_STRAIGHT_PITCH + lane] = mine[i];
  __syncwarp ();
#pragma unroll
  for (int i = 0; i < FS_SIDE; i++)
    mine[i] = scratch[lane * FS_STRAIGHT_PITCH + i];
}

/* Writes it, and the words of where it is positive, and of where it is negative unless that is
 * NULL. */
template <int AXIS, typename T>
static __device__ void
fs_warp_straight_store (const int32_t mine[FS_SIDE], int32_t *scratch, T *plane, uint32_t *positive,
                        uint32_t *negative)
{
  int lane = threadIdx.x % FS_WARP;
  uint32_t word[2] = { 0, 0 };
  if (AXIS == 0) {
    __syncwarp ();
#pragma unroll
    for (int i = 0; i < FS_SIDE; i++)
      scratch[lane * FS_STRAIGHT_PITCH + i] = mine[i];
    __syncwarp ();
  }
#pragma unroll
  for (int i = 0; i < FS_SIDE; i++) {
    int32_t value = AXIS == 0 ? scratch[i * FS_STRAIGHT_PITCH + lane] : mine[i];
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

/* Goes one way with the tile in a warp's place of a piece of n. Returns whether anything changes in
 * the lane's chain. */
template <int WAY>
static __device__ int
fs_block_straight (int n, FsStraightScratch *scratch, FsStraightLane *mine)
{
  int lane = threadIdx.x % FS_WARP, place = threadIdx.x / FS_WARP;
  int32_t along = 0, wanted = 0;
  scratch->way[place][lane] = fs_straight_measure (WAY, mine);
  __syncthreads ();
  for (int k = WAY == 0 ? 0 : n - 1; k != place && place < n; k += WAY == 0 ? 1 : -1)
    along = fs_straight_leaves (scratch->way[k][lane], along);
  scratch->want[place][lane] = fs_straight_forth (WAY, along, mine);
  __syncthreads ();
  for (int k = WAY == 0 ? n - 1 : 0; k != place && place < n; k += WAY == 0 ? -1 : 1)
    wanted = fs_straight_wants (scratch->want[k][lane], wanted);
  return fs_straight_back (WAY, wanted, mine);
}

/* Which tiles of a photo a state holds: where `slots` is not NULL, those that have a place there,
 * unless they are more than `capacity`. */
struct FsStraightList {
  const int32_t *slots; /* −1: none */
  const uint32_t *n_tiles;
  uint32_t capacity;
  uint32_t marks; /* flags of tiles that something flows in */
};

/* The tile in a warp's place of a piece, −1 where there is none. */
static __device__ int
fs_straight_tile (const FsStraightPiece &piece, const FsStraightList &list, int place)
{
  int tile = place < piece.n ? piece.tile + place * piece.step : -1;
  if (list.slots == NULL || tile < 0)
    return tile;
  return *list.n_tiles <= list.capacity ? list.slots[tile] : -1;
}

/* A block a piece. What lies beside a tile that is not there is never let through. */
template <int AXIS>
__global__ void
__launch_bounds__ (FS_STRAIGHT_BLOCK) fs_straight_kernel (FsGridState grid, FsStraightList list)
{
  __shared__ FsStraightScratch scratch;
  FsStraightPiece piece = fs_straight_piece (&grid, AXIS, blockIdx.x);
  int place = threadIdx.x / FS_WARP, found = fs_straight_tile (piece, list, place);
  if (list.slots != NULL && !__syncthreads_or (found >= 0))
    return;
  size_t tile = (size_t)fs_max_i32 (found, 0);
  int32_t *transposed = scratch.transposed[place], *excess = grid.excess + tile * FS_TILE_PIXELS;
  uint16_t *forth = fs_straight_residual (&grid, tile, fs_straight_arc (AXIS, 0));
  uint16_t *back = fs_straight_residual (&grid, tile, fs_straight_arc (AXIS, 1));
  FsStraightLane mine = {};
  if (found >= 0) {
    fs_warp_straight_load<AXIS> (excess, transposed, mine.excess);
    fs_warp_straight_load<AXIS> (forth, transposed, mine.residual[0]);
    fs_warp_straight_load<AXIS> (back, transposed, mine.residual[1]);
  }
  int changes = fs_block_straight<0> (piece.n, &scratch, &mine);
  changes |= fs_block_straight<1> (piece.n, &scratch, &mine);
  if (!__any_sync (FS_ALL_LANES, changes) || found < 0)
    return;
  size_t row = tile * FS_SIDE;
  fs_warp_straight_store<AXIS> (mine.excess, transposed, excess, grid.excess_bits + row,
                                grid.deficit + row);
  fs_warp_straight_store<AXIS> (mine.residual[0], transposed, forth,
                                fs_open_word (&grid, 4, (int)tile, fs_straight_arc (AXIS, 0), 0),
                                NULL);
  fs_warp_straight_store<AXIS> (mine.residual[1], transposed, back,
                                fs_open_word (&grid, 4, (int)tile, fs_straight_arc (AXIS, 1), 0),
                                NULL);
  if (threadIdx.x % FS_WARP == 0 && list.marks != 0)
    fs_set_bits (&grid.flags[tile], list.marks);
}

#endif
