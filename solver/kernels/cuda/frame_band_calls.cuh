/* SPDX-License-Identifier: MIT */
/* Bands whose links are told, for engine_cuda.cu.   Layer: solver/kernels.
 *
 * What a frame sends lies in one block of memory that the device reads while the host goes on, and
 * goes up in one piece; what comes back is another. Nothing is allocated while bands do not grow.
 */
#ifndef FS_KERNELS_FRAME_BAND_CALLS_CUH
#define FS_KERNELS_FRAME_BAND_CALLS_CUH

#include "solver/kernels/cuda/preview_calls.cuh"
#include "solver/kernels/links/frame_band.cuh"

/* Limits of a visit. A band is thin: it has few tiles, which mostly wait for each other's flow, so
 * visits are short (docs/tried/frames.md). */
enum { BAND_PHASES = 3, BAND_PUSHES = 3 };

struct FsEngineBand {
  FsEngine engine; /* of which it uses grid, solve, stream, events and mirror */
  FsBandSpace space;
  FsLinkTables tables;
  int scratch; /* tiles that there is memory for */
  void *state;
  FsWordSpace *space_there;
  char *up_here, *up_there;
  size_t up_capacity, up_bytes; /* there is, and is filled */
  char *down_here, *down_there;
};

/* --- Memory --- */

static void
fs_cuda_destroy_band (FsEngineBand *band)
{
  FsEngine *engine = &band->engine;
  fs_drop_stream (engine->stream, engine->before, engine->after);
  cudaFree (band->state);
  cudaFree (band->space_there);
  cudaFree (band->up_there);
  cudaFree (band->down_there);
  cudaFreeHost (band->up_here);
  cudaFreeHost (band->down_here);
  cudaFreeHost (engine->mirror);
  free (band);
}

static int
fs_band_prepare (FsEngineBand *band, const FsBandSpace *space, FsEngineError *error)
{
  FsEngine *engine = &band->engine;
  fs_grid_shape (&engine->grid, 1, 1, FS_LINK_TABLE_ARCS);
  int status = fs_make_stream (&engine->stream, &engine->before, &engine->after, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaHostAlloc (&engine->mirror, sizeof *engine->mirror, cudaHostAllocMapped));
  memset (engine->mirror, 0, sizeof *engine->mirror);
  if (space->space == NULL)
    return FS_ENGINE_DONE;
  FS_TRY (cudaMalloc (&band->space_there, sizeof *band->space_there));
  FS_TRY (cudaMemcpyAsync (band->space_there, space->space, sizeof *space->space, cudaMemcpyDefault,
                           engine->stream));
  FS_TRY (cudaStreamSynchronize (engine->stream));
  return FS_ENGINE_DONE;
}

static int
fs_cuda_create_band (const FsBandSpace *space, FsEngineBand **created, FsEngineError *error)
{
  FsEngineBand *band = (FsEngineBand *)fs_new_engine (sizeof *band, error);
  if (band == NULL)
    return FS_ENGINE_NO_MEMORY;
  band->space = *space;
  int status = fs_band_prepare (band, space, error);
  if (status != FS_ENGINE_DONE) {
    fs_cuda_destroy_band (band);
    return status;
  }
  *created = band;
  return FS_ENGINE_DONE;
}

/* The state, the links beside it, and what the solve keeps of each tile. */
static void
fs_divide_link_tables (FsEngineBand *band, int n_tiles, FsArena *arena)
{
  size_t tiles = (size_t)n_tiles;
  fs_divide_band (&band->engine.grid, n_tiles, arena);
  fs_arena_take (arena, &band->tables.tlink, tiles * FS_TILE_PIXELS);
  for (int d = 0; d < FS_LINK_TABLE_ARCS / 2; d++)
    fs_arena_take (arena, &band->tables.nlink[d], tiles * FS_TILE_PIXELS);
  fs_arena_take (arena, &band->engine.solve.visits, tiles);
  fs_arena_take (arena, &band->engine.solve.fifo, (size_t)band->engine.solve.wrap_mask + 1);
  fs_arena_take (arena, &band->engine.solve.rounds, 1);
}

static size_t
fs_bytes_down (int n_tiles)
{
  return sizeof (FsOutcome) + (size_t)n_tiles * FS_SIDE * sizeof (uint32_t);
}

