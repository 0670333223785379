/* SPDX-License-Identifier: MIT */
/* Searching and pushing along runs, by a block: runs.h with its shuffles and barriers.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_RUNS_CUH
#define FS_KERNELS_RUNS_CUH

#include "solver/kernels/queue.cuh"
#include "solver/kernels/runs.h"

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

/* Gives what the last label's search found its label. */
static __device__ void
fs_warp_end_label (int lane, int32_t label, FsLabelLane *mine)
{
  uint32_t fresh = mine->found & ~mine->before;
  uint32_t top = __shfl_sync (FS_ALL_LANES, fresh, 0);
  uint32_t bottom = __shfl_sync (FS_ALL_LANES, fresh, FS_SIDE - 1);
  fs_label_write (mine, lane, top, bottom, fresh, label);
  mine->before = mine->found;
}

/* --- The search, by one warp --- */

static __device__ void
fs_warp_run_start (int lane, const FsDischargeRoom *room, FsRunLane *mine)
{
  fs_run_start (lane, room, mine);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    uint32_t below = __shfl_down_sync (FS_ALL_LANES, mine->joined[0][i], 1 << i);
    uint32_t above = __shfl_up_sync (FS_ALL_LANES, mine->joined[1][i], 1 << i);
    fs_run_join (lane, i, below, above, mine);
  }
}

static __device__ uint32_t
fs_warp_run_row (int lane, FsRunLane *mine, FsRunRow *turn)
{
  uint32_t above = __shfl_up_sync (FS_ALL_LANES, mine->label.found, 1);
  uint32_t below = __shfl_down_sync (FS_ALL_LANES, mine->label.found, 1);
  uint32_t fresh = fs_run_turn_row (lane, above, below, mine, turn);
  mine->label.found |= fresh;
  return fresh;
}

static __device__ uint32_t
fs_warp_run_columns (FsRunLane *mine, FsRunRow *turn)
{
  uint32_t reached[2];
  fs_run_columns_start (mine, reached);
#pragma unroll
  for (int i = 0; i < 5; i++) {
    uint32_t below = __shfl_down_sync (FS_ALL_LANES, reached[0], 1 << i);
    uint32_t above = __shfl_up_sync (FS_ALL_LANES, reached[1], 1 << i);
    fs_run_columns_step (i, below, above, mine, reached);
  }
  uint32_t fresh = fs_run_turn_columns (reached, mine, turn);
  mine->label.found |= fresh;
  return fresh;
}

/* The turns of a search: how many, and a bit for each place that has something. */
struct FsRunTurns {
  int n;
  uint32_t filled;
};

/* Notes a turn along rows and one along columns, for pushing to take back; `any` has a bit for each
 * of the two that found something. */
static __device__ void
fs_warp_run_note (int lane, uint32_t any, const FsRunRow *along_row, const FsRunRow *along_columns,
                  FsRunRoom *runs, FsRunTurns *turns)
{
  int place = fs_run_place (turns->n);
  fs_run_note (lane, place, turns->filled >> place & 1, along_row, runs);
  fs_run_note (lane, place + 1, turns->filled >> (place + 1) & 1, along_columns, runs);
  turns->filled |= any << place;
}

/* Turns along rows and columns, until one finds nothing or, unless it is for the whole tile, there
 * is no excess left to find: either kind is complete, so that it finds no more before the other
 * does. Returns whether excess is left. A search of the whole tile is for labels, and notes
 * nothing. */
static __device__ bool
fs_warp_run_turns (int lane, bool whole, FsRunRoom *runs, FsRunTurns *turns, FsRunLane *mine)
{
  for (bool is_first = true;; is_first = false) {
    FsRunRow along_row, along_columns;
    bool rows = __any_sync (FS_ALL_LANES, fs_warp_run_row (lane, mine, &along_row) != 0);
    if (!is_first && !rows)
      return true;
    bool columns = __any_sync (FS_ALL_LANES, fs_warp_run_columns (mine, &along_columns) != 0);
    bool left = whole || __any_sync (FS_ALL_LANES, fs_run_left (mine) != 0);
    if (!whole)
      fs_warp_run_note (lane, (uint32_t)rows | (uint32_t)columns << 1, &along_row, &along_columns,
                        runs, turns);
    turns->n += 2;
    if (!columns || !left)
      return left;
  }
}

/* Searches the tile up to pixels of the ring below a label, and notes whether there is any excess
 * to push. If not, or if it is the visit's last search, the labels are those of the whole tile. */
