/* SPDX-License-Identifier: MIT */
/* The solve, as one cooperative kernel.   Layer: solver/kernels.
 *
 * All blocks go through the same rounds, with a barrier of the whole grid between two, and take
 * tiles off the round's list as they get free; what a visit wakes goes on the next round's list. An
 * epoch is: labels raised, labels lowered, and a few rounds of discharging the tiles in which
 * something can still flow. It ends when there is none: the stop rule, and the only one.
 */
#ifndef FS_KERNELS_SOLVE_CUH
#define FS_KERNELS_SOLVE_CUH

#include <cooperative_groups.h>

#include "solver/kernels/engine.h"
#include "solver/kernels/problem.h"

namespace cg = cooperative_groups;

#define FS_BLOCK         128
#define FS_BLOCK_WARPS   (FS_BLOCK / FS_WARP)
#define FS_ALL_LANES     0xffffffffu
#define FS_N_ROUNDS_KEPT 4

/* What all blocks share beside the state. A round's counters are used at round r, filled at r − 1
 * and cleared at r − 2. */
struct FsRounds {
  uint32_t count[FS_N_ROUNDS_KEPT];  /* tiles on the list */
  uint32_t cursor[FS_N_ROUNDS_KEPT]; /* tiles taken off   */
  unsigned long long epochs, discharges, labellings;
  unsigned long long rounds[3], ns[3]; /* of raising, lowering, discharging */
  int outcome;                         /* FS_ENGINE_DONE, CANCELLED or FAILED */
};

struct FsTuning {
  int phases; /* of a visit                     */
  int pushes; /* over a tile in a phase         */
  int rounds; /* of discharges between labels   */
  int epochs; /* after which something is wrong */
};

struct FsSolveArgs {
  FsGridState grid;
  FsRounds *rounds;
  uint32_t *list[2];
  const volatile int *cancel;
  FsTuning tuning;
};

/* --- Rounds ------------------------------------------------------------------------------------
 */

struct FsRound {
  uint32_t number;
  uint32_t noted; /* the number when time was last taken */
};

static __device__ void
fs_round_end (FsRound *round, const FsSolveArgs &args)
{
  cg::this_grid ().sync ();
  round->number++;
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    args.rounds->count[(round->number + 2) % FS_N_ROUNDS_KEPT] = 0;
    args.rounds->cursor[(round->number + 2) % FS_N_ROUNDS_KEPT] = 0;
  }
}

static __device__ uint32_t
fs_round_count (const FsRound *round, const FsSolveArgs &args)
{
  return __ldcg (&args.rounds->count[round->number % FS_N_ROUNDS_KEPT]);
}

/* Puts a tile on the next round's list, unless it is there. */
static __device__ void
fs_round_wake (const FsRound *round, const FsSolveArgs &args, int tile, uint32_t flags)
{
  if (fs_set_bits (&args.grid.flags[tile], FS_TILE_QUEUED | flags) & FS_TILE_QUEUED)
    return;
  uint32_t next = round->number + 1;
  args.list[next % 2][atomicAdd (&args.rounds->count[next % FS_N_ROUNDS_KEPT], 1u)] =
      (uint32_t)tile;
}

/* The next tile of this round's list, −1 at its end; for one thread of those that work on it. */
static __device__ int
fs_round_take (const FsRound *round, const FsSolveArgs &args, uint32_t count)
{
  uint32_t i = atomicAdd (&args.rounds->cursor[round->number % FS_N_ROUNDS_KEPT], 1u);
  return i < count ? (int)__ldcg (&args.list[round->number % 2][i]) : -1;
}

/* Lists the tiles that have one of `wanted`, and takes `cleared` from all. One round. */
static __device__ void
fs_round_gather (FsRound *round, const FsSolveArgs &args, uint32_t wanted, uint32_t cleared)
{
  for (int tile = blockIdx.x * FS_BLOCK + threadIdx.x; tile < args.grid.n_tiles;
       tile += gridDim.x * FS_BLOCK) {
    uint32_t old = __ldcg (&args.grid.flags[tile]);
    args.grid.flags[tile] = old & ~(cleared | FS_TILE_QUEUED);
    if ((old & wanted) == wanted)
      fs_round_wake (round, args, tile, 0);
  }
  fs_round_end (round, args);
}

/* --- Warps ---------------------------------------------------------------------------------------
 */

