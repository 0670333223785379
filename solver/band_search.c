/* SPDX-License-Identifier: MIT */
#include "solver/band_search.h"

#include "solver/checked_memory.h"

#include <string.h>

enum { STEPS_PER_POLL = 8192, FAR = 65535, NO_PATH = INT32_MAX };

void
fs_band_search_init (FsBandSearch *search)
{
  *search = (FsBandSearch){ 0 };
}

void
fs_band_search_clear (FsBandSearch *search)
{
  fs_memory_free (search->orphans);
  fs_band_search_init (search);
}

size_t
fs_band_search_size_bytes (const FsBandSearch *search)
{
  return search->orphans_capacity * sizeof *search->orphans;
}

/* --- the queue of active nodes, and the orphans --- */

static inline void
activate (FsBandSearch *search, uint32_t index)
{
  FsBandNode *nodes = search->graph->nodes;
  if (nodes[index].next != FS_BAND_NONE)
    return;
  nodes[index].next = index;
  if (search->first_active == FS_BAND_NONE)
    search->first_active = index;
  else
    nodes[search->last_active].next = index;
  search->last_active = index;
}

/* The next node that still belongs to a tree, or FS_BAND_NONE. */
static uint32_t
take_active (FsBandSearch *search)
{
  FsBandNode *nodes = search->graph->nodes;
  while (search->first_active != FS_BAND_NONE) {
    uint32_t index = search->first_active;
    uint32_t next = nodes[index].next;
    search->first_active = next == index ? FS_BAND_NONE : next;
    nodes[index].next = FS_BAND_NONE;
    if ((nodes[index].state & FS_BAND_TREE) != FS_BAND_FREE)
      return index;
  }
  return FS_BAND_NONE;
}

static gboolean
grow_orphans (FsBandSearch *search)
{
  size_t capacity = MAX (2 * search->orphans_capacity, 4096);
  uint32_t *orphans = fs_memory_new (capacity, sizeof *orphans);
  if (orphans == NULL) {
    search->failed = TRUE;
    return FALSE;
  }
  if (search->n_orphans > 0)
    memcpy (orphans, search->orphans, search->n_orphans * sizeof *orphans);
  fs_memory_free (search->orphans);
  search->orphans = orphans;
  search->orphans_capacity = capacity;
  return TRUE;
}

static inline void
make_orphan (FsBandSearch *search, uint32_t index)
{
  FsBandNode *node = &search->graph->nodes[index];
  if (search->n_orphans == search->orphans_capacity && !grow_orphans (search))
    return;
  node->state = (node->state & FS_BAND_TREE) | FS_BAND_ORPHAN;
  search->orphans[search->n_orphans++] = index;
}

/* --- augmenting --- */

/* Pushes through the arc in direction d. Returns whether it is now full. */
static inline gboolean
push (FsBandGraph *graph, uint32_t from, uint32_t to, int d, int32_t flow)
{
  uint16_t *forth = &graph->residuals[from].to[d];
  uint16_t *back = &graph->residuals[to].to[7 - d];
  if (*back == 0) {
    graph->nodes[to].out |= (uint8_t)(1 << (7 - d));
    graph->nodes[from].in |= (uint8_t)(1 << d);
  }
  *back += (uint16_t)flow;
  *forth -= (uint16_t)flow;
  if (*forth > 0)
    return FALSE;
  graph->nodes[from].out &= (uint8_t) ~(1 << d);
  graph->nodes[to].in &= (uint8_t) ~(1 << (7 - d));
  return TRUE;
}

/* The most that can flow between a node and its root. */
static int32_t
bottleneck (const FsBandGraph *graph, uint32_t index, int32_t flow)
{
  const FsBandNode *node = &graph->nodes[index];
  gboolean source = (node->state & FS_BAND_TREE) == FS_BAND_SOURCE;
  int d;
  while ((d = node->state & FS_BAND_PARENT) < FS_BAND_ROOT) {
    uint32_t parent = node->parent;
    int32_t left = source ? graph->residuals[parent].to[7 - d] : graph->residuals[index].to[d];
    flow = MIN (flow, left);
    index = parent;
    node = &graph->nodes[index];
  }
  return MIN (flow, source ? node->excess : -node->excess);
}

static void
push_to_root (FsBandSearch *search, uint32_t index, int32_t flow)
{
  FsBandGraph *graph = search->graph;
  gboolean source = (graph->nodes[index].state & FS_BAND_TREE) == FS_BAND_SOURCE;
  int d;
  while ((d = graph->nodes[index].state & FS_BAND_PARENT) < FS_BAND_ROOT) {
    uint32_t parent = graph->nodes[index].parent;
    gboolean full =
        source ? push (graph, parent, index, 7 - d, flow) : push (graph, index, parent, d, flow);
    if (full)
      make_orphan (search, index);
    index = parent;
  }
  graph->nodes[index].excess += source ? -flow : flow;
  if (graph->nodes[index].excess == 0)
    make_orphan (search, index);
}

