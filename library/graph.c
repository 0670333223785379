/* SPDX-License-Identifier: MIT */
#include "library/graph.h"

#include <string.h>

G_STATIC_ASSERT (FRETSAW_GRAPH_NODES_MAX == FS_GRAPH_NODES_MAX);
G_STATIC_ASSERT (FRETSAW_GRAPH_EDGES_MAX == FS_GRAPH_EDGES_MAX);
G_STATIC_ASSERT (FRETSAW_GRAPH_TLINK_MAX == FS_GRAPH_TLINK_MAX);
G_STATIC_ASSERT (sizeof (fretsaw_graph_edge) == sizeof (FsGraphEdge));
G_STATIC_ASSERT (sizeof (fretsaw_node_change) == sizeof (FsGraphTlinkChange));
G_STATIC_ASSERT (sizeof (fretsaw_edge_change) == sizeof (FsGraphEdgeChange));

/* Bytes that a search adds for each node. */
enum { SEARCH_BYTES = 16, SMALL_BYTES = 1 << 20 };

fretsaw_graph *
fs_library_new_graph (fretsaw_context *context)
{
  fretsaw_graph *self = g_new0 (fretsaw_graph, 1);
  self->object.context = fs_library_ref_context (context);
  return self;
}

fretsaw_status
fretsaw_graph_new (fretsaw_context *context, uint32_t n_nodes, fretsaw_graph **graph,
                   fretsaw_error *error)
{
  if (!graph)
    return fs_library_fail (error, FRETSAW_INVALID, "graph is NULL");
  fretsaw_graph *self = fs_library_new_graph (context);
  fretsaw_status status = fretsaw_graph_add_nodes (self, n_nodes, error);
  if (status)
    fretsaw_graph_free (self);
  else
    *graph = self;
  return status;
}

void
fretsaw_graph_free (fretsaw_graph *graph)
{
  if (!graph)
    return;
  fs_graph_solver_free (graph->solver);
  g_free (graph->graph.tlink);
  g_free (graph->graph.edges);
  g_free (graph->node);
  fretsaw_context_free (graph->object.context);
  g_free (graph);
}

size_t
fretsaw_graph_forecast_bytes (uint32_t n_nodes, uint32_t n_edges)
{
  if (n_nodes < 1 || n_nodes > FS_GRAPH_NODES_MAX || n_edges > FS_GRAPH_EDGES_MAX)
    return 0;
  return (sizeof (int64_t) + SEARCH_BYTES) * (size_t)n_nodes
         + sizeof (FsGraphEdge) * (size_t)n_edges
         + fs_graph_solver_forecast_bytes (n_nodes, n_edges) + SMALL_BYTES;
}

uint32_t
fretsaw_graph_count_nodes (const fretsaw_graph *graph)
{
  return graph ? (uint32_t)g_atomic_int_get (&graph->n_counted_nodes) : 0;
}

uint32_t
fretsaw_graph_count_edges (const fretsaw_graph *graph)
{
  return graph ? (uint32_t)g_atomic_int_get (&graph->n_counted_edges) : 0;
}

/* --- Growth --- */

/* Makes room for n_wanted elements of a list, half as many again where it has to move. */
static gboolean
grow (void **list, size_t *capacity, size_t n_wanted, size_t size)
{
  if (n_wanted <= *capacity)
    return TRUE;
  size_t larger = MAX (n_wanted, *capacity + *capacity / 2);
  void *moved = g_try_realloc_n (*list, larger, size);
  if (!moved)
    return FALSE;
  *list = moved;
  *capacity = larger;
  return TRUE;
}

static void
forget_solver (fretsaw_graph *graph)
{
  g_clear_pointer (&graph->solver, fs_graph_solver_free);
  graph->has_mask = graph->is_solved = FALSE;
}

