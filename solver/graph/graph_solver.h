/* SPDX-License-Identifier: MIT */
/* One exact minimum cut of any graph, kept up to date.   Layer: solver.
 *
 * The counterpart of solver.h for graphs: a solver is bound to one graph and has the residuals of
 * each edge, in both directions, and a signed excess per node, e(v) = t(v) + inflow − outflow. Any
 * flow within the capacities is a valid start, so the cost follows the changed t-links and
 * capacities, and the next solve begins where the last one ended, with its search trees (Kohli &
 * Torr 2007), also when that one was cancelled.
 *
 * The mask is canonical: background = the nodes that can still reach a deficit (e < 0) in the
 * residual graph, all others object. It is the same set for every maximum flow, hence for every
 * history and backend.
 *
 * Backends, as in solver.h: the CPU (solver/graph/graph_cpu.c) and a CUDA device
 * (solver/graph/graph_cuda.h). Mask, energy and bound are the same with both.
 *
 * Threads: one thread at a time per solver; cancellation may come from any thread.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_SOLVER_H
#define FS_SOLVER_GRAPH_GRAPH_SOLVER_H

#include "solver/graph/graph_certificate.h"
#include "solver/progress.h"
#include "solver/solver_types.h"

G_BEGIN_DECLS

extern const FsGraphBackend fs_graph_backend_cpu;

/* "cpu" or "cuda", and its device in words; static storage. */
const char *fs_graph_backend_get_name (const FsGraphBackend *backend);
const char *fs_graph_backend_get_device (const FsGraphBackend *backend);

/* The backend named "cpu" or "cuda"; "auto" is the device's for a graph of so many nodes and edges
 * that waking it pays, where there is one, else the CPU's. Errors: FS_SOLVER_ERROR_BACKEND for an
 * unknown name and for one that this build or machine lacks. */
const FsGraphBackend *fs_graph_backend_find (const char *name, uint32_t n_nodes, uint32_t n_edges,
                                             GError **error);

/* Bytes of a CPU solver for so many nodes and edges, the graph's own lists not counted: about 28 a
 * node and 28 an edge. A search adds up to 16 a node for its lists. */
size_t fs_graph_solver_forecast_bytes (uint32_t n_nodes, uint32_t n_edges);

/* Builds the state (O(N + M)). The graph and its lists stay the caller's and must outlive the
 * solver. Errors: INVALID (see fs_graph_validate), MEMORY, BACKEND. */
FsGraphSolver *fs_graph_solver_new (const FsGraphBackend *backend, FsGraph *graph, GError **error);
void fs_graph_solver_free (FsGraphSolver *solver);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsGraphSolver, fs_graph_solver_free)

/* Sets n t-links, or the capacities of n edges, in the graph and in the state. A node or an edge
 * may occur twice: the last one wins. Flow that no longer fits is taken back. Cost O(n), and what
 * the next solve has to mend. Errors: INVALID (a node, an edge or a value out of its range; then
 * nothing has changed). */
gboolean fs_graph_solver_change_tlinks (FsGraphSolver *solver, const FsGraphTlinkChange *changes,
                                        size_t n, GError **error);
gboolean fs_graph_solver_change_edges (FsGraphSolver *solver, const FsGraphEdgeChange *changes,
                                       size_t n, GError **error);

/* Finds the exact minimum cut of the graph as it is now. The search costs what changed; energy and
 * bound are summed anew, O(N + M). Errors: CANCELLED, MEMORY; the state stays valid. Blocks. */
gboolean fs_graph_solver_solve (FsGraphSolver *solver, const FsProgress *progress,
                                FsSolution *solution, GError **error);

/* Copies the mask of the last solve: N bytes, 1 object, 0 background. */
void fs_graph_solver_read_mask (FsGraphSolver *solver, uint8_t *mask);

/* Copies the state: N excesses, and the residuals of from → to of M edges. The residual of to →
 * from is the sum of the edge's capacities less that. Errors: where a device can no longer be read,
 * those of a solve by the CPU in its place. */
gboolean fs_graph_solver_read_state (FsGraphSolver *solver, int64_t *excess, uint32_t *residual,
                                     GError **error);

/* The backend that solves; not the solver's own once its device has failed. */
const FsGraphBackend *fs_graph_solver_get_backend (FsGraphSolver *solver);

/* Bytes of the state now, the graph's own lists not counted. */
size_t fs_graph_solver_size_bytes (FsGraphSolver *solver);

/* fs_graph_certify (graph_certificate.h) of a solver's state. */
gboolean fs_graph_solver_certify (FsGraphSolver *solver, FsCertificate *certificate,
                                  GError **error);

G_END_DECLS

#endif
