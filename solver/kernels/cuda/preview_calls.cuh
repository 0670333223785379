/* SPDX-License-Identifier: MIT */
/* Previews by levels and bands, for engine_cuda.cu.   Layer: solver/kernels.
 *
 * A whole preview is queued at once, with memory for as many tiles as the bands of the last one
 * had. Only if that is too little, and the first time, does the host get the number of tiles level
 * by level. Of the finest mask, the rows that differ from the last preview's come back, which the
 * host copies meanwhile unless it still has it: first those outside the band, before that is cut,
 * and then those in it. */
#ifndef FS_KERNELS_PREVIEW_CALLS_CUH
#define FS_KERNELS_PREVIEW_CALLS_CUH

#include "solver/kernels/cuda/build_calls.cuh"
#include "solver/kernels/cuda/solve_calls.cuh"
#include "solver/kernels/preview/preview.cuh"

struct FsPreviewWork {
  int n_levels; /* coarse ones */
  FsPreviewLevel level[FS_ENGINE_LEVELS + 1];
  void *block; /* all of them, and FsBandTileList */
  size_t bytes;
  bool has_nlinks;
  bool has_flow;     /* of the coarse levels: a preview has been made since */
  uint32_t *largest; /* [n_levels]: pairs, there */
  FsBandTileList band_tiles;
  int32_t *slots[2]; /* band_tiles.slots, and those of the last preview's finest band */
  FsPreviewCounts *counts, *reported; /* there and here */
  FsGridState state;                  /* of a band's tiles */
  int capacity;                       /* … so many at most */
  int expected[FS_ENGINE_LEVELS + 1]; /* … of each level, from the last preview */
  void *band_block;
  size_t band_bytes;
  uint16_t *previous;      /* FsBandPrevious.residual, there too, … */
  bool has_previous;       /* … with what is in slots[1] */
  FsPreviewShown shown;    /* here, but for what was told; two lists, of n_places each */
  size_t n_places;         /* … beside the finest band, and in it */
  bool has_shown;          /* a mask has been made since it is there */
  cudaEvent_t is_expanded; /* all of that is there but for the finest band's rows, … */
  cudaEvent_t is_shown;    /* … and these too */
};

/* The rise of a band's labels allowed between two labellings, with 4 neighbours and with 8: paths
 * along a band are long. The distance cap of coarse levels with 4, where the pre-flow has left
 * little that flows far. */
enum { FS_PREVIEW_RISE_4 = 20, FS_PREVIEW_RISE_8 = 12, FS_PREVIEW_DISTANCE_CAP = 2 };

/* --- Memory --- */

static void
fs_preview_drop (FsEngine *engine)
{
  FsPreviewWork *work = engine->preview;
  if (work == NULL)
    return;
  cudaStreamSynchronize (engine->stream); /* a call that failed may have left work on it */
  cudaFree (work->block);
  cudaFree (work->band_block);
  cudaFreeHost (work->reported);
  cudaFreeHost (work->shown.mask);
  cudaFreeHost (work->shown.list);
  fs_drop_event (work->is_expanded);
  fs_drop_event (work->is_shown);
  free (work);
  engine->preview = NULL;
}

/* It has what the finest level's problem has. */
static void
fs_divide_level (const FsProblem *finest, FsPreviewLevel *level, FsArena *arena)
{
  fs_pyramid_shape (&level[-1].shape, &level->shape);
  FsProblem *problem = &level->problem;
  size_t pixels = (size_t)level->shape.width * level->shape.height;
  for (int d = 0; d < level->shape.n_arcs / 2; d++) {
    fs_arena_take (arena, &problem->nlink[d], pixels);
    fs_arena_take (arena, &level->saved[d], pixels);
    if (finest->back[d] != finest->nlink[d])
      fs_arena_take (arena, &problem->back[d], pixels);
    else
      problem->back[d] = problem->nlink[d];
  }
  fs_arena_take (arena, &problem->tlink, pixels);
  if (finest->star != NULL)
    fs_arena_take (arena, &problem->star, pixels);
  fs_arena_take (arena, &level->blocks, pixels);
  fs_arena_take (arena, &level->bits, (size_t)level->shape.n_tiles * 4 * FS_SIDE);
}

