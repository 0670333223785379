/* SPDX-License-Identifier: MIT */
/* Flow that crosses the borders of tiles, posted and fetched by a block that discharges one.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_BORDER_FLOW_CUH
#define FS_KERNELS_BORDER_FLOW_CUH

#include "solver/kernels/solve/queue.cuh"
#include "solver/kernels/solve/runs.h"

/* Posts what leaves over a slot, and wakes who gets it. */
template <int N_ARCS>
static __device__ void
fs_warp_post (FsQueue *queue, const FsSolveArgs &args, int tile, int slot,
              FsDischargeScratch *scratch)
{
  int lane = threadIdx.x % FS_WARP;
  uint32_t flow = scratch->leaving[slot][lane], givers = __ballot_sync (FS_ALL_LANES, flow != 0);
  if (givers == 0)
    return;
  size_t place;
  int to = fs_discharge_address (&args.grid, N_ARCS, tile, slot, lane, &place);
  if (flow != 0)
    atomicAdd (&args.grid.border_flow[place], flow);
  scratch->leaving[slot][lane] = 0;
  __syncwarp ();
  __threadfence ();
  /* With 4 neighbours all that leaves by a slot goes to one tile. */
  if (N_ARCS == 4 ? lane == fs_lowest_bit (givers) : flow != 0)
    fs_queue_wake (args, queue, to, FS_TILE_BORDER_FLOW | FS_TILE_STALE | FS_TILE_SUMS);
}

template <int N_ARCS>
static __device__ void
fs_warp_fetch_border_flow (const FsGridState &grid, int tile, int slot, FsDischargeScratch *scratch)
{
  const int n_slots = N_ARCS == 4 ? 4 : 12;
  int lane = threadIdx.x % FS_WARP;
  scratch->border_flow[slot][lane] =
      atomicExch (&grid.border_flow[((size_t)tile * n_slots + slot) * FS_SIDE + lane], 0u);
}

/* Takes the border flow of a tile that somebody has woken since its visit began: who wakes it again
 * does so for further flow. */
static __device__ void
fs_warp_look_for_border_flow (const FsGridState &grid, int tile, FsDischargeScratch *scratch)
{
  int lane = threadIdx.x % FS_WARP;
  uint32_t old = lane == 0 ? fs_clear_bits (&grid.flags[tile], FS_TILE_QUEUED) : 0;
  bool is_woken = __any_sync (FS_ALL_LANES, (old & FS_TILE_QUEUED) != 0);
  if (lane == 0)
    scratch->has_border_flow = is_woken;
  if (!is_woken)
    return;
  __threadfence ();
#pragma unroll
  for (int slot = 0; slot < FS_RUN_ARCS; slot++)
    fs_warp_fetch_border_flow<FS_RUN_ARCS> (grid, tile, slot, scratch);
}

/* By the warps that do not search: what the last phase has pushed out of the tile is posted, and
 * what neighbours have posted meanwhile is fetched, unless the visit ends with this search. */
static __device__ void
fs_block_exchange (FsQueue *queue, const FsSolveArgs &args, int tile, bool is_last,
                   FsDischargeScratch *scratch)
{
  int strip = threadIdx.x / FS_WARP;
  if (strip <= FS_RUN_ARCS)
    fs_warp_post<FS_RUN_ARCS> (queue, args, tile, strip - 1, scratch);
  else if (strip == FS_STRIPS - 1 && !is_last)
    fs_warp_look_for_border_flow (args.grid, tile, scratch);
}

/* Takes what was fetched. It may have opened ways for what no search has found. */
static __device__ void
fs_block_arrive (FsDischargeScratch *scratch, FsStrip *mine)
{
  fs_discharge_arrive (FS_RUN_ARCS, FS_RUN_ARCS, threadIdx.x, scratch, mine);
  if (threadIdx.x < FS_WARP)
    scratch->lost[threadIdx.x] = 0;
}

#endif
