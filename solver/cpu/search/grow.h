/* SPDX-License-Identifier: MIT */
/* Growing the trees, level by level.   Layer: solver (CPU backend, template; see neighbours.h).
 *
 * Orphans of the source's trees are adopted after each augmentation, since the next one traces
 * paths to their roots. Those of the sink's wait until the level ends, or for FS_SEARCH_PATHS
 * augmentations: flow that gets to an orphan stays there, and many orphans would lose their new
 * root again. They are adopted earlier only when one of them is to be scanned. */

static inline void
join (FsCpuSearch *search, FsCpuTree tree, uint32_t node, uint32_t distance, uint32_t parent)
{
  if (G_UNLIKELY (distance > FS_CPU_DISTANCE_MAX)) {
    search->is_too_far = TRUE;
    return;
  }
  FsCpuLayout *layout = search->layout;
  layout->word[node] = fs_word_new (tree_bits (tree), distance, FS_WORD_QUEUED | parent);
  if (tree == FS_SINK)
    layout->touched[node / FS_CPU_TILE_PIXELS] = 1;
  fs_lists_push (&search->waiting[tree], &search->pool, distance, node);
}

/* Adoptions after an augmentation from or to a node that is being scanned. FALSE when asked to
 * stop. */
static inline gboolean
adopt_for (FsCpuSearch *search, FsCpuTree tree, uint32_t node)
{
  if (!adopt (search, FS_SOURCE))
    return FALSE;
  gboolean is_lost = tree == FS_SINK && fs_word_is_orphan (search->layout->word[node]);
  gboolean waits = ++search->n_paths < FS_SEARCH_PATHS && !is_lost && !is_exact (search);
  return waits || adopt (search, FS_SINK);
}

/* Augments through every arc between a node and the other tree until the node has moved or none is
 * left, while free neighbours join. FALSE when asked to stop. */
static inline gboolean
scan (FsCpuSearch *search, FsCpuTree tree, uint32_t node)
{
  FsCpuLayout *layout = search->layout;
  uint32_t place = layout->word[node] & (FS_WORD_TREE | FS_WORD_DISTANCE);
  uint32_t distance = fs_word_distance (place);
  for (;;) {
    View view = view_load (layout, node);
    uint32_t lanes = child_lanes (layout, tree, node);
    if (init_lazy_lanes (layout, node, &view, lanes, tree_bits (tree) ^ FS_WORD_TREE))
      continue;
    uint32_t free_lanes = lanes & view_match (&view, FS_WORD_TREE, FS_WORD_FREE);
    for (; free_lanes != 0; free_lanes &= free_lanes - 1) {
      uint32_t d = (uint32_t)__builtin_ctz (free_lanes);
      join (search, tree, step (layout, node, d), distance + 1, opposite (d));
    }
    uint32_t meeting = lanes & view_match (&view, FS_WORD_TREE, tree_bits (tree) ^ FS_WORD_TREE);
    if (meeting == 0)
      return TRUE;
    uint32_t d = (uint32_t)__builtin_ctz (meeting);
    if (tree == FS_SOURCE)
      augment (search, node, step (layout, node, d), d);
    else
      augment (search, step (layout, node, d), node, opposite (d));
    gboolean go_on = adopt_for (search, tree, node);
    gboolean moved = (layout->word[node] & (FS_WORD_TREE | FS_WORD_DISTANCE)) != place;
    if (!go_on || moved) {
      if ((layout->word[node] & FS_WORD_TREE) == tree_bits (tree))
        fs_cpu_search_enqueue (search, tree, node);
      return go_on;
    }
  }
}

