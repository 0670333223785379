/* SPDX-License-Identifier: MIT */
/* Push-relabel: passes that send the excess of a region to new deficits.   Layer: solver (CPU
 * backend, template; see neighbours.h).
 *
 * A stroke that changes a region's label makes a deficit to which all excess of the region flows.
 * Augmentation would need as many paths as the region has pixels, each as long as the region is
 * deep, and each would leave orphans. Push-relabel pushes excess that meets on together (Goldberg &
 * Tarjan, "A new approach to the maximum-flow problem", J. ACM 1988). A label is a lower bound of
 * the distance to a deficit. A pass discharges the tiles (tile_discharge.h), those with the
 * farthest excess first. A node that is left with excess is relabelled and waits for the next pass.
 *
 * The region is the set of nodes that can reach the new deficits and are in no tree of the sink's.
 * A global relabelling from the deficits (global_relabel.h) finds it, with exact distances, up to a
 * depth; excess farther away waits. After discharges of a quarter as many nodes as the region has,
 * which take about as long as a relabelling, the next relabelling corrects the labels. Once it
 * finds no excess in the region, the depth grows by half, until the region is complete. So the
 * nearest excess flows first, and where a stroke is cut off early, nodes beyond the cut are never
 * visited.
 *
 * In the end the region is closed and its nodes get parents: they are a forest of the sink's. All
 * other nodes that were visited can reach no deficit, and the search that follows has nothing to
 * do. If stopped earlier, the flow stays and only roots are left. Until the end no node's word
 * changes.
 *
 * A run whose sink has other work than new roots, as when an edit has also set nodes of the sink
 * free, is left to the search.
 */

/* The depth of the first relabelling. */
enum { FIRST_DEPTH = 20 };

/* A relabelling costs as much as discharges of 1 / RELABEL_SHARE of its nodes. */
enum { RELABEL_SHARE = 4 };

/* One pass, the farthest tiles first. Adds the number of nodes discharged. FALSE when asked to
 * stop. */
static inline gboolean
send_pass (FsCpuSearch *search, uint32_t depth, size_t *n_sent)
{
  FsOrphans *pass = &search->pass[0];
  while (pass->low < pass->end) {
    uint32_t label = pass->end - 1;
    if (pass->head[label] == FS_NO_LINK) {
      pass->end = label;
      continue;
    }
    uint32_t place = fs_orphans_take (&pass->head[label], &search->pool);
    if (search->relabelling.tile[place].waits_max != label)
      continue;
    uint32_t n = discharge_tile (search, place, label, depth);
    *n_sent += n;
    if (G_LIKELY (n < search->until_poll))
      search->until_poll -= n;
    else if (fs_cpu_search_poll (search))
      return FALSE;
  }
  pass->low = UINT32_MAX;
  pass->end = 0;
  return TRUE;
}

/* Begins the next pass, with the nodes relabelled in the last one. */
static inline void
begin_pass (FsCpuSearch *search)
{
  FsOrphans done = search->pass[0];
  search->pass[0] = search->pass[1];
  search->pass[1] = done;
  const FsOrphans *pass = &search->pass[0];
  for (uint32_t label = pass->low; label < pass->end; label++)
    for (uint32_t link = pass->head[label]; link != FS_NO_LINK;
         link = search->pool.link[link].next) {
      FsRelabelTile *tile = &search->relabelling.tile[search->pool.link[link].node];
      if (tile->moved_max != label)
        continue;
      tile->waits = tile->moved;
      tile->waits_max = tile->moved_max;
      tile->moved = 0;
      tile->moved_max = 0;
    }
}

static inline gboolean
has_pass (const FsCpuSearch *search)
{
  return search->pass[0].low < search->pass[0].end;
}

/* One pass, then more until they have cost as much as a relabelling. FALSE when asked to stop. */
static inline gboolean
send_passes (FsCpuSearch *search, uint32_t depth)
{
  size_t n_sent = 0;
  do {
    if (!send_pass (search, depth, &n_sent))
      return FALSE;
    begin_pass (search);
  } while (n_sent < search->relabelling.n_found / RELABEL_SHARE && has_pass (search));
  return TRUE;
}

/* Reserves the passes' stacks up to a depth. */
static inline gboolean
reserve_depth (FsCpuSearch *search, uint32_t depth)
{
  for (int i = 0; i < 2; i++)
    if (!fs_orphans_reserve (&search->pass[i], depth))
      search->pool.failed = TRUE;
  return !search->pool.failed;
}

