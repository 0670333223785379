/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/host_state.h"

#include <stdlib.h>
#include <string.h>

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

FsHaloBits
fs_host_halo_bits (const FsLabelLane *first, size_t stride, int32_t label)
{
  FsHaloBits halo = { .corners = fs_halo_corners (first, label) };
  for (int lane = 0; lane < FS_WARP; lane++) {
    const FsLabelLane *mine = (const void *)((const char *)first + (size_t)lane * stride);
    for (int side = 0; side < 4; side++)
      halo.side[side] |= (uint32_t)(mine->halo[side] == label) << lane;
  }
  return halo;
}

void
fs_host_end_label (FsLabelLane *first, size_t stride_bytes, int32_t label)
{
  FsLabelLane *lanes[FS_WARP];
  uint32_t fresh[FS_WARP];
  for (int lane = 0; lane < FS_WARP; lane++) {
    lanes[lane] = (void *)((char *)first + (size_t)lane * stride_bytes);
    fresh[lane] = lanes[lane]->found & ~lanes[lane]->before;
  }
  for (int lane = 0; lane < FS_WARP; lane++) {
    fs_label_write (lanes[lane], lane, fresh[0], fresh[FS_SIDE - 1], fresh[lane], label);
    lanes[lane]->before = lanes[lane]->found;
  }
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
      FsHaloBits halo = fs_host_halo_bits (lanes, sizeof *lanes, label);
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
      fs_host_wake (engine, neighbour, 0);
  }
}

/* The halo's labels next to the lane's places: the farthest of the three that touch each. */
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

void
fs_host_label_all (FsEngine *engine, int raise)
{
  LabelVisit visits[FS_HOST_VISITS];
  for (; engine->list[0].count > 0; fs_host_end_round (engine)) {
    int count = engine->list[0].count;
    int *order = malloc ((size_t)count * sizeof *order);
    fs_host_shuffle (engine, order, count);
    for (int first = 0; first < count; first += FS_HOST_VISITS) {
      int n = count - first < FS_HOST_VISITS ? count - first : FS_HOST_VISITS;
      for (int i = 0; i < n; i++)
        label_begin (engine, &visits[i], (int)engine->list[0].tile[order[first + i]], raise);
      for (int i = 0; i < n; i++)
        label_end (engine, &visits[i], raise);
    }
    free (order);
  }
}
