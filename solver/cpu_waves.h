/* SPDX-License-Identifier: MIT */
/* Sending what a region has to new deficits, in waves.   Layer: solver (CPU backend, template; see
 * cpu_view.h).
 *
 * A stroke that turns a region over makes a deficit which all excess of the region flows to. One
 * path at a time, it takes as many paths as the region has pixels, each as long as the region is
 * deep, and each leaves orphans. Here what comes together is sent on together (Goldberg & Tarjan,
 * "A new approach to the maximum-flow problem", J. ACM 1988): a distance is a lower bound, the
 * nodes with excess are taken from the farthest one on, each sends all it can one step nearer, and
 * one that is left with some moves away and waits for the next wave.
 *
 * The region is what can reach the new deficits and is in no tree of the sink's. A flood from the
 * deficits finds it, with exact distances, as far as a depth; excess farther away must wait. When
 * waves have cost as much as a flood, the next one corrects the distances; once it finds no excess
 * in the region, the depth grows by half, until nothing is left to be found. So the excess nearest
 * by goes first, and where a stroke is cut off soon what lies behind is never seen.
 *
 * In the end the last flood is a forest of the sink's, closed, and what was met and is not in it
 * can reach no deficit: the search that follows has nothing to do. Stopped before, it leaves the
 * roots; the flow stays. Words serve as labels: those of the region are the sink's, not QUEUED, and
 * MET says that a node was in the region. Neither is ever seen by the search.
 *
 * A run whose sink has other work than new roots, as where an edit has also set nodes of the sink
 * free, is left to the search.
 */

/* The first depth. */
enum { WAVES_DEPTH = 20 };

/* Of no tree. */
#define MET FS_WORD_ROOT

/* Takes up what can send flow to a node of the region. */
static inline void
flood_from (FsCpuSearch *search, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  uint32_t distance = fs_word_distance (layout->word[node]) + 1;
  uint32_t lanes = layout->arcs[node] >> 8;
  View view = view_load (layout, node);
  if (build_behind (layout, node, &view, lanes, FS_WORD_SOURCE))
    view = view_load (layout, node);
  lanes &= ~view_match (&view, FS_WORD_SINK, FS_WORD_SINK); /* unbuilt ones too */
  for (; lanes != 0; lanes &= lanes - 1) {
    uint32_t d = (uint32_t)__builtin_ctz (lanes);
    uint32_t there = step (layout, node, d);
    if (layout->word[there] != MET)
      fs_nodes_push (&search->met, &search->pool, there);
    layout->word[there] = fs_word_new (FS_WORD_SINK, distance, opposite (d));
    fs_nodes_push (&search->region, &search->pool, there);
  }
}

/* Begins to find the region anew. */
static inline void
flood_roots (FsCpuSearch *search)
{
  FsCpuLayout *layout = search->layout;
  FsNodes *region = &search->region;
  for (size_t i = 0; i < region->n; i++)
    layout->word[region->node[i]] = MET;
  region->n = search->n_flooded = 0;
  for (size_t i = 0; i < search->n_met_roots; i++) {
    uint32_t node = search->met.node[i];
    if (layout->excess[node] >= 0)
      continue;
    layout->word[node] = fs_word_new (FS_WORD_SINK, 1, FS_WORD_ROOT);
    fs_nodes_push (region, &search->pool, node);
  }
}

/* Finds more of the region, as far as a depth, nearest nodes first. FALSE when asked to stop. */
static inline gboolean
flood (FsCpuSearch *search, uint32_t depth)
{
  const FsNodes *region = &search->region;
  for (; search->n_flooded < region->n; search->n_flooded++) {
    uint32_t node = region->node[search->n_flooded];
    if (fs_word_distance (search->layout->word[node]) >= depth)
      return TRUE;
    flood_from (search, node);
    if (G_UNLIKELY (--search->until_poll == 0) && fs_cpu_search_poll (search))
      return FALSE;
  }
  return TRUE;
}

/* The farthest nodes come first. */
static inline void
wait_for_wave (FsCpuSearch *search, int wave, uint32_t depth, uint32_t distance, uint32_t node)
{
  fs_lists_push (&search->wave[wave], &search->pool, depth - distance, node);
}

