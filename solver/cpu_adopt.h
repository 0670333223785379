/* SPDX-License-Identifier: MIT */
/* New parents for orphans.   Layer: solver (CPU backend, template; see cpu_view.h).
 *
 * Orphans are taken nearest first. A parent one step nearer is best: the node keeps its distance
 * and its children. Else the node moves away to one more than the least distance around it, and its
 * children, now too near, become orphans of the next distance. Distances only grow, so this ends.
 *
 * Where a whole region has lost its root, its nodes would take each other for parents and move away
 * step by step. After FS_SEARCH_RELABELS moves an adoption sets the rest free, and the scan lets
 * them join again from the region's rim: at most twice the work, instead of many times.
 *
 * Orphans of the sink may have a surplus (cpu_augment.h). When all have been seen to, those that
 * have parents send it on, which makes orphans again, until none is left.
 *
 * Once the source's trees are only met and never grown, as during strokes, they need not be kept
 * up: a source node that is set free is found by the sink's trees as any other. That is cheaper
 * where a region turns over, dearer where it stays. So a run moves so many orphans of the source
 * away, and sets the rest free. Where a run sets much of the sink free, the source's trees grow
 * again (cpu_scan.h).
 */
#include "solver/cpu_plant.h"

/* Arcs through which a node of `tree` can have a parent. */
static inline uint32_t
parent_lanes (const FsCpuLayout *layout, FsCpuTree tree, uint32_t node)
{
  return tree == FS_SOURCE ? layout->arcs[node] >> 8 : layout->arcs[node] & 0xffu;
}

/* Arcs through which it can have children. */
static inline uint32_t
child_lanes (const FsCpuLayout *layout, FsCpuTree tree, uint32_t node)
{
  return tree == FS_SOURCE ? layout->arcs[node] & 0xffu : layout->arcs[node] >> 8;
}

static inline uint32_t
tree_bits (FsCpuTree tree)
{
  return tree == FS_SOURCE ? FS_WORD_SOURCE : FS_WORD_SINK;
}

/* Builds what lies behind the fence in some lanes, of one tree's. Whether there was any. */
static inline gboolean
build_behind (FsCpuLayout *layout, uint32_t node, const View *view, uint32_t lanes, uint32_t bits)
{
#ifdef FS_BAND /* built as a whole */
  return FALSE;
#endif
  const uint32_t mask = FS_WORD_TREE | FS_WORD_TREE >> FS_WORD_UNBUILT_SHIFT;
  uint32_t behind =
      lanes & view_match (view, mask, FS_WORD_UNBUILT | bits >> FS_WORD_UNBUILT_SHIFT);
  if (G_LIKELY (behind == 0))
    return FALSE;
  for (; behind != 0; behind &= behind - 1) {
    uint32_t there = step (layout, node, (uint32_t)__builtin_ctz (behind));
    if (!fs_cpu_layout_is_built (layout, there / FS_CPU_TILE_PIXELS))
      fs_cpu_plant_behind (layout, there);
  }
  return TRUE;
}

/* A node that has found a parent. */
static inline void
note_surplus (FsCpuSearch *search, uint32_t node, uint32_t word)
{
  if (G_UNLIKELY ((word & FS_WORD_KIND) == FS_WORD_SURPLUS))
    fs_lists_push (&search->surplus, &search->pool, 0, node);
}

/* A sink node without a parent that has excess. */
static inline void
change_sides (FsCpuSearch *search, uint32_t node)
{
  search->layout->word[node] = fs_word_new (FS_WORD_SOURCE, 1, FS_WORD_ROOT);
  if (search->source_grows)
    fs_cpu_search_enqueue (search, FS_SOURCE, node);
}

/* Sets an orphan free. Neighbours of its tree that could take it back must be scanned again. */
static inline void
set_free (FsCpuSearch *search, FsCpuTree tree, uint32_t node, const View *view, uint32_t lanes)
{
  FsCpuLayout *layout = search->layout;
  layout->word[node] = FS_WORD_FREE;
  if (tree == FS_SINK) {
    search->n_freed++;
    layout->touched[node / FS_CPU_TILE_PIXELS] = 1;
    if (layout->excess[node] > 0)
      change_sides (search, node);
  } else if (!search->source_grows)
    return;
  uint32_t takers = lanes & view_match (view, FS_WORD_TREE | FS_WORD_QUEUED, tree_bits (tree));
  for (; takers != 0; takers &= takers - 1)
    fs_cpu_search_enqueue (search, tree, step (layout, node, (uint32_t)__builtin_ctz (takers)));
}

/* All children lie one step beyond their parent: one chain takes them. */
static inline void
orphan_children (FsCpuSearch *search, FsCpuTree tree, uint32_t node, uint32_t lanes)
{
  uint32_t *words = search->layout->word;
  uint32_t *next = search->layout->next;
  FsOrphans *orphans = &search->orphans[tree];
  uint32_t distance = fs_word_distance (words[node]) + 1;
  uint32_t chain = orphans->head[distance];
  do {
    uint32_t child = step (search->layout, node, (uint32_t)__builtin_ctz (lanes));
    words[child] |= FS_WORD_ORPHAN;
    next[child] = chain;
    chain = child;
    lanes &= lanes - 1;
  } while (lanes != 0);
  orphans->head[distance] = chain;
  orphans->end = MAX (orphans->end, distance + 1);
}

