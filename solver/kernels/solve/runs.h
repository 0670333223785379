/* SPDX-License-Identifier: MIT */
/* Discharging a tile along runs, with 4 neighbours.   Layer: solver/kernels.
 *
 * The search sweeps along runs of open arcs instead of single arcs: along rows, both ways, then
 * along columns, then along rows again. The pixels that a sweep finds lie on runs that end at
 * pixels found before, and a few sweeps find most of a tile, however long its paths are. Along rows
 * the carry of an addition fills a run (a lane holds a row); along columns doubling does. Each
 * pixel notes the direction of the run that found it. A pixel found along a row may also lie above
 * or below one with which the label began: then that arc is noted, too, with those of the columns.
 * Since columns are followed to their ends, later sweeps along rows find no such pixel.
 *
 * The push follows the sweeps backwards, the last one first; each pushes along all of its runs at
 * once. A pixel's outflow is min (inflow + its excess, its residual). The functions min (x + a, b)
 * are closed under composition, so the outflow of every pixel of a run is a prefix scan, done by
 * doubling. Rows are scanned by shuffles; along a column each thread does its own pixels, and
 * strips pass each other the functions of theirs.
 *
 * Where the halo is to be reached, its pixels count as found before.
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_RUNS_H
#define FS_SOLVER_KERNELS_SOLVE_RUNS_H

#include "solver/kernels/solve/discharge.h"

#define FS_RUN_ARCS  4  /* E S W N */
#define FS_RUN_PAIRS 32 /* pairs of sweeps noted; each further one replaces the last */

#define FS_RUN_EAST  0
#define FS_RUN_SOUTH 1
#define FS_RUN_WEST  2
#define FS_RUN_NORTH 3

/* The pixels of a row that a pair of sweeps found, one along rows and the next along columns, by
 * the arc over which each pushes; those of the columns push first. Aligned for one load. */
typedef struct __attribute__ ((aligned (16))) {
  uint32_t arc[FS_RUN_ARCS];
} FsRunRow;

/* The outflow of a stretch of pixels as a function of its inflow: min (inflow + sum, max). */
typedef struct __attribute__ ((aligned (8))) {
  int32_t sum, max;
} FsRunFlow;

typedef struct {
  FsRunRow pair[FS_RUN_PAIRS][FS_SIDE];
  /* [step, even or odd][strip]: flow functions downwards and upwards. Above the first strip and
   * below the last one lie as many more as a strip reads, from which nothing comes. */
  FsRunFlow down[2][FS_STRIPS - 1 + FS_STRIPS][FS_SIDE], up[2][FS_STRIPS + FS_STRIPS - 1][FS_SIDE];
  uint32_t pushes[2][FS_STRIPS]; /* [step, even or odd]: whether the strip has excess to push */
  int n_pairs;
  uint32_t columns; /* a bit a pair: something is to be pushed along its columns */
} FsRunScratch;

/* The flow functions of a strip, or of one beyond the tile. */
FS_PHASE FsRunFlow *
fs_run_down (int step, int strip, int lane, FsRunScratch *runs)
{
  return &runs->down[step & 1][FS_STRIPS - 1 + strip][lane];
}

FS_PHASE FsRunFlow *
fs_run_up (int step, int strip, int lane, FsRunScratch *runs)
{
  return &runs->up[step & 1][strip][lane];
}

/* Before the first push: nothing comes from beyond the tile. */
FS_PHASE void
fs_run_clear_beyond (int thread, FsRunScratch *runs)
{
  int lane = thread % FS_WARP, i = thread / FS_WARP;
  const FsRunFlow nothing = { 0, 0 };
  for (int step = 0; step < 2 && i < FS_STRIPS - 1; step++) {
    *fs_run_down (step, -1 - i, lane, runs) = nothing;
    *fs_run_up (step, FS_STRIPS + i, lane, runs) = nothing;
  }
}

/* --- The search, for lane y of the warp that makes it --- */

typedef struct {
  FsLabelLane label;
  uint32_t halo[FS_RUN_ARCS]; /* the row's pixels beside which an arc reaches the halo below  */
  uint32_t joined[2][5]; /* [down, up][i]: pixels that open arcs join to the ones 2^i rows on */
  uint32_t wanted;       /* the row's excess, except what earlier searches did not find */
} FsRunLane;

