/* SPDX-License-Identifier: MIT */
/* Previews by levels and bands, for engine_cuda.cu.   Layer: solver/kernels.
 *
 * From level to level the host learns how many tiles the band has, so that it can give them memory,
 * and nothing else; only the finest level's mask comes back. */
#ifndef FS_KERNELS_PREVIEW_CALLS_CUH
#define FS_KERNELS_PREVIEW_CALLS_CUH

#include "solver/kernels/build_calls.cuh"
#include "solver/kernels/preview.cuh"
#include "solver/kernels/solve_calls.cuh"

struct FsPreviewWork {
  int n_levels; /* coarse ones */
  FsPreviewLevel level[FS_ENGINE_LEVELS + 1];
  void *block; /* all of them, and FsBandParts */
  size_t bytes;
  bool has_nlinks;
  uint32_t *largest; /* [n_levels]: pairs, there */
  FsBandParts parts;
  FsPreviewCounts *counts; /* here */
  FsGridState state;       /* of a band's tiles */
  int room;                /* … so many at most */
  void *band_block;
  size_t band_bytes;
  uint32_t *mask; /* here */
};

/* --- Memory --- */

static void
fs_preview_drop (FsEngine *engine)
{
  FsPreviewWork *work = engine->preview;
  if (work == NULL)
    return;
  cudaFree (work->block);
  cudaFree (work->band_block);
  cudaFreeHost (work->counts);
  cudaFreeHost (work->mask);
  free (work);
  engine->preview = NULL;
}

/* It has what the finest level's problem has. */
static void
fs_divide_level (const FsProblem *finest, FsPreviewLevel *level, FsParts *parts)
{
  fs_pyramid_shape (&level[-1].shape, &level->shape);
  FsProblem *problem = &level->problem;
  size_t pixels = (size_t)level->shape.width * level->shape.height;
  for (int d = 0; d < level->shape.n_arcs / 2; d++) {
    fs_part (parts, &problem->nlink[d], pixels);
    if (finest->back[d] != finest->nlink[d])
      fs_part (parts, &problem->back[d], pixels);
    else
      problem->back[d] = problem->nlink[d];
  }
  fs_part (parts, &problem->tlink, pixels);
  if (finest->star != NULL)
    fs_part (parts, &problem->star, pixels);
  fs_part (parts, &level->blocks, pixels);
}

static void
fs_divide_preview (FsPreviewWork *work, FsParts *parts)
{
  const FsGridState *finest = &work->level[0].shape;
  size_t tiles = (size_t)finest->n_tiles;
  for (int k = 0; k <= work->n_levels; k++) {
    if (k > 0)
      fs_divide_level (&work->level[0].problem, &work->level[k], parts);
    fs_part (parts, &work->level[k].shape.object, (size_t)work->level[k].shape.n_tiles * FS_SIDE);
  }
  fs_part (parts, &work->parts.marks, tiles * FS_SIDE);
  fs_part (parts, &work->parts.wide, (size_t)(finest->height + 1) / 2 * finest->tiles_x);
  fs_part (parts, &work->parts.band, tiles * FS_SIDE);
  fs_part (parts, &work->parts.slots, tiles);
  fs_part (parts, &work->parts.tiles, tiles);
  fs_part (parts, &work->parts.counts, 1);
  fs_part (parts, &work->largest, FS_ENGINE_LEVELS);
}

static int
fs_allocate_preview (FsPreviewWork *work, FsEngineError *error)
{
  FsParts parts = { NULL, 0 };
  fs_divide_preview (work, &parts);
  work->bytes = parts.used;
  FS_TRY (cudaMalloc (&work->block, work->bytes));
  parts = { (char *)work->block, 0 };
  fs_divide_preview (work, &parts);
  FS_TRY (cudaMallocHost (&work->counts, sizeof *work->counts));
  FS_TRY (cudaMallocHost (&work->mask, (size_t)work->level[0].shape.n_tiles * FS_SIDE * 4));
  return FS_ENGINE_DONE;
}

