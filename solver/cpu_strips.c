/* SPDX-License-Identifier: MIT */
#include "solver/cpu_strips.h"
#include "solver/cpu_plant.h"
#include "solver/cpu_threads.h"

#include <stdatomic.h>
#include <stdbool.h>

enum { STRIPS_PER_THREAD = 4, MIN_STRIP_ROWS = 12, SEAM_ROWS = 2, MAX_STRIPS = 63 };

/* Tile rows [first, last). */
typedef struct {
  int first;
  int last;
} Strip;

/* Two layers of strips: n side by side, and n + 1 whose seams lie in the middle of those. A strip
 * of the second layer waits for the two of the first that it lies on, and for no other. */
typedef struct {
  FsCpuLayout *layout;
  FsCpuRun run;
  int n_lower;
  Strip strip[2 * MAX_STRIPS + 1]; /* the first layer, then the second */
  FsThreadsOrder order[2 * MAX_STRIPS + 1];
  FsSearchOutcome outcome[2 * MAX_STRIPS + 1];
  atomic_bool stopped; /* a strip was not finished: the others need not begin */
  FsCpuSearch *search; /* per worker */
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

/* The directions that leave a strip upwards or downwards. */
static uint32_t
lanes_across (const FsCpuLayout *layout, gboolean down)
{
  int half = layout->n_directions / 2;
  uint32_t lanes = 0;
  for (int d = 0; d < half; d++)
    if (fs_direction_dy (d) != 0)
      lanes |= 1u << (down ? d : d + half);
  return lanes;
}

static uint16_t *
residual_of (const FsCpuLayout *layout, size_t node, int d)
{
  return &layout->residual[node * layout->n_directions + d];
}

/* What a node's arcs in some directions are, by the residuals. */
static uint32_t
arcs_of (const FsCpuLayout *layout, size_t node, uint32_t lanes)
{
  uint32_t arcs = 0;
  for (; lanes != 0; lanes &= lanes - 1) {
    int d = __builtin_ctz (lanes);
    int back = d ^ (layout->n_directions / 2);
    size_t there = node + layout->offset[node % FS_CPU_TILE_PIXELS][d];
    arcs |= (uint32_t)(*residual_of (layout, node, d) > 0) << d;
    arcs |= (uint32_t)(*residual_of (layout, there, back) > 0) << (d + 8);
  }
  return arcs;
}

/* Hides or shows the arcs that cross the upper (or lower) side of a tile row. */
static void
set_side (FsCpuLayout *layout, int row, gboolean lower, gboolean hide)
{
  uint32_t lanes = lanes_across (layout, lower);
  for (int tx = 0; tx < layout->tile_cols; tx++)
    for (int x = 0; x < FS_CPU_TILE; x++) {
      size_t node = ((size_t)row * layout->tile_cols + tx) * FS_CPU_TILE_PIXELS + x
                    + (lower ? FS_CPU_TILE_PIXELS - FS_CPU_TILE : 0);
      if (hide)
        layout->arcs[node] &= ~(lanes | lanes << 8);
      else if (tx * FS_CPU_TILE + x < layout->width)
        layout->arcs[node] |= arcs_of (layout, node, lanes);
    }
}

/* Hides or shows the seam above a strip that is not its layer's first. */
static void
set_seam (Strips *strips, int item, gboolean hide)
{
  int first = strips->strip[item].first;
  set_side (strips->layout, first - SEAM_ROWS - 1, TRUE, hide);
  set_side (strips->layout, first, FALSE, hide);
  for (int row = first - SEAM_ROWS; hide && row < first; row++)
    fs_cpu_plant_nothing (strips->layout, row);
}

/* The seam of the second layer in the middle of a strip of the first is made when that is done, the
 * seam of the first layer in the middle of a strip of the second undone before that begins. */
static void
run_strip (int item, int worker, gpointer data)
{
  Strips *strips = data;
  gboolean upper = item >= strips->n_lower;
  int seam = upper ? item - strips->n_lower : item + strips->n_lower + 1;
  if (upper && seam > 0 && seam < strips->n_lower)
    set_seam (strips, seam, FALSE);
  FsSearchOutcome outcome = FS_SEARCH_CANCELLED;
  if (!atomic_load (&strips->stopped)) {
    FsCpuSearch *search = &strips->search[worker];
    fs_cpu_search_reset (search);
    search->first_row = strips->strip[item].first;
    search->last_row = strips->strip[item].last;
    outcome = strips->run (search, &strips->progress[worker]);
  }
  strips->outcome[item] = outcome;
  if (outcome != FS_SEARCH_DONE)
    atomic_store (&strips->stopped, true);
  if (!upper)
    set_seam (strips, seam, TRUE);
}

static FsSearchOutcome
run_strips (Strips *strips, int n_threads)
{
  for (int i = 1; i < strips->n_lower; i++)
    set_seam (strips, i, TRUE);
  fs_threads_run_in_order (n_threads, n_items (strips), strips->order, run_strip, strips);
  for (int i = strips->n_lower + 1; i < n_items (strips); i++)
    set_seam (strips, i, FALSE);
  FsSearchOutcome outcome = FS_SEARCH_DONE;
  /* Those that were not begun say cancelled; what stopped them counts. */
  for (int i = 0; i < n_items (strips); i++)
    if (outcome == FS_SEARCH_DONE || outcome == FS_SEARCH_CANCELLED)
      outcome = strips->outcome[i] != FS_SEARCH_DONE ? strips->outcome[i] : outcome;
  return outcome;
}

static gboolean
init_workers (Strips *strips, int n_threads, uint64_t n_polls, const FsProgress *progress)
{
  gboolean complete = TRUE;
  for (int i = 0; i < n_threads; i++) {
    complete = fs_cpu_search_init (&strips->search[i], strips->layout) && complete;
    strips->search[i].is_part = TRUE;
    /* Reports come on the calling thread only. */
    strips->progress[i] = i == 0 ? *progress : (FsProgress){ .cancel = progress->cancel };
  }
  strips->search[0].n_polls = n_polls;
  return complete;
}

FsSearchOutcome
fs_cpu_strips_run (FsCpuSearch *whole, FsCpuRun run, int n_threads, const FsProgress *progress)
{
  FsCpuLayout *layout = whole->layout;
  int n_strips = MIN (n_threads * STRIPS_PER_THREAD, layout->tile_rows / MIN_STRIP_ROWS);
  n_strips = MIN (n_strips, MAX_STRIPS);
  n_threads = MIN (n_threads, n_strips);
  if (n_threads < 2)
    return FS_SEARCH_DONE;
  FsCpuSearch search[FS_THREADS_MAX];
  Strips strips = { .layout = layout, .run = run, .search = search };
  FsSearchOutcome outcome = FS_SEARCH_NO_MEMORY;
  if (init_workers (&strips, n_threads, whole->n_polls, progress)) {
    divide (&strips, n_strips);
    outcome = run_strips (&strips, n_threads);
  }
  whole->n_polls = search[0].n_polls;
  for (int i = 0; i < n_threads; i++) {
    whole->flow += search[i].flow;
    fs_cpu_search_clear (&search[i]);
  }
  return outcome;
}
