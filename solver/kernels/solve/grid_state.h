/* SPDX-License-Identifier: MIT */
/* The min-cut's state on a device.   Layer: solver/kernels.
 *
 * The photo is cut into tiles of 32 × 32 pixels, numbered row by row; every plane of the state is
 * stored tile after tile, so that a tile's values of a plane are contiguous. Pixels beyond the
 * photo's edge, in the last tiles, have no t-link and no arcs, and stay as they are.
 *
 *   excess     [tile][1024]          e(p) = t(p) + inflow − outflow, signed
 *   residual   [tile][arc][1024]     of the arc from p in that direction
 *   border     [tile][side][32]      labels of the outermost pixels, corners on two sides
 *   open       [tile][arc][32]       a bit a pixel, a word a row: residual > 0
 *   deficit    [tile][32]            the same: e < 0
 *   excess_bits  [tile][32]          the same: e > 0
 *   found      [tile][32]            the same: can reach a deficit
 *   object     [tile][32]            the same: the mask of the last solve
 *   border_flow  [tile][slot][32]    flow that came over the border since it was last read
 *
 * Arcs are numbered E S W N with 4 neighbours, E S SE SW W N NW NE with 8; the opposite of arc a is
 * a + n/2, modulo n. A tile's own planes are written only by the warp or block that works on the
 * tile: flow across a border goes to the neighbour as border flow. A slot is a side of the tile
 * with an arc that leaves there; an arc that leaves through a corner counts as leaving upwards or
 * downwards.
 *
 * A pixel's label is the least number of tile borders on a residual path from it to a deficit,
 * FS_FAR where there is no path: 0 where it reaches a deficit within its tile. Labels inside a tile
 * follow from those of its halo, so only those of the outermost pixels are stored. (Region
 * distances: Shekhovtsov & Hlaváč 2013, "A distributed mincut/maxflow algorithm combining path
 * augmentation and push-relabel".)
 *
 * Push-relabel with signed excess: Goldberg & Tarjan 1988; Vineet & Narayanan 2008 on grids;
 * discharging regions by themselves: Delong & Boykov 2008.
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_GRID_STATE_H
#define FS_SOLVER_KERNELS_SOLVE_GRID_STATE_H

#include "solver/kernels/portable.h"

#define FS_SIDE        32 /* of a tile */
#define FS_TILE_PIXELS (FS_SIDE * FS_SIDE)
#define FS_MAX_ARCS    8
#define FS_MAX_SLOTS   12
#define FS_FAR         0x3fffffff

/* Sides of a tile. */
#define FS_TOP    0
#define FS_BOTTOM 1
#define FS_LEFT   2
#define FS_RIGHT  3

/* Flags of a tile (FsGridState.flags). */
#define FS_TILE_QUEUED      1u   /* to be visited once more                                 */
#define FS_TILE_BUSY        128u /* being visited                                          */
#define FS_TILE_BORDER_FLOW 2u   /* some slot is not 0                                     */
#define FS_TILE_STALE       4u   /* excess or residuals have changed, labels may be wrong  */
#define FS_TILE_ACTIVE      8u   /* has excess that can reach a deficit, by its labels  */
#define FS_TILE_MOVED       16u  /* labels have changed since the mask was made            */
#define FS_TILE_SUMS        64u  /* excess, t-links or the mask around have changed        */
#define FS_TILE_VISITED     32u  /* labels are to be lowered: they were raised, or never made */
#define FS_TILE_CUT         256u /* labels end at the distance cap, and there are others */

typedef struct {
  int width, height; /* of the photo */
  int n_arcs;        /* 4 or 8       */
  int tiles_x, tiles_y, n_tiles;
  int n_slots;           /* 4 or 12      */
  int32_t *excess;       /* [n_tiles][1024]             */
  uint16_t *residual;    /* [n_tiles][n_arcs][1024]     */
  int32_t *border;       /* [n_tiles][4][32], FS_SIDE_… */
  uint32_t *open;        /* [n_tiles][n_arcs][32]       */
  uint32_t *deficit;     /* [n_tiles][32]               */
  uint32_t *excess_bits; /* [n_tiles][32]               */
  uint32_t *found;       /* [n_tiles][32]               */
  uint32_t *object;      /* [n_tiles][32]               */
  uint32_t *border_flow; /* [n_tiles][n_slots][32]      */
  uint32_t *flags;       /* [n_tiles], FS_TILE_…        */
  int32_t *highest;      /* [n_tiles], finite label of the tile when labels were last made exact */
  int32_t *neighbour; /* [n_tiles][9]: the tiles around, itself the fifth, −1 for none; NULL where
                      tiles are all those of the photo, in rows */
} FsGridState;

/* Sets the members that depend on the photo's size alone. */
static inline void
fs_grid_shape (FsGridState *grid, int width, int height, int neighbours)
{
  grid->width = width;
  grid->height = height;
  grid->n_arcs = neighbours;
  grid->n_slots = neighbours == 4 ? 4 : FS_MAX_SLOTS;
  grid->tiles_x = (width + FS_SIDE - 1) / FS_SIDE;
  grid->tiles_y = (height + FS_SIDE - 1) / FS_SIDE;
  grid->n_tiles = grid->tiles_x * grid->tiles_y;
  grid->neighbour = NULL;
}