static __device__ int32_t
fs_warp_min (int32_t value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_min_sync (FS_ALL_LANES, value);
#else
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    value = fs_min_i32 (value, __shfl_xor_sync (FS_ALL_LANES, value, step));
  return value;
#endif
}

static __device__ uint32_t
fs_warp_or (uint32_t value)
{
#if __CUDA_ARCH__ >= 800
  return __reduce_or_sync (FS_ALL_LANES, value);
#else
  for (int step = FS_WARP / 2; step > 0; step /= 2)
    value |= __shfl_xor_sync (FS_ALL_LANES, value, step);
  return value;
#endif
}

/* --- Labels: a warp a tile ----------------------------------------------------------------------
 */

template <int N_ARCS>
static __device__ void
fs_warp_absorb (const FsGridState &grid, int tile, int lane)
{
  uint32_t old = lane == 0 ? fs_clear_bits (&grid.flags[tile], FS_TILE_MAIL) : 0;
  if (!(__shfl_sync (FS_ALL_LANES, old, 0) & FS_TILE_MAIL))
    return;
  __threadfence ();
  const int n_slots = N_ARCS == 4 ? 4 : 12;
  uint32_t flow[12];
#pragma unroll
  for (int slot = 0; slot < n_slots; slot++)
    flow[slot] = __ldcg (&grid.mail[((size_t)tile * n_slots + slot) * FS_SIDE + lane]);
#pragma unroll
  for (int slot = 0; slot < n_slots; slot++) {
    if (flow[slot] != 0)
      flow[slot] = atomicExch (&grid.mail[((size_t)tile * n_slots + slot) * FS_SIDE + lane], 0u);
    fs_absorb (&grid, N_ARCS, tile, slot, lane, flow[slot]);
    __syncwarp ();
  }
}

/* The ring's pixels with one label, in all lanes. */
static __device__ FsRingBits
fs_warp_ring (const FsLabelLane *mine, int32_t label)
{
  FsRingBits ring;
#pragma unroll
  for (int side = 0; side < 4; side++)
    ring.side[side] = __ballot_sync (FS_ALL_LANES, mine->ring[side] == label);
  ring.corners = fs_ring_corners (mine, label);
  return ring;
}

template <bool DOWN, int N_ARCS>
static __device__ void
fs_warp_fill_columns (int lane, FsLabelLane *mine)
{
  FsColumnFill fill = fs_fill_column_start (N_ARCS, mine, DOWN);
#pragma unroll
  for (int step = 1; step < FS_SIDE; step *= 2) {
    FsColumnFill other;
    other.found = DOWN ? __shfl_down_sync (FS_ALL_LANES, fill.found, step)
                       : __shfl_up_sync (FS_ALL_LANES, fill.found, step);
    other.joined = DOWN ? __shfl_down_sync (FS_ALL_LANES, fill.joined, step)
                        : __shfl_up_sync (FS_ALL_LANES, fill.joined, step);
    if (DOWN ? lane + step >= FS_SIDE : lane < step)
      other.found = other.joined = 0;
    fill = fs_fill_column_step (fill, other);
  }
  mine->found = fill.found;
}

/* Fills what reaches what has been found. */
template <int N_ARCS>
static __device__ void
fs_warp_fill (int lane, FsLabelLane *mine)
{
  uint32_t old;
  do {
    old = mine->found;
    fs_fill_row (N_ARCS, mine);
    fs_warp_fill_columns<true, N_ARCS> (lane, mine);
    fs_warp_fill_columns<false, N_ARCS> (lane, mine);
    if (N_ARCS == 8) {
      uint32_t above = __shfl_up_sync (FS_ALL_LANES, mine->found, 1);
      uint32_t below = __shfl_down_sync (FS_ALL_LANES, mine->found, 1);
      fs_fill_diagonals (mine, lane > 0 ? above : 0, lane < FS_SIDE - 1 ? below : 0);
    }
  } while (__any_sync (FS_ALL_LANES, mine->found != old));
}

static __device__ void
fs_warp_write_labels (int lane, uint32_t fresh, int32_t label, FsLabelLane *mine)
{
  uint32_t top = __shfl_sync (FS_ALL_LANES, fresh, 0);
  uint32_t bottom = __shfl_sync (FS_ALL_LANES, fresh, FS_SIDE - 1);
  fs_label_write (mine, lane, top, bottom, fresh, label);
}

