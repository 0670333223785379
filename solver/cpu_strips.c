/* SPDX-License-Identifier: MIT */
#include "solver/cpu_strips.h"
#include "solver/cpu_blocks.h"
#include "solver/cpu_plant.h"
#include "solver/cpu_prepare.h"
#include "solver/cpu_threads.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { STRIPS_PER_THREAD = 4, MIN_STRIP_ROWS = 12, SEAM_ROWS = 2, MAX_STRIPS = 63 };

/* Of the first layer, in a strip of the third; and what tells that one is worth it. */
enum { STRIPS_PER_LARGE = 4, ORPHANS_PER_PIXEL = 3 };

/* Tile rows [first, last). */
typedef struct {
  int first;
  int last;
} Strip;

/* Two layers of strips: n side by side, and n + 1 whose seams lie in the middle of those. A strip
 * of the second layer waits for the two of the first that it lies on, and for no other. Where one
 * of them ended for the depth of its trees, a third layer of large strips follows, with deeper
 * ones. */
typedef struct {
  FsCpuLayout *layout;
  FsCpuRun run;
  int n_lower;
  Strip strip[2 * MAX_STRIPS + 1]; /* the first layer, then the second */
  FsThreadsOrder order[2 * MAX_STRIPS + 1];
  FsSearchOutcome outcome[2 * MAX_STRIPS + 1];
  atomic_bool has_long; /* a strip of the second layer leaves long paths */
  atomic_bool stopped;  /* a strip was not finished: the others need not begin */
  FsCpuSearch *search;  /* per worker */
  FsProgress progress[FS_THREADS_MAX];
} Strips;

static int
n_items (const Strips *strips)
{
  return 2 * strips->n_lower + 1;
}

/* Before each strip but a layer's first lies a seam. */
static void
divide (Strips *strips, int n)
{
  int rows = strips->layout->tile_rows;
  strips->n_lower = n;
  for (int i = 0; i < 2 * n + 1; i++) {
    gboolean upper = i >= n;
    int place = upper ? 2 * (i - n) - 1 : 2 * i; /* where it begins, in half strips */
    int first = (int)((int64_t)rows * place / (2 * n));
    int last = (int)((int64_t)rows * (place + 2) / (2 * n));
    strips->strip[i] = (Strip){ place > 0 ? first + SEAM_ROWS : 0, MIN (last, rows) };
    strips->order[i] =
        (FsThreadsOrder){ { upper ? i - n - 1 : -1, upper && i < 2 * n ? i - n : -1 } };
  }
}

/* The seam above a strip that is not its layer's first. */
static void
wall_seam (Strips *strips, int item)
{
  int first = strips->strip[item].first;
  for (int ty = first - SEAM_ROWS; ty < first; ty++)
    for (int tx = 0; tx < strips->layout->tile_cols; tx++)
      fs_cpu_plant_wall (strips->layout, tx, ty);
}

static FsCpuSearch *
search_of (Strips *strips, Strip strip, int worker)
{
  FsCpuSearch *search = &strips->search[worker];
  fs_cpu_search_reset (search);
  search->first_row = strip.first;
  search->last_row = strip.last;
  search->first_col = 0;
  search->last_col = strips->layout->tile_cols;
  return search;
}

/* Many, that is: on other photos the whole has done with them sooner than trees are made again. */
static gboolean
leaves_long_paths (const FsCpuSearch *search)
{
  size_t n_tiles = (size_t)(search->last_row - search->first_row) * (size_t)search->last_col;
  return search->top[FS_SOURCE] + search->top[FS_SINK] > search->part_steps
         && search->n_adopted[FS_SOURCE] + search->n_adopted[FS_SINK]
                > n_tiles * FS_CPU_TILE_PIXELS * ORPHANS_PER_PIXEL;
}

/* The first layer goes block by block before. */
static FsSearchOutcome
search_strip (Strips *strips, int item, int worker)
{
  const FsProgress *progress = &strips->progress[worker];
  Strip strip = strips->strip[item];
  FsCpuSearch *search = search_of (strips, strip, worker);
  FsSearchOutcome outcome = FS_SEARCH_DONE;
  if (item < strips->n_lower && fs_cpu_blocks_are_many (strips->layout, strip.first, strip.last))
    outcome = fs_cpu_blocks_run (search, strips->run, strip.first, strip.last, progress);
  if (outcome == FS_SEARCH_DONE)
    outcome = strips->run (search, progress);
  if (item >= strips->n_lower && leaves_long_paths (search))
    atomic_store (&strips->has_long, true);
  return outcome;
}

/* The seam of the second layer in the middle of a strip of the first is made when that is done. */
static void
run_strip (int item, int worker, gpointer data)
{
  Strips *strips = data;
  FsSearchOutcome outcome = FS_SEARCH_CANCELLED;
  if (!atomic_load (&strips->stopped))
    outcome = search_strip (strips, item, worker);
  strips->outcome[item] = outcome;
  if (outcome != FS_SEARCH_DONE)
    atomic_store (&strips->stopped, true);
  if (item < strips->n_lower)
    wall_seam (strips, item + strips->n_lower + 1);
}

