/* SPDX-License-Identifier: MIT */
/* The CUDA engine: the table of engine.h over the kernels of solve.cuh and passes.cuh. */
#include "solver/kernels/cuda/frame_band_calls.cuh"

enum { STAGED_CHANGES = 1 << 16, PAIRS_A_THREAD = 256 };

/* CUDA's own words for a missing driver are those for an old one. */
static int
fs_explain_no_device (cudaError_t code, FsEngineError *error)
{
  int driver = 0;
  if (code == cudaErrorInsufficientDriver)
    cudaDriverGetVersion (&driver);
  if (code == cudaSuccess)
    snprintf (error->text, sizeof error->text, "there is no CUDA device");
  else if (code != cudaErrorInsufficientDriver)
    snprintf (error->text, sizeof error->text, "%s", cudaGetErrorString (code));
  else if (driver == 0)
    snprintf (error->text, sizeof error->text, "no NVIDIA driver is installed");
  else
    snprintf (error->text, sizeof error->text,
              "the NVIDIA driver is too old: it is for CUDA %d.%d, and this needs %d.%d",
              driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000, CUDART_VERSION % 1000 / 10);
  return FS_ENGINE_NO_DEVICE;
}

static int
fs_cuda_open (char *name, size_t name_bytes, FsEngineError *error)
{
  int n = 0;
  cudaError_t code = cudaGetDeviceCount (&n);
  if (code != cudaSuccess || n == 0)
    return fs_explain_no_device (code, error);
  cudaDeviceProp properties;
  FS_TRY (cudaGetDeviceProperties (&properties, 0));
  if (!properties.cooperativeLaunch || !properties.canMapHostMemory) {
    snprintf (error->text, sizeof error->text, "%.200s is too old", properties.name);
    return FS_ENGINE_NO_DEVICE;
  }
  FS_TRY (cudaSetDevice (0));
  snprintf (name, name_bytes, "%s", properties.name);
  return FS_ENGINE_DONE;
}

static void
fs_cuda_destroy (FsEngine *engine)
{
  fs_drop_event (engine->build_before);
  fs_drop_event (engine->build_after);
  fs_preview_drop (engine);
  fs_drop_stream (engine->stream, engine->before, engine->after);
  cudaFree (engine->block);
  cudaFree (engine->staged_there);
  cudaFree (engine->terms_there);
  cudaFreeHost (engine->staged_here);
  cudaFreeHost (engine->terms_here);
  cudaFreeHost (engine->mirror);
  cudaFreeHost (engine->mask.object);
  cudaFreeHost (engine->mask.changed);
  free (engine->changed);
  free (engine->is_changed);
  free (engine);
}

static void
fs_divide (FsEngine *engine, const FsEngineProblem *from, FsArena *arena)
{
  FsGridState *grid = &engine->grid;
  FsProblem *problem = &engine->problem;
  size_t tiles = (size_t)grid->n_tiles, pixels = (size_t)grid->width * grid->height;
  fs_divide_state (grid, tiles, arena);
  fs_arena_take (arena, &grid->object, tiles * FS_SIDE);
  for (int d = 0; d < grid->n_arcs / 2; d++) {
    fs_arena_take (arena, &problem->nlink[d], pixels);
    if (from->nlink_back[0] != NULL)
      fs_arena_take (arena, &problem->back[d], pixels);
    else
      problem->back[d] = problem->nlink[d];
  }
  fs_arena_take (arena, &problem->tlink, pixels);
  if (from->star != NULL) {
    fs_arena_take (arena, &problem->star, pixels);
    fs_arena_take (arena, &problem->previous_star, pixels);
  }
  fs_arena_take (arena, &problem->energy, tiles);
  fs_arena_take (arena, &problem->bound, tiles);
  fs_arena_take (arena, &engine->outcome, 1);
  fs_arena_take (arena, &engine->solve.rounds, 1);
  fs_arena_take (arena, &engine->solve.fifo, (size_t)engine->solve.wrap_mask + 1);
  fs_arena_take (arena, &engine->solve.visits, tiles);
}

