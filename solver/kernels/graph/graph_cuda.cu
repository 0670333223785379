/* SPDX-License-Identifier: MIT */
/* The cut of any graph as one cooperative kernel, and what the host does around it. */
#include <cooperative_groups.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solver/kernels/graph/graph_engine.h"
#include "solver/kernels/graph/lock_free.h"

static const uint32_t FIRST_SWEEPS = 8, MOST_SWEEPS = 1u << 20;

static __device__ __forceinline__ uint32_t
fs_graph_thread ()
{
  return blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ uint32_t
fs_graph_n_threads ()
{
  return gridDim.x * blockDim.x;
}

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
      fs_graph_raise_neighbours (&state, fs_graph_load (&state.list[base + i]), level, base + n);
    grid.sync ();
    base += n;
    level++;
  }
}

/* Tells everybody whether excess is left, and the deficit. */
static __device__ bool
fs_graph_is_left (const FsGraphState &state, uint32_t round, unsigned long long *deficit)
{
  uint32_t slot = round % FS_GRAPH_SLOTS, n_threads = fs_graph_n_threads ();
  FsGraphSeen seen = { 0, 0 };
  for (uint32_t v = fs_graph_thread (); v < state.n_nodes; v += n_threads)
    fs_graph_look (&state, v, &seen);
  if (seen.deficit > 0)
    fs_graph_add_long (&state.words->deficit[slot], seen.deficit);
  if (seen.is_left)
    fs_graph_add (&state.words->is_left[slot], 1);
  cooperative_groups::this_grid ().sync ();
  *deficit =
      (unsigned long long)fs_graph_load_excess ((const int64_t *)&state.words->deficit[slot]);
  return fs_graph_load (&state.words->is_left[slot]) != 0;
}

static __device__ void
fs_graph_count (const FsGraphState &state, uint32_t round, uint32_t n_levels)
{
  if (fs_graph_thread () != 0)
    return;
  FsGraphWords *words = state.words;
  words->is_left[(round + 1) % FS_GRAPH_SLOTS] = 0;
  words->deficit[(round + 1) % FS_GRAPH_SLOTS] = 0;
  words->n_rounds = round + 1;
  words->n_levels += n_levels;
}

/* A node belongs to one thread throughout, so that sweeps need no barrier between them. */
__global__ void
__launch_bounds__ (FS_GRAPH_THREADS) fs_graph_solve_kernel (const FsGraphState state)
{
  cooperative_groups::grid_group grid = cooperative_groups::this_grid ();
  uint32_t n_sweeps = FIRST_SWEEPS, n_threads = fs_graph_n_threads ();
  unsigned long long deficit, former = 0;
  for (uint32_t round = 0;; round++) {
    fs_graph_count (state, round, fs_graph_make_heights (state));
    if (!fs_graph_is_left (state, round, &deficit))
      return;
    bool has_arrived = round == 0 || deficit != former;
    n_sweeps = has_arrived ? FIRST_SWEEPS : n_sweeps < MOST_SWEEPS ? n_sweeps * 2 : n_sweeps;
    former = deficit;
    for (uint32_t sweep = 0; sweep < n_sweeps; sweep++)
      for (uint32_t v = fs_graph_thread (); v < state.n_nodes; v += n_threads)
        fs_graph_discharge (&state, v);
    if (fs_graph_thread () == 0)
      state.words->n_sweeps += n_sweeps;
    grid.sync ();
  }
}

/* --- The host -----------------------------------------------------------------------------------
 */

/* A graph on its way to the device and back. */
struct FsGraphRun {
  FsGraphState state;
  const FsGraphArrays *arrays;
  FsGraphForm form;
  uint32_t degree;                    /* of the regular form        */
  uint32_t *head_here, *reverse_here; /* the form's own, or NULL    */
  uint32_t *residual_here, *height_here;
  void *block; /* of the device */
  cudaStream_t stream;
};

static int
fs_graph_fail (FsEngineError *error, const char *call, cudaError_t code)
{
  snprintf (error->text, sizeof error->text, "%s: %s", call, cudaGetErrorString (code));
  return code == cudaErrorMemoryAllocation                                  ? FS_ENGINE_NO_MEMORY
         : code == cudaErrorNoDevice || code == cudaErrorInsufficientDriver ? FS_ENGINE_NO_DEVICE
                                                                            : FS_ENGINE_FAILED;
}

