/* SPDX-License-Identifier: MIT */
/* The search for augmenting paths on compressed rows.   Layer: solver.
 *
 * Incremental breadth-first search (Goldberg, Hed, Kaplan, Tarjan & Werneck, "Maximum flows by
 * incremental breadth-first search", ESA 2011), in the form that solver/cpu/search/search.h
 * describes for the grid: two forests, rooted at excess and at deficits, so that any pseudoflow is
 * a start (EIBFS, ESA 2015); scan the nearest waiting nodes, augment where the forests meet, adopt
 * orphans nearest first. Only the nodes' neighbours are found in another way here: a row of arcs in
 * place of a tile and offsets, and a node keeps the arc to its parent.
 *
 * A node that lost its parent looks on from there for another at the same distance: what came
 * before in its row was looked at when it got this distance. Only then does it look through the
 * whole row.
 *
 * The search ends when the sink's trees are closed. The invariant that makes this a proof: a sink
 * node that has an incoming residual arc from a node outside the sink's trees is QUEUED in its
 * list.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_SEARCH_H
#define FS_SOLVER_GRAPH_GRAPH_SEARCH_H

#include "solver/cpu/state/lists.h"
#include "solver/cpu/state/orphans.h"
#include "solver/graph/graph_rows.h"
#include "solver/progress.h"

G_BEGIN_DECLS

typedef enum { FS_GRAPH_SOURCE, FS_GRAPH_SINK, FS_GRAPH_N_TREES } FsGraphTree;

/* Bits of a node's word; the distance between them: FS_GRAPH_NODES_MAX bounds it. */
#define FS_NODE_SOURCE         (1u << 31)
#define FS_NODE_SINK           (1u << 30)
#define FS_NODE_TREE           (FS_NODE_SOURCE | FS_NODE_SINK)
#define FS_NODE_FREE           0u
#define FS_NODE_DISTANCE_SHIFT 3
#define FS_NODE_DISTANCE       (((1u << 27) - 1) << FS_NODE_DISTANCE_SHIFT)
#define FS_NODE_QUEUED         (1u << 2) /* waits in its tree's list to be scanned             */
#define FS_NODE_KIND           3u
#define FS_NODE_CHILD          0u
#define FS_NODE_ROOT           1u
#define FS_NODE_ORPHAN         2u /* chained as an orphan                                      */
#define FS_NODE_UNSETTLED      3u /* the same, and its excess was changed from outside         */

typedef struct {
  uint32_t word;
  uint32_t parent; /* a child's arc to its parent; an orphan's to its last one */
} FsGraphNode;

typedef struct {
  FsGraphRows *rows;
  FsGraphNode *node;
  uint32_t *next; /* chains orphans */
  FsChunkPool pool;
  FsLists waiting[FS_GRAPH_N_TREES];
  FsOrphans orphans[FS_GRAPH_N_TREES];
  uint32_t top[FS_GRAPH_N_TREES];       /* greatest distance that was ever scanned */
  uint64_t n_adopted[FS_GRAPH_N_TREES]; /* orphans of either side since it was planted */
  uint32_t n_relabels;                  /* in this adoption */
  gboolean source_grows;
  gboolean has_trees;   /* else the next run makes them from the excess */
  uint64_t n_climbed;   /* nodes of all paths since it was planted */
  uint64_t most_effort; /* orphans of both sides and n_climbed, before it is given up */
  gboolean is_given_up; /* asked for the last time, it said so */
  gboolean has_pushed;  /* the last run gave the search up */

  const FsProgress *progress;
  uint32_t until_poll;
  uint64_t n_polls;
  int64_t reported_us;
} FsGraphSearch;

typedef enum {
  FS_GRAPH_DONE,
  FS_GRAPH_CANCELLED,
  FS_GRAPH_NO_MEMORY,
} FsGraphOutcome;

/* The rows must outlive the search. FALSE when memory ends; clear it in any case. */
gboolean fs_graph_search_init (FsGraphSearch *search, FsGraphRows *rows);
void fs_graph_search_clear (FsGraphSearch *search);
size_t fs_graph_search_bytes (const FsGraphSearch *search);

/* Runs until no deficit can be reached from an excess, or until stopped; then the state is whole
 * and the next run goes on. The nodes of the sink's trees are the canonical background when done.
 */
FsGraphOutcome fs_graph_search_run (FsGraphSearch *search, const FsProgress *progress);

/* To be asked after every small step of a run: whether to stop. */
gboolean fs_graph_search_ask (FsGraphSearch *search);

static inline gboolean
fs_graph_search_shall_stop (FsGraphSearch *search)
{
  return G_UNLIKELY (--search->until_poll == 0) && fs_graph_search_ask (search);
}

static inline uint32_t
fs_node_distance (uint32_t word)
{
  return (word & FS_NODE_DISTANCE) >> FS_NODE_DISTANCE_SHIFT;
}

static inline uint32_t
fs_node_tree_bits (FsGraphTree tree)
{
  return tree == FS_GRAPH_SOURCE ? FS_NODE_SOURCE : FS_NODE_SINK;
}

static inline uint32_t
fs_node_word (uint32_t tree_bits, uint32_t distance, uint32_t rest)
{
  return tree_bits | distance << FS_NODE_DISTANCE_SHIFT | rest;
}

G_END_DECLS

#endif
