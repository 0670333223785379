/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph_trees.h"

void
fs_graph_trees_reset (FsGraphSearch *search)
{
  for (int tree = 0; tree < FS_GRAPH_N_TREES; tree++) {
    fs_lists_empty (&search->waiting[tree], &search->pool);
    fs_orphans_empty (&search->orphans[tree]);
    search->top[tree] = 0;
    search->n_adopted[tree] = 0;
  }
  search->n_climbed = 0;
  search->pool.failed = FALSE;
  search->has_trees = FALSE;
  search->source_grows = TRUE;
}

/* Returns whether an arc leads from the node out of its tree (for the sink's: in from outside). */
static gboolean
has_arc_out (const FsGraphSearch *search, uint32_t node)
{
  const FsGraphRows *rows = search->rows;
  uint32_t bits = search->node[node].word & FS_NODE_TREE;
  for (uint32_t i = rows->first[node]; i < rows->first[node + 1]; i++) {
    const FsGraphArc *arc = &rows->arc[i];
    uint32_t left = bits == FS_NODE_SOURCE ? arc->residual : rows->arc[arc->reverse].residual;
    if (left > 0 && (search->node[arc->head].word & FS_NODE_TREE) != bits)
      return TRUE;
  }
  return FALSE;
}

void
fs_graph_trees_init (FsGraphSearch *search)
{
  fs_graph_trees_reset (search);
  const FsGraphRows *rows = search->rows;
  for (uint32_t v = 0; v < rows->n_nodes; v++) {
    int64_t excess = rows->excess[v];
    search->node[v].word = excess > 0   ? fs_node_word (FS_NODE_SOURCE, 1, FS_NODE_ROOT)
                           : excess < 0 ? fs_node_word (FS_NODE_SINK, 1, FS_NODE_ROOT)
                                        : FS_NODE_FREE;
    search->node[v].parent = rows->first[v];
  }
  /* Backwards: what is listed last is scanned first. */
  for (uint32_t v = rows->n_nodes; v-- > 0;)
    if (rows->excess[v] != 0 && has_arc_out (search, v))
      fs_graph_trees_enqueue (search, rows->excess[v] > 0 ? FS_GRAPH_SOURCE : FS_GRAPH_SINK, v);
  search->has_trees = TRUE;
}

void
fs_graph_trees_stop_source (FsGraphSearch *search)
{
  search->source_grows = FALSE;
  fs_lists_empty (&search->waiting[FS_GRAPH_SOURCE], &search->pool);
}

void
fs_graph_trees_orphan_children (FsGraphSearch *search, FsGraphTree tree, uint32_t node)
{
  const FsGraphRows *rows = search->rows;
  for (uint32_t i = rows->first[node]; i < rows->first[node + 1]; i++) {
    const FsGraphArc *arc = &rows->arc[i];
    const FsGraphNode *child = &search->node[arc->head];
    if ((child->word & (FS_NODE_TREE | FS_NODE_KIND)) == fs_node_tree_bits (tree)
        && child->parent == arc->reverse)
      fs_graph_trees_make_orphan (search, tree, arc->head, FS_NODE_ORPHAN);
  }
}

/* A node that leaves the sink's trees breaks the invariant for the sink nodes it has arcs to. */
static void
enqueue_sink_heads (FsGraphSearch *search, uint32_t node)
{
  const FsGraphRows *rows = search->rows;
  for (uint32_t i = rows->first[node]; i < rows->first[node + 1]; i++) {
    const FsGraphArc *arc = &rows->arc[i];
    if (arc->residual > 0 && (search->node[arc->head].word & FS_NODE_TREE) == FS_NODE_SINK)
      fs_graph_trees_enqueue (search, FS_GRAPH_SINK, arc->head);
  }
}

/* The root of a new tree, on whichever side its excess says. */
static void
init_root (FsGraphSearch *search, uint32_t node)
{
  FsGraphTree tree = search->rows->excess[node] > 0 ? FS_GRAPH_SOURCE : FS_GRAPH_SINK;
  search->node[node] = (FsGraphNode){ fs_node_word (fs_node_tree_bits (tree), 1, FS_NODE_ROOT),
                                      search->rows->first[node] };
  if (tree == FS_GRAPH_SINK || search->source_grows)
    fs_graph_trees_enqueue (search, tree, node);
}

gboolean
fs_graph_trees_make_root (FsGraphSearch *search, FsGraphTree tree, uint32_t node)
{
  int64_t excess = search->rows->excess[node];
  uint32_t *word = &search->node[node].word;
  if (excess == 0) {
    *word = (*word & ~FS_NODE_KIND) | FS_NODE_ORPHAN;
    return FALSE;
  }
  if ((excess > 0) == (tree == FS_GRAPH_SOURCE)) {
    *word = (*word & ~FS_NODE_KIND) | FS_NODE_ROOT;
    return TRUE;
  }
  fs_graph_trees_orphan_children (search, tree, node);
  init_root (search, node);
  if (tree == FS_GRAPH_SINK)
    enqueue_sink_heads (search, node);
  return TRUE;
}

void
fs_graph_trees_change_excess (FsGraphSearch *search, uint32_t node, int64_t excess)
{
  search->rows->excess[node] = excess;
  if (!search->has_trees)
    return;
  if (search->source_grows)
    fs_graph_trees_stop_source (search);
  uint32_t *word = &search->node[node].word;
  uint32_t kind = *word & FS_NODE_KIND;
  FsGraphTree tree = (*word & FS_NODE_TREE) == FS_NODE_SOURCE ? FS_GRAPH_SOURCE : FS_GRAPH_SINK;
  if ((*word & FS_NODE_TREE) == FS_NODE_FREE) {
    if (excess != 0)
      init_root (search, node);
  } else if (kind == FS_NODE_ORPHAN || kind == FS_NODE_UNSETTLED)
    *word |= FS_NODE_UNSETTLED;
  else if (excess != 0 || kind == FS_NODE_ROOT)
    fs_graph_trees_make_orphan (search, tree, node, FS_NODE_UNSETTLED);
}

static gboolean
is_child_by (const FsGraphSearch *search, uint32_t node, uint32_t tree_bits, uint32_t arc)
{
  const FsGraphNode *child = &search->node[node];
  return (child->word & (FS_NODE_TREE | FS_NODE_KIND)) == tree_bits && child->parent == arc;
}

void
fs_graph_trees_change_arc (FsGraphSearch *search, uint32_t from, uint32_t arc, uint32_t residual)
{
  FsGraphArc *forth = &search->rows->arc[arc];
  uint32_t to = forth->head;
  gboolean changed = (forth->residual > 0) != (residual > 0);
  forth->residual = residual;
  if (!changed || !search->has_trees)
    return;
  if (search->source_grows)
    fs_graph_trees_stop_source (search);
  if (residual == 0) {
    if (is_child_by (search, to, FS_NODE_SOURCE, forth->reverse))
      fs_graph_trees_make_orphan (search, FS_GRAPH_SOURCE, to, FS_NODE_ORPHAN);
    if (is_child_by (search, from, FS_NODE_SINK, arc))
      fs_graph_trees_make_orphan (search, FS_GRAPH_SINK, from, FS_NODE_ORPHAN);
  } else if ((search->node[to].word & FS_NODE_TREE) == FS_NODE_SINK
             && (search->node[from].word & FS_NODE_TREE) != FS_NODE_SINK)
    fs_graph_trees_enqueue (search, FS_GRAPH_SINK, to);
}
