/* SPDX-License-Identifier: MIT */
/* Discharging one tile: push and relabel in registers.   Layer: solver/kernels.
 *
 * 128 threads work on a tile: warp s on the strip of rows 8s … 8s + 7, a thread on its column of 8
 * pixels, whose excess and residuals it keeps to itself. Flow to the thread beside goes from hand
 * to hand (a shuffle on the device), flow to the next strip through the room, and flow out of the
 * tile is summed in the room and posted to the neighbours in the end.
 *
 * A visit is a few phases. At the head of a phase one warp finds each pixel's height: its distance
 * within the tile to a deficit or, where it reaches none, to a pixel of the ring with the least
 * label, all of one label lying above all of the labels before it. Then excess is pushed downhill,
 * row after row, downwards and upwards in turn, until none moves. The visit ends when no excess has
 * a height. (Augmenting in regions before pushing between them: Shekhovtsov & Hlaváč 2013.)
 *
 * The labels that it leaves are a guess for the next visit: exact ones come from labels.h. Whatever
 * they are, what is pushed is a feasible flow. Where a label has risen, labels beyond the border
 * may have lost what backed them: those tiles are marked.
 */
#ifndef FS_KERNELS_DISCHARGE_H
#define FS_KERNELS_DISCHARGE_H

#include "solver/kernels/labels.h"

#define FS_STRIPS        4
#define FS_STRIP_ROWS    (FS_SIDE / FS_STRIPS)
#define FS_STRIP_THREADS (FS_STRIPS * FS_WARP)
#define FS_STRIP_DOWN    0
#define FS_STRIP_UP      1

#define FS_RING_SIDE     (FS_SIDE + 2)
#define FS_HEIGHT_PLANES 11 /* heights are below 2048: at most 1024 steps, and a start a label */
#define FS_NO_HEIGHT     0x7fff

typedef struct {
  int16_t height[FS_RING_SIDE][FS_RING_SIDE]; /* the ring's too                          */
  uint32_t leaving[FS_MAX_SLOTS][FS_SIDE];    /* out of the tile                         */
  int32_t across[FS_STRIPS][2][3][FS_SIDE];   /* [strip][down, up][dx + 1][lane it left] */
  uint32_t open[FS_MAX_ARCS][FS_SIDE];        /* bits, a word a row                      */
  uint32_t deficit[FS_SIDE], surplus[FS_SIDE];
  uint32_t found[FS_SIDE];
  uint32_t plane[FS_HEIGHT_PLANES][FS_SIDE]; /* bit j of the heights                    */
  int32_t n_planes;
} FsDischargeRoom;

/* A thread's column. */
typedef struct {
  int32_t excess[FS_STRIP_ROWS];
  int32_t residual[FS_MAX_ARCS][FS_STRIP_ROWS];
  int16_t height[FS_STRIP_ROWS];
  uint32_t moved; /* whether it gave anything since the last look */
} FsStrip;

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
  return mine->excess[k] > 0 && mine->height[k] < FS_NO_HEIGHT;
}

/* Heights, for lane y of the warp that finds them: which pixels of the row were found at the last
 * step. */
typedef struct {
  FsLabelLane label;
  uint32_t fresh;
  uint32_t before; /* found before the label that is worked on */
  uint32_t plane[FS_HEIGHT_PLANES];
} FsHeightLane;

FS_PHASE void
fs_height_start (int n_arcs, int lane, const FsDischargeRoom *room, FsHeightLane *mine)
{
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    mine->label.open[arc] = room->open[arc][lane];
  mine->label.found = mine->fresh = room->deficit[lane];
  mine->before = 0;
  FS_UNROLL
  for (int side = 0; side < 4; side++)
    mine->label.label[side] = FS_FAR;
  FS_UNROLL
  for (int j = 0; j < FS_HEIGHT_PLANES; j++)
    mine->plane[j] = 0;
}

/* No ring pixel has a height at first. */
FS_PHASE void
fs_height_clear_ring (int lane, FsDischargeRoom *room)
{
  const int last = FS_SIDE + 1;
  room->height[0][lane + 1] = room->height[last][lane + 1] = FS_NO_HEIGHT;
  room->height[lane + 1][0] = room->height[lane + 1][last] = FS_NO_HEIGHT;
  if (lane < 4)
    room->height[lane / 2 * last][lane % 2 * last] = FS_NO_HEIGHT;
}

