/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/runs_host.h"

#include <string.h>

enum { COLUMN_DOUBLINGS = 5 };

/* --- The search --- */

static void
start_lanes (FsEngine *engine, const FsDischargeScratch *scratch, FsRunLane *lanes)
{
  int order[FS_WARP];
  fs_host_shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++)
    fs_run_start (order[i], scratch, &lanes[order[i]]);
  for (int i = 0; i < COLUMN_DOUBLINGS - 1; i++)
    for (int j = 0; j < FS_WARP; j++) {
      int lane = order[j], below = (lane + (1 << i)) % FS_WARP,
          above = (lane - (1 << i)) & (FS_WARP - 1);
      fs_run_join (i, lanes[below].joined[0][i], lanes[above].joined[1][i], &lanes[lane]);
    }
}

/* The pixels that neighbouring rows have found, as a label begins. */
static void
begin_hops (const FsRunLane *lanes, uint32_t hops[FS_WARP][2])
{
  for (int lane = 0; lane < FS_WARP; lane++) {
    uint32_t above = lanes[lane > 0 ? lane - 1 : 0].label.found;
    uint32_t below = lanes[lane < FS_WARP - 1 ? lane + 1 : lane].label.found;
    fs_run_hops (lane, above, below, &lanes[lane], hops[lane]);
  }
}

static void
sweep_rows (FsEngine *engine, FsRunLane *lanes, uint32_t hops[FS_WARP][2], FsRunRow *pairs)
{
  int order[FS_WARP];
  fs_host_shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++) {
    int lane = order[i];
    lanes[lane].label.found |= fs_run_sweep_row (&lanes[lane], hops[lane], &pairs[lane]);
  }
}

/* A sweep along columns; returns whether anything is to be pushed along it. */
static int
sweep_columns (FsEngine *engine, FsRunLane *lanes, uint32_t hops[FS_WARP][2], FsRunRow *pairs)
{
  uint32_t reached[FS_WARP][2], old[FS_WARP][2];
  int order[FS_WARP], any = 0;
  fs_host_shuffle (engine, order, FS_WARP);
  for (int lane = 0; lane < FS_WARP; lane++)
    fs_run_columns_start (&lanes[lane], reached[lane]);
  for (int i = 0; i < COLUMN_DOUBLINGS; i++) {
    memcpy (old, reached, sizeof old);
    for (int j = 0; j < FS_WARP; j++) {
      int lane = order[j], below = lane + (1 << i), above = lane - (1 << i);
      fs_run_columns_step (i, old[below < FS_WARP ? below : lane][0],
                           old[above >= 0 ? above : lane][1], &lanes[lane], reached[lane]);
    }
  }
  for (int i = 0; i < FS_WARP; i++) {
    int lane = order[i];
    FsRunLane *mine = &lanes[lane];
    mine->label.found |= fs_run_sweep_columns (reached[lane], hops[lane], mine, &pairs[lane]);
    any |= fs_run_has_columns (&pairs[lane]);
  }
  return any;
}

static void
note_run (FsRunScratch *scratch, int columns, const FsRunRow *pairs)
{
  int at = fs_run_pair_place (scratch->n_pairs);
  memcpy (scratch->pair[at], pairs, sizeof scratch->pair[at]);
  scratch->columns = fs_run_note_columns (scratch->columns, at, columns);
  scratch->n_pairs = at + 1;
}

static int
has_left (const FsRunLane *lanes)
{
  uint32_t left = 0;
  for (int lane = 0; lane < FS_WARP; lane++)
    left |= fs_run_left (&lanes[lane]);
  return left != 0;
}

/* As fs_warp_run_sweeps() of the device. */
static void
run_sweeps (FsEngine *engine, int whole, FsHostRuns *runs)
{
  FsRunRow pairs[FS_WARP];
  uint32_t hops[FS_WARP][2];
  int columns;
  begin_hops (runs->lanes, hops);
  do {
    sweep_rows (engine, runs->lanes, hops, pairs);
    columns = sweep_columns (engine, runs->lanes, hops, pairs);
    note_run (&runs->scratch, columns, pairs);
  } while (columns && (whole || has_left (runs->lanes)));
}

static int32_t
next_label (const FsRunLane *lanes, int32_t label)
{
  uint32_t top = fs_run_may_enter (FS_RUN_NORTH, &lanes[0]);
  uint32_t bottom = fs_run_may_enter (FS_RUN_SOUTH, &lanes[FS_SIDE - 1]);
  int32_t next = FS_FAR;
  for (int lane = 0; lane < FS_WARP; lane++)
    next = fs_min_i32 (next, fs_run_next (lane, label, top, bottom, &lanes[lane]));
  return next;
}

/* Lets the halo's pixels with a label count as found. */
static void
enter (FsEngine *engine, FsRunLane *lanes, int32_t label)
{
  uint32_t above = 0, below = 0;
  int order[FS_WARP];
  for (int lane = 0; lane < FS_WARP; lane++) {
    above |= (uint32_t)(lanes[lane].label.halo[FS_TOP] == label) << lane;
    below |= (uint32_t)(lanes[lane].label.halo[FS_BOTTOM] == label) << lane;
  }
  fs_host_shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++)
    fs_run_enter (order[i], label, above, below, &lanes[order[i]]);
}

/* Returns whether a search begins with any pixel. */
static int
has_found (const FsRunLane *lanes)
{
  uint32_t found = 0;
  for (int lane = 0; lane < FS_WARP; lane++)
    found |= lanes[lane].label.found;
  return found != 0;
}

