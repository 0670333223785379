/* SPDX-License-Identifier: MIT */
/* Discharging one tile: push and relabel in registers.   Layer: solver/kernels.
 *
 * 256 threads work on a tile: warp s on the strip of rows 4s … 4s + 3, a thread on its column of 4
 * pixels, with excess and residuals in registers. Flow to the adjacent thread goes by a shuffle,
 * flow to the next strip through shared scratch memory, and flow out of the tile is summed in the
 * scratch memory and posted to the neighbours in the end.
 *
 * A visit has a few phases. At the beginning of a phase one warp searches the tile breadth-first,
 * backwards over residual arcs: from its deficits, then from the pixels of the halo, in ascending
 * order of labels. Arcs that the search followed backwards lead downhill. Then excess is pushed
 * downhill, row after row, alternately downwards and upwards, until none moves. The visit ends when
 * a search finds no excess. (Augmenting in regions before pushing between them: Shekhovtsov &
 * Hlaváč 2013.) With 4 neighbours searches and pushes sweep along rows and columns instead
 * (runs.h); the rest is the same.
 *
 * A search ends as soon as it has found every excess that can be found. Pixels that one search of a
 * visit did not find, no later one does: flow between pixels that were found opens no arc out of
 * the others. So only the visit's last search, which makes its labels, covers the whole tile.
 *
 * While one warp searches, the others post the flow that the last phase has pushed out of the tile,
 * so that the neighbours need not wait for the visit's end, and fetch the flow that these have
 * posted meanwhile, which may open arcs to pixels that were not found.
 *
 * Excess that is cut off from every deficit would be relabelled upwards for ever, and pushed
 * around. So a visit searches only from halo pixels with labels below a limit: the tile's highest
 * label when labels were exact, plus a constant. Excess that is not found then waits for exact
 * labels.
 *
 * The labels after a visit are estimates for the next one: exact ones come from labels.h. Whatever
 * they are, the flow is feasible. Where a label was raised, labels beyond the border may no longer
 * be confirmed: those tiles are marked.
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_DISCHARGE_H
#define FS_SOLVER_KERNELS_SOLVE_DISCHARGE_H

#include "solver/kernels/solve/labels.h"

#define FS_STRIPS           8
#define FS_STRIP_ROWS       (FS_SIDE / FS_STRIPS)
#define FS_STRIP_THREADS    (FS_STRIPS * FS_WARP)
#define FS_STRIP_DOWN       0
#define FS_STRIP_UP         1
#define FS_DISTANCE_CAP_MAX 128 /* greater caps are none */
#define FS_SLOPE_STEPS      4   /* steps of a search between checks whether it is done */

/* 1 where a block has its multiprocessor's registers to itself: sideways flow out of the tile is
 * summed in registers, else in scratch memory. */
#ifndef FS_SIDEWAYS_IN_REGISTERS
#define FS_SIDEWAYS_IN_REGISTERS 0
#endif

typedef struct {
  uint32_t border_flow[FS_MAX_SLOTS][FS_SIDE]; /* received from neighbours             */
  uint32_t leaving[FS_MAX_SLOTS][FS_SIDE];     /* flow out of the tile, not posted yet */
  int32_t across[FS_STRIPS][2][3][FS_SIDE];    /* [strip][down, up][dx + 1][lane it left] */
  uint32_t open[FS_MAX_ARCS][FS_SIDE];         /* bits, a word a row                      */
  uint32_t downhill[FS_MAX_ARCS][FS_SIDE];
  uint32_t deficit[FS_SIDE], excess_bits[FS_SIDE];
  uint32_t lost[FS_SIDE];              /* pixels that no search of the visit finds        */
  int32_t halo[4][FS_SIDE], corner[4]; /* labels around the tile, as in FsLabelLane */
  int32_t label[4][FS_SIDE];           /* labels of its own sides                   */
  int32_t active;                      /* whether some excess was found             */
  int32_t has_border_flow;             /* whether flow was received in the search   */
} FsDischargeScratch;

/* A thread's column. */
typedef struct {
  int32_t excess[FS_STRIP_ROWS];
  int32_t residual[FS_MAX_ARCS][FS_STRIP_ROWS];
  uint32_t downhill[FS_STRIP_ROWS];   /* a bit an arc                                 */
  int32_t sideways[3][FS_STRIP_ROWS]; /* [dy + 1]: left the tile, of the first and last lane */
  uint32_t moved;                     /* whether it has pushed since the last check   */
} FsStrip;