static __device__ void
fs_warp_search_runs (int lane, bool is_last, int32_t limit, FsDischargeRoom *room, FsRunRoom *runs)
{
  FsRunLane lanes, *mine = &lanes;
  fs_warp_run_start (lane, room, mine);
  FsRunTurns turns = { 0, 0 };
  bool left = __any_sync (FS_ALL_LANES, fs_run_left (mine) != 0);
  bool whole = is_last || !left, begins = __any_sync (FS_ALL_LANES, mine->label.found != 0);
  for (int32_t label = -1;; begins = true) {
    if (begins) {
      left = fs_warp_run_turns (lane, whole, runs, &turns, mine);
      if (!whole && !left)
        break;
      fs_warp_end_label (lane, label + 1, &mine->label);
    }
    uint32_t top = __shfl_sync (FS_ALL_LANES, fs_run_may_enter (FS_RUN_NORTH, mine), 0);
    uint32_t bottom =
        __shfl_sync (FS_ALL_LANES, fs_run_may_enter (FS_RUN_SOUTH, mine), FS_SIDE - 1);
    label = fs_warp_min (fs_run_next (lane, label, top, bottom, mine));
    if (label >= limit) {
      room->lost[lane] = ~mine->label.found;
      break;
    }
    FsRingBits ring = fs_warp_ring (&mine->label, label);
    fs_run_enter (lane, &ring, mine);
  }
#pragma unroll
  for (int side = 0; side < 4; side++)
    room->label[side][lane] = mine->label.label[side];
  bool active = __any_sync (FS_ALL_LANES, (room->surplus[lane] & mine->label.found) != 0);
  if (lane == 0) {
    runs->filled = turns.filled;
    room->active = active;
  }
}

/* --- Pushing, by the block --- */

/* The lanes whose columns have excess to push along rows. */
struct FsRunExcess {
  uint32_t east, west;
};

static __device__ FsRunExcess
fs_warp_run_excess (const FsRunStrip *turn, const FsStrip *mine)
{
  int lane = threadIdx.x % FS_WARP;
  FsRunExcess excess = {
    __ballot_sync (FS_ALL_LANES, fs_run_has (lane, FS_RUN_EAST, FS_RUN_EAST, turn, mine)),
    __ballot_sync (FS_ALL_LANES, fs_run_has (lane, FS_RUN_WEST, FS_RUN_WEST, turn, mine)),
  };
  return excess;
}

/* One doubling. One too many changes nothing. */
static __device__ void
fs_warp_run_step (int step, const int way[FS_STRIP_ROWS], FsRunFlow flow[FS_STRIP_ROWS])
{
  int lane = threadIdx.x % FS_WARP;
#pragma unroll
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    int source = fs_run_source (lane, step, way[k]);
    FsRunFlow first = { __shfl_sync (FS_ALL_LANES, flow[k].sum, source),
                        __shfl_sync (FS_ALL_LANES, flow[k].most, source) };
    flow[k] = fs_run_then (first, flow[k]);
  }
}

/* What the warp's rows let through, by doubling along their runs, from the first excess on. Four
 * rows are looked at as if they were one, which makes no run shorter. */
static __device__ void
fs_warp_run_double (FsRunExcess excess, uint32_t east, uint32_t west, const int way[FS_STRIP_ROWS],
                    FsRunFlow flow[FS_STRIP_ROWS])
{
  east = fs_run_carry (east, excess.east);
  west = fs_reverse_bits (fs_run_carry (fs_reverse_bits (west), fs_reverse_bits (excess.west)));
  if ((fs_run_longer (east) | fs_run_longer (west)) == 0)
    return;
  east = fs_run_double (2, fs_run_double (1, east));
  west = fs_run_double (2, fs_run_double (1, west));
  fs_warp_run_step (1, way, flow);
  fs_warp_run_step (2, way, flow);
  if ((fs_run_longer (east) | fs_run_longer (west)) == 0)
    return;
  fs_warp_run_step (4, way, flow);
  fs_warp_run_step (8, way, flow);
  fs_warp_run_step (16, way, flow);
}

/* What flows out of the rows' pixels, to the lanes beside or out of the tile. */
static __device__ void
fs_warp_run_end_rows (const FsRunStrip *turn, const FsRunFlow flow[FS_STRIP_ROWS], int leaves,
                      FsDischargeRoom *room, FsStrip *mine)
{
  int lane = threadIdx.x % FS_WARP;
  int32_t out[FS_STRIP_ROWS], from_west[FS_STRIP_ROWS], from_east[FS_STRIP_ROWS];
#pragma unroll
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    out[k] = fs_min_i32 (flow[k].sum, flow[k].most);
    from_west[k] = __shfl_up_sync (FS_ALL_LANES, out[k], 1);
    from_east[k] = __shfl_down_sync (FS_ALL_LANES, out[k], 1);
  }
#pragma unroll
  for (int k = 0; k < FS_STRIP_ROWS; k++)
    fs_run_row_end (lane, k, &turn->row[k], out[k], from_west[k], from_east[k], mine);
  if (leaves)
    fs_run_leave_rows (threadIdx.x, turn, out, room);
}

