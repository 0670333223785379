/* SPDX-License-Identifier: MIT */
/* State of a search on compressed rows (graph_search.h), and its common functions.   Layer: solver.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_SEARCH_STATE_H
#define FS_SOLVER_GRAPH_GRAPH_SEARCH_STATE_H

#include "solver/cpu/state/lists.h"
#include "solver/cpu/state/orphans.h"
#include "solver/graph/graph_rows.h"
#include "solver/progress.h"

G_BEGIN_DECLS

enum { FS_GRAPH_SCANS_PER_POLL = 2048 };

typedef enum { FS_GRAPH_SOURCE, FS_GRAPH_SINK, FS_GRAPH_N_TREES } FsGraphTree;

/* Bits of a node's word, with the distance between them, which FS_GRAPH_NODES_MAX bounds. */
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
#define FS_NODE_ORPHAN         2u /* linked as an orphan                                      */
#define FS_NODE_UNSETTLED      3u /* the same, and its excess was changed from outside         */

typedef struct {
  uint32_t word;
  uint32_t parent; /* the arc to the parent; of an orphan, to the last one */
} FsGraphNode;

typedef struct {
  FsGraphRows *rows;
  FsGraphNode *node;
  uint32_t *next; /* links of orphans' stacks */
  FsChunkPool pool;
  FsLists waiting[FS_GRAPH_N_TREES];
  FsOrphans orphans[FS_GRAPH_N_TREES];
  uint32_t top[FS_GRAPH_N_TREES];       /* greatest distance that was ever scanned */
  uint64_t n_adopted[FS_GRAPH_N_TREES]; /* orphans of either side since initialised */
  uint32_t n_relabels;                  /* in this adoption */
  gboolean source_grows;
  gboolean has_trees;   /* else the next run initialises them from the excess */
  uint64_t n_climbed;   /* nodes of all paths since initialised */
  uint64_t max_effort;  /* of fs_graph_search_effort, before the search is given up */
  gboolean is_given_up; /* the effort was exceeded at the last poll */
  gboolean has_pushed;  /* the last run gave the search up for push-relabel */

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

/* Polls: whether a run has to stop. */
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

/* The number of nodes on augmented paths and of adoptions since the trees were initialised. */
static inline uint64_t
fs_graph_search_effort (const FsGraphSearch *search)
{
  return search->n_climbed + search->n_adopted[FS_GRAPH_SOURCE] + search->n_adopted[FS_GRAPH_SINK];
}

G_END_DECLS

#endif