/* What it needs whatever the masks are. Other levels than last time begin afresh. */
static int
fs_preview_prepare (FsEngine *engine, int n_levels, FsEngineError *error)
{
  if (engine->preview != NULL && engine->preview->n_levels == n_levels)
    return FS_ENGINE_DONE;
  fs_preview_drop (engine);
  FsPreviewWork *work = engine->preview = (FsPreviewWork *)calloc (1, sizeof *work);
  if (work == NULL) {
    snprintf (error->text, sizeof error->text, "not enough memory");
    return FS_ENGINE_NO_MEMORY;
  }
  const FsGridState *grid = &engine->grid;
  work->n_levels = n_levels;
  fs_grid_shape (&work->level[0].shape, grid->width, grid->height, grid->n_arcs);
  work->level[0].problem = engine->problem;
  int status = fs_allocate_preview (work, error);
  if (status != FS_ENGINE_DONE)
    fs_preview_drop (engine);
  return status;
}

static void
fs_divide_band (FsGridState *state, int n_tiles, FsParts *parts)
{
  size_t tiles = (size_t)n_tiles;
  fs_divide_state (state, tiles, parts);
  fs_part (parts, &state->object, tiles * FS_SIDE);
  fs_part (parts, &state->beside, tiles * 9);
}

/* Gives a level's band a state of so many tiles. Memory grows, and stays: somewhat more than now,
 * so that a band that grows a little from stroke to stroke seldom asks again. */
static int
fs_preview_reserve (FsPreviewWork *work, const FsGridState *shape, int n_tiles,
                    FsEngineError *error)
{
  if (n_tiles > work->room) {
    work->room = 0;
    work->band_bytes = 0;
    FS_TRY (cudaFree (work->band_block));
    work->band_block = NULL;
    int room = n_tiles + n_tiles / 8;
    FsParts parts = { NULL, 0 };
    work->state.n_arcs = shape->n_arcs;
    work->state.n_slots = shape->n_slots;
    fs_divide_band (&work->state, room, &parts);
    FS_TRY (cudaMalloc (&work->band_block, parts.used));
    work->band_bytes = parts.used;
    work->room = room;
  }
  FsParts parts = { (char *)work->band_block, 0 };
  fs_grid_shape (&work->state, shape->width, shape->height, shape->n_arcs);
  work->state.n_tiles = n_tiles;
  fs_divide_band (&work->state, work->room, &parts);
  return FS_ENGINE_DONE;
}

/* --- The pyramid --- */

static unsigned int
fs_blocks_of_level (const FsPreviewLevel *level)
{
  size_t pixels = (size_t)level->shape.width * level->shape.height;
  return (unsigned int)((pixels + FS_BLOCK - 1) / FS_BLOCK);
}

/* They follow from the photo, and stay. */
static int
fs_preview_nlinks (FsEngine *engine, FsEngineError *error)
{
  FsPreviewWork *work = engine->preview;
  if (work->has_nlinks)
    return FS_ENGINE_DONE;
  FS_TRY (
      cudaMemsetAsync (work->largest, 0, FS_ENGINE_LEVELS * sizeof *work->largest, engine->stream));
  for (int k = 0; k < work->n_levels; k++) {
    FsPreviewLevel *fine = &work->level[k], *coarse = fine + 1;
    FS_LAUNCH (fs_largest_pair_kernel, fs_blocks_of_level (coarse), FS_BLOCK, engine->stream)
    (*fine, *coarse, work->largest + k);
    FS_LAUNCH (fs_level_nlinks_kernel, fs_blocks_of_level (coarse), FS_BLOCK, engine->stream)
    (*fine, *coarse, work->largest + k);
    FS_TRY (cudaGetLastError ());
  }
  work->has_nlinks = true;
  return FS_ENGINE_DONE;
}