/* The distance cap of an epoch: the greatest label from which flow is pushed. */
FS_PHASE int32_t
fs_first_distance_cap (int distance_cap)
{
  return distance_cap > 0 ? distance_cap : FS_FAR;
}

FS_PHASE int32_t
fs_next_distance_cap (int32_t distance_cap, int growth)
{
  return distance_cap < FS_DISTANCE_CAP_MAX ? distance_cap * growth : FS_FAR;
}

/* A visit to the tile searches from halo pixels with labels below this. */
FS_PHASE int32_t
fs_discharge_limit (const FsGridState *grid, int tile, int rise, int32_t distance_cap)
{
  return fs_min_i32 (grid->highest[tile] + rise, distance_cap);
}

FS_PHASE void
fs_discharge_load (const FsGridState *grid, int n_arcs, int tile, int thread, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  size_t first = (size_t)tile * FS_TILE_PIXELS + strip * FS_STRIP_ROWS * FS_SIDE + lane;
  const uint16_t *residual = grid->residual + (size_t)tile * n_arcs * FS_TILE_PIXELS
                             + strip * FS_STRIP_ROWS * FS_SIDE + lane;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    mine->excess[k] = grid->excess[first + k * FS_SIDE];
    FS_UNROLL
    for (int arc = 0; arc < n_arcs; arc++)
      mine->residual[arc][k] = residual[arc * FS_TILE_PIXELS + k * FS_SIDE];
  }
  mine->moved = 0;
  FS_UNROLL
  for (int i = 0; i < 3 * FS_STRIP_ROWS; i++)
    mine->sideways[i / FS_STRIP_ROWS][i % FS_STRIP_ROWS] = 0;
}

/* Adds the border flow in the scratch memory to the thread's column. */
FS_PHASE void
fs_discharge_arrive (int n_arcs, int n_slots, int thread, const FsDischargeScratch *scratch,
                     FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  FS_UNROLL
  for (int slot = 0; slot < n_slots; slot++) {
    int arc = fs_slot_arc (n_arcs, slot);
    int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
    int is_sideways = fs_slot_is_sideways (n_arcs, slot);
    if (is_sideways ? lane != (dx > 0 ? FS_SIDE - 1 : 0) : strip != (dy > 0 ? FS_STRIPS - 1 : 0))
      continue;
    FS_UNROLL
    for (int k = 0; k < FS_STRIP_ROWS; k++) {
      if (!is_sideways && k != (dy > 0 ? FS_STRIP_ROWS - 1 : 0))
        continue;
      int32_t flow =
          (int32_t)scratch->border_flow[slot][is_sideways ? strip * FS_STRIP_ROWS + k : lane];
      mine->excess[k] += flow;
      mine->residual[arc][k] += flow;
    }
  }
}

FS_PHASE void
fs_discharge_clear (int n_slots, int thread, FsDischargeScratch *scratch)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  for (int slot = strip; slot < n_slots; slot += FS_STRIPS)
    scratch->leaving[slot][lane] = 0;
  for (int i = 0; i < 6; i++)
    scratch->across[strip][i / 3][i % 3][lane] = 0;
}

/* The search, in lane y of the warp that makes it. */
typedef struct {
  FsLabelLane label; /* open: but for arcs that leave the tile upwards or downwards */
  uint32_t fresh;    /* pixels of the row found at the last step                    */
  uint32_t downhill[FS_MAX_ARCS];
} FsSlopeLane;

/* Loads the halo's labels, for all searches of the visit: four of the eight strips load a side
 * each, so that the loads overlap. */
FS_PHASE void
fs_slope_load_halo (const FsGridState *grid, int tile, int thread, FsDischargeScratch *scratch)
{
  int lane = thread % FS_WARP, side = thread / FS_WARP - (FS_STRIPS - 4);
  if (side >= 0) {
    int neighbour = fs_tile_neighbour_at (grid, tile, fs_label_side_tile (side));
    scratch->halo[side][lane] = fs_label_halo_side (grid, tile, neighbour, side, lane);
  }
  if (thread / FS_WARP == 0) {
    scratch->lost[lane] = 0;
    if (lane < 4 && grid->n_arcs == 8) {
      int neighbour = fs_tile_neighbour_at (grid, tile, fs_label_corner_tile (lane));
      scratch->corner[lane] = fs_label_halo_corner (grid, tile, neighbour, lane);
    } else if (lane < 4) {
      scratch->corner[lane] = FS_FAR;
    }
  }
}

