/* SPDX-License-Identifier: MIT */
/* Launching the solve and waiting for it, for engine_cuda.cu.   Layer: solver/kernels. */
#ifndef FS_KERNELS_SOLVE_CALLS_CUH
#define FS_KERNELS_SOLVE_CALLS_CUH

#include "solver/kernels/cuda/engine_state.cuh"

/* Where the way to a deficit may be long, labels rise more before they are made exact again. */
static int
fs_usual_rise (const FsGridState *grid)
{
  return fs_min_i32 (fs_max_i32 ((grid->tiles_x + grid->tiles_y) / 18, 6), 12);
}

/* Up to four megapixels few tiles have work at once, and how long each takes counts; then, how
 * many are at hand, and beyond sixteen megapixels also how many blocks of them fit. */
enum {
  FS_TINY_TILES = 1024,
  FS_SMALL_TILES = 4096,
  FS_LARGE_TILES = 16384,
  FS_SHORT_PHASES = 4,
  FS_SMALL_PHASES = 6,
  FS_USUAL_PHASES = 8,
};

/* Labels are searched up to a distance cap that grows from epoch to epoch: most pixels farther from
 * every deficit get cut off in the meantime. */
enum { FS_FIRST_DISTANCE_CAP = 4, FS_DISTANCE_CAP_GROWTH = 2 };

/* Nor do few tiles that work one after another keep an epoch going, for the next one has others to
 * visit beside them: so many do not once it has lasted so long. */
typedef struct {
  int tiles, ns;
} FsTail;

/* Blocks of mask and sums a multiprocessor: as many as it holds at once. */
enum { FS_LOOKS = 8 };

static int
fs_usual_phases (const FsGridState *grid)
{
  if (grid->n_arcs == 8 || grid->n_tiles > FS_SMALL_TILES)
    return FS_USUAL_PHASES;
  return grid->n_tiles > FS_TINY_TILES ? FS_SMALL_PHASES : FS_SHORT_PHASES;
}

/* Where little has changed since the last cut few tiles have work, however large the photo. */
static int
fs_phases (const FsEngine *engine)
{
  const FsGridState *grid = &engine->grid;
  if (engine->has_cut && grid->n_arcs == 4 && grid->n_tiles <= FS_LARGE_TILES)
    return FS_SHORT_PHASES;
  return fs_usual_phases (grid);
}

/* Chosen for all photos of the data pack together (docs/decisions/gpu-distance-labels.md). */
static FsTail
fs_tail (const FsEngine *engine)
{
  const FsGridState *grid = &engine->grid;
  bool is_small = grid->n_tiles <= FS_SMALL_TILES;
  if (engine->has_cut)
    return { grid->n_arcs == 8 ? 16 : 32, grid->n_arcs == 4 && is_small ? 300000 : 500000 };
  if (grid->n_arcs == 8)
    return { 96, 1000000 };
  if (is_small)
    return { grid->n_tiles > FS_TINY_TILES ? 96 : 64, 450000 };
  return grid->n_tiles <= FS_LARGE_TILES ? FsTail{ 96, 600000 } : FsTail{ 128, 1000000 };
}

static FsTuning
fs_usual_tuning (const FsGridState *grid)
{
  FsTuning tuning = { fs_usual_phases (grid), 8, 60, fs_usual_rise (grid), 100000 };
  tuning.distance_cap = FS_FIRST_DISTANCE_CAP;
  tuning.growth = FS_DISTANCE_CAP_GROWTH;
  tuning.exchange = grid->n_arcs == 4;
  return tuning;
}

/* For the next cut, of whatever has changed since the last one. */
static void
fs_tune (FsEngine *engine)
{
  FsTail tail = fs_tail (engine);
  engine->solve.tuning.phases = fs_phases (engine);
  engine->solve.tuning.tail = tail.tiles;
  engine->solve.tuning.tail_ns = tail.ns;
}

