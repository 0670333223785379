/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/host_state.h"

#include "solver/kernels/solve/runs_host.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int tile, active;
  FsDischargeScratch scratch;
  FsStrip strips[FS_STRIP_THREADS];
  FsSlopeLane slopes[FS_WARP]; /* with 8 neighbours */
  FsHostRuns runs;             /* with 4            */
} DischargeVisit;

/* A row of a strip: the lanes give over all arcs, then they take. */
static void
push_row (FsEngine *engine, DischargeVisit *visit, int strip, int k)
{
  int n_arcs = engine->grid.n_arcs, order[FS_WARP], can_push = 0;
  FsStrip *lanes = visit->strips + strip * FS_WARP;
  int32_t flow[FS_MAX_ARCS][FS_WARP];
  for (int lane = 0; lane < FS_WARP; lane++)
    can_push |= fs_discharge_can_push (&lanes[lane], k);
  if (!can_push)
    return;
  fs_host_shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++) {
    int lane = order[i], thread = strip * FS_WARP + lane;
    int32_t given[FS_MAX_ARCS];
    fs_discharge_give (n_arcs, k, &lanes[lane], given);
    for (int arc = 0; arc < n_arcs; arc++)
      flow[arc][lane] =
          fs_discharge_send (n_arcs, arc, k, thread, given[arc], &visit->scratch, &lanes[lane]);
  }
  for (int i = 0; i < FS_WARP; i++)
    for (int arc = 0; arc < n_arcs; arc++) {
      int giver = order[i] - fs_arc_dx (n_arcs, arc), to = k + fs_arc_dy (n_arcs, arc);
      if (giver >= 0 && giver < FS_WARP && to >= 0 && to < FS_STRIP_ROWS)
        fs_discharge_take (n_arcs, arc, to, flow[arc][giver], &lanes[order[i]]);
    }
}

/* Returns whether anything moved. */
static int
push_all (FsEngine *engine, DischargeVisit *visit, int upwards)
{
  int n_arcs = engine->grid.n_arcs, order[FS_STRIP_THREADS], moved = 0;
  int strips[FS_STRIPS];
  fs_host_shuffle (engine, strips, FS_STRIPS);
  for (int i = 0; i < FS_STRIPS; i++)
    for (int k = 0; k < FS_STRIP_ROWS; k++)
      push_row (engine, visit, strips[i], upwards ? FS_STRIP_ROWS - 1 - k : k);
  fs_host_shuffle (engine, order, FS_STRIP_THREADS);
  for (int i = 0; i < FS_STRIP_THREADS; i++) {
    FsStrip *mine = &visit->strips[order[i]];
    fs_discharge_fetch (n_arcs, order[i], &visit->scratch, mine);
    moved |= (int)mine->moved;
    mine->moved = 0;
  }
  return moved;
}

static void
show_bits (FsEngine *engine, DischargeVisit *visit)
{
  FsDischargeScratch *scratch = &visit->scratch;
  memset (scratch->open, 0, sizeof scratch->open);
  memset (scratch->deficit, 0, sizeof scratch->deficit);
  memset (scratch->excess_bits, 0, sizeof scratch->excess_bits);
  for (int at = 0; at < FS_TILE_PIXELS; at++) {
    int x = at % FS_SIDE, y = at / FS_SIDE, k = y % FS_STRIP_ROWS;
    const FsStrip *mine = &visit->strips[y / FS_STRIP_ROWS * FS_WARP + x];
    for (int arc = 0; arc < engine->grid.n_arcs; arc++)
      scratch->open[arc][y] |= (uint32_t)(mine->residual[arc][k] > 0) << x;
    scratch->deficit[y] |= (uint32_t)(mine->excess[k] < 0) << x;
    scratch->excess_bits[y] |= (uint32_t)(mine->excess[k] > 0) << x;
  }
}

static int
has_found_all (const DischargeVisit *visit)
{
  for (int lane = 0; lane < FS_WARP; lane++)
    if (fs_slope_left (lane, &visit->scratch, &visit->slopes[lane]) != 0)
      return 0;
  return 1;
}

