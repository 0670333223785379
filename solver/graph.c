/* SPDX-License-Identifier: MIT */
#include "solver/graph.h"
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
is_tlink (int64_t tlink)
{
  return tlink <= FS_GRAPH_TLINK_MAX && tlink >= -FS_GRAPH_TLINK_MAX;
}

static gboolean
fail_tlink (uint32_t node, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
               "the t-link of node %u is beyond ±%" G_GINT64_FORMAT, node, FS_GRAPH_TLINK_MAX);
  return FALSE;
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
  if (!validate_sizes (graph, error))
    return FALSE;
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    if (!is_tlink (graph->tlink[v]))
      return fail_tlink (v, error);
  for (uint32_t i = 0; i < graph->n_edges; i++)
    if (!validate_edge (graph, i, error))
      return FALSE;
  return TRUE;
}

/* Ties a node to the source by `up` and to the sink by `down`. What flows from one to the other
 * through the node alone is the same in every cut. */
static gboolean
tie (FsGraph *graph, uint32_t node, int64_t up, int64_t down, int64_t *constant, GError **error)
{
  int64_t tlink = graph->tlink[node];
  int64_t from_source = MAX (tlink, 0) + up;
  int64_t to_sink = MAX (-tlink, 0) + down;
  *constant += MIN (from_source, to_sink);
  graph->tlink[node] = from_source - to_sink;
  return is_tlink (graph->tlink[node]) || fail_tlink (node, error);
}

static gboolean
fold_edge (FsGraph *graph, const FsGraphEdge *edge, uint32_t source, uint32_t sink,
           int64_t *constant, GError **error)
{
  if ((edge->from == source && edge->to == sink) || (edge->from == sink && edge->to == source)) {
    *constant += edge->from == source ? edge->capacity : edge->back;
    return TRUE;
  }
  if (edge->from == edge->to)
    return TRUE;
  if (edge->from == source)
    return tie (graph, edge->to, edge->capacity, 0, constant, error);
  if (edge->to == source)
    return tie (graph, edge->from, edge->back, 0, constant, error);
  if (edge->to == sink)
    return tie (graph, edge->from, 0, edge->capacity, constant, error);
  return tie (graph, edge->to, 0, edge->back, constant, error);
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
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    FsGraphEdge edge = graph->edges[i];
    if (edge.from != source && edge.from != sink && edge.to != source && edge.to != sink)
      graph->edges[n_kept++] = edge;
    else if (!fold_edge (graph, &edge, source, sink, constant, error))
      return FALSE;
  }
  graph->n_edges = n_kept;
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