/* Begins a global relabelling. */
static inline gboolean
begin_relabel (FsCpuSearch *search, uint32_t depth)
{
  if (!reserve_depth (search, depth))
    return FALSE;
  for (int i = 0; i < 2; i++)
    fs_orphans_drop (&search->pass[i], &search->pool);
  begin_bfs (search, &search->deficits);
  return !search->pool.failed;
}

/* Relabellings and passes until no excess can reach a deficit. FALSE when asked to stop, or where
 * the region is deeper than labels can say; the rest is left to the search. */
static inline gboolean
drain_region (FsCpuSearch *search)
{
  const FsCpuGlobalRelabel *relabelling = &search->relabelling;
  if (!begin_relabel (search, FIRST_DEPTH))
    return FALSE;
  for (uint32_t depth = FIRST_DEPTH; depth < FS_NO_LABEL - 1; depth += depth / 2) {
    if (!reserve_depth (search, depth) || !expand_to_depth (search, depth))
      return FALSE;
    while (has_pass (search))
      if (!send_passes (search, depth) || !begin_relabel (search, depth)
          || !expand_to_depth (search, depth))
        return FALSE;
    if (fs_cpu_global_relabel_is_closed (relabelling))
      return TRUE;
  }
  return FALSE;
}

/* Gives a node of the region a parent. Distances are exact. */
static inline void
find_parent (FsCpuLayout *layout, uint32_t node)
{
  uint32_t word = layout->word[node];
  if (word & FS_WORD_ROOT)
    return;
  uint32_t nearer = (word & (FS_WORD_TREE | FS_WORD_DISTANCE)) - (1u << FS_WORD_DISTANCE_SHIFT);
  View view = view_load (layout, node);
  uint32_t lanes = layout->arcs[node] & view_match (&view, FS_WORD_TREE | FS_WORD_DISTANCE, nearer);
  layout->word[node] = word | (uint32_t)__builtin_ctz (lanes);
}

/* Writes the word of a visited node that is in no tree of the sink's: a root or a free node. Where
 * the region is not finished, that is every visited node. */
static inline void
leave_node (FsCpuSearch *search, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  int32_t excess = layout->excess[node];
  uint32_t tree = excess > 0 ? FS_WORD_SOURCE : FS_WORD_SINK;
  layout->word[node] = excess == 0 ? FS_WORD_FREE : fs_word_new (tree, 1, FS_WORD_ROOT);
  if (excess < 0)
    fs_cpu_search_enqueue (search, FS_SINK, node);
}

/* Writes the words of the nodes of a region, whose labels are exact; parents come later. */
static inline void
write_region (const FsCpuGlobalRelabel *relabelling, FsCpuLayout *layout)
{
  for (uint32_t i = 1; i < relabelling->n_tiles; i++) {
    const FsRelabelTile *tile = &relabelling->tile[i];
    uint32_t *word = layout->word + (size_t)tile->tile * FS_CPU_TILE_PIXELS;
    for (uint64_t nodes = tile->region; nodes != 0; nodes &= nodes - 1) {
      uint32_t n = (uint32_t)__builtin_ctzll (nodes), label = tile->label[n];
      word[n] = fs_word_new (FS_WORD_SINK, label, label == 1 ? FS_WORD_ROOT : 0);
    }
  }
}

static inline void
leave_region (FsCpuSearch *search, gboolean is_finished)
{
  FsCpuLayout *layout = search->layout;
  if (is_finished)
    write_region (&search->relabelling, layout);
  for (uint32_t i = 1; i < search->relabelling.n_tiles; i++) {
    const FsRelabelTile *tile = &search->relabelling.tile[i];
    uint32_t first = tile->tile * FS_CPU_TILE_PIXELS;
    uint64_t finished = is_finished ? tile->region : 0;
    layout->touched[tile->tile] = 1;
    for (uint64_t nodes = finished; nodes != 0; nodes &= nodes - 1)
      find_parent (layout, first + (uint32_t)__builtin_ctzll (nodes));
    for (uint64_t nodes = tile->met & ~finished; nodes != 0; nodes &= nodes - 1)
      leave_node (search, first + (uint32_t)__builtin_ctzll (nodes));
  }
}

