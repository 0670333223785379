/* SPDX-License-Identifier: MIT */
/* The CUDA engine of any graph: the table of graph_engine.h over the kernels of lists.cuh. */
#include "solver/kernels/graph/graph_calls.cuh"
#include "solver/kernels/graph/lists.cuh"

/* --- Which kernel ------------------------------------------------------------------------------
 */

/* By the mean number of arcs, which is twice that of edges: a few passes for a node at most, and
 * few idle lanes. */
static int
fs_graph_lanes (const FsGraphEngineProblem *problem)
{
  uint64_t arcs_a_node = 2 * (uint64_t)problem->n_edges / problem->n_nodes;
  return arcs_a_node <= 4 ? 4 : arcs_a_node <= 12 ? 8 : arcs_a_node <= 24 ? 16 : 32;
}

static void
fs_graph_choose (FsGraphEngine *engine, const FsGraphEngineProblem *problem)
{
  FsGraphTuning *tuning = &engine->state.tuning;
  *tuning = problem->tuning;
  tuning->lanes = tuning->lanes > 0 ? tuning->lanes : fs_graph_lanes (problem);
  tuning->visits = tuning->visits > 0 ? tuning->visits : 4;
  tuning->steps = tuning->steps > 0 ? tuning->steps : 2 * FS_GRAPH_STEP_UNIT;
  engine->threads_a_node = (unsigned)tuning->lanes;
  engine->kernel = tuning->lanes <= 4    ? (const void *)fs_graph_lists_kernel<4>
                   : tuning->lanes <= 8  ? (const void *)fs_graph_lists_kernel<8>
                   : tuning->lanes <= 16 ? (const void *)fs_graph_lists_kernel<16>
                                         : (const void *)fs_graph_lists_kernel<32>;
}

static int
fs_graph_cuda_create (const FsGraphEngineProblem *problem, FsGraphEngine **created,
                      FsEngineError *error)
{
  FsGraphEngine *engine = fs_graph_new_engine (problem, error);
  if (engine == NULL)
    return FS_ENGINE_NO_MEMORY;
  fs_graph_choose (engine, problem);
  int status = fs_graph_bring_up (engine, problem, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_lay_out (engine, error);
  return fs_graph_finish (engine, status, created);
}

static const FsGraphEngineTable fs_graph_cuda_table = {
  FS_GRAPH_ENGINE_VERSION,     fs_graph_cuda_create,       fs_graph_cuda_destroy,
  fs_graph_cuda_change_tlinks, fs_graph_cuda_change_edges, fs_graph_cuda_solve,
  fs_graph_cuda_read_state,    fs_graph_cuda_size_bytes,
};

extern "C" __attribute__ ((visibility ("default"))) const FsGraphEngineTable *
fs_graph_engine_cuda (void)
{
  return &fs_graph_cuda_table;
}
