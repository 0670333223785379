/* SPDX-License-Identifier: MIT */
#include "tests/ladder/graph/graph_sweeps.h"

#include "tests/ladder/graph/regular.cuh"
#include "tests/ladder/graph/sweeps.cuh"

static_assert (sizeof (FsSweepWords) <= FS_GRAPH_CHUNKS * sizeof (uint32_t), "there is room");

static FsGraphEngine *
fs_graph_new_sweeps (const FsGraphEngineProblem *problem, FsEngineError *error)
{
  FsGraphEngine *engine = fs_graph_new_engine (problem, error);
  if (engine == NULL)
    return NULL;
  engine->kernel = (const void *)fs_graph_sweeps_kernel;
  engine->threads_a_node = 1;
  return engine;
}

static int
fs_graph_sweeps_create (const FsGraphEngineProblem *problem, FsGraphEngine **created,
                        FsEngineError *error)
{
  FsGraphEngine *engine = fs_graph_new_sweeps (problem, error);
  if (engine == NULL)
    return FS_ENGINE_NO_MEMORY;
  int status = fs_graph_bring_up (engine, problem, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_lay_out (engine, error);
  return fs_graph_finish (engine, status, created);
}

static int
fs_graph_sweeps_create_regular (const FsGraphEngineProblem *problem, FsGraphEngine **created,
                                FsEngineError *error)
{
  FsGraphEngine *engine = fs_graph_new_sweeps (problem, error);
  if (engine == NULL)
    return FS_ENGINE_NO_MEMORY;
  int status = fs_graph_count_regular_arcs (engine, problem, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_bring_up (engine, problem, error);
  if (status == FS_ENGINE_DONE)
    status = fs_graph_lay_out_regular (engine, error);
  return fs_graph_finish (engine, status, created);
}

static int
fs_graph_sweeps_solve (FsGraphEngine *engine, int (*is_cancelled) (void *), void *data,
                       uint8_t *mask, FsGraphEngineResult *result, FsEngineError *error)
{
  FS_TRY (cudaMemsetAsync (engine->state.sums, 0, sizeof (FsSweepWords), engine->stream));
  return fs_graph_cuda_solve (engine, is_cancelled, data, mask, result, error);
}

static const FsGraphEngineTable fs_graph_sweeps_table = {
  FS_GRAPH_ENGINE_VERSION,     fs_graph_sweeps_create,     fs_graph_cuda_destroy,
  fs_graph_cuda_change_tlinks, fs_graph_cuda_change_edges, fs_graph_sweeps_solve,
  fs_graph_cuda_read_state,    fs_graph_cuda_size_bytes,
};

static const FsGraphEngineTable fs_graph_sweeps_regular_table = {
  FS_GRAPH_ENGINE_VERSION,     fs_graph_sweeps_create_regular, fs_graph_cuda_destroy,
  fs_graph_cuda_change_tlinks, fs_graph_cuda_change_edges,     fs_graph_sweeps_solve,
  fs_graph_cuda_read_state,    fs_graph_cuda_size_bytes,
};

extern "C" const FsGraphEngineTable *
fs_graph_engine_sweeps (void)
{
  return &fs_graph_sweeps_table;
}

extern "C" const FsGraphEngineTable *
fs_graph_engine_sweeps_regular (void)
{
  return &fs_graph_sweeps_regular_table;
}