/* `from` is of the source's tree, its neighbour `to` in direction d of the sink's. */
static void
augment (FsBandSearch *search, uint32_t from, uint32_t to, int d)
{
  FsBandGraph *graph = search->graph;
  int32_t flow = graph->residuals[from].to[d];
  flow = bottleneck (graph, from, flow);
  flow = bottleneck (graph, to, flow);
  push (graph, from, to, d, flow);
  push_to_root (search, from, flow);
  push_to_root (search, to, flow);
}

/* --- adopting --- */

/* Arcs through which a node can hang on a parent. */
static inline unsigned
parent_arcs (const FsBandNode *node)
{
  return (node->state & FS_BAND_TREE) == FS_BAND_SOURCE ? node->in : node->out;
}

/* The length of the way to the root, NO_PATH where it ends at an orphan. */
static int32_t
distance_to_root (FsBandSearch *search, uint32_t index)
{
  FsBandNode *nodes = search->graph->nodes;
  int32_t distance = 0;
  for (;;) {
    FsBandNode *node = &nodes[index];
    int d = node->state & FS_BAND_PARENT;
    if (d == FS_BAND_ORPHAN)
      return NO_PATH;
    if (node->stamp == search->stamp)
      return distance + node->distance;
    if (d == FS_BAND_ROOT) {
      node->stamp = search->stamp;
      node->distance = 1;
      return distance + 1;
    }
    distance++;
    index = node->parent;
  }
}

/* Notes along the way that it leads to a root. */
static void
stamp_path (FsBandSearch *search, uint32_t index, int32_t distance)
{
  FsBandNode *nodes = search->graph->nodes;
  for (FsBandNode *node = &nodes[index]; node->stamp != search->stamp; node = &nodes[index]) {
    node->stamp = search->stamp;
    node->distance = (uint16_t)MIN (distance, FAR);
    distance--;
    index = node->parent;
  }
}

static void
set_free (FsBandSearch *search, uint32_t index)
{
  FsBandNode *nodes = search->graph->nodes;
  FsBandNode *node = &nodes[index];
  int tree = node->state & FS_BAND_TREE;
  unsigned takers = parent_arcs (node);
  for (unsigned left = node->slots; left != 0; left &= left - 1) {
    int d = __builtin_ctz (left);
    uint32_t other = fs_band_neighbour (node, index, d);
    if ((nodes[other].state & FS_BAND_TREE) != tree)
      continue;
    if (takers >> d & 1)
      activate (search, other);
    if ((nodes[other].state & FS_BAND_PARENT) == 7 - d)
      make_orphan (search, other);
  }
  node->state = FS_BAND_FREE;
}

static void
adopt (FsBandSearch *search, uint32_t index)
{
  FsBandNode *nodes = search->graph->nodes;
  FsBandNode *node = &nodes[index];
  int tree = node->state & FS_BAND_TREE;
  int best = FS_BAND_ORPHAN;
  int32_t least = NO_PATH;
  for (unsigned left = parent_arcs (node); left != 0; left &= left - 1) {
    int d = __builtin_ctz (left);
    uint32_t other = fs_band_neighbour (node, index, d);
    if ((nodes[other].state & FS_BAND_TREE) != tree)
      continue;
    int32_t distance = distance_to_root (search, other);
    if (distance == NO_PATH)
      continue;
    stamp_path (search, other, distance);
    if (distance < least) {
      least = distance;
      best = d;
      /* No farther than it was: to look on costs more than a shorter way saves. */
      if (distance < node->distance)
        break;
    }
  }
  if (best == FS_BAND_ORPHAN) {
    set_free (search, index);
    return;
  }
  node->state = (uint8_t)(tree | best);
  node->parent = fs_band_neighbour (node, index, best);
  node->stamp = search->stamp;
  node->distance = (uint16_t)MIN (least + 1, FAR);
}

static void
adopt_all (FsBandSearch *search)
{
  while (search->n_adopted < search->n_orphans && !search->failed)
    adopt (search, search->orphans[search->n_adopted++]);
  search->n_orphans = search->n_adopted = 0;
}

/* --- growing --- */

/* Scans the neighbours of an active node. Returns the direction in which the other tree was met, or
 * −1. */
