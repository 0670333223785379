/* SPDX-License-Identifier: MIT */
/* The proof that a cut of a graph is minimal.   Layer: solver.
 *
 * Threads: any.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_CERTIFICATE_H
#define FS_SOLVER_GRAPH_GRAPH_CERTIFICATE_H

#include "solver/certificate.h"
#include "solver/graph/graph.h"

G_BEGIN_DECLS

/* Checks a cut from plain arrays, as fs_solver_certify does for the grid, with loops that share no
 * code with any solver: every residual within its edge's two capacities, excess conserved, the mask
 * canonical, energy equal to the value of the flow. Memory: 9 bytes a node and 8 an edge. Errors:
 * FS_SOLVER_ERROR_INVALID (see fs_graph_validate), MEMORY. */
gboolean fs_graph_certify (const FsGraph *graph, const int64_t *excess, const uint32_t *residual,
                           const uint8_t *mask, FsCertificate *certificate, GError **error);

G_END_DECLS

#endif