/* The lane's ring pixels with the label are `height` high. */
FS_PHASE void
fs_height_enter_ring (int lane, int32_t label, int32_t height, const FsLabelLane *mine,
                      FsDischargeRoom *room)
{
  const int last = FS_SIDE + 1;
  if (mine->ring[FS_TOP] == label)
    room->height[0][lane + 1] = (int16_t)height;
  if (mine->ring[FS_BOTTOM] == label)
    room->height[last][lane + 1] = (int16_t)height;
  if (mine->ring[FS_LEFT] == label)
    room->height[lane + 1][0] = (int16_t)height;
  if (mine->ring[FS_RIGHT] == label)
    room->height[lane + 1][last] = (int16_t)height;
  FS_UNROLL
  for (int i = 0; i < 4; i++)
    if (lane == i && mine->corner[i] == label)
      room->height[i / 2 * last][i % 2 * last] = (int16_t)height;
}

/* The row's pixels that the rows around reach at the next step. */
FS_PHASE uint32_t
fs_height_reach (int n_arcs, const FsHeightLane *mine, uint32_t above, uint32_t below)
{
  return fs_label_reach (n_arcs, &mine->label, (uint64_t)above << 1, (uint64_t)mine->fresh << 1,
                         (uint64_t)below << 1);
}

/* Gives pixels their height; returns the new ones. */
FS_PHASE uint32_t
fs_height_found (FsHeightLane *mine, uint32_t reached, int32_t height)
{
  mine->fresh = reached & ~mine->label.found;
  mine->label.found |= mine->fresh;
  FS_UNROLL
  for (int j = 0; j < FS_HEIGHT_PLANES; j++)
    mine->plane[j] |= height >> j & 1 ? mine->fresh : 0;
  return mine->fresh;
}

FS_PHASE void
fs_height_store (int lane, int32_t highest, const FsHeightLane *mine, FsDischargeRoom *room)
{
  FS_UNROLL
  for (int j = 0; j < FS_HEIGHT_PLANES; j++)
    room->plane[j][lane] = mine->plane[j];
  room->found[lane] = mine->label.found;
  if (lane == 0) {
    int n = 0;
    while (highest >> n != 0)
      n++;
    room->n_planes = n;
  }
}

/* Takes over the column's heights. Returns whether some pixel of it can push. */
FS_PHASE int
fs_discharge_heights (int thread, FsDischargeRoom *room, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  int active = 0, n_planes = room->n_planes;
  FS_UNROLL
  for (int k = 0; k < FS_STRIP_ROWS; k++) {
    int y = strip * FS_STRIP_ROWS + k;
    int32_t height = 0;
    for (int j = 0; j < n_planes; j++)
      height |= (int32_t)(room->plane[j][y] >> lane & 1u) << j;
    mine->height[k] = (int16_t)(room->found[y] >> lane & 1u ? height : FS_NO_HEIGHT);
    room->height[y + 1][lane + 1] = mine->height[k];
    active |= fs_discharge_is_active (mine, k);
  }
  return active;
}

/* Takes from row k of the column what its arc can carry downhill. Returns the part that the
 * thread at lane + dx of the same strip must be given (row k + dy), 0 where it went elsewhere. */
FS_PHASE int32_t
fs_discharge_give (int n_arcs, int arc, int k, int thread, FsDischargeRoom *room, FsStrip *mine)
{
  int lane = thread % FS_WARP, strip = thread / FS_WARP;
  int dx = fs_arc_dx (n_arcs, arc), dy = fs_arc_dy (n_arcs, arc);
  int y = strip * FS_STRIP_ROWS + k;
  int32_t flow = fs_min_i32 (mine->excess[k], mine->residual[arc][k]);
  if (flow <= 0 || mine->height[k] <= room->height[y + 1 + dy][lane + 1 + dx])
    return 0;
  mine->moved = 1;
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

/* Stores lane y's words of bits, from the room. */
FS_PHASE void
fs_discharge_store_bits (const FsGridState *grid, int n_arcs, int tile, int lane,
                         const FsDischargeRoom *room)
{
  FS_UNROLL
  for (int arc = 0; arc < n_arcs; arc++)
    grid->open[((size_t)tile * n_arcs + arc) * FS_SIDE + lane] = room->open[arc][lane];
  grid->deficit[(size_t)tile * FS_SIDE + lane] = room->deficit[lane];
  grid->surplus[(size_t)tile * FS_SIDE + lane] = room->surplus[lane];
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
