/* SPDX-License-Identifier: MIT */
/* The solve, as one cooperative kernel.   Layer: solver/kernels.
 *
 * All blocks go through the same steps, with a barrier of the whole grid between two. In each step
 * they take tiles off a queue until none waits and none is being visited; a visit wakes the
 * neighbouring tiles that it concerns. An epoch has three steps: labels raised, labels lowered,
 * and tiles discharged in which something can still flow, each a few times at most; where nothing
 * is to be raised or discharged, that is left out. The solve ends when exact labels show no such
 * tile: the stop rule, and the only one.
 */
#ifndef FS_KERNELS_SOLVE_CUH
#define FS_KERNELS_SOLVE_CUH

#include "solver/kernels/solve/discharge_block.cuh"

/* No border flow may be left when others look at the state. */
template <int N_ARCS>
static __device__ void
fs_absorb_all (const FsSolveArgs &args)
{
  int n_warps = gridDim.x * FS_BLOCK_WARPS;
  for (int tile = blockIdx.x * FS_BLOCK_WARPS + threadIdx.x / FS_WARP; tile < args.grid.n_tiles;
       tile += n_warps)
    if (fs_warp_take_border_flow (args.grid, tile, threadIdx.x % FS_WARP))
      fs_warp_absorb<N_ARCS> (args.grid, tile, threadIdx.x % FS_WARP);
}

/* One thread keeps the time: what has passed since `since` is added to a kind of work. */
static __device__ unsigned long long
fs_note_time (const FsSolveArgs &args, int kind, unsigned long long since)
{
  unsigned long long now = fs_nanoseconds ();
  if (blockIdx.x == 0 && threadIdx.x == 0 && kind >= 0)
    args.rounds->ns[kind] += now - since;
  return now;
}

static __device__ void
fs_counts_add (const FsSolveArgs &args, const FsCounts *counts)
{
  atomicAdd (&args.rounds->discharges, counts->discharges);
  atomicAdd (&args.rounds->phases, counts->phases);
  atomicAdd (&args.rounds->pushes, counts->pushes);
  atomicAdd (&args.rounds->busy_ns, counts->busy_ns);
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

/* Compiled for so many blocks on a multiprocessor: fewer have more registers. */
template <int N_ARCS, int N_BLOCKS>
__global__ void
__launch_bounds__ (FS_BLOCK, N_BLOCKS) fs_solve_kernel (FsSolveArgs args)
{
  __shared__ FsDischargeScratch scratch;
  __shared__ FsRunScratch runs;
  __shared__ int taken;
  __shared__ uint32_t over;
  FsEpochStep step = { 0, fs_first_distance_cap (args.tuning.distance_cap), 1 };
  FsCounts counts = { 0, 0, 0, 0 };
  unsigned long long labellings = 0;
  if constexpr (N_ARCS == FS_RUN_ARCS)
    fs_run_clear_beyond (threadIdx.x, &runs);
  if (threadIdx.x == 0)
    over = 0;
  if (args.wanted != NULL && __ldcg (args.wanted) == 0)
    return;
  unsigned long long time = fs_note_time (args, -1, 0);
  bool is_stale = !args.tuning.is_new;
  for (;; step.epoch++) {
    if (is_stale) {
      fs_queue_gather (&step, args, FS_TILE_STALE, FS_TILE_STALE | FS_TILE_QUEUED);
      labellings += fs_label_all<N_ARCS, true> (&step, args, &over);
      fs_step_end (&step, args);
    }
    time = fs_note_time (args, 0, time);
    fs_queue_gather (&step, args, FS_TILE_VISITED | FS_TILE_CUT, FS_TILE_VISITED);
    labellings += fs_label_all<N_ARCS, false> (&step, args, &over);
    fs_step_end (&step, args);
    time = fs_note_time (args, 1, time);
    bool active = fs_queue_gather (&step, args, FS_TILE_ACTIVE, FS_TILE_VISITED);
    bool is_cut = __ldcg (&args.rounds->cut) == step.epoch;
    if (blockIdx.x == 0 && threadIdx.x == 0)
      fs_epoch_end (args, step.epoch - 1);
    if (!active && !is_cut)
      break;
    is_stale = active;
    if (is_stale) {
      fs_discharge_all<N_ARCS> (&step, args, &scratch, &runs, &taken, &counts);
      fs_step_end (&step, args);
    }
    time = fs_note_time (args, 2, time);
    if (is_stale && __ldcg (&args.rounds->outcome) != FS_ENGINE_DONE) {
      fs_absorb_all<N_ARCS> (args);
      break;
    }
    step.distance_cap = fs_next_distance_cap (step.distance_cap, args.tuning.growth);
  }
  if (threadIdx.x % FS_WARP == 0)
    atomicAdd (&args.rounds->labellings, labellings);
  if (threadIdx.x == 0)
    fs_counts_add (args, &counts);
}

#endif