/* Begins a search; `label` is set already. */
FS_PHASE void
fs_run_begin (int lane, FsRunLane *mine)
{
  FS_UNROLL
  for (int i = 0; i < 4; i++)
    mine->halo[i] = 0;
  mine->joined[0][0] = lane < FS_SIDE - 1 ? mine->label.open[FS_RUN_SOUTH] : 0;
  mine->joined[1][0] = lane > 0 ? mine->label.open[FS_RUN_NORTH] : 0;
}

FS_PHASE void
fs_run_start (int lane, const FsDischargeScratch *scratch, FsRunLane *mine)
{
  FS_UNROLL
  for (int i = 0; i < 4; i++) {
    mine->label.open[i] = scratch->open[i][lane];
    mine->label.halo[i] = scratch->halo[i][lane];
    mine->label.corner[i] = FS_FAR;
    mine->label.label[i] = FS_FAR;
  }
  mine->label.found = scratch->deficit[lane];
  mine->label.before = 0;
  mine->wanted = scratch->excess_bits[lane] & ~scratch->lost[lane];
  fs_run_begin (lane, mine);
}

/* The next doubling of `joined`; `below` and `above` are its values in the lanes 2^i rows on, and
 * anything beyond the tile, as nothing is joined to what lies there. */
FS_PHASE void
fs_run_join (int i, uint32_t below, uint32_t above, FsRunLane *mine)
{
  mine->joined[0][i + 1] = mine->joined[0][i] & below;
  mine->joined[1][i + 1] = mine->joined[1][i] & above;
}

/* Also counts the halo's pixels with another label as found; those above and below the tile are
 * given as bits. */
FS_PHASE void
fs_run_enter (int lane, int32_t label, uint32_t above, uint32_t below, FsRunLane *mine)
{
  mine->halo[FS_RUN_EAST] |= (uint32_t)(mine->label.halo[FS_RIGHT] == label) << (FS_SIDE - 1);
  mine->halo[FS_RUN_WEST] |= (uint32_t)(mine->label.halo[FS_LEFT] == label);
  mine->halo[FS_RUN_SOUTH] |= lane == FS_SIDE - 1 ? below : 0;
  mine->halo[FS_RUN_NORTH] |= lane == 0 ? above : 0;
}

/* The row's pixels with an open arc that have not been found. */
FS_PHASE uint32_t
fs_run_may_enter (int arc, const FsRunLane *mine)
{
  return mine->label.open[arc] & ~mine->label.found;
}

/* The next label, above `label`, of the lane's places of the halo that would find a pixel; `top`
 * and `bottom` are the pixels of the first and the last row that may enter upwards and downwards.
 * Other labels find nothing then or later. */
FS_PHASE int32_t
fs_run_next (int lane, int32_t label, uint32_t top, uint32_t bottom, const FsRunLane *mine)
{
  const uint32_t useful[4] = { top >> lane, bottom >> lane, fs_run_may_enter (FS_RUN_WEST, mine),
                               fs_run_may_enter (FS_RUN_EAST, mine) >> (FS_SIDE - 1) };
  /* Their distance above the label: those below it seem farther than any. */
  uint32_t min = (uint32_t)(FS_FAR - label - 1);
  FS_UNROLL
  for (int side = 0; side < 4; side++) {
    uint32_t above = (uint32_t)(mine->label.halo[side] - label - 1) | ((useful[side] & 1u) - 1u);
    min = above < min ? above : min;
  }
  return label + 1 + (int32_t)min;
}

/* The runs of open arcs to the west, towards higher bits, that begin at `first`, by the carry of an
 * addition. */
FS_PHASE uint32_t
fs_run_carry (uint32_t open, uint32_t first)
{
  return open & (~(open + first) | first);
}

/* At the beginning of a label: the pixels with an arc down, and those with one up, to pixels found
 * in the rows below and above. */
FS_PHASE void
fs_run_hops (int lane, uint32_t above, uint32_t below, const FsRunLane *mine, uint32_t hops[2])
{
  below = lane == FS_SIDE - 1 ? mine->halo[FS_RUN_SOUTH] : below;
  above = lane == 0 ? mine->halo[FS_RUN_NORTH] : above;
  hops[0] = mine->label.open[FS_RUN_SOUTH] & below;
  hops[1] = mine->label.open[FS_RUN_NORTH] & above & ~hops[0];
}

/* A sweep along the row. Returns the pixels that it finds; the hops are reduced to those, for the
 * sweep along columns. */