FS_BOTH int
fs_arc_dx (int n_arcs, int arc)
{
  if (n_arcs == 4)
    return arc == 0 ? 1 : arc == 2 ? -1 : 0;
  return arc == 0 || arc == 2 || arc == 7 ? 1 : arc == 3 || arc == 4 || arc == 6 ? -1 : 0;
}

FS_BOTH int
fs_arc_dy (int n_arcs, int arc)
{
  if (n_arcs == 4)
    return arc == 1 ? 1 : arc == 3 ? -1 : 0;
  return arc >= 1 && arc <= 3 ? 1 : arc >= 5 ? -1 : 0;
}

FS_BOTH int
fs_arc_opposite (int n_arcs, int arc)
{
  return arc ^ (n_arcs / 2);
}

/* The arc's number (0 … 7) in solver/grid.h. */
FS_BOTH int
fs_arc_direction (int n_arcs, int arc)
{
  return n_arcs == 8 || arc < 2 ? arc : arc + 2;
}

/* The slot of an arc where it leaves a tile upwards or downwards (`dy` of the arc is not 0), or
 * where it leaves to a side. */
FS_BOTH int
fs_slot_vertical (int n_arcs, int arc)
{
  if (n_arcs == 4)
    return arc == 3 ? 0 : 1;
  return arc >= 5 ? arc - 5 : arc + 2; /* N NW NE: 0 1 2, S SE SW: 3 4 5 */
}

FS_BOTH int
fs_slot_sideways (int n_arcs, int arc)
{
  if (n_arcs == 4)
    return arc == 2 ? 2 : 3;
  switch (arc) {
  case 4: /* W */
    return 6;
  case 6: /* NW */
    return 7;
  case 3: /* SW */
    return 8;
  case 0: /* E */
    return 9;
  case 7: /* NE */
    return 10;
  default: /* SE */
    return 11;
  }
}

/* The arc that leaves at a slot. */
FS_BOTH int
fs_slot_arc (int n_arcs, int slot)
{
  if (n_arcs == 4)
    return slot == 0 ? 3 : slot == 1 ? 1 : slot == 2 ? 2 : 0;
  if (slot < 3)
    return slot + 5;
  if (slot < 6)
    return slot - 2;
  return slot == 6 ? 4 : slot == 7 ? 6 : slot == 8 ? 3 : slot == 9 ? 0 : slot == 10 ? 7 : 2;
}

FS_BOTH int
fs_slot_is_sideways (int n_arcs, int slot)
{
  return slot >= (n_arcs == 4 ? 2 : 6);
}

/* The pixel of the tile's border (y·32 + x) at place `i` of a slot. */
FS_BOTH int
fs_slot_pixel (int n_arcs, int slot, int i)
{
  int arc = fs_slot_arc (n_arcs, slot);
  if (fs_slot_is_sideways (n_arcs, slot))
    return i * FS_SIDE + (fs_arc_dx (n_arcs, arc) > 0 ? FS_SIDE - 1 : 0);
  return (fs_arc_dy (n_arcs, arc) > 0 ? FS_SIDE - 1 : 0) * FS_SIDE + i;
}

/* The neighbouring tile; −1 outside the photo, or where a list of tiles has none. */
FS_BOTH int
fs_tile_neighbour (const FsGridState *grid, int tile, int dx, int dy)
{
  if (grid->neighbour != NULL)
    return grid->neighbour[tile * 9 + dy * 3 + dx + 4];
  int x = tile % grid->tiles_x + dx;
  int y = tile / grid->tiles_x + dy;
  if (x < 0 || y < 0 || x >= grid->tiles_x || y >= grid->tiles_y)
    return -1;
  return y * grid->tiles_x + x;
}

/* The index of a pixel in planes of 1024 a tile. */
FS_BOTH size_t
fs_grid_place (const FsGridState *grid, int x, int y)
{
  size_t tile = (size_t)(y / FS_SIDE) * grid->tiles_x + x / FS_SIDE;
  return tile * FS_TILE_PIXELS + (y % FS_SIDE) * FS_SIDE + x % FS_SIDE;
}

FS_BOTH size_t
fs_grid_residual_place (const FsGridState *grid, size_t place, int arc)
{
  return (place / FS_TILE_PIXELS * grid->n_arcs + arc) * FS_TILE_PIXELS + place % FS_TILE_PIXELS;
}

/* One of the eight neighbouring tiles, numbered like 8 arcs; −1 as above. */
FS_BOTH int
fs_tile_neighbour_at (const FsGridState *grid, int tile, int i)
{
  return fs_tile_neighbour (grid, tile, fs_arc_dx (8, i), fs_arc_dy (8, i));
}

/* The label at place i of a side of `neighbour`; FS_FAR where that is −1, beyond the photo. There
 * is a load in any case, so that the loads of several labels overlap. */
FS_PHASE int32_t
fs_label_across (const FsGridState *grid, int tile, int neighbour, int side, int i)
{
  int there = neighbour < 0 ? tile : neighbour;
  int32_t label = fs_load_shared (&grid->border[((size_t)there * 4 + side) * FS_SIDE + i]);
  return neighbour < 0 ? FS_FAR : label;
}

#endif
