/* SPDX-License-Identifier: MIT */
/* Augmenting along a path.   Layer: solver (CPU backend, template; see cpu_view.h).
 *
 * A path is an arc from a source node to a sink node, and the two ways from there to the roots.
 * Flow runs down the source's tree, from parent to child, and up the sink's, from child to parent.
 */

static inline uint16_t *
residual_of (const FsCpuLayout *layout, uint32_t node, uint32_t d)
{
  return &layout->residual[(size_t)node * FS_ND + d];
}

static inline void
make_orphan (FsCpuSearch *search, FsCpuTree tree, uint32_t node)
{
  uint32_t word = search->layout->word[node];
  search->layout->word[node] = word | FS_WORD_ORPHAN;
  fs_orphans_push (&search->orphans[tree], search->layout->next, fs_word_distance (word), node);
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

/* The most that can flow between a node and the root of its tree. */
static inline int32_t
bottleneck_to_root (const FsCpuLayout *layout, FsCpuTree tree, uint32_t node, int32_t flow)
{
  uint32_t word;
  while (!((word = layout->word[node]) & FS_WORD_ROOT)) {
    uint32_t d = word & FS_WORD_PARENT;
    uint32_t parent = step (layout, node, d);
    int32_t left = tree == FS_SOURCE ? *residual_of (layout, parent, opposite (d))
                                     : *residual_of (layout, node, d);
    flow = MIN (flow, left);
    node = parent;
  }
  return MIN (flow, tree == FS_SOURCE ? layout->excess[node] : -layout->excess[node]);
}

static inline void
push_to_root (FsCpuSearch *search, FsCpuTree tree, uint32_t node, int32_t flow)
{
  FsCpuLayout *layout = search->layout;
  uint32_t word;
  while (!((word = layout->word[node]) & FS_WORD_ROOT)) {
    uint32_t d = word & FS_WORD_PARENT;
    uint32_t parent = step (layout, node, d);
    gboolean full = tree == FS_SOURCE ? push (layout, parent, node, opposite (d), flow)
                                      : push (layout, node, parent, d, flow);
    if (full)
      make_orphan (search, tree, node);
    node = parent;
  }
  layout->excess[node] += tree == FS_SOURCE ? -flow : flow;
  if (layout->excess[node] == 0)
    make_orphan (search, tree, node);
}

/* `from` is a source node, `to` its neighbour in direction d, a sink node. */
static inline void
augment (FsCpuSearch *search, uint32_t from, uint32_t to, uint32_t d)
{
  FsCpuLayout *layout = search->layout;
  int32_t flow = *residual_of (layout, from, d);
  flow = bottleneck_to_root (layout, FS_SOURCE, from, flow);
  flow = bottleneck_to_root (layout, FS_SINK, to, flow);
  push (layout, from, to, d, flow);
  push_to_root (search, FS_SOURCE, from, flow);
  push_to_root (search, FS_SINK, to, flow);
  search->flow += flow;
}