#define FS_GRAPH_TRY(call)                                                                         \
  do {                                                                                             \
    cudaError_t tried = (call);                                                                    \
    if (tried != cudaSuccess)                                                                      \
      return fs_graph_fail (error, #call, tried);                                                  \
  } while (0)

static int
fs_graph_no_room (FsEngineError *error, const char *what)
{
  snprintf (error->text, sizeof error->text, "%s", what);
  return FS_ENGINE_NO_MEMORY;
}

/* The place of a node's arc, which is the k-th of its row, in the run's form. */
static uint32_t
fs_graph_place (const FsGraphRun *run, uint32_t v, uint32_t arc)
{
  return run->form == FS_GRAPH_FORM_ROWS ? arc
                                         : (arc - run->arrays->first[v]) * run->arrays->n_nodes + v;
}

static int
fs_graph_measure (FsGraphRun *run, FsEngineError *error)
{
  const FsGraphArrays *arrays = run->arrays;
  run->state.n_nodes = arrays->n_nodes;
  run->state.n_arcs = arrays->n_arcs;
  if (run->form == FS_GRAPH_FORM_ROWS)
    return FS_ENGINE_DONE;
  for (uint32_t v = 0; v < arrays->n_nodes; v++)
    if (arrays->first[v + 1] - arrays->first[v] > run->degree)
      run->degree = arrays->first[v + 1] - arrays->first[v];
  uint64_t n_arcs = (uint64_t)run->degree * arrays->n_nodes;
  if (n_arcs > FS_GRAPH_REGULAR_ARCS_MAX)
    return fs_graph_no_room (error, "made regular, the graph has too many arcs");
  run->state.n_arcs = (uint32_t)n_arcs;
  return FS_ENGINE_DONE;
}

/* Lays the arcs out as the form wants them. */
static int
fs_graph_lay_out (FsGraphRun *run, FsEngineError *error)
{
  const FsGraphArrays *arrays = run->arrays;
  size_t n = run->state.n_arcs > 0 ? run->state.n_arcs : 1;
  run->head_here = (uint32_t *)malloc (n * sizeof *run->head_here);
  run->reverse_here = (uint32_t *)malloc (n * sizeof *run->reverse_here);
  run->residual_here = (uint32_t *)calloc (n, sizeof *run->residual_here);
  run->height_here = (uint32_t *)malloc (arrays->n_nodes * sizeof *run->height_here);
  if (run->head_here == NULL || run->reverse_here == NULL || run->residual_here == NULL
      || run->height_here == NULL)
    return fs_graph_no_room (error, "not enough memory of the host");
  for (uint32_t i = 0; i < run->state.n_arcs && run->form == FS_GRAPH_FORM_REGULAR; i++) {
    run->head_here[i] = i % arrays->n_nodes;
    run->reverse_here[i] = i;
  }
  for (uint32_t v = 0; v < arrays->n_nodes; v++)
    for (uint32_t arc = arrays->first[v]; arc < arrays->first[v + 1]; arc++) {
      uint32_t place = fs_graph_place (run, v, arc);
      run->head_here[place] = arrays->head[arc];
      run->reverse_here[place] = fs_graph_place (run, arrays->head[arc], arrays->reverse[arc]);
      run->residual_here[place] = arrays->residual[arc];
    }
  return FS_ENGINE_DONE;
}

/* Gives a plane its place in the block; with no block as yet, only counts. */
template <typename T>
static void
fs_graph_part (FsGraphRun *run, size_t *used, T **part, size_t n)
{
  *part = run->block != NULL ? (T *)((char *)run->block + *used) : NULL;
  *used += (n * sizeof (T) + 255) / 256 * 256;
}

static size_t
fs_graph_divide (FsGraphRun *run)
{
  FsGraphState *state = &run->state;
  size_t used = 0, n = state->n_nodes, n_arcs = state->n_arcs;
  fs_graph_part (run, &used, (uint32_t **)&state->head, n_arcs);
  fs_graph_part (run, &used, (uint32_t **)&state->reverse, n_arcs);
  fs_graph_part (run, &used, &state->residual, n_arcs);
  if (run->form == FS_GRAPH_FORM_ROWS)
    fs_graph_part (run, &used, (uint32_t **)&state->first, n + 1);
  fs_graph_part (run, &used, &state->excess, n);
  fs_graph_part (run, &used, &state->height, n);
  fs_graph_part (run, &used, &state->list, n);
  fs_graph_part (run, &used, &state->words, 1);
  return used;
}

static int
fs_graph_upload (FsGraphRun *run, FsEngineError *error)
{
  FsGraphState *state = &run->state;
  size_t n = state->n_nodes, arcs_bytes = state->n_arcs * sizeof (uint32_t);
  FS_GRAPH_TRY (cudaSetDevice (0));
  FS_GRAPH_TRY (cudaStreamCreateWithFlags (&run->stream, cudaStreamNonBlocking));
  FS_GRAPH_TRY (cudaMalloc (&run->block, fs_graph_divide (run)));
  fs_graph_divide (run);
  FS_GRAPH_TRY (cudaMemcpy ((void *)state->head, run->head_here, arcs_bytes, cudaMemcpyDefault));
  FS_GRAPH_TRY (
      cudaMemcpy ((void *)state->reverse, run->reverse_here, arcs_bytes, cudaMemcpyDefault));
  FS_GRAPH_TRY (cudaMemcpy (state->residual, run->residual_here, arcs_bytes, cudaMemcpyDefault));
  if (state->first != NULL)
    FS_GRAPH_TRY (cudaMemcpy ((void *)state->first, run->arrays->first, (n + 1) * sizeof (uint32_t),
                              cudaMemcpyDefault));
  FS_GRAPH_TRY (
      cudaMemcpy (state->excess, run->arrays->excess, n * sizeof (int64_t), cudaMemcpyDefault));
  FS_GRAPH_TRY (cudaMemsetAsync (state->words, 0, sizeof (FsGraphWords), run->stream));
  return FS_ENGINE_DONE;
}

static int
fs_graph_launch (FsGraphRun *run, FsEngineError *error)
{
  int device = 0, n_processors = 0, n_fitting = 0;
  FS_GRAPH_TRY (cudaGetDevice (&device));
  FS_GRAPH_TRY (cudaDeviceGetAttribute (&n_processors, cudaDevAttrMultiProcessorCount, device));
  FS_GRAPH_TRY (cudaOccupancyMaxActiveBlocksPerMultiprocessor (&n_fitting, fs_graph_solve_kernel,
                                                               FS_GRAPH_THREADS, 0));
  unsigned n_blocks = (run->state.n_nodes + FS_GRAPH_THREADS - 1) / FS_GRAPH_THREADS;
  if (n_blocks > (unsigned)(n_processors * n_fitting))
    n_blocks = (unsigned)(n_processors * n_fitting);
  void *args[] = { &run->state };
  FS_GRAPH_TRY (cudaLaunchCooperativeKernel ((const void *)fs_graph_solve_kernel, dim3 (n_blocks),
                                             dim3 (FS_GRAPH_THREADS), args, 0, run->stream));
  FS_GRAPH_TRY (cudaStreamSynchronize (run->stream));
  return FS_ENGINE_DONE;
}

static int
fs_graph_download (FsGraphRun *run, FsGraphWork *work, FsEngineError *error)
{
  const FsGraphArrays *arrays = run->arrays;
  const FsGraphState *state = &run->state;
  size_t n = state->n_nodes;
  FsGraphWords words;
  FS_GRAPH_TRY (cudaMemcpy (run->residual_here, state->residual, state->n_arcs * sizeof (uint32_t),
                            cudaMemcpyDefault));
  FS_GRAPH_TRY (
      cudaMemcpy (arrays->excess, state->excess, n * sizeof (int64_t), cudaMemcpyDefault));
  FS_GRAPH_TRY (
      cudaMemcpy (run->height_here, state->height, n * sizeof (uint32_t), cudaMemcpyDefault));
  FS_GRAPH_TRY (cudaMemcpy (&words, state->words, sizeof words, cudaMemcpyDefault));
  for (uint32_t v = 0; v < n; v++) {
    arrays->mask[v] = run->height_here[v] == FS_GRAPH_FAR;
    for (uint32_t arc = arrays->first[v]; arc < arrays->first[v + 1]; arc++)
      arrays->residual[arc] = run->residual_here[fs_graph_place (run, v, arc)];
  }
  work->n_rounds = words.n_rounds;
  work->n_levels = words.n_levels;
  work->n_sweeps = words.n_sweeps;
  return FS_ENGINE_DONE;
}

static void
fs_graph_release (FsGraphRun *run)
{
  cudaFree (run->block);
  if (run->stream != NULL)
    cudaStreamDestroy (run->stream);
  free (run->head_here);
  free (run->reverse_here);
  free (run->residual_here);
  free (run->height_here);
}

extern "C" int
fs_graph_cuda_solve (const FsGraphArrays *arrays, FsGraphForm form, FsGraphWork *work,
                     FsEngineError *error)
{
  FsGraphRun run;
  memset (&run, 0, sizeof run);
  run.arrays = arrays;
  run.form = form;
  int status = fs_graph_measure (&run, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_lay_out (&run, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_upload (&run, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_launch (&run, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_download (&run, work, error);
  fs_graph_release (&run);
  return status;
}
