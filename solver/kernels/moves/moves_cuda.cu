/* SPDX-License-Identifier: MIT */
/* The CUDA engine of expansion moves: the table of moves_engine.h over the kernels. */
#define FS_SIDEWAYS_IN_REGISTERS 1

#include "solver/kernels/cuda/state_arena.cuh"

#include "solver/kernels/moves/dual_start_calls.cuh"
#include "solver/kernels/moves/moves_energy.cuh"

static const size_t STAGED_BYTES = 1 << 20;
static const size_t STAGED_LABELS = 1 << 19; /* on their way up at once */

/* Measured (docs/mrf.md): an end for an epoch's tail gains nothing with 4 neighbours. */
static const FsTuning TUNING_4 = { 3, 4, 24, 3, 100000, 4, 2, 0, 0, true };
static const FsTuning TUNING_8 = { 8, 3, 12, 3, 100000, 3, 2, 64, 500000 };

/* Host memory that the device writes and reads. */
struct FsMovesMirror {
  FsMovesWords words;
  FsRounds rounds;
  volatile int cancel;
};

struct FsMoves {
  FsMovesState state;
  FsSolveArgs solve;              /* of the mirror image      */
  FsSolveArgs search;             /* of the cut, reversed */
  bool shares_flow, has_duals;    /* those of a start */
  int changed_from, changed_to;   /* rows of tiles with labels that the host has not got */
  bool was_made[FS_MOVES_LABELS]; /* the label's first move */
  cudaStream_t stream;
  cudaEvent_t done;
  int n_blocks;      /* of the solve, all at once */
  void *block;       /* all planes                */
  void *start_block; /* of a dual start, while it runs */
  size_t block_bytes;
  void *staged_here, *staged_there; /* changes on their way up */
  uint8_t *labels_here;             /* as they were set or got last */
  uint32_t *mask;
  FsMovesMirror *mirror;
};

static size_t
fs_moves_n_pixels (const FsMoves *moves)
{
  return (size_t)moves->state.grid.width * moves->state.grid.height;
}

static unsigned
fs_moves_blocks (size_t n)
{
  return (unsigned)((n + FS_BLOCK - 1) / FS_BLOCK);
}

/* --- Which labels the host has --- */

static void
fs_moves_forget_changed (FsMoves *moves)
{
  moves->changed_from = moves->state.grid.tiles_y;
  moves->changed_to = 0;
}

static void
fs_moves_note_changed (FsMoves *moves)
{
  const FsMovesWords *words = &moves->mirror->words;
  int from = moves->state.grid.tiles_y - words->changed_from;
  moves->changed_from = from < moves->changed_from ? from : moves->changed_from;
  moves->changed_to = words->changed_to > moves->changed_to ? words->changed_to : moves->changed_to;
}

/* --- Making one --- */

static void
fs_moves_destroy (FsMoves *moves)
{
  fs_drop_stream (moves->stream, NULL, moves->done);
  cudaFree (moves->block);
  if (moves->start_block != NULL)
    cudaFree (moves->start_block);
  cudaFree (moves->staged_there);
  cudaFreeHost (moves->staged_here);
  cudaFreeHost (moves->labels_here);
  cudaFreeHost (moves->mask);
  cudaFreeHost (moves->mirror);
  free (moves);
}

static void
fs_moves_divide_solve (FsMoves *moves, FsArena *arena)
{
  FsGridState *grid = &moves->state.grid;
  size_t tiles = (size_t)grid->n_tiles;
  fs_divide_state (grid, tiles, arena);
  fs_arena_take (arena, &moves->solve.rounds, 1);
  fs_arena_take (arena, &moves->solve.fifo, (size_t)moves->solve.wrap_mask + 1);
  fs_arena_take (arena, &moves->solve.visits, tiles);
}

