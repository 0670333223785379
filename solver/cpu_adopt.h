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

/* Lanes that lie behind the fence of a tree. */
static inline uint32_t
lanes_behind (const View *view, uint32_t bits)
{
#ifdef FS_BAND /* built as a whole */
  return 0;
#endif
  return view_match (view, FS_WORD_TREE | FS_WORD_TREE >> FS_WORD_UNBUILT_SHIFT,
                     FS_WORD_UNBUILT | bits >> FS_WORD_UNBUILT_SHIFT);
}

/* Builds what lies behind the fence in some lanes, of one tree's. Whether there was any. */
static inline gboolean
build_behind (FsCpuLayout *layout, uint32_t node, const View *view, uint32_t lanes, uint32_t bits)
{
  uint32_t behind = lanes & lanes_behind (view, bits);
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

/* All children lie one step beyond their parent. Where the list is full a chain takes them. */
static inline uint32_t *
orphan_children (FsCpuSearch *search, FsCpuTree tree, uint32_t node, uint32_t lanes, uint32_t *list)
{
  if (G_LIKELY (list - search->children[1]->node <= FS_SEARCH_CHILDREN))
    return list_neighbours (search->layout, node, lanes, list);
  for (; lanes != 0; lanes &= lanes - 1)
    make_orphan (search, tree, step (search->layout, node, (uint32_t)__builtin_ctz (lanes)),
                 FS_WORD_ORPHAN);
  return list;
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
static inline uint32_t *
relabel (FsCpuSearch *search, FsCpuTree tree, uint32_t node, const View *view, uint32_t lanes,
         uint32_t *list)
{
  FsCpuLayout *layout = search->layout;
  uint32_t lane = 0;
  uint32_t distance = 0;
  uint32_t children = view_children (view, tree_bits (tree));
#ifdef FS_BAND /* where a lane without an arc may hold somebody else's child */
  children &= child_lanes (layout, tree, node);
#endif
  list = orphan_children (search, tree, node, children, list);
  if (is_let_go (search, tree) || !view_nearest (view, tree_bits (tree), lanes, &lane, &distance)
      || distance > search->top[tree] || search->n_relabels > FS_SEARCH_RELABELS) {
    set_free (search, tree, node, view, lanes);
    return list;
  }
  search->n_relabels++;
  note_surplus (search, node, layout->word[node]);
  uint32_t queued = layout->word[node] & FS_WORD_QUEUED;
  layout->word[node] = fs_word_new (tree_bits (tree), distance + 1, queued | lane);
  if (distance + 1 > search->top[tree] && (tree == FS_SINK || search->source_grows))
    fs_cpu_search_enqueue (search, tree, node);
  return list;
}

/* Any orphan. Its children are appended to the list, if they are orphans now. */
__attribute__ ((noinline)) static uint32_t *
adopt_slowly (FsCpuSearch *search, FsCpuTree tree, uint32_t node, uint32_t *list)
{
  FsCpuLayout *layout = search->layout;
  uint32_t word = layout->word[node];
  if (G_UNLIKELY ((word & FS_WORD_KIND) == FS_WORD_UNSETTLED)
      && fs_cpu_search_settle (search, tree, node))
    return list;
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
    return list;
  }
  return relabel (search, tree, node, &view, lanes, list);
}

/* Appends those that were chained, as many as there is room for. */
static inline void
list_chained (FsCpuSearch *search, FsCpuTree tree, uint32_t distance)
{
  FsCpuChildren *listed = search->children[0];
  uint32_t *head = &search->orphans[tree].head[distance];
  for (; *head != FS_NO_NODE && listed->n <= FS_SEARCH_CHILDREN;
       *head = search->layout->next[*head])
    listed->node[listed->n++] = *head;
}

/* What is the same for all orphans of a level. */
typedef struct {
  uint32_t bits, place, nearer; /* of the words of the tree, its level, and the one before    */
  uint32_t top;                 /* as far as orphans may move: 0 where they are to be set free */
  const uint32_t *full;         /* the end of a list that has no room                          */
} Level;

static inline Level
level_of (const FsCpuSearch *search, FsCpuTree tree, uint32_t distance)
{
  uint32_t place = fs_word_new (tree_bits (tree), distance, 0);
  return (Level){ .bits = tree_bits (tree),
                  .place = place,
                  .nearer = place - (1u << FS_WORD_DISTANCE_SHIFT),
                  .top = is_let_go (search, tree) ? 0 : search->top[tree],
                  .full = search->children[1]->node + FS_SEARCH_CHILDREN };
}

/* Nearly any orphan: one of which nothing is known but that, with neighbours that are built, and
 * which is not to be set free. Nothing else is done here, so that what this takes stays in the
 * processor's registers. */
__attribute__ ((always_inline)) static inline uint32_t *
adopt_one (FsCpuSearch *search, FsCpuTree tree, uint32_t node, const Level *level, uint32_t *list)
{
  const FsCpuLayout *layout = search->layout;
  uint32_t *word = &layout->word[node];
  View view = view_load (layout, node);
  uint32_t lanes = parent_lanes (layout, tree, node), lane = 0, distance = 0;
  uint32_t found = lanes & view_match (&view, FS_WORD_TREE | FS_WORD_DISTANCE, level->nearer);
  uint32_t kind = *word & FS_WORD_KIND;
  if (G_UNLIKELY (kind == FS_WORD_UNSETTLED || kind == FS_WORD_SURPLUS))
    return adopt_slowly (search, tree, node, list);
  if (found != 0) {
    *word = (*word & ~FS_WORD_KIND) | (uint32_t)__builtin_ctz (found);
    return list;
  }
  if (G_UNLIKELY ((lanes & lanes_behind (&view, level->bits)) != 0 || list >= level->full
                  || !view_nearest (&view, level->bits, lanes, &lane, &distance)
                  || distance > level->top || search->n_relabels > FS_SEARCH_RELABELS))
    return adopt_slowly (search, tree, node, list);
  search->n_relabels++;
  uint32_t children = view_children (&view, level->bits);
#ifdef FS_BAND /* where a lane without an arc may hold somebody else's child */
  children &= child_lanes (layout, tree, node);
#endif
  *word = fs_word_new (level->bits, distance + 1, (*word & FS_WORD_QUEUED) | lane);
  if (distance == level->top && (tree == FS_SINK || search->source_grows))
    fs_cpu_search_enqueue (search, tree, node);
  return list_neighbours (layout, node, children, list);
}

/* Those that were listed when their parents moved away. No word says that they are orphans: what
 * has another place by now was listed twice, and for what has a parent it finds one. */
__attribute__ ((always_inline)) static inline uint32_t *
adopt_listed (FsCpuSearch *search, FsCpuTree tree, uint32_t distance, uint32_t *list)
{
  const Level level = level_of (search, tree, distance);
  const FsCpuChildren *listed = search->children[0];
  const uint32_t *words = search->layout->word;
  for (uint32_t i = 0, n = listed->n; i < n; i++)
    if (G_LIKELY ((words[listed->node[i]] & (FS_WORD_TREE | FS_WORD_DISTANCE)) == level.place))
      list = adopt_one (search, tree, listed->node[i], &level, list);
  return list;
}

/* Chains the children that are listed. */
static inline void
chain_listed (FsCpuSearch *search, FsCpuTree tree, uint32_t distance)
{
  const FsCpuChildren *listed = search->children[0];
  const uint32_t *words = search->layout->word;
  const uint32_t place = fs_word_new (tree_bits (tree), distance, 0);
  for (uint32_t i = 0; i < listed->n; i++)
    if ((words[listed->node[i]] & (FS_WORD_TREE | FS_WORD_DISTANCE)) == place)
      make_orphan (search, tree, listed->node[i], FS_WORD_ORPHAN);
}

/* Adopts the orphans of one distance; those that come up meanwhile lie further away. FALSE when
 * asked to stop. */
__attribute__ ((always_inline)) static inline gboolean
adopt_level (FsCpuSearch *search, FsCpuTree tree, uint32_t distance)
{
  FsOrphans *orphans = &search->orphans[tree];
  FsCpuChildren *done = search->children[0], *next = search->children[1];
  uint32_t n = 0, *list = next->node;
  do {
    list_chained (search, tree, distance);
    list = adopt_listed (search, tree, distance, list);
    n += done->n;
    done->n = 0;
  } while (G_UNLIKELY (orphans->head[distance] != FS_NO_NODE));
  next->n = (uint32_t)(list - next->node);
  if (next->n > 0)
    orphans->end = MAX (orphans->end, distance + 2);
  search->n_adopted[tree] += n;
  search->children[0] = next;
  search->children[1] = done;
  if (G_UNLIKELY (n >= search->until_poll))
    return !fs_cpu_search_poll (search);
  search->until_poll -= n;
  return TRUE;
}

static inline gboolean
adopt_all (FsCpuSearch *search, FsCpuTree tree)
{
  FsOrphans *orphans = &search->orphans[tree];
  search->children[0]->n = 0;
  for (; orphans->low < orphans->end; orphans->low++)
    if (!adopt_level (search, tree, orphans->low)) {
      chain_listed (search, tree, orphans->low + 1);
      return FALSE;
    }
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
