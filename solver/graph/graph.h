/* SPDX-License-Identifier: MIT */
/* The problem on any graph: a binary energy over nodes and edges.   Layer: solver (value header).
 *
 *   E(x) = Σ_v D_v(x_v) + Σ_{u→v} c_uv [x_u = 1, x_v = 0]
 *
 * with x_v = 1 object (source side), x_v = 0 background (sink side), as in solver/grid.h, but over
 * a list of edges instead of a grid's planes. D_v is one signed number, the t-link t_v: D_v(0) =
 * max(t_v, 0), D_v(1) = max(−t_v, 0) (Kolmogorov & Zabih 2004, section 4). An edge has a capacity
 * each way. Edges may be parallel, reverse to one another, of no capacity, or loops, which no cut
 * can cut.
 *
 * A network with a source and a sink of its own, as files describe it, becomes such a problem by
 * fs_graph_fold_terminals.
 *
 * Invariants: nodes of edges below n_nodes; capacities in [0, 2³¹ − 1]; Σ|t_v| ≤
 * FS_GRAPH_TLINK_SUM_MAX, which holds wherever each is at most FS_GRAPH_TLINK_MAX. With the limits
 * below every sum of t-links and capacities, every flow and every energy stays within 2⁶². Threads:
 * plain data; nobody may write a graph while a solver that is bound to it runs.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_H
#define FS_SOLVER_GRAPH_GRAPH_H

#include "solver/changes.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FS_GRAPH_NODES_MAX     (1u << 24)
#define FS_GRAPH_EDGES_MAX     (1u << 28)
#define FS_GRAPH_TLINK_MAX     (INT64_C (1) << 37) /* what a t-link may be changed to */
#define FS_GRAPH_TLINK_SUM_MAX (INT64_C (1) << 61)

typedef struct {
  uint32_t from, to;
  int32_t capacity; /* of from → to */
  int32_t back;     /* of to → from */
} FsGraphEdge;

typedef struct {
  uint32_t n_nodes; /* ≥ 1 */
  uint32_t n_edges;
  /* tlink[v] and edges[i]. The t-links and capacities are written through the solver that is bound
   * to the graph, and by nobody else; an edge's nodes never change while one is. */
  int64_t *tlink;
  FsGraphEdge *edges; /* NULL where there are none */
} FsGraph;

/* Checks sizes, nodes, capacities and t-links (O(N + M)). Errors: FS_SOLVER_ERROR_INVALID. */
gboolean fs_graph_validate (const FsGraph *graph, GError **error);

/* Replaces the edges at `source` and `sink`, two different nodes, by t-links; the other edges keep
 * their order. Edges into the source or out of the sink carry no flow and are removed. The minimum
 * cut of the network is the new problem's minimum plus what is added to *constant. Both terminals
 * stay as nodes without edges, on their own sides; t-links that they had are lost. O(N + M).
 * Errors: FS_SOLVER_ERROR_INVALID; the graph is then as it was. */
gboolean fs_graph_fold_terminals (FsGraph *graph, uint32_t source, uint32_t sink, int64_t *constant,
                                  GError **error);

/* E(x) of a mask of N bytes, 0 or 1 (O(N + M), plain loops: the reference for every other sum). */
int64_t fs_graph_energy (const FsGraph *graph, const uint8_t *mask);

G_END_DECLS

#endif
