/* SPDX-License-Identifier: MIT */
/* Global relabelling: a backward BFS from new deficits.   Layer: solver (CPU backend).
 *
 * Breadth first, all nodes of a tile at once: sets of 64 bits are the nodes found at the last
 * distance, the nodes with an incoming arc from each direction, and the nodes not found yet. A step
 * is a few shifts for all nodes of a tile instead of eight loads for each node. Nodes of the sink's
 * trees, which belong to other deficits, are not found.
 *
 * `label[]` holds distances. Bit sets are the nodes that the current relabelling has found, and
 * those that any relabelling for the present deficits has. Nodes' words are not changed.
 */
#ifndef FS_SOLVER_CPU_STATE_GLOBAL_RELABEL_H
#define FS_SOLVER_CPU_STATE_GLOBAL_RELABEL_H

#include "solver/cpu/state/layout.h"
#include "solver/cpu/state/lists.h"

G_BEGIN_DECLS

/* The label of a node that is not in the region; all others are less. */
#define FS_NO_LABEL UINT16_MAX

/* A copy of the labels of a tile and of the nodes around it: that of pixel (x, y) is at
 * (y + 1)·FS_LABELS_STRIDE + x + 1. */
enum { FS_LABELS_STRIDE = 16, FS_LABELS_ROWS = FS_CPU_TILE + 2 };

typedef struct FsCpuSearch FsCpuSearch;

typedef struct {
  _Alignas(64) uint32_t tile; /* cache-line aligned: what neighbouring tiles read comes first */
  uint32_t relabelling; /* the last one that visited the tile; up to `arc_from`, but for `met`, all
                           members are its */
  uint64_t left;        /* not found yet                 */
  uint64_t frontier;    /* found at the last distance    */
  uint64_t next;        /* found at the next distance    */
  uint64_t region;      /* all found                     */
  uint64_t before;      /* found by the last relabelling */
  uint64_t has_excess;
  uint64_t met;          /* ever found, for the present deficits */
  uint64_t arc_from[8];  /* [direction, of 8]: with an incoming arc from that side */
  uint64_t open;         /* in no tree of other deficits */
  uint64_t waits;        /* have excess and wait in this pass */
  uint64_t moved;        /* relabelled; wait in the next pass */
  uint16_t waits_max;    /* no label of `waits` is greater; the tile's place in this pass     */
  uint16_t moved_max;    /* no label of `moved` is greater; the tile's place in the next pass */
  uint32_t neighbour[8]; /* [direction]: the neighbouring tile's index, or 0 */
  _Alignas(16) uint16_t label[FS_CPU_TILE_PIXELS]; /* lower bounds of distances; FS_NO_LABEL */
} FsRelabelTile;

typedef struct {
  FsRelabelTile *tile; /* tile[0] stands for tiles in which nothing can be found */
  uint32_t *frontier;  /* tiles that have some of it */
  uint32_t *next;
  uint32_t n_tiles;
  uint32_t n_frontier;
  uint32_t n_next;
  uint32_t capacity; /* of all three */
  uint32_t relabelling;
  uint32_t distance; /* of the frontier */
  size_t n_found;    /* nodes of the region */
} FsCpuGlobalRelabel;

gboolean fs_cpu_global_relabel_init (FsCpuGlobalRelabel *relabelling);
void fs_cpu_global_relabel_clear (FsCpuGlobalRelabel *relabelling);
size_t fs_cpu_global_relabel_bytes (const FsCpuGlobalRelabel *relabelling);

/* Reserves memory for n tiles; FALSE when memory ends, and nothing has changed. */
gboolean fs_cpu_global_relabel_reserve (FsCpuGlobalRelabel *relabelling, size_t n);

/* Forgets all tiles. */
void fs_cpu_global_relabel_forget (FsCpuGlobalRelabel *relabelling, FsCpuLayout *layout);

static inline gboolean
fs_cpu_global_relabel_is_closed (const FsCpuGlobalRelabel *relabelling)
{
  return relabelling->n_frontier == 0;
}

G_END_DECLS

#endif
