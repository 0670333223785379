/* SPDX-License-Identifier: MIT */
/* Lock-free push-relabel as one cooperative kernel, as published: every thread goes over its own
 * nodes again and again. lock_free.h says what each step does and why it ends.
 */
#ifndef FS_LADDER_GRAPH_SWEEPS_CUH
#define FS_LADDER_GRAPH_SWEEPS_CUH

#include "solver/kernels/graph/lists.cuh"
#include "tests/ladder/graph/lock_free.h"

static const uint32_t FS_GRAPH_FIRST_SWEEPS = 8, FS_GRAPH_MAX_SWEEPS = 1u << 20;
static const uint32_t FS_GRAPH_SWEEPS_A_CANCEL = 64;

/* Makes heights exact. Returns how many levels there are. */
static __device__ uint32_t
fs_graph_make_heights (const FsGraphState &state)
{
  cooperative_groups::grid_group grid = cooperative_groups::this_grid ();
  uint32_t thread = fs_graph_thread (), n_threads = fs_graph_n_threads ();
  for (uint32_t v = thread; v < state.n_nodes; v += n_threads)
    fs_graph_start_height (&state, v);
  grid.sync ();
  uint32_t level = 0, base = 0;
  for (;;) {
    uint32_t n = fs_graph_load (&state.words->n_listed[level % FS_GRAPH_SLOTS]);
    if (thread == 0)
      state.words->n_listed[(level + 2) % FS_GRAPH_SLOTS] = 0;
    if (n == 0)
      return level;
    for (uint32_t i = thread; i < n; i += n_threads)
      fs_graph_raise_neighbours (&state, fs_graph_load (&state.list[0][base + i]), level, base + n);
    grid.sync ();
    base += n;
    level++;
  }
}

/* Tells everybody whether excess is left, the deficit, and whether to stop. */
static __device__ bool
fs_graph_is_left (const FsGraphState &state, uint32_t round, unsigned long long *deficit)
{
  uint32_t slot = round % FS_GRAPH_SLOTS, n_threads = fs_graph_n_threads ();
  FsSweepWords *words = fs_graph_sweep_words (&state);
  FsGraphSeen seen = { 0, 0 };
  for (uint32_t v = fs_graph_thread (); v < state.n_nodes; v += n_threads)
    fs_graph_look (&state, v, &seen);
  if (seen.deficit > 0)
    fs_graph_add_long (&words->deficit[slot], seen.deficit);
  if (seen.is_left)
    fs_graph_add (&words->is_left[slot], 1);
  if (fs_graph_thread () == 0)
    state.words->is_cancelled[slot] = *state.cancel != 0;
  cooperative_groups::this_grid ().sync ();
  *deficit = (unsigned long long)fs_graph_load_excess ((const int64_t *)&words->deficit[slot]);
  return fs_graph_load (&words->is_left[slot]) != 0;
}

static __device__ void
fs_graph_count (const FsGraphState &state, uint32_t round, uint32_t n_levels)
{
  if (fs_graph_thread () != 0)
    return;
  FsSweepWords *words = fs_graph_sweep_words (&state);
  words->is_left[(round + 1) % FS_GRAPH_SLOTS] = 0;
  words->deficit[(round + 1) % FS_GRAPH_SLOTS] = 0;
  state.words->n_rounds = round + 1;
  state.words->n_levels += n_levels;
}

/* A node belongs to one thread throughout, so that sweeps need no barrier between them. Thread 0
 * asks the host now and then; who hears of it earlier ends its sweeps earlier. */
static __device__ void
fs_graph_sweep (const FsGraphState &state, uint32_t n_sweeps)
{
  FsSweepWords *words = fs_graph_sweep_words (&state);
  uint32_t thread = fs_graph_thread (), n_threads = fs_graph_n_threads (), sweep = 0;
  for (; sweep < n_sweeps && fs_graph_load (&words->is_hurried) == 0; sweep++) {
    for (uint32_t v = thread; v < state.n_nodes; v += n_threads)
      fs_graph_discharge (&state, v);
    if (thread == 0 && sweep % FS_GRAPH_SWEEPS_A_CANCEL == 0 && *state.cancel != 0)
      words->is_hurried = 1;
  }
  if (thread == 0)
    state.words->n_steps += sweep;
}

__global__ void
__launch_bounds__ (FS_GRAPH_THREADS) fs_graph_sweeps_kernel (const FsGraphState state)
{
  cooperative_groups::grid_group grid = cooperative_groups::this_grid ();
  uint32_t n_sweeps = FS_GRAPH_FIRST_SWEEPS;
  unsigned long long deficit, previous = 0;
  for (uint32_t round = 0;; round++) {
    fs_graph_count (state, round, fs_graph_make_heights (state));
    if (!fs_graph_is_left (state, round, &deficit))
      return;
    if (fs_graph_load (&state.words->is_cancelled[round % FS_GRAPH_SLOTS])) {
      if (fs_graph_thread () == 0)
        state.words->outcome = FS_ENGINE_CANCELLED;
      return;
    }
    bool has_arrived = round == 0 || deficit != previous;
    n_sweeps = has_arrived                      ? FS_GRAPH_FIRST_SWEEPS
               : n_sweeps < FS_GRAPH_MAX_SWEEPS ? n_sweeps * 2
                                                : n_sweeps;
    previous = deficit;
    fs_graph_sweep (state, n_sweeps);
    grid.sync ();
  }
}

#endif
