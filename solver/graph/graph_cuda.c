/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph_cuda.h"

#include "solver/backend.h"
#include "solver/cuda/cancel.h"
#include "solver/cuda/cuda_module.h"
#include "solver/graph/graph_backend.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* The host's lists go to the device as they are. */
G_STATIC_ASSERT (sizeof (FsGraphEdge) == sizeof (FsGraphEngineEdge));
G_STATIC_ASSERT (G_STRUCT_OFFSET (FsGraphEdge, capacity)
                 == G_STRUCT_OFFSET (FsGraphEngineEdge, capacity));

/* A cut of fewer nodes and edges is done before a device is awake. */
enum { FEWEST_WORTH = 2000000 };

typedef struct {
  FsGraphSolver solver;
  const FsGraphEngineTable *table;
  FsGraphEngine *engine; /* NULL after a failure                                */
  FsGraphSolver *cpu;    /* goes on after it; NULL till it is first asked to solve */
  uint8_t *mask;         /* of the last solve, whoever did it                   */
  uint8_t *next_mask;    /* of one that has not ended yet                       */
  FsGraphEngineResult result;
} CudaSolver;

static FsGraphTuning wanted_tuning;

static CudaSolver *
cuda_solver (FsGraphSolver *solver)
{
  return (CudaSolver *)solver;
}

gboolean
fs_graph_cuda_is_available (GError **error)
{
  return fs_cuda_module_get_graph (error) != NULL;
}

gboolean
fs_graph_cuda_is_worth (uint32_t n_nodes, uint32_t n_edges)
{
  return (uint64_t)n_nodes + n_edges >= FEWEST_WORTH;
}

void
fs_graph_cuda_use (const FsGraphEngineTable *table, FsGraphTuning tuning)
{
  wanted_tuning = tuning;
  fs_cuda_module_use_graph (table);
}

/* --- Going on with the CPU --- */

/* Gives the engine up. The graph holds the whole problem, so nothing is lost but time. */
static void
give_up_engine (CudaSolver *cuda, const FsEngineError *failure)
{
  fs_cuda_module_set_notice (failure);
  g_clear_pointer (&cuda->engine, cuda->table->destroy);
  cuda->result = (FsGraphEngineResult){ 0 };
}

/* The CPU solver that goes on in its place. Where memory was short, its allocation is tried again.
 */
static FsGraphSolver *
get_graph_successor (CudaSolver *cuda, GError **error)
{
  if (cuda->cpu == NULL)
    cuda->cpu = fs_graph_backend_cpu.create (cuda->solver.graph, error);
  return cuda->cpu;
}

static gboolean
solve_on_cpu (CudaSolver *cuda, const FsProgress *progress, FsSolution *solution, GError **error)
{
  FsGraphSolver *cpu = get_graph_successor (cuda, error);
  if (cpu == NULL || !fs_graph_solver_solve (cpu, progress, solution, error))
    return FALSE;
  fs_graph_solver_read_mask (cpu, cuda->mask);
  return TRUE;
}

/* --- The table --- */

static void
cuda_destroy (FsGraphSolver *solver)
{
  CudaSolver *cuda = cuda_solver (solver);
  g_clear_pointer (&cuda->engine, cuda->table->destroy);
  g_clear_pointer (&cuda->cpu, fs_graph_solver_free);
  fs_memory_free (cuda->mask);
  fs_memory_free (cuda->next_mask);
  fs_memory_free (cuda);
}

static CudaSolver *
allocate_solver (FsGraph *graph, const FsGraphEngineTable *table, GError **error)
{
  CudaSolver *cuda = fs_memory_new (1, sizeof *cuda);
  if (cuda != NULL) {
    *cuda = (CudaSolver){ .solver = { .backend = &fs_graph_backend_cuda, .graph = graph },
                          .table = table,
                          .mask = fs_memory_new (graph->n_nodes, 1),
                          .next_mask = fs_memory_new (graph->n_nodes, 1) };
    if (cuda->mask != NULL && cuda->next_mask != NULL) {
      memset (cuda->mask, 0, graph->n_nodes);
      return cuda;
    }
    cuda_destroy (&cuda->solver);
  }
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the cut of %u nodes and %u edges", graph->n_nodes,
               graph->n_edges);
  return NULL;
}

static FsGraphSolver *
cuda_create (FsGraph *graph, GError **error)
{
  const FsGraphEngineTable *table = fs_cuda_module_get_graph (error);
  CudaSolver *cuda = table != NULL ? allocate_solver (graph, table, error) : NULL;
  if (cuda == NULL)
    return NULL;
  FsGraphEngineProblem problem = { .n_nodes = graph->n_nodes,
                                   .n_edges = graph->n_edges,
                                   .tlink = graph->tlink,
                                   .edges = (const FsGraphEngineEdge *)graph->edges,
                                   .tuning = wanted_tuning };
  FsEngineError failure = { "" };
  if (table->create (&problem, &cuda->engine, &failure) == FS_ENGINE_DONE)
    return &cuda->solver;
  give_up_engine (cuda, &failure);
  if (get_graph_successor (cuda, error) != NULL)
    return &cuda->solver;
  cuda_destroy (&cuda->solver);
  return NULL;
}

/* --- Changes --- */

/* Memory for n changes that the engine is told of; gives the engine up where there is none. */
static void *
new_list (CudaSolver *cuda, size_t n, size_t size)
{
  void *list = fs_memory_new (n, size);
  if (list == NULL)
    give_up_engine (cuda, &(FsEngineError){ "not enough memory for the changes" });
  return list;
}

