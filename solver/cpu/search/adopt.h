/* SPDX-License-Identifier: MIT */
/* Adoption of orphans.   Layer: solver (CPU backend, template; see neighbours.h).
 *
 * Orphans are taken nearest first. With a parent one step nearer, the node retains its distance and
 * its children. Else it is relabelled, to one more than the least distance around it, and its
 * children, now too near, become orphans of the next distance. Distances only grow, so this ends.
 *
 * Where a whole region has lost its root, its nodes would adopt each other and be relabelled step
 * by step. After FS_SEARCH_RELABELS relabellings an adoption sets the other orphans free, and scans
 * let them join again from the region's edge: at most twice the work, instead of many times.
 *
 * Orphans of the sink may have trapped excess (augment.h). When all are adopted or free, those with
 * parents pass it on, which makes orphans again, until none is left.
 *
 * While the source's trees do not grow, as during strokes, they need not be maintained: the sink's
 * trees find a free node as well as one of the source's. That is cheaper where a region changes its
 * label, dearer where it does not. So a run relabels FS_SEARCH_SPARED orphans of the source, and
 * sets the rest free. Where a run sets much of the sink free, the source's trees grow again
 * (grow.h).
 */
#include "solver/cpu/search/tree_init.h"

#include <string.h>

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

/* Lanes of lazy tiles beyond the sentinel of a tree. */
static inline uint32_t
lazy_lanes (const View *view, uint32_t bits)
{
#ifdef FS_BAND /* built as a whole */
  return 0;
#endif
  return view_match (view, FS_WORD_TREE | FS_WORD_TREE >> FS_WORD_LAZY_SHIFT,
                     FS_WORD_LAZY | bits >> FS_WORD_LAZY_SHIFT);
}

/* Initialises the lazy tiles of one tree in some lanes. Returns whether there were any. */
static inline gboolean
init_lazy_lanes (FsCpuLayout *layout, uint32_t node, const View *view, uint32_t lanes,
                 uint32_t bits)
{
  uint32_t lazy = lanes & lazy_lanes (view, bits);
  if (G_LIKELY (lazy == 0))
    return FALSE;
  for (; lazy != 0; lazy &= lazy - 1) {
    uint32_t there = step (layout, node, (uint32_t)__builtin_ctz (lazy));
    if (!fs_cpu_layout_is_built (layout, there / FS_CPU_TILE_PIXELS))
      fs_cpu_tree_init_lazy (layout, there);
  }
  return TRUE;
}

/* A node that has found a parent. */
static inline void
note_trapped_excess (FsCpuSearch *search, uint32_t node, uint32_t word)
{
  if (G_UNLIKELY ((word & FS_WORD_KIND) == FS_WORD_TRAPPED_EXCESS))
    fs_lists_push (&search->trapped, &search->pool, 0, node);
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

/* Lists the children of an orphan or, where the list is full, pushes them onto the stacks. */
static inline uint32_t *
orphan_children (FsCpuSearch *search, FsCpuTree tree, uint32_t node, uint32_t lanes, uint32_t *list)
{
  if (G_LIKELY (list - search->children <= FS_SEARCH_CHILDREN))
    return list_neighbours (search->layout, node, lanes, list);
  for (; lanes != 0; lanes &= lanes - 1)
    make_orphan (search, tree, step (search->layout, node, (uint32_t)__builtin_ctz (lanes)),
                 FS_WORD_ORPHAN);
  return list;
}

/* Returns whether orphans of the source's trees are set free from now on. */
static inline gboolean
is_let_go (const FsCpuSearch *search, FsCpuTree tree)
{
  if (tree == FS_SINK || search->source_grows)
    return FALSE;
  return search->n_adopted[FS_SOURCE] - search->n_adopted_before > FS_SEARCH_SPARED;
}

/* Relabels an orphan, or sets it free; also beyond the greatest distance that was scanned. */
static inline uint32_t *
relabel (FsCpuSearch *search, FsCpuTree tree, uint32_t node, const View *view, uint32_t lanes,
         uint32_t *list)
{
  FsCpuLayout *layout = search->layout;
  uint32_t nearest = view_min (view, tree_bits (tree), lanes);
  uint32_t distance = fs_word_distance (nearest);
  uint32_t children = view_children (view, tree_bits (tree));
#ifdef FS_BAND /* where a lane without an arc may hold somebody else's child */
  children &= child_lanes (layout, tree, node);
#endif
  list = orphan_children (search, tree, node, children, list);
  if (is_let_go (search, tree) || nearest >= FS_WORD_SOURCE || distance > search->top[tree]
      || search->n_relabels > FS_SEARCH_RELABELS) {
    set_free (search, tree, node, view, lanes);
    return list;
  }
  search->n_relabels++;
  note_trapped_excess (search, node, layout->word[node]);
  uint32_t queued = layout->word[node] & FS_WORD_QUEUED;
  layout->word[node] =
      fs_word_new (tree_bits (tree), distance + 1, queued | (nearest & FS_WORD_PARENT));
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
      && fs_cpu_search_make_root (search, tree, node))
    return list;
  View view = view_load (layout, node);
  uint32_t lanes = parent_lanes (layout, tree, node);
  uint32_t nearer = (word & (FS_WORD_TREE | FS_WORD_DISTANCE)) - (1u << FS_WORD_DISTANCE_SHIFT);
  uint32_t found = lanes & view_match (&view, FS_WORD_TREE | FS_WORD_DISTANCE, nearer);
  if (found == 0 && init_lazy_lanes (layout, node, &view, lanes, tree_bits (tree))) {
    view = view_load (layout, node);
    found = lanes & view_match (&view, FS_WORD_TREE | FS_WORD_DISTANCE, nearer);
  }
  if (found != 0) {
    note_trapped_excess (search, node, word);
    layout->word[node] = (word & ~FS_WORD_KIND) | (uint32_t)__builtin_ctz (found);
    return list;
  }
  return relabel (search, tree, node, &view, lanes, list);
}