static int
scan (FsBandSearch *search, uint32_t index)
{
  FsBandNode *nodes = search->graph->nodes;
  FsBandNode *node = &nodes[index];
  int tree = node->state & FS_BAND_TREE;
  for (unsigned left = tree == FS_BAND_SOURCE ? node->out : node->in; left != 0; left &= left - 1) {
    int d = __builtin_ctz (left);
    uint32_t other = fs_band_neighbour (node, index, d);
    FsBandNode *reached = &nodes[other];
    int its = reached->state & FS_BAND_TREE;
    if (its == FS_BAND_FREE)
      activate (search, other);
    else if (its != tree)
      return d;
    /* A shorter way to the root than the one it has, as far as is known. */
    else if (reached->stamp > node->stamp || reached->distance <= node->distance)
      continue;
    reached->state = (uint8_t)(tree | (7 - d));
    reached->parent = index;
    reached->stamp = node->stamp;
    reached->distance = (uint16_t)MIN (node->distance + 1, FAR);
  }
  return -1;
}

/* Scans one node until nothing is left to meet. */
static void
exhaust (FsBandSearch *search, uint32_t index)
{
  FsBandNode *nodes = search->graph->nodes;
  int d;
  while (!search->failed && (nodes[index].state & FS_BAND_TREE) != FS_BAND_FREE
         && (d = scan (search, index)) >= 0) {
    uint32_t other = fs_band_neighbour (&nodes[index], index, d);
    if ((nodes[index].state & FS_BAND_TREE) == FS_BAND_SOURCE)
      augment (search, index, other, d);
    else
      augment (search, other, index, 7 - d);
    search->stamp++;
    adopt_all (search);
  }
}

/* Sends what excess it can straight into deficits beside it: what needs no tree makes no orphans.
 */
static void
push_beside (FsBandGraph *graph, uint32_t index)
{
  FsBandNode *node = &graph->nodes[index];
  for (unsigned left = node->out; left != 0 && node->excess > 0; left &= left - 1) {
    int d = __builtin_ctz (left);
    uint32_t other = fs_band_neighbour (node, index, d);
    int32_t deficit = -graph->nodes[other].excess;
    if (deficit <= 0)
      continue;
    int32_t flow = MIN (graph->residuals[index].to[d], MIN (node->excess, deficit));
    push (graph, index, other, d, flow);
    node->excess -= flow;
    graph->nodes[other].excess += flow;
  }
}

static void
plant (FsBandNode *node)
{
  if (node->excess == 0)
    return;
  node->state = (node->excess > 0 ? FS_BAND_SOURCE : FS_BAND_SINK) | FS_BAND_ROOT;
  node->distance = 1;
}

/* Whether a root has anywhere to grow. */
static gboolean
is_frontier (const FsBandGraph *graph, uint32_t index)
{
  const FsBandNode *node = &graph->nodes[index];
  int tree = node->state & FS_BAND_TREE;
  if (tree == FS_BAND_FREE)
    return FALSE;
  unsigned left = tree == FS_BAND_SOURCE ? node->out : node->in;
  for (; left != 0; left &= left - 1) {
    uint32_t other = fs_band_neighbour (node, index, __builtin_ctz (left));
    if ((graph->nodes[other].state & FS_BAND_TREE) != tree)
      return TRUE;
  }
  return FALSE;
}

static gboolean
is_cancelled (FsBandSearch *search)
{
  if (--search->until_poll > 0)
    return FALSE;
  search->until_poll = STEPS_PER_POLL;
  return fs_progress_is_cancelled (search->progress);
}

FsBandOutcome
fs_band_search_run (FsBandSearch *search, FsBandGraph *graph, const FsProgress *progress)
{
  g_return_val_if_fail (search != NULL && graph != NULL, FS_BAND_NO_MEMORY);
  search->graph = graph;
  search->progress = progress;
  search->first_active = search->last_active = FS_BAND_NONE;
  search->n_orphans = search->n_adopted = 0;
  search->stamp = search->until_poll = 0;
  search->failed = FALSE;
  for (uint32_t index = 0; index < graph->n_nodes; index++)
    push_beside (graph, index);
  for (uint32_t index = 0; index < graph->n_nodes; index++)
    plant (&graph->nodes[index]);
  for (uint32_t index = 0; index < graph->n_nodes; index++)
    if (is_frontier (graph, index))
      activate (search, index);

  uint32_t index;
  while ((index = take_active (search)) != FS_BAND_NONE) {
    exhaust (search, index);
    if (search->failed)
      return FS_BAND_NO_MEMORY;
    if (is_cancelled (search))
      return FS_BAND_CANCELLED;
  }
  return FS_BAND_DONE;
}
