/* SPDX-License-Identifier: MIT */
/* What the ladder's kernels work on.
 *
 * A node is a pixel of a grid, or an entry of a list of some of its pixels. Excess is never
 * negative: what a node may still give the sink is a plane of its own, as in Vineet & Narayanan
 * 2008, section 2.2. The source has pushed all it can before the start and has no plane.
 *
 *   height(p) ≤ height(q) + 1 for every arc p→q that can carry more, 1 where the sink can take more
 *
 * holds between launches; FS_LADDER_FAR says that the sink cannot be reached, and stays for ever.
 * Arcs have the directions of solver/grid.h: E S SE SW, then their opposites, d ^ 4.
 *
 * A launch has blocks of FS_LADDER_THREADS threads; on a grid a block is a tile of 32×8 pixels, the
 * size of the paper.
 */
#ifndef FS_LADDER_STATE_H
#define FS_LADDER_STATE_H

#include "solver/kernels/portable.h"

#define FS_LADDER_ARCS        8
#define FS_LADDER_FORWARD     4
#define FS_LADDER_TILE_W      32
#define FS_LADDER_TILE_H      8
#define FS_LADDER_THREADS     (FS_LADDER_TILE_W * FS_LADDER_TILE_H)
#define FS_LADDER_HALO_W      (FS_LADDER_TILE_W + 2)
#define FS_LADDER_HALO_H      (FS_LADDER_TILE_H + 2)
#define FS_LADDER_HALO_PIXELS (FS_LADDER_HALO_W * FS_LADDER_HALO_H)
#define FS_LADDER_FAR         (INT32_MAX / 2)
#define FS_LADDER_SWEEPS      16 /* of a tile's heights per launch */
#define FS_LADDER_CHUNK       64 /* pixels that one thread numbers */

/* Words that kernels write and the host reads. The first three hold the `now` of the launch that
 * last had something to report, so that nobody need clear them. */
enum {
  FS_LADDER_WORD_MOVED,   /* an excess is not what it was   */
  FS_LADDER_WORD_LOWERED, /* a height fell                  */
  FS_LADDER_WORD_LEFT,    /* excess that can reach the sink */
  FS_LADDER_WORD_NODES,   /* how many nodes a list has      */
  FS_LADDER_N_WORDS
};

typedef struct {
  int32_t n;         /* nodes                                                */
  int32_t n_forward; /* 2 or 4 directions and their opposites                */
  int32_t now;       /* number of the iteration or round, from 1             */
  int32_t period;    /* iterations between two looks at a block              */
  int32_t *excess;   /* [n] planes                                           */
  int32_t *sink;     /* capacity to the sink                                 */
  int32_t *height;
  int32_t *raised;   /* where relabelling writes: another plane, or `height` */
  int32_t *previous; /* excess at the last look                              */
  int32_t *residual[FS_LADDER_ARCS];
  int32_t *flow[FS_LADDER_ARCS]; /* pushed and not yet pulled; NULL where nobody pulls */
  int32_t *word;                 /* [FS_LADDER_N_WORDS]                                */
} FsLadderNodes;

typedef struct {
  FsLadderNodes nodes;
  int32_t width, height;
  int32_t tile_cols, tile_rows;
  int32_t *touched; /* [tiles] round in which a height of the tile last fell  */
  uint8_t *active;  /* [tiles] stochastic: processed in every iteration       */
  uint8_t *traded;  /* [tiles] stochastic: has given or taken flow since then */
  const uint16_t *nlink[FS_LADDER_FORWARD];
  const int32_t *tlink;
  uint8_t *mask;
} FsLadderGrid;

typedef struct {
  FsLadderNodes nodes;
  int32_t *neighbour[FS_LADDER_ARCS]; /* [n] index in the list; −1: not in the list */
  int32_t regular;                    /* the node itself instead of −1 */
  int32_t *pixel;                     /* [n] */
  int32_t *index;                     /* [W·H] index in the list; −1: not in the list */
  int32_t width, height;
  const uint16_t *nlink[FS_LADDER_FORWARD];
  const int32_t *tlink;
  uint8_t *mask;
  /* The next coarser level; all 0 and NULL where the list holds the whole grid. */
  int32_t coarse_width, coarse_height;
  int32_t dilation;
  const uint8_t *coarse_mask;
  uint8_t *edge; /* coarse pixels beside the coarse cut */
} FsLadderList;

/* One level made from the next finer one. */
typedef struct {
  int32_t width, height;
  const uint16_t *nlink[FS_LADDER_FORWARD]; /* NULL for directions that are not in use */
  const int32_t *tlink;
  int32_t coarse_width, coarse_height;
  uint16_t *coarse_nlink[FS_LADDER_FORWARD];
  int32_t *coarse_tlink;
} FsLadderCoarsening;

/* What the threads of a block share. */
typedef struct {
  int32_t height[2][FS_LADDER_HALO_PIXELS];
  uint8_t open[FS_LADDER_THREADS]; /* bit d: the arc can carry more */
  int32_t awake;
} FsLadderTile;

FS_BOTH int
fs_ladder_dx (int d)
{
  int forward = d % 4 == 0 || d % 4 == 2 ? 1 : d % 4 == 3 ? -1 : 0;
  return d < 4 ? forward : -forward;
}

FS_BOTH int
fs_ladder_dy (int d)
{
  int forward = d % 4 == 0 ? 0 : 1;
  return d < 4 ? forward : -forward;
}

/* Whether arcs of direction d exist with these neighbours. */
FS_BOTH int
fs_ladder_has (const FsLadderNodes *nodes, int d)
{
  return d % 4 < nodes->n_forward;
}

FS_BOTH int
fs_ladder_inside (int width, int height, int x, int y)
{
  return x >= 0 && y >= 0 && x < width && y < height;
}

/* A thread's pixel: x and y may lie outside the grid in tiles on its right and lower edge. */
FS_PHASE int
fs_ladder_x (const FsLadderGrid *grid, int block, int thread)
{
  return block % grid->tile_cols * FS_LADDER_TILE_W + thread % FS_LADDER_TILE_W;
}

FS_PHASE int
fs_ladder_y (const FsLadderGrid *grid, int block, int thread)
{
  return block / grid->tile_cols * FS_LADDER_TILE_H + thread / FS_LADDER_TILE_W;
}

/* The pixel's index, −1 outside. */
FS_PHASE int32_t
fs_ladder_pixel (const FsLadderGrid *grid, int block, int thread)
{
  int x = fs_ladder_x (grid, block, thread);
  int y = fs_ladder_y (grid, block, thread);
  return x < grid->width && y < grid->height ? y * grid->width + x : -1;
}

FS_PHASE int32_t
fs_ladder_step (const FsLadderGrid *grid, int d)
{
  return fs_ladder_dy (d) * grid->width + fs_ladder_dx (d);
}

/* Where a thread's own height lies in its tile, and its neighbour's. */
FS_PHASE int
fs_ladder_cell (int thread)
{
  return (thread / FS_LADDER_TILE_W + 1) * FS_LADDER_HALO_W + thread % FS_LADDER_TILE_W + 1;
}

FS_PHASE int
fs_ladder_cell_step (int d)
{
  return fs_ladder_dy (d) * FS_LADDER_HALO_W + fs_ladder_dx (d);
}

/* The height above a lowest neighbour. A way to the sink visits a node at most once, so that more
 * than n means that there is none. */
FS_PHASE int32_t
fs_ladder_above (const FsLadderNodes *nodes, int32_t lowest)
{
  return lowest >= nodes->n ? FS_LADDER_FAR : lowest + 1;
}

#endif