/* Steps of the search; returns whether the last found any pixel. */
static int
slope_steps (FsEngine *engine, FsSlopeLane *lanes)
{
  uint32_t rows[FS_SIDE + 2] = { 0 }, any = 0;
  int order[FS_WARP];
  for (int step = 0; step < FS_SLOPE_STEPS; step++) {
    for (int lane = 0; lane < FS_WARP; lane++)
      rows[lane + 1] = lanes[lane].fresh;
    fs_host_shuffle (engine, order, FS_WARP);
    for (int i = 0; i < FS_WARP; i++)
      fs_slope_step (engine->grid.n_arcs, &lanes[order[i]], rows[order[i]], rows[order[i] + 2]);
  }
  for (int lane = 0; lane < FS_WARP; lane++)
    any |= lanes[lane].fresh;
  return any != 0;
}

static int32_t
next_halo_label (int n_arcs, const FsSlopeLane *lanes, int32_t label)
{
  int32_t next = FS_FAR;
  for (int lane = 0; lane < FS_WARP; lane++)
    next = fs_min_i32 (next, fs_label_next (n_arcs, &lanes[lane].label, label));
  return next;
}

/* The pixels that reach the halo at a label. */
static void
enter_label (FsEngine *engine, DischargeVisit *visit, int32_t label)
{
  FsHaloBits halo = fs_host_halo_bits (&visit->slopes[0].label, sizeof visit->slopes[0], label);
  for (int lane = 0; lane < FS_WARP; lane++)
    fs_slope_enter (engine->grid.n_arcs, lane, &halo, &visit->scratch, &visit->slopes[lane]);
}

/* As fs_warp_slopes() of the device. */
static int
find_slopes (FsEngine *engine, DischargeVisit *visit, int labels)
{
  int n_arcs = engine->grid.n_arcs, active = 0;
  FsSlopeLane *lanes = visit->slopes;
  int32_t limit =
      fs_discharge_limit (&engine->grid, visit->tile, engine->rise, engine->distance_cap);
  for (int lane = 0; lane < FS_WARP; lane++)
    fs_slope_start (n_arcs, lane, &visit->scratch, &lanes[lane]);
  for (int32_t label = -1;;) {
    while ((labels || !has_found_all (visit)) && slope_steps (engine, lanes))
      ;
    if (!labels && has_found_all (visit))
      break;
    fs_host_end_label (&lanes->label, sizeof *lanes, label + 1);
    label = next_halo_label (n_arcs, lanes, label);
    for (int lane = 0; lane < FS_WARP && label >= limit; lane++)
      visit->scratch.lost[lane] = ~lanes[lane].label.found;
    if (label >= limit)
      break;
    enter_label (engine, visit, label);
  }
  for (int lane = 0; lane < FS_WARP; lane++)
    active |= fs_slope_end (n_arcs, lane, &lanes[lane], &visit->scratch);
  return active;
}

/* As fs_warp_search_tile() of the device. */
static int
search_tile (FsEngine *engine, DischargeVisit *visit, int is_last)
{
  uint32_t left = 0;
  for (int lane = 0; lane < FS_WARP; lane++)
    left |= visit->scratch.excess_bits[lane] & ~visit->scratch.lost[lane];
  if (!is_last && left != 0 && find_slopes (engine, visit, 0))
    return 1;
  return find_slopes (engine, visit, 1);
}

/* The border flow, in the scratch memory. */
static void
take_border_flow (FsEngine *engine, DischargeVisit *visit)
{
  FsGridState *grid = &engine->grid;
  fs_clear_bits (&grid->flags[visit->tile], FS_TILE_BORDER_FLOW);
  for (int slot = 0; slot < grid->n_slots; slot++)
    for (int i = 0; i < FS_SIDE; i++) {
      uint32_t *border_flow =
          &grid->border_flow[((size_t)visit->tile * grid->n_slots + slot) * FS_SIDE + i];
      visit->scratch.border_flow[slot][i] = *border_flow;
      *border_flow = 0;
    }
}

static void
load_visit (FsEngine *engine, DischargeVisit *visit)
{
  FsGridState *grid = &engine->grid;
  int order[FS_STRIP_THREADS];
  take_border_flow (engine, visit);
  fs_host_shuffle (engine, order, FS_STRIP_THREADS);
  for (int i = 0; i < FS_STRIP_THREADS; i++) {
    FsStrip *mine = &visit->strips[order[i]];
    fs_slope_load_halo (grid, visit->tile, order[i], &visit->scratch);
    fs_discharge_load (grid, grid->n_arcs, visit->tile, order[i], mine);
    fs_discharge_arrive (grid->n_arcs, grid->n_slots, order[i], &visit->scratch, mine);
  }
  for (int i = 0; i < FS_STRIP_THREADS; i++)
    fs_discharge_clear (grid->n_slots, order[i], &visit->scratch);
}