template <int N_ARCS>
static __device__ void
fs_warp_search (const FsGridState &grid, int tile, int lane, FsLabelLane *mine)
{
  fs_label_load (&grid, N_ARCS, tile, lane, mine);
  uint32_t before = 0;
  for (int32_t label = -1; label != FS_FAR; label = fs_warp_min (fs_label_next (mine, label))) {
    if (label >= 0) {
      FsRingBits ring = fs_warp_ring (mine, label);
      mine->found |= fs_label_enter (N_ARCS, mine, lane, &ring);
    }
    if (!__any_sync (FS_ALL_LANES, mine->found != before))
      continue;
    fs_warp_fill<N_ARCS> (lane, mine);
    fs_warp_write_labels (lane, mine->found & ~before, label + 1, mine);
    before = mine->found;
  }
}

/* Wakes the tiles around that some lane names. */
static __device__ void
fs_warp_wake (const FsRound *round, const FsSolveArgs &args, int tile, int lane, uint32_t wake)
{
  wake = fs_warp_or (wake);
  if (wake == 0)
    return;
  __threadfence ();
  if (lane < 8 && (wake >> lane & 1)) {
    int beside = fs_tile_beside (&args.grid, tile, fs_arc_dx (8, lane), fs_arc_dy (8, lane));
    if (beside >= 0)
      fs_round_wake (round, args, beside, 0);
  }
}

/* What of the ring lies beside the lane's places: the farthest of the three that touch each. */
template <int N_ARCS>
static __device__ void
fs_warp_near (const FsLabelLane *mine, int32_t near[4])
{
#pragma unroll
  for (int side = 0; side < 4; side++) {
    near[side] = mine->ring[side];
    if (N_ARCS == 8) {
      near[side] = fs_max_i32 (near[side], __shfl_up_sync (FS_ALL_LANES, mine->ring[side], 1));
      near[side] = fs_max_i32 (near[side], __shfl_down_sync (FS_ALL_LANES, mine->ring[side], 1));
    }
  }
}

template <int N_ARCS, bool RAISE>
static __device__ void
fs_warp_label (const FsRound *round, const FsSolveArgs &args, int tile, int lane)
{
  const FsGridState &grid = args.grid;
  if (lane == 0)
    fs_clear_bits (&grid.flags[tile], FS_TILE_QUEUED);
  __threadfence ();
  __syncwarp ();
  if (RAISE)
    fs_warp_absorb<N_ARCS> (grid, tile, lane);
  FsLabelLane mine;
  fs_warp_search<N_ARCS> (grid, tile, lane, &mine);
  uint32_t flags = FS_TILE_VISITED;
  if (RAISE) {
    fs_warp_wake (round, args, tile, lane,
                  fs_label_wake (lane, fs_label_raise (&grid, tile, lane, &mine)));
  } else {
    int32_t near[4];
    fs_warp_near<N_ARCS> (&mine, near);
    uint32_t lowered = fs_label_lower (&grid, tile, lane, &mine);
    fs_warp_wake (round, args, tile, lane, fs_label_wake_lowered (lane, lowered, &mine, near));
    size_t row = (size_t)tile * FS_SIDE + lane;
    grid.found[row] = mine.found;
    bool active = __any_sync (FS_ALL_LANES, (grid.surplus[row] & mine.found) != 0);
    flags |= FS_TILE_MOVED | (active ? FS_TILE_ACTIVE : 0);
    if (lane == 0 && !active)
      fs_clear_bits (&grid.flags[tile], FS_TILE_ACTIVE);
  }
  if (lane == 0) {
    fs_set_bits (&grid.flags[tile], flags);
    atomicAdd (&args.rounds->labellings, 1ull);
  }
  __syncwarp ();
}

/* Visits the listed tiles, and those that visits wake, to the end. */
template <int N_ARCS, bool RAISE>
static __device__ void
fs_label_all (FsRound *round, const FsSolveArgs &args)
{
  int lane = threadIdx.x % FS_WARP;
  for (;;) {
    uint32_t count = fs_round_count (round, args);
    if (count == 0)
      return;
    for (;;) {
      int tile = lane == 0 ? fs_round_take (round, args, count) : 0;
      tile = __shfl_sync (FS_ALL_LANES, tile, 0);
      if (tile < 0)
        break;
      fs_warp_label<N_ARCS, RAISE> (round, args, tile, lane);
    }
    fs_round_end (round, args);
  }
}