FS_PHASE void
fs_slope_start (int n_arcs, int lane, const FsDischargeScratch *scratch, FsSlopeLane *mine)
{
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int y = lane + fs_arc_dy (n_arcs, arc);
    mine->label.open[arc] = y >= 0 && y < FS_SIDE ? scratch->open[arc][lane] : 0;
    mine->downhill[arc] = 0;
  }
  mine->label.found = mine->fresh = scratch->deficit[lane];
  mine->label.before = 0;
  FS_UNROLL
  for (int i = 0; i < 4; i++) {
    mine->label.halo[i] = scratch->halo[i][lane];
    mine->label.corner[i] = scratch->corner[i];
    mine->label.label[i] = FS_FAR;
  }
}

/* The row's excess that is still to be found. */
FS_PHASE uint32_t
fs_slope_left (int lane, const FsDischargeScratch *scratch, const FsSlopeLane *mine)
{
  return scratch->excess_bits[lane] & ~(mine->label.found | scratch->lost[lane]);
}

/* Finds the row's pixels with an arc to a given pixel, and records these arcs. */
FS_PHASE void
fs_slope_find (int n_arcs, const uint32_t reached[FS_MAX_ARCS], FsSlopeLane *mine)
{
  uint32_t all = 0;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    all |= reached[arc];
  mine->fresh = all & ~mine->label.found;
  mine->label.found |= mine->fresh;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    mine->downhill[arc] |= reached[arc] & mine->fresh;
}

/* One step of the search: pixels with arcs to those that the last step found in the row and in the
 * rows above and below. */
FS_PHASE void
fs_slope_step (int n_arcs, FsSlopeLane *mine, uint32_t above, uint32_t below)
{
  uint32_t reached[FS_MAX_ARCS];
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
    uint32_t row = dy < 0 ? above : dy > 0 ? below : mine->fresh;
    reached[arc] = mine->label.open[arc] & (dx > 0 ? row >> 1 : dx < 0 ? row << 1 : row);
  }
  fs_slope_find (n_arcs, reached, mine);
}

/* The row's pixels whose arc, if open, would lead to one of the halo's pixels. */
FS_PHASE uint32_t
fs_slope_outside (int n_arcs, int arc, int lane, const FsHaloBits *halo)
{
  int dx = fs_arc_dx (n_arcs, arc), y = lane + fs_arc_dy (n_arcs, arc);
  if (n_arcs == 8)
    return (uint32_t)(fs_halo_row (halo, y) >> (1 + dx));
  if (dx != 0)
    return dx > 0 ? (halo->side[FS_RIGHT] >> lane & 1u) << (FS_SIDE - 1)
                  : halo->side[FS_LEFT] >> lane & 1u;
  return y < 0 ? halo->side[FS_TOP] : y >= FS_SIDE ? halo->side[FS_BOTTOM] : 0;
}

/* Finds the row's pixels with arcs to the halo's pixels. */
FS_PHASE void
fs_slope_enter (int n_arcs, int lane, const FsHaloBits *halo, const FsDischargeScratch *scratch,
                FsSlopeLane *mine)
{
  uint32_t reached[FS_MAX_ARCS];
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    reached[arc] = scratch->open[arc][lane] & fs_slope_outside (n_arcs, arc, lane, halo);
  fs_slope_find (n_arcs, reached, mine);
}

/* Stores the result of the search. Returns whether excess of the row was found. */
FS_PHASE int
fs_slope_end (int n_arcs, int lane, const FsSlopeLane *mine, FsDischargeScratch *scratch)
{
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    scratch->downhill[arc][lane] = mine->downhill[arc];
  FS_UNROLL
  for (int side = 0; side < 4; side++)
    scratch->label[side][lane] = mine->label.label[side];
  return (scratch->excess_bits[lane] & mine->label.found) != 0;
}

/* Loads the downhill arcs of the column. */
FS_PHASE void
fs_discharge_slopes (int n_arcs, int thread, const FsDischargeScratch *scratch, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    uint32_t downhill = 0;
    FS_UNROLL
    for (int arc = 0; arc < n_arcs; arc++)
      downhill |= (scratch->downhill[arc][strip * FS_STRIP_ROWS + k] >> lane & 1u) << arc;
    mine->downhill[k] = downhill;
  }
}

FS_PHASE int
fs_discharge_can_push (const FsStrip *mine, int k)
{
  return mine->excess[k] > 0 && mine->downhill[k] != 0;
}

/* Takes from row k of the column the flow that its downhill arcs can carry, each from what the
 * previous arcs left: prefix sums of residuals, so that there is no chain of dependences. */
