/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph_solver.h"

#include "solver/graph/graph_backend.h"
#include "solver/system/checked_memory.h"

FsGraphSolver *
fs_graph_solver_new (const FsGraphBackend *backend, FsGraph *graph, GError **error)
{
  g_return_val_if_fail (backend != NULL && graph != NULL, NULL);
  if (!fs_graph_validate (graph, error))
    return NULL;
  FsGraphSolver *solver = backend->create (graph, error);
  g_assert (solver == NULL || (solver->backend == backend && solver->graph == graph));
  return solver;
}

void
fs_graph_solver_free (FsGraphSolver *solver)
{
  if (solver != NULL)
    solver->backend->destroy (solver);
}

gboolean
fs_graph_solver_change_tlinks (FsGraphSolver *solver, const FsGraphTlinkChange *changes, size_t n,
                               GError **error)
{
  g_return_val_if_fail (solver != NULL && (changes != NULL || n == 0), FALSE);
  for (size_t i = 0; i < n; i++)
    if (changes[i].node >= solver->graph->n_nodes || changes[i].tlink > FS_GRAPH_TLINK_MAX
        || changes[i].tlink < -FS_GRAPH_TLINK_MAX) {
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                   "node %u cannot have the t-link %" G_GINT64_FORMAT, changes[i].node,
                   changes[i].tlink);
      return FALSE;
    }
  return solver->backend->change_tlinks (solver, changes, n, error);
}

gboolean
fs_graph_solver_change_edges (FsGraphSolver *solver, const FsGraphEdgeChange *changes, size_t n,
                              GError **error)
{
  g_return_val_if_fail (solver != NULL && (changes != NULL || n == 0), FALSE);
  for (size_t i = 0; i < n; i++)
    if (changes[i].edge >= solver->graph->n_edges || changes[i].capacity < 0
        || changes[i].back < 0) {
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                   "edge %u cannot have the capacities %d and %d", changes[i].edge,
                   changes[i].capacity, changes[i].back);
      return FALSE;
    }
  return solver->backend->change_edges (solver, changes, n, error);
}

gboolean
fs_graph_solver_solve (FsGraphSolver *solver, const FsProgress *progress, FsSolution *solution,
                       GError **error)
{
  g_return_val_if_fail (solver != NULL && solution != NULL, FALSE);
  static const FsProgress silent;
  if (fs_progress_is_cancelled (progress)) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
    return FALSE;
  }
  return solver->backend->solve (solver, progress != NULL ? progress : &silent, solution, error);
}

void
fs_graph_solver_read_mask (FsGraphSolver *solver, uint8_t *mask)
{
  g_return_if_fail (solver != NULL && mask != NULL);
  solver->backend->read_mask (solver, mask);
}

gboolean
fs_graph_solver_read_state (FsGraphSolver *solver, int64_t *excess, uint32_t *residual,
                            GError **error)
{
  g_return_val_if_fail (solver != NULL && excess != NULL, FALSE);
  g_return_val_if_fail (residual != NULL || solver->graph->n_edges == 0, FALSE);
  return solver->backend->read_state (solver, excess, residual, error);
}

size_t
fs_graph_solver_size_bytes (FsGraphSolver *solver)
{
  g_return_val_if_fail (solver != NULL, 0);
  return solver->backend->size_bytes (solver);
}

const FsGraphBackend *
fs_graph_solver_get_backend (FsGraphSolver *solver)
{
  g_return_val_if_fail (solver != NULL, NULL);
  return solver->backend->in_use (solver);
}

/* The mask is read last: a device that fails in between leaves state and mask to the CPU. */
static gboolean
certify_state (FsGraphSolver *solver, int64_t *excess, uint32_t *residual, uint8_t *mask,
               FsCertificate *certificate, GError **error)
{
  if (!fs_graph_solver_read_state (solver, excess, residual, error))
    return FALSE;
  fs_graph_solver_read_mask (solver, mask);
  return fs_graph_certify (solver->graph, excess, residual, mask, certificate, error);
}

gboolean
fs_graph_solver_certify (FsGraphSolver *solver, FsCertificate *certificate, GError **error)
{
  g_return_val_if_fail (solver != NULL && certificate != NULL, FALSE);
  const FsGraph *graph = solver->graph;
  int64_t *excess = fs_memory_new (graph->n_nodes, sizeof *excess);
  uint32_t *residual = fs_memory_new (graph->n_edges, sizeof *residual);
  uint8_t *mask = fs_memory_new (graph->n_nodes, 1);
  gboolean done = FALSE;
  if (excess != NULL && residual != NULL && mask != NULL)
    done = certify_state (solver, excess, residual, mask, certificate, error);
  else
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to check the cut of %u nodes and %u edges", graph->n_nodes,
                 graph->n_edges);
  fs_memory_free (excess);
  fs_memory_free (residual);
  fs_memory_free (mask);
  return done;
}
