/* SPDX-License-Identifier: MIT */
/* The ladder in plain C: the same phases and schedules, a thread after the other.
 *
 * Blocks run one after another, and so do the threads of each phase, in the order that was asked
 * for. What a block shares is filled with rubbish first, so that a phase that reads what no phase
 * before it wrote is seen.
 */
#include "tests/ladder/atomic.h"
#include "tests/ladder/band.h"
#include "tests/ladder/heights.h"
#include "tests/ladder/list.h"
#include "tests/ladder/lock_free.h"
#include "tests/ladder/push_pull.h"
#include "tests/ladder/rungs.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define UPWARDS   0
#define DOWNWARDS 1

static struct {
  uint32_t order;
  uint32_t random; /* state of the generator, never 0 */
  int allocations; /* until one fails; 0: none does */
} host;

void
fs_ladder_host_set_order (uint32_t order)
{
  host.order = order;
  host.random = order * 2654435769u | 1;
}

void
fs_ladder_host_fail_allocation (int n)
{
  host.allocations = n;
}

/* Marsaglia's xorshift. */
static uint32_t
next_random (void)
{
  host.random ^= host.random << 13;
  host.random ^= host.random >> 17;
  host.random ^= host.random << 5;
  return host.random;
}

/* Fills order[n] with 0 … n − 1 in the order of the day. */
static void
make_order (int32_t *order, int32_t n)
{
  for (int32_t i = 0; i < n; i++)
    order[i] = host.order == DOWNWARDS ? n - 1 - i : i;
  if (host.order == UPWARDS || host.order == DOWNWARDS)
    return;
  for (int32_t i = n - 1; i > 0; i--) {
    int32_t j = (int32_t)(next_random () % (uint32_t)(i + 1));
    int32_t other = order[j];
    order[j] = order[i];
    order[i] = other;
  }
}

typedef void (*GridPhase) (const FsLadderGrid *grid, FsLadderTile *tile, int block, int thread);

static void
run_phase (GridPhase phase, const FsLadderGrid *grid, FsLadderTile *tile, int block)
{
  int32_t order[FS_LADDER_THREADS];
  make_order (order, FS_LADDER_THREADS);
  for (int i = 0; i < FS_LADDER_THREADS; i++)
    phase (grid, tile, block, order[i]);
}

static void
run_sweep (FsLadderTile *tile, int sweep)
{
  int32_t order[FS_LADDER_THREADS];
  make_order (order, FS_LADDER_THREADS);
  for (int i = 0; i < FS_LADDER_THREADS; i++)
    fs_ladder_sweep (tile, order[i], sweep);
}

/* A kernel of two phases, or of one. */
static void
run_grid (const FsLadderGrid *grid, const int32_t *blocks, int n_blocks, GridPhase first,
          GridPhase second)
{
  for (int i = 0; i < n_blocks; i++) {
    FsLadderTile tile;
    memset (&tile, 0x5a, sizeof tile);
    run_phase (first, grid, &tile, blocks[i]);
    if (second != NULL)
      run_phase (second, grid, &tile, blocks[i]);
  }
}

static void
run_lower (const void *state, const int32_t *blocks, int n_blocks)
{
  const FsLadderGrid *grid = state;
  for (int i = 0; i < n_blocks; i++) {
    FsLadderTile tile;
    memset (&tile, 0x5a, sizeof tile);
    run_phase (fs_ladder_wake, grid, &tile, blocks[i]);
    run_phase (fs_ladder_load_heights, grid, &tile, blocks[i]);
    for (int sweep = 0; sweep < FS_LADDER_SWEEPS; sweep++)
      run_sweep (&tile, sweep);
    run_phase (fs_ladder_store_heights, grid, &tile, blocks[i]);
  }
}

#define GRID_TWIN(name, first, second)                                                             \
  static void run_##name (const void *state, const int32_t *blocks, int n_blocks)                  \
  {                                                                                                \
    run_grid (state, blocks, n_blocks, first, second);                                             \
  }

#define NODE_TWIN(name, State)                                                                     \
  static void run_##name (const void *state, const int32_t *blocks, int n_blocks)                  \
  {                                                                                                \
    for (int i = 0; i < n_blocks; i++) {                                                           \
      int32_t order[FS_LADDER_THREADS];                                                            \
      make_order (order, FS_LADDER_THREADS);                                                       \
      for (int j = 0; j < FS_LADDER_THREADS; j++)                                                  \
        fs_ladder_##name ((const State *)state, blocks[i] * FS_LADDER_THREADS + order[j]);         \
    }                                                                                              \
  }

