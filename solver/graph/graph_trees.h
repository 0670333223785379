/* SPDX-License-Identifier: MIT */
/* The trees of a search from outside: initialised, repaired, dropped.   Layer: solver.
 *
 * Mending follows Kohli & Torr 2007: a node whose excess changed settles anew, a tree arc that can
 * carry no more leaves an orphan, and the search adopts them when it runs next. From then on the
 * source's trees are only met, never grown.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_TREES_H
#define FS_SOLVER_GRAPH_GRAPH_TREES_H

#include "solver/graph/graph_search_state.h"

G_BEGIN_DECLS

/* Forgets the trees. */
void fs_graph_trees_reset (FsGraphSearch *search);

/* Makes a root of every node with excess and lists those with an arc out of their tree. */
void fs_graph_trees_init (FsGraphSearch *search);

/* Sets a node's excess. */
void fs_graph_trees_change_excess (FsGraphSearch *search, uint32_t node, int64_t excess);

/* Sets what is left of an arc. */
void fs_graph_trees_change_arc (FsGraphSearch *search, uint32_t from, uint32_t arc,
                                uint32_t residual);

/* From now on the source's trees are only met. */
void fs_graph_trees_stop_source (FsGraphSearch *search);

/* An unsettled orphan becomes a root where it has excess, in the other forest if need be. FALSE
 * when it has none and needs a parent. */
gboolean fs_graph_trees_settle (FsGraphSearch *search, FsGraphTree tree, uint32_t node);

/* Every child of a node becomes an orphan. */
void fs_graph_trees_orphan_children (FsGraphSearch *search, FsGraphTree tree, uint32_t node);

static inline void
fs_graph_trees_make_orphan (FsGraphSearch *search, FsGraphTree tree, uint32_t node, uint32_t kind)
{
  uint32_t *word = &search->node[node].word;
  *word = (*word & ~FS_NODE_KIND) | kind;
  fs_orphans_push (&search->orphans[tree], search->next, fs_node_distance (*word), node);
}

/* Puts a node of a tree into its list, unless it is there. */
static inline void
fs_graph_trees_enqueue (FsGraphSearch *search, FsGraphTree tree, uint32_t node)
{
  uint32_t *word = &search->node[node].word;
  if (*word & FS_NODE_QUEUED)
    return;
  *word |= FS_NODE_QUEUED;
  fs_lists_push (&search->waiting[tree], &search->pool, fs_node_distance (*word), node);
}

G_END_DECLS

#endif
