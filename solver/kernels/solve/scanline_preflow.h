/* SPDX-License-Identifier: MIT */
/* Scanline pre-flow: flow along rows and columns, before a first cut with 4 neighbours and before
 * one whose t-links are all new.   Layer: solver/kernels.
 *
 * As in solver/cpu/state/scanline_preflow.h: the pass forwards along a scanline notes how much each
 * deficit takes of the flow that arrives, the one backwards decides which pixels give it. A block
 * takes a segment of 32 scanlines, in one direction and then the other: a warp a tile, a lane a
 * scanline. A tile's outflow is a clamped sum of its inflow, and its demand is the demand of the
 * tiles after it plus a constant, with a minimum. Both kinds of function are closed under
 * composition, so all tiles of a segment are processed in parallel. No flow goes from one segment
 * to another, and all rows are done before the columns begin.
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_SCANLINE_PREFLOW_H
#define FS_SOLVER_KERNELS_SOLVE_SCANLINE_PREFLOW_H

#include "solver/kernels/solve/problem.h"

#define FS_PREFLOW_TILES 8     /* in a segment             */
#define FS_PREFLOW_MAX   65535 /* flow through an arc, max */

typedef struct {
  int axis;    /* 0: rows, 1: columns             */
  int tile, n; /* the first tile, number of tiles */
  int step;    /* from a tile to the next         */
} FsPreflowSegment;

/* A lane's scanline in a tile: excess, residuals forwards and backwards, and what deficits take. */
typedef struct {
  int32_t excess[FS_SIDE], residual[2][FS_SIDE], taken[FS_SIDE];
} FsPreflowLane;

/* The outflow of a tile or pixel: inflow + `more`, clamped to [min, max]. */
typedef struct {
  int32_t more, min, max;
} FsPreflowOutflow;

/* The demand at a tile's entry: max (demand after it + `more`, min). */
typedef struct {
  int32_t more, min;
} FsPreflowDemand;

/* The number of segments of a photo, and the i-th. */
FS_BOTH int
fs_preflow_n_segments (const FsGridState *grid, int axis)
{
  int length = axis == 0 ? grid->tiles_x : grid->tiles_y;
  int n_lines = axis == 0 ? grid->tiles_y : grid->tiles_x;
  return n_lines * ((length + FS_PREFLOW_TILES - 1) / FS_PREFLOW_TILES);
}

FS_PHASE FsPreflowSegment
fs_preflow_segment (const FsGridState *grid, int axis, int i)
{
  int length = axis == 0 ? grid->tiles_x : grid->tiles_y;
  int n_lines = axis == 0 ? grid->tiles_y : grid->tiles_x;
  int line = i % n_lines, first = i / n_lines * FS_PREFLOW_TILES;
  FsPreflowSegment segment = { axis, 0, fs_min_i32 (length - first, FS_PREFLOW_TILES), 0 };
  segment.tile = axis == 0 ? line * grid->tiles_x + first : first * grid->tiles_x + line;
  segment.step = axis == 0 ? 1 : grid->tiles_x;
  return segment;
}

/* The arc forwards (0) or backwards (1) along an axis. */
FS_BOTH int
fs_preflow_arc (int axis, int way)
{
  return axis + 2 * way;
}

/* A tile's residuals of an arc. */
FS_PHASE uint16_t *
fs_preflow_residual (const FsGridState *grid, size_t tile, int arc)
{
  return grid->residual + (tile * 4 + arc) * FS_TILE_PIXELS;
}

/* The i-th pixel in a direction (0: forwards). */
FS_PHASE int
fs_preflow_at (int way, int i)
{
  return way == 0 ? i : FS_SIDE - 1 - i;
}

/* Excess, clamped to what an arc can carry. */
FS_PHASE int32_t
fs_preflow_excess (const FsPreflowLane *mine, int at)
{
  return fs_max_i32 (fs_min_i32 (mine->excess[at], FS_PREFLOW_MAX), -FS_PREFLOW_MAX);
}

FS_PHASE int32_t
fs_preflow_outflow (FsPreflowOutflow way, int32_t along)
{
  return fs_min_i32 (fs_max_i32 (along + way.more, way.min), way.max);
}

FS_PHASE int32_t
fs_preflow_demand (FsPreflowDemand want, int32_t wanted)
{
  return fs_max_i32 (wanted + want.more, want.min);
}

/* The outflow of a pixel. */
FS_PHASE FsPreflowOutflow
fs_preflow_pixel (int way, int at, const FsPreflowLane *mine)
{
  int32_t excess = fs_preflow_excess (mine, at);
  FsPreflowOutflow pixel = { excess, fs_max_i32 (excess, 0), mine->residual[way][at] };
  return pixel;
}

/* The outflow of the lane's scanline. */
FS_PHASE FsPreflowOutflow
fs_preflow_measure (int way, const FsPreflowLane *mine)
{
  FsPreflowOutflow all = { 0, 0, FS_PREFLOW_MAX };
  FS_UNROLL
  for (int i = 0; i < FS_SIDE; i++) {
    FsPreflowOutflow next = fs_preflow_pixel (way, fs_preflow_at (way, i), mine);
    all.min = fs_max_i32 (all.min + next.more, next.min);
    all.max = fs_min_i32 (fs_max_i32 (all.max + next.more, next.min), next.max);
    all.more += next.more;
  }
  return all;
}

/* The pass forwards: notes what each deficit takes. Returns the demand that results. */
FS_PHASE FsPreflowDemand
fs_preflow_forwards (int way, int32_t along, FsPreflowLane *mine)
{
  FsPreflowDemand all = { 0, 0 };
  FS_UNROLL
  for (int i = 0; i < FS_SIDE; i++) {
    int at = fs_preflow_at (way, i);
    FsPreflowOutflow next = fs_preflow_pixel (way, at, mine);
    mine->taken[at] = fs_min_i32 (along, next.min - next.more);
    along = fs_preflow_outflow (next, along);
  }
  FS_UNROLL
  for (int i = FS_SIDE - 1; i >= 0; i--) {
    int at = fs_preflow_at (way, i);
    int32_t taken = mine->taken[at];
    int32_t more = taken - fs_max_i32 (fs_preflow_excess (mine, at), 0);
    all.min = fs_max_i32 (all.min + more, taken);
    all.more += more;
  }
  return all;
}

/* The pass backwards: satisfies the demand. Returns whether anything changes. */
FS_PHASE int
fs_preflow_backwards (int way, int32_t wanted, FsPreflowLane *mine)
{
  int32_t any = wanted;
  FS_UNROLL
  for (int i = FS_SIDE - 1; i >= 0; i--) {
    int at = fs_preflow_at (way, i);
    int32_t given = fs_min_i32 (wanted, fs_max_i32 (mine->excess[at], 0));
    mine->residual[way][at] -= wanted;
    mine->excess[at] += mine->taken[at] - given;
    wanted += mine->taken[at] - given;
    mine->residual[1 - way][at] += wanted;
    any |= wanted;
  }
  return any != 0;
}

#endif
