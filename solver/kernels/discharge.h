/* SPDX-License-Identifier: MIT */
/* Discharging one tile: push and relabel in registers.   Layer: solver/kernels.
 *
 * 128 threads work on a tile: warp s on the strip of rows 8s … 8s + 7, a thread on its column of 8
 * pixels, whose excess, labels and residuals it keeps to itself. Flow to the thread beside goes
 * from hand to hand (a shuffle on the device), flow to the next strip through the room, and flow
 * out of the tile is summed in the room and posted to the neighbours in the end. Labels lie in the
 * room, with the ring of pixels around the tile as it was when the visit began.
 *
 * An iteration pushes along every arc that leads to a lower label, row after row, downwards and
 * upwards in turn, so that excess can cross a strip at once; then all pixels, not only those with
 * an excess, are relabelled.
 *
 * The labels that it leaves are a guess for the next visit: exact ones come from labels.h. Whatever
 * they are, what is pushed is a feasible flow. Where a label on the tile's border has risen, labels
 * beyond may have lost what backed them: those tiles are marked.
 */
#ifndef FS_KERNELS_DISCHARGE_H
#define FS_KERNELS_DISCHARGE_H

#include "solver/kernels/labels.h"

#define FS_STRIPS        4
#define FS_STRIP_ROWS    (FS_SIDE / FS_STRIPS)
#define FS_STRIP_THREADS (FS_STRIPS * FS_WARP)
#define FS_STRIP_DOWN    0
#define FS_STRIP_UP      1

typedef struct {
  int32_t label[FS_RING_SIDE][FS_RING_SIDE];
  uint32_t leaving[FS_MAX_SLOTS][FS_SIDE];  /* out of the tile                        */
  int32_t across[FS_STRIPS][2][3][FS_SIDE]; /* [strip][down, up][dx + 1][lane it left] */
} FsDischargeRoom;

/* A thread's column. */
typedef struct {
  int32_t excess[FS_STRIP_ROWS];
  int32_t label[FS_STRIP_ROWS];
  int32_t residual[FS_MAX_ARCS][FS_STRIP_ROWS];
} FsStrip;

FS_PHASE void
fs_discharge_load (const FsGridState *grid, int n_arcs, int tile, int thread, FsDischargeRoom *room,
                   FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  size_t first = (size_t)tile * FS_TILE_PIXELS + strip * FS_STRIP_ROWS * FS_SIDE + lane;
  const uint16_t *residual = grid->residual + (size_t)tile * n_arcs * FS_TILE_PIXELS
                             + strip * FS_STRIP_ROWS * FS_SIDE + lane;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    mine->excess[k] = grid->excess[first + k * FS_SIDE];
    mine->label[k] = grid->label[first + k * FS_SIDE];
    room->label[strip * FS_STRIP_ROWS + k + 1][lane + 1] = mine->label[k];
    FS_UNROLL
    for (int arc = 0; arc < n_arcs; arc++)
      mine->residual[arc][k] = residual[arc * FS_TILE_PIXELS + k * FS_SIDE];
  }
  /* The ring: a side a strip. */
  int along = lane + 1, last = FS_SIDE + 1;
  int x = strip == 0 ? 0 : strip == 1 ? last : along;
  int y = strip == 2 ? 0 : strip == 3 ? last : along;
  room->label[y][x] = fs_label_near (grid, tile, x - 1, y - 1);
  if (lane == 0) {
    int corner_x = strip % 2 * last, corner_y = strip / 2 * last;
    room->label[corner_y][corner_x] = fs_label_near (grid, tile, corner_x - 1, corner_y - 1);
  }
}

FS_PHASE void
fs_discharge_clear (int n_slots, int thread, FsDischargeRoom *room)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  for (int slot = strip; slot < n_slots; slot += FS_STRIPS)
    room->leaving[slot][lane] = 0;
  for (int i = 0; i < 6; i++)
    room->across[strip][i / 3][i % 3][lane] = 0;
}

FS_PHASE int
fs_discharge_is_active (const FsStrip *mine, int k)
{
  return mine->excess[k] > 0 && mine->label[k] < FS_FAR;
}

/* Takes from row k of the column what its arc can carry to a lower label. Returns the part that the
 * thread at lane + dx of the same strip must be given (row k + dy), 0 where it went elsewhere. */
FS_PHASE int32_t
fs_discharge_give (int n_arcs, int arc, int k, int thread, FsDischargeRoom *room, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
  int y = strip * FS_STRIP_ROWS + k;
  int32_t flow = fs_min_i32 (mine->excess[k], mine->residual[arc][k]);
  if (flow <= 0 || mine->label[k] <= room->label[y + 1 + dy][lane + 1 + dx])
    return 0;
  mine->excess[k] -= flow;
  mine->residual[arc][k] -= flow;
  if (y + dy < 0 || y + dy >= FS_SIDE)
    room->leaving[fs_slot_vertical (n_arcs, arc)][lane] += (uint32_t)flow;
  else if (lane + dx < 0 || lane + dx >= FS_SIDE)
    room->leaving[fs_slot_sideways (n_arcs, arc)][y] += (uint32_t)flow;
  else if (k + dy < 0 || k + dy >= FS_STRIP_ROWS)
    room->across[strip][dy > 0 ? FS_STRIP_DOWN : FS_STRIP_UP][dx + 1][lane] += flow;
  else
    return flow;
  return 0;
}