/* Constants of the adoption of a tree's orphans, for registers. */
typedef struct {
  uint32_t bits;
  uint32_t top;    /* none may move that far by itself, as words have it                */
  uint32_t linked; /* the least distance in the stacks, as words have it                */
  uint32_t *word;  /* the layout's                                                      */
  const uint16_t *arcs;
  const uint32_t *full; /* the end of a list that has no room                           */
} Rules;

static inline Rules
rules_of (const FsCpuSearch *search, FsCpuTree tree)
{
  uint32_t low = MIN (search->orphans[tree].low, FS_CPU_DISTANCE_MAX);
  gboolean moves = !is_let_go (search, tree) && search->n_relabels <= FS_SEARCH_RELABELS;
  return (Rules){ .bits = tree_bits (tree),
                  .top = moves ? search->top[tree] << FS_WORD_DISTANCE_SHIFT : 0,
                  .linked = low << FS_WORD_DISTANCE_SHIFT,
                  .word = search->layout->word,
                  .arcs = search->layout->arcs,
                  .full = search->children + FS_SEARCH_CHILDREN };
}

/* The fast path of adoption: for a plain orphan whose neighbours are built and which is not to be
 * set free. Whether it retains its distance is unpredictable, so there is no branch on that, and
 * nothing else is done here, so that all state stays in registers. Returns NULL, with nothing done,
 * for any other orphan. */
__attribute__ ((always_inline)) static inline uint32_t *
adopt_one (const FsCpuLayout *layout, const Rules *rules, FsCpuTree tree, uint32_t node,
           uint32_t word, uint32_t *n_moved, uint32_t *list)
{
  View view = view_load_from (layout, rules->word, node);
  uint32_t arcs = rules->arcs[node], lanes = tree == FS_SOURCE ? arcs >> 8 : arcs & 0xffu;
  uint32_t nearest = view_min (&view, rules->bits, lanes);
  if (G_UNLIKELY (nearest >= rules->top || (lanes & lazy_lanes (&view, rules->bits)) != 0))
    return NULL;
  uint32_t distance = (nearest & FS_WORD_DISTANCE) + (1u << FS_WORD_DISTANCE_SHIFT);
  uint32_t moves = distance != (word & FS_WORD_DISTANCE);
  uint32_t children = view_children (&view, rules->bits);
#ifdef FS_BAND /* where a lane without an arc may hold somebody else's child */
  children &= tree == FS_SOURCE ? arcs & 0xffu : arcs >> 8;
#endif
  *n_moved += moves;
  rules->word[node] = rules->bits | distance | (word & FS_WORD_QUEUED) | (nearest & FS_WORD_PARENT);
  return list_neighbours (layout, node, children & -moves, list);
}

/* A queue of nodes of a tree whose parents have moved away: [head, tail) are yet to be visited. */
typedef struct {
  uint32_t *head;
  uint32_t *tail;
} Queue;

/* Adopts the orphans of the nearest stack that is not empty. */
static inline void
adopt_linked (FsCpuSearch *search, FsCpuTree tree, Queue *queue)
{
  const FsCpuLayout *layout = search->layout;
  FsOrphans *orphans = &search->orphans[tree];
  uint32_t *head = &orphans->head[orphans->low];
  const Rules rules = rules_of (search, tree);
  for (; *head != FS_NO_LINK; search->n_adopted[tree]++) {
    uint32_t node = fs_orphans_take (head, &search->pool), word = layout->word[node];
    uint32_t kind = word & FS_WORD_KIND, *tail = NULL;
    if (kind != FS_WORD_UNSETTLED && kind != FS_WORD_TRAPPED_EXCESS && queue->tail < rules.full)
      tail = adopt_one (layout, &rules, tree, node, word, &search->n_relabels, queue->tail);
    queue->tail = tail != NULL ? tail : adopt_slowly (search, tree, node, queue->tail);
  }
}

