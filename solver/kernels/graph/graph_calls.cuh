/* SPDX-License-Identifier: MIT */
/* The calls of an engine of any graph, for whichever kernel cuts it.   Layer: solver/kernels.
 *
 * Whoever makes an engine chooses its kernel and threads_a_node between fs_graph_new_engine() and
 * fs_graph_bring_up(). The calls after that are those of graph_engine.h.
 */
#ifndef FS_KERNELS_GRAPH_CALLS_CUH
#define FS_KERNELS_GRAPH_CALLS_CUH

#include "solver/kernels/cuda/calls.cuh"
#include "solver/kernels/graph/build.cuh"

static const size_t STAGED_CHANGES = 1 << 16;

/* Host memory that the device writes and reads. */
struct FsGraphMirror {
  FsGraphWords words;
  volatile int cancel;
};

struct FsGraphEngine {
  FsGraphState state;
  cudaStream_t stream;
  cudaEvent_t before, after;
  const void *kernel; /* cooperative; takes the state   */
  unsigned threads_a_node;
  unsigned n_blocks; /* of the solve, all at once  */
  void *block;       /* all planes                 */
  size_t block_bytes;
  void *staged; /* changes that have come up  */
  FsGraphMirror *mirror;
};

/* Blocks for n items, a thread each; those kernels that go on in strides need no more. */
static unsigned
fs_graph_blocks (size_t n)
{
  size_t n_blocks = (n + FS_GRAPH_THREADS - 1) / FS_GRAPH_THREADS;
  return n_blocks < 1 ? 1 : n_blocks > 65535 ? 65535 : (unsigned)n_blocks;
}

/* --- Laying out --------------------------------------------------------------------------------
 */

static void
fs_graph_divide (FsGraphEngine *engine, FsArena *arena)
{
  FsGraphState *state = &engine->state;
  size_t n = state->n_nodes, n_arcs = state->n_arcs;
  fs_arena_take (arena, &state->first, n + 1);
  fs_arena_take (arena, &state->head, n_arcs);
  fs_arena_take (arena, &state->reverse, n_arcs);
  fs_arena_take (arena, &state->residual, n_arcs);
  fs_arena_take (arena, &state->edge_arc, state->n_edges);
  fs_arena_take (arena, &state->edges, state->n_edges);
  fs_arena_take (arena, &state->tlink, n);
  fs_arena_take (arena, &state->excess, n);
  fs_arena_take (arena, &state->height, n);
  fs_arena_take (arena, &state->list[0], n);
  fs_arena_take (arena, &state->list[1], n);
  fs_arena_take (arena, &state->mask, n);
  fs_arena_take (arena, &state->sums, FS_GRAPH_CHUNKS);
  fs_arena_take (arena, &state->words, 1);
}

static int
fs_graph_allocate (FsGraphEngine *engine, FsEngineError *error)
{
  FsArena arena = { NULL, 0 };
  fs_graph_divide (engine, &arena);
  engine->block_bytes = arena.used;
  FS_TRY (cudaSetDevice (0));
  int status = fs_make_stream (&engine->stream, &engine->before, &engine->after, error);
  if (status != FS_ENGINE_DONE)
    return status;
  FS_TRY (cudaMalloc (&engine->block, engine->block_bytes));
  arena = { (char *)engine->block, 0 };
  fs_graph_divide (engine, &arena);
  FS_TRY (cudaMalloc (&engine->staged, STAGED_CHANGES * sizeof (FsGraphTlinkChange)));
  FS_TRY (cudaHostAlloc (&engine->mirror, sizeof *engine->mirror, cudaHostAllocMapped));
  engine->state.cancel = &engine->mirror->cancel;
  return FS_ENGINE_DONE;
}

static int
fs_graph_upload (FsGraphEngine *engine, const FsGraphEngineProblem *problem, FsEngineError *error)
{
  FsGraphState *state = &engine->state;
  cudaStream_t stream = engine->stream;
  size_t n = state->n_nodes;
  if (state->n_edges > 0)
    FS_TRY (cudaMemcpyAsync (state->edges, problem->edges, state->n_edges * sizeof *state->edges,
                             cudaMemcpyDefault, stream));
  FS_TRY (cudaMemcpyAsync (state->tlink, problem->tlink, n * sizeof (int64_t), cudaMemcpyDefault,
                           stream));
  FS_TRY (cudaMemcpyAsync (state->excess, problem->tlink, n * sizeof (int64_t), cudaMemcpyDefault,
                           stream));
  FS_TRY (cudaMemsetAsync (state->first, 0, (n + 1) * sizeof (uint32_t), stream));
  FS_TRY (cudaMemsetAsync (state->height, 0, n * sizeof (uint32_t), stream));
  FS_TRY (cudaMemsetAsync (state->sums, 0, FS_GRAPH_CHUNKS * sizeof (uint32_t), stream));
  return FS_ENGINE_DONE;
}