FS_PHASE void
fs_discharge_give (int n_arcs, int k, FsStrip *mine, int32_t flow[FS_MAX_ARCS])
{
  int32_t left = mine->excess[k];
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int32_t capacity = mine->downhill[k] >> arc & 1u ? mine->residual[arc][k] : 0;
    flow[arc] = fs_max_i32 (fs_min_i32 (left, capacity), 0);
    left -= capacity;
    mine->residual[arc][k] -= flow[arc];
    mine->moved |= (uint32_t)flow[arc];
  }
  mine->excess[k] = mine->excess[k] > 0 ? fs_max_i32 (left, 0) : mine->excess[k];
}

/* The arcs with flow, a bit each; and the arcs that lead dy rows down. */
FS_PHASE uint32_t
fs_discharge_given (int n_arcs, const int32_t flow[FS_MAX_ARCS])
{
  uint32_t given = 0;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    given |= flow[arc] != 0 ? 1u << arc : 0;
  return given;
}

FS_PHASE uint32_t
fs_discharge_arcs (int n_arcs, int dy)
{
  uint32_t arcs = 0;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    arcs |= fs_arc_dy (n_arcs, arc) == dy ? 1u << arc : 0;
  return arcs;
}

/* Stores flow out of the tile or into another strip, at most once per arc in a pass. Returns the
 * flow for the thread at lane + dx of the same strip (row k + dy). */
FS_PHASE int32_t
fs_discharge_send (int n_arcs, int arc, int k, int thread, int32_t flow,
                   FsDischargeScratch *scratch, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
  int y = strip * FS_STRIP_ROWS + k, to_k = k + dy;
  int is_across = to_k < 0 || to_k >= FS_STRIP_ROWS;
  if (is_across && (y + dy < 0 || y + dy >= FS_SIDE)) {
    if (flow != 0)
      scratch->leaving[fs_slot_vertical (n_arcs, arc)][lane] += (uint32_t)flow;
    return 0;
  }
  int32_t out = dx != 0 && lane == (dx > 0 ? FS_WARP - 1 : 0) ? flow : 0;
  if (FS_SIDEWAYS_IN_REGISTERS)
    mine->sideways[dy + 1][k] += out;
  else if (out != 0)
    scratch->leaving[fs_slot_sideways (n_arcs, arc)][y] += (uint32_t)out;
  if (!is_across)
    return flow - out;
  if (flow != out)
    scratch->across[strip][dy > 0 ? FS_STRIP_DOWN : FS_STRIP_UP][dx + 1][lane] = flow;
  return 0;
}

/* Adds sideways flow out of the tile, where it is in registers, to the scratch memory. */
FS_PHASE void
fs_discharge_leave (int n_arcs, int thread, const FsStrip *mine, FsDischargeScratch *scratch)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs && FS_SIDEWAYS_IN_REGISTERS; arc++) {
    int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
    if (dx == 0 || lane != (dx > 0 ? FS_WARP - 1 : 0))
      continue;
    uint32_t *leaving = &scratch->leaving[fs_slot_sideways (n_arcs, arc)][strip * FS_STRIP_ROWS];
    FS_UNROLL
    for (int k = 0; k < FS_STRIP_ROWS; k++)
      leaving[k] += (uint32_t)mine->sideways[dy + 1][k];
  }
}

/* Adds flow that arrives over an arc of the giver to row k. */
FS_PHASE void
fs_discharge_take (int n_arcs, int arc, int k, int32_t flow, FsStrip *mine)
{
  mine->excess[k] += flow;
  mine->residual[fs_arc_opposite (n_arcs, arc)][k] += flow;
}

/* Adds the flow from the strips above and below. */
FS_PHASE void
fs_discharge_fetch (int n_arcs, int thread, FsDischargeScratch *scratch, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
    int from = strip - dy, giver = lane - dx;
    if (dy == 0 || from < 0 || from >= FS_STRIPS || giver < 0 || giver >= FS_SIDE)
      continue;
    int32_t *flow = &scratch->across[from][dy > 0 ? FS_STRIP_DOWN : FS_STRIP_UP][dx + 1][giver];
    if (*flow != 0)
      fs_discharge_take (n_arcs, arc, dy > 0 ? 0 : FS_STRIP_ROWS - 1, *flow, mine);
    *flow = 0;
  }
}