/* While there is no engine and no successor yet, the graph alone keeps them. */
static gboolean
cuda_change_tlinks (FsGraphSolver *solver, const FsGraphTlinkChange *changes, size_t n,
                    GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu != NULL)
    return fs_graph_solver_change_tlinks (cuda->cpu, changes, n, error);
  for (size_t i = 0; i < n; i++)
    solver->graph->tlink[changes[i].node] = changes[i].tlink;
  FsGraphTlinkChange *last = cuda->engine != NULL ? new_list (cuda, n, sizeof *last) : NULL;
  if (last == NULL)
    return TRUE;
  for (size_t i = 0; i < n; i++)
    last[i] = (FsGraphTlinkChange){ changes[i].node, solver->graph->tlink[changes[i].node] };
  if (cuda->table->change_tlinks (cuda->engine, last, n, &failure) != FS_ENGINE_DONE)
    give_up_engine (cuda, &failure);
  fs_memory_free (last);
  return TRUE;
}

static gboolean
cuda_change_edges (FsGraphSolver *solver, const FsGraphEdgeChange *changes, size_t n,
                   GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->cpu != NULL)
    return fs_graph_solver_change_edges (cuda->cpu, changes, n, error);
  FsGraphEdge *edges = solver->graph->edges;
  for (size_t i = 0; i < n; i++) {
    edges[changes[i].edge].capacity = changes[i].capacity;
    edges[changes[i].edge].back = changes[i].back;
  }
  FsGraphEdgeChange *last = cuda->engine != NULL ? new_list (cuda, n, sizeof *last) : NULL;
  if (last == NULL)
    return TRUE;
  for (size_t i = 0; i < n; i++) {
    const FsGraphEdge *edge = &edges[changes[i].edge];
    last[i] = (FsGraphEdgeChange){ changes[i].edge, edge->capacity, edge->back };
  }
  if (cuda->table->change_edges (cuda->engine, last, n, &failure) != FS_ENGINE_DONE)
    give_up_engine (cuda, &failure);
  fs_memory_free (last);
  return TRUE;
}

/* --- Solving and reading --- */

static void
take_result (CudaSolver *cuda, FsSolution *solution)
{
  uint8_t *previous = cuda->mask;
  cuda->mask = cuda->next_mask;
  cuda->next_mask = previous;
  solution->energy = cuda->result.energy;
  solution->bound = cuda->result.bound;
  solution->exact = solution->energy == solution->bound;
}

static gboolean
cuda_solve (FsGraphSolver *solver, const FsProgress *progress, FsSolution *solution, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  FsEngineError failure = { "" };
  if (cuda->engine != NULL) {
    FsCudaWatch watch = fs_cuda_watch_start (progress);
    int status = cuda->table->solve (cuda->engine, fs_cuda_watch_is_cancelled, &watch,
                                     cuda->next_mask, &cuda->result, &failure);
    if (status == FS_ENGINE_CANCELLED) {
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
      return FALSE;
    }
    if (status == FS_ENGINE_DONE) {
      take_result (cuda, solution);
      return TRUE;
    }
    give_up_engine (cuda, &failure);
  }
  return solve_on_cpu (cuda, progress, solution, error);
}

static void
cuda_read_mask (FsGraphSolver *solver, uint8_t *mask)
{
  memcpy (mask, cuda_solver (solver)->mask, solver->graph->n_nodes);
}

static gboolean
cuda_read_state (FsGraphSolver *solver, int64_t *excess, uint32_t *residual, GError **error)
{
  CudaSolver *cuda = cuda_solver (solver);
  static const FsProgress silent;
  FsEngineError failure = { "" };
  FsSolution solution;
  if (cuda->engine != NULL) {
    if (cuda->table->read_state (cuda->engine, excess, residual, &failure) == FS_ENGINE_DONE)
      return TRUE;
    give_up_engine (cuda, &failure);
  }
  if (cuda->cpu == NULL && !solve_on_cpu (cuda, &silent, &solution, error))
    return FALSE;
  return fs_graph_solver_read_state (cuda->cpu, excess, residual, error);
}

static size_t
cuda_size_bytes (FsGraphSolver *solver)
{
  CudaSolver *cuda = cuda_solver (solver);
  return sizeof *cuda + 2 * (size_t)solver->graph->n_nodes
         + (cuda->cpu != NULL      ? fs_graph_solver_size_bytes (cuda->cpu)
            : cuda->engine != NULL ? cuda->table->size_bytes (cuda->engine)
                                   : 0);
}

static const FsGraphBackend *
cuda_in_use (FsGraphSolver *solver)
{
  return cuda_solver (solver)->engine != NULL ? &fs_graph_backend_cuda : &fs_graph_backend_cpu;
}

void
fs_graph_cuda_last_result (FsGraphSolver *solver, FsGraphEngineResult *result)
{
  g_return_if_fail (solver != NULL && solver->backend == &fs_graph_backend_cuda && result != NULL);
  *result = cuda_solver (solver)->result;
}

const FsGraphBackend fs_graph_backend_cuda = {
  .name = "cuda",
  .device = fs_cuda_module_device,
  .create = cuda_create,
  .destroy = cuda_destroy,
  .change_tlinks = cuda_change_tlinks,
  .change_edges = cuda_change_edges,
  .solve = cuda_solve,
  .read_mask = cuda_read_mask,
  .read_state = cuda_read_state,
  .size_bytes = cuda_size_bytes,
  .in_use = cuda_in_use,
};