fretsaw_status
fretsaw_graph_add_nodes (fretsaw_graph *graph, uint32_t n, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, graph, "graph", error);
  if (status || n == 0)
    return status;
  FsGraph *own = &graph->graph;
  if (n > FS_GRAPH_NODES_MAX - own->n_nodes)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "%u nodes, and %u more, are too many: a graph has at most %u",
                            own->n_nodes, n, FS_GRAPH_NODES_MAX);
  if (graph->node)
    return fs_library_fail (error, FRETSAW_UNSUPPORTED,
                            "a graph that was read with nodes without arcs takes no more nodes");
  void *list = own->tlink;
  if (!grow (&list, &graph->nodes_capacity, (size_t)own->n_nodes + n, sizeof *own->tlink))
    return fs_library_fail (error, FRETSAW_MEMORY, "not enough memory for %u nodes",
                            own->n_nodes + n);
  own->tlink = list;
  forget_solver (graph);
  memset (own->tlink + own->n_nodes, 0, n * sizeof *own->tlink);
  own->n_nodes += n;
  g_atomic_int_set (&graph->n_counted_nodes, (gint)own->n_nodes);
  return FRETSAW_OK;
}

static fretsaw_status
check_capacities (const char *name, size_t i, int32_t capacity, int32_t back, fretsaw_error *error)
{
  return capacity >= 0 && back >= 0
             ? FRETSAW_OK
             : fs_library_fail (error, FRETSAW_INVALID,
                                "%s %zu has the capacities %d and %d; none may be negative", name,
                                i, capacity, back);
}

static fretsaw_status
check_edge (const FsGraph *graph, const fretsaw_graph_edge *edge, size_t i, fretsaw_error *error)
{
  if (edge->from >= graph->n_nodes || edge->to >= graph->n_nodes)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "edge %zu leads from node %u to node %u; the graph has %u nodes", i,
                            edge->from, edge->to, graph->n_nodes);
  return check_capacities ("edge", i, edge->capacity, edge->back, error);
}

fretsaw_status
fretsaw_graph_add_edges (fretsaw_graph *graph, const fretsaw_graph_edge *edges, size_t n,
                         fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_with_list (&call, graph, "graph", edges, n, "edges", error);
  if (status || n == 0)
    return status;
  FsGraph *own = &graph->graph;
  if (n > FS_GRAPH_EDGES_MAX - own->n_edges)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "%u edges, and %zu more, are too many: a graph has at most %u",
                            own->n_edges, n, FS_GRAPH_EDGES_MAX);
  if (graph->node)
    return fs_library_fail (error, FRETSAW_UNSUPPORTED,
                            "a graph that was read with nodes without arcs takes no more edges");
  for (size_t i = 0; i < n && !status; i++)
    status = check_edge (own, &edges[i], i, error);
  if (status)
    return status;
  void *list = own->edges;
  if (!grow (&list, &graph->edges_capacity, own->n_edges + n, sizeof *own->edges))
    return fs_library_fail (error, FRETSAW_MEMORY, "not enough memory for %zu edges",
                            own->n_edges + n);
  own->edges = list;
  forget_solver (graph);
  memcpy (own->edges + own->n_edges, edges, n * sizeof *own->edges);
  own->n_edges += (uint32_t)n;
  g_atomic_int_set (&graph->n_counted_edges, (gint)own->n_edges);
  return FRETSAW_OK;
}

/* --- Changes --- */

static fretsaw_status
check_node_change (const fretsaw_graph *graph, const fretsaw_node_change *change, size_t i,
                   fretsaw_error *error)
{
  if (change->node >= graph->graph.n_nodes)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "change %zu is of node %u; the graph has %u nodes", i, change->node,
                            graph->graph.n_nodes);
  if (change->tlink > FS_GRAPH_TLINK_MAX || change->tlink < -FS_GRAPH_TLINK_MAX)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "change %zu has the t-link %" G_GINT64_FORMAT
                            ", beyond ±%" G_GINT64_FORMAT,
                            i, change->tlink, FS_GRAPH_TLINK_MAX);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_graph_change_tlinks (fretsaw_graph *graph, const fretsaw_node_change *changes, size_t n,
                             fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_with_list (&call, graph, "graph", changes, n, "changes", error);
  if (!status && graph->node)
    status = fs_library_fail (error, FRETSAW_UNSUPPORTED,
                              "a graph that was read with nodes without arcs does not change");
  for (size_t i = 0; i < n && !status; i++)
    status = check_node_change (graph, &changes[i], i, error);
  if (status || n == 0)
    return status;
  GError *failure = NULL;
  graph->is_solved = FALSE;
  for (size_t i = 0; i < n && !graph->solver; i++)
    graph->graph.tlink[changes[i].node] = changes[i].tlink;
  return !graph->solver
                 || fs_graph_solver_change_tlinks (graph->solver,
                                                   (const FsGraphTlinkChange *)changes, n, &failure)
             ? FRETSAW_OK
             : fs_library_take_error (error, failure);
}

