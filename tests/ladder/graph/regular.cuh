/* SPDX-License-Identifier: MIT */
/* Regular graphs, after Garrett & Saito 2009, section 3.2: all nodes have as many arcs as the one
 * that has most.
 *
 * Arcs that a node lacks lead back to it and carry nothing: such an arc has its own node for head
 * and itself for reverse. The first arcs of all nodes come first, then the second ones, so that
 * threads side by side read side by side. The state has no table of rows, which is how
 * fs_graph_arcs() knows.
 */
#ifndef FS_LADDER_GRAPH_REGULAR_CUH
#define FS_LADDER_GRAPH_REGULAR_CUH

#include "solver/kernels/graph/graph_calls.cuh"

/* Most arcs of a regular graph, those that carry nothing counted. */
#define FS_GRAPH_REGULAR_ARCS_MAX (UINT32_C (1) << 30)

/* An arc that carries nothing, until a real one takes its place. */
FS_PHASE void
fs_graph_put_nothing (const FsGraphState *state, uint32_t arc)
{
  state->head[arc] = arc % state->n_nodes;
  state->reverse[arc] = arc;
  state->residual[arc] = 0;
}

/* The next free place of a node's arcs; `height` counts those that are taken. */
FS_PHASE uint32_t
fs_graph_take_regular_place (const FsGraphState *state, uint32_t v)
{
  return fs_graph_add (&state->height[v], 1) * state->n_nodes + v;
}

FS_PHASE void
fs_graph_put_regular_edge (const FsGraphState *state, uint32_t i)
{
  const FsGraphEngineEdge *edge = &state->edges[i];
  if (edge->from == edge->to) {
    state->edge_arc[i] = FS_GRAPH_NOBODY;
    return;
  }
  uint32_t forth = fs_graph_take_regular_place (state, edge->from);
  fs_graph_put_arcs (state, i, forth, fs_graph_take_regular_place (state, edge->to));
}

__global__ void
fs_graph_put_nothing_kernel (const FsGraphState state)
{
  for (uint32_t arc = fs_graph_thread (); arc < state.n_arcs; arc += fs_graph_n_threads ())
    fs_graph_put_nothing (&state, arc);
}

__global__ void
fs_graph_put_regular_kernel (const FsGraphState state)
{
  for (uint32_t i = fs_graph_thread (); i < state.n_edges; i += fs_graph_n_threads ())
    fs_graph_put_regular_edge (&state, i);
}

/* Before memory is asked for. A loop counts for nothing. */
static int
fs_graph_count_regular_arcs (FsGraphEngine *engine, const FsGraphEngineProblem *problem,
                             FsEngineError *error)
{
  uint32_t *degree = (uint32_t *)calloc (problem->n_nodes, sizeof *degree), most = 0;
  for (uint32_t i = 0; degree != NULL && i < problem->n_edges; i++) {
    uint32_t from = problem->edges[i].from, to = problem->edges[i].to;
    if (from == to)
      continue;
    most = ++degree[from] > most ? degree[from] : most;
    most = ++degree[to] > most ? degree[to] : most;
  }
  bool has_memory =
      degree != NULL && (uint64_t)most * problem->n_nodes <= FS_GRAPH_REGULAR_ARCS_MAX;
  engine->state.n_arcs = most * problem->n_nodes;
  snprintf (error->text, sizeof error->text, "%s",
            has_memory       ? ""
            : degree == NULL ? "not enough memory"
                             : "made regular, the graph has too many arcs");
  free (degree);
  return has_memory ? FS_ENGINE_DONE : FS_ENGINE_NO_MEMORY;
}

/* In place of fs_graph_lay_out(). */
static int
fs_graph_lay_out_regular (FsGraphEngine *engine, FsEngineError *error)
{
  FsGraphState &state = engine->state;
  cudaStream_t stream = engine->stream;
  state.first = NULL;
  FS_LAUNCH (fs_graph_put_nothing_kernel, fs_graph_blocks (state.n_arcs), FS_GRAPH_THREADS, stream)
  (state);
  FS_LAUNCH (fs_graph_put_regular_kernel, fs_graph_blocks (state.n_edges), FS_GRAPH_THREADS, stream)
  (state);
  FS_TRY (cudaGetLastError ());
  FS_TRY (cudaStreamSynchronize (stream));
  return FS_ENGINE_DONE;
}

#endif