FS_PHASE uint32_t
fs_run_sweep_row (const FsRunLane *mine, uint32_t hops[2], FsRunRow *pair)
{
  const uint32_t *open = mine->label.open;
  uint32_t found = mine->label.found;
  uint32_t to_east = open[FS_RUN_EAST] & (found >> 1 | mine->halo[FS_RUN_EAST]);
  uint32_t to_west = open[FS_RUN_WEST] & (found << 1 | mine->halo[FS_RUN_WEST]);
  uint32_t east = fs_reverse_bits (
      fs_run_carry (fs_reverse_bits (open[FS_RUN_EAST]), fs_reverse_bits (to_east)));
  uint32_t west = fs_run_carry (open[FS_RUN_WEST], to_west);
  uint32_t fresh = (east | west) & ~found;
  pair->arc[FS_RUN_EAST] = east & ~found;
  pair->arc[FS_RUN_WEST] = fresh & ~east;
  hops[0] &= fresh;
  hops[1] &= fresh;
  return fresh;
}

/* A sweep along columns: the pixels found downwards and upwards, at its start and after a doubling.
 */
FS_PHASE void
fs_run_columns_start (const FsRunLane *mine, uint32_t found[2])
{
  found[0] = mine->label.found | (mine->label.open[FS_RUN_SOUTH] & mine->halo[FS_RUN_SOUTH]);
  found[1] = mine->label.found | (mine->label.open[FS_RUN_NORTH] & mine->halo[FS_RUN_NORTH]);
}

FS_PHASE void
fs_run_columns_step (int i, uint32_t below, uint32_t above, const FsRunLane *mine,
                     uint32_t found[2])
{
  found[0] |= mine->joined[0][i] & below;
  found[1] |= mine->joined[1][i] & above;
}

/* Returns the pixels that it finds. */
FS_PHASE uint32_t
fs_run_sweep_columns (const uint32_t reached[2], const uint32_t hops[2], const FsRunLane *mine,
                      FsRunRow *pair)
{
  uint32_t found = mine->label.found;
  uint32_t fresh = (reached[0] | reached[1]) & ~found;
  pair->arc[FS_RUN_SOUTH] = (reached[0] & ~found) | hops[0];
  pair->arc[FS_RUN_NORTH] = (fresh & ~reached[0]) | hops[1];
  return fresh;
}

/* Returns whether the lane's row has pixels that push along columns. */
FS_PHASE int
fs_run_has_columns (const FsRunRow *pair)
{
  return (pair->arc[FS_RUN_SOUTH] | pair->arc[FS_RUN_NORTH]) != 0;
}

/* The place of the next pair of sweeps. Excess found by sweeps whose notes were replaced stays
 * where it is; a later search finds it nearer. */
FS_PHASE int
fs_run_pair_place (int n_pairs)
{
  return fs_min_i32 (n_pairs, FS_RUN_PAIRS - 1);
}

FS_PHASE uint32_t
fs_run_note_columns (uint32_t columns, int at, uint32_t has_columns)
{
  return (columns & ~(1u << at)) | has_columns << at;
}

/* The row's excess that is still to be found. */
FS_PHASE uint32_t
fs_run_left (const FsRunLane *mine)
{
  return mine->wanted & ~mine->label.found;
}

/* --- Pushing --- */

/* The composition of the flow functions of two successive stretches. */
FS_PHASE FsRunFlow
fs_run_then (FsRunFlow first, FsRunFlow then)
{
  FsRunFlow both = { first.sum + then.sum, fs_min_i32 (first.max + then.sum, then.max) };
  return both;
}

/* The flow function of a pixel. Excess is clamped to 16 bits, as no arc carries more. */
FS_PHASE FsRunFlow
fs_run_pixel (int32_t excess, int32_t capacity)
{
  FsRunFlow flow = { fs_min_i32 (fs_max_i32 (excess, 0), 0xffff), capacity };
  return flow;
}

/* A pair of sweeps in the rows of a thread's strip. */
typedef struct {
  FsRunRow row[FS_STRIP_ROWS];
} FsRunStrip;

/* Returns whether excess of the thread's column lies on pixels that push along it. */
FS_PHASE int
fs_run_has (int lane, const FsRunStrip *pair, const FsStrip *mine)
{
  int has = 0;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    uint32_t along = pair->row[k].arc[FS_RUN_SOUTH] | pair->row[k].arc[FS_RUN_NORTH];
    has |= mine->excess[k] > 0 && (along & 1u << lane) != 0;
  }
  return has;
}

/* The strip's rows in which excess of the thread's column lies on pixels that push along the row: a
 * bit each. */