/* Whether the source's trees are not worth more. */
static inline gboolean
is_let_go (const FsCpuSearch *search, FsCpuTree tree)
{
  if (tree == FS_SINK || search->source_grows)
    return FALSE;
  return search->n_adopted[FS_SOURCE] - search->n_adopted_before > FS_SEARCH_SPARED;
}

/* Moves an orphan away from its root, or sets it free: beyond what was ever scanned, too. */
static inline void
relabel (FsCpuSearch *search, FsCpuTree tree, uint32_t node, const View *view, uint32_t lanes)
{
  FsCpuLayout *layout = search->layout;
  uint32_t lane = 0;
  uint32_t distance = 0;
  uint32_t children = view_children (view, tree_bits (tree));
#ifdef FS_BAND /* where a lane without an arc may hold somebody else's child */
  children &= child_lanes (layout, tree, node);
#endif
  if (children != 0)
    orphan_children (search, tree, node, children);
  if (is_let_go (search, tree) || !view_nearest (view, tree_bits (tree), lanes, &lane, &distance)
      || distance > search->top[tree] || search->n_relabels > FS_SEARCH_RELABELS) {
    set_free (search, tree, node, view, lanes);
    return;
  }
  search->n_relabels++;
  note_surplus (search, node, layout->word[node]);
  uint32_t queued = layout->word[node] & FS_WORD_QUEUED;
  layout->word[node] = fs_word_new (tree_bits (tree), distance + 1, queued | lane);
  if (distance + 1 > search->top[tree] && (tree == FS_SINK || search->source_grows))
    fs_cpu_search_enqueue (search, tree, node);
}

static inline void
adopt_one (FsCpuSearch *search, FsCpuTree tree, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  uint32_t word = layout->word[node];
  if (G_UNLIKELY ((word & FS_WORD_KIND) == FS_WORD_UNSETTLED)
      && fs_cpu_search_settle (search, tree, node))
    return;
  View view = view_load (layout, node);
  uint32_t lanes = parent_lanes (layout, tree, node);
  uint32_t nearer = (word & (FS_WORD_TREE | FS_WORD_DISTANCE)) - (1u << FS_WORD_DISTANCE_SHIFT);
  uint32_t found = lanes & view_match (&view, FS_WORD_TREE | FS_WORD_DISTANCE, nearer);
  if (found == 0 && build_behind (layout, node, &view, lanes, tree_bits (tree))) {
    view = view_load (layout, node);
    found = lanes & view_match (&view, FS_WORD_TREE | FS_WORD_DISTANCE, nearer);
  }
  if (found != 0) {
    note_surplus (search, node, word);
    layout->word[node] = (word & ~FS_WORD_KIND) | (uint32_t)__builtin_ctz (found);
  } else
    relabel (search, tree, node, &view, lanes);
}

/* Adopts the orphans of one distance; those that come up meanwhile lie further away. FALSE when
 * asked to stop, with the rest chained again. */
static inline gboolean
adopt_level (FsCpuSearch *search, FsCpuTree tree, uint32_t distance)
{
  FsOrphans *orphans = &search->orphans[tree];
  const uint32_t *next = search->layout->next;
  uint32_t node = orphans->head[distance];
  orphans->head[distance] = FS_NO_NODE;
  while (node != FS_NO_NODE) {
    uint32_t following = next[node];
    search->n_adopted[tree]++;
    adopt_one (search, tree, node);
    if (G_UNLIKELY (--search->until_poll == 0) && fs_cpu_search_poll (search)) {
      orphans->head[distance] = following;
      return FALSE;
    }
    node = following;
  }
  return TRUE;
}

static inline gboolean
adopt_all (FsCpuSearch *search, FsCpuTree tree)
{
  FsOrphans *orphans = &search->orphans[tree];
  for (; orphans->low < orphans->end; orphans->low++)
    if (!adopt_level (search, tree, orphans->low))
      return FALSE;
  orphans->low = UINT32_MAX;
  orphans->end = 0;
  return TRUE;
}

static inline gboolean
has_orphans (const FsCpuSearch *search, FsCpuTree tree)
{
  return search->orphans[tree].low < search->orphans[tree].end;
}

/* Adopts or frees every orphan of a tree; FALSE when asked to stop, with orphans left. */
static inline gboolean
adopt (FsCpuSearch *search, FsCpuTree tree)
{
  search->n_relabels = 0;
  if (tree == FS_SINK)
    search->n_paths = 0;
  do {
    if (!adopt_all (search, tree))
      return FALSE;
    if (tree == FS_SINK)
      drain (search);
  } while (has_orphans (search, tree));
  return TRUE;
}
