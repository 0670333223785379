/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph.h"
#include "solver/progress.h"

static gboolean
validate_sizes (const FsGraph *graph, GError **error)
{
  if (graph->n_nodes >= 1 && graph->n_nodes <= FS_GRAPH_NODES_MAX
      && graph->n_edges <= FS_GRAPH_EDGES_MAX && graph->tlink != NULL
      && (graph->n_edges == 0 || graph->edges != NULL))
    return TRUE;
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
               "a graph of %u nodes and %u edges is not a problem; at most %u and %u are",
               graph->n_nodes, graph->n_edges, FS_GRAPH_NODES_MAX, FS_GRAPH_EDGES_MAX);
  return FALSE;
}

static gboolean
validate_tlinks (const FsGraph *graph, GError **error)
{
  int64_t left = FS_GRAPH_TLINK_SUM_MAX;
  for (uint32_t v = 0; v < graph->n_nodes; v++) {
    int64_t tlink = graph->tlink[v];
    if (tlink > left || tlink < -left) {
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                   "the t-links up to that of node %u are together beyond %" G_GINT64_FORMAT, v,
                   FS_GRAPH_TLINK_SUM_MAX);
      return FALSE;
    }
    left -= ABS (tlink);
  }
  return TRUE;
}

static gboolean
validate_edge (const FsGraph *graph, uint32_t i, GError **error)
{
  const FsGraphEdge *edge = &graph->edges[i];
  if (edge->from < graph->n_nodes && edge->to < graph->n_nodes && edge->capacity >= 0
      && edge->back >= 0)
    return TRUE;
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
               "edge %u, %u → %u with the capacities %d and %d, is none of a graph of %u nodes", i,
               edge->from, edge->to, edge->capacity, edge->back, graph->n_nodes);
  return FALSE;
}

gboolean
fs_graph_validate (const FsGraph *graph, GError **error)
{
  g_return_val_if_fail (graph != NULL, FALSE);
  if (!validate_sizes (graph, error) || !validate_tlinks (graph, error))
    return FALSE;
  for (uint32_t i = 0; i < graph->n_edges; i++)
    if (!validate_edge (graph, i, error))
      return FALSE;
  return TRUE;
}

/* Ties a node to the source by `up` and to the sink by `down`. What flows from one to the other
 * through the node alone is the same in every cut. All edges together carry less than 2⁶⁰, and so
 * do all t-links that are made of them. */
static void
tie_to_terminals (FsGraph *graph, uint32_t node, int64_t up, int64_t down, int64_t *constant)
{
  int64_t tlink = graph->tlink[node];
  int64_t from_source = MAX (tlink, 0) + up;
  int64_t to_sink = MAX (-tlink, 0) + down;
  *constant += MIN (from_source, to_sink);
  graph->tlink[node] = from_source - to_sink;
}

static void
fold_edge (FsGraph *graph, const FsGraphEdge *edge, uint32_t source, uint32_t sink,
           int64_t *constant)
{
  if ((edge->from == source && edge->to == sink) || (edge->from == sink && edge->to == source)) {
    *constant += edge->from == source ? edge->capacity : edge->back;
    return;
  }
  if (edge->from == edge->to)
    return;
  if (edge->from == source)
    tie_to_terminals (graph, edge->to, edge->capacity, 0, constant);
  else if (edge->to == source)
    tie_to_terminals (graph, edge->from, edge->back, 0, constant);
  else if (edge->to == sink)
    tie_to_terminals (graph, edge->from, 0, edge->capacity, constant);
  else
    tie_to_terminals (graph, edge->to, 0, edge->back, constant);
}

gboolean
fs_graph_fold_terminals (FsGraph *graph, uint32_t source, uint32_t sink, int64_t *constant,
                         GError **error)
{
  g_return_val_if_fail (graph != NULL && constant != NULL, FALSE);
  g_return_val_if_fail (source != sink, FALSE);
  g_return_val_if_fail (source < graph->n_nodes && sink < graph->n_nodes, FALSE);
  if (!fs_graph_validate (graph, error))
    return FALSE;
  uint32_t n_edges = 0;
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    FsGraphEdge edge = graph->edges[i];
    if (edge.from != source && edge.from != sink && edge.to != source && edge.to != sink)
      graph->edges[n_edges++] = edge;
    else
      fold_edge (graph, &edge, source, sink, constant);
  }
  graph->n_edges = n_edges;
  graph->tlink[source] = 1;
  graph->tlink[sink] = -1;
  return TRUE;
}

int64_t
fs_graph_energy (const FsGraph *graph, const uint8_t *mask)
{
  g_return_val_if_fail (graph != NULL && mask != NULL, 0);
  int64_t sum = 0;
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    sum += mask[v] ? MAX (-graph->tlink[v], 0) : MAX (graph->tlink[v], 0);
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    const FsGraphEdge *edge = &graph->edges[i];
    g_return_val_if_fail (edge->from < graph->n_nodes && edge->to < graph->n_nodes, 0);
    if (mask[edge->from] && !mask[edge->to])
      sum += edge->capacity;
    if (!mask[edge->from] && mask[edge->to])
      sum += edge->back;
  }
  return sum;
}
