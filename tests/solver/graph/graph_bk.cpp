/* SPDX-License-Identifier: MIT */
#include "tests/solver/graph/graph_others.h"

#include <maxflow.h>

typedef maxflow::Graph_DDD Graph;

int64_t
graph_cut_by_bk (const FsGraph *graph, uint8_t *mask)
{
  Graph bk ((int)graph->n_nodes, (int)graph->n_edges);
  bk.add_node ((int)graph->n_nodes);
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    bk.add_tweights ((int)v, (double)MAX (graph->tlink[v], 0), (double)MAX (-graph->tlink[v], 0));
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    const FsGraphEdge *edge = &graph->edges[i];
    if (edge->from != edge->to)
      bk.add_edge ((int)edge->from, (int)edge->to, edge->capacity, edge->back);
  }
  double flow = bk.maxflow ();
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    mask[v] = bk.what_segment ((int)v, Graph::SOURCE) == Graph::SOURCE;
  return (int64_t)flow;
}
