/* SPDX-License-Identifier: MIT */
/* A residual graph in compressed sparse rows.   Layer: solver.
 *
 * The arcs that leave a node are contiguous, in the order of the edge list; each has its head, its
 * reverse arc and its residual. Residuals fit in 32 bits, as the sum of an edge's two capacities
 * does.
 */
#ifndef FS_SOLVER_GRAPH_GRAPH_ROWS_H
#define FS_SOLVER_GRAPH_GRAPH_ROWS_H

#include "solver/graph/graph.h"

G_BEGIN_DECLS

#define FS_GRAPH_NO_ARC UINT32_MAX

typedef struct {
  uint32_t head;
  uint32_t reverse; /* the arc from the head back */
  uint32_t residual;
} FsGraphArc;

typedef struct {
  uint32_t n_nodes;
  uint32_t n_edges;
  uint32_t *first;    /* [n_nodes + 1]: the arcs of v are first[v] … first[v + 1] − 1 */
  FsGraphArc *arc;    /* two for each edge that is not a loop                       */
  uint32_t *edge_arc; /* [n_edges]: the arc from → to; FS_GRAPH_NO_ARC for a loop    */
  int64_t *excess;    /* [n_nodes]                                                   */
} FsGraphRows;

/* Zero flow, excess = t-link. FALSE when memory ends; clear it in any case. */
gboolean fs_graph_rows_init (FsGraphRows *rows, const FsGraph *graph);
void fs_graph_rows_clear (FsGraphRows *rows);

/* Bytes of the rows of a graph without loops. */
size_t fs_graph_rows_bytes (uint32_t n_nodes, uint32_t n_edges);

G_END_DECLS

#endif