/* --- Discharging: a block a tile -----------------------------------------------------------------
 */

/* One row: all arcs in turn, each carrying at most what the last has left. */
template <int N_ARCS, int K>
static __device__ void
fs_block_push_row (FsDischargeRoom *room, FsStrip *mine)
{
  int lane = threadIdx.x % FS_WARP;
  if (!__any_sync (FS_ALL_LANES, fs_discharge_is_active (mine, K)))
    return;
#pragma unroll
  for (int arc = 0; arc < N_ARCS; arc++) {
    const int dx = fs_arc_dx (N_ARCS, arc), dy = fs_arc_dy (N_ARCS, arc);
    int32_t flow = fs_discharge_give (N_ARCS, arc, K, threadIdx.x, room, mine);
    if (K + dy < 0 || K + dy >= FS_STRIP_ROWS)
      continue;
    if (dx != 0) {
      int32_t given = dx > 0 ? __shfl_up_sync (FS_ALL_LANES, flow, 1)
                             : __shfl_down_sync (FS_ALL_LANES, flow, 1);
      flow = lane == (dx > 0 ? 0 : FS_WARP - 1) ? 0 : given;
    }
    fs_discharge_take (N_ARCS, arc, K + dy, flow, mine);
  }
}

template <int N_ARCS>
static __device__ void
fs_block_push (bool upwards, FsDischargeRoom *room, FsStrip *mine)
{
  if (!upwards) {
    fs_block_push_row<N_ARCS, 0> (room, mine);
    fs_block_push_row<N_ARCS, 1> (room, mine);
    fs_block_push_row<N_ARCS, 2> (room, mine);
    fs_block_push_row<N_ARCS, 3> (room, mine);
    fs_block_push_row<N_ARCS, 4> (room, mine);
    fs_block_push_row<N_ARCS, 5> (room, mine);
    fs_block_push_row<N_ARCS, 6> (room, mine);
    fs_block_push_row<N_ARCS, 7> (room, mine);
  } else {
    fs_block_push_row<N_ARCS, 7> (room, mine);
    fs_block_push_row<N_ARCS, 6> (room, mine);
    fs_block_push_row<N_ARCS, 5> (room, mine);
    fs_block_push_row<N_ARCS, 4> (room, mine);
    fs_block_push_row<N_ARCS, 3> (room, mine);
    fs_block_push_row<N_ARCS, 2> (room, mine);
    fs_block_push_row<N_ARCS, 1> (room, mine);
    fs_block_push_row<N_ARCS, 0> (room, mine);
  }
}

/* Pushes until nothing moves, `most` times at most. */
template <int N_ARCS>
static __device__ void
fs_block_push_all (int most, FsDischargeRoom *room, FsStrip *mine)
{
  bool moved = true;
  for (int i = 0; i < most && moved; i++) {
    fs_block_push<N_ARCS> (i % 2 != 0, room, mine);
    __syncthreads ();
    fs_discharge_fetch (N_ARCS, threadIdx.x, room, mine);
    moved = __syncthreads_or (mine->moved);
    mine->moved = 0;
  }
}

/* Writes the words of bits of the warp's 8 rows into the room. */
template <int N_ARCS>
static __device__ void
fs_block_show_bits (const FsStrip *mine, FsDischargeRoom *room)
{
  int lane = threadIdx.x % FS_WARP, strip = threadIdx.x / FS_WARP;
#pragma unroll
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    int y = strip * FS_STRIP_ROWS + k;
    uint32_t word = 0;
#pragma unroll
    for (int arc = 0; arc < N_ARCS; arc++) {
      uint32_t bits = __ballot_sync (FS_ALL_LANES, mine->residual[arc][k] > 0);
      word = lane == arc ? bits : word;
    }
    uint32_t deficit = __ballot_sync (FS_ALL_LANES, mine->excess[k] < 0);
    uint32_t surplus = __ballot_sync (FS_ALL_LANES, mine->excess[k] > 0);
    if (lane < N_ARCS)
      room->open[lane][y] = word;
    if (lane == N_ARCS)
      room->deficit[y] = deficit;
    if (lane == N_ARCS + 1)
      room->surplus[y] = surplus;
  }
}