static void
fs_moves_divide (FsMoves *moves, const FsMovesProblem *from, FsArena *arena)
{
  FsMovesState *state = &moves->state;
  size_t n = fs_moves_n_pixels (moves), n_labels = (size_t)state->n_labels;
  fs_moves_divide_solve (moves, arena);
  fs_arena_take (arena, &state->data, n * n_labels);
  fs_arena_take (arena, &state->table, n_labels * n_labels);
  for (int d = 0; d < state->n_directions && from->weight[0] != NULL; d++)
    fs_arena_take (arena, &state->weight[d], n);
  if (from->present != NULL)
    fs_arena_take (arena, &state->present, n);
  fs_arena_take (arena, &state->labels, n);
  if (from->reuses_flow || from->shares_flow)
    fs_arena_take (arena, &state->duals, n * n_labels * (size_t)state->n_directions);
  fs_arena_take (arena, &state->reversed,
                 (size_t)(state->grid.n_tiles * state->grid.n_arcs) * FS_SIDE);
  fs_arena_take (arena, &state->tile_stamp, (size_t)state->grid.n_tiles);
  fs_arena_take (arena, &state->region, (size_t)state->grid.n_tiles);
  fs_arena_take (arena, &state->energy, (size_t)state->grid.n_tiles * 2);
  fs_arena_take (arena, &state->words, 1);
}

static int
fs_moves_allocate (FsMoves *moves, const FsMovesProblem *from, FsEngineError *error)
{
  size_t rows = (size_t)moves->state.grid.n_tiles * FS_SIDE;
  FsArena arena = { NULL, 0 };
  fs_moves_divide (moves, from, &arena);
  moves->block_bytes = arena.used;
  FS_TRY (cudaStreamCreateWithFlags (&moves->stream, cudaStreamNonBlocking));
  FS_TRY (cudaEventCreate (&moves->done));
  FS_TRY (cudaMalloc (&moves->block, moves->block_bytes));
  arena = { (char *)moves->block, 0 };
  fs_moves_divide (moves, from, &arena);
  FS_TRY (cudaMalloc (&moves->staged_there, STAGED_BYTES));
  FS_TRY (cudaMallocHost (&moves->staged_here, STAGED_BYTES));
  FS_TRY (cudaMallocHost (&moves->labels_here, fs_moves_n_pixels (moves)));
  memset (moves->labels_here, 0, fs_moves_n_pixels (moves));
  FS_TRY (cudaHostAlloc (&moves->mask, rows * sizeof *moves->mask, cudaHostAllocMapped));
  FS_TRY (cudaHostAlloc (&moves->mirror, sizeof *moves->mirror, cudaHostAllocMapped));
  memset (moves->mirror, 0, sizeof *moves->mirror);
  moves->state.rounds = moves->solve.rounds;
  moves->state.cancel = &moves->mirror->cancel;
  return FS_ENGINE_DONE;
}

static int
fs_moves_upload_plane (FsMoves *moves, const void *there, const void *here, size_t bytes,
                       FsEngineError *error)
{
  if (here != NULL)
    FS_TRY (cudaMemcpyAsync ((void *)there, here, bytes, cudaMemcpyDefault, moves->stream));
  return FS_ENGINE_DONE;
}

static int
fs_moves_upload (FsMoves *moves, const FsMovesProblem *from, FsEngineError *error)
{
  const FsMovesState *state = &moves->state;
  size_t n = fs_moves_n_pixels (moves), n_labels = (size_t)state->n_labels;
  int status = fs_moves_upload_plane (moves, state->data, from->data, n * n_labels * 4, error);
  if (status == FS_ENGINE_DONE)
    status =
        fs_moves_upload_plane (moves, state->table, from->table, n_labels * n_labels * 4, error);
  for (int d = 0; d < state->n_directions && status == FS_ENGINE_DONE; d++)
    status = fs_moves_upload_plane (moves, state->weight[d], from->weight[d], n * 2, error);
  if (status == FS_ENGINE_DONE)
    status = fs_moves_upload_plane (moves, state->present, from->present, n, error);
  return status;
}

/* Zeros where something is read before it is written. */
static int
fs_moves_clear (FsMoves *moves, FsEngineError *error)
{
  const FsMovesState *state = &moves->state;
  const FsGridState *grid = &state->grid;
  FsMovesWords *words = &moves->mirror->words;
  size_t border_flow = (size_t)grid->n_tiles * grid->n_slots * FS_SIDE * sizeof (uint32_t);
  size_t fifo_bytes = ((size_t)moves->solve.wrap_mask + 1) * sizeof (uint32_t);
  size_t n_duals = fs_moves_n_pixels (moves) * (size_t)(state->n_labels * state->n_directions);
  for (int label = 0; label < FS_MOVES_LABELS; label++)
    words->seen[label] = words->stamp_of[label] = -1;
  words->energy_stamp = -1;
  FS_TRY (cudaMemcpyAsync (state->words, words, sizeof *words, cudaMemcpyDefault, moves->stream));
  FS_TRY (cudaMemsetAsync (grid->border_flow, 0, border_flow, moves->stream));
  FS_TRY (cudaMemsetAsync (moves->solve.fifo, 0, fifo_bytes, moves->stream));
  FS_TRY (cudaMemsetAsync (state->tile_stamp, 0, (size_t)grid->n_tiles * sizeof (int32_t),
                           moves->stream));
  FS_TRY (cudaMemsetAsync (state->labels, 0, fs_moves_n_pixels (moves), moves->stream));
  if (state->duals != NULL)
    FS_TRY (cudaMemsetAsync (state->duals, 0, n_duals * sizeof *state->duals, moves->stream));
  FS_TRY (cudaStreamSynchronize (moves->stream));
  return FS_ENGINE_DONE;
}