FS_PHASE void
fs_discharge_store (const FsGridState *grid, int n_arcs, int tile, int thread, const FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  size_t first = (size_t)tile * FS_TILE_PIXELS + strip * FS_STRIP_ROWS * FS_SIDE + lane;
  uint16_t *residual = grid->residual + (size_t)tile * n_arcs * FS_TILE_PIXELS
                       + strip * FS_STRIP_ROWS * FS_SIDE + lane;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    grid->excess[first + k * FS_SIDE] = mine->excess[k];
    FS_UNROLL
    for (int arc = 0; arc < n_arcs; arc++)
      residual[arc * FS_TILE_PIXELS + k * FS_SIDE] = (uint16_t)mine->residual[arc][k];
  }
}

/* Stores lane y's words of bits and its labels, from the scratch memory. Returns as
 * fs_label_leave(). */
FS_PHASE uint32_t
fs_discharge_store_bits (const FsGridState *grid, int n_arcs, int tile, int lane,
                         int32_t distance_cap, const FsDischargeScratch *scratch)
{
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    grid->open[((size_t)tile * n_arcs + arc) * FS_SIDE + lane] = scratch->open[arc][lane];
  grid->deficit[(size_t)tile * FS_SIDE + lane] = scratch->deficit[lane];
  grid->excess_bits[(size_t)tile * FS_SIDE + lane] = scratch->excess_bits[lane];
  FsLabelLane mine;
  FS_UNROLL
  for (int side = 0; side < 4; side++)
    mine.label[side] = scratch->label[side][lane];
  return fs_label_leave (grid, tile, lane, distance_cap, &mine);
}

/* The tile, and the place of its border flow, for flow that leaves at place i of a slot. */
FS_PHASE int
fs_discharge_address (const FsGridState *grid, int n_arcs, int tile, int slot, int i, size_t *place)
{
  int arc = fs_slot_arc (n_arcs, slot), back = fs_arc_opposite (n_arcs, arc);
  int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
  int pixel = fs_slot_pixel (n_arcs, slot, i);
  int x = pixel % FS_SIDE + dx, y = pixel / FS_SIDE + dy;
  int to = fs_tile_neighbour (grid, tile, x < 0 ? -1 : x >= FS_SIDE, y < 0 ? -1 : y >= FS_SIDE);
  int there = fs_slot_is_sideways (n_arcs, slot) ? fs_slot_sideways (n_arcs, back)
                                                 : fs_slot_vertical (n_arcs, back);
  int at = fs_slot_is_sideways (n_arcs, slot) ? y : x & (FS_SIDE - 1);
  *place = ((size_t)to * grid->n_slots + there) * FS_SIDE + at;
  return to;
}

FS_PHASE uint32_t *
fs_open_word (const FsGridState *grid, int n_arcs, int tile, int arc, int y)
{
  return &grid->open[((size_t)tile * n_arcs + arc) * FS_SIDE + y];
}

/* Updates the bits of one pixel's excess. */
FS_PHASE void
fs_refresh_excess_bits (const FsGridState *grid, int tile, int pixel)
{
  int32_t excess = grid->excess[(size_t)tile * FS_TILE_PIXELS + pixel];
  uint32_t bit = 1u << pixel % FS_SIDE;
  uint32_t *deficit = &grid->deficit[(size_t)tile * FS_SIDE + pixel / FS_SIDE];
  uint32_t *excess_bits = &grid->excess_bits[(size_t)tile * FS_SIDE + pixel / FS_SIDE];
  if (excess < 0)
    fs_set_bits (deficit, bit);
  else
    fs_clear_bits (deficit, bit);
  if (excess > 0)
    fs_set_bits (excess_bits, bit);
  else
    fs_clear_bits (excess_bits, bit);
}

/* Adds `flow`, the border flow at place i of a slot, to the tile: lane i of a warp, one slot after
 * another. */
FS_PHASE void
fs_absorb (const FsGridState *grid, int n_arcs, int tile, int slot, int i, uint32_t flow)
{
  if (flow == 0)
    return;
  int pixel = fs_slot_pixel (n_arcs, slot, i), arc = fs_slot_arc (n_arcs, slot);
  size_t residual = ((size_t)tile * n_arcs + arc) * FS_TILE_PIXELS + pixel;
  grid->excess[(size_t)tile * FS_TILE_PIXELS + pixel] += (int32_t)flow;
  grid->residual[residual] = (uint16_t)(grid->residual[residual] + flow);
  fs_set_bits (fs_open_word (grid, n_arcs, tile, arc, pixel / FS_SIDE), 1u << pixel % FS_SIDE);
  fs_refresh_excess_bits (grid, tile, pixel);
}

#endif
