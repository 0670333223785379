/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph_search.h"

#include "solver/graph/graph_push.h"
#include "solver/graph/graph_trees.h"
#include "solver/system/checked_memory.h"

/* Where a whole region has lost its root, its nodes would take each other for parents and move away
 * step by step. After so many moves an adoption sets the rest free. */
enum { RELABELS_PER_ADOPTION = 10000 };

/* Where ways are short a search climbs and adopts up to fifteen nodes for each that there is, where
 * they are long hundreds: then it is given up for pushing. */
enum { EFFORT_PER_NODE = 24 };

gboolean
fs_graph_search_init (FsGraphSearch *search, FsGraphRows *rows)
{
  *search = (FsGraphSearch){ .rows = rows };
  search->node = fs_memory_new (rows->n_nodes, sizeof *search->node);
  search->next = fs_memory_new (rows->n_nodes, sizeof *search->next);
  gboolean whole = search->node != NULL && search->next != NULL
                   && fs_chunk_pool_init (&search->pool)
                   && fs_orphans_reserve (&search->orphans[FS_GRAPH_SOURCE], 1)
                   && fs_orphans_reserve (&search->orphans[FS_GRAPH_SINK], 1);
  if (whole)
    fs_graph_trees_reset (search);
  return whole;
}

void
fs_graph_search_clear (FsGraphSearch *search)
{
  fs_memory_free (search->node);
  fs_memory_free (search->next);
  for (int tree = 0; tree < FS_GRAPH_N_TREES; tree++) {
    fs_lists_clear (&search->waiting[tree]);
    fs_orphans_clear (&search->orphans[tree]);
  }
  fs_chunk_pool_clear (&search->pool);
}

size_t
fs_graph_search_bytes (const FsGraphSearch *search)
{
  size_t bytes = (size_t)search->rows->n_nodes * (sizeof *search->node + sizeof *search->next)
                 + fs_chunk_pool_bytes (&search->pool);
  for (int tree = 0; tree < FS_GRAPH_N_TREES; tree++)
    bytes += (search->waiting[tree].capacity + search->orphans[tree].capacity) * sizeof (uint32_t);
  return bytes;
}

/* --- augment ---------------------------------------------------------------------------------- */

/* The arc that carries flow between a child and its parent. */
static inline uint32_t
flow_arc (const FsGraphSearch *search, FsGraphTree tree, uint32_t parent)
{
  return tree == FS_GRAPH_SOURCE ? search->rows->arc[parent].reverse : parent;
}

/* The most that can flow between a node and the root of its tree, up to `flow`. */
static int64_t
bottleneck_to_root (const FsGraphSearch *search, FsGraphTree tree, uint32_t node, int64_t flow)
{
  const FsGraphRows *rows = search->rows;
  while ((search->node[node].word & FS_NODE_KIND) != FS_NODE_ROOT) {
    uint32_t parent = search->node[node].parent;
    flow = MIN (flow, rows->arc[flow_arc (search, tree, parent)].residual);
    node = rows->arc[parent].head;
  }
  return MIN (flow, tree == FS_GRAPH_SOURCE ? rows->excess[node] : -rows->excess[node]);
}

/* Returns whether the arc is now full. No more flows than one arc can have left. */
static inline gboolean
push (FsGraphRows *rows, uint32_t arc, uint32_t flow)
{
  FsGraphArc *forth = &rows->arc[arc];
  forth->residual -= flow;
  rows->arc[forth->reverse].residual += flow;
  return forth->residual == 0;
}

static void
push_to_root (FsGraphSearch *search, FsGraphTree tree, uint32_t node, uint32_t flow)
{
  FsGraphRows *rows = search->rows;
  while ((search->node[node].word & FS_NODE_KIND) != FS_NODE_ROOT) {
    uint32_t parent = search->node[node].parent;
    if (push (rows, flow_arc (search, tree, parent), flow))
      fs_graph_trees_make_orphan (search, tree, node, FS_NODE_ORPHAN);
    node = rows->arc[parent].head;
    search->n_climbed++;
  }
  rows->excess[node] += tree == FS_GRAPH_SOURCE ? -(int64_t)flow : (int64_t)flow;
  if (rows->excess[node] == 0) {
    search->node[node].parent = rows->first[node];
    fs_graph_trees_make_orphan (search, tree, node, FS_NODE_ORPHAN);
  }
}

