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

/* One step up a tree: notes the parent, and what is left of the arc between them. */
static inline uint32_t
climb (const FsCpuLayout *layout, FsCpuTree tree, uint32_t word, uint32_t **path, int32_t *flow)
{
  uint32_t node = **path;
  uint32_t d = word & FS_WORD_PARENT;
  uint32_t parent = step (layout, node, d);
  int32_t left = tree == FS_SOURCE ? *residual_of (layout, parent, opposite (d))
                                   : *residual_of (layout, node, d);
  *flow = MIN (*flow, left);
  *++*path = parent;
  return layout->word[parent];
}

/* Notes the ways from two nodes to their roots, and returns the most that can flow along both. Each
 * step waits for the memory of the one before, so both ways are climbed at once. `end` becomes
 * where the roots are noted. */
static inline int32_t
trace (const FsCpuSearch *search, uint32_t from, uint32_t to, int32_t flow,
       uint32_t *end[FS_N_TREES])
{
  const FsCpuLayout *layout = search->layout;
  uint32_t *source = search->path[FS_SOURCE];
  uint32_t *sink = search->path[FS_SINK];
  uint32_t from_word = layout->word[from];
  uint32_t to_word = layout->word[to];
  int32_t sink_flow = flow;
  *source = from;
  *sink = to;
  while (!((from_word | to_word) & FS_WORD_ROOT)) {
    from_word = climb (layout, FS_SOURCE, from_word, &source, &flow);
    to_word = climb (layout, FS_SINK, to_word, &sink, &sink_flow);
  }
  while (!(from_word & FS_WORD_ROOT))
    from_word = climb (layout, FS_SOURCE, from_word, &source, &flow);
  while (!(to_word & FS_WORD_ROOT))
    to_word = climb (layout, FS_SINK, to_word, &sink, &sink_flow);
  end[FS_SOURCE] = source;
  end[FS_SINK] = sink;
  flow = MIN (flow, layout->excess[*source]);
  return MIN (flow, MIN (sink_flow, -layout->excess[*sink]));
}

static inline void
push_along (FsCpuSearch *search, FsCpuTree tree, const uint32_t *end, int32_t flow)
{
  FsCpuLayout *layout = search->layout;
  for (const uint32_t *at = search->path[tree]; at < end; at++) {
    uint32_t d = layout->word[at[0]] & FS_WORD_PARENT;
    gboolean full = tree == FS_SOURCE ? push (layout, at[1], at[0], opposite (d), flow)
                                      : push (layout, at[0], at[1], d, flow);
    if (full)
      make_orphan (search, tree, at[0]);
  }
  layout->excess[*end] += tree == FS_SOURCE ? -flow : flow;
  if (layout->excess[*end] == 0)
    make_orphan (search, tree, *end);
}

/* `from` is a source node, `to` its neighbour in direction d, a sink node. */
static inline void
augment (FsCpuSearch *search, uint32_t from, uint32_t to, uint32_t d)
{
  FsCpuLayout *layout = search->layout;
  uint32_t *end[FS_N_TREES];
  int32_t flow = trace (search, from, to, *residual_of (layout, from, d), end);
  push (layout, from, to, d, flow);
  push_along (search, FS_SOURCE, end[FS_SOURCE], flow);
  push_along (search, FS_SINK, end[FS_SINK], flow);
  search->flow += flow;
}