/* Those that were not begun say cancelled; what stopped them counts. */
static FsSearchOutcome
outcome_of (const Strips *strips, int n)
{
  FsSearchOutcome outcome = FS_SEARCH_DONE;
  for (int i = 0; i < n; i++)
    if (outcome == FS_SEARCH_DONE || outcome == FS_SEARCH_CANCELLED)
      outcome = strips->outcome[i] != FS_SEARCH_DONE ? strips->outcome[i] : outcome;
  return outcome;
}

static void
run_large (int item, int worker, gpointer data)
{
  Strips *strips = data;
  FsSearchOutcome outcome = FS_SEARCH_CANCELLED;
  if (!atomic_load (&strips->stopped))
    outcome =
        strips->run (search_of (strips, strips->strip[item], worker), &strips->progress[worker]);
  strips->outcome[item] = outcome;
  if (outcome != FS_SEARCH_DONE)
    atomic_store (&strips->stopped, true);
}

/* Their seams are some of the first layer's. */
static FsSearchOutcome
run_third_layer (Strips *strips, int n_threads)
{
  int n = MAX (2, strips->n_lower / STRIPS_PER_LARGE), rows = strips->layout->tile_rows;
  for (int i = 0; i < n_threads; i++)
    strips->search[i].part_steps = FS_SEARCH_LARGE_PART_STEPS;
  for (int i = 0; i < n; i++) {
    int first = (int)((int64_t)rows * i / n);
    strips->strip[i] = (Strip){ i > 0 ? first + SEAM_ROWS : 0, (int)((int64_t)rows * (i + 1) / n) };
    if (i > 0)
      wall_seam (strips, i);
  }
  fs_threads_run (n_threads, n, run_large, strips);
  return outcome_of (strips, n);
}

static FsSearchOutcome
run_strips (Strips *strips, int n_threads)
{
  for (int i = 1; i < strips->n_lower; i++)
    wall_seam (strips, i);
  fs_threads_run_in_order (n_threads, n_items (strips), strips->order, run_strip, strips);
  FsSearchOutcome outcome = outcome_of (strips, n_items (strips));
  if (outcome == FS_SEARCH_DONE && atomic_load (&strips->has_long))
    outcome = run_third_layer (strips, n_threads);
  return outcome;
}

static gboolean
init_workers (Strips *strips, int n_threads, uint64_t n_polls, const FsProgress *progress)
{
  gboolean complete = TRUE;
  for (int i = 0; i < n_threads; i++) {
    complete = fs_cpu_search_init (&strips->search[i], strips->layout) && complete;
    strips->search[i].is_part = TRUE;
    strips->search[i].is_prepared = TRUE;
    /* Reports come on the calling thread only. */
    strips->progress[i] = i == 0 ? *progress : (FsProgress){ .cancel = progress->cancel };
  }
  strips->search[0].n_polls = n_polls;
  return complete;
}

static FsSearchOutcome
prepare (FsCpuSearch *whole, int n_threads, const FsProgress *progress)
{
  fs_cpu_search_begin (whole, progress);
  return fs_cpu_search_end (whole, fs_cpu_prepare_run (whole, n_threads));
}

/* What has been prepared as a whole. */
static FsSearchOutcome
run_parts (FsCpuSearch *whole, FsCpuRun run, int n_threads, int n_strips,
           const FsProgress *progress)
{
  FsCpuLayout *layout = whole->layout;
  if (n_threads < 2)
    return fs_cpu_blocks_run (whole, run, 0, layout->tile_rows, progress);
  FsCpuSearch search[FS_THREADS_MAX];
  Strips strips = { .layout = layout, .run = run, .search = search };
  divide (&strips, n_strips);
  gboolean complete = init_workers (&strips, n_threads, whole->n_polls, progress);
  FsSearchOutcome outcome = complete ? run_strips (&strips, n_threads) : FS_SEARCH_NO_MEMORY;
  whole->n_polls = search[0].n_polls;
  for (int i = 0; i < n_threads; i++) {
    whole->flow += search[i].flow;
    fs_cpu_search_clear (&search[i]);
  }
  return outcome;
}

FsSearchOutcome
fs_cpu_strips_run (FsCpuSearch *whole, FsCpuRun run, int n_threads, const FsProgress *progress)
{
  const FsCpuLayout *layout = whole->layout;
  int n_strips = MIN (n_threads * STRIPS_PER_THREAD, layout->tile_rows / MIN_STRIP_ROWS);
  n_strips = MIN (n_strips, MAX_STRIPS);
  n_threads = MAX (1, MIN (n_threads, n_strips));
  if (n_threads < 2 && !fs_cpu_blocks_are_many (layout, 0, layout->tile_rows))
    return FS_SEARCH_DONE;
  FsSearchOutcome outcome = prepare (whole, n_threads, progress);
  whole->is_prepared = outcome == FS_SEARCH_DONE;
  if (outcome == FS_SEARCH_DONE)
    outcome = run_parts (whole, run, n_threads, n_strips, progress);
  /* For planting, which comes next unless there are trees. */
  whole->is_prepared = outcome == FS_SEARCH_DONE && !whole->has_trees;
  return outcome;
}