/* The arc leads from a source node to a sink node. */
static void
augment (FsGraphSearch *search, uint32_t arc)
{
  const FsGraphArc *forth = &search->rows->arc[arc];
  uint32_t to = forth->head;
  uint32_t from = search->rows->arc[forth->reverse].head;
  int64_t max = bottleneck_to_root (search, FS_GRAPH_SOURCE, from, forth->residual);
  uint32_t flow = (uint32_t)bottleneck_to_root (search, FS_GRAPH_SINK, to, max);
  push (search->rows, arc, flow);
  push_to_root (search, FS_GRAPH_SOURCE, from, flow);
  push_to_root (search, FS_GRAPH_SINK, to, flow);
}

/* --- adopt ------------------------------------------------------------------------------------ */

/* Returns whether the arc's head could be the parent of its tail: by its tree, and by what is left.
 */
static inline gboolean
can_hold (const FsGraphSearch *search, FsGraphTree tree, uint32_t arc)
{
  const FsGraphArc *to_parent = &search->rows->arc[arc];
  return (search->node[to_parent->head].word & FS_NODE_TREE) == fs_node_tree_bits (tree)
         && search->rows->arc[flow_arc (search, tree, arc)].residual > 0;
}

/* Sets an orphan free. Neighbours of its tree that could take it back must be scanned again. */
static void
set_free (FsGraphSearch *search, FsGraphTree tree, uint32_t node)
{
  const FsGraphRows *rows = search->rows;
  search->node[node].word = FS_NODE_FREE;
  if (tree == FS_GRAPH_SOURCE && !search->source_grows)
    return;
  for (uint32_t i = rows->first[node]; i < rows->first[node + 1]; i++)
    if (can_hold (search, tree, i))
      fs_graph_trees_enqueue (search, tree, rows->arc[i].head);
}

/* The arc to the nearest node that could be the parent; FS_GRAPH_NO_ARC when there is none. */
static uint32_t
find_nearest (const FsGraphSearch *search, FsGraphTree tree, uint32_t node, uint32_t *distance)
{
  const FsGraphRows *rows = search->rows;
  uint32_t found = FS_GRAPH_NO_ARC;
  *distance = UINT32_MAX;
  for (uint32_t i = rows->first[node]; i < rows->first[node + 1]; i++) {
    uint32_t there = fs_node_distance (search->node[rows->arc[i].head].word);
    if (there < *distance && can_hold (search, tree, i)) {
      *distance = there;
      found = i;
    }
  }
  return found;
}

/* Moves an orphan away from its root, or sets it free beyond what was ever scanned. */
static void
relabel (FsGraphSearch *search, FsGraphTree tree, uint32_t node)
{
  FsGraphNode *self = &search->node[node];
  uint32_t nearest;
  uint32_t parent = find_nearest (search, tree, node, &nearest);
  if (parent != FS_GRAPH_NO_ARC && nearest < fs_node_distance (self->word)) {
    self->word &= ~FS_NODE_KIND;
    self->parent = parent;
    return;
  }
  fs_graph_trees_orphan_children (search, tree, node);
  if (parent == FS_GRAPH_NO_ARC || nearest > search->top[tree]
      || search->n_relabels > RELABELS_PER_ADOPTION) {
    set_free (search, tree, node);
    return;
  }
  search->n_relabels++;
  self->word = fs_node_word (fs_node_tree_bits (tree), nearest + 1, self->word & FS_NODE_QUEUED);
  self->parent = parent;
  if (nearest + 1 > search->top[tree] && (tree == FS_GRAPH_SINK || search->source_grows))
    fs_graph_trees_enqueue (search, tree, node);
}

/* The next arc after a lost parent's to a node as far from the root; FS_GRAPH_NO_ARC for none. */
static uint32_t
find_equal_parent (const FsGraphSearch *search, FsGraphTree tree, uint32_t node)
{
  const FsGraphRows *rows = search->rows;
  const FsGraphNode *self = &search->node[node];
  uint32_t wanted = fs_node_distance (self->word) - 1;
  for (uint32_t i = self->parent; i < rows->first[node + 1]; i++)
    if (fs_node_distance (search->node[rows->arc[i].head].word) == wanted
        && can_hold (search, tree, i))
      return i;
  return FS_GRAPH_NO_ARC;
}

