/* SPDX-License-Identifier: MIT */
/* The restricted problem of a band in compact storage.   Layer: solver.
 *
 * A node per pixel of the band, in the band's order; pixels outside have the labels of a mask, and
 * what they cost or save a neighbour inside is added to its t-link:
 *
 *   a neighbour of label 1 adds c(q,p), one of label 0 takes away c(p,q).
 *
 * No array of neighbours: those in the row above follow each other in the numbering, so the index
 * of the first of them, and which of the three exist, tell all of them; likewise below. A node
 * takes 32 bytes and its residuals 16.
 *
 * Directions in row order: NW N NE · W E · SW S SE; the opposite of d is 7 − d.
 */
#ifndef FS_SOLVER_BAND_GRAPH_H
#define FS_SOLVER_BAND_GRAPH_H

#include "solver/band.h"
#include "solver/grid.h"

G_BEGIN_DECLS

#define FS_BAND_DIRECTIONS 8
#define FS_BAND_NONE       UINT32_MAX

/* FsBandNode.state: the tree, and the direction of the parent. */
enum {
  FS_BAND_FREE = 0,
  FS_BAND_SOURCE = 16,
  FS_BAND_SINK = 32,
  FS_BAND_TREE = 48,
  FS_BAND_ROOT = 8,   /* hangs on a terminal */
  FS_BAND_ORPHAN = 9, /* has just lost its parent */
  FS_BAND_PARENT = 15
};

typedef struct {
  int32_t excess;    /* t-link, outer neighbours and flow together */
  uint32_t up;       /* first neighbour in the row above */
  uint32_t down;     /* first neighbour in the row below */
  uint32_t next;     /* in the queue of active nodes: the next, itself for the last; NONE outside */
  uint32_t parent;   /* where `state` holds a direction: the parent's index */
  uint32_t stamp;    /* when `distance` was last known to be right */
  uint16_t distance; /* to the root, 65,535 for more; a hint for short paths */
  uint8_t slots;     /* bit d: there is a neighbour in direction d */
  uint8_t state;
  uint8_t out; /* bit d: the arc to the neighbour has capacity left   */
  uint8_t in;  /* bit d: the arc from the neighbour has capacity left */
} FsBandNode;

typedef struct {
  uint16_t to[FS_BAND_DIRECTIONS];
} FsBandResidual;

typedef struct {
  FsBandNode *nodes;
  FsBandResidual *residuals;
  uint32_t n_nodes;
  size_t capacity;
  int32_t *rows; /* three rows of indices, width + 2 each; −1 outside the band */
  size_t rows_capacity;
} FsBandGraph;

/* Offsets of direction d. */
extern const int8_t fs_band_dx[FS_BAND_DIRECTIONS];
extern const int8_t fs_band_dy[FS_BAND_DIRECTIONS];

/* fs_band_rank[d][slots]: how many neighbours of d's row come before d. */
extern const uint8_t fs_band_rank[FS_BAND_DIRECTIONS][8];

void fs_band_graph_init (FsBandGraph *graph);
void fs_band_graph_clear (FsBandGraph *graph);
size_t fs_band_graph_size_bytes (const FsBandGraph *graph);

/* Builds the nodes; `mask` has the grid's size, its values inside the band do not matter. All nodes
 * are free. FALSE when memory ends or the band has 2³¹ pixels or more. */
gboolean fs_band_graph_build (FsBandGraph *graph, const FsGrid *grid, const FsBand *band,
                              const uint8_t *mask);

static inline uint32_t
fs_band_neighbour (const FsBandNode *node, uint32_t index, int d)
{
  if (d < 3)
    return node->up + fs_band_rank[d][node->slots & 7];
  if (d > 4)
    return node->down + fs_band_rank[d][node->slots >> 5];
  return d == 3 ? index - 1 : index + 1;
}

G_END_DECLS

#endif