static int
fs_preview_tlinks (FsEngine *engine, int32_t soft_tlink, FsEngineError *error)
{
  FsPreviewWork *work = engine->preview;
  for (int k = 0; k < work->n_levels && engine->problem.star != NULL; k++) {
    FS_LAUNCH (fs_level_star_kernel, fs_blocks_of_level (&work->level[k + 1]), FS_BLOCK,
               engine->stream)
    (work->level[k], work->level[k + 1]);
    FS_TRY (cudaGetLastError ());
  }
  for (int k = 0; k < work->n_levels; k++) {
    FS_LAUNCH (fs_level_tlinks_kernel, fs_blocks_of_level (&work->level[k + 1]), FS_BLOCK,
               engine->stream)
    (work->level[k], work->level[k + 1], work->largest + k, soft_tlink);
    FS_TRY (cudaGetLastError ());
  }
  return FS_ENGINE_DONE;
}

/* --- A level --- */

struct FsPreviewCall {
  FsEngine *engine;
  const FsEnginePreview *options;
  int (*is_cancelled) (void *);
  void *data;
  FsEnginePreviewResult *result;
};

/* Makes the band of level k, all of the coarsest, and waits for its counts. */
static int
fs_preview_project (const FsPreviewCall *call, int k, FsEngineError *error)
{
  FsEngine *engine = call->engine;
  FsPreviewWork *work = engine->preview;
  FsPreviewLevel *level = &work->level[k], *coarse = level + (k < work->n_levels);
  int is_whole = k == work->n_levels, dilation = call->options->band_px;
  FS_TRY (cudaMemsetAsync (work->parts.counts, 0, sizeof *work->parts.counts, engine->stream));
  if (is_whole) {
    FS_TRY (cudaMemsetAsync (level->shape.object, 0, (size_t)level->shape.n_tiles * FS_SIDE * 4,
                             engine->stream));
  } else {
    size_t words = (size_t)coarse->shape.height * level->shape.tiles_x;
    FS_LAUNCH (fs_band_marks_kernel, coarse->shape.n_tiles, FS_BLOCK, engine->stream)
    (*coarse, work->parts.marks);
    FS_LAUNCH (fs_band_wide_kernel, (words + FS_BLOCK_WARPS - 1) / FS_BLOCK_WARPS, FS_BLOCK,
               engine->stream)
    (level->shape, coarse->shape, work->parts.marks, work->parts.wide, dilation);
    FS_LAUNCH (fs_band_expand_kernel, level->shape.n_tiles, FS_BLOCK, engine->stream)
    (*level, *coarse, 0);
  }
  FS_LAUNCH (fs_band_kernel, level->shape.n_tiles, FS_BLOCK, engine->stream)
  (level->shape, *coarse, work->parts, dilation, is_whole);
  FS_TRY (cudaGetLastError ());
  FS_TRY (cudaMemcpyAsync (work->counts, work->parts.counts, sizeof *work->counts,
                           cudaMemcpyDefault, engine->stream));
  FS_TRY (cudaStreamSynchronize (engine->stream));
  return FS_ENGINE_DONE;
}

