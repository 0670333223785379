/* SPDX-License-Identifier: MIT */
/* Making labels exact, a warp a tile: labels.h with its shuffles, and the visits.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_LABELS_WARP_CUH
#define FS_KERNELS_LABELS_WARP_CUH

#include "solver/kernels/solve/runs.cuh"

/* Sees what others have written of a tile; returns whether border flow has come, which is then to
 * be absorbed. */
static __device__ bool
fs_warp_take_border_flow (const FsGridState &grid, int tile, int lane)
{
  uint32_t flags = lane == 0 ? fs_clear_bits (&grid.flags[tile], FS_TILE_BORDER_FLOW) : 0;
  __threadfence ();
  return __shfl_sync (FS_ALL_LANES, flags, 0) & FS_TILE_BORDER_FLOW;
}

template <int N_ARCS>
static __device__ void
fs_warp_absorb (const FsGridState &grid, int tile, int lane)
{
  const int n_slots = N_ARCS == 4 ? 4 : 12;
  uint32_t flow[12];
#pragma unroll
  for (int slot = 0; slot < n_slots; slot++)
    flow[slot] = __ldcg (&grid.border_flow[((size_t)tile * n_slots + slot) * FS_SIDE + lane]);
#pragma unroll
  for (int slot = 0; slot < n_slots; slot++) {
    if (flow[slot] != 0)
      flow[slot] =
          atomicExch (&grid.border_flow[((size_t)tile * n_slots + slot) * FS_SIDE + lane], 0u);
    fs_absorb (&grid, N_ARCS, tile, slot, lane, flow[slot]);
    __syncwarp ();
  }
}

