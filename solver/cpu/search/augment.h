/* SPDX-License-Identifier: MIT */
/* Augmenting along a path.   Layer: solver (CPU backend, template; see neighbours.h).
 *
 * A path is an arc from a source node to a sink node, with the tree paths from both to their roots.
 * Flow runs down the source's tree, from parent to child, and up the sink's, from child to parent.
 *
 * The flow is the bottleneck of the source's half alone. On the sink's half, flow that a full arc
 * cannot carry stays at that arc as trapped excess, nearer to the deficits than before, and no
 * later path has to bring it there (the excesses of EIBFS, on one side of two). The node is an
 * orphan: a new parent takes the excess on, or the node becomes a root of the source's. There is no
 * proven bound of how often that can happen. So once a run has trapped excess half as many times as
 * the problem has nodes (docs/decisions/search-trees.md), the flow is the bottleneck of the whole
 * path, and every augmentation reduces the excess that is left.
 */

static inline uint16_t *
residual_of (const FsCpuLayout *layout, uint32_t node, uint32_t d)
{
  return &layout->residual[(size_t)node * FS_ND + d];
}

/* The node may be an orphan already. */
static inline void
make_orphan (FsCpuSearch *search, FsCpuTree tree, uint32_t node, uint32_t kind)
{
  uint32_t word = search->layout->word[node];
  search->layout->word[node] = (word & ~FS_WORD_KIND) | kind;
  if (!fs_word_is_orphan (word))
    fs_orphans_push_link (&search->orphans[tree], &search->pool, fs_word_distance (word), node);
}

/* Pushes flow through the arc `from` → `to`. Returns whether the arc is now full. */
static inline gboolean
push (FsCpuLayout *layout, uint32_t from, uint32_t to, uint32_t d, int32_t flow)
{
  uint16_t *forth = residual_of (layout, from, d);
  uint16_t *back = residual_of (layout, to, opposite (d));
  if (*back == 0) {
    layout->arcs[to] |= 1u << opposite (d);
    layout->arcs[from] |= 1u << (d + 8);
  }
  *back += (uint16_t)flow;
  *forth -= (uint16_t)flow;
  if (*forth > 0)
    return FALSE;
  layout->arcs[from] &= ~(1u << d);
  layout->arcs[to] &= ~(1u << (opposite (d) + 8));
  return TRUE;
}

/* Records the path from a source node to its root, and returns its bottleneck. `end` gets the place
 * of the root's record. */
static inline int32_t
trace (const FsCpuSearch *search, uint32_t node, int32_t flow, uint32_t **end)
{
  const FsCpuLayout *layout = search->layout;
  uint32_t *path = search->path;
  *path = node;
  for (uint32_t word; !((word = layout->word[node]) & FS_WORD_ROOT);) {
    uint32_t d = word & FS_WORD_PARENT;
    node = step (layout, node, d);
    flow = MIN (flow, *residual_of (layout, node, opposite (d)));
    *++path = node;
  }
  *end = path;
  return MIN (flow, layout->excess[node]);
}

static inline void
push_from_root (FsCpuSearch *search, const uint32_t *end, int32_t flow)
{
  FsCpuLayout *layout = search->layout;
  for (const uint32_t *at = search->path; at < end; at++) {
    uint32_t d = layout->word[at[0]] & FS_WORD_PARENT;
    if (push (layout, at[1], at[0], opposite (d), flow))
      make_orphan (search, FS_SOURCE, at[0], FS_WORD_ORPHAN);
  }
  layout->excess[*end] -= flow;
  if (layout->excess[*end] == 0)
    make_orphan (search, FS_SOURCE, *end, FS_WORD_ORPHAN);
  search->flow += flow;
}

/* Leaves flow at a sink node that cannot pass it on, as its arc is full or it is a root. Flow that
 * has met no deficit does not count. */
static inline void
leave (FsCpuSearch *search, uint32_t node, int32_t flow)
{
  int32_t before = search->layout->excess[node], excess = before + flow;
  search->layout->excess[node] = excess;
  search->flow -= MAX (excess, 0) - MAX (before, 0);
  search->n_left += flow > 0 && excess > 0;
  if (excess >= 0)
    make_orphan (search, FS_SINK, node, excess > 0 ? FS_WORD_TRAPPED_EXCESS : FS_WORD_ORPHAN);
}

static inline void
push_to_root (FsCpuSearch *search, uint32_t node, int32_t flow)
{
  FsCpuLayout *layout = search->layout;
  for (uint32_t word; !((word = layout->word[node]) & FS_WORD_ROOT);) {
    uint32_t d = word & FS_WORD_PARENT;
    uint32_t parent = step (layout, node, d);
    int32_t sent = MIN (flow, *residual_of (layout, node, d));
    if (push (layout, node, parent, d, sent))
      leave (search, node, flow - sent);
    flow = sent;
    node = parent;
  }
  leave (search, node, flow);
}

/* Pushes on the trapped excess of sink nodes that have found parents, the farthest ones first. */
static inline void
drain (FsCpuSearch *search)
{
  FsCpuLayout *layout = search->layout;
  while (fs_lists_seek (&search->trapped)) {
    uint32_t node = fs_lists_pop (&search->trapped, &search->pool);
    uint32_t word = layout->word[node];
    int32_t excess = layout->excess[node];
    if ((word & (FS_WORD_TREE | FS_WORD_ROOT)) != FS_WORD_SINK || excess <= 0)
      continue;
    layout->excess[node] = 0;
    search->flow += excess;
    push_to_root (search, node, excess);
  }
}

/* Returns whether excess was trapped so often that only flow that arrives is pushed. */
static inline gboolean
is_exact (const FsCpuSearch *search)
{
  return search->n_left > search->layout->n_nodes / 2;
}

/* The most that can flow from a sink node to its root. */
static inline int32_t
capacity_to_root (const FsCpuSearch *search, uint32_t node)
{
  const FsCpuLayout *layout = search->layout;
  int32_t capacity = INT32_MAX;
  for (uint32_t word; !((word = layout->word[node]) & FS_WORD_ROOT);) {
    capacity = MIN (capacity, *residual_of (layout, node, word & FS_WORD_PARENT));
    node = step (layout, node, word & FS_WORD_PARENT);
  }
  return MIN (capacity, -layout->excess[node]);
}

/* `from` is a source node, `to` its neighbour in direction d, a sink node. */
static inline void
augment (FsCpuSearch *search, uint32_t from, uint32_t to, uint32_t d)
{
  FsCpuLayout *layout = search->layout;
  uint32_t *end;
  int32_t flow = trace (search, from, *residual_of (layout, from, d), &end);
  if (G_UNLIKELY (is_exact (search)))
    flow = MIN (flow, capacity_to_root (search, to));
  push (layout, from, to, d, flow);
  push_from_root (search, end, flow);
  push_to_root (search, to, flow);
}