static void
adopt_one (FsGraphSearch *search, FsGraphTree tree, uint32_t node)
{
  FsGraphNode *self = &search->node[node];
  if (G_UNLIKELY ((self->word & FS_NODE_KIND) == FS_NODE_UNSETTLED)
      && fs_graph_trees_make_root (search, tree, node))
    return;
  uint32_t parent = find_equal_parent (search, tree, node);
  if (parent == FS_GRAPH_NO_ARC) {
    relabel (search, tree, node);
    return;
  }
  self->word &= ~FS_NODE_KIND;
  self->parent = parent;
}

/* Adopts the orphans of one distance; those that come up meanwhile lie further away. FALSE when
 * asked to stop, with the rest linked again. */
static gboolean
adopt_level (FsGraphSearch *search, FsGraphTree tree, uint32_t distance)
{
  FsOrphans *orphans = &search->orphans[tree];
  uint32_t node = orphans->head[distance];
  orphans->head[distance] = FS_NO_NODE;
  while (node != FS_NO_NODE) {
    uint32_t following = search->next[node];
    search->n_adopted[tree]++;
    adopt_one (search, tree, node);
    if (fs_graph_search_shall_stop (search)) {
      orphans->head[distance] = following;
      return FALSE;
    }
    node = following;
  }
  return TRUE;
}

/* Adopts or frees every orphan of a tree; FALSE when asked to stop, with orphans left. */
static gboolean
adopt (FsGraphSearch *search, FsGraphTree tree)
{
  FsOrphans *orphans = &search->orphans[tree];
  search->n_relabels = 0;
  for (; orphans->low < orphans->end; orphans->low++)
    if (!adopt_level (search, tree, orphans->low))
      return FALSE;
  orphans->low = UINT32_MAX;
  orphans->end = 0;
  return TRUE;
}

/* --- scan ------------------------------------------------------------------------------------- */

static void
join (FsGraphSearch *search, FsGraphTree tree, uint32_t node, uint32_t distance, uint32_t parent)
{
  search->node[node].word = fs_node_word (fs_node_tree_bits (tree), distance, FS_NODE_QUEUED);
  search->node[node].parent = parent;
  fs_lists_push (&search->waiting[tree], &search->pool, distance, node);
}

/* One arc of a scanned node: a free head joins; through a head in the other tree flow is pushed,
 * and TRUE says that trees have changed. */
static inline gboolean
follow (FsGraphSearch *search, FsGraphTree tree, uint32_t arc, uint32_t distance)
{
  const FsGraphArc *out = &search->rows->arc[arc];
  uint32_t bits = search->node[out->head].word & FS_NODE_TREE;
  if (bits == fs_node_tree_bits (tree))
    return FALSE;
  uint32_t forth = tree == FS_GRAPH_SOURCE ? arc : out->reverse;
  if (search->rows->arc[forth].residual == 0)
    return FALSE;
  if (bits != FS_NODE_FREE) {
    augment (search, forth);
    return TRUE;
  }
  join (search, tree, out->head, distance + 1, out->reverse);
  return FALSE;
}

/* Follows every arc of a node until the node has moved. FALSE when asked to stop. An arc that was
 * passed opens again only where its head leaves the tree, and then the node is listed again. */
static gboolean
scan (FsGraphSearch *search, FsGraphTree tree, uint32_t node)
{
  const uint32_t *word = &search->node[node].word;
  uint32_t place = *word & (FS_NODE_TREE | FS_NODE_DISTANCE);
  uint32_t end = search->rows->first[node + 1];
  for (uint32_t i = search->rows->first[node]; i < end;) {
    if (!follow (search, tree, i, fs_node_distance (place))) {
      i++;
      continue;
    }
    gboolean go_on = adopt (search, FS_GRAPH_SOURCE) && adopt (search, FS_GRAPH_SINK);
    gboolean moved = (*word & (FS_NODE_TREE | FS_NODE_DISTANCE)) != place;
    if (!go_on || moved) {
      if ((*word & FS_NODE_TREE) == fs_node_tree_bits (tree))
        fs_graph_trees_enqueue (search, tree, node);
      return go_on;
    }
  }
  return TRUE;
}

