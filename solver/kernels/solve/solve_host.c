/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/solve_host.h"

#include "solver/kernels/solve/runs_host.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_AT_ONCE = 3, MAX_EPOCHS = 100000, DISTANCE_CAP_GROWTH = 2 };

/* --- Rounds --- */

static void
wake (FsEngine *engine, int tile, uint32_t flags)
{
  if (fs_set_bits (&engine->grid.flags[tile], FS_TILE_QUEUED | flags) & FS_TILE_QUEUED)
    return;
  engine->list[1].tile[engine->list[1].count++] = (uint32_t)tile;
}

static void
end_round (FsEngine *engine)
{
  FsHostList done = engine->list[0];
  engine->list[0] = engine->list[1];
  engine->list[1] = done;
  engine->list[1].count = 0;
}

static void
gather_tiles (FsEngine *engine, uint32_t wanted, uint32_t cleared)
{
  for (int tile = 0; tile < engine->grid.n_tiles; tile++) {
    uint32_t old = engine->grid.flags[tile];
    engine->grid.flags[tile] = old & ~(cleared | FS_TILE_QUEUED);
    if (old & wanted)
      wake (engine, tile, 0);
  }
  end_round (engine);
}

/* --- Labels --- */

void
fs_host_absorb (FsEngine *engine, int tile)
{
  FsGridState *grid = &engine->grid;
  if (!(fs_clear_bits (&grid->flags[tile], FS_TILE_BORDER_FLOW) & FS_TILE_BORDER_FLOW))
    return;
  for (int slot = 0; slot < grid->n_slots; slot++) {
    int order[FS_WARP];
    fs_host_shuffle (engine, order, FS_WARP);
    for (int i = 0; i < FS_WARP; i++) {
      uint32_t *border_flow =
          &grid->border_flow[((size_t)tile * grid->n_slots + slot) * FS_SIDE + order[i]];
      uint32_t flow = *border_flow;
      *border_flow = 0;
      fs_absorb (grid, grid->n_arcs, tile, slot, order[i], flow);
    }
  }
}

/* The halo's pixels with one label; lanes lie `stride` bytes apart. */
static FsHaloBits
halo_bits (const FsLabelLane *first, size_t stride, int32_t label)
{
  FsHaloBits halo = { .corners = fs_halo_corners (first, label) };
  for (int lane = 0; lane < FS_WARP; lane++) {
    const FsLabelLane *mine = (const void *)((const char *)first + (size_t)lane * stride);
    for (int side = 0; side < 4; side++)
      halo.side[side] |= (uint32_t)(mine->halo[side] == label) << lane;
  }
  return halo;
}

static void
fill_columns (FsEngine *engine, FsLabelLane *lanes, int down)
{
  FsColumnFill fill[FS_WARP], next[FS_WARP];
  int order[FS_WARP];
  for (int lane = 0; lane < FS_WARP; lane++)
    fill[lane] = fs_fill_column_start (engine->grid.n_arcs, &lanes[lane], down);
  for (int step = 1; step < FS_SIDE; step *= 2) {
    fs_host_shuffle (engine, order, FS_WARP);
    for (int i = 0; i < FS_WARP; i++) {
      int other = down ? order[i] + step : order[i] - step;
      FsColumnFill none = { 0, 0 };
      next[order[i]] =
          fs_fill_column_step (fill[order[i]], other < 0 || other >= FS_SIDE ? none : fill[other]);
    }
    memcpy (fill, next, sizeof fill);
  }
  for (int lane = 0; lane < FS_WARP; lane++)
    lanes[lane].found = fill[lane].found;
}

static void
fill_diagonals (FsEngine *engine, FsLabelLane *lanes)
{
  uint32_t rows[FS_SIDE + 2] = { 0 };
  int order[FS_WARP];
  for (int lane = 0; lane < FS_WARP; lane++)
    rows[lane + 1] = lanes[lane].found;
  fs_host_shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++)
    fs_fill_diagonals (&lanes[order[i]], rows[order[i]], rows[order[i] + 2]);
}

static void
fill_all (FsEngine *engine, FsLabelLane *lanes)
{
  int changed = 1;
  while (changed) {
    uint32_t by_row[FS_WARP];
    changed = 0;
    for (int lane = 0; lane < FS_WARP; lane++) {
      fs_fill_row (engine->grid.n_arcs, &lanes[lane]);
      by_row[lane] = lanes[lane].found;
    }
    fill_columns (engine, lanes, 1);
    fill_columns (engine, lanes, 0);
    if (engine->grid.n_arcs == 8)
      fill_diagonals (engine, lanes);
    for (int lane = 0; lane < FS_WARP; lane++)
      changed |= lanes[lane].found != by_row[lane];
  }
}