static int
end_search (const FsRunLane *lanes, FsDischargeScratch *scratch)
{
  uint32_t active = 0;
  for (int lane = 0; lane < FS_WARP; lane++) {
    for (int side = 0; side < 4; side++)
      scratch->label[side][lane] = lanes[lane].label.label[side];
    active |= scratch->excess_bits[lane] & lanes[lane].label.found;
  }
  return active != 0;
}

int
fs_host_search_runs (FsEngine *engine, int is_last, int32_t limit, FsDischargeScratch *scratch,
                     FsHostRuns *runs)
{
  FsRunLane *lanes = runs->lanes;
  runs->scratch.n_pairs = 0;
  runs->scratch.columns = 0;
  start_lanes (engine, scratch, lanes);
  int whole = is_last || !has_left (lanes), begins = has_found (lanes);
  for (int32_t label = -1;; begins = 1) {
    if (begins) {
      run_sweeps (engine, whole, runs);
      if (!whole && !has_left (lanes))
        break;
      fs_host_end_label (&lanes->label, sizeof *lanes, label + 1);
    }
    label = next_label (lanes, label);
    for (int lane = 0; lane < FS_WARP && label >= limit; lane++)
      scratch->lost[lane] = ~lanes[lane].label.found;
    if (label >= limit)
      break;
    enter (engine, lanes, label);
  }
  return end_search (lanes, scratch);
}

/* --- Pushing --- */

/* A warp's rows: excess flows along runs, by doubling. */
static void
push_rows_of (int strip, const FsRunStrip *pair, FsDischargeScratch *scratch, FsStrip *lanes)
{
  int32_t out[FS_WARP][FS_STRIP_ROWS];
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    FsRunFlow flow[FS_WARP], old[FS_WARP];
    const FsRunRow *row = &pair->row[k];
    for (int lane = 0; lane < FS_WARP; lane++)
      flow[lane] = fs_run_row_flow (lane, k, row, &lanes[lane]);
    for (int step = 1; step < FS_SIDE; step *= 2) {
      memcpy (old, flow, sizeof old);
      for (int lane = 0; lane < FS_WARP; lane++)
        flow[lane] =
            fs_run_then (old[fs_run_source (lane, step, fs_run_way (lane, row))], old[lane]);
    }
    for (int lane = 0; lane < FS_WARP; lane++)
      out[lane][k] = fs_min_i32 (flow[lane].sum, flow[lane].max);
    for (int lane = 0; lane < FS_WARP; lane++)
      fs_run_row_end (lane, k, row, out[lane][k], out[lane > 0 ? lane - 1 : 0][k],
                      out[lane < FS_WARP - 1 ? lane + 1 : lane][k], &lanes[lane]);
  }
  for (int lane = 0; lane < FS_WARP; lane++)
    fs_run_leave_rows (strip * FS_WARP + lane, 0, FS_STRIP_ROWS, pair, out[lane], scratch);
}

static void
push_rows (FsEngine *engine, const FsRunStrip *pairs, FsDischargeScratch *scratch, FsStrip *strips)
{
  int warps[FS_STRIPS];
  fs_host_shuffle (engine, warps, FS_STRIPS);
  for (int i = 0; i < FS_STRIPS; i++)
    push_rows_of (warps[i], &pairs[warps[i]], scratch, strips + warps[i] * FS_WARP);
}

/* Returns whether a strip has excess to push along columns. */
static int
has_columns (int strip, const FsRunStrip *pair, const FsStrip *strips)
{
  int has = 0;
  for (int lane = 0; lane < FS_WARP; lane++)
    has |= fs_run_has (lane, pair, &strips[strip * FS_WARP + lane]);
  return has;
}

static void
push_columns (FsEngine *engine, int step, const FsRunStrip *pairs, FsDischargeScratch *scratch,
              FsRunScratch *runs, FsStrip *strips)
{
  int order[FS_STRIP_THREADS], has[FS_STRIPS];
  uint32_t pushes = 0;
  for (int strip = 0; strip < FS_STRIPS; strip++)
    has[strip] = has_columns (strip, &pairs[strip], strips);
  fs_host_shuffle (engine, order, FS_STRIP_THREADS);
  for (int i = 0; i < FS_STRIP_THREADS; i++) {
    int thread = order[i], strip = thread / FS_WARP;
    fs_run_report_columns (thread, step, has[strip], &pairs[strip], &strips[thread], runs);
  }
  for (int strip = 0; strip < FS_STRIPS; strip++)
    pushes |= runs->pushes[step & 1][strip] != 0 ? 1u << strip : 0;
  fs_host_shuffle (engine, order, FS_STRIP_THREADS);
  for (int i = 0; i < FS_STRIP_THREADS; i++) {
    int thread = order[i];
    int32_t inflow[2];
    fs_run_column_inflow (thread, step, pushes, runs, inflow);
    fs_run_push_columns (thread, &pairs[thread / FS_WARP], inflow, scratch, &strips[thread]);
  }
}

void
fs_host_push_runs (FsEngine *engine, FsDischargeScratch *scratch, FsHostRuns *runs, FsStrip *strips)
{
  int step = 0;
  for (int thread = 0; thread < FS_STRIP_THREADS; thread++)
    fs_run_clear_beyond (thread, &runs->scratch);
  for (int at = runs->scratch.n_pairs - 1; at >= 0; at--) {
    FsRunStrip pairs[FS_STRIPS];
    memcpy (pairs, runs->scratch.pair[at], sizeof pairs);
    if (runs->scratch.columns >> at & 1)
      push_columns (engine, step++, pairs, scratch, &runs->scratch, strips);
    push_rows (engine, pairs, scratch, strips);
  }
}