/* For n_tiles or, where that is more than there is room for, some more. */
static int
fs_reserve_state (FsEngineBand *band, int n_tiles, FsEngineError *error)
{
  FsEngine *engine = &band->engine;
  if (n_tiles <= band->scratch)
    return FS_ENGINE_DONE;
  int scratch = n_tiles + n_tiles / 4;
  band->scratch = 0;
  cudaFree (band->state);
  cudaFree (band->down_there);
  cudaFreeHost (band->down_here);
  band->state = NULL;
  band->down_there = band->down_here = NULL;
  engine->grid.n_tiles = scratch;
  int status = fs_count_blocks (engine, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FsArena arena = { NULL, 0 };
  fs_divide_link_tables (band, scratch, &arena);
  FS_TRY (cudaMalloc (&band->state, arena.used));
  arena = { (char *)band->state, 0 };
  fs_divide_link_tables (band, scratch, &arena);
  FS_TRY (cudaMemsetAsync (engine->solve.fifo, 0,
                           ((size_t)engine->solve.wrap_mask + 1) * sizeof (uint32_t),
                           engine->stream));
  FS_TRY (cudaMalloc (&band->down_there, fs_bytes_down (scratch)));
  FS_TRY (cudaMallocHost (&band->down_here, fs_bytes_down (scratch)));
  band->scratch = scratch;
  return FS_ENGINE_DONE;
}

static void
fs_divide_up (const FsEngineBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles,
              FsArena *arena)
{
  size_t pixels = (size_t)n_tiles * FS_PIXELS_WITH_HALO;
  fs_arena_take (arena, &tiles->by_word, FS_WORD_BINS);
  fs_arena_take (arena, &tiles->pull, n_pulls);
  fs_arena_take (arena, &tiles->straight, band->space.n_entries);
  fs_arena_take (arena, &tiles->diagonal, band->space.n_entries);
  fs_arena_take (arena, &tiles->neighbour, (size_t)n_tiles * 9);
  fs_arena_take (arena, &tiles->words, pixels);
  fs_arena_take (arena, &tiles->marks, pixels);
}

static int
fs_reserve_up (FsEngineBand *band, int n_tiles, int n_pulls, FsEngineError *error)
{
  FsBandTiles tiles;
  FsArena arena = { NULL, 0 };
  fs_divide_up (band, n_tiles, n_pulls, &tiles, &arena);
  band->up_bytes = arena.used;
  if (arena.used <= band->up_capacity)
    return FS_ENGINE_DONE;
  size_t scratch = arena.used + arena.used / 4;
  band->up_capacity = 0;
  cudaFree (band->up_there);
  cudaFreeHost (band->up_here);
  band->up_there = band->up_here = NULL;
  FS_TRY (cudaMalloc (&band->up_there, scratch));
  FS_TRY (cudaMallocHost (&band->up_here, scratch));
  band->up_capacity = scratch;
  return FS_ENGINE_DONE;
}

/* Points the kernels' arguments to the uploaded tables. */
static void
fs_report_tiles (FsEngineBand *band, const FsBandTiles *there)
{
  FsLinkTables *tables = &band->tables;
  tables->links = { there->words,          band->space_there, band->space.scale,
                    band->space.n_entries, there->straight,   there->diagonal };
  tables->marks = there->marks;
  tables->by_word = there->by_word;
  tables->pull = there->pull;
  band->engine.grid.neighbour = there->neighbour;
}

static int
fs_cuda_reserve_band (FsEngineBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles,
                      FsEngineError *error)
{
  FsBandTiles there;
  int status = fs_reserve_state (band, n_tiles, error);
  if (status == FS_ENGINE_DONE)
    status = fs_reserve_up (band, n_tiles, n_pulls, error);
  if (status != FS_ENGINE_DONE)
    return status;
  band->engine.grid.n_tiles = n_tiles;
  FsArena arena = { band->up_here, 0 };
  fs_divide_up (band, n_tiles, n_pulls, tiles, &arena);
  arena = { band->up_there, 0 };
  fs_divide_up (band, n_tiles, n_pulls, &there, &arena);
  fs_report_tiles (band, &there);
  return FS_ENGINE_DONE;
}

/* --- The cut --- */

static int
fs_launch_band (FsEngineBand *band, FsEngineError *error)
{
  FsEngine *engine = &band->engine;
  FsGridState *grid = &engine->grid;
  FsOutcome *outcome = (FsOutcome *)band->down_there;
  FsSolveArgs args = engine->solve;
  args.grid = *grid;
  args.cancel = &engine->mirror->cancel;
  args.tuning = { BAND_PHASES, BAND_PUSHES, 60, fs_usual_rise (grid), 100000 };
  FS_TRY (cudaMemcpyAsync (band->up_there, band->up_here, band->up_bytes, cudaMemcpyDefault,
                           engine->stream));
  FS_TRY (cudaMemsetAsync (outcome, 0, sizeof *outcome, engine->stream));
  FS_TRY (cudaMemsetAsync (grid->border_flow, 0,
                           (size_t)grid->n_tiles * grid->n_slots * FS_SIDE * 4, engine->stream));
  FS_LAUNCH (fs_link_tables_build_kernel, grid->n_tiles, FS_BLOCK, engine->stream)
  (*grid, band->tables);
  FS_TRY (cudaGetLastError ());
  int status = fs_launch_solve (engine, &args, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_LAUNCH (fs_link_tables_end_kernel, grid->n_tiles, FS_BLOCK, engine->stream)
  (*grid, band->tables, args.rounds, outcome, (uint32_t *)(outcome + 1));
  FS_TRY (cudaGetLastError ());
  FS_TRY (cudaMemcpyAsync (band->down_here, band->down_there, fs_bytes_down (grid->n_tiles),
                           cudaMemcpyDefault, engine->stream));
  return FS_ENGINE_DONE;
}

static void
fs_band_result (const FsEngineBand *band, FsEngineResult *result)
{
  const FsEngine *engine = &band->engine;
  const FsOutcome *outcome = (const FsOutcome *)band->down_here;
  fs_report_rounds (engine, result);
  result->energy = (int64_t)outcome->energy;
  result->bound = (int64_t)outcome->bound;
  result->bytes_up = (int64_t)band->up_bytes;
  result->bytes_down = (int64_t)(FS_ROUNDS_BYTES + fs_bytes_down (engine->grid.n_tiles));
}

static int
fs_cuda_cut_band (FsEngineBand *band, int (*is_cancelled) (void *), void *data,
                  const uint32_t **mask, FsEngineResult *result, FsEngineError *error)
{
  FsEngine *engine = &band->engine;
  float ms = 0;
  *result = {};
  engine->mirror->cancel = 0;
  FS_TRY (cudaEventRecord (engine->before, engine->stream));
  int status = fs_launch_band (band, error);
  if (status == FS_ENGINE_DONE)
    status = fs_wait_for_solve (engine, is_cancelled, data, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaEventElapsedTime (&ms, engine->before, engine->after));
  fs_band_result (band, result);
  result->device_ms = ms;
  *mask = (const uint32_t *)(band->down_here + sizeof (FsOutcome));
  return fs_solve_outcome (engine, error);
}

#endif