/* A phase of the visit; returns 0 where the visit ends. */
static int
discharge_phase (FsEngine *engine, DischargeVisit *visit, int is_last)
{
  int n_arcs = engine->grid.n_arcs;
  show_bits (engine, visit);
  visit->active =
      n_arcs == FS_RUN_ARCS
          ? fs_host_search_runs (engine, is_last,
                                 fs_discharge_limit (&engine->grid, visit->tile, engine->rise,
                                                     engine->distance_cap),
                                 &visit->scratch, &visit->runs)
          : search_tile (engine, visit, is_last);
  if (!visit->active || is_last)
    return 0;
  if (n_arcs == FS_RUN_ARCS) {
    fs_host_push_runs (engine, &visit->scratch, &visit->runs, visit->strips);
    return 1;
  }
  for (int thread = 0; thread < FS_STRIP_THREADS; thread++)
    fs_discharge_slopes (n_arcs, thread, &visit->scratch, &visit->strips[thread]);
  for (int i = 0; i < engine->pushes && push_all (engine, visit, i % 2 != 0);)
    i++;
  return 1;
}

static void
discharge_begin (FsEngine *engine, DischargeVisit *visit, int tile)
{
  visit->tile = tile;
  fs_clear_bits (&engine->grid.flags[tile], FS_TILE_QUEUED);
  load_visit (engine, visit);
  for (int phase = 0; discharge_phase (engine, visit, phase == engine->phases);)
    phase++;
}

static void
mark_stale (FsEngine *engine, int tile, uint32_t neighbours)
{
  for (; neighbours != 0; neighbours &= neighbours - 1) {
    int arc = fs_lowest_bit (neighbours);
    int neighbour = fs_tile_neighbour_at (&engine->grid, tile, arc);
    if (neighbour >= 0)
      fs_set_bits (&engine->grid.flags[neighbour], FS_TILE_STALE);
  }
}

static void
discharge_end (FsEngine *engine, DischargeVisit *visit)
{
  FsGridState *grid = &engine->grid;
  uint32_t raised = 0;
  for (int thread = 0; thread < FS_STRIP_THREADS; thread++) {
    fs_discharge_leave (grid->n_arcs, thread, &visit->strips[thread], &visit->scratch);
    fs_discharge_store (grid, grid->n_arcs, visit->tile, thread, &visit->strips[thread]);
  }
  for (int lane = 0; lane < FS_WARP; lane++)
    raised |= fs_label_wake (grid->n_arcs, lane,
                             fs_discharge_store_bits (grid, grid->n_arcs, visit->tile, lane,
                                                      engine->distance_cap, &visit->scratch));
  mark_stale (engine, visit->tile, raised);
  for (int slot = 0; slot < grid->n_slots; slot++)
    for (int i = 0; i < FS_SIDE; i++) {
      uint32_t flow = visit->scratch.leaving[slot][i];
      if (flow == 0)
        continue;
      size_t place;
      int to = fs_discharge_address (grid, grid->n_arcs, visit->tile, slot, i, &place);
      grid->border_flow[place] += flow;
      fs_host_wake (engine, to, FS_TILE_BORDER_FLOW | FS_TILE_STALE | FS_TILE_SUMS);
    }
  if (visit->active)
    fs_host_wake (engine, visit->tile, 0);
  fs_set_bits (&grid->flags[visit->tile], FS_TILE_STALE | FS_TILE_SUMS);
  engine->n_discharges++;
}

void
fs_host_discharge_all (FsEngine *engine)
{
  DischargeVisit *visits = malloc (FS_HOST_VISITS * sizeof *visits);
  for (int round = 0; round < engine->rounds && engine->list[0].count > 0; round++) {
    int count = engine->list[0].count;
    int *order = malloc ((size_t)count * sizeof *order);
    fs_host_shuffle (engine, order, count);
    for (int first = 0; first < count; first += FS_HOST_VISITS) {
      int n = count - first < FS_HOST_VISITS ? count - first : FS_HOST_VISITS;
      for (int i = 0; i < n; i++)
        discharge_begin (engine, &visits[i], (int)engine->list[0].tile[order[first + i]]);
      for (int i = 0; i < n; i++)
        discharge_end (engine, &visits[i]);
    }
    free (order);
    fs_host_end_round (engine);
  }
  free (visits);
}