FS_PHASE uint32_t
fs_run_busy_rows (int lane, const FsRunStrip *pair, const FsStrip *mine)
{
  uint32_t busy = 0;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    const FsRunRow *row = &pair->row[k];
    uint32_t along = (row->arc[FS_RUN_EAST] | row->arc[FS_RUN_WEST]) >> lane & 1u;
    busy |= mine->excess[k] > 0 ? along << k : 0;
  }
  return busy;
}

/* The pixels of a row at which runs begin: nothing flows in. */
FS_PHASE uint32_t
fs_run_heads (const FsRunRow *row)
{
  uint32_t east = row->arc[FS_RUN_EAST], west = row->arc[FS_RUN_WEST];
  return (east & ~(east << 1)) | (west & ~(west >> 1));
}

/* The flow function of a pixel of row k along its run. At the beginning of a run it is constant, so
 * that whatever the scan composes before it changes nothing. */
FS_PHASE FsRunFlow
fs_run_row_flow (int lane, int k, const FsRunRow *row, const FsStrip *mine)
{
  uint32_t bit = 1u << lane;
  int32_t capacity = row->arc[FS_RUN_EAST] & bit   ? mine->residual[FS_RUN_EAST][k]
                     : row->arc[FS_RUN_WEST] & bit ? mine->residual[FS_RUN_WEST][k]
                                                   : 0;
  FsRunFlow flow = fs_run_pixel (mine->excess[k], capacity);
  flow.max = fs_run_heads (row) & bit ? fs_min_i32 (flow.max, flow.sum) : flow.max;
  return flow;
}

/* The direction of the preceding stretches along row k: −1 or 1 lane a step. */
FS_PHASE int
fs_run_way (int lane, const FsRunRow *row)
{
  return row->arc[FS_RUN_WEST] & 1u << lane ? 1 : -1;
}

/* The lane of the preceding stretch at a step of doubling; any lane where there is none. */
FS_PHASE int
fs_run_source (int lane, int step, int way)
{
  return (lane + way * step) & (FS_WARP - 1);
}

/* Given the pixels at which runs of a minimum length begin: those with a length of one more, and of
 * `step` more. */
FS_PHASE uint32_t
fs_run_longer (uint32_t rest)
{
  return rest & rest >> 1;
}

FS_PHASE uint32_t
fs_run_double (int step, uint32_t rest)
{
  return rest & rest >> step;
}

/* Returns whether a run of the strip's rows may lead out of the tile. */
FS_PHASE int
fs_run_row_leaves (uint32_t east, uint32_t west)
{
  return (east >> (FS_SIDE - 1) | (west & 1u)) != 0;
}

/* Applies the flow out of the pixel of row k, to adjacent lanes or out of the tile, and the flow
 * from the adjacent lanes. */
FS_PHASE void
fs_run_row_end (int lane, int k, const FsRunRow *row, int32_t flow, int32_t from_west,
                int32_t from_east, FsStrip *mine)
{
  uint32_t east = row->arc[FS_RUN_EAST], west = row->arc[FS_RUN_WEST], bit = 1u << lane;
  from_west = east << 1 & bit ? from_west : 0;
  from_east = west >> 1 & bit ? from_east : 0;
  int32_t to_east = east & bit ? flow : 0, to_west = west & bit ? flow : 0;
  mine->excess[k] += from_west + from_east - to_east - to_west;
  mine->residual[FS_RUN_EAST][k] += from_east - to_east;
  mine->residual[FS_RUN_WEST][k] += from_west - to_west;
}

/* Adds the flow that leaves the tile sideways from rows [first, first + n) of a strip; for its
 * first and last lane. */
FS_PHASE void
fs_run_leave_rows (int thread, int first, int n, const FsRunStrip *pair, const int32_t *flow,
                   FsDischargeScratch *scratch)
{
  int lane = thread % FS_WARP, y = thread / FS_WARP * FS_STRIP_ROWS;
  if (lane != 0 && lane != FS_WARP - 1)
    return;
  uint32_t *leaving = &scratch->leaving[lane == 0 ? 2 : 3][y];
  FS_UNROLL
  for (int k = 0; k < n; k++) {
    const FsRunRow *row = &pair->row[first + k];
    uint32_t leaves =
        lane == 0 ? row->arc[FS_RUN_WEST] & 1u : row->arc[FS_RUN_EAST] >> (FS_SIDE - 1);
    leaving[first + k] += leaves ? (uint32_t)flow[k] : 0;
  }
}

