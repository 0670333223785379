/* SPDX-License-Identifier: MIT */
#include "solver/cpu_strips.h"
#include "solver/cpu_plant.h"
#include "solver/cpu_threads.h"

enum { STRIPS_PER_THREAD = 3, MIN_STRIP_ROWS = 12, SEAM_ROWS = 2, MAX_STRIPS = 63 };

typedef struct {
  FsCpuLayout *layout;
  FsCpuRun run;
  int n_strips;
  int first[MAX_STRIPS + 1]; /* tile rows; before each strip but the first lies a seam */
  int last[MAX_STRIPS + 1];
  FsSearchOutcome outcome[MAX_STRIPS + 1];
  FsCpuSearch *search; /* per worker */
  FsProgress progress[FS_THREADS_MAX];
} Strips;

/* Strips of equal height, or, shifted, with their seams in the middle of those. */
static void
divide (Strips *strips, int n_strips, gboolean shifted)
{
  int rows = strips->layout->tile_rows;
  strips->n_strips = n_strips + shifted;
  for (int i = 0; i < strips->n_strips; i++) {
    int first = (int)((int64_t)rows * (2 * i - shifted) / (2 * n_strips));
    int last = (int)((int64_t)rows * (2 * i + 2 - shifted) / (2 * n_strips));
    strips->first[i] = i > 0 ? first + SEAM_ROWS : 0;
    strips->last[i] = MIN (last, rows);
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

static void
set_seams (Strips *strips, gboolean hide)
{
  for (int i = 1; i < strips->n_strips; i++) {
    set_side (strips->layout, strips->last[i - 1] - 1, TRUE, hide);
    set_side (strips->layout, strips->first[i], FALSE, hide);
    for (int row = strips->last[i - 1]; hide && row < strips->first[i]; row++)
      fs_cpu_plant_nothing (strips->layout, row);
  }
}

static void
run_strip (int item, int worker, gpointer data)
{
  Strips *strips = data;
  FsCpuSearch *search = &strips->search[worker];
  fs_cpu_search_reset (search);
  search->first_row = strips->first[item];
  search->last_row = strips->last[item];
  strips->outcome[item] = strips->run (search, &strips->progress[worker]);
}

static FsSearchOutcome
run_round (Strips *strips, int n_threads)
{
  set_seams (strips, TRUE);
  fs_threads_run (n_threads, strips->n_strips, run_strip, strips);
  set_seams (strips, FALSE);
  for (int i = 0; i < strips->n_strips; i++)
    if (strips->outcome[i] != FS_SEARCH_DONE)
      return strips->outcome[i];
  return FS_SEARCH_DONE;
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
    divide (&strips, n_strips, FALSE);
    outcome = run_round (&strips, n_threads);
  }
  if (outcome == FS_SEARCH_DONE) {
    divide (&strips, n_strips, TRUE);
    outcome = run_round (&strips, n_threads);
  }
  whole->n_polls = search[0].n_polls;
  for (int i = 0; i < n_threads; i++) {
    whole->flow += search[i].flow;
    fs_cpu_search_clear (&search[i]);
  }
  return outcome;
}
