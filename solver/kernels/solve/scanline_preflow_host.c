/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/host_state.h"

#include "solver/kernels/solve/scanline_preflow.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  FsPreflowSegment segment;
  const int32_t *slots;
  uint32_t marks;
  int changes[FS_PREFLOW_TILES]; /* whether anything flows in the tile */
  FsPreflowLane lanes[FS_PREFLOW_TILES][FS_WARP];
} Visit;

/* The k-th tile of the segment; −1: none. */
static int
tile_of (const Visit *visit, int k)
{
  int tile = visit->segment.tile + k * visit->segment.step;
  return visit->slots != NULL ? visit->slots[tile] : tile;
}

static int
pixel_of (const Visit *visit, int lane, int i)
{
  return visit->segment.axis == 0 ? lane * FS_SIDE + i : i * FS_SIDE + lane;
}

static void
load_lanes (const FsGridState *grid, Visit *visit, int k)
{
  memset (visit->lanes[k], 0, sizeof visit->lanes[k]);
  visit->changes[k] = 0;
  if (tile_of (visit, k) < 0)
    return;
  size_t tile = (size_t)tile_of (visit, k);
  for (int lane = 0; lane < FS_WARP; lane++)
    for (int i = 0; i < FS_SIDE; i++) {
      int pixel = pixel_of (visit, lane, i);
      FsPreflowLane *mine = &visit->lanes[k][lane];
      mine->excess[i] = grid->excess[tile * FS_TILE_PIXELS + (size_t)pixel];
      for (int way = 0; way < 2; way++)
        mine->residual[way][i] =
            fs_preflow_residual (grid, tile, fs_preflow_arc (visit->segment.axis, way))[pixel];
    }
}

static void
store_lanes (const FsGridState *grid, const Visit *visit, int k)
{
  if (tile_of (visit, k) < 0)
    return;
  size_t tile = (size_t)tile_of (visit, k);
  for (int lane = 0; lane < FS_WARP; lane++)
    for (int i = 0; i < FS_SIDE; i++) {
      int pixel = pixel_of (visit, lane, i);
      const FsPreflowLane *mine = &visit->lanes[k][lane];
      grid->excess[tile * FS_TILE_PIXELS + (size_t)pixel] = mine->excess[i];
      fs_refresh_excess_bits (grid, (int)tile, pixel);
      for (int way = 0; way < 2; way++) {
        int arc = fs_preflow_arc (visit->segment.axis, way);
        uint32_t *word = fs_open_word (grid, 4, (int)tile, arc, pixel / FS_SIDE);
        fs_preflow_residual (grid, tile, arc)[pixel] = (uint16_t)mine->residual[way][i];
        fs_clear_bits (word, 1u << pixel % FS_SIDE);
        fs_set_bits (word, (mine->residual[way][i] > 0 ? 1u : 0) << pixel % FS_SIDE);
      }
    }
  if (visit->changes[k])
    fs_set_bits (&grid->flags[tile], visit->marks);
}

/* Both passes in one direction, along a lane's scanline through all tiles. */
static void
push_lane (Visit *visit, int way, int lane)
{
  int n = visit->segment.n;
  FsPreflowDemand demand[FS_PREFLOW_TILES];
  int32_t along = 0, wanted = 0;
  for (int i = 0; i < n; i++) {
    int k = way == 0 ? i : n - 1 - i;
    FsPreflowOutflow all = fs_preflow_measure (way, &visit->lanes[k][lane]);
    demand[k] = fs_preflow_forwards (way, along, &visit->lanes[k][lane]);
    along = fs_preflow_outflow (all, along);
  }
  for (int i = n - 1; i >= 0; i--) {
    int k = way == 0 ? i : n - 1 - i;
    visit->changes[k] |= fs_preflow_backwards (way, wanted, &visit->lanes[k][lane]);
    wanted = fs_preflow_demand (demand[k], wanted);
  }
}

static void
push_segment (FsEngine *engine, Visit *visit)
{
  int order[FS_WARP];
  for (int k = 0; k < visit->segment.n; k++)
    load_lanes (&engine->grid, visit, k);
  for (int way = 0; way < 2; way++) {
    fs_host_shuffle (engine, order, FS_WARP);
    for (int i = 0; i < FS_WARP; i++)
      push_lane (visit, way, order[i]);
  }
  for (int k = 0; k < visit->segment.n; k++)
    store_lanes (&engine->grid, visit, k);
}

void
fs_host_preflow (FsEngine *engine, const int32_t *slots, uint32_t marks)
{
  const FsGridState *grid = &engine->grid;
  Visit *visit = malloc (sizeof *visit);
  int *order = malloc ((size_t)grid->tiles_x * grid->tiles_y * sizeof *order);
  visit->slots = slots;
  visit->marks = marks;
  for (int axis = 0; axis < 2; axis++) {
    int n = fs_preflow_n_segments (grid, axis);
    fs_host_shuffle (engine, order, n);
    for (int i = 0; i < n; i++) {
      visit->segment = fs_preflow_segment (grid, axis, order[i]);
      push_segment (engine, visit);
    }
  }
  free (order);
  free (visit);
}