static void
fs_divide_preview (FsPreviewWork *work, FsArena *arena)
{
  const FsGridState *finest = &work->level[0].shape;
  size_t tiles = (size_t)finest->n_tiles;
  for (int k = 0; k <= work->n_levels; k++) {
    if (k > 0)
      fs_divide_level (&work->level[0].problem, &work->level[k], arena);
    fs_arena_take (arena, &work->level[k].shape.object,
                   (size_t)work->level[k].shape.n_tiles * FS_SIDE);
  }
  fs_arena_take (arena, &work->band_tiles.band, tiles * FS_SIDE);
  fs_arena_take (arena, &work->shown.reported, tiles * FS_SIDE);
  fs_arena_take (arena, &work->slots[0], tiles);
  fs_arena_take (arena, &work->slots[1], tiles);
  fs_arena_take (arena, &work->band_tiles.tiles, tiles);
  fs_arena_take (arena, &work->counts, 1);
  fs_arena_take (arena, &work->largest, FS_ENGINE_LEVELS);
}

static int
fs_allocate_preview (FsPreviewWork *work, cudaStream_t stream, FsEngineError *error)
{
  FsArena arena = { NULL, 0 };
  fs_divide_preview (work, &arena);
  work->bytes = arena.used;
  FS_TRY (cudaMalloc (&work->block, work->bytes));
  arena = { (char *)work->block, 0 };
  fs_divide_preview (work, &arena);
  size_t tiles = (size_t)work->level[0].shape.n_tiles;
  FS_TRY (cudaEventCreate (&work->is_expanded));
  FS_TRY (cudaEventCreate (&work->is_shown));
  FS_TRY (cudaHostAlloc (&work->reported, sizeof *work->reported, cudaHostAllocMapped));
  FS_TRY (cudaHostAlloc (&work->shown.mask, tiles * FS_SIDE * 4, cudaHostAllocMapped));
  work->n_places = tiles + 1;
  size_t list_bytes = 2 * work->n_places * sizeof *work->shown.list;
  FS_TRY (cudaHostAlloc (&work->shown.list, list_bytes, cudaHostAllocMapped));
  memset (work->shown.mask, 0, tiles * FS_SIDE * 4);
  memset (work->shown.list, 0, list_bytes);
  FS_TRY (cudaMemsetAsync (work->shown.reported, 0, tiles * FS_SIDE * 4, stream));
  return FS_ENGINE_DONE;
}

/* Allocates what does not depend on the masks. Another number of levels than last time starts
 * anew. */
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
  int status = fs_allocate_preview (work, engine->stream, error);
  if (status != FS_ENGINE_DONE)
    fs_preview_drop (engine);
  return status;
}

static void
fs_divide_band (FsGridState *state, int n_tiles, FsArena *arena)
{
  size_t tiles = (size_t)n_tiles;
  fs_divide_state (state, tiles, arena);
  fs_arena_take (arena, &state->object, tiles * FS_SIDE);
  fs_arena_take (arena, &state->neighbour, tiles * 9);
}

static void
fs_divide_bands (FsPreviewWork *work, int capacity, FsArena *arena)
{
  fs_divide_band (&work->state, capacity, arena);
  fs_arena_take (arena, &work->previous,
                 (size_t)capacity * (work->state.n_arcs / 2) * FS_TILE_PIXELS);
}

/* Gives a level's band a state of so many tiles. Memory grows, and stays: somewhat more than now,
 * so that a band that grows a little from stroke to stroke seldom asks again. */
static int
fs_preview_reserve (FsPreviewWork *work, const FsGridState *shape, int n_tiles,
                    FsEngineError *error)
{
  if (n_tiles > work->capacity) {
    work->capacity = 0;
    work->band_bytes = 0;
    work->has_previous = false;
    FS_TRY (cudaFree (work->band_block));
    work->band_block = NULL;
    int capacity = n_tiles + n_tiles / 8;
    FsArena arena = { NULL, 0 };
    work->state.n_arcs = shape->n_arcs;
    work->state.n_slots = shape->n_slots;
    fs_divide_bands (work, capacity, &arena);
    FS_TRY (cudaMalloc (&work->band_block, arena.used));
    work->band_bytes = arena.used;
    work->capacity = capacity;
  }
  FsArena arena = { (char *)work->band_block, 0 };
  fs_grid_shape (&work->state, shape->width, shape->height, shape->n_arcs);
  work->state.n_tiles = n_tiles;
  work->band_tiles.capacity = (uint32_t)n_tiles;
  fs_divide_bands (work, work->capacity, &arena);
  return FS_ENGINE_DONE;
}

/* --- The pyramid --- */