/* Heights of the whole tile, by one warp; the ring must be in mine->label. */
template <int N_ARCS>
static __device__ void
fs_warp_heights (int lane, FsDischargeRoom *room, FsHeightLane *mine)
{
  int32_t label = -1, height = 0;
  fs_height_start (N_ARCS, lane, room, mine);
  fs_height_clear_ring (lane, room);
  __syncwarp ();
  for (;;) {
    while (__any_sync (FS_ALL_LANES, mine->fresh != 0)) {
      uint32_t above = __shfl_up_sync (FS_ALL_LANES, mine->fresh, 1);
      uint32_t below = __shfl_down_sync (FS_ALL_LANES, mine->fresh, 1);
      uint32_t reached =
          fs_height_reach (N_ARCS, mine, lane > 0 ? above : 0, lane < FS_SIDE - 1 ? below : 0);
      fs_height_found (mine, reached, ++height);
    }
    fs_warp_write_labels (lane, mine->label.found & ~mine->before, label + 1, &mine->label);
    mine->before = mine->label.found;
    label = fs_warp_min (fs_label_next (&mine->label, label));
    if (label == FS_FAR)
      break;
    FsRingBits ring = fs_warp_ring (&mine->label, label);
    fs_height_enter_ring (lane, label, height, &mine->label, room);
    fs_height_found (mine, fs_label_enter (N_ARCS, &mine->label, lane, &ring), ++height);
  }
  fs_height_store (lane, height, mine, room);
}

/* Marks the tiles around whose labels may have lost what backed them. */
static __device__ void
fs_warp_mark (const FsGridState &grid, int tile, uint32_t around)
{
  int lane = threadIdx.x % FS_WARP;
  if (lane >= 8 || !(around >> lane & 1))
    return;
  int beside = fs_tile_beside (&grid, tile, fs_arc_dx (8, lane), fs_arc_dy (8, lane));
  if (beside >= 0)
    fs_set_bits (&grid.flags[beside], FS_TILE_STALE);
}

/* Posts what leaves, and wakes who gets it. */
template <int N_ARCS>
static __device__ void
fs_block_post (const FsRound *round, const FsSolveArgs &args, int tile, const FsDischargeRoom *room)
{
  const int n_slots = N_ARCS == 4 ? 4 : 12;
  int lane = threadIdx.x % FS_WARP, strip = threadIdx.x / FS_WARP;
  for (int slot = strip; slot < n_slots; slot += FS_STRIPS) {
    uint32_t flow = room->leaving[slot][lane];
    if (flow != 0) {
      size_t place;
      int to = fs_discharge_address (&args.grid, N_ARCS, tile, slot, lane, &place);
      atomicAdd (&args.grid.mail[place], flow);
      __threadfence ();
      fs_round_wake (round, args, to, FS_TILE_MAIL | FS_TILE_STALE | FS_TILE_SUMS);
    }
  }
}

template <int N_ARCS>
static __device__ void
fs_block_discharge (const FsRound *round, const FsSolveArgs &args, int tile, FsDischargeRoom *room)
{
  const FsGridState &grid = args.grid;
  if (threadIdx.x == 0) {
    fs_clear_bits (&grid.flags[tile], FS_TILE_QUEUED);
    atomicAdd (&args.rounds->discharges, 1ull);
  }
  __threadfence ();
  __syncthreads ();
  if (threadIdx.x < FS_WARP)
    fs_warp_absorb<N_ARCS> (grid, tile, threadIdx.x);
  __syncthreads ();
  FsStrip mine;
  FsHeightLane heights; /* the first warp's */
  fs_discharge_load (&grid, N_ARCS, tile, threadIdx.x, &mine);
  fs_discharge_clear (N_ARCS == 4 ? 4 : 12, threadIdx.x, room);
  if (threadIdx.x < FS_WARP)
    fs_label_load_ring (&grid, tile, threadIdx.x, &heights.label);
  bool active = true;
  for (int i = 0;; i++) {
    fs_block_show_bits<N_ARCS> (&mine, room);
    __syncthreads ();
    if (threadIdx.x < FS_WARP)
      fs_warp_heights<N_ARCS> (threadIdx.x, room, &heights);
    __syncthreads ();
    active = __syncthreads_or (fs_discharge_heights (threadIdx.x, room, &mine));
    if (!active || i == args.tuning.phases)
      break;
    fs_block_push_all<N_ARCS> (args.tuning.pushes, room, &mine);
  }
  fs_discharge_store (&grid, N_ARCS, tile, threadIdx.x, &mine);
  if (threadIdx.x < FS_WARP) {
    fs_discharge_store_bits (&grid, N_ARCS, tile, threadIdx.x, room);
    uint32_t raised = fs_label_leave (&grid, tile, threadIdx.x, &heights.label);
    fs_warp_mark (grid, tile, fs_warp_or (fs_label_wake (threadIdx.x, raised)));
  }
  fs_block_post<N_ARCS> (round, args, tile, room);
  if (threadIdx.x == 0) {
    if (active)
      fs_round_wake (round, args, tile, FS_TILE_STALE | FS_TILE_SUMS);
    else
      fs_set_bits (&grid.flags[tile], FS_TILE_STALE | FS_TILE_SUMS);
  }
  __syncthreads ();
}

