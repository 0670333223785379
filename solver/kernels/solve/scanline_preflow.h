/* SPDX-License-Identifier: MIT */
/* Flow straight along rows and columns, before a first cut with 4 neighbours, and before one whose
 * t-links are all new. Layer: solver/kernels.
 *
 * A row of pixels is a chain, as in solver/cpu/state/scanline_preflow.h: on the way forth it is
 * noted what comes along, on the way back who gives what deficits take of it. A block takes a piece
 * of 32 chains, one way and the other: a warp a tile of it, a lane a chain. What leaves a tile is a
 * clamped sum of what comes along, and what is wanted before it one that has a least, of what is
 * wanted behind it; such functions are closed under composition, so that all tiles of a piece are
 * gone through side by side. Nothing is brought from piece to piece, and rows are done with before
 * columns begin.
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_SCANLINE_PREFLOW_H
#define FS_SOLVER_KERNELS_SOLVE_SCANLINE_PREFLOW_H

#include "solver/kernels/solve/problem.h"

#define FS_STRAIGHT_TILES 8     /* of a piece */
#define FS_STRAIGHT_MAX   65535 /* that an arc lets through */

typedef struct {
  int axis;    /* 0: rows, 1: columns */
  int tile, n; /* the first, and how many */
  int step;    /* from one to the next */
} FsStraightPiece;

/* A lane's chain in a tile: excess, residuals forwards and backwards, and what is taken. */
typedef struct {
  int32_t excess[FS_SIDE], residual[2][FS_SIDE], taken[FS_SIDE];
} FsStraightLane;

/* What leaves a tile: what comes along and `more`, at least, and at most. */
typedef struct {
  int32_t more, min, max;
} FsStraightWay;

/* What is wanted before a tile: what is wanted behind it and `more`, at least. */
typedef struct {
  int32_t more, min;
} FsStraightWant;

/* How many pieces a photo has, and the i-th. */
FS_BOTH int
fs_straight_n_pieces (const FsGridState *grid, int axis)
{
  int length = axis == 0 ? grid->tiles_x : grid->tiles_y;
  int n_lines = axis == 0 ? grid->tiles_y : grid->tiles_x;
  return n_lines * ((length + FS_STRAIGHT_TILES - 1) / FS_STRAIGHT_TILES);
}

FS_PHASE FsStraightPiece
fs_straight_piece (const FsGridState *grid, int axis, int i)
{
  int length = axis == 0 ? grid->tiles_x : grid->tiles_y;
  int n_lines = axis == 0 ? grid->tiles_y : grid->tiles_x;
  int line = i % n_lines, first = i / n_lines * FS_STRAIGHT_TILES;
  FsStraightPiece piece = { axis, 0, fs_min_i32 (length - first, FS_STRAIGHT_TILES), 0 };
  piece.tile = axis == 0 ? line * grid->tiles_x + first : first * grid->tiles_x + line;
  piece.step = axis == 0 ? 1 : grid->tiles_x;
  return piece;
}

/* The arc forwards (0) or backwards (1) along an axis. */
FS_BOTH int
fs_straight_arc (int axis, int way)
{
  return axis + 2 * way;
}

/* A tile's residuals of an arc. */
FS_PHASE uint16_t *
fs_straight_residual (const FsGridState *grid, size_t tile, int arc)
{
  return grid->residual + (tile * 4 + arc) * FS_TILE_PIXELS;
}

/* The i-th pixel on the way. */
FS_PHASE int
fs_straight_at (int way, int i)
{
  return way == 0 ? i : FS_SIDE - 1 - i;
}

/* Excess, as far as arcs could bring it on. */
FS_PHASE int32_t
fs_straight_excess (const FsStraightLane *mine, int at)
{
  return fs_max_i32 (fs_min_i32 (mine->excess[at], FS_STRAIGHT_MAX), -FS_STRAIGHT_MAX);
}

FS_PHASE int32_t
fs_straight_leaves (FsStraightWay way, int32_t along)
{
  return fs_min_i32 (fs_max_i32 (along + way.more, way.min), way.max);
}

FS_PHASE int32_t
fs_straight_wants (FsStraightWant want, int32_t wanted)
{
  return fs_max_i32 (wanted + want.more, want.min);
}

/* What a pixel lets go on. */
FS_PHASE FsStraightWay
fs_straight_pixel (int way, int at, const FsStraightLane *mine)
{
  int32_t excess = fs_straight_excess (mine, at);
  FsStraightWay pixel = { excess, fs_max_i32 (excess, 0), mine->residual[way][at] };
  return pixel;
}

/* What the lane's chain lets go on. */
FS_PHASE FsStraightWay
fs_straight_measure (int way, const FsStraightLane *mine)
{
  FsStraightWay all = { 0, 0, FS_STRAIGHT_MAX };
  FS_UNROLL
  for (int i = 0; i < FS_SIDE; i++) {
    FsStraightWay next = fs_straight_pixel (way, fs_straight_at (way, i), mine);
    all.min = fs_max_i32 (all.min + next.more, next.min);
    all.max = fs_min_i32 (fs_max_i32 (all.max + next.more, next.min), next.max);
    all.more += next.more;
  }
  return all;
}

/* Notes what is taken of what comes along. Returns what is wanted for that. */
FS_PHASE FsStraightWant
fs_straight_forth (int way, int32_t along, FsStraightLane *mine)
{
  FsStraightWant all = { 0, 0 };
  FS_UNROLL
  for (int i = 0; i < FS_SIDE; i++) {
    int at = fs_straight_at (way, i);
    FsStraightWay next = fs_straight_pixel (way, at, mine);
    mine->taken[at] = fs_min_i32 (along, next.min - next.more);
    along = fs_straight_leaves (next, along);
  }
  FS_UNROLL
  for (int i = FS_SIDE - 1; i >= 0; i--) {
    int at = fs_straight_at (way, i);
    int32_t taken = mine->taken[at];
    int32_t more = taken - fs_max_i32 (fs_straight_excess (mine, at), 0);
    all.min = fs_max_i32 (all.min + more, taken);
    all.more += more;
  }
  return all;
}

/* Gives what is wanted. Returns whether anything changes. */
FS_PHASE int
fs_straight_back (int way, int32_t wanted, FsStraightLane *mine)
{
  int32_t any = wanted;
  FS_UNROLL
  for (int i = FS_SIDE - 1; i >= 0; i--) {
    int at = fs_straight_at (way, i);
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