GRID_TWIN (build, fs_ladder_build, NULL)
GRID_TWIN (push, fs_ladder_load, fs_ladder_push)
GRID_TWIN (pull, fs_ladder_pull, NULL)
GRID_TWIN (pull_relabel, fs_ladder_load, fs_ladder_pull_relabel)
GRID_TWIN (push_atomic, fs_ladder_load, fs_ladder_push_atomic)
GRID_TWIN (relabel, fs_ladder_load, fs_ladder_relabel)
GRID_TWIN (push_active, fs_ladder_load_active, fs_ladder_push_active)
GRID_TWIN (relabel_active, fs_ladder_load_active, fs_ladder_relabel_active)
GRID_TWIN (start_heights, fs_ladder_start_heights, NULL)
GRID_TWIN (draw, fs_ladder_draw, NULL)
NODE_TWIN (activate, FsLadderGrid)
NODE_TWIN (look, FsLadderNodes)
NODE_TWIN (find_left, FsLadderNodes)
NODE_TWIN (coarsen, FsLadderCoarsening)
NODE_TWIN (find_edge, FsLadderList)
NODE_TWIN (mark_band, FsLadderList)
NODE_TWIN (number, FsLadderList)
NODE_TWIN (link, FsLadderList)
NODE_TWIN (list_push, FsLadderList)
NODE_TWIN (list_pull, FsLadderList)
NODE_TWIN (list_pull_relabel, FsLadderList)
NODE_TWIN (list_start_heights, FsLadderList)
NODE_TWIN (list_lower, FsLadderList)
NODE_TWIN (list_discharge, FsLadderList)
NODE_TWIN (list_draw, FsLadderList)

#define ENTRY(NAME, name, State) run_##name,
static void (*const kernels[]) (const void *state, const int32_t *blocks,
                                int n_blocks) = { FS_LADDER_KERNELS (ENTRY) };

static void *
host_alloc (FsLadderMachine *machine, size_t bytes)
{
  (void)machine;
  if (host.allocations > 0 && --host.allocations == 0)
    return NULL;
  return malloc (bytes);
}

static void
host_release (FsLadderMachine *machine, void *memory)
{
  (void)machine;
  free (memory);
}

static void
host_copy (FsLadderMachine *machine, void *to, const void *from, size_t bytes)
{
  (void)machine;
  memcpy (to, from, bytes);
}

static void
host_launch (FsLadderMachine *machine, FsLadderKernel kernel, const void *state, int n_blocks)
{
  int32_t *blocks = malloc ((size_t)n_blocks * sizeof *blocks);
  if (blocks == NULL) {
    machine->error = FS_LADDER_ERROR_MEMORY;
    return;
  }
  make_order (blocks, n_blocks);
  kernels[kernel](state, blocks, n_blocks);
  free (blocks);
}

static void
host_set_clock (FsLadderMachine *machine, int running)
{
  struct timespec now;
  timespec_get (&now, TIME_UTC);
  double ms = (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
  machine->ms += running ? -ms : ms;
}

static int
run_on_host (FsLadderRungNumber rung, const FsLadderProblem *problem,
             const FsLadderOptions *options, FsLadderResult *result)
{
  FsLadderMachine machine = { .alloc = host_alloc,
                              .release = host_release,
                              .upload = host_copy,
                              .download = host_copy,
                              .launch = host_launch,
                              .set_clock = host_set_clock };
  return fs_ladder_run (&machine, rung, problem, options, result);
}

#define RUNG(NAME, name, text, idea)                                                               \
  static int run_rung_##name (const FsLadderProblem *problem, const FsLadderOptions *options,      \
                              FsLadderResult *result)                                              \
  {                                                                                                \
    return run_on_host (FS_LADDER_RUNG_##NAME, problem, options, result);                          \
  }
FS_LADDER_RUNGS (RUNG)

#define ROW(NAME, name, text, idea) { text, idea, run_rung_##name },
const FsLadderRung fs_ladder_host_rungs[FS_LADDER_N_RUNGS] = { FS_LADDER_RUNGS (ROW) };
