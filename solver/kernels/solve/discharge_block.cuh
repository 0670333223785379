/* SPDX-License-Identifier: MIT */
/* Discharging tiles, a block a tile: discharge.h with its shuffles and barriers, and the visits.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_DISCHARGE_BLOCK_CUH
#define FS_KERNELS_DISCHARGE_BLOCK_CUH

#include "solver/kernels/solve/border_flow.cuh"
#include "solver/kernels/solve/labels_warp.cuh"

/* Moves the flow of row K over arcs that lead DY rows down to the adjacent lanes by shuffles, or to
 * the scratch memory. */
template <int N_ARCS, int K, int DY>
static __device__ void
fs_block_hand_on (const int32_t flow[FS_MAX_ARCS], FsDischargeScratch *scratch, FsStrip *mine)
{
  int lane = threadIdx.x % FS_WARP;
#pragma unroll
  for (int arc = 0; arc < N_ARCS; arc++) {
    const int dx = fs_arc_dx (N_ARCS, arc);
    if (fs_arc_dy (N_ARCS, arc) != DY)
      continue;
    int32_t sent = fs_discharge_send (N_ARCS, arc, K, threadIdx.x, flow[arc], scratch, mine);
    if (K + DY < 0 || K + DY >= FS_STRIP_ROWS)
      continue;
    if (dx != 0) {
      int32_t given = dx > 0 ? __shfl_up_sync (FS_ALL_LANES, sent, 1)
                             : __shfl_down_sync (FS_ALL_LANES, sent, 1);
      sent = lane == (dx > 0 ? 0 : FS_WARP - 1) ? 0 : given;
    }
    fs_discharge_take (N_ARCS, arc, K + DY, sent, mine);
  }
}

/* One row: gives over all arcs, each at most what the last has left, then takes. */
template <int N_ARCS, int K>
static __device__ void
fs_block_give_row (FsDischargeScratch *scratch, FsStrip *mine)
{
  int32_t flow[FS_MAX_ARCS];
  if (!__any_sync (FS_ALL_LANES, fs_discharge_can_push (mine, K)))
    return;
  fs_discharge_give (N_ARCS, K, mine, flow);
  uint32_t given = fs_warp_or (fs_discharge_given (N_ARCS, flow));
  if (given & fs_discharge_arcs (N_ARCS, -1))
    fs_block_hand_on<N_ARCS, K, -1> (flow, scratch, mine);
  if (given & fs_discharge_arcs (N_ARCS, 0))
    fs_block_hand_on<N_ARCS, K, 0> (flow, scratch, mine);
  if (given & fs_discharge_arcs (N_ARCS, 1))
    fs_block_hand_on<N_ARCS, K, 1> (flow, scratch, mine);
}

/* Rows K, K + STEP, … to the strip's end. */
template <int N_ARCS, int K, int STEP>
static __device__ void
fs_block_give_rows (FsDischargeScratch *scratch, FsStrip *mine)
{
  fs_block_give_row<N_ARCS, K> (scratch, mine);
  if constexpr (K + STEP >= 0 && K + STEP < FS_STRIP_ROWS)
    fs_block_give_rows<N_ARCS, K + STEP, STEP> (scratch, mine);
}

template <int N_ARCS>
static __device__ void
fs_block_push (bool upwards, FsDischargeScratch *scratch, FsStrip *mine)
{
  if (upwards)
    fs_block_give_rows<N_ARCS, FS_STRIP_ROWS - 1, -1> (scratch, mine);
  else
    fs_block_give_rows<N_ARCS, 0, 1> (scratch, mine);
}

/* Counters of a block. */
struct FsCounts {
  unsigned long long discharges, phases, pushes, busy_ns;
};

/* Pushes until nothing moves, `max` times at most. Returns how often. */
template <int N_ARCS>
static __device__ int
fs_block_push_all (int max, FsDischargeScratch *scratch, FsStrip *mine)
{
  bool moved = true;
  int i = 0;
  for (; i < max && moved; i++) {
    fs_block_push<N_ARCS> (i % 2 != 0, scratch, mine);
    __syncthreads ();
    fs_discharge_fetch (N_ARCS, threadIdx.x, scratch, mine);
    moved = __syncthreads_or (mine->moved != 0);
    mine->moved = 0;
  }
  return i;
}

