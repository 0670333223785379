/* SPDX-License-Identifier: MIT */
#include "solver/cpu/search/search_state.h"

#include "solver/system/checked_memory.h"

enum { SCANS_PER_POLL = 2048, REPORT_US = 4000 };

/* Capacity of the list of children: when full, it still takes all neighbours of one more node. */
enum { CHILDREN_CAPACITY = FS_SEARCH_CHILDREN + 8 };

/* Reserves memory of push-relabel passes, enough for the first strokes. */
static gboolean
reserve_passes (FsCpuSearch *search)
{
  return fs_orphans_reserve (&search->pass[0], 0) && fs_orphans_reserve (&search->pass[1], 0)
         && fs_nodes_grow (&search->deficits) && fs_cpu_global_relabel_init (&search->relabelling);
}

gboolean
fs_cpu_search_init (FsCpuSearch *search, FsCpuLayout *layout)
{
  *search = (FsCpuSearch){ .layout = layout,
                           .last_row = layout->tile_rows,
                           .last_col = layout->tile_cols };
  search->children = fs_memory_new (CHILDREN_CAPACITY, sizeof *search->children);
  if (search->children == NULL)
    return FALSE;
  return fs_chunk_pool_init (&search->pool) && fs_cpu_search_reserve (search, FS_SOURCE, 1)
         && fs_cpu_search_reserve (search, FS_SINK, 1) && reserve_passes (search);
}

/* A node's distance is at least the number of nodes from it to its root. */
gboolean
fs_cpu_search_reserve (FsCpuSearch *search, FsCpuTree tree, uint32_t distance)
{
  FsOrphans *orphans = &search->orphans[tree];
  if (!fs_orphans_reserve (orphans, distance))
    return FALSE;
  if (tree == FS_SINK || search->path_capacity == orphans->capacity)
    return TRUE;
  fs_memory_free (search->path);
  search->path = fs_memory_new (orphans->capacity, sizeof *search->path);
  search->path_capacity = search->path != NULL ? orphans->capacity : 0;
  return search->path != NULL;
}

void
fs_cpu_search_clear (FsCpuSearch *search)
{
  for (int tree = 0; tree < FS_N_TREES; tree++) {
    fs_lists_clear (&search->waiting[tree]);
    fs_orphans_clear (&search->orphans[tree]);
  }
  fs_lists_clear (&search->trapped);
  for (int i = 0; i < 2; i++)
    fs_orphans_clear (&search->pass[i]);
  fs_nodes_clear (&search->deficits);
  fs_cpu_global_relabel_clear (&search->relabelling);
  fs_memory_free (search->path);
  search->path = NULL;
  search->path_capacity = 0;
  g_clear_pointer (&search->children, fs_memory_free);
  fs_chunk_pool_clear (&search->pool);
}

size_t
fs_cpu_search_bytes (const FsCpuSearch *search)
{
  size_t bytes = fs_chunk_pool_bytes (&search->pool) + CHILDREN_CAPACITY * sizeof (uint32_t);
  bytes += (search->trapped.capacity + search->path_capacity) * sizeof (uint32_t);
  bytes += search->deficits.capacity * sizeof (uint32_t)
           + fs_cpu_global_relabel_bytes (&search->relabelling);
  bytes += (search->pass[0].capacity + search->pass[1].capacity) * sizeof (uint32_t);
  for (int tree = 0; tree < FS_N_TREES; tree++)
    bytes += (search->waiting[tree].capacity + search->orphans[tree].capacity) * sizeof (uint32_t);
  return bytes;
}

void
fs_cpu_search_reset (FsCpuSearch *search)
{
  for (int tree = 0; tree < FS_N_TREES; tree++) {
    fs_lists_empty (&search->waiting[tree], &search->pool);
    fs_orphans_drop (&search->orphans[tree], &search->pool);
    search->top[tree] = 0;
    search->n_adopted[tree] = search->n_adopted_apart[tree] = 0;
  }
  fs_lists_empty (&search->trapped, &search->pool);
  for (int i = 0; i < 2; i++)
    fs_orphans_drop (&search->pass[i], &search->pool);
  search->n_adopted_before = 0;
  search->pool.failed = FALSE;
  search->is_too_far = FALSE;
  search->has_trees = FALSE;
  search->source_grows = TRUE;
}

void
fs_cpu_search_begin (FsCpuSearch *search, const FsProgress *progress)
{
  search->progress = progress;
  search->until_poll = SCANS_PER_POLL;
  search->n_adopted_before = search->n_adopted[FS_SOURCE];
  search->n_freed = 0;
  search->n_left = 0;
  search->regrow_at = search->source_grows ? UINT64_MAX : FS_SEARCH_REGROWN;
  if (search->pool.failed)
    fs_cpu_search_reset (search);
  search->reported_us = progress->report != NULL ? g_get_monotonic_time () : 0;
}

FsSearchOutcome
fs_cpu_search_end (FsCpuSearch *search, gboolean is_done)
{
  search->progress = NULL;
  FsSearchOutcome outcome = search->pool.failed  ? FS_SEARCH_NO_MEMORY
                            : search->is_too_far ? FS_SEARCH_TOO_FAR
                            : is_done            ? FS_SEARCH_DONE
                                                 : FS_SEARCH_CANCELLED;
  /* A node was dropped: the trees cannot be trusted, the flow can. */
  if (outcome == FS_SEARCH_NO_MEMORY || outcome == FS_SEARCH_TOO_FAR)
    fs_cpu_search_reset (search);
  return outcome;
}

gboolean
fs_search_outcome_fail (FsSearchOutcome outcome, GError **error)
{
  if (outcome == FS_SEARCH_CANCELLED)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
  else if (outcome == FS_SEARCH_NO_MEMORY)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to find the cut");
  else
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND,
                 "the grid has a shortest path of more than %u pixels", FS_CPU_DISTANCE_MAX);
  return FALSE;
}

gboolean
fs_cpu_search_is_cancelled (const FsCpuSearch *search)
{
  return fs_progress_is_cancelled (search->progress);
}

void
fs_cpu_search_report (FsCpuSearch *search)
{
  const FsProgress *progress = search->progress;
  search->until_poll = SCANS_PER_POLL;
  search->n_polls++;
  if (progress->report != NULL) {
    int64_t now_us = g_get_monotonic_time ();
    if (now_us - search->reported_us >= REPORT_US) {
      search->reported_us = now_us;
      /* Nobody knows how much is left: a fraction that always rises and never arrives. */
      double scans = (double)search->n_polls * SCANS_PER_POLL;
      progress->report (scans / (scans + (double)search->layout->n_nodes), progress->user_data);
    }
  }
}

void
fs_cpu_search_enqueue (FsCpuSearch *search, FsCpuTree tree, uint32_t node)
{
  uint32_t *word = &search->layout->word[node];
  if (*word & FS_WORD_QUEUED)
    return;
  *word |= FS_WORD_QUEUED;
  fs_lists_push (&search->waiting[tree], &search->pool, fs_word_distance (*word), node);
}
