/* SPDX-License-Identifier: MIT */
/* The kernels around the solve: making the state, changing it, the mask and the sums, reading it.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_PASSES_CUH
#define FS_KERNELS_PASSES_CUH

#include "solver/kernels/solve/scanline_preflow.cuh"
#include "solver/kernels/solve/solve.cuh"

/* FS_LAUNCH (kernel, blocks, threads, stream) (arguments); tests launch on the host. */
#ifndef FS_LAUNCH
/* clang-format off */
#define FS_LAUNCH(kernel, blocks, threads, stream) kernel<<<(blocks), (threads), 0, (stream)>>>
/* clang-format on */
#endif

/* --- Making and changing the state --- */

/* A warp writes the bits of a row, as fs_problem_start() gives them. */
static __device__ void
fs_write_start_bits (const FsGridState &grid, int tile, int at, uint32_t bits)
{
  int y = at / FS_SIDE, lane = threadIdx.x % FS_WARP;
  for (int arc = 0; arc < grid.n_arcs; arc++) {
    uint32_t open = __ballot_sync (FS_ALL_LANES, bits >> arc & 1u);
    if (lane == 0)
      *fs_open_word (&grid, grid.n_arcs, tile, arc, y) = open;
  }
  uint32_t deficit = __ballot_sync (FS_ALL_LANES, bits & FS_START_DEFICIT);
  uint32_t excess_bits = __ballot_sync (FS_ALL_LANES, bits & FS_START_EXCESS);
  size_t row = (size_t)tile * FS_SIDE + y;
  if (lane == 0) {
    grid.deficit[row] = deficit;
    grid.excess_bits[row] = excess_bits;
    grid.found[row] = 0;
    grid.object[row] = 0;
  }
}

/* By a block: what else a tile begins with. */
static __device__ void
fs_start_tile (const FsGridState &grid, const FsProblem &problem, int tile)
{
  for (int i = threadIdx.x; i < 4 * FS_SIDE; i += FS_BLOCK)
    grid.border[(size_t)tile * 4 * FS_SIDE + i] = FS_FAR;
  if (threadIdx.x == 0) {
    grid.highest[tile] = 0;
    grid.flags[tile] = FS_TILE_VISITED | FS_TILE_MOVED | FS_TILE_SUMS;
    problem.energy[tile] = problem.bound[tile] = 0;
  }
}

/* A block a tile. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_start_kernel (FsGridState grid, FsProblem problem)
{
  int tile = blockIdx.x;
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_write_start_bits (grid, tile, at, fs_problem_start (&grid, &problem, tile, at));
  fs_start_tile (grid, problem, tile);
}

__global__ void
fs_change_kernel (FsGridState grid, FsProblem problem, const FsTlinkChange *changes, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    fs_problem_change_tlink (&grid, &problem, changes[i].pixel, changes[i].tlink);
}

__global__ void
fs_replace_kernel (FsGridState grid, FsProblem problem, const int32_t *tlinks)
{
  size_t n = (size_t)grid.width * grid.height;
  size_t pixel = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel < n)
    fs_problem_change_tlink (&grid, &problem, (uint32_t)pixel, tlinks[pixel]);
}

__global__ void
fs_change_star_kernel (FsProblem problem, const FsStarChange *changes, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    problem.star[changes[i].pixel] = changes[i].star;
}

__global__ void
fs_follow_star_kernel (FsGridState grid, FsProblem problem, const FsStarChange *changes, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    fs_problem_follow_star (&grid, &problem, changes[i].pixel);
}

__global__ void
fs_refresh_star_kernel (FsGridState grid, FsProblem problem, const FsStarChange *changes, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    fs_refresh_star_bits (&grid, &problem, changes[i].pixel);
}

__global__ void
fs_change_nlinks_kernel (FsProblem problem, const FsEnginePair *changes, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    fs_problem_change_nlinks (&problem, &changes[i]);
}

__global__ void
fs_change_pairs_kernel (FsGridState grid, const FsEnginePair *changes, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    fs_problem_change_pair (&grid, &changes[i]);
}

__global__ void
fs_refresh_pairs_kernel (FsGridState grid, const FsEnginePair *changes, size_t n)
{
  size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    fs_refresh_pair_bits (&grid, &changes[i]);
}

/* --- The mask and the sums --- */