template <int N_ARCS>
static __device__ void
fs_discharge_all (FsRound *round, const FsSolveArgs &args, FsDischargeRoom *room, int *taken)
{
  for (int i = 0; i < args.tuning.rounds; i++) {
    uint32_t count = fs_round_count (round, args);
    if (count == 0)
      return;
    for (;;) {
      if (threadIdx.x == 0)
        *taken = fs_round_take (round, args, count);
      __syncthreads ();
      int tile = *taken;
      __syncthreads ();
      if (tile < 0)
        break;
      fs_block_discharge<N_ARCS> (round, args, tile, room);
    }
    fs_round_end (round, args);
  }
}

/* No mail may lie about when others look at the state. */
template <int N_ARCS>
static __device__ void
fs_absorb_all (const FsSolveArgs &args)
{
  int n_warps = gridDim.x * FS_BLOCK_WARPS;
  for (int tile = blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP; tile < args.grid.n_tiles;
       tile += n_warps)
    fs_warp_absorb<N_ARCS> (args.grid, tile, threadIdx.x % FS_WARP);
}

/* One thread keeps the time: what has passed since `since` is added to a part of the work. */
static __device__ unsigned long long
fs_note_time (const FsSolveArgs &args, FsRound *round, int part, unsigned long long since)
{
  unsigned long long now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  if (blockIdx.x == 0 && threadIdx.x == 0 && part >= 0) {
    args.rounds->ns[part] += now - since;
    args.rounds->rounds[part] += round->number - round->noted;
  }
  round->noted = round->number;
  return now;
}

/* Counts the epoch, and notes whether it shall be the last. */
static __device__ void
fs_epoch_end (const FsSolveArgs &args, int epoch)
{
  args.rounds->epochs++;
  if (*args.cancel)
    args.rounds->outcome = FS_ENGINE_CANCELLED;
  else if (epoch >= args.tuning.epochs)
    args.rounds->outcome = FS_ENGINE_FAILED;
}

/* --- The solve -----------------------------------------------------------------------------------
 */

template <int N_ARCS>
__global__ void
__launch_bounds__ (FS_BLOCK, N_ARCS == 4 ? 5 : 4) fs_solve_kernel (FsSolveArgs args)
{
  __shared__ FsDischargeRoom room;
  __shared__ int taken;
  FsRound round = { 0, 0 };
  unsigned long long time = fs_note_time (args, &round, -1, 0);
  for (int epoch = 0;; epoch++) {
    fs_round_gather (&round, args, FS_TILE_STALE, FS_TILE_STALE);
    fs_label_all<N_ARCS, true> (&round, args);
    time = fs_note_time (args, &round, 0, time);
    fs_round_gather (&round, args, FS_TILE_VISITED, FS_TILE_VISITED);
    fs_label_all<N_ARCS, false> (&round, args);
    time = fs_note_time (args, &round, 1, time);
    fs_round_gather (&round, args, FS_TILE_ACTIVE | FS_TILE_VISITED, FS_TILE_VISITED);
    if (blockIdx.x == 0 && threadIdx.x == 0)
      fs_epoch_end (args, epoch);
    if (fs_round_count (&round, args) == 0)
      return;
    fs_discharge_all<N_ARCS> (&round, args, &room, &taken);
    time = fs_note_time (args, &round, 2, time);
    if (__ldcg (&args.rounds->outcome) != FS_ENGINE_DONE) {
      fs_absorb_all<N_ARCS> (args);
      return;
    }
  }
}

#endif
