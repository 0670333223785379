/* SPDX-License-Identifier: MIT */
/* The CUDA backend for graphs.   Layer: solver.
 *
 * It shares module, device and notice with solver/cuda/cuda_backend.h: a solver whose device fails
 * at any call goes on with the CPU on the same graph, which holds the whole problem; the caller
 * gets the same mask, later, and fs_cuda_notice() has the reason.
 *
 * Threads: safe, but for fs_graph_cuda_use().
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_CUDA_H
#define FS_SOLVER_GRAPH_GRAPH_CUDA_H

#include "solver/graph/graph_solver.h"
#include "solver/kernels/graph/graph_engine.h"

G_BEGIN_DECLS

extern const FsGraphBackend fs_graph_backend_cuda;

/* Returns whether the module and a device are there. Errors: BACKEND, with the reason. */
gboolean fs_graph_cuda_is_available (GError **error);

/* Returns whether a graph is so large that the device cuts it sooner, including its start-up time.
 */
gboolean fs_graph_cuda_is_worth (uint32_t n_nodes, uint32_t n_edges);

/* Statistics of a solver's last solve; all 0 after a solve by the CPU. */
void fs_graph_cuda_last_result (FsGraphSolver *solver, FsGraphEngineResult *result);

/* For tests and benchmarks: solvers that are made from now on use this table (NULL: the module's)
 * and this tuning. Forgets the notice. */
void fs_graph_cuda_use (const FsGraphEngineTable *table, FsGraphTuning tuning);

G_END_DECLS

#endif