/* Transposes 32 × 32 bits, a word a lane: bit i of lane j becomes bit j of lane i. */
static __device__ uint32_t
fs_warp_transpose (int lane, uint32_t word)
{
  uint32_t low = 0x0000ffffu;
#pragma unroll
  for (int step = FS_WARP / 2; step > 0; step /= 2, low ^= low << step) {
    uint32_t other = __shfl_xor_sync (FS_ALL_LANES, word, step);
    bool is_high = (lane & step) != 0;
    other = __funnelshift_l (other, other, is_high ? FS_WARP - step : step);
    uint32_t own = is_high ? ~low : low;
    word = (word & own) | (other & ~own);
  }
  return word;
}

/* Writes the words of bits of the warp's rows into the scratch memory: its lanes' bits,
 * transposed. With 4 neighbours 24 of them go into a word, and none waits for a vote. */
static __device__ void
fs_block_show_few_bits (const FsStrip *mine, FsDischargeScratch *scratch)
{
  int lane = threadIdx.x % FS_WARP, strip = threadIdx.x / FS_WARP;
  uint32_t of_arcs[FS_RUN_ARCS] = { 0, 0, 0, 0 }, deficit = 0, excess_bits = 0;
#pragma unroll
  for (int k = FS_STRIP_ROWS - 1; k >= 0; k--) { /* the sign of each, the last one lowest */
#pragma unroll
    for (int arc = 0; arc < FS_RUN_ARCS; arc++)
      of_arcs[arc] = __funnelshift_l (0u - (uint32_t)mine->residual[arc][k], of_arcs[arc], 1);
    deficit = __funnelshift_l ((uint32_t)mine->excess[k], deficit, 1);
    excess_bits = __funnelshift_l (0u - (uint32_t)mine->excess[k], excess_bits, 1);
  }
  uint32_t word = of_arcs[0] + (of_arcs[1] << FS_STRIP_ROWS)
                  + ((of_arcs[2] + (of_arcs[3] << FS_STRIP_ROWS)) << 2 * FS_STRIP_ROWS)
                  + ((deficit + (excess_bits << FS_STRIP_ROWS)) << 4 * FS_STRIP_ROWS);
  word = fs_warp_transpose (lane, word);
  int kind = lane / FS_STRIP_ROWS, y = strip * FS_STRIP_ROWS + lane % FS_STRIP_ROWS;
  uint32_t *row = kind < FS_RUN_ARCS    ? scratch->open[kind]
                  : kind == FS_RUN_ARCS ? scratch->deficit
                                        : scratch->excess_bits;
  if (kind < FS_RUN_ARCS + 2)
    row[y] = word;
}

template <int N_ARCS>
static __device__ void
fs_block_show_bits (const FsStrip *mine, FsDischargeScratch *scratch)
{
  if constexpr (N_ARCS == FS_RUN_ARCS) {
    fs_block_show_few_bits (mine, scratch);
    return;
  }
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
    uint32_t excess_bits = __ballot_sync (FS_ALL_LANES, mine->excess[k] > 0);
    if (lane < N_ARCS)
      scratch->open[lane][y] = word;
    if (lane == N_ARCS)
      scratch->deficit[y] = deficit;
    if (lane == N_ARCS + 1)
      scratch->excess_bits[y] = excess_bits;
  }
}

/* Steps of the search until one finds nothing; unless it is for `labels`, or until there is no
 * excess left to find. Returns whether it is to go on. */
template <int N_ARCS, bool LABELS>
static __device__ bool
fs_warp_slope_steps (int lane, const FsDischargeScratch *scratch, FsSlopeLane *mine)
{
  while (__any_sync (FS_ALL_LANES, mine->fresh != 0)) {
    if (!LABELS && !__any_sync (FS_ALL_LANES, fs_slope_left (lane, scratch, mine) != 0))
      return false;
#pragma unroll
    for (int i = 0; i < FS_SLOPE_STEPS; i++) {
      uint32_t above = __shfl_up_sync (FS_ALL_LANES, mine->fresh, 1);
      uint32_t below = __shfl_down_sync (FS_ALL_LANES, mine->fresh, 1);
      fs_slope_step (N_ARCS, mine, above, below);
    }
  }
  return LABELS || __any_sync (FS_ALL_LANES, fs_slope_left (lane, scratch, mine) != 0);
}

/* Searches the tile, by one warp, up to pixels of the halo below a label. Returns whether it found
 * an excess. */