static __device__ void
fs_warp_run_rows (const FsRunStrip *turn, FsRunExcess excess, FsDischargeRoom *room, FsStrip *mine)
{
  int lane = threadIdx.x % FS_WARP, way[FS_STRIP_ROWS];
  FsRunFlow flow[FS_STRIP_ROWS];
  uint32_t east = 0, west = 0;
#pragma unroll
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    flow[k] = fs_run_row_flow (lane, k, &turn->row[k], mine);
    way[k] = fs_run_way (lane, &turn->row[k]);
    east |= turn->row[k].arc[FS_RUN_EAST];
    west |= turn->row[k].arc[FS_RUN_WEST];
  }
  fs_warp_run_double (excess, east, west, way, flow);
  fs_warp_run_end_rows (turn, flow, fs_run_row_leaves (east, west), room, mine);
}

/* Whether excess of the warp's rows lies on pixels that push over arcs a or b. */
static __device__ bool
fs_warp_run_has (int a, int b, const FsRunStrip *turn, const FsStrip *mine)
{
  return __any_sync (FS_ALL_LANES, fs_run_has (threadIdx.x % FS_WARP, a, b, turn, mine));
}

static __device__ void
fs_block_push_rows (int step, const FsRunStrip *turn, FsDischargeRoom *room, FsRunRoom *runs,
                    FsStrip *mine)
{
  FsRunExcess excess = fs_warp_run_excess (turn, mine);
  if (fs_warp_run_has (FS_RUN_SOUTH, FS_RUN_NORTH, turn, mine))
    fs_run_hop_columns (threadIdx.x, step, turn, room, runs, mine);
  else
    fs_run_hop_none (threadIdx.x, step, runs);
  if ((excess.east | excess.west) != 0)
    fs_warp_run_rows (turn, excess, room, mine);
  __syncthreads ();
  fs_run_fetch_hops (threadIdx.x, step, runs, mine);
}

/* The strips that push along columns: a bit each. */
static __device__ uint32_t
fs_warp_run_strips (int step, const FsRunRoom *runs)
{
  int lane = threadIdx.x % FS_WARP;
  return __ballot_sync (FS_ALL_LANES,
                        lane < FS_STRIPS && runs->pushes[step & 1][lane % FS_STRIPS] != 0);
}

/* Turns along columns: excess hops along the warp's rows. */
static __device__ void
fs_warp_run_hop_rows (const FsRunStrip *turn, FsDischargeRoom *room, FsStrip *mine)
{
  int32_t east[FS_STRIP_ROWS], west[FS_STRIP_ROWS];
#pragma unroll
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    fs_run_hop_row (threadIdx.x % FS_WARP, k, &turn->row[k], mine, &east[k], &west[k]);
    int32_t from_west = __shfl_up_sync (FS_ALL_LANES, east[k], 1);
    int32_t from_east = __shfl_down_sync (FS_ALL_LANES, west[k], 1);
    fs_run_hop_row_end (threadIdx.x, k, from_west, from_east, mine);
  }
  fs_run_leave_sideways (threadIdx.x, west, east, room);
}

static __device__ void
fs_block_push_columns (int step, const FsRunStrip *turn, FsDischargeRoom *room, FsRunRoom *runs,
                       FsStrip *mine)
{
  if (fs_warp_run_has (FS_RUN_EAST, FS_RUN_WEST, turn, mine))
    fs_warp_run_hop_rows (turn, room, mine);
  int32_t inflow[2];
  bool has = fs_warp_run_has (FS_RUN_SOUTH, FS_RUN_NORTH, turn, mine);
  fs_run_tell_columns (threadIdx.x, step, has, turn, mine, runs);
  __syncthreads ();
  fs_run_column_inflow (threadIdx.x, step, fs_warp_run_strips (step, runs), runs, inflow);
  if (has || __any_sync (FS_ALL_LANES, (inflow[0] | inflow[1]) != 0))
    fs_run_push_columns (threadIdx.x, turn, inflow, room, mine);
}

/* Takes the turns of the search back, the last first. Returns how many. */
static __device__ int
fs_block_push_runs (FsDischargeRoom *room, FsRunRoom *runs, FsStrip *mine)
{
  int strip = threadIdx.x / FS_WARP, n = 0;
  for (uint32_t filled = runs->filled; filled != 0; n++) {
    int at = fs_highest_bit (filled);
    filled &= ~(1u << at);
    FsRunStrip turn;
#pragma unroll
    for (int k = 0; k < FS_STRIP_ROWS; k++)
      turn.row[k] = runs->turn[at][strip * FS_STRIP_ROWS + k];
    if (at % 2 == 0)
      fs_block_push_rows (n, &turn, room, runs, mine);
    else
      fs_block_push_columns (n, &turn, room, runs, mine);
  }
  return n;
}

#endif