template <bool DOWN>
static __device__ void
fs_warp_fill_columns (int lane, FsLabelLane *mine)
{
  FsColumnFill fill = fs_fill_column_start (8, mine, DOWN);
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

/* Fills what reaches what has been found, with 8 neighbours. Rows find no more before columns or
 * diagonals do. */
static __device__ void
fs_warp_fill (int lane, FsLabelLane *mine)
{
  uint32_t by_row;
  do {
    fs_fill_row (8, mine);
    by_row = mine->found;
    fs_warp_fill_columns<true> (lane, mine);
    fs_warp_fill_columns<false> (lane, mine);
    uint32_t above = __shfl_up_sync (FS_ALL_LANES, mine->found, 1);
    uint32_t below = __shfl_down_sync (FS_ALL_LANES, mine->found, 1);
    fs_fill_diagonals (mine, lane > 0 ? above : 0, lane < FS_SIDE - 1 ? below : 0);
  } while (__any_sync (FS_ALL_LANES, mine->found != by_row));
}

/* Reads the tile; lanes 0 … 7 know the tiles around it. */
template <int N_ARCS>
static __device__ void
fs_warp_load_label (const FsGridState &grid, int tile, int neighbour, int lane, FsLabelLane *mine)
{
  int neighbours[8];
#pragma unroll
  for (int i = 0; i < 8; i++)
    neighbours[i] = __shfl_sync (FS_ALL_LANES, neighbour, i);
  fs_label_load (&grid, N_ARCS, tile, neighbours, lane, mine);
}

/* Searches the tile, with 8 neighbours, up to labels of the halo below a limit. Returns the highest
 * label that it found; `*is_cut`: the halo has others. */
static __device__ int32_t
fs_warp_label_fills (int lane, int32_t limit, FsLabelLane *mine, bool *is_cut)
{
  int32_t highest = 0, label = -1;
  for (; label < limit; label = fs_warp_min (fs_label_next (8, mine, label))) {
    if (label >= 0) {
      FsHaloBits halo = fs_warp_halo (mine, label);
      mine->found |= fs_label_enter (8, mine, lane, &halo);
    }
    if (!__any_sync (FS_ALL_LANES, mine->found != mine->before))
      continue;
    fs_warp_fill (lane, mine);
    highest = label + 1;
    fs_warp_end_label (lane, highest, mine);
  }
  *is_cut = label != FS_FAR;
  return highest;
}

/* The same with either number of neighbours: with 4 by sweeps (runs.h). */
template <int N_ARCS>
static __device__ int32_t
fs_warp_search (int lane, int32_t limit, FsRunLane *mine, bool *is_cut)
{
  if constexpr (N_ARCS == FS_RUN_ARCS)
    return fs_warp_label_runs (lane, limit, mine, is_cut);
  else
    return fs_warp_label_fills (lane, limit, &mine->label, is_cut);
}

/* Wakes those of the tiles around whose bits are set; lanes 0 … 7 know them. One lane counts
 * them, the one that counts this visit as done after it: so it never seems as if nothing were left
 * to visit. */
static __device__ void
fs_warp_wake (FsQueue *queue, const FsSolveArgs &args, int neighbour, int lane, uint32_t wake)
{
  bool is_put = neighbour >= 0 && (wake >> lane & 1) && fs_queue_mark (args, neighbour, 0);
  uint32_t puts = __ballot_sync (FS_ALL_LANES, is_put);
  if (puts == 0)
    return;
  if (lane == 0)
    atomicAdd (&queue->pending, __popc (puts));
  __syncwarp ();
  if (is_put)
    fs_queue_put (args, queue, neighbour);
}

/* The halo's labels at the lane's places: the greatest of the three that touch each. */
template <int N_ARCS>
static __device__ void
fs_warp_near (const FsLabelLane *mine, int32_t near[4])
{
#pragma unroll
  for (int side = 0; side < 4; side++) {
    near[side] = mine->halo[side];
    if (N_ARCS == 8) {
      near[side] = fs_max_i32 (near[side], __shfl_up_sync (FS_ALL_LANES, mine->halo[side], 1));
      near[side] = fs_max_i32 (near[side], __shfl_down_sync (FS_ALL_LANES, mine->halo[side], 1));
    }
  }
}

/* The outcome of a labelling visit: the neighbouring tiles to wake, a bit each, and the tile's
 * flags to set and clear. */
struct FsLabelled {
  uint32_t wake, set, cleared;
};

/* Returns whether the tile has excess that can reach a deficit, and whether it is to be searched
 * again with a greater distance cap. */
static __device__ void
fs_label_flags (bool active, bool is_cut, FsLabelled *labelled)
{
  uint32_t flags = (active ? FS_TILE_ACTIVE : 0) | (is_cut ? FS_TILE_CUT : 0);
  labelled->set |= FS_TILE_MOVED | flags;
  labelled->cleared = (FS_TILE_ACTIVE | FS_TILE_CUT) & ~flags;
}

/* Makes the tile's labels. */
template <int N_ARCS, bool RAISE>
static __device__ FsLabelled
fs_warp_label (const FsEpochStep *step, const FsGridState &grid, int tile, int neighbour, int lane)
{
  size_t row = (size_t)tile * FS_SIDE + lane;
  FsRunLane runs;
  FsLabelLane *mine = &runs.label;
  FsLabelled labelled = { 0, FS_TILE_VISITED, 0 };
  bool is_cut;
  fs_warp_load_label<N_ARCS> (grid, tile, neighbour, lane, mine);
  uint32_t excess_bits = RAISE ? 0 : grid.excess_bits[row];
  int32_t highest =
      fs_warp_search<N_ARCS> (lane, RAISE ? FS_FAR : step->distance_cap, &runs, &is_cut);
  if (RAISE) {
    labelled.wake = fs_label_wake (N_ARCS, lane, fs_label_raise (&grid, tile, lane, mine));
  } else {
    int32_t near[4];
    fs_warp_near<N_ARCS> (mine, near);
    uint32_t lowered = fs_label_lower (&grid, tile, lane, mine);
    labelled.wake = fs_label_wake_lowered (N_ARCS, lane, lowered, mine, near);
    grid.found[row] = mine->found;
    fs_label_flags (__any_sync (FS_ALL_LANES, (excess_bits & mine->found) != 0), is_cut, &labelled);
  }
  if (lane == 0)
    grid.highest[tile] = highest;
  labelled.wake = fs_warp_or (labelled.wake);
  return labelled;
}

/* Tells of the visit once its labels can be seen, and lets go of the tile. */
static __device__ void
fs_warp_report_label (const FsEpochStep *step, const FsSolveArgs &args, int tile, int neighbour,
                      int lane, const FsLabelled *labelled)
{
  FsQueue *queue = fs_step_queue (step, args);
  __threadfence ();
  __syncwarp ();
  fs_warp_wake (queue, args, neighbour, lane, labelled->wake);
  if (lane != 0)
    return;
  fs_set_bits (&args.grid.flags[tile], labelled->set);
  if (labelled->set & FS_TILE_CUT)
    atomicMax (&args.rounds->cut, step->epoch);
  fs_queue_done (args, queue, tile, labelled->cleared);
}

/* Returns whether few tiles wait, by a warp: then one warp of each block is enough for them. */
static __device__ bool
fs_warp_sees_few (const FsQueue *queue)
{
  uint32_t tail = threadIdx.x % FS_WARP == 0 ? *(const volatile uint32_t *)&queue->tail : 0;
  return __shfl_sync (FS_ALL_LANES, tail, 0) <= gridDim.x + gridDim.x / 2;
}

/* Visits the tiles of the queue, and those that visits wake, to the end. Returns how many visits
 * the warp made. */
template <int N_ARCS, bool RAISE>
static __device__ unsigned long long
fs_label_all (const FsEpochStep *step, const FsSolveArgs &args, uint32_t *over)
{
  int lane = threadIdx.x % FS_WARP;
  FsQueue *queue = fs_step_queue (step, args);
  unsigned long long n = 0;
  if (threadIdx.x >= FS_WARP && fs_warp_sees_few (queue))
    return 0;
  for (;; n++) {
    int tile = lane == 0 ? fs_queue_take_for_block (step, args, queue, over) : 0;
    tile = __shfl_sync (FS_ALL_LANES, tile, 0);
    if (tile < 0)
      return n;
    int neighbour = lane < 8 ? fs_tile_neighbour_at (&args.grid, tile, lane) : -1;
    if (!RAISE)
      __threadfence ();
    else if (fs_warp_take_border_flow (args.grid, tile, lane))
      fs_warp_absorb<N_ARCS> (args.grid, tile, lane);
    __syncwarp ();
    FsLabelled labelled = fs_warp_label<N_ARCS, RAISE> (step, args.grid, tile, neighbour, lane);
    fs_warp_report_label (step, args, tile, neighbour, lane, &labelled);
  }
}

#endif