/* Queues the cut of the band whose counts are there. */
static int
fs_preview_launch (FsEngine *engine, FsPreviewLevel *level, FsEngineError *error)
{
  FsPreviewWork *work = engine->preview;
  FsGridState *state = &work->state;
  FsSolveArgs args = engine->solve;
  args.grid = *state;
  args.tuning.phases = state->n_arcs == 4 ? FS_SMALL_PHASES : FS_USUAL_PHASES;
  args.tuning.rise = fs_usual_rise (&level->shape);
  args.tuning.tail = 0;
  FS_TRY (cudaMemsetAsync (state->mail, 0, (size_t)state->n_tiles * state->n_slots * FS_SIDE * 4,
                           engine->stream));
  FS_LAUNCH (fs_band_start_kernel, state->n_tiles, FS_BLOCK, engine->stream)
  (*state, *level, work->parts);
  FS_TRY (cudaGetLastError ());
  int status = fs_launch_solve (engine, &args, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_LAUNCH (fs_band_take_kernel, state->n_tiles, FS_WARP, engine->stream)
  (*state, *level, work->parts);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

/* Finds the mask of level k, from that of level k + 1 if there is one. */
static int
fs_preview_cut (const FsPreviewCall *call, int k, FsEngineError *error)
{
  FsEngine *engine = call->engine;
  FsPreviewWork *work = engine->preview;
  int status = fs_preview_project (call, k, error);
  if (status != FS_ENGINE_DONE)
    return status;
  call->result->n_solved[k] = (int64_t)work->counts->n_pixels;
  if (work->counts->n_tiles == 0)
    return FS_ENGINE_DONE;
  status = fs_preview_reserve (work, &work->level[k].shape, (int)work->counts->n_tiles, error);
  if (status == FS_ENGINE_DONE)
    status = fs_preview_launch (engine, &work->level[k], error);
  if (status != FS_ENGINE_DONE)
    return status;
  status = fs_wait_for_solve (engine, call->is_cancelled, call->data, error);
  if (status != FS_ENGINE_DONE)
    return status;
  call->result->discharges += (int64_t)engine->mirror->rounds.discharges;
  call->result->labellings += (int64_t)engine->mirror->rounds.labellings;
  return fs_solve_outcome (engine, error);
}

static int
fs_preview_fill (FsEngine *engine, int k, FsEngineError *error)
{
  FsPreviewLevel *level = &engine->preview->level[k];
  FS_LAUNCH (fs_band_expand_kernel, level->shape.n_tiles, FS_BLOCK, engine->stream)
  (*level, level[1], k == 0);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

static int
fs_preview_descend (const FsPreviewCall *call, FsEngineError *error)
{
  int n_levels = call->options->n_levels, status = FS_ENGINE_DONE;
  for (int k = n_levels; k >= 0 && status == FS_ENGINE_DONE; k--)
    status = k < fs_min_i32 (call->options->n_unrefined, n_levels - 1)
                 ? fs_preview_fill (call->engine, k, error)
                 : fs_preview_cut (call, k, error);
  return status;
}

/* --- The whole --- */

/* Mask and energy, once all levels are done. */
static int
fs_preview_fetch (const FsPreviewCall *call, FsEngineError *error)
{
  FsEngine *engine = call->engine;
  FsPreviewWork *work = engine->preview;
  FsPreviewLevel *finest = &work->level[0];
  FS_TRY (cudaMemsetAsync (work->parts.counts, 0, sizeof *work->parts.counts, engine->stream));
  FS_LAUNCH (fs_preview_cost_kernel, finest->shape.n_tiles, FS_BLOCK, engine->stream)
  (*finest, work->parts.counts);
  FS_TRY (cudaGetLastError ());
  FS_TRY (cudaMemcpyAsync (work->counts, work->parts.counts, sizeof *work->counts,
                           cudaMemcpyDefault, engine->stream));
  FS_TRY (cudaMemcpyAsync (work->mask, finest->shape.object,
                           (size_t)finest->shape.n_tiles * FS_SIDE * 4, cudaMemcpyDefault,
                           engine->stream));
  FS_TRY (cudaEventRecord (engine->after, engine->stream));
  FS_TRY (cudaStreamSynchronize (engine->stream));
  float ms = 0;
  FS_TRY (cudaEventElapsedTime (&ms, engine->before, engine->after));
  call->result->device_ms = ms;
  call->result->energy = (int64_t)work->counts->energy;
  call->result->pyramid_bytes = (int64_t)work->bytes;
  call->result->band_bytes = (int64_t)work->band_bytes;
  call->result->mask = work->mask;
  return FS_ENGINE_DONE;
}

static int
fs_cuda_preview (FsEngine *engine, const FsEnginePreview *options, int (*is_cancelled) (void *),
                 void *data, FsEnginePreviewResult *result, FsEngineError *error)
{
  FsPreviewCall call = { engine, options, is_cancelled, data, result };
  *result = {};
  engine->mirror->cancel = 0;
  int status = fs_preview_prepare (engine, options->n_levels, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaEventRecord (engine->before, engine->stream));
  status = fs_preview_nlinks (engine, error);
  if (status == FS_ENGINE_DONE)
    status = fs_preview_tlinks (engine, options->soft_tlink, error);
  if (status == FS_ENGINE_DONE)
    status = fs_preview_descend (&call, error);
  return status == FS_ENGINE_DONE ? fs_preview_fetch (&call, error) : status;
}

#endif