/* Adopts listed orphans, up to one that needs adopt_slowly() or is no nearer than the stacks', and
 * while the list has room. Children are appended as orphans of the next distance, so the list stays
 * in order. Their words do not mark them as orphans: one that has a parent by now finds it again.
 */
__attribute__ ((always_inline)) static inline void
adopt_bounded (FsCpuSearch *search, FsCpuTree tree, Queue *queue)
{
  const FsCpuLayout *layout = search->layout;
  const Rules rules = rules_of (search, tree);
  uint32_t *head = queue->head, *tail = queue->tail;
  uint32_t n_moved = 0, max = FS_SEARCH_RELABELS - search->n_relabels;
  for (; head < tail && tail < rules.full && n_moved <= max; head++) {
    uint32_t node = *head, word = rules.word[node];
    if (((word ^ rules.bits) & (FS_WORD_TREE | FS_WORD_DISTANCE)) >= rules.linked)
      break;
    uint32_t *list = adopt_one (layout, &rules, tree, node, word, &n_moved, tail);
    if (G_UNLIKELY (list == NULL))
      break;
    tail = list;
  }
  search->n_relabels += n_moved;
  *queue = (Queue){ head, tail };
}

/* Adopts listed orphans until a stack has a nearer one or the list is full. */
static inline void
adopt_listed (FsCpuSearch *search, FsCpuTree tree, Queue *queue)
{
  const uint32_t *words = search->layout->word;
  const uint32_t *full = search->children + FS_SEARCH_CHILDREN, *before = queue->head;
  for (;;) {
    adopt_bounded (search, tree, queue);
    if (queue->head == queue->tail || queue->tail >= full)
      break;
    uint32_t node = *queue->head, word = words[node];
    gboolean is_left = (word & FS_WORD_TREE) == tree_bits (tree);
    if (is_left && fs_word_distance (word) >= search->orphans[tree].low)
      break;
    queue->head++;
    if (is_left)
      queue->tail = adopt_slowly (search, tree, node, queue->tail);
  }
  search->n_adopted[tree] += (uint64_t)(queue->head - before);
}

/* Pushes the listed orphans onto the stacks. */
static inline void
link_listed (FsCpuSearch *search, FsCpuTree tree, Queue *queue)
{
  for (; queue->head < queue->tail; queue->head++)
    if ((search->layout->word[*queue->head] & FS_WORD_TREE) == tree_bits (tree))
      make_orphan (search, tree, *queue->head, FS_WORD_ORPHAN);
}

/* Makes room in a full list: drops the visited nodes or, where those are few, pushes the others
 * onto the stacks. */
__attribute__ ((noinline)) static void
compact_list (FsCpuSearch *search, FsCpuTree tree, Queue *queue)
{
  uint32_t *list = search->children;
  size_t n = (size_t)(queue->tail - queue->head);
  if (n > FS_SEARCH_CHILDREN / 2) {
    link_listed (search, tree, queue);
    return;
  }
  memmove (list, queue->head, n * sizeof *list);
  *queue = (Queue){ list, list + n };
}

/* Moves `low` to the nearest stack that is not empty. */
static inline void
seek_linked (FsOrphans *orphans)
{
  while (orphans->low < orphans->end && orphans->head[orphans->low] == FS_NO_LINK)
    orphans->low++;
  if (orphans->low >= orphans->end) {
    orphans->low = UINT32_MAX;
    orphans->end = 0;
  }
}

/* Counts orphans that were adopted. FALSE when asked to stop. */
static inline gboolean
count_adopted (FsCpuSearch *search, uint64_t n)
{
  if (G_UNLIKELY (n >= search->until_poll))
    return !fs_cpu_search_poll (search);
  search->until_poll -= (uint32_t)n;
  return TRUE;
}

/* FALSE when asked to stop, with orphans left. */
static inline gboolean
adopt_all (FsCpuSearch *search, FsCpuTree tree)
{
  FsOrphans *orphans = &search->orphans[tree];
  uint32_t *list = search->children;
  Queue queue = { list, list };
  for (;;) {
    uint64_t before = search->n_adopted[tree];
    seek_linked (orphans);
    if (queue.head < queue.tail)
      adopt_listed (search, tree, &queue);
    if (G_UNLIKELY (queue.tail >= list + FS_SEARCH_CHILDREN))
      compact_list (search, tree, &queue);
    if (queue.head == queue.tail)
      queue = (Queue){ list, list };
    if (orphans->low < orphans->end)
      adopt_linked (search, tree, &queue);
    else if (queue.head == queue.tail)
      return TRUE;
    if (!count_adopted (search, search->n_adopted[tree] - before)) {
      link_listed (search, tree, &queue);
      return FALSE;
    }
  }
}

static inline gboolean
has_orphans (const FsCpuSearch *search, FsCpuTree tree)
{
  return search->orphans[tree].low < search->orphans[tree].end;
}

/* Adopts or frees every orphan of a tree; FALSE when asked to stop or out of memory, with orphans
 * left. */
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
  return !search->pool.failed;
}
