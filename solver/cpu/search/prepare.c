/* SPDX-License-Identifier: MIT */
#include "solver/cpu/search/prepare.h"
#include "solver/cpu/state/scanline_preflow.h"
#include "solver/cpu/search/tree_init.h"
#include "solver/system/threads.h"

#include <stdbool.h>

/* A band of two rows lies between two others that write a row of it each. */
enum { NODES_PER_BAND = 1 << 17, MIN_BAND_ROWS = 2 };

typedef enum { SIGNS, TILES } Step;

typedef struct {
  FsCpuSearch *search;
  Step step;
  int phase; /* of n_phases: bands phase, phase + n_phases, … */
  int n_phases;
  int64_t flow[FS_THREADS_MAX]; /* per worker */
  atomic_bool stopped;
} Preparation;

int
fs_cpu_prepare_rows (const FsCpuLayout *layout)
{
  return MAX (MIN_BAND_ROWS, NODES_PER_BAND / (layout->tile_cols * FS_CPU_TILE_PIXELS));
}

static int
n_bands (const FsCpuLayout *layout)
{
  return (layout->tile_rows - 1) / fs_cpu_prepare_rows (layout) + 1;
}

/* Reports come on the calling thread only. */
static gboolean
shall_stop (const Preparation *preparation, int worker)
{
  FsCpuSearch *search = preparation->search;
  return worker == 0 ? fs_cpu_search_poll (search) : fs_cpu_search_is_cancelled (search);
}

static void
prepare_band (int item, int worker, gpointer data)
{
  Preparation *preparation = data;
  FsCpuLayout *layout = preparation->search->layout;
  int n = fs_cpu_prepare_rows (layout);
  int first = (item * preparation->n_phases + preparation->phase) * n;
  int last = MIN (first + n, layout->tile_rows);
  if (atomic_load (&preparation->stopped))
    return;
  if (preparation->step == SIGNS)
    fs_cpu_tree_init_signs (layout, first, last);
  else
    fs_cpu_tree_init_tiles (layout, first, last);
  if (shall_stop (preparation, worker))
    atomic_store (&preparation->stopped, true);
}

static void
push_block (int block, int worker, gpointer data)
{
  Preparation *preparation = data;
  if (atomic_load (&preparation->stopped))
    return;
  preparation->flow[worker] += fs_cpu_preflow_push (preparation->search->layout, block);
  if (shall_stop (preparation, worker))
    atomic_store (&preparation->stopped, true);
}

static void
run_step (Preparation *preparation, Step step, int n_threads)
{
  preparation->step = step;
  int n = n_bands (preparation->search->layout);
  preparation->n_phases = n_threads > 1 ? 2 : 1;
  for (int phase = 0; phase < preparation->n_phases; phase++) {
    preparation->phase = phase;
    int n_items = (n - phase + preparation->n_phases - 1) / preparation->n_phases;
    fs_threads_run (n_threads, n_items, prepare_band, preparation);
  }
}

gboolean
fs_cpu_prepare_run (FsCpuSearch *search, int n_threads)
{
  Preparation preparation = { .search = search };
  run_step (&preparation, SIGNS, n_threads);
  run_step (&preparation, TILES, n_threads);
  fs_threads_run (n_threads, fs_cpu_preflow_n_blocks (search->layout), push_block, &preparation);
  for (int i = 0; i < FS_THREADS_MAX; i++)
    search->flow += preparation.flow[i];
  return !atomic_load (&preparation.stopped);
}