/* With 8 neighbours compiled for the only block on its multiprocessor: all of a tile stays in
 * registers. */
static const void *
fs_moves_kernel (const FsMoves *moves)
{
  return moves->state.grid.n_arcs == 4 ? (const void *)fs_solve_kernel<4, 2>
                                       : (const void *)fs_solve_kernel<8, 1>;
}

/* No more blocks of the solve than there are tiles, and one a multiprocessor: the barriers of more
 * take longer than their work. */
static int
fs_moves_count_blocks (FsMoves *moves, FsEngineError *error)
{
  int device, n_processors, n = 0, n_tiles = moves->state.grid.n_tiles;
  FS_TRY (cudaGetDevice (&device));
  FS_TRY (cudaDeviceGetAttribute (&n_processors, cudaDevAttrMultiProcessorCount, device));
  FS_TRY (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&n, fs_moves_kernel (moves), FS_BLOCK, 0));
  if (n < 1) {
    snprintf (error->text, sizeof error->text, "the device is too small for a block of the solve");
    return FS_ENGINE_FAILED;
  }
  moves->n_blocks = n_processors < n_tiles ? n_processors : n_tiles;
  uint32_t places = (uint32_t)(n_tiles + moves->n_blocks * FS_BLOCK_WARPS);
  moves->solve.wrap_mask = 1;
  while (moves->solve.wrap_mask < places)
    moves->solve.wrap_mask = moves->solve.wrap_mask * 2 + 1;
  return FS_ENGINE_DONE;
}

/* Both are made where somebody still pulls. Who can reach a deficit is looked for everywhere. */
static void
fs_moves_prepare_solves (FsMoves *moves)
{
  FsSolveArgs *solve = &moves->solve, *search = &moves->search;
  solve->grid = moves->state.grid;
  solve->cancel = moves->state.cancel;
  solve->wanted = &moves->state.words->is_pulled;
  solve->tuning = moves->state.grid.n_arcs == 4 ? TUNING_4 : TUNING_8;
  *search = *solve;
  search->grid.open = moves->state.reversed;
  search->wanted = &moves->state.words->is_left;
  search->tuning.distance_cap = 0;
}

static int
fs_moves_prepare (FsMoves *moves, const FsMovesProblem *from, FsEngineError *error)
{
  int status = fs_moves_count_blocks (moves, error);
  if (status == FS_ENGINE_DONE)
    status = fs_moves_allocate (moves, from, error);
  if (status == FS_ENGINE_DONE)
    status = fs_moves_upload (moves, from, error);
  if (status == FS_ENGINE_DONE)
    status = fs_moves_clear (moves, error);
  if (status == FS_ENGINE_DONE)
    fs_moves_prepare_solves (moves);
  return status;
}

static int
fs_moves_create (const FsMovesProblem *problem, FsMoves **created, FsEngineError *error)
{
  FsMoves *moves = (FsMoves *)fs_new_engine (sizeof *moves, error);
  if (moves == NULL)
    return FS_ENGINE_NO_MEMORY;
  fs_grid_shape (&moves->state.grid, problem->width, problem->height, problem->neighbours);
  moves->state.n_labels = problem->n_labels;
  moves->state.n_directions = problem->neighbours / 2;
  moves->shares_flow = problem->shares_flow;
  fs_moves_forget_changed (moves);
  int status = fs_moves_prepare (moves, problem, error);
  if (status != FS_ENGINE_DONE) {
    fs_moves_destroy (moves);
    return status;
  }
  *created = moves;
  return FS_ENGINE_DONE;
}

/* --- Labels and data costs --- */