template <int N_ARCS, bool LABELS>
static __device__ bool
fs_warp_slopes (int lane, int32_t limit, FsDischargeScratch *scratch)
{
  FsSlopeLane slopes, *mine = &slopes;
  fs_slope_start (N_ARCS, lane, scratch, mine);
  for (int32_t label = -1; fs_warp_slope_steps<N_ARCS, LABELS> (lane, scratch, mine);) {
    if (LABELS)
      fs_warp_end_label (lane, label + 1, &mine->label);
    label = fs_warp_min (fs_label_next (N_ARCS, &mine->label, label));
    if (label >= limit) {
      scratch->lost[lane] = ~mine->label.found;
      break;
    }
    FsHaloBits halo = fs_warp_halo (&mine->label, label);
    fs_slope_enter (N_ARCS, lane, &halo, scratch, mine);
  }
  return __any_sync (FS_ALL_LANES, fs_slope_end (N_ARCS, lane, mine, scratch));
}

/* Makes the slopes for a phase, or the labels where that is the visit's last one or there is
 * nothing to push. */
template <int N_ARCS>
static __device__ void
fs_warp_search_tile (int lane, bool is_last, int32_t limit, FsDischargeScratch *scratch)
{
  bool active =
      !is_last
      && __any_sync (FS_ALL_LANES, (scratch->excess_bits[lane] & ~scratch->lost[lane]) != 0)
      && fs_warp_slopes<N_ARCS, false> (lane, limit, scratch);
  if (!active)
    active = fs_warp_slopes<N_ARCS, true> (lane, limit, scratch);
  if (lane == 0)
    scratch->active = active;
}

/* Marks the tiles around whose labels may have lost what backed them. */
static __device__ void
fs_warp_mark (const FsGridState &grid, int tile, uint32_t neighbours)
{
  int lane = threadIdx.x % FS_WARP;
  if (lane >= 8 || !(neighbours >> lane & 1))
    return;
  int neighbour = fs_tile_neighbour_at (&grid, tile, lane);
  if (neighbour >= 0)
    fs_set_bits (&grid.flags[neighbour], FS_TILE_STALE);
}

/* Reads the tile with the border flow that has come, and the labels around it. */
template <int N_ARCS>
static __device__ void
fs_block_load (const FsGridState &grid, int tile, FsDischargeScratch *scratch, FsStrip *mine)
{
  const int n_slots = N_ARCS == 4 ? 4 : 12;
  for (int slot = threadIdx.x / FS_WARP; slot < n_slots; slot += FS_STRIPS)
    fs_warp_fetch_border_flow<N_ARCS> (grid, tile, slot, scratch);
  fs_slope_load_halo (&grid, tile, threadIdx.x, scratch);
  fs_discharge_load (&grid, N_ARCS, tile, threadIdx.x, mine);
  fs_discharge_clear (n_slots, threadIdx.x, scratch);
  if (threadIdx.x == 0)
    scratch->has_border_flow = 0;
  __syncthreads ();
  fs_discharge_arrive (N_ARCS, n_slots, threadIdx.x, scratch, mine);
}

/* The search at the head of a phase; what it finds is pushed. */
template <int N_ARCS>
static __device__ void
fs_warp_find (int lane, bool is_last, int32_t limit, FsDischargeScratch *scratch,
              FsRunScratch *runs)
{
  if constexpr (N_ARCS == FS_RUN_ARCS)
    fs_warp_search_runs (lane, is_last, limit, scratch, runs);
  else
    fs_warp_search_tile<N_ARCS> (lane, is_last, limit, scratch);
}

/* Returns how many passes over the tile that took. */
template <int N_ARCS>
static __device__ int
fs_block_push_found (int max, FsDischargeScratch *scratch, FsRunScratch *runs, FsStrip *mine)
{
  if constexpr (N_ARCS == FS_RUN_ARCS)
    return fs_block_push_runs (scratch, runs, mine);
  fs_discharge_slopes (N_ARCS, threadIdx.x, scratch, mine);
  return fs_block_push_all<N_ARCS> (max, scratch, mine);
}

/* The phases of a visit. Returns whether excess is left. */
template <int N_ARCS>
static __device__ bool
fs_block_phases (const FsEpochStep *step, const FsSolveArgs &args, int tile, int32_t limit,
                 FsDischargeScratch *scratch, FsRunScratch *runs, FsStrip *mine, FsCounts *counts)
{
  for (int i = 0;; i++) {
    bool is_last = i == args.tuning.phases;
    fs_block_show_bits<N_ARCS> (mine, scratch);
    __syncthreads ();
    if (threadIdx.x < FS_WARP)
      fs_warp_find<N_ARCS> (threadIdx.x, is_last, limit, scratch, runs);
    else if (N_ARCS == FS_RUN_ARCS && i > 0 && args.tuning.exchange)
      fs_block_exchange (fs_step_queue (step, args), args, tile, is_last, scratch);
    __syncthreads ();
    bool active = scratch->active, has_border_flow = scratch->has_border_flow;
    if (is_last || !(active || has_border_flow))
      return active;
    if (N_ARCS == FS_RUN_ARCS && has_border_flow)
      fs_block_arrive (scratch, mine);
    if (active)
      counts->pushes += fs_block_push_found<N_ARCS> (args.tuning.pushes, scratch, runs, mine);
    counts->phases++;
  }
}