static fretsaw_status
check_edge_change (const fretsaw_graph *graph, const fretsaw_edge_change *change, size_t i,
                   fretsaw_error *error)
{
  if (change->edge >= graph->graph.n_edges)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "change %zu is of edge %u; the graph has %u edges", i, change->edge,
                            graph->graph.n_edges);
  return check_capacities ("change", i, change->capacity, change->back, error);
}

fretsaw_status
fretsaw_graph_change_edges (fretsaw_graph *graph, const fretsaw_edge_change *changes, size_t n,
                            fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_with_list (&call, graph, "graph", changes, n, "changes", error);
  for (size_t i = 0; i < n && !status; i++)
    status = check_edge_change (graph, &changes[i], i, error);
  if (status || n == 0)
    return status;
  GError *failure = NULL;
  graph->is_solved = FALSE;
  for (size_t i = 0; i < n && !graph->solver; i++) {
    FsGraphEdge *edge = &graph->graph.edges[changes[i].edge];
    edge->capacity = changes[i].capacity;
    edge->back = changes[i].back;
  }
  return !graph->solver
                 || fs_graph_solver_change_edges (graph->solver, (const FsGraphEdgeChange *)changes,
                                                  n, &failure)
             ? FRETSAW_OK
             : fs_library_take_error (error, failure);
}

/* --- Solves --- */

static gboolean
make_solver (fretsaw_graph *graph, GError **error)
{
  const FsGraph *own = &graph->graph;
  const FsGraphBackend *backend =
      fs_graph_backend_find (graph->object.context->device, own->n_nodes, own->n_edges, error);
  if (backend)
    graph->solver = fs_graph_solver_new (backend, &graph->graph, error);
  return graph->solver != NULL;
}

fretsaw_status
fretsaw_graph_solve (fretsaw_graph *graph, const fretsaw_progress *progress,
                     fretsaw_solution *solution, fretsaw_error *error)
{
  FsProgress own;
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status =
      fs_library_begin_solve (&call, graph, "graph", &own, progress, solution, error);
  if (status)
    return status;
  if (graph->graph.n_nodes == 0)
    return fs_library_fail (error, FRETSAW_INVALID, "the graph has no nodes");
  FsSolution found;
  GError *failure = NULL;
  graph->is_solved = FALSE;
  if ((!graph->solver && !make_solver (graph, &failure))
      || !fs_graph_solver_solve (graph->solver, &own, &found, &failure))
    return fs_library_take_error (error, failure);
  graph->has_mask = graph->is_solved = TRUE;
  fs_library_give_solution (solution, &found, graph->constant);
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_graph_get_mask (fretsaw_graph *graph, uint8_t *mask, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, graph, "graph", error);
  if (status)
    return status;
  if (!mask)
    return fs_library_fail (error, FRETSAW_INVALID, "mask is NULL");
  if (!graph->has_mask)
    return fs_library_fail (error, FRETSAW_INVALID,
                            "there is no mask: solve the graph as it is now first");
  fs_graph_solver_read_mask (graph->solver, mask);
  if (!graph->node)
    return FRETSAW_OK;
  /* From the last on, so that nothing is overwritten that is still to be read. */
  uint32_t i = graph->graph.n_nodes;
  for (uint32_t v = graph->n_named; v-- > 0;)
    mask[v] = i > 0 && graph->node[i - 1] == v ? mask[--i] : 1;
  return FRETSAW_OK;
}

fretsaw_status
fretsaw_graph_certify (fretsaw_graph *graph, fretsaw_certificate *certificate, fretsaw_error *error)
{
  g_auto (FsLibraryCall) call = { 0 };
  fretsaw_status status = fs_library_begin (&call, graph, "graph", error);
  if (!status)
    status = fs_library_check_certify (graph->is_solved, "graph", certificate, error);
  if (status)
    return status;
  FsCertificate found;
  GError *failure = NULL;
  if (!fs_graph_solver_certify (graph->solver, &found, &failure))
    return fs_library_take_error (error, failure);
  fs_library_give_certificate (certificate, &found, graph->constant);
  return FRETSAW_OK;
}