static inline void
send_on (FsCpuSearch *search, uint32_t from, uint32_t to, uint32_t d, int32_t flow)
{
  FsCpuLayout *layout = search->layout;
  int32_t before = layout->excess[to], after = before + flow;
  push (layout, from, to, d, flow);
  layout->excess[from] -= flow;
  layout->excess[to] = after;
  search->flow += flow - (MAX (after, 0) - MAX (before, 0));
}

/* A node that cannot send on all it has: to one more than the least distance around it. */
static inline void
move_away (FsCpuSearch *search, uint32_t node, const View *view, uint32_t depth)
{
  FsCpuLayout *layout = search->layout;
  uint32_t lane = 0, distance = depth;
  uint32_t lanes = layout->arcs[node] & 0xffu;
  if (!view_nearest (view, FS_WORD_SINK, lanes, &lane, &distance) || distance > depth)
    distance = depth;
  layout->word[node] = fs_word_new (FS_WORD_SINK, distance + 1, lane);
  if (distance < depth)
    wait_for_wave (search, 1, depth, distance + 1, node);
}

static inline void
discharge (FsCpuSearch *search, uint32_t node, uint32_t depth)
{
  FsCpuLayout *layout = search->layout;
  uint32_t distance = fs_word_distance (layout->word[node]) - 1;
  uint32_t nearer = fs_word_new (FS_WORD_SINK, distance, 0);
  View view = view_load (layout, node);
  uint32_t lanes = layout->arcs[node] & view_match (&view, FS_WORD_TREE | FS_WORD_DISTANCE, nearer);
  for (; lanes != 0 && layout->excess[node] > 0; lanes &= lanes - 1) {
    uint32_t d = (uint32_t)__builtin_ctz (lanes);
    uint32_t there = step (layout, node, d);
    gboolean waits = layout->excess[there] > 0;
    send_on (search, node, there, d, MIN (layout->excess[node], *residual_of (layout, node, d)));
    if (!waits && layout->excess[there] > 0)
      wait_for_wave (search, 0, depth, distance, there);
  }
  if (layout->excess[node] > 0)
    move_away (search, node, &view, depth);
}

/* Makes the nodes with excess wait for the first wave after a flood. Whether there are any. */
static inline gboolean
list_excess (FsCpuSearch *search, uint32_t depth)
{
  const FsCpuLayout *layout = search->layout;
  for (int i = 0; i < 2; i++)
    fs_lists_empty (&search->wave[i], &search->pool);
  for (size_t i = 0; i < search->region.n; i++) {
    uint32_t node = search->region.node[i];
    if (layout->excess[node] > 0)
      wait_for_wave (search, 0, depth, fs_word_distance (layout->word[node]), node);
  }
  return fs_lists_seek (&search->wave[0]);
}

/* A first wave, and as many more as a flood would cost. FALSE when asked to stop. */
static inline gboolean
send_waves (FsCpuSearch *search, uint32_t depth)
{
  size_t n_discharged = 0;
  do {
    while (fs_lists_seek (&search->wave[0])) {
      discharge (search, fs_lists_pop (&search->wave[0], &search->pool), depth);
      n_discharged++;
      if (G_UNLIKELY (--search->until_poll == 0) && fs_cpu_search_poll (search))
        return FALSE;
    }
    FsLists done = search->wave[0];
    search->wave[0] = search->wave[1];
    search->wave[1] = done;
    fs_lists_empty (&search->wave[1], &search->pool);
  } while (n_discharged < search->region.n && fs_lists_seek (&search->wave[0]));
  return TRUE;
}

/* Floods and waves until no excess can reach a deficit. FALSE when asked to stop, or where the
 * search has to say that a path is too long. */
static inline gboolean
drain_region (FsCpuSearch *search)
{
  flood_roots (search);
  for (uint32_t depth = WAVES_DEPTH; depth <= FS_CPU_DISTANCE_MAX / 2; depth += depth / 2) {
    if (!flood (search, depth))
      return FALSE;
    while (list_excess (search, depth)) {
      if (!send_waves (search, depth))
        return FALSE;
      flood_roots (search);
      if (!flood (search, depth) || search->pool.failed)
        return FALSE;
    }
    if (search->n_flooded == search->region.n)
      return TRUE;
  }
  return FALSE;
}

/* The words of nodes that were met and are in no tree of the sink's. Where the region is not
 * finished none is but roots. */