/* Scans the nearest waiting list of a tree. FALSE when asked to stop. */
static inline gboolean
scan_level (FsCpuSearch *search, FsCpuTree tree)
{
  FsCpuLayout *layout = search->layout;
  FsLists *waiting = &search->waiting[tree];
  if (!fs_lists_seek (waiting))
    return TRUE;
  uint32_t level = waiting->low;
  search->top[tree] = MAX (search->top[tree], level);
  /* Orphans lie at most one beyond what was scanned. */
  if (!fs_cpu_search_reserve (search, tree, level + 1)) {
    search->pool.failed = TRUE;
    return FALSE;
  }
  while (fs_lists_seek (waiting) && waiting->low <= level) {
    uint32_t listed = waiting->low;
    uint32_t node = fs_lists_pop (waiting, &search->pool);
    uint32_t word = layout->word[node];
    if ((word & (FS_WORD_TREE | FS_WORD_QUEUED)) != (tree_bits (tree) | FS_WORD_QUEUED))
      continue;
    if (G_UNLIKELY (fs_word_is_orphan (word))) {
      fs_lists_push (waiting, &search->pool, listed, node);
      if (!adopt (search, FS_SINK))
        return FALSE;
      continue;
    }
    if (fs_word_distance (word) > listed) {
      fs_lists_push (waiting, &search->pool, fs_word_distance (word), node);
      continue;
    }
    layout->word[node] = word & ~FS_WORD_QUEUED;
    if (!scan (search, tree, node))
      return FALSE;
    if (search->pool.failed || search->is_too_far)
      return FALSE;
    if (G_UNLIKELY (--search->until_poll == 0) && fs_cpu_search_poll (search))
      return FALSE;
  }
  return TRUE;
}

/* Once both sides grow, the one that has made fewer orphans since is cheaper. */
static inline gboolean
is_source_cheap (const FsCpuSearch *search)
{
  uint64_t source = search->n_adopted[FS_SOURCE] - search->n_adopted_apart[FS_SOURCE];
  uint64_t sink = search->n_adopted[FS_SINK] - search->n_adopted_apart[FS_SINK];
  return source < sink;
}

/* Where a repair sets whole regions of the sink free, they would join again from their edges, only
 * to lose their few roots again and again. Then the source's trees grow into the free nodes, as
 * their root, the stroke, stays. Otherwise they do not grow in a repair: there is nothing free for
 * them. */
static inline gboolean
is_source_wanted (const FsCpuSearch *search)
{
#ifdef FS_BAND /* cut once, and not repaired */
  return FALSE;
#endif
  return !search->source_grows && search->n_freed > search->regrow_at;
}

/* Returns whether a region's search is done: it has no path left, or only long ones, which are left
 * to the whole problem. In a region they are often detours, and they make orphans in deep trees
 * with few roots. */
static inline gboolean
is_subproblem_done (const FsCpuSearch *search, gboolean source_closed)
{
  uint32_t steps = search->top[FS_SOURCE] + search->top[FS_SINK];
  return search->is_subproblem && (source_closed || steps > search->max_steps);
}

/* Grows level by level, on the side that has made fewer orphans so far. Which one is cheaper
 * depends on the photo: where few roots have large trees, each exhausted root costs thousands of
 * adoptions, and the other side may find the same paths for a tenth of that. */
static inline gboolean
grow (FsCpuSearch *search)
{
  if (!adopt (search, FS_SOURCE) || !adopt (search, FS_SINK))
    return FALSE;
#ifndef FS_BAND /* cut once, and not repaired */
  if (!repair_by_push_relabel (search))
    return FALSE;
#endif
  while (fs_lists_seek (&search->waiting[FS_SINK])) {
    if (is_source_wanted (search))
      fs_cpu_search_start_source (search);
    gboolean source_closed = search->source_grows && !fs_lists_seek (&search->waiting[FS_SOURCE]);
    if (is_subproblem_done (search, source_closed))
      return TRUE;
    /* No path is left; the mask needs the sink's trees closed too. */
    if (source_closed)
      fs_cpu_search_stop_source (search);
    FsCpuTree tree = search->source_grows && is_source_cheap (search) ? FS_SOURCE : FS_SINK;
    if (!scan_level (search, tree) || !adopt (search, FS_SINK))
      return FALSE;
  }
  return TRUE;
}

static inline FsSearchOutcome
run (FsCpuSearch *search, const FsProgress *progress)
{
  fs_cpu_search_begin (search, progress);
  gboolean has_trees = search->has_trees || fs_cpu_search_init_trees (search);
  gboolean done = has_trees && grow (search);
  return fs_cpu_search_end (search, done);
}