/* Takes the next node of the nearest list that is still there to be scanned; FALSE for none up to
 * `level`. */
static gboolean
take_node (FsGraphSearch *search, FsGraphTree tree, uint32_t level, uint32_t *node)
{
  FsLists *waiting = &search->waiting[tree];
  while (fs_lists_seek (waiting) && waiting->low <= level) {
    uint32_t listed = waiting->low;
    *node = fs_lists_pop (waiting, &search->pool);
    uint32_t *word = &search->node[*node].word;
    if ((*word & (FS_NODE_TREE | FS_NODE_QUEUED)) != (fs_node_tree_bits (tree) | FS_NODE_QUEUED))
      continue;
    if (fs_node_distance (*word) > listed) {
      fs_lists_push (waiting, &search->pool, fs_node_distance (*word), *node);
      continue;
    }
    *word &= ~FS_NODE_QUEUED;
    return TRUE;
  }
  return FALSE;
}

/* Scans the nearest waiting list of a tree. FALSE when asked to stop. */
static gboolean
scan_level (FsGraphSearch *search, FsGraphTree tree)
{
  uint32_t level = search->waiting[tree].low;
  search->top[tree] = MAX (search->top[tree], level);
  /* Orphans lie at most one beyond what was scanned. */
  if (!fs_orphans_reserve (&search->orphans[tree], level + 1)) {
    search->pool.failed = TRUE;
    return FALSE;
  }
  uint32_t node;
  while (take_node (search, tree, level, &node))
    if (!scan (search, tree, node) || search->pool.failed || fs_graph_search_shall_stop (search))
      return FALSE;
  return TRUE;
}

/* Level by level on the side that has made fewer orphans so far. */
static gboolean
grow_trees (FsGraphSearch *search)
{
  if (!adopt (search, FS_GRAPH_SOURCE) || !adopt (search, FS_GRAPH_SINK))
    return FALSE;
  while (fs_lists_seek (&search->waiting[FS_GRAPH_SINK])) {
    if (search->source_grows && !fs_lists_seek (&search->waiting[FS_GRAPH_SOURCE]))
      fs_graph_trees_stop_source (search);
    gboolean source_is_cheap =
        search->n_adopted[FS_GRAPH_SOURCE] < search->n_adopted[FS_GRAPH_SINK];
    FsGraphTree tree = search->source_grows && source_is_cheap ? FS_GRAPH_SOURCE : FS_GRAPH_SINK;
    if (!scan_level (search, tree))
      return FALSE;
  }
  return TRUE;
}

static gboolean
search_on (FsGraphSearch *search, uint64_t more_effort)
{
  if (!search->has_trees)
    fs_graph_trees_init (search);
  search->max_effort = fs_graph_search_effort (search) + more_effort;
  search->is_given_up = FALSE;
  return grow_trees (search);
}

/* Searches for paths as long as that goes well, then pushes; what is left to search for after that
 * is the trees. */
static gboolean
find_flow (FsGraphSearch *search)
{
  uint64_t max = (uint64_t)search->rows->n_nodes * EFFORT_PER_NODE;
  if (search_on (search, max))
    return TRUE;
  if (search->pool.failed || fs_progress_is_cancelled (search->progress))
    return FALSE;
  search->max_effort = UINT64_MAX;
  search->has_pushed = TRUE;
  return fs_graph_push_run (search) != FS_GRAPH_CANCELLED && search_on (search, UINT64_MAX / 2);
}

FsGraphOutcome
fs_graph_search_run (FsGraphSearch *search, const FsProgress *progress)
{
  search->progress = progress;
  search->until_poll = FS_GRAPH_SCANS_PER_POLL;
  search->n_polls = 0;
  search->reported_us = g_get_monotonic_time ();
  search->has_pushed = FALSE;
  gboolean done = !fs_progress_is_cancelled (progress) && find_flow (search);
  search->progress = NULL;
  if (!search->pool.failed)
    return done ? FS_GRAPH_DONE : FS_GRAPH_CANCELLED;
  /* A node was dropped: the trees cannot be trusted, the flow can. */
  fs_graph_trees_reset (search);
  return FS_GRAPH_NO_MEMORY;
}