static int32_t
next_label (int n_arcs, const FsLabelLane *lanes, int32_t label)
{
  int32_t next = FS_FAR;
  for (int lane = 0; lane < FS_WARP; lane++)
    next = fs_min_i32 (next, fs_label_next (n_arcs, &lanes[lane], label));
  return next;
}

/* Searches the tile up to labels of the halo below a limit; returns whether the halo has others. */
static int
search_labels (FsEngine *engine, int tile, int32_t limit, FsLabelLane *lanes)
{
  int n_arcs = engine->grid.n_arcs, order[FS_WARP];
  int32_t label = -1;
  int neighbours[8];
  engine->grid.highest[tile] = 0;
  for (int i = 0; i < 8; i++)
    neighbours[i] = fs_tile_neighbour_at (&engine->grid, tile, i);
  fs_host_shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++)
    fs_label_load (&engine->grid, n_arcs, tile, neighbours, order[i], &lanes[order[i]]);
  for (; label < limit; label = next_label (n_arcs, lanes, label)) {
    if (label >= 0) {
      FsHaloBits halo = halo_bits (lanes, sizeof *lanes, label);
      for (int i = 0; i < FS_WARP; i++)
        lanes[order[i]].found |= fs_label_enter (n_arcs, &lanes[order[i]], order[i], &halo);
    }
    fill_all (engine, lanes);
    for (int lane = 0; lane < FS_WARP; lane++)
      if (lanes[lane].found & ~lanes[lane].before)
        engine->grid.highest[tile] = label + 1;
    fs_host_end_label (lanes, sizeof *lanes, label + 1);
  }
  return label != FS_FAR;
}

/* A label visit in two halves, between which other tiles may come. */
typedef struct {
  int tile, is_cut;
  FsLabelLane lanes[FS_WARP];
} LabelVisit;

static void
label_begin (FsEngine *engine, LabelVisit *visit, int tile, int raise)
{
  visit->tile = tile;
  fs_clear_bits (&engine->grid.flags[tile], FS_TILE_QUEUED);
  if (raise)
    fs_host_absorb (engine, tile);
  visit->is_cut = search_labels (engine, tile, raise ? FS_FAR : engine->distance_cap, visit->lanes);
}

static void
wake_neighbours (FsEngine *engine, int tile, uint32_t bits)
{
  for (; bits != 0; bits &= bits - 1) {
    int arc = fs_lowest_bit (bits);
    int neighbour = fs_tile_neighbour_at (&engine->grid, tile, arc);
    if (neighbour >= 0)
      wake (engine, neighbour, 0);
  }
}

/* What of the halo lies beside the lane's places: the farthest of the three that touch each. */
static void
near_lane (const LabelVisit *visit, int n_arcs, int lane, int32_t near[4])
{
  for (int side = 0; side < 4; side++) {
    near[side] = visit->lanes[lane].halo[side];
    for (int other = lane - 1; n_arcs == 8 && other <= lane + 1; other += 2)
      if (other >= 0 && other < FS_WARP)
        near[side] = fs_max_i32 (near[side], visit->lanes[other].halo[side]);
  }
}

/* The words of the tile's rows, whether it has excess that can reach a deficit, and whether it
 * is to be searched again with a greater distance cap. */
static void
label_end_rows (FsEngine *engine, const LabelVisit *visit)
{
  FsGridState *grid = &engine->grid;
  uint32_t active = 0;
  for (int lane = 0; lane < FS_WARP; lane++) {
    size_t row = (size_t)visit->tile * FS_SIDE + lane;
    grid->found[row] = visit->lanes[lane].found;
    active |= grid->excess_bits[row] & visit->lanes[lane].found;
  }
  uint32_t flags = (active != 0 ? FS_TILE_ACTIVE : 0) | (visit->is_cut ? FS_TILE_CUT : 0);
  fs_clear_bits (&grid->flags[visit->tile], (FS_TILE_ACTIVE | FS_TILE_CUT) & ~flags);
  fs_set_bits (&grid->flags[visit->tile], FS_TILE_MOVED | flags);
  engine->is_cut |= visit->is_cut;
}