/* Chooses the solve, and finds how many blocks of it fit on the device at once. */
static int
fs_count_blocks (FsEngine *engine, FsEngineError *error)
{
  int device, n_processors, n = 0;
  FS_TRY (cudaGetDevice (&device));
  FS_TRY (cudaDeviceGetAttribute (&n_processors, cudaDevAttrMultiProcessorCount, device));
  bool is_large = engine->grid.n_tiles > FS_LARGE_TILES;
  if (engine->grid.n_arcs == 8)
    engine->kernel =
        is_large ? (const void *)fs_solve_kernel<8, 3> : (const void *)fs_solve_kernel<8, 2>;
  else
    engine->kernel =
        is_large ? (const void *)fs_solve_kernel<4, 3> : (const void *)fs_solve_kernel<4, 2>;
  FS_TRY (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&n, engine->kernel, FS_BLOCK, 0));
  engine->n_blocks = n * n_processors;
  engine->n_looks = FS_LOOKS * n_processors;
  /* Places in the queue for every tile and every waiting warp, so that each warp waits at a place
   * of its own. */
  uint32_t places = (uint32_t)engine->grid.n_tiles + (uint32_t)(engine->n_blocks * FS_BLOCK_WARPS);
  engine->solve.wrap_mask = 1;
  while (engine->solve.wrap_mask < places)
    engine->solve.wrap_mask = engine->solve.wrap_mask * 2 + 1;
  return FS_ENGINE_DONE;
}

/* The blocks that a cut of so many tiles is worth. */
static int
fs_blocks_for (const FsEngine *engine, int n_tiles)
{
  return fs_min_i32 (engine->n_blocks, n_tiles);
}

/* Queues the scanline pre-flow of a state, with 4 neighbours. */
static int
fs_launch_preflow (FsEngine *engine, const FsGridState *grid, const FsPreflowList &list,
                   FsEngineError *error)
{
  FS_LAUNCH (fs_preflow_kernel<0>, fs_preflow_n_segments (grid, 0), FS_PREFLOW_BLOCK,
             engine->stream)
  (*grid, list);
  FS_LAUNCH (fs_preflow_kernel<1>, fs_preflow_n_segments (grid, 1), FS_PREFLOW_BLOCK,
             engine->stream)
  (*grid, list);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

/* Queues the cut of a state, the engine's own or a band's, which has no more tiles. */
static int
fs_launch_solve (FsEngine *engine, FsSolveArgs *solve, FsEngineError *error)
{
  FS_TRY (cudaMemsetAsync (solve->rounds, 0, sizeof (FsRounds), engine->stream));
  void *args[] = { solve };
  dim3 blocks (fs_blocks_for (engine, solve->grid.n_tiles));
  FS_TRY (cudaLaunchCooperativeKernel (engine->kernel, blocks, dim3 (FS_BLOCK), args, 0,
                                       engine->stream));
  return FS_ENGINE_DONE;
}

/* Waits for an event, and tells solves that run meanwhile when they are cancelled. */
static int
fs_wait_for (FsEngine *engine, cudaEvent_t event, int (*is_cancelled) (void *), void *data,
             FsEngineError *error)
{
  cudaError_t code;
  while ((code = cudaEventQuery (event)) == cudaErrorNotReady)
    if (is_cancelled (data))
      engine->mirror->cancel = 1;
  FS_TRY (code);
  return FS_ENGINE_DONE;
}

/* Waits for all that was queued. */
static int
fs_wait (FsEngine *engine, int (*is_cancelled) (void *), void *data, FsEngineError *error)
{
  FS_TRY (cudaEventRecord (engine->after, engine->stream));
  return fs_wait_for (engine, engine->after, is_cancelled, data, error);
}

/* The same, where no kernel tells the host how the solve ended. */
static int
fs_wait_for_solve (FsEngine *engine, int (*is_cancelled) (void *), void *data, FsEngineError *error)
{
  FS_TRY (cudaMemcpyAsync (&engine->mirror->rounds, engine->solve.rounds, FS_ROUNDS_BYTES,
                           cudaMemcpyDefault, engine->stream));
  return fs_wait (engine, is_cancelled, data, error);
}

/* Copies the solve's counters to the result. */
static void
fs_report_rounds (const FsEngine *engine, FsEngineResult *result)
{
  const FsRounds *rounds = &engine->mirror->rounds;
  result->epochs = (int64_t)rounds->epochs;
  result->discharges = (int64_t)rounds->discharges;
  result->labellings = (int64_t)rounds->labellings;
  result->phases = (int64_t)rounds->phases;
  result->pushes = (int64_t)rounds->pushes;
  result->busy = (double)rounds->busy_ns / fs_blocks_for (engine, engine->grid.n_tiles)
                 / ((double)rounds->ns[2] + 1);
  for (int i = 0; i < 3; i++)
    result->ms[i] = (double)rounds->ns[i] / 1e6;
}

/* The outcome of the solve that was waited for. */
static int
fs_solve_outcome (const FsEngine *engine, FsEngineError *error)
{
  if (engine->mirror->rounds.outcome == FS_ENGINE_FAILED)
    snprintf (error->text, sizeof error->text, "the cut does not end");
  return engine->mirror->rounds.outcome;
}

#endif