/* Puts flow that came over an arc of the giver into row k. */
FS_PHASE void
fs_discharge_take (int n_arcs, int arc, int k, int32_t flow, FsStrip *mine)
{
  mine->excess[k] += flow;
  mine->residual[fs_arc_opposite (n_arcs, arc)][k] += flow;
}

/* Fetches what the strips above and below have handed over. */
FS_PHASE void
fs_discharge_fetch (int n_arcs, int thread, FsDischargeRoom *room, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++) {
    int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
    int from = strip - dy, giver = lane - dx;
    if (dy == 0 || from < 0 || from >= FS_STRIPS || giver < 0 || giver >= FS_SIDE)
      continue;
    int32_t *flow = &room->across[from][dy > 0 ? FS_STRIP_DOWN : FS_STRIP_UP][dx + 1][giver];
    if (*flow != 0)
      fs_discharge_take (n_arcs, arc, dy > 0 ? 0 : FS_STRIP_ROWS - 1, *flow, mine);
    *flow = 0;
  }
}

/* Finds the column's new labels, from those in the room. */
FS_PHASE void
fs_discharge_relabel (int n_arcs, int thread, const FsDischargeRoom *room, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    int y = strip * FS_STRIP_ROWS + k;
    int32_t nearest = FS_FAR;
    FS_UNROLL
    for (int arc = 0; arc < n_arcs; arc++) {
      int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
      int32_t label = room->label[y + 1 + dy][lane + 1 + dx];
      nearest = fs_min_i32 (nearest, mine->residual[arc][k] > 0 ? label + 1 : FS_FAR);
    }
    mine->label[k] = mine->excess[k] < 0 ? 0 : nearest;
  }
}

/* Shows the column's labels to the others. Returns whether some pixel of it can still push. */
FS_PHASE int
fs_discharge_show (int thread, FsDischargeRoom *room, const FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  int active = 0;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    room->label[strip * FS_STRIP_ROWS + k + 1][lane + 1] = mine->label[k];
    active |= fs_discharge_is_active (mine, k);
  }
  return active;
}

/* Returns the tiles around whose labels were backed by labels that have risen here, numbered like 8
 * arcs: they must be looked at too before labels are exact again. */
FS_PHASE uint32_t
fs_discharge_store (const FsGridState *grid, int n_arcs, int tile, int thread, const FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  size_t first = (size_t)tile * FS_TILE_PIXELS + strip * FS_STRIP_ROWS * FS_SIDE + lane;
  uint16_t *residual = grid->residual + (size_t)tile * n_arcs * FS_TILE_PIXELS
                       + strip * FS_STRIP_ROWS * FS_SIDE + lane;
  uint32_t risen = 0;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    grid->excess[first + k * FS_SIDE] = mine->excess[k];
    if (grid->label[first + k * FS_SIDE] < mine->label[k])
      risen |= 1u << (strip * FS_STRIP_ROWS + k);
    grid->label[first + k * FS_SIDE] = mine->label[k];
    FS_UNROLL
    for (int arc = 0; arc < n_arcs; arc++)
      residual[arc * FS_TILE_PIXELS + k * FS_SIDE] = (uint16_t)mine->residual[arc][k];
  }
  return fs_label_wake_raised (lane, risen);
}

/* The tile and the place of its mail where what leaves at place i of a slot goes. */
FS_PHASE int
fs_discharge_address (const FsGridState *grid, int n_arcs, int tile, int slot, int i, size_t *place)
{
  int arc = fs_slot_arc (n_arcs, slot), back = fs_arc_opposite (n_arcs, arc);
  int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
  int pixel = fs_slot_pixel (n_arcs, slot, i);
  int x = pixel % FS_SIDE + dx, y = pixel / FS_SIDE + dy;
  int to = fs_tile_beside (grid, tile, x < 0 ? -1 : x >= FS_SIDE, y < 0 ? -1 : y >= FS_SIDE);
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

/* Makes the bits of one pixel's excess true. */
FS_PHASE void
fs_refresh_excess_bits (const FsGridState *grid, int tile, int pixel)
{
  int32_t excess = grid->excess[(size_t)tile * FS_TILE_PIXELS + pixel];
  uint32_t bit = 1u << pixel % FS_SIDE;
  uint32_t *deficit = &grid->deficit[(size_t)tile * FS_SIDE + pixel / FS_SIDE];
  uint32_t *surplus = &grid->surplus[(size_t)tile * FS_SIDE + pixel / FS_SIDE];
  if (excess < 0)
    fs_set_bits (deficit, bit);
  else
    fs_clear_bits (deficit, bit);
  if (excess > 0)
    fs_set_bits (surplus, bit);
  else
    fs_clear_bits (surplus, bit);
}

/* Takes `flow`, the mail at place i of a slot, into the tile: lane i of a warp, slot after slot. */
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