static unsigned int
fs_blocks_of_level (const FsPreviewLevel *level)
{
  int rows = (level->shape.height + FS_BLOCK_WARPS - 1) / FS_BLOCK_WARPS;
  return (unsigned int)rows * (unsigned int)level->shape.tiles_x;
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
  work->has_flow = work->has_previous = false;
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

/* Queues what makes the mask of level k from the next coarser one, and its band: all of the
 * coarsest. */
static int
fs_preview_project (const FsPreviewCall *call, int k, FsEngineError *error)
{
  FsEngine *engine = call->engine;
  FsPreviewWork *work = engine->preview;
  FsPreviewLevel *level = &work->level[k], *coarse = level + (k < work->n_levels);
  int is_whole = k == work->n_levels, dilation = call->options->band_px;
  FsPreviewShown shown = {};
  if (k == 0)
    shown = work->shown;
  work->band_tiles.counts = &work->counts->band[k];
  work->band_tiles.slots = work->slots[0];
  FS_LAUNCH (fs_band_kernel, (level->shape.n_tiles + FS_BLOCK_WARPS - 1) / FS_BLOCK_WARPS, FS_BLOCK,
             engine->stream)
  (*level, *coarse, work->band_tiles, dilation, is_whole, shown);
  FS_TRY (cudaGetLastError ());
  if (k == 0)
    FS_TRY (cudaEventRecord (work->is_expanded, engine->stream));
  return FS_ENGINE_DONE;
}

/* Waits for how many tiles the band of level k has, and makes room for them. */
static int
fs_preview_count (const FsPreviewCall *call, int k, FsEngineError *error)
{
  FsEngine *engine = call->engine;
  FsPreviewWork *work = engine->preview;
  FsBandCounts *counts = &work->reported->band[k];
  FS_TRY (cudaMemcpyAsync (counts, &work->counts->band[k], sizeof *counts, cudaMemcpyDefault,
                           engine->stream));
  FS_TRY (cudaStreamSynchronize (engine->stream));
  work->expected[k] = (int)counts->n_tiles;
  return fs_preview_reserve (work, &work->level[k].shape, (int)counts->n_tiles, error);
}

/* Queues a solve of a band, by as many blocks as tiles are expected. */
static int
fs_preview_solve (FsEngine *engine, int k, FsEngineError *error)
{
  FsPreviewWork *work = engine->preview;
  FsSolveArgs solve = engine->solve;
  solve.grid = work->state;
  solve.rounds = &work->counts->rounds[k];
  solve.wanted = (const int *)&work->counts->band[k].n_tiles;
  solve.tuning.phases = FS_SHORT_PHASES;
  solve.tuning.rise = engine->grid.n_arcs == 4 ? FS_PREVIEW_RISE_4 : FS_PREVIEW_RISE_8;
  if (k > 0 && engine->grid.n_arcs == 4)
    solve.tuning.distance_cap = FS_PREVIEW_DISTANCE_CAP;
  solve.tuning.tail = 0;
  solve.tuning.exchange = false;
  solve.tuning.is_new = true;
  void *args[] = { &solve };
  dim3 blocks (fs_blocks_for (engine, fs_max_i32 (work->expected[k], 1)));
  FS_TRY (cudaLaunchCooperativeKernel (engine->kernel, blocks, dim3 (FS_BLOCK), args, 0,
                                       engine->stream));
  return FS_ENGINE_DONE;
}

/* The initial flow of the cut of level k: the latest that there is. With 8 neighbours the coarser
 * level's does not help. */
static FsBandFlow
fs_preview_flow (const FsEngine *engine, int k)
{
  const FsPreviewWork *work = engine->preview;
  bool has_own = k > 0 ? work->has_flow : engine->has_flow, has_coarser = k < work->n_levels;
  bool helps = has_coarser && engine->grid.n_arcs == 4;
  FsBandFlow flow = { has_own ? FS_FLOW_OWN
                      : helps ? FS_FLOW_COARSER
                              : FS_FLOW_NONE,
                      engine->grid,
                      work->level[k + has_coarser],
                      {} };
  if (k == 0 && work->has_previous)
    flow.previous = { work->slots[1], work->previous };
  return flow;
}

/* Returns whether the cut of level k begins with a pre-flow: where the last preview's flow was for
 * nearly the same t-links, little is left for it. */
static bool
fs_preview_uses_preflow (const FsEngine *engine, int k)
{
  const FsPreviewWork *work = engine->preview;
  bool has_own = k > 0 ? work->has_flow : work->has_previous;
  return engine->grid.n_arcs == 4 && (engine->has_new_model || !has_own);
}

/* Queues the cut of the band of level k, for which there may be too little room: then nothing is
 * cut. */
static int
fs_preview_launch (FsEngine *engine, int k, FsEngineError *error)
{
  FsPreviewWork *work = engine->preview;
  FsPreviewLevel *level = &work->level[k];
  FsGridState *state = &work->state;
  FsPreviewShown shown = {};
  if (k == 0) {
    shown = work->shown;
    shown.list += work->n_places;
  }
  int n_blocks = state->n_tiles * FS_START_TILE_BLOCKS;
  if (state->n_arcs == 4)
    FS_LAUNCH (fs_band_start_kernel<4>, n_blocks, FS_BLOCK, engine->stream)
  (*state, *level, fs_preview_flow (engine, k), work->band_tiles);
  else FS_LAUNCH (fs_band_start_kernel<8>, n_blocks, FS_BLOCK,
                  engine->stream) (*state, *level, fs_preview_flow (engine, k), work->band_tiles);
  FS_TRY (cudaGetLastError ());
  FsPreflowList list = { work->band_tiles.slots, &work->band_tiles.counts->n_tiles,
                         work->band_tiles.capacity, 0 };
  int status = fs_preview_uses_preflow (engine, k) ? fs_launch_preflow (engine, state, list, error)
                                                   : FS_ENGINE_DONE;
  if (status == FS_ENGINE_DONE)
    status = fs_preview_solve (engine, k, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_LAUNCH (fs_band_take_kernel, state->n_tiles, FS_TILE_PIXELS, engine->stream)
  (*state, *level, work->band_tiles, work->previous, shown);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

/* Queues what finds the mask of level k, from that of level k + 1 if there is one. `asks`: it is
 * not known how many tiles that concerns. */
static int
fs_preview_cut (const FsPreviewCall *call, int k, bool asks, FsEngineError *error)
{
  FsPreviewWork *work = call->engine->preview;
  FsGridState *shape = &work->level[k].shape;
  int status = fs_preview_project (call, k, error);
  if (status == FS_ENGINE_DONE)
    status =
        asks ? fs_preview_count (call, k, error)
             : fs_preview_reserve (work, shape, fs_min_i32 (work->capacity, shape->n_tiles), error);
  if (status != FS_ENGINE_DONE || (asks && work->expected[k] == 0))
    return status;
  return fs_preview_launch (call->engine, k, error);
}

static int
fs_preview_fill (FsEngine *engine, int k, FsEngineError *error)
{
  FsPreviewWork *work = engine->preview;
  FsPreviewLevel *level = &work->level[k];
  FsPreviewShown shown = {};
  if (k == 0)
    shown = work->shown;
  FS_LAUNCH (fs_band_expand_kernel, level->shape.n_tiles, FS_BLOCK, engine->stream)
  (*level, level[1], k == 0, shown);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

static bool
fs_preview_cuts (const FsPreviewCall *call, int k)
{
  int n_levels = call->options->n_levels;
  return k >= fs_min_i32 (call->options->n_unrefined, n_levels - 1);
}

/* --- The whole --- */

/* Queues the levels from `first` on, and what the host wants to know in the end. */
static int
fs_preview_queue (const FsPreviewCall *call, int first, bool asks, FsEngineError *error)
{
  FsEngine *engine = call->engine;
  FsPreviewWork *work = engine->preview;
  FsPreviewLevel *finest = &work->level[0];
  int status = FS_ENGINE_DONE;
  FS_TRY (cudaMemsetAsync (work->counts, 0, sizeof *work->counts, engine->stream));
  for (int k = first; k >= 0 && status == FS_ENGINE_DONE; k--)
    status = fs_preview_cuts (call, k) ? fs_preview_cut (call, k, asks, error)
                                       : fs_preview_fill (engine, k, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaEventRecord (work->is_shown, engine->stream));
  FS_LAUNCH (fs_preview_cost_kernel, fs_min_i32 (finest->shape.n_tiles, engine->n_looks), FS_BLOCK,
             engine->stream)
  (*finest, work->counts, work->reported, work->n_levels);
  FS_TRY (cudaGetLastError ());
  FS_TRY (cudaEventRecord (engine->after, engine->stream));
  return FS_ENGINE_DONE;
}

/* Returns whether the finest mask is there before its band is cut. */
static bool
fs_preview_is_early (const FsPreviewCall *call)
{
  return call->options->n_levels > 0 && fs_preview_cuts (call, 0);
}

/* Shows what is on a list, and empties it. */
static void
fs_preview_show_list (const FsPreviewCall *call, FsEngineRows *list)
{
  size_t n = 0;
  while (list[n].rows != 0)
    n++;
  call->options->show (call->options->data, call->engine->preview->shown.mask, list, n);
  memset (list, 0, n * sizeof *list);
}

/* Shows the finest mask as soon as it is there but for its band, and waits for the end. Most of it
 * is the last one's, which is shown while the device has just begun: what has changed of it in the
 * meantime is on a list. */
static int
fs_preview_wait (const FsPreviewCall *call, FsEngineError *error)
{
  FsEngine *engine = call->engine;
  FsPreviewWork *work = engine->preview;
  if (fs_preview_is_early (call)) {
    if (work->has_shown && !call->options->goes_on)
      call->options->show (call->options->data, work->shown.mask, NULL, 0);
    int status = fs_wait_for (engine, work->is_expanded, call->is_cancelled, call->data, error);
    if (status != FS_ENGINE_DONE)
      return status;
    if (!work->has_shown)
      call->options->show (call->options->data, work->shown.mask, NULL, 0);
    fs_preview_show_list (call, work->shown.list);
    work->has_shown = true;
  }
  int status = fs_wait_for (engine, work->is_shown, call->is_cancelled, call->data, error);
  if (status != FS_ENGINE_DONE)
    return status;
  fs_preview_show_list (call, work->shown.list + work->n_places);
  return fs_wait_for (engine, engine->after, call->is_cancelled, call->data, error);
}

/* Takes what was counted over for the result. Returns the coarsest level whose band had not enough
 * room, −1 where all had. */
static int
fs_preview_take_counts (const FsPreviewCall *call, int first)
{
  FsPreviewWork *work = call->engine->preview;
  for (int k = first; k >= 0; k--) {
    const FsBandCounts *counts = &work->reported->band[k];
    if (counts->n_tiles > (uint32_t)work->capacity)
      return k;
    work->expected[k] = (int)counts->n_tiles;
    call->result->n_solved[k] = (int64_t)counts->n_pixels;
    call->result->discharges += (int64_t)work->reported->rounds[k].discharges;
    call->result->labellings += (int64_t)work->reported->rounds[k].labellings;
  }
  return -1;
}

/* Saves the flow of the finest band, whether its cut was completed or not, for the next preview. */
static void
fs_preview_save_flow (const FsPreviewCall *call)
{
  FsPreviewWork *work = call->engine->preview;
  if (!fs_preview_cuts (call, 0))
    return;
  int32_t *slots = work->slots[0];
  work->slots[0] = work->slots[1];
  work->slots[1] = slots;
  work->has_previous = true;
}

/* The worst outcome of the cuts of all levels. */
static int
fs_preview_outcome (const FsPreviewWork *work, FsEngineError *error)
{
  int worst = FS_ENGINE_DONE;
  for (int k = 0; k <= work->n_levels; k++)
    worst = fs_max_i32 (worst, work->reported->rounds[k].outcome);
  if (worst == FS_ENGINE_FAILED)
    snprintf (error->text, sizeof error->text, "the cut does not end");
  return worst;
}

/* All levels, with as much room as there is, and those again for which it was too little. */
static int
fs_preview_descend (const FsPreviewCall *call, FsEngineError *error)
{
  FsPreviewWork *work = call->engine->preview;
  bool asks = work->capacity == 0;
  for (int first = call->options->n_levels; first >= 0; asks = true) {
    int status = fs_preview_queue (call, first, asks, error);
    if (status == FS_ENGINE_DONE)
      status = fs_preview_wait (call, error);
    if (status != FS_ENGINE_DONE)
      return status;
    first = fs_preview_take_counts (call, first);
    if (first < 0)
      fs_preview_save_flow (call);
    status = fs_preview_outcome (work, error);
    if (status != FS_ENGINE_DONE)
      return status;
  }
  work->has_flow = true;
  call->engine->has_new_model = false;
  if (!fs_preview_is_early (call))
    call->options->show (call->options->data, work->shown.mask, NULL, 0);
  return FS_ENGINE_DONE;
}

static int
fs_preview_result (const FsPreviewCall *call, FsEngineError *error)
{
  FsEngine *engine = call->engine;
  FsPreviewWork *work = engine->preview;
  float ms = 0;
  FS_TRY (cudaEventElapsedTime (&ms, engine->before, engine->after));
  call->result->device_ms = ms;
  call->result->energy = (int64_t)work->reported->energy;
  call->result->pyramid_bytes = (int64_t)work->bytes;
  call->result->band_bytes = (int64_t)work->band_bytes;
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
  return status == FS_ENGINE_DONE ? fs_preview_result (&call, error) : status;
}

#endif