/* Labels or data costs are others: no move has seen them. */
static int
fs_moves_renew (FsMoves *moves, FsEngineError *error)
{
  moves->mirror->words.version++;
  moves->mirror->words.stamp++;
  FS_LAUNCH (fs_moves_renew_kernel, 1, FS_WARP, moves->stream) (moves->state.words);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

/* … and everywhere. */
static int
fs_moves_renew_all (FsMoves *moves, FsEngineError *error)
{
  FS_LAUNCH (fs_moves_stamp_kernel, fs_moves_blocks ((size_t)moves->state.grid.n_tiles), FS_BLOCK,
             moves->stream)
  (moves->state);
  FS_TRY (cudaGetLastError ());
  return fs_moves_renew (moves, error);
}

static int
fs_moves_stage (FsMoves *moves, const void *changes, size_t bytes, FsEngineError *error)
{
  FS_TRY (cudaStreamSynchronize (moves->stream));
  memcpy (moves->staged_here, changes, bytes);
  FS_TRY (cudaMemcpyAsync (moves->staged_there, moves->staged_here, bytes, cudaMemcpyDefault,
                           moves->stream));
  return FS_ENGINE_DONE;
}

static int
fs_moves_change_data (FsMoves *moves, const FsMovesDatum *changes, size_t n, FsEngineError *error)
{
  const size_t max = STAGED_BYTES / sizeof *changes;
  for (size_t i = 0; i < n; i += max) {
    size_t chunk = n - i < max ? n - i : max;
    int status = fs_moves_stage (moves, changes + i, chunk * sizeof *changes, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_moves_data_kernel, fs_moves_blocks (chunk), FS_BLOCK, moves->stream)
    (moves->state, (const FsMovesDatum *)moves->staged_there, chunk);
    FS_TRY (cudaGetLastError ());
  }
  return fs_moves_renew (moves, error);
}

static int
fs_moves_change_labels (FsMoves *moves, const uint32_t *pixels, size_t n, int label,
                        FsEngineError *error)
{
  const size_t max = STAGED_BYTES / sizeof *pixels;
  for (size_t i = 0; i < n; i += max) {
    size_t chunk = n - i < max ? n - i : max;
    int status = fs_moves_stage (moves, pixels + i, chunk * sizeof *pixels, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_moves_label_kernel, fs_moves_blocks (chunk), FS_BLOCK, moves->stream)
    (moves->state, (const uint32_t *)moves->staged_there, chunk, label);
    FS_TRY (cudaGetLastError ());
  }
  return fs_moves_renew (moves, error);
}

static int
fs_moves_set_labels (FsMoves *moves, const uint8_t *labels, FsEngineError *error)
{
  size_t n = fs_moves_n_pixels (moves);
  FS_TRY (cudaStreamSynchronize (moves->stream));
  for (size_t first = 0; first < n; first += STAGED_LABELS) {
    size_t chunk = n - first < STAGED_LABELS ? n - first : STAGED_LABELS;
    memcpy (moves->labels_here + first, labels + first, chunk);
    FS_TRY (cudaMemcpyAsync (moves->state.labels + first, moves->labels_here + first, chunk,
                             cudaMemcpyDefault, moves->stream));
  }
  fs_moves_forget_changed (moves);
  return fs_moves_renew_all (moves, error);
}

static uint8_t *
fs_moves_labels (FsMoves *moves)
{
  return moves->labels_here;
}

static int
fs_moves_get_labels (FsMoves *moves, uint8_t *labels, size_t *first, size_t *n,
                     FsEngineError *error)
{
  size_t row = (size_t)moves->state.grid.width * FS_SIDE, end = fs_moves_n_pixels (moves);
  *first = *n = 0;
  if (moves->changed_to == 0)
    return FS_ENGINE_DONE;
  *first = row * (size_t)moves->changed_from;
  if (row * (size_t)moves->changed_to < end)
    end = row * (size_t)moves->changed_to;
  *n = end - *first;
  FS_TRY (cudaMemcpyAsync (moves->labels_here + *first, moves->state.labels + *first, *n,
                           cudaMemcpyDefault, moves->stream));
  FS_TRY (cudaStreamSynchronize (moves->stream));
  memcpy (labels + *first, moves->labels_here + *first, *n);
  fs_moves_forget_changed (moves);
  return FS_ENGINE_DONE;
}

/* --- A start --- */

static FsDualStart
fs_moves_dual_start (const FsMoves *moves)
{
  const FsMovesState *state = &moves->state;
  FsDualStart start = {};
  start.width = state->grid.width;
  start.height = state->grid.height;
  start.n_labels = state->n_labels;
  start.data = state->data;
  for (int d = 0; d < 2; d++)
    start.weight[d] = state->weight[d];
  start.present = state->present;
  start.labels = state->labels;
  start.duals = state->duals;
  start.bound = &state->words->bound;
  return start;
}

/* All labels and duals are others then: moves look everywhere, whichever have been made. */
static int
fs_moves_queue_start (FsMoves *moves, const FsMovesDualStart *from, FsEngineError *error)
{
  FsMovesWords *words = moves->state.words;
  int status = fs_dual_start_queue (fs_moves_dual_start (moves), *from, &moves->start_block,
                                    moves->stream, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaMemsetAsync (words->stamp_of, 0xff, sizeof words->stamp_of, moves->stream));
  moves->has_duals = moves->state.duals != NULL;
  return fs_moves_renew_all (moves, error);
}

static int
fs_moves_start (FsMoves *moves, const FsMovesDualStart *start, uint8_t *labels, int64_t *bound,
                FsEngineError *error)
{
  FsMovesWords *words = &moves->mirror->words;
  size_t n = fs_moves_n_pixels (moves);
  int status = fs_moves_queue_start (moves, start, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaMemcpyAsync (moves->labels_here, moves->state.labels, n, cudaMemcpyDefault,
                           moves->stream));
  FS_TRY (cudaMemcpyAsync (&words->bound, &moves->state.words->bound, sizeof words->bound,
                           cudaMemcpyDefault, moves->stream));
  FS_TRY (cudaStreamSynchronize (moves->stream));
  memcpy (labels, moves->labels_here, n);
  *bound = (int64_t)words->bound;
  fs_moves_forget_changed (moves);
  return FS_ENGINE_DONE;
}

/* --- Moves --- */

static int
fs_moves_queue_fill (FsMoves *moves, FsMoveArgs move, FsEngineError *error)
{
  const FsGridState *grid = &moves->state.grid;
  FS_LAUNCH (fs_moves_region_kernel, fs_moves_blocks ((size_t)grid->n_tiles), FS_BLOCK,
             moves->stream)
  (moves->state, move);
  if (grid->n_arcs == 4)
    FS_LAUNCH (fs_moves_fill_kernel<4>, grid->n_tiles, FS_BLOCK, moves->stream)
  (moves->state, move);
  else FS_LAUNCH (fs_moves_fill_kernel<8>, grid->n_tiles, FS_BLOCK, moves->stream) (moves->state,
                                                                                    move);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

static int
fs_moves_queue_solve (FsMoves *moves, FsSolveArgs *solve, FsEngineError *error)
{
  void *args[] = { solve };
  FS_TRY (cudaLaunchCooperativeKernel (fs_moves_kernel (moves), dim3 (moves->n_blocks),
                                       dim3 (FS_BLOCK), args, 0, moves->stream));
  return FS_ENGINE_DONE;
}

static int
fs_moves_queue_fold (FsMoves *moves, FsMoveArgs move, FsEngineError *error)
{
  const FsGridState *grid = &moves->state.grid;
  if (grid->n_arcs == 4)
    FS_LAUNCH (fs_moves_fold_kernel<4>, grid->n_tiles, FS_BLOCK, moves->stream)
  (moves->state, move);
  else FS_LAUNCH (fs_moves_fold_kernel<8>, grid->n_tiles, FS_BLOCK, moves->stream) (moves->state,
                                                                                    move);
  FS_TRY (cudaGetLastError ());
  moves->was_made[move.alpha] = true;
  return FS_ENGINE_DONE;
}

/* After a solve of the mirror image. */
static int
fs_moves_queue_reversal (FsMoves *moves, FsEngineError *error)
{
  const FsGridState *grid = &moves->state.grid;
  if (grid->n_arcs == 4)
    FS_LAUNCH (fs_moves_reverse_kernel<4>, grid->n_tiles, FS_BLOCK, moves->stream) (moves->state);
  else
    FS_LAUNCH (fs_moves_reverse_kernel<8>, grid->n_tiles, FS_BLOCK, moves->stream) (moves->state);
  FS_TRY (cudaGetLastError ());
  return fs_moves_queue_solve (moves, &moves->search, error);
}

/* Queues all of a move but what becomes of its mask. */
static int
fs_moves_queue_cut (FsMoves *moves, FsMoveArgs move, FsEngineError *error)
{
  move.uses_duals = moves->state.duals != NULL
                    && (moves->shares_flow || moves->has_duals || moves->was_made[move.alpha]);
  move.is_whole |= !move.uses_duals;
  int status = fs_moves_queue_fill (moves, move, error);
  if (status == FS_ENGINE_DONE)
    status = fs_moves_queue_solve (moves, &moves->solve, error);
  if (status == FS_ENGINE_DONE)
    status = fs_moves_queue_fold (moves, move, error);
  if (status == FS_ENGINE_DONE)
    status = fs_moves_queue_reversal (moves, error);
  return status;
}

/* Begins a call: counts begin at 0. */
static int
fs_moves_open_call (FsMoves *moves, FsEngineError *error)
{
  FsMovesWords *words = moves->state.words;
  moves->mirror->cancel = 0;
  FS_TRY (cudaMemsetAsync (moves->solve.rounds, 0, sizeof *moves->solve.rounds, moves->stream));
  FS_TRY (cudaMemsetAsync (&words->halted, 0, sizeof words->halted, moves->stream));
  FS_TRY (cudaMemsetAsync (&words->n_truncated, 0,
                           sizeof *words - offsetof (FsMovesWords, n_truncated), moves->stream));
  return FS_ENGINE_DONE;
}

/* Ends it: waits, and says what it took. */
static int
fs_moves_close_call (FsMoves *moves, const FsMovesWatch *watch, FsMovesResult *result,
                     FsEngineError *error)
{
  FsMovesMirror *mirror = moves->mirror;
  FS_TRY (cudaMemcpyAsync (&mirror->words, moves->state.words, sizeof mirror->words,
                           cudaMemcpyDefault, moves->stream));
  FS_TRY (cudaMemcpyAsync (&mirror->rounds, moves->solve.rounds, sizeof mirror->rounds,
                           cudaMemcpyDefault, moves->stream));
  FS_TRY (cudaEventRecord (moves->done, moves->stream));
  cudaError_t code;
  while ((code = cudaEventQuery (moves->done)) == cudaErrorNotReady)
    if (watch->is_cancelled (watch->data))
      mirror->cancel = 1;
  FS_TRY (code);
  const FsMovesWords *words = &mirror->words;
  *result = {};
  result->n_cuts = (int64_t)words->n_cuts;
  result->n_truncated = (int64_t)words->n_truncated;
  result->epochs = (int64_t)words->epochs;
  result->discharges = (int64_t)words->discharges;
  for (int i = 0; i < 3; i++)
    result->ms[i] = (double)words->ns[i] / 1e6;
  for (int i = 0; i < 2; i++)
    result->energy[i] = words->energy[i];
  fs_moves_note_changed (moves);
  if (mirror->rounds.outcome == FS_ENGINE_FAILED)
    snprintf (error->text, sizeof error->text, "the cut does not end");
  return mirror->cancel ? FS_ENGINE_CANCELLED : mirror->rounds.outcome;
}

static void
fs_moves_add (FsMovesResult *result, const FsMovesResult *of_call)
{
  result->n_cuts += of_call->n_cuts;
  result->epochs += of_call->epochs;
  result->discharges += of_call->discharges;
  for (int i = 0; i < 3; i++)
    result->ms[i] += of_call->ms[i];
  memcpy (result->energy, of_call->energy, sizeof result->energy);
}

static int
fs_moves_queue_energy (FsMoves *moves, FsEngineError *error)
{
  const FsGridState *grid = &moves->state.grid;
  if (grid->n_arcs == 4)
    FS_LAUNCH (fs_moves_energy_kernel<4>, grid->n_tiles, FS_BLOCK, moves->stream) (moves->state);
  else
    FS_LAUNCH (fs_moves_energy_kernel<8>, grid->n_tiles, FS_BLOCK, moves->stream) (moves->state);
  FS_LAUNCH (fs_moves_sum_kernel, 1, FS_BLOCK, moves->stream) (moves->state);
  FS_TRY (cudaGetLastError ());
  return FS_ENGINE_DONE;
}

/* Queues the moves from `first` on, and the energy; `is_again`: that one is made everywhere. */
static int
fs_moves_queue_all (FsMoves *moves, const uint8_t *labels, int first, int n, bool is_again,
                    FsEngineError *error)
{
  int boundary_blocks = (moves->state.grid.n_tiles + FS_BLOCK_WARPS - 1) / FS_BLOCK_WARPS;
  FsMoveArgs move = { -1, first, -1, 0, 0 };
  for (; move.number < n; move.number++) {
    move.before = move.alpha;
    move.alpha = labels[move.number];
    move.is_whole = is_again && move.number == first;
    int status = fs_moves_queue_cut (moves, move, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_moves_boundary_kernel, boundary_blocks, FS_BLOCK, moves->stream)
    (moves->state, move);
    FS_LAUNCH (fs_moves_take_kernel, moves->state.grid.n_tiles, FS_BLOCK, moves->stream)
    (moves->state, move);
    FS_TRY (cudaGetLastError ());
  }
  move.before = move.alpha;
  move.alpha = -1;
  FS_LAUNCH (fs_moves_end_kernel, 1, FS_WARP, moves->stream) (moves->state, move);
  FS_TRY (cudaGetLastError ());
  return fs_moves_queue_energy (moves, error);
}

/* The number of moves before the first that finds anything new. */
static int
fs_moves_count_known (const FsMoves *moves, const uint8_t *labels, int n)
{
  const FsMovesWords *words = &moves->mirror->words;
  int i = 0;
  while (i < n && words->seen[labels[i]] == words->version)
    i++;
  return i;
}

/* Returns whether the host has the energy of the labels as they are. */
static bool
fs_moves_knows_energy (const FsMoves *moves)
{
  return moves->mirror->words.energy_stamp == moves->mirror->words.stamp;
}

static int
fs_moves_run (FsMoves *moves, const uint8_t *labels, int n, const FsMovesWatch *watch,
              uint32_t *n_changed, FsMovesResult *result, FsEngineError *error)
{
  const int n_known = fs_moves_count_known (moves, labels, n);
  int status, first = n_known;
  bool is_halted = false;
  *result = {};
  memset (n_changed, 0, n_known * sizeof *n_changed);
  if (n_known == n && fs_moves_knows_energy (moves)) {
    memcpy (result->energy, moves->mirror->words.energy, sizeof result->energy);
    return FS_ENGINE_DONE;
  }
  do {
    FsMovesResult of_call = {};
    status = fs_moves_open_call (moves, error);
    if (status == FS_ENGINE_DONE)
      status = fs_moves_queue_all (moves, labels, first, n, is_halted, error);
    if (status == FS_ENGINE_DONE)
      status = fs_moves_close_call (moves, watch, &of_call, error);
    fs_moves_add (result, &of_call);
    is_halted = status == FS_ENGINE_DONE && moves->mirror->words.halted != 0;
    first = moves->mirror->words.halted - 1;
  } while (is_halted);
  memcpy (n_changed + n_known, moves->mirror->words.n_changed + n_known,
          (n - n_known) * sizeof *n_changed);
  return status;
}

static int
fs_moves_propose (FsMoves *moves, int label, const FsMovesWatch *watch, FsMovesResult *result,
                  FsEngineError *error)
{
  size_t rows = (size_t)moves->state.grid.n_tiles * FS_SIDE;
  int status = fs_moves_open_call (moves, error);
  if (status == FS_ENGINE_DONE)
    status = fs_moves_queue_cut (moves, { label, 0, -1, 0, 0 }, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_LAUNCH (fs_moves_mask_kernel, fs_moves_blocks (rows), FS_BLOCK, moves->stream)
  (moves->state, moves->mask);
  FS_TRY (cudaGetLastError ());
  return fs_moves_close_call (moves, watch, result, error);
}

static const uint32_t *
fs_moves_mask (FsMoves *moves)
{
  return moves->mask;
}

static size_t
fs_moves_size_bytes (FsMoves *moves)
{
  return moves->block_bytes;
}

extern "C" __attribute__ ((visibility ("default"))) const FsMovesTable *
fs_moves_cuda (void)
{
  static const FsMovesTable table = {
    FS_MOVES_VERSION,    fs_moves_create, fs_moves_destroy,    fs_moves_change_data,
    fs_moves_set_labels, fs_moves_labels, fs_moves_get_labels, fs_moves_change_labels,
    fs_moves_start,      fs_moves_run,    fs_moves_propose,    fs_moves_mask,
    fs_moves_size_bytes,
  };
  return &table;
}
