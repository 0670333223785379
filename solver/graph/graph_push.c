/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph_push.h"
#include "solver/system/checked_memory.h"
#include "solver/graph/graph_trees.h"

/* A height: no deficit can be reached. */
#define FAR UINT32_MAX

/* Beside one a level, so that something arrives in every round: the lowest node that has excess
 * pushes it down where the heights are still exact, and so does the next one a step later. */
enum { MORE_STEPS = 16 };

typedef struct {
  FsGraphSearch *search;
  uint32_t *first;     /* [n_nodes + 1] by height: a list of nodes, linked by `next` */
  uint32_t n_levels;   /* of the exact heights */
  uint32_t head, tail; /* of a queue of nodes that have something to push, linked by `next` */
  uint32_t n_queued;   /* since this step began */
} Push;

static inline void
link_node (Push *push, uint32_t height, uint32_t node)
{
  push->search->next[node] = push->first[height];
  push->first[height] = node;
}

/* --- Exact heights ---------------------------------------------------------------------------- */

static void
raise_neighbours (Push *push, uint32_t node, uint32_t height)
{
  const FsGraphRows *rows = push->search->rows;
  FsGraphNode *nodes = push->search->node;
  for (uint32_t i = rows->first[node]; i < rows->first[node + 1]; i++) {
    uint32_t before = rows->arc[i].head;
    if (nodes[before].word == FAR && rows->arc[rows->arc[i].reverse].residual > 0) {
      nodes[before].word = height;
      link_node (push, height, before);
    }
  }
}

static void
start_heights (Push *push)
{
  const FsGraphRows *rows = push->search->rows;
  for (uint32_t v = 0; v < rows->n_nodes; v++) {
    gboolean is_deficit = rows->excess[v] < 0;
    push->search->node[v] = (FsGraphNode){ is_deficit ? 0 : FAR, rows->first[v] };
    if (is_deficit)
      link_node (push, 0, v);
  }
}

/* FALSE when asked to stop. The lists are empty before and after. */
static gboolean
make_heights (Push *push)
{
  gboolean go_on = TRUE;
  start_heights (push);
  uint32_t level = 0;
  for (; push->first[level] != FS_NO_NODE; level++) {
    uint32_t node = push->first[level];
    push->first[level] = FS_NO_NODE;
    for (; node != FS_NO_NODE && go_on; node = push->search->next[node]) {
      raise_neighbours (push, node, level + 1);
      go_on = !fs_graph_search_shall_stop (push->search);
    }
  }
  push->n_levels = level;
  return go_on;
}

/* --- Pushing ---------------------------------------------------------------------------------- */

static inline void
enqueue (Push *push, uint32_t node)
{
  push->search->next[node] = FS_NO_NODE;
  if (push->head == FS_NO_NODE)
    push->head = node;
  else
    push->search->next[push->tail] = node;
  push->tail = node;
  push->n_queued++;
}

/* Queues the nodes that have something to push. */
static void
queue_active_nodes (Push *push)
{
  const FsGraphRows *rows = push->search->rows;
  push->head = FS_NO_NODE;
  push->n_queued = 0;
  for (uint32_t v = 0; v < rows->n_nodes; v++)
    if (rows->excess[v] > 0 && push->search->node[v].word != FAR)
      enqueue (push, v);
}

/* Pushes `flow` through an arc that can carry it. */
static inline void
push_through (Push *push, FsGraphArc *arc, uint32_t flow)
{
  FsGraphRows *rows = push->search->rows;
  int64_t before = rows->excess[arc->head];
  arc->residual -= flow;
  rows->arc[arc->reverse].residual += flow;
  rows->excess[arc->head] = before + flow;
  if (before <= 0 && before + flow > 0)
    enqueue (push, arc->head);
}

/* Pushes through all arcs that lead down, until nothing is left. Returns the height of the lowest
 * neighbour that could still take more, of those that were looked at. */
static uint32_t
pass (Push *push, uint32_t node, int64_t *left)
{
  const FsGraphRows *rows = push->search->rows;
  uint32_t height = push->search->node[node].word, lowest = FAR;
  for (uint32_t i = rows->first[node]; i < rows->first[node + 1]; i++) {
    FsGraphArc *arc = &rows->arc[i];
    uint32_t there = arc->residual > 0 ? push->search->node[arc->head].word : FAR;
    if (there < height) {
      uint32_t flow = (uint32_t)MIN (*left, (int64_t)arc->residual);
      push_through (push, arc, flow);
      *left -= flow;
      if (*left == 0)
        break;
    } else
      lowest = MIN (lowest, there);
  }
  return lowest;
}

/* A way visits a node at most once, so that a greater height than there are nodes means that there
 * is none. */
static void
visit_node (Push *push, uint32_t node)
{
  uint32_t *height = &push->search->node[node].word;
  int64_t *excess = &push->search->rows->excess[node];
  uint32_t lowest = pass (push, node, excess);
  if (*excess == 0)
    return;
  *height = lowest >= push->search->rows->n_nodes - 1 ? FAR : lowest + 1;
  if (*height != FAR)
    enqueue (push, node);
}

/* A round of steps, in each of which every queued node is visited. FALSE when asked to stop. */
static gboolean
push_on (Push *push)
{
  uint32_t n_steps = push->n_levels + MORE_STEPS;
  for (uint32_t step = 0; step < n_steps && push->head != FS_NO_NODE; step++) {
    uint32_t n = push->n_queued;
    push->n_queued = 0;
    for (; n > 0; n--) {
      uint32_t node = push->head;
      push->head = push->search->next[node];
      visit_node (push, node);
      if (fs_graph_search_shall_stop (push->search))
        return FALSE;
    }
  }
  return TRUE;
}

FsGraphOutcome
fs_graph_push_run (FsGraphSearch *search)
{
  uint32_t n = search->rows->n_nodes + 1;
  Push push = { .search = search, .first = fs_memory_new (n, sizeof *push.first) };
  if (push.first == NULL)
    return FS_GRAPH_NO_MEMORY;
  fs_graph_trees_reset (search);
  for (uint32_t i = 0; i < n; i++)
    push.first[i] = FS_NO_NODE;
  gboolean go_on = make_heights (&push);
  for (queue_active_nodes (&push); go_on && push.head != FS_NO_NODE; queue_active_nodes (&push))
    go_on = push_on (&push) && make_heights (&push);
  fs_memory_free (push.first);
  return go_on ? FS_GRAPH_DONE : FS_GRAPH_CANCELLED;
}