static int
fs_graph_lay_out (FsGraphEngine *engine, FsEngineError *error)
{
  const FsGraphState &state = engine->state;
  cudaStream_t stream = engine->stream;
  unsigned n_blocks = fs_graph_blocks (state.n_edges);
  unsigned n_chunk_blocks =
      fs_graph_blocks (state.n_nodes < FS_GRAPH_CHUNKS ? state.n_nodes : FS_GRAPH_CHUNKS);
  FS_LAUNCH (fs_graph_count_kernel, n_blocks, FS_GRAPH_THREADS, stream) (state);
  FS_LAUNCH (fs_graph_sum_kernel, n_chunk_blocks, FS_GRAPH_THREADS, stream) (state);
  FS_LAUNCH (fs_graph_scan_kernel, 1, FS_GRAPH_THREADS, stream) (state);
  FS_LAUNCH (fs_graph_scatter_kernel, n_chunk_blocks, FS_GRAPH_THREADS, stream) (state);
  FS_LAUNCH (fs_graph_put_kernel, n_blocks, FS_GRAPH_THREADS, stream) (state);
  FS_TRY (cudaGetLastError ());
  FS_TRY (cudaStreamSynchronize (stream));
  return FS_ENGINE_DONE;
}

/* As many blocks as fit on the device at once, or as there are nodes for. */
static int
fs_graph_count_blocks (FsGraphEngine *engine, FsEngineError *error)
{
  int device = 0, n_processors = 0, n_fitting = 0;
  FS_TRY (cudaGetDevice (&device));
  FS_TRY (cudaDeviceGetAttribute (&n_processors, cudaDevAttrMultiProcessorCount, device));
  FS_TRY (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&n_fitting, engine->kernel,
                                                         FS_GRAPH_THREADS, 0));
  engine->n_blocks = fs_graph_blocks ((size_t)engine->state.n_nodes * engine->threads_a_node);
  if (engine->n_blocks > (unsigned)(n_processors * n_fitting))
    engine->n_blocks = (unsigned)(n_processors * n_fitting);
  return FS_ENGINE_DONE;
}

/* --- The table ---------------------------------------------------------------------------------
 */

static void
fs_graph_cuda_destroy (FsGraphEngine *engine)
{
  fs_drop_stream (engine->stream, engine->before, engine->after);
  cudaFree (engine->block);
  cudaFree (engine->staged);
  cudaFreeHost (engine->mirror);
  free (engine);
}

static FsGraphEngine *
fs_graph_new_engine (const FsGraphEngineProblem *problem, FsEngineError *error)
{
  FsGraphEngine *engine = (FsGraphEngine *)fs_new_engine (sizeof *engine, error);
  if (engine == NULL)
    return NULL;
  engine->state.n_nodes = problem->n_nodes;
  engine->state.n_edges = problem->n_edges;
  engine->state.n_arcs = 2 * problem->n_edges;
  return engine;
}

