/* SPDX-License-Identifier: MIT */
/* Initialisation and repair of a search's trees.   Layer: solver.
 *
 * Repair follows Kohli & Torr 2007: nodes whose excess changed and nodes whose tree arc is
 * saturated become orphans, and the next run adopts them. From then on the source's trees do not
 * grow.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_TREES_H
#define FS_SOLVER_GRAPH_GRAPH_TREES_H

#include "solver/graph/graph_search_state.h"

G_BEGIN_DECLS

/* Forgets the trees. */
void fs_graph_trees_reset (FsGraphSearch *search);

/* Makes every node with excess or a deficit a root, and those with an arc out of their tree
 * active. */
void fs_graph_trees_init (FsGraphSearch *search);

/* Sets a node's excess. */
void fs_graph_trees_change_excess (FsGraphSearch *search, uint32_t node, int64_t excess);

/* Sets the residual of an arc. */
void fs_graph_trees_change_arc (FsGraphSearch *search, uint32_t from, uint32_t arc,
                                uint32_t residual);

/* Stops the growth of the source's trees. */
void fs_graph_trees_stop_source (FsGraphSearch *search);

/* Makes an orphan whose excess was changed a root, in the forest of its excess's sign. FALSE when
 * its excess is 0 and it needs a parent. */
gboolean fs_graph_trees_make_root (FsGraphSearch *search, FsGraphTree tree, uint32_t node);

/* Makes orphans of a node's children. */
void fs_graph_trees_orphan_children (FsGraphSearch *search, FsGraphTree tree, uint32_t node);

static inline void
fs_graph_trees_make_orphan (FsGraphSearch *search, FsGraphTree tree, uint32_t node, uint32_t kind)
{
  uint32_t *word = &search->node[node].word;
  *word = (*word & ~FS_NODE_KIND) | kind;
  fs_orphans_push (&search->orphans[tree], search->next, fs_node_distance (*word), node);
}

/* Makes a node of a tree active: lists it, unless it is. */
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