/* The residual over which row k of the column pushes, or 0. */
FS_PHASE int32_t
fs_run_capacity (int lane, int arc, int k, const FsRunStrip *pair, const FsStrip *mine)
{
  return pair->row[k].arc[arc] & 1u << lane ? mine->residual[arc][k] : 0;
}

/* Stores the strip's flow functions. Where none of its pixels has excess to push, that is the least
 * residual. */
FS_PHASE void
fs_run_report_columns (int thread, int step, int pushes, const FsRunStrip *pair,
                       const FsStrip *mine, FsRunScratch *runs)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  FsRunFlow down = { 0, 0xffff }, up = { 0, 0xffff };
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    int above = FS_STRIP_ROWS - 1 - k;
    int32_t south = fs_run_capacity (lane, FS_RUN_SOUTH, k, pair, mine);
    int32_t north = fs_run_capacity (lane, FS_RUN_NORTH, above, pair, mine);
    if (pushes) {
      down = fs_run_then (down, fs_run_pixel (mine->excess[k], south));
      up = fs_run_then (up, fs_run_pixel (mine->excess[above], north));
    } else {
      down.max = fs_min_i32 (down.max, south);
      up.max = fs_min_i32 (up.max, north);
    }
  }
  *fs_run_down (step, strip, lane, runs) = down;
  *fs_run_up (step, strip, lane, runs) = up;
  if (lane == 0)
    runs->pushes[step & 1][strip] = (uint32_t)pushes;
}

/* The inflow from the strips above and below; `pushes` has a bit for each strip with excess. The
 * functions of all strips are loaded at once; those beyond the tile are zero. */
FS_PHASE void
fs_run_column_inflow (int thread, int step, uint32_t pushes, FsRunScratch *runs, int32_t inflow[2])
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  inflow[0] = inflow[1] = 0;
  if ((pushes & ~(1u << strip)) == 0)
    return;
  FsRunFlow above[FS_STRIPS - 1], below[FS_STRIPS - 1];
  FS_UNROLL
  for (int i = 0; i < FS_STRIPS - 1; i++) {
    above[i] = *fs_run_down (step, strip - (FS_STRIPS - 1) + i, lane, runs);
    below[i] = *fs_run_up (step, strip + (FS_STRIPS - 1) - i, lane, runs);
  }
  FS_UNROLL
  for (int i = 0; i < FS_STRIPS - 1; i++) {
    inflow[0] = fs_min_i32 (inflow[0] + above[i].sum, above[i].max);
    inflow[1] = fs_min_i32 (inflow[1] + below[i].sum, below[i].max);
  }
}

/* The outflow of row k: inflow plus excess, limited by its residual. */
FS_PHASE int32_t
fs_run_flow_on (int lane, int arc, int k, int32_t inflow, const FsRunStrip *pair,
                const FsStrip *mine)
{
  int32_t flow = fs_max_i32 (fs_min_i32 (inflow + mine->excess[k], mine->residual[arc][k]), 0);
  return pair->row[k].arc[arc] & 1u << lane ? flow : 0;
}

/* Pushes the inflow and the column's excess on. A pixel pushes over one of the two arcs, and a run
 * ends at a pixel that pushes over neither, so both directions are independent. */
FS_PHASE void
fs_run_push_columns (int thread, const FsRunStrip *pair, const int32_t inflow[2],
                     FsDischargeScratch *scratch, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  int32_t down[FS_STRIP_ROWS + 1], up[FS_STRIP_ROWS + 1]; /* over the upper edge of row k */
  down[0] = inflow[0];
  up[FS_STRIP_ROWS] = inflow[1];
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    int above = FS_STRIP_ROWS - 1 - k;
    down[k + 1] = fs_run_flow_on (lane, FS_RUN_SOUTH, k, down[k], pair, mine);
    up[above] = fs_run_flow_on (lane, FS_RUN_NORTH, above, up[above + 1], pair, mine);
  }
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    mine->excess[k] += down[k] - down[k + 1] + up[k + 1] - up[k];
    mine->residual[FS_RUN_SOUTH][k] += up[k + 1] - down[k + 1];
    mine->residual[FS_RUN_NORTH][k] += down[k] - up[k];
  }
  if (strip == FS_STRIPS - 1)
    scratch->leaving[1][lane] += (uint32_t)down[FS_STRIP_ROWS];
  if (strip == 0)
    scratch->leaving[0][lane] += (uint32_t)up[0];
}

#endif