/* Memory, and the graph in it, but for its rows. */
static int
fs_graph_bring_up (FsGraphEngine *engine, const FsGraphEngineProblem *problem, FsEngineError *error)
{
  int status = fs_graph_allocate (engine, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_count_blocks (engine, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_upload (engine, problem, error);
  return status;
}

/* Takes the engine, and destroys it where its making failed. */
static int
fs_graph_finish (FsGraphEngine *engine, int status, FsGraphEngine **created)
{
  if (status == FS_ENGINE_DONE)
    *created = engine;
  else
    fs_graph_cuda_destroy (engine);
  return status;
}

/* Uploads the first of n changes, as many as the staging buffer holds. Returns their number. */
template <typename T>
static int
fs_graph_stage (FsGraphEngine *engine, const T *changes, size_t n, size_t *n_staged,
                FsEngineError *error)
{
  *n_staged = n < STAGED_CHANGES ? n : STAGED_CHANGES;
  FS_TRY (cudaStreamSynchronize (engine->stream));
  FS_TRY (cudaMemcpyAsync (engine->staged, changes, *n_staged * sizeof *changes, cudaMemcpyDefault,
                           engine->stream));
  return FS_ENGINE_DONE;
}

static int
fs_graph_cuda_change_tlinks (FsGraphEngine *engine, const FsGraphTlinkChange *changes, size_t n,
                             FsEngineError *error)
{
  for (size_t i = 0, chunk; i < n; i += chunk) {
    int status = fs_graph_stage (engine, changes + i, n - i, &chunk, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_graph_change_tlinks_kernel, fs_graph_blocks (chunk), FS_GRAPH_THREADS,
               engine->stream)
    (engine->state, (const FsGraphTlinkChange *)engine->staged, (uint32_t)chunk);
    FS_TRY (cudaGetLastError ());
  }
  FS_TRY (cudaStreamSynchronize (engine->stream));
  return FS_ENGINE_DONE;
}

static int
fs_graph_cuda_change_edges (FsGraphEngine *engine, const FsGraphEdgeChange *changes, size_t n,
                            FsEngineError *error)
{
  for (size_t i = 0, chunk; i < n; i += chunk) {
    int status = fs_graph_stage (engine, changes + i, n - i, &chunk, error);
    if (status != FS_ENGINE_DONE)
      return status;
    FS_LAUNCH (fs_graph_change_edges_kernel, fs_graph_blocks (chunk), FS_GRAPH_THREADS,
               engine->stream)
    (engine->state, (const FsGraphEdgeChange *)engine->staged, (uint32_t)chunk);
    FS_TRY (cudaGetLastError ());
  }
  FS_TRY (cudaStreamSynchronize (engine->stream));
  return FS_ENGINE_DONE;
}

static int
fs_graph_launch (FsGraphEngine *engine, FsEngineError *error)
{
  const FsGraphState &state = engine->state;
  cudaStream_t stream = engine->stream;
  void *args[] = { &engine->state };
  FS_TRY (cudaEventRecord (engine->before, stream));
  FS_TRY (cudaMemsetAsync (state.words, 0, sizeof *state.words, stream));
  FS_TRY (cudaLaunchCooperativeKernel (engine->kernel, dim3 (engine->n_blocks),
                                       dim3 (FS_GRAPH_THREADS), args, 0, stream));
  FS_LAUNCH (fs_graph_result_kernel, fs_graph_blocks ((size_t)state.n_nodes + state.n_edges),
             FS_GRAPH_THREADS, stream)
  (state);
  FS_TRY (cudaGetLastError ());
  FS_TRY (cudaMemcpyAsync (&engine->mirror->words, state.words, sizeof *state.words,
                           cudaMemcpyDefault, stream));
  FS_TRY (cudaEventRecord (engine->after, stream));
  return FS_ENGINE_DONE;
}

static int
fs_graph_wait (FsGraphEngine *engine, int (*is_cancelled) (void *), void *data,
               FsEngineError *error)
{
  cudaError_t code;
  while ((code = cudaEventQuery (engine->after)) == cudaErrorNotReady)
    if (is_cancelled (data))
      engine->mirror->cancel = 1;
  FS_TRY (code);
  return FS_ENGINE_DONE;
}

static int
fs_graph_cuda_solve (FsGraphEngine *engine, int (*is_cancelled) (void *), void *data, uint8_t *mask,
                     FsGraphEngineResult *result, FsEngineError *error)
{
  engine->mirror->cancel = 0;
  int status = fs_graph_launch (engine, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_wait (engine, is_cancelled, data, error);
  if (status != FS_ENGINE_DONE)
    return status;
  const FsGraphWords *words = &engine->mirror->words;
  if (words->outcome != FS_ENGINE_DONE)
    return (int)words->outcome;
  float ms = 0;
  FS_TRY (cudaEventElapsedTime (&ms, engine->before, engine->after));
  FS_TRY (cudaMemcpy (mask, engine->state.mask, engine->state.n_nodes, cudaMemcpyDefault));
  *result = {};
  result->energy = words->energy;
  result->bound = words->bound;
  result->n_rounds = words->n_rounds;
  result->n_levels = words->n_levels;
  result->n_steps = words->n_steps;
  result->n_visits = words->n_visits;
  result->device_ms = ms;
  return FS_ENGINE_DONE;
}

static int
fs_graph_cuda_read_state (FsGraphEngine *engine, int64_t *excess, uint32_t *residual,
                          FsEngineError *error)
{
  const FsGraphState &state = engine->state;
  size_t bytes = state.n_edges * sizeof *residual;
  uint32_t *there;
  FS_TRY (cudaMalloc (&there, bytes + 1));
  FS_LAUNCH (fs_graph_read_kernel, fs_graph_blocks (state.n_edges), FS_GRAPH_THREADS,
             engine->stream)
  (state, there);
  cudaError_t code = cudaGetLastError ();
  if (code == cudaSuccess)
    code = cudaStreamSynchronize (engine->stream);
  if (code == cudaSuccess && bytes > 0)
    code = cudaMemcpy (residual, there, bytes, cudaMemcpyDefault);
  if (code == cudaSuccess)
    code = cudaMemcpy (excess, state.excess, state.n_nodes * sizeof *excess, cudaMemcpyDefault);
  cudaFree (there);
  FS_TRY (code);
  return FS_ENGINE_DONE;
}

static size_t
fs_graph_cuda_size_bytes (FsGraphEngine *engine)
{
  return sizeof *engine + engine->block_bytes + STAGED_CHANGES * sizeof (FsGraphTlinkChange);
}

#endif