static int
fs_allocate_mask (FsEngine *engine, FsEngineError *error)
{
  size_t tiles = (size_t)engine->grid.n_tiles, mask_bytes = tiles * FS_SIDE * sizeof (uint32_t);
  engine->mask.wrap_mask = 1;
  while (engine->mask.wrap_mask < tiles)
    engine->mask.wrap_mask = engine->mask.wrap_mask * 2 + 1;
  size_t fifo_bytes = ((size_t)engine->mask.wrap_mask + 1) * sizeof (uint32_t);
  FS_TRY (cudaHostAlloc (&engine->mask.object, mask_bytes, cudaHostAllocMapped));
  FS_TRY (cudaHostAlloc (&engine->mask.changed, fifo_bytes, cudaHostAllocMapped));
  memset (engine->mask.object, 0, mask_bytes);
  memset (engine->mirror, 0, sizeof *engine->mirror);
  engine->changed = (uint32_t *)malloc (tiles * sizeof *engine->changed);
  engine->is_changed = (uint8_t *)calloc (tiles, 1);
  if (engine->changed != NULL && engine->is_changed != NULL)
    return FS_ENGINE_DONE;
  snprintf (error->text, sizeof error->text, "not enough memory");
  return FS_ENGINE_NO_MEMORY;
}

static int
fs_allocate (FsEngine *engine, const FsEngineProblem *from, FsEngineError *error)
{
  FsArena arena = { NULL, 0 };
  fs_divide (engine, from, &arena);
  engine->block_bytes = arena.used;
  FS_TRY (cudaStreamCreateWithFlags (&engine->stream, cudaStreamNonBlocking));
  FS_TRY (cudaEventCreate (&engine->before));
  FS_TRY (cudaEventCreate (&engine->after));
  FS_TRY (cudaEventCreate (&engine->build_before));
  FS_TRY (cudaEventCreate (&engine->build_after));
  FS_TRY (cudaMalloc (&engine->block, engine->block_bytes));
  arena.base = (char *)engine->block;
  arena.used = 0;
  fs_divide (engine, from, &arena);
  size_t staged = STAGED_CHANGES * sizeof (FsEnginePair);
  FS_TRY (cudaMalloc (&engine->staged_there, staged));
  FS_TRY (cudaHostAlloc (&engine->staged_here, staged, cudaHostAllocMapped));
  FS_TRY (cudaHostAlloc (&engine->mirror, sizeof *engine->mirror, cudaHostAllocMapped));
  return fs_allocate_mask (engine, error);
}