static inline void
orphan_children_of (FsCpuSearch *search, uint32_t node)
{
  const FsCpuLayout *layout = search->layout;
  if (layout->word[node] & FS_WORD_SOURCE)
    return;
  View view = view_load (layout, node);
  uint32_t lanes = view_children (&view, FS_WORD_SOURCE);
  for (; lanes != 0; lanes &= lanes - 1)
    make_orphan (search, FS_SOURCE, step (layout, node, (uint32_t)__builtin_ctz (lanes)),
                 FS_WORD_ORPHAN);
}

/* Orphans the nodes of the source's trees whose parents were in the region. */
static inline void
orphan_neighbours (FsCpuSearch *search)
{
  for (uint32_t i = 1; i < search->relabelling.n_tiles; i++) {
    const FsRelabelTile *tile = &search->relabelling.tile[i];
    for (uint64_t nodes = tile->met; nodes != 0; nodes &= nodes - 1)
      orphan_children_of (search,
                          tile->tile * FS_CPU_TILE_PIXELS + (uint32_t)__builtin_ctzll (nodes));
  }
}

/* Returns whether an active node of the sink's is a root without children and without arcs from
 * other nodes of the sink's. */
static inline gboolean
is_new_root (const FsCpuLayout *layout, uint32_t node)
{
  View view = view_load (layout, node);
  uint32_t old = view_match (&view, FS_WORD_TREE | FS_WORD_QUEUED, FS_WORD_SINK);
  old |= view_match (&view, FS_WORD_TREE | FS_WORD_TREE >> FS_WORD_LAZY_SHIFT,
                     FS_WORD_LAZY | FS_WORD_SINK >> FS_WORD_LAZY_SHIFT);
  return layout->excess[node] < 0 && fs_word_distance (layout->word[node]) == 1
         && view_children (&view, FS_WORD_SINK) == 0 && (layout->arcs[node] & old) == 0;
}

/* Takes the sink's active nodes as the deficits. FALSE, with all of them active again, unless all
 * are new roots. */
static inline gboolean
take_roots (FsCpuSearch *search)
{
  uint32_t *word = search->layout->word;
  FsLists *waiting = &search->waiting[FS_SINK];
  FsNodes *roots = &search->deficits;
  roots->n = 0;
  while (fs_lists_seek (waiting)) {
    uint32_t node = fs_lists_pop (waiting, &search->pool);
    if ((word[node] & (FS_WORD_TREE | FS_WORD_QUEUED)) == (FS_WORD_SINK | FS_WORD_QUEUED))
      fs_nodes_push (roots, &search->pool, node);
  }
  gboolean is_new = !search->pool.failed;
  for (size_t i = 0; i < roots->n && is_new; i++)
    is_new = is_new_root (search->layout, roots->node[i]);
  for (size_t i = 0; i < roots->n; i++) {
    uint32_t node = roots->node[i];
    if (is_new)
      word[node] = FS_WORD_ROOT; /* of no tree */
    else
      fs_lists_push (waiting, &search->pool, fs_word_distance (word[node]), node);
  }
  return is_new;
}

/* Reserves the stacks of orphans of the region, which may lie one step beyond it. FALSE when memory
 * ends. */
static inline gboolean
reserve_region (FsCpuSearch *search)
{
  uint32_t reached = search->relabelling.distance;
  search->top[FS_SINK] = MAX (search->top[FS_SINK], reached);
  if (!fs_cpu_search_reserve (search, FS_SINK, reached + 1))
    search->pool.failed = TRUE;
  return !search->pool.failed;
}

/* Repairs by relabellings and passes, after all orphans were adopted. FALSE when asked to stop or
 * out of memory. */
static inline gboolean
repair_by_push_relabel (FsCpuSearch *search)
{
  if (search->source_grows || search->is_subproblem || !take_roots (search))
    return !search->pool.failed;
  if (search->deficits.n == 0)
    return TRUE;
  gboolean is_finished = drain_region (search);
  if (!search->pool.failed) {
    leave_region (search, is_finished);
    orphan_neighbours (search);
  }
  fs_cpu_global_relabel_forget (&search->relabelling, search->layout);
  if (search->pool.failed || (!is_finished && fs_cpu_search_poll (search)))
    return FALSE;
  return reserve_region (search) && adopt (search, FS_SOURCE);
}