static void
label_end (FsEngine *engine, LabelVisit *visit, int raise)
{
  FsGridState *grid = &engine->grid;
  uint32_t woken = 0;
  int order[FS_WARP];
  fs_host_shuffle (engine, order, FS_WARP);
  for (int i = 0; i < FS_WARP; i++) {
    int lane = order[i];
    int32_t near[4];
    const FsLabelLane *mine = &visit->lanes[lane];
    near_lane (visit, grid->n_arcs, lane, near);
    uint32_t changed = raise ? fs_label_raise (grid, visit->tile, lane, mine)
                             : fs_label_lower (grid, visit->tile, lane, mine);
    woken |= raise ? fs_label_wake (grid->n_arcs, lane, changed)
                   : fs_label_wake_lowered (grid->n_arcs, lane, changed, mine, near);
  }
  if (!raise)
    label_end_rows (engine, visit);
  wake_neighbours (engine, visit->tile, woken);
  fs_set_bits (&grid->flags[visit->tile], FS_TILE_VISITED);
  engine->n_labellings++;
}

static void
label_all (FsEngine *engine, int raise)
{
  LabelVisit visits[MAX_AT_ONCE];
  for (; engine->list[0].count > 0; end_round (engine)) {
    int count = engine->list[0].count;
    int *order = malloc ((size_t)count * sizeof *order);
    fs_host_shuffle (engine, order, count);
    for (int first = 0; first < count; first += MAX_AT_ONCE) {
      int n = count - first < MAX_AT_ONCE ? count - first : MAX_AT_ONCE;
      for (int i = 0; i < n; i++)
        label_begin (engine, &visits[i], (int)engine->list[0].tile[order[first + i]], raise);
      for (int i = 0; i < n; i++)
        label_end (engine, &visits[i], raise);
    }
    free (order);
  }
}

/* --- Discharging --- */

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
  FsHaloBits halo = halo_bits (&visit->slopes[0].label, sizeof visit->slopes[0], label);
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
      wake (engine, to, FS_TILE_BORDER_FLOW | FS_TILE_STALE | FS_TILE_SUMS);
    }
  if (visit->active)
    wake (engine, visit->tile, 0);
  fs_set_bits (&grid->flags[visit->tile], FS_TILE_STALE | FS_TILE_SUMS);
  engine->n_discharges++;
}

static void
discharge_all (FsEngine *engine)
{
  DischargeVisit *visits = malloc (MAX_AT_ONCE * sizeof *visits);
  for (int round = 0; round < engine->rounds && engine->list[0].count > 0; round++) {
    int count = engine->list[0].count;
    int *order = malloc ((size_t)count * sizeof *order);
    fs_host_shuffle (engine, order, count);
    for (int first = 0; first < count; first += MAX_AT_ONCE) {
      int n = count - first < MAX_AT_ONCE ? count - first : MAX_AT_ONCE;
      for (int i = 0; i < n; i++)
        discharge_begin (engine, &visits[i], (int)engine->list[0].tile[order[first + i]]);
      for (int i = 0; i < n; i++)
        discharge_end (engine, &visits[i]);
    }
    free (order);
    end_round (engine);
  }
  free (visits);
}

/* --- The solve --- */

/* Makes labels exact, and puts the tiles in which something can flow on the list. Returns whether
 * there are any, or labels that were not looked for. */
static int
label_and_gather (FsEngine *engine)
{
  engine->is_cut = 0;
  gather_tiles (engine, FS_TILE_STALE, FS_TILE_STALE);
  label_all (engine, 1);
  gather_tiles (engine, FS_TILE_VISITED | FS_TILE_CUT, FS_TILE_VISITED);
  label_all (engine, 0);
  gather_tiles (engine, FS_TILE_ACTIVE, FS_TILE_VISITED);
  return engine->list[0].count > 0 || engine->is_cut;
}

int
fs_host_solve (FsEngine *engine, int (*is_cancelled) (void *), void *data, int64_t *epochs)
{
  for (engine->distance_cap = fs_first_distance_cap (engine->first_distance_cap);;) {
    int goes_on = label_and_gather (engine);
    ++*epochs;
    if (!goes_on)
      return FS_ENGINE_DONE;
    int cancelled = is_cancelled (data);
    discharge_all (engine);
    for (int tile = 0; cancelled && tile < engine->grid.n_tiles; tile++)
      fs_host_absorb (engine, tile);
    if (cancelled || *epochs > MAX_EPOCHS)
      return cancelled ? FS_ENGINE_CANCELLED : FS_ENGINE_FAILED;
    engine->distance_cap = fs_next_distance_cap (engine->distance_cap, DISTANCE_CAP_GROWTH);
  }
}