/* The links' planes, and the state from them. */
static int
fs_upload_planes (FsEngine *engine, const FsEngineProblem *from, FsEngineError *error)
{
  FsGridState *grid = &engine->grid;
  FsProblem *problem = &engine->problem;
  size_t pixels = (size_t)grid->width * grid->height;
  for (int d = 0; d < grid->n_arcs / 2; d++) {
    FS_TRY (cudaMemcpyAsync (problem->nlink[d], from->nlink[d], pixels * 2, cudaMemcpyDefault,
                             engine->stream));
    if (from->nlink_back[0] != NULL)
      FS_TRY (cudaMemcpyAsync (problem->back[d], from->nlink_back[d], pixels * 2, cudaMemcpyDefault,
                               engine->stream));
  }
  FS_TRY (
      cudaMemcpyAsync (problem->tlink, from->tlink, pixels * 4, cudaMemcpyDefault, engine->stream));
  FS_LAUNCH (fs_start_kernel, grid->n_tiles, FS_BLOCK, engine->stream) (*grid, *problem);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

static int
fs_upload (FsEngine *engine, const FsEngineProblem *from, FsEngineError *error)
{
  FsGridState *grid = &engine->grid;
  size_t pixels = (size_t)grid->width * grid->height;
  if (from->star != NULL) {
    FS_TRY (cudaMemcpyAsync (engine->problem.star, from->star, pixels, cudaMemcpyDefault,
                             engine->stream));
    FS_TRY (cudaMemcpyAsync (engine->problem.previous_star, engine->problem.star, pixels,
                             cudaMemcpyDefault, engine->stream));
  }
  FS_TRY (cudaMemsetAsync (grid->border_flow, 0,
                           (size_t)grid->n_tiles * grid->n_slots * FS_SIDE * sizeof (uint32_t),
                           engine->stream));
  FS_TRY (cudaMemsetAsync (engine->outcome, 0, sizeof *engine->outcome, engine->stream));
  FS_TRY (cudaMemsetAsync (engine->solve.fifo, 0,
                           ((size_t)engine->solve.wrap_mask + 1) * sizeof (uint32_t),
                           engine->stream));
  engine->photo = from->photo;
  int status = from->photo != NULL ? fs_build_from (engine, from->terms, true, error)
                                   : fs_upload_planes (engine, from, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaStreamSynchronize (engine->stream));
  return FS_ENGINE_DONE;
}

static int
fs_prepare (FsEngine *engine, const FsEngineProblem *from, FsEngineError *error)
{
  int status = fs_count_blocks (engine, error);
  if (status == FS_ENGINE_DONE)
    status = fs_allocate (engine, from, error);
  if (status == FS_ENGINE_DONE)
    status = fs_upload (engine, from, error);
  if (status != FS_ENGINE_DONE)
    return status;
  engine->solve.grid = engine->grid;
  engine->solve.cancel = &engine->mirror->cancel;
  engine->solve.tuning = fs_usual_tuning (&engine->grid);
  return FS_ENGINE_DONE;
}

static int
fs_cuda_create (const FsEngineProblem *problem, FsEngine **created, FsEngineError *error)
{
  FsEngine *engine = (FsEngine *)fs_new_engine (sizeof *engine, error);
  if (engine == NULL)
    return FS_ENGINE_NO_MEMORY;
  fs_grid_shape (&engine->grid, problem->width, problem->height, problem->neighbours);
  int status = fs_prepare (engine, problem, error);
  if (status != FS_ENGINE_DONE) {
    fs_cuda_destroy (engine);
    return status;
  }
  *created = engine;
  return FS_ENGINE_DONE;
}

static unsigned int
fs_grid_of (size_t n)
{
  return (unsigned int)((n + PAIRS_A_THREAD - 1) / PAIRS_A_THREAD);
}

static size_t
fs_chunk_of (size_t n)
{
  return n < (size_t)STAGED_CHANGES ? n : (size_t)STAGED_CHANGES;
}

/* Copies a chunk of the changes to where the device reads it, once the last chunk has been read. */
static int
fs_lay_out (FsEngine *engine, const void *changes, size_t bytes, FsEngineError *error)
{
  FS_TRY (cudaStreamSynchronize (engine->stream));
  memcpy (engine->staged_here, changes, bytes);
  engine->bytes_up += bytes;
  return FS_ENGINE_DONE;
}

/* Uploads a chunk of the changes, which are read more than once. */
static int
fs_stage (FsEngine *engine, const void *changes, size_t bytes, FsEngineError *error)
{
  int status = fs_lay_out (engine, changes, bytes, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaMemcpyAsync (engine->staged_there, engine->staged_here, bytes, cudaMemcpyDefault,
                           engine->stream));
  return FS_ENGINE_DONE;
}

/* A kernel reads the list once, where it lies: a copy before it would take longer. */
static int
fs_cuda_change_tlinks (FsEngine *engine, const FsTlinkChange *changes, size_t n,
                       FsEngineError *error)
{
  const FsTlinkChange *here = (const FsTlinkChange *)engine->staged_here;
  for (size_t i = 0; i < n; i += STAGED_CHANGES) {
    size_t chunk = fs_chunk_of (n - i);
    int status = fs_lay_out (engine, changes + i, chunk * sizeof *changes, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_change_kernel, fs_grid_of (chunk), PAIRS_A_THREAD, engine->stream)
    (engine->grid, engine->problem, here, chunk);
    FS_TRY (cudaGetLastError ());
  }
  return FS_ENGINE_DONE;
}

/* A warp a span, read where it lies as well. */
static int
fs_cuda_fix_tlinks (FsEngine *engine, const FsFixedSpan *spans, size_t n, FsEngineError *error)
{
  const FsFixedSpan *here = (const FsFixedSpan *)engine->staged_here;
  for (size_t i = 0; i < n; i += STAGED_CHANGES) {
    size_t chunk = fs_chunk_of (n - i);
    int status = fs_lay_out (engine, spans + i, chunk * sizeof *spans, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_fix_kernel, fs_grid_of (chunk * FS_WARP), PAIRS_A_THREAD, engine->stream)
    (engine->grid, engine->problem, engine->strength, here, chunk);
    FS_TRY (cudaGetLastError ());
  }
  return FS_ENGINE_DONE;
}

static int
fs_cuda_replace_tlinks (FsEngine *engine, const int32_t *tlinks, FsEngineError *error)
{
  size_t n = (size_t)engine->grid.width * engine->grid.height;
  int32_t *there;
  FS_TRY (cudaMallocAsync ((void **)&there, n * sizeof *there, engine->stream));
  cudaError_t code =
      cudaMemcpyAsync (there, tlinks, n * sizeof *there, cudaMemcpyDefault, engine->stream);
  if (code == cudaSuccess) {
    FS_LAUNCH (fs_replace_kernel, fs_grid_of (n), PAIRS_A_THREAD, engine->stream)
    (engine->grid, engine->problem, there);
    code = cudaGetLastError ();
  }
  FS_TRY (cudaFreeAsync (there, engine->stream));
  FS_TRY (code);
  engine->has_cut = false;
  engine->bytes_up += n * sizeof *there;
  FS_TRY (cudaStreamSynchronize (engine->stream));
  return FS_ENGINE_DONE;
}

static int
fs_cuda_change_star (FsEngine *engine, const FsStarChange *changes, size_t n, FsEngineError *error)
{
  FsStarChange *there = (FsStarChange *)engine->staged_there;
  for (size_t i = 0; i < n; i += STAGED_CHANGES) {
    size_t chunk = fs_chunk_of (n - i);
    int status = fs_stage (engine, changes + i, chunk * sizeof *changes, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_change_star_kernel, fs_grid_of (chunk), PAIRS_A_THREAD, engine->stream)
    (engine->problem, there, chunk);
    FS_LAUNCH (fs_follow_star_kernel, fs_grid_of (chunk), PAIRS_A_THREAD, engine->stream)
    (engine->grid, engine->problem, there, chunk);
    FS_LAUNCH (fs_refresh_star_kernel, fs_grid_of (chunk), PAIRS_A_THREAD, engine->stream)
    (engine->grid, engine->problem, there, chunk);
    FS_TRY (cudaGetLastError ());
  }
  return FS_ENGINE_DONE;
}

static int
fs_cuda_change_nlinks (FsEngine *engine, const FsEnginePair *changes, size_t n,
                       FsEngineError *error)
{
  FsEnginePair *there = (FsEnginePair *)engine->staged_there;
  for (size_t i = 0; i < n; i += STAGED_CHANGES) {
    size_t chunk = fs_chunk_of (n - i);
    int status = fs_stage (engine, changes + i, chunk * sizeof *changes, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_change_nlinks_kernel, fs_grid_of (chunk), PAIRS_A_THREAD, engine->stream)
    (engine->problem, there, chunk);
    FS_LAUNCH (fs_change_pairs_kernel, fs_grid_of (chunk), PAIRS_A_THREAD, engine->stream)
    (engine->grid, there, chunk);
    FS_LAUNCH (fs_refresh_pairs_kernel, fs_grid_of (chunk), PAIRS_A_THREAD, engine->stream)
    (engine->grid, there, chunk);
    FS_TRY (cudaGetLastError ());
  }
  if (engine->preview != NULL)
    engine->preview->has_nlinks = false;
  return FS_ENGINE_DONE;
}

/* The pre-flow before a cut whose t-links are all new, the first one or after new models: most of
 * the flow is missing then. Where a state has labels, those of tiles with pre-flow may be wrong. */
static int
fs_launch_first_preflow (FsEngine *engine, FsEngineError *error)
{
  FsPreflowList list = {};
  if (engine->has_cut || engine->grid.n_arcs != 4)
    return FS_ENGINE_DONE;
  list.marks = engine->has_begun ? FS_TILE_STALE | FS_TILE_SUMS : 0;
  return fs_launch_preflow (engine, &engine->grid, list, error);
}

static int
fs_launch (FsEngine *engine, FsEngineError *error)
{
  FsGridState *grid = &engine->grid;
  FsHostReport report = { &engine->mirror->rounds, &engine->mirror->outcome };
  fs_tune (engine);
  FS_TRY (cudaEventRecord (engine->before, engine->stream));
  int status = fs_launch_first_preflow (engine, error);
  engine->has_begun = true;
  if (status == FS_ENGINE_DONE)
    status = fs_launch_solve (engine, &engine->solve, error);
  if (status != FS_ENGINE_DONE)
    return status;
  int mask_blocks = (grid->n_tiles + FS_BLOCK_WARPS - 1) / FS_BLOCK_WARPS;
  FS_LAUNCH (fs_mask_kernel, fs_min_i32 (mask_blocks, engine->n_looks), FS_BLOCK, engine->stream)
  (*grid, engine->solve.rounds, engine->outcome, engine->mask);
  FS_LAUNCH (fs_sums_kernel, fs_min_i32 (grid->n_tiles, engine->n_looks), FS_BLOCK, engine->stream)
  (*grid, engine->solve.rounds, engine->problem, engine->outcome, report);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

/* Lists the tiles whose mask has changed with this solve. */
static size_t
fs_list_changed (FsEngine *engine, uint32_t before)
{
  uint32_t n = engine->mirror->outcome.n_changed - before;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t tile = engine->mask.changed[(before + i) & engine->mask.wrap_mask];
    if (!engine->is_changed[tile])
      engine->changed[engine->n_changed++] = tile;
    engine->is_changed[tile] = 1;
  }
  return n;
}

static void
fs_count_bytes (FsEngine *engine, size_t n_tiles, FsEngineResult *result)
{
  result->bytes_up = (int64_t)engine->bytes_up;
  result->bytes_down =
      (int64_t)(FS_ROUNDS_BYTES + sizeof (FsOutcome) + n_tiles * (FS_SIDE + 1) * sizeof (uint32_t));
  engine->bytes_up = 0;
}

static int
fs_cuda_solve (FsEngine *engine, int (*is_cancelled) (void *), void *data, FsEngineResult *result,
               FsEngineError *error)
{
  FsMirror *mirror = engine->mirror;
  uint32_t n_changed = mirror->outcome.n_changed;
  mirror->cancel = 0;
  int status = fs_launch (engine, error);
  if (status != FS_ENGINE_DONE)
    return status;
  status = fs_wait (engine, is_cancelled, data, error);
  if (status != FS_ENGINE_DONE)
    return status;
  float ms = 0;
  FS_TRY (cudaEventElapsedTime (&ms, engine->before, engine->after));
  *result = {};
  fs_report_rounds (engine, result);
  result->energy = (int64_t)mirror->outcome.energy;
  result->bound = (int64_t)mirror->outcome.bound;
  fs_count_bytes (engine, fs_list_changed (engine, n_changed), result);
  result->device_ms = ms;
  if (engine->photo != NULL) {
    FS_TRY (cudaEventElapsedTime (&ms, engine->build_before, engine->build_after));
    result->build_ms = ms;
  }
  status = fs_solve_outcome (engine, error);
  engine->has_cut |= status == FS_ENGINE_DONE;
  engine->has_flow |= engine->has_cut;
  return status;
}

static const uint32_t *
fs_cuda_mask (FsEngine *engine)
{
  return engine->mask.object;
}

static const uint32_t *
fs_cuda_take_changed (FsEngine *engine, size_t *n)
{
  *n = engine->n_changed;
  for (size_t i = 0; i < engine->n_changed; i++)
    engine->is_changed[engine->changed[i]] = 0;
  engine->n_changed = 0;
  return engine->changed;
}

static int
fs_cuda_read_state (FsEngine *engine, int y, int n_rows, int32_t *excess, uint16_t *residual[4],
                    FsEngineError *error)
{
  size_t n = (size_t)engine->grid.width * n_rows;
  int n_planes = engine->grid.n_arcs / 2;
  char *block;
  FS_TRY (cudaMalloc (&block, n * (4 + 2 * n_planes)));
  FsPlanes planes = { (int32_t *)block, {} };
  for (int d = 0; d < n_planes; d++)
    planes.residual[d] = (uint16_t *)(block + n * 4) + n * d;
  FS_LAUNCH (fs_read_kernel, fs_grid_of (n), PAIRS_A_THREAD, engine->stream)
  (engine->grid, planes, y, n_rows);
  cudaError_t code = cudaGetLastError ();
  if (code == cudaSuccess)
    code = cudaStreamSynchronize (engine->stream);
  if (code == cudaSuccess)
    code = cudaMemcpy (excess, planes.excess, n * 4, cudaMemcpyDefault);
  for (int d = 0; d < n_planes && code == cudaSuccess; d++)
    code = cudaMemcpy (residual[d], planes.residual[d], n * 2, cudaMemcpyDefault);
  cudaFree (block);
  FS_TRY (code);
  return FS_ENGINE_DONE;
}

static size_t
fs_cuda_size_bytes (FsEngine *engine)
{
  return engine->block_bytes;
}

static const FsEngineTable fs_cuda_table = {
  FS_ENGINE_VERSION,     fs_cuda_open,       fs_cuda_load_photo,    fs_cuda_unload_photo,
  fs_cuda_create,        fs_cuda_destroy,    fs_cuda_change_tlinks, fs_cuda_replace_tlinks,
  fs_cuda_remake_tlinks, fs_cuda_fix_tlinks, fs_cuda_change_star,   fs_cuda_change_nlinks,
  fs_cuda_solve,         fs_cuda_mask,       fs_cuda_take_changed,  fs_cuda_read_state,
  fs_cuda_size_bytes,    fs_cuda_preview,    fs_cuda_create_band,   fs_cuda_destroy_band,
  fs_cuda_reserve_band,  fs_cuda_cut_band,
};

extern "C" __attribute__ ((visibility ("default"))) const FsEngineTable *
fs_engine_cuda (void)
{
  return &fs_cuda_table;
}
