/* SPDX-License-Identifier: MIT */
/* Searching and pushing along runs, by a block: runs.h with its shuffles and barriers.
 * Layer: solver/kernels. */
#ifndef FS_KERNELS_RUNS_CUH
#define FS_KERNELS_RUNS_CUH

#include "solver/kernels/solve/queue.cuh"
#include "solver/kernels/solve/runs.h"

/* The halo's pixels with one label, in all lanes. */
static __device__ FsHaloBits
fs_warp_halo (const FsLabelLane *mine, int32_t label)
{
  FsHaloBits halo;
#pragma unroll
  for (int side = 0; side < 4; side++)
    halo.side[side] = __ballot_sync (FS_ALL_LANES, mine->halo[side] == label);
  halo.corners = fs_halo_corners (mine, label);
  return halo;
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
fs_warp_run_join (FsRunLane *mine)
{
#pragma unroll
  for (int i = 0; i < 4; i++) {
    uint32_t below = __shfl_down_sync (FS_ALL_LANES, mine->joined[0][i], 1 << i);
    uint32_t above = __shfl_up_sync (FS_ALL_LANES, mine->joined[1][i], 1 << i);
    fs_run_join (i, below, above, mine);
  }
}

/* A sweep along rows and one along columns. Returns whether the second has anything to push: if
 * not, neither finds any more. Asking after each sweep would take as long as the sweep itself. */
static __device__ bool
fs_warp_run_pair (uint32_t hops[2], FsRunLane *mine, FsRunRow *pair)
{
  uint32_t reached[2];
  mine->label.found |= fs_run_sweep_row (mine, hops, pair);
  fs_run_columns_start (mine, reached);
#pragma unroll
  for (int i = 0; i < 5; i++) {
    uint32_t below = __shfl_down_sync (FS_ALL_LANES, reached[0], 1 << i);
    uint32_t above = __shfl_up_sync (FS_ALL_LANES, reached[1], 1 << i);
    fs_run_columns_step (i, below, above, mine, reached);
  }
  mine->label.found |= fs_run_sweep_columns (reached, hops, mine, pair);
  return __any_sync (FS_ALL_LANES, fs_run_has_columns (pair));
}

/* The sweeps of a search, and where the lane notes the next pair. */
struct FsRunSweeps {
  FsRunRow *first;
  int n;
  uint32_t columns; /* as in FsRunScratch */
};

/* Notes a pair of sweeps for the push. */
static __device__ void
fs_warp_run_note (bool columns, const FsRunRow *pair, FsRunSweeps *sweeps)
{
  int at = fs_run_pair_place (sweeps->n);
  sweeps->first[at * FS_SIDE] = *pair;
  sweeps->columns = fs_run_note_columns (sweeps->columns, at, columns);
  sweeps->n = at + 1;
}

/* Sweeps along rows and columns until one along columns finds nothing or, unless it is for the
 * whole tile, no excess is left to find. A sweep is complete in its direction: it finds nothing
 * more before a sweep in the other has. Returns whether excess is left. A search of the whole tile
 * is for labels: nothing is pushed along what it notes. */
static __device__ bool
fs_warp_run_sweeps (int lane, bool whole, FsRunSweeps *sweeps, FsRunLane *mine)
{
  uint32_t above = __shfl_up_sync (FS_ALL_LANES, mine->label.found, 1);
  uint32_t below = __shfl_down_sync (FS_ALL_LANES, mine->label.found, 1), hops[2];
  fs_run_hops (lane, above, below, mine, hops);
  for (;;) {
    FsRunRow pair;
    bool columns = fs_warp_run_pair (hops, mine, &pair);
    bool left = __any_sync (FS_ALL_LANES, fs_run_left (mine) != 0) || whole;
    fs_warp_run_note (columns, &pair, sweeps);
    if (!columns || !left)
      return left;
  }
}

/* As fs_warp_run_sweeps() of the whole tile, without notes. */
static __device__ void
fs_warp_run_fill (FsRunLane *mine)
{
  uint32_t hops[2] = { 0, 0 };
  FsRunRow pair;
  while (fs_warp_run_pair (hops, mine, &pair))
    ;
}

/* The first and the last row of the tile, in all lanes. */
struct FsRunEdge {
  uint32_t open_top, open_bottom; /* pixels with an arc out of the tile */
  uint32_t top, bottom;           /* pixels found before                */
};

static __device__ FsRunEdge
fs_warp_run_edge (const FsRunLane *mine)
{
  FsRunEdge edge = { __shfl_sync (FS_ALL_LANES, mine->label.open[FS_RUN_NORTH], 0),
                     __shfl_sync (FS_ALL_LANES, mine->label.open[FS_RUN_SOUTH], FS_SIDE - 1), 0,
                     0 };
  return edge;
}

/* Gives what the last label found that label, if it found anything; returns the next one of the
 * halo that finds a pixel. */
static __device__ int32_t
fs_warp_run_next (int lane, int32_t label, bool has_found, FsRunEdge *edge, FsRunLane *mine)
{
  uint32_t top = __shfl_sync (FS_ALL_LANES, mine->label.found, 0);
  uint32_t bottom = __shfl_sync (FS_ALL_LANES, mine->label.found, FS_SIDE - 1);
  if (has_found)
    fs_label_write (&mine->label, lane, top & ~edge->top, bottom & ~edge->bottom,
                    mine->label.found & ~mine->label.before, label + 1);
  mine->label.before = mine->label.found;
  edge->top = top;
  edge->bottom = bottom;
  return fs_warp_min (
      fs_run_next (lane, label, edge->open_top & ~top, edge->open_bottom & ~bottom, mine));
}

/* Lets the halo's pixels with a label count as found. */
static __device__ void
fs_warp_run_enter (int lane, int32_t label, FsRunLane *mine)
{
  uint32_t above = __ballot_sync (FS_ALL_LANES, mine->label.halo[FS_TOP] == label);
  uint32_t below = __ballot_sync (FS_ALL_LANES, mine->label.halo[FS_BOTTOM] == label);
  fs_run_enter (lane, label, above, below, mine);
}

/* Searches the whole tile up to pixels of the halo below a label. Returns the highest label that it
 * found; `*is_cut`: others of the halo would find more. */
static __device__ int32_t
fs_warp_label_runs (int lane, int32_t limit, FsRunLane *mine, bool *is_cut)
{
  fs_run_begin (lane, mine);
  fs_warp_run_join (mine);
  FsRunEdge edge = fs_warp_run_edge (mine);
  int32_t highest = 0, label = -1;
  for (bool begins = __any_sync (FS_ALL_LANES, mine->label.found != 0);; begins = true) {
    if (begins)
      fs_warp_run_fill (mine);
    highest = begins ? label + 1 : 0;
    label = fs_warp_run_next (lane, label, begins, &edge, mine);
    if (label >= limit)
      break;
    fs_warp_run_enter (lane, label, mine);
  }
  *is_cut = label != FS_FAR;
  return highest;
}

/* Searches the tile up to pixels of the halo below a label, and notes whether there is any excess
 * to push. If not, or if it is the visit's last search, the labels are those of the whole tile. */
static __device__ void
fs_warp_search_runs (int lane, bool is_last, int32_t limit, FsDischargeScratch *scratch,
                     FsRunScratch *runs)
{
  FsRunLane lanes, *mine = &lanes;
  fs_run_start (lane, scratch, mine);
  fs_warp_run_join (mine);
  FsRunSweeps sweeps = { &runs->pair[0][lane], 0, 0 };
  bool left = __any_sync (FS_ALL_LANES, fs_run_left (mine) != 0);
  FsRunEdge edge = fs_warp_run_edge (mine);
  bool whole = is_last || !left, begins = __any_sync (FS_ALL_LANES, mine->label.found != 0);
  for (int32_t label = -1;; begins = true) {
    if (begins) {
      left = fs_warp_run_sweeps (lane, whole, &sweeps, mine);
      if (!left)
        break;
    }
    label = fs_warp_run_next (lane, label, begins, &edge, mine);
    if (label >= limit) {
      scratch->lost[lane] = ~mine->label.found;
      break;
    }
    fs_warp_run_enter (lane, label, mine);
  }
#pragma unroll
  for (int side = 0; side < 4; side++)
    scratch->label[side][lane] = mine->label.label[side];
  bool active = __any_sync (FS_ALL_LANES, (scratch->excess_bits[lane] & mine->label.found) != 0);
  if (lane == 0) {
    runs->n_pairs = sweeps.n;
    runs->columns = sweeps.columns;
    scratch->active = active;
  }
}

/* --- Pushing, by the block --- */

/* The excess of rows K, K + 1, … of the warp's strip, N of them, by the way that it goes. Rows that
 * are looked at together are looked at as if they were one, which makes no run shorter. */
struct FsRunExcess {
  uint32_t east, west;
};

template <int K, int N>
static __device__ FsRunExcess
fs_warp_run_excess (const FsRunStrip *pair, const FsStrip *mine)
{
  FsRunExcess excess = { 0, 0 };
#pragma unroll
  for (int k = K; k < K + N; k++) {
    uint32_t has = __ballot_sync (FS_ALL_LANES, mine->excess[k] > 0);
    excess.east |= has & pair->row[k].arc[FS_RUN_EAST];
    excess.west |= has & pair->row[k].arc[FS_RUN_WEST];
  }
  return excess;
}

/* One doubling. One too many changes nothing. */
template <int N>
static __device__ void
fs_warp_run_step (int step, const int way[N], FsRunFlow flow[N])
{
  int lane = threadIdx.x % FS_WARP;
#pragma unroll
  for (int k = 0; k < N; k++) {
    int source = fs_run_source (lane, step, way[k]);
    FsRunFlow first = { __shfl_sync (FS_ALL_LANES, flow[k].sum, source),
                        __shfl_sync (FS_ALL_LANES, flow[k].max, source) };
    flow[k] = fs_run_then (first, flow[k]);
  }
}

/* The flow functions of the rows: a scan by doubling along their runs, from the first excess on. */
template <int N>
static __device__ void
fs_warp_run_double (FsRunExcess excess, uint32_t east, uint32_t west, const int way[N],
                    FsRunFlow flow[N])
{
  east = fs_run_carry (east, excess.east);
  west = fs_reverse_bits (fs_run_carry (fs_reverse_bits (west), fs_reverse_bits (excess.west)));
  if ((fs_run_longer (east) | fs_run_longer (west)) == 0)
    return;
  east = fs_run_double (2, fs_run_double (1, east));
  west = fs_run_double (2, fs_run_double (1, west));
  fs_warp_run_step<N> (1, way, flow);
  fs_warp_run_step<N> (2, way, flow);
  if ((fs_run_longer (east) | fs_run_longer (west)) == 0)
    return;
  fs_warp_run_step<N> (4, way, flow);
  fs_warp_run_step<N> (8, way, flow);
  fs_warp_run_step<N> (16, way, flow);
}

/* Applies the flow out of the rows' pixels, to adjacent lanes or out of the tile. */
template <int K, int N>
static __device__ void
fs_warp_run_end_rows (const FsRunStrip *pair, const FsRunFlow flow[N], int leaves,
                      FsDischargeScratch *scratch, FsStrip *mine)
{
  int lane = threadIdx.x % FS_WARP;
  int32_t out[N], from_west[N], from_east[N];
#pragma unroll
  for (int k = 0; k < N; k++) {
    out[k] = fs_min_i32 (flow[k].sum, flow[k].max);
    from_west[k] = __shfl_up_sync (FS_ALL_LANES, out[k], 1);
    from_east[k] = __shfl_down_sync (FS_ALL_LANES, out[k], 1);
  }
#pragma unroll
  for (int k = 0; k < N; k++)
    fs_run_row_end (lane, K + k, &pair->row[K + k], out[k], from_west[k], from_east[k], mine);
  if (leaves)
    fs_run_leave_rows (threadIdx.x, K, N, pair, out, scratch);
}

template <int K, int N>
static __device__ void
fs_warp_run_rows (const FsRunStrip *pair, FsDischargeScratch *scratch, FsStrip *mine)
{
  int lane = threadIdx.x % FS_WARP, way[N];
  FsRunFlow flow[N];
  uint32_t east = 0, west = 0;
#pragma unroll
  for (int k = 0; k < N; k++) {
    const FsRunRow *row = &pair->row[K + k];
    flow[k] = fs_run_row_flow (lane, K + k, row, mine);
    way[k] = fs_run_way (lane, row);
    east |= row->arc[FS_RUN_EAST];
    west |= row->arc[FS_RUN_WEST];
  }
  fs_warp_run_double<N> (fs_warp_run_excess<K, N> (pair, mine), east, west, way, flow);
  fs_warp_run_end_rows<K, N> (pair, flow, fs_run_row_leaves (east, west), scratch, mine);
}

/* The warp's rows that have excess to push along them: a bit each. Mostly that is one row, if any,
 * which alone takes half as long as all four do. */
static __device__ uint32_t
fs_warp_run_busy (const FsRunStrip *pair, const FsStrip *mine)
{
  return fs_warp_or (fs_run_busy_rows (threadIdx.x % FS_WARP, pair, mine));
}

/* One after another: a table of where to go is read, and waited for. */
static __device__ void
fs_warp_run_busy_rows (uint32_t busy, const FsRunStrip *pair, FsDischargeScratch *scratch,
                       FsStrip *mine)
{
  if ((busy & (busy - 1)) != 0)
    fs_warp_run_rows<0, FS_STRIP_ROWS> (pair, scratch, mine);
  else if (busy & 1)
    fs_warp_run_rows<0, 1> (pair, scratch, mine);
  else if (busy & 2)
    fs_warp_run_rows<1, 1> (pair, scratch, mine);
  else if (busy & 4)
    fs_warp_run_rows<2, 1> (pair, scratch, mine);
  else
    fs_warp_run_rows<3, 1> (pair, scratch, mine);
}

/* Nothing leaves the warp, nor is anything waited for. */
static __device__ void
fs_warp_push_rows (const FsRunStrip *pair, FsDischargeScratch *scratch, FsStrip *mine)
{
  uint32_t busy = fs_warp_run_busy (pair, mine);
  if (busy != 0)
    fs_warp_run_busy_rows (busy, pair, scratch, mine);
}

/* The strips that push along columns: a bit each. */
static __device__ uint32_t
fs_warp_run_strips (int step, const FsRunScratch *runs)
{
  int lane = threadIdx.x % FS_WARP;
  return __ballot_sync (FS_ALL_LANES,
                        lane < FS_STRIPS && runs->pushes[step & 1][lane % FS_STRIPS] != 0);
}

static __device__ void
fs_block_push_columns (int step, const FsRunStrip *pair, FsDischargeScratch *scratch,
                       FsRunScratch *runs, FsStrip *mine)
{
  int32_t inflow[2];
  bool has = __any_sync (FS_ALL_LANES, fs_run_has (threadIdx.x % FS_WARP, pair, mine));
  fs_run_report_columns (threadIdx.x, step, has, pair, mine, runs);
  __syncthreads ();
  fs_run_column_inflow (threadIdx.x, step, fs_warp_run_strips (step, runs), runs, inflow);
  if (has || __any_sync (FS_ALL_LANES, (inflow[0] | inflow[1]) != 0))
    fs_run_push_columns (threadIdx.x, pair, inflow, scratch, mine);
}

/* Pushes along the sweeps of the search, the last one first. Returns the number of pushes along
 * columns. */
static __device__ int
fs_block_push_runs (FsDischargeScratch *scratch, FsRunScratch *runs, FsStrip *mine)
{
  int strip = threadIdx.x / FS_WARP, n = 0;
  uint32_t columns = runs->columns;
  for (int at = runs->n_pairs - 1; at >= 0; at--) {
    FsRunStrip pair;
#pragma unroll
    for (int k = 0; k < FS_STRIP_ROWS; k++)
      pair.row[k] = runs->pair[at][strip * FS_STRIP_ROWS + k];
    if (columns >> at & 1)
      fs_block_push_columns (n++, &pair, scratch, runs, mine);
    fs_warp_push_rows (&pair, scratch, mine);
  }
  return n;
}

#endif