/* The sums of all tiles, and the count of changed ones. */
struct FsOutcome {
  unsigned long long energy, bound;
  uint32_t n_changed; /* tiles of the mask that have changed, ever: modulo 2^32 */
  uint32_t n_done;    /* blocks that have added their sums */
};

/* Host memory for the outcome of a solve. */
struct FsHostReport {
  FsRounds *rounds;
  FsOutcome *outcome;
};

/* The host's copy of the mask: tiles as in grid.object, and a circular buffer of those that have
 * changed, with n_changed as its write index. */
struct FsMaskMirror {
  uint32_t *object;
  uint32_t *changed;
  uint32_t wrap_mask;
};

/* By a warp: takes over the mask of a tile whose labels have moved. */
static __device__ void
fs_take_mask (const FsGridState &grid, FsOutcome *outcome, const FsMaskMirror &mirror, int tile)
{
  int lane = threadIdx.x % FS_WARP;
  size_t row = (size_t)tile * FS_SIDE + lane;
  uint32_t object = ~grid.found[row];
  bool differs = __any_sync (FS_ALL_LANES, grid.object[row] != object);
  if (lane == 0)
    fs_clear_bits (&grid.flags[tile], FS_TILE_MOVED);
  if (!differs)
    return;
  grid.object[row] = object;
  mirror.object[row] = object;
  if (lane == 0)
    mirror.changed[atomicAdd (&outcome->n_changed, 1u) & mirror.wrap_mask] = (uint32_t)tile;
  if (lane < 9) {
    int neighbour = fs_tile_neighbour (&grid, tile, lane % 3 - 1, lane / 3 - 1);
    if (neighbour >= 0)
      fs_set_bits (&grid.flags[neighbour], FS_TILE_SUMS);
  }
}

/* Not after a solve that was cancelled: then the old mask stands. A warp looks after every n-th
 * tile, for what has moved lies together. */
__global__ void
__launch_bounds__ (FS_BLOCK) fs_mask_kernel (FsGridState grid, const FsRounds *rounds,
                                             FsOutcome *outcome, FsMaskMirror mirror)
{
  int n_warps = gridDim.x * FS_BLOCK_WARPS, lane = threadIdx.x % FS_WARP;
  int first = blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP;
  if (rounds->outcome != FS_ENGINE_DONE)
    return;
  for (; first < grid.n_tiles; first += n_warps * FS_WARP) {
    int tile = first + lane * n_warps;
    bool moved = tile < grid.n_tiles && (__ldcg (&grid.flags[tile]) & FS_TILE_MOVED);
    for (uint32_t left = __ballot_sync (FS_ALL_LANES, moved); left != 0; left &= left - 1)
      fs_take_mask (grid, outcome, mirror, first + fs_lowest_bit (left) * n_warps);
  }
}

/* The sum over a block, in thread 0. */
static __device__ int64_t
fs_block_sum (int64_t value, int64_t *scratch)
{
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    value += __shfl_down_sync (FS_ALL_LANES, value, step);
  if (threadIdx.x % FS_WARP == 0)
    scratch[threadIdx.x / FS_WARP] = value;
  __syncthreads ();
  int64_t sum = 0;
  if (threadIdx.x == 0)
    for (int i = 0; i < FS_BLOCK_WARPS; i++)
      sum += scratch[i];
  __syncthreads ();
  return sum;
}

/* The sums of a block's warps for a tile. Two tiles alternate, so that one barrier a tile is
 * enough. */
struct FsSumsScratch {
  int64_t energy[2][FS_BLOCK_WARPS], bound[2][FS_BLOCK_WARPS];
  uint32_t waiting;
};

/* The block's sums of a tile, by one thread: in place of what it added before. */
static __device__ void
fs_add_sums (const FsGridState &grid, const FsProblem &problem, FsOutcome *outcome, int tile,
             const int64_t *energies, const int64_t *bounds)
{
  int64_t energy = 0, bound = 0;
  for (int i = 0; i < FS_BLOCK_WARPS; i++) {
    energy += energies[i];
    bound += bounds[i];
  }
  atomicAdd (&outcome->energy, (unsigned long long)(energy - problem.energy[tile]));
  atomicAdd (&outcome->bound, (unsigned long long)(bound - problem.bound[tile]));
  problem.energy[tile] = energy;
  problem.bound[tile] = bound;
  fs_clear_bits (&grid.flags[tile], FS_TILE_SUMS);
}

