/* SPDX-License-Identifier: MIT */
/* Energy of a labelling by expansion moves: of each tile, and in all.   Layer:
 * solver/kernels. */
#ifndef FS_KERNELS_MOVES_ENERGY_CUH
#define FS_KERNELS_MOVES_ENERGY_CUH

#include "solver/kernels/moves/moves.cuh"

/* Returns whether labels or data costs have changed in the tile or around it since energies were
 * summed. */
static __device__ bool
fs_moves_has_other_energy (const FsMovesState &state, int tile)
{
  bool is_other = false;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      int neighbour = fs_tile_neighbour (&state.grid, tile, dx, dy);
      is_other |= neighbour >= 0 && state.tile_stamp[neighbour] > state.words->energy_stamp;
    }
  return is_other;
}

static __device__ int64_t
fs_warp_sum (int64_t value)
{
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    value += __shfl_down_sync (FS_ALL_LANES, value, step);
  return value;
}

/* A block a tile. */
template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_energy_kernel (FsMovesState state)
{
  const FsGridState &grid = state.grid;
  __shared__ FsMoveLabels labels;
  __shared__ int64_t sums[2][FS_BLOCK_WARPS];
  int tile = blockIdx.x, warp = threadIdx.x / FS_WARP;
  size_t n = (size_t)grid.width * grid.height;
  int64_t data = 0, smoothness = 0;
  if (state.words->halted || !fs_moves_has_other_energy (state, tile))
    return;
  fs_moves_load_labels (state, tile, &labels);
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK) {
    int in_x = at % FS_SIDE, in_y = at / FS_SIDE;
    int x = tile % grid.tiles_x * FS_SIDE + in_x, y = tile / grid.tiles_x * FS_SIDE + in_y;
    int here = labels.at[in_y + 1][in_x + 1];
    if (here == FS_MOVE_NONE)
      continue;
    here &= ~FS_MOVE_CLOSED;
    size_t p = (size_t)y * grid.width + x;
    data += state.data[here * n + p];
    for (int arc = 0; arc < N_ARCS / 2; arc++) {
      int there = labels.at[in_y + 1 + fs_arc_dy (N_ARCS, arc)][in_x + 1 + fs_arc_dx (N_ARCS, arc)];
      if (there == FS_MOVE_NONE)
        continue;
      const uint16_t *weights = state.weight[arc];
      smoothness += (int64_t)(weights != NULL ? weights[p] : 1)
                    * state.table[here * state.n_labels + (there & ~FS_MOVE_CLOSED)];
    }
  }
  data = fs_warp_sum (data);
  smoothness = fs_warp_sum (smoothness);
  if (threadIdx.x % FS_WARP == 0) {
    sums[0][warp] = data;
    sums[1][warp] = smoothness;
  }
  __syncthreads ();
  if (threadIdx.x < 2) {
    int64_t sum = 0;
    for (int i = 0; i < FS_BLOCK_WARPS; i++)
      sum += sums[threadIdx.x][i];
    state.energy[(size_t)tile * 2 + threadIdx.x] = sum;
  }
}

/* One block. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_moves_sum_kernel (FsMovesState state)
{
  __shared__ int64_t sums[2][FS_BLOCK_WARPS];
  int64_t sum[2] = { 0, 0 };
  FsMovesWords *words = state.words;
  if (words->halted)
    return;
  for (int tile = threadIdx.x; tile < state.grid.n_tiles; tile += FS_BLOCK)
    for (int i = 0; i < 2; i++)
      sum[i] += state.energy[(size_t)tile * 2 + i];
  for (int i = 0; i < 2; i++) {
    sum[i] = fs_warp_sum (sum[i]);
    if (threadIdx.x % FS_WARP == 0)
      sums[i][threadIdx.x / FS_WARP] = sum[i];
  }
  __syncthreads ();
  if (threadIdx.x < 2) {
    words->energy[threadIdx.x] = 0;
    for (int i = 0; i < FS_BLOCK_WARPS; i++)
      words->energy[threadIdx.x] += sums[threadIdx.x][i];
  }
  if (threadIdx.x == 0)
    words->energy_stamp = words->stamp;
}

#endif