static inline void
leave_region (FsCpuSearch *search, gboolean is_finished)
{
  FsCpuLayout *layout = search->layout;
  for (size_t i = 0; i < search->met.n; i++) {
    uint32_t node = search->met.node[i];
    int32_t excess = layout->excess[node];
    layout->touched[node / FS_CPU_TILE_PIXELS] = 1;
    if (is_finished && layout->word[node] & FS_WORD_SINK)
      continue;
    uint32_t tree = excess > 0 ? FS_WORD_SOURCE : FS_WORD_SINK;
    layout->word[node] = excess == 0 ? FS_WORD_FREE : fs_word_new (tree, 1, FS_WORD_ROOT);
    if (excess < 0)
      fs_cpu_search_enqueue (search, FS_SINK, node);
  }
}

/* Nodes of the source's trees that hung on the region. Those in it are roots by now. */
static inline void
orphan_around (FsCpuSearch *search)
{
  const FsCpuLayout *layout = search->layout;
  for (size_t i = 0; i < search->met.n; i++) {
    uint32_t node = search->met.node[i];
    if (layout->word[node] & FS_WORD_SOURCE)
      continue;
    View view = view_load (layout, node);
    uint32_t lanes = view_children (&view, FS_WORD_SOURCE);
    for (; lanes != 0; lanes &= lanes - 1)
      make_orphan (search, FS_SOURCE, step (layout, node, (uint32_t)__builtin_ctz (lanes)),
                   FS_WORD_ORPHAN);
  }
}

/* Whether a waiting node of the sink's is a root that nothing hangs on and nothing leads from. */
static inline gboolean
is_new_root (const FsCpuLayout *layout, uint32_t node)
{
  View view = view_load (layout, node);
  uint32_t old = view_match (&view, FS_WORD_TREE | FS_WORD_QUEUED, FS_WORD_SINK);
  old |= view_match (&view, FS_WORD_TREE | FS_WORD_TREE >> FS_WORD_UNBUILT_SHIFT,
                     FS_WORD_UNBUILT | FS_WORD_SINK >> FS_WORD_UNBUILT_SHIFT);
  return layout->excess[node] < 0 && fs_word_distance (layout->word[node]) == 1
         && view_children (&view, FS_WORD_SINK) == 0 && (layout->arcs[node] & old) == 0;
}

/* Takes the sink's waiting nodes for the first of the region. FALSE, with all of them waiting,
 * where they are not new roots alone. */
static inline gboolean
take_roots (FsCpuSearch *search)
{
  uint32_t *word = search->layout->word;
  FsLists *waiting = &search->waiting[FS_SINK];
  FsNodes *met = &search->met;
  met->n = search->region.n = 0;
  while (fs_lists_seek (waiting)) {
    uint32_t node = fs_lists_pop (waiting, &search->pool);
    if ((word[node] & (FS_WORD_TREE | FS_WORD_QUEUED)) == (FS_WORD_SINK | FS_WORD_QUEUED))
      fs_nodes_push (met, &search->pool, node);
  }
  gboolean is_new = !search->pool.failed;
  for (size_t i = 0; i < met->n && is_new; i++)
    is_new = is_new_root (search->layout, met->node[i]);
  for (size_t i = 0; i < met->n; i++)
    if (is_new)
      word[met->node[i]] = MET;
    else
      fs_lists_push (waiting, &search->pool, fs_word_distance (word[met->node[i]]), met->node[i]);
  search->n_met_roots = met->n;
  return is_new;
}

/* Room for orphans of the region, which may lie one beyond. FALSE when memory ends. */
static inline gboolean
reserve_region (FsCpuSearch *search)
{
  const FsNodes *region = &search->region;
  if (region->n == 0)
    return TRUE;
  uint32_t reached = fs_word_distance (search->layout->word[region->node[region->n - 1]]);
  search->top[FS_SINK] = MAX (search->top[FS_SINK], reached);
  if (!fs_cpu_search_reserve (search, FS_SINK, reached + 1))
    search->pool.failed = TRUE;
  return !search->pool.failed;
}

/* What waves can do of a repair, whose orphans were adopted. FALSE when asked to stop or out of
 * memory. */
static inline gboolean
repair_in_waves (FsCpuSearch *search)
{
  if (search->source_grows || search->is_part || !take_roots (search))
    return !search->pool.failed;
  gboolean is_finished = drain_region (search);
  if (search->pool.failed)
    return FALSE;
  leave_region (search, is_finished);
  orphan_around (search);
  if (!is_finished && fs_cpu_search_poll (search))
    return FALSE;
  return reserve_region (search) && adopt (search, FS_SOURCE);
}