/* By a block: what a tile, its n-th one, adds to the two sums. */
static __device__ void
fs_sum_tile (const FsGridState &grid, const FsProblem &problem, FsOutcome *outcome, int tile, int n,
             FsSumsScratch *scratch)
{
  int64_t energy = 0, bound = 0;
#pragma unroll
  for (int at = threadIdx.x; at < FS_TILE_PIXELS; at += FS_BLOCK)
    fs_problem_sum (&grid, &problem, tile, at, &energy, &bound);
  for (int step = FS_WARP / 2; step > 0; step /= 2) {
    energy += __shfl_down_sync (FS_ALL_LANES, energy, step);
    bound += __shfl_down_sync (FS_ALL_LANES, bound, step);
  }
  if (threadIdx.x % FS_WARP == 0) {
    scratch->energy[n & 1][threadIdx.x / FS_WARP] = energy;
    scratch->bound[n & 1][threadIdx.x / FS_WARP] = bound;
  }
  __syncthreads ();
  if (threadIdx.x == 0)
    fs_add_sums (grid, problem, outcome, tile, scratch->energy[n & 1], scratch->bound[n & 1]);
}

/* The next of the block's tiles, every n-th from `first` on, that wait for it: as many as a warp
 * has lanes. */
static __device__ uint32_t
fs_find_sums (const FsGridState &grid, int first, FsSumsScratch *scratch)
{
  if (threadIdx.x < FS_WARP) {
    int tile = first + (int)(threadIdx.x * gridDim.x);
    bool waits = tile < grid.n_tiles && (__ldcg (&grid.flags[tile]) & FS_TILE_SUMS);
    uint32_t all = __ballot_sync (FS_ALL_LANES, waits);
    if (threadIdx.x == 0)
      scratch->waiting = all;
  }
  __syncthreads ();
  uint32_t waiting = scratch->waiting;
  __syncthreads ();
  return waiting;
}

/* The block that is done last writes what came of it into the host's memory. */
static __device__ void
fs_report_to_host (const FsRounds *rounds, FsOutcome *outcome, const FsHostReport &report)
{
  __threadfence ();
  if (threadIdx.x != 0 || atomicAdd (&outcome->n_done, 1u) + 1 != gridDim.x)
    return;
  __threadfence ();
  outcome->n_done = 0;
  report.outcome->energy = __ldcg (&outcome->energy);
  report.outcome->bound = __ldcg (&outcome->bound);
  report.outcome->n_changed = __ldcg (&outcome->n_changed);
  for (size_t i = 0; i < FS_ROUNDS_BYTES / sizeof (uint32_t); i++)
    ((uint32_t *)report.rounds)[i] = ((const uint32_t *)rounds)[i];
}

/* Where something that they count has changed: that lies together as well. */
__global__ void
__launch_bounds__ (FS_BLOCK)
    fs_sums_kernel (FsGridState grid, const FsRounds *rounds, FsProblem problem, FsOutcome *outcome,
                    FsHostReport report)
{
  __shared__ FsSumsScratch scratch;
  int n = 0, n_tiles = rounds->outcome == FS_ENGINE_DONE ? grid.n_tiles : 0;
  for (int first = blockIdx.x; first < n_tiles; first += gridDim.x * FS_WARP)
    for (uint32_t left = fs_find_sums (grid, first, &scratch); left != 0; left &= left - 1, n++)
      fs_sum_tile (grid, problem, outcome, first + fs_lowest_bit (left) * (int)gridDim.x, n,
                   &scratch);
  fs_report_to_host (rounds, outcome, report);
}

/* Rows [y, y + n_rows) of the state, row-major: a pixel a thread. */
struct FsPlanes {
  int32_t *excess;
  uint16_t *residual[4];
};

__global__ void
fs_read_kernel (FsGridState grid, FsPlanes planes, int y, int n_rows)
{
  size_t pixel = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
  if (pixel >= (size_t)grid.width * n_rows)
    return;
  size_t place = fs_grid_place (&grid, (int)(pixel % grid.width), y + (int)(pixel / grid.width));
  planes.excess[pixel] = grid.excess[place];
  for (int arc = 0; arc < grid.n_arcs / 2; arc++)
    planes.residual[arc][pixel] = grid.residual[fs_grid_residual_place (&grid, place, arc)];
}

#endif