/* Flow out of the tile is posted before the tile is written, as neighbours wait for it. */
template <int N_ARCS>
static __device__ void
fs_block_discharge (const FsEpochStep *step, const FsSolveArgs &args, int tile,
                    FsDischargeScratch *scratch, FsRunScratch *runs, FsCounts *counts)
{
  const FsGridState &grid = args.grid;
  const int n_slots = N_ARCS == 4 ? 4 : 12;
  int32_t limit = fs_discharge_limit (&grid, tile, args.tuning.rise, step->distance_cap);
  FsStrip mine;
  fs_block_load<N_ARCS> (grid, tile, scratch, &mine);
  bool active = fs_block_phases<N_ARCS> (step, args, tile, limit, scratch, runs, &mine, counts);
  if constexpr (N_ARCS != FS_RUN_ARCS && FS_SIDEWAYS_IN_REGISTERS) {
    fs_discharge_leave (N_ARCS, threadIdx.x, &mine, scratch);
    __syncthreads ();
  }
  /* The last warp posts least. */
  if (threadIdx.x / FS_WARP == FS_STRIPS - 1) {
    int lane = threadIdx.x % FS_WARP;
    uint32_t raised =
        fs_discharge_store_bits (&grid, N_ARCS, tile, lane, step->distance_cap, scratch);
    fs_warp_mark (grid, tile, fs_warp_or (fs_label_wake (N_ARCS, lane, raised)));
  }
  for (int slot = threadIdx.x / FS_WARP; slot < n_slots; slot += FS_STRIPS)
    fs_warp_post<N_ARCS> (fs_step_queue (step, args), args, tile, slot, scratch);
  fs_discharge_store (&grid, N_ARCS, tile, threadIdx.x, &mine);
  if (threadIdx.x == 0)
    fs_set_bits (&grid.flags[tile], FS_TILE_STALE | FS_TILE_SUMS | (active ? FS_TILE_QUEUED : 0));
}

/* Returns whether the tile is left for the next epoch: it was discharged often, or few tiles are
 * left. */
static __device__ bool
fs_discharge_is_over (const FsSolveArgs &args, const FsQueue *queue, int tile,
                      unsigned long long since)
{
  uint32_t visits = __ldcg (&args.visits[tile]);
  int pending = *(const volatile int *)&queue->pending;
  args.visits[tile] = visits + 1;
  if (visits >= (uint32_t)args.tuning.visits)
    return true;
  return visits > 0 && pending <= args.tuning.tail
         && fs_nanoseconds () - since > (unsigned long long)args.tuning.tail_ns;
}

/* The next tile that has not been discharged too often in this epoch: what is left in those waits
 * for exact labels. */
static __device__ int
fs_discharge_take_tile (const FsSolveArgs &args, FsQueue *queue, unsigned long long since)
{
  int tile;
  while ((tile = fs_queue_take (args, queue)) >= 0
         && fs_discharge_is_over (args, queue, tile, since))
    fs_queue_done (args, queue, tile, 0);
  if (tile >= 0)
    fs_clear_bits (&args.grid.flags[tile], FS_TILE_BORDER_FLOW);
  __threadfence ();
  return tile;
}

/* As fs_label_all(). */
template <int N_ARCS>
static __device__ void
fs_discharge_all (const FsEpochStep *step, const FsSolveArgs &args, FsDischargeScratch *scratch,
                  FsRunScratch *runs, int *taken, FsCounts *counts)
{
  FsQueue *queue = fs_step_queue (step, args);
  unsigned long long start = fs_nanoseconds ();
  for (;; counts->discharges++) {
    if (threadIdx.x == 0)
      *taken = fs_discharge_take_tile (args, queue, start);
    __syncthreads ();
    int tile = *taken;
    if (tile < 0)
      return;
    unsigned long long since = threadIdx.x == 0 ? fs_nanoseconds () : 0;
    fs_block_discharge<N_ARCS> (step, args, tile, scratch, runs, counts);
    __syncthreads ();
    if (threadIdx.x == 0) {
      __threadfence ();
      fs_queue_done (args, queue, tile, 0);
      counts->busy_ns += fs_nanoseconds () - since;
    }
  }
}

#endif
