/* SPDX-License-Identifier: MIT */
#include "solver/graph_solver.h"
#include "solver/checked_memory.h"
#include "solver/graph_trees.h"

#include <string.h>

/* Changing more than one node or edge in so many is cheaper with new trees than with mended ones.
 */
enum { ITEMS_PER_REPAIR = 8 };

struct _FsGraphSolver {
  FsGraph *graph;
  FsGraphRows rows;
  FsGraphSearch search;
  uint8_t *mask; /* of the last solve */
};

size_t
fs_graph_solver_forecast_bytes (uint32_t n_nodes, uint32_t n_edges)
{
  return sizeof (FsGraphSolver) + fs_graph_rows_bytes (n_nodes, n_edges)
         + (size_t)n_nodes * (sizeof (FsGraphNode) + sizeof (uint32_t) + sizeof (uint8_t));
}

static gboolean
allocate (FsGraphSolver *solver, FsGraph *graph)
{
  *solver = (FsGraphSolver){ .graph = graph };
  solver->mask = fs_memory_new (graph->n_nodes, 1);
  return solver->mask != NULL && fs_graph_rows_init (&solver->rows, graph)
         && fs_graph_search_init (&solver->search, &solver->rows);
}

FsGraphSolver *
fs_graph_solver_new (FsGraph *graph, GError **error)
{
  g_return_val_if_fail (graph != NULL, NULL);
  if (!fs_graph_validate (graph, error))
    return NULL;
  FsGraphSolver *solver = fs_memory_new (1, sizeof *solver);
  if (solver == NULL || !allocate (solver, graph)) {
    fs_graph_solver_free (solver);
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the cut of %u nodes and %u edges, which takes %zu MB",
                 graph->n_nodes, graph->n_edges,
                 fs_graph_solver_forecast_bytes (graph->n_nodes, graph->n_edges) >> 20);
    return NULL;
  }
  memset (solver->mask, 0, graph->n_nodes);
  return solver;
}

void
fs_graph_solver_free (FsGraphSolver *solver)
{
  if (solver == NULL)
    return;
  fs_graph_search_clear (&solver->search);
  fs_graph_rows_clear (&solver->rows);
  fs_memory_free (solver->mask);
  fs_memory_free (solver);
}

/* Before n of so many items change: forgets the trees where making new ones is cheaper. */
static void
expect_changes (FsGraphSolver *solver, size_t n, uint32_t n_items)
{
  if (n > n_items / ITEMS_PER_REPAIR)
    fs_graph_trees_reset (&solver->search);
}

static void
add_excess (FsGraphSolver *solver, uint32_t node, int64_t added)
{
  if (added != 0)
    fs_graph_trees_change_excess (&solver->search, node, solver->rows.excess[node] + added);
}

gboolean
fs_graph_solver_change_tlinks (FsGraphSolver *solver, const FsGraphTlinkChange *changes, size_t n,
                               GError **error)
{
  g_return_val_if_fail (solver != NULL && (changes != NULL || n == 0), FALSE);
  FsGraph *graph = solver->graph;
  for (size_t i = 0; i < n; i++)
    if (changes[i].node >= graph->n_nodes || changes[i].tlink > FS_GRAPH_TLINK_MAX
        || changes[i].tlink < -FS_GRAPH_TLINK_MAX) {
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                   "node %u cannot have the t-link %" G_GINT64_FORMAT, changes[i].node,
                   changes[i].tlink);
      return FALSE;
    }
  expect_changes (solver, n, graph->n_nodes);
  for (size_t i = 0; i < n; i++) {
    int64_t *tlink = &graph->tlink[changes[i].node];
    add_excess (solver, changes[i].node, changes[i].tlink - *tlink);
    *tlink = changes[i].tlink;
  }
  return TRUE;
}

/* Keeps as much of the edge's flow as its new capacities allow; the rest goes back to its ends. */
static void
change_edge (FsGraphSolver *solver, const FsGraphEdgeChange *change)
{
  FsGraphEdge *edge = &solver->graph->edges[change->edge];
  uint32_t forth = solver->rows.edge_arc[change->edge];
  int32_t old_capacity = edge->capacity;
  edge->capacity = change->capacity;
  edge->back = change->back;
  if (forth == FS_GRAPH_NO_ARC)
    return;
  const FsGraphArc *arc = &solver->rows.arc[forth];
  uint32_t reverse = arc->reverse;
  int64_t flow = (int64_t)old_capacity - arc->residual;
  int64_t kept = CLAMP (flow, -(int64_t)change->back, (int64_t)change->capacity);
  fs_graph_trees_change_arc (&solver->search, edge->from, forth,
                             (uint32_t)(change->capacity - kept));
  fs_graph_trees_change_arc (&solver->search, edge->to, reverse, (uint32_t)(change->back + kept));
  add_excess (solver, edge->from, flow - kept);
  add_excess (solver, edge->to, kept - flow);
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
  expect_changes (solver, n, solver->graph->n_edges);
  for (size_t i = 0; i < n; i++)
    change_edge (solver, &changes[i]);
  return TRUE;
}

/* What is not in the sink's trees is object. */
static void
update_mask (FsGraphSolver *solver)
{
  for (uint32_t v = 0; v < solver->rows.n_nodes; v++)
    solver->mask[v] = (solver->search.node[v].word & FS_NODE_TREE) != FS_NODE_SINK;
}

static int64_t
sum_bound (const FsGraphSolver *solver)
{
  int64_t sum = 0;
  for (uint32_t v = 0; v < solver->rows.n_nodes; v++)
    sum += MAX (solver->graph->tlink[v], 0) - MAX (solver->rows.excess[v], 0);
  return sum;
}

gboolean
fs_graph_solver_solve (FsGraphSolver *solver, const FsProgress *progress, FsSolution *solution,
                       GError **error)
{
  g_return_val_if_fail (solver != NULL && solution != NULL, FALSE);
  FsGraphOutcome outcome = fs_graph_search_run (&solver->search, progress);
  if (outcome == FS_GRAPH_CANCELLED) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
    return FALSE;
  }
  if (outcome == FS_GRAPH_NO_MEMORY) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to find the cut");
    return FALSE;
  }
  update_mask (solver);
  solution->energy = fs_graph_energy (solver->graph, solver->mask);
  solution->bound = sum_bound (solver);
  solution->exact = solution->energy == solution->bound;
  return TRUE;
}

void
fs_graph_solver_read_mask (FsGraphSolver *solver, uint8_t *mask)
{
  g_return_if_fail (solver != NULL && mask != NULL);
  memcpy (mask, solver->mask, solver->rows.n_nodes);
}

void
fs_graph_solver_read_state (FsGraphSolver *solver, int64_t *excess, uint32_t *residual)
{
  g_return_if_fail (solver != NULL && excess != NULL);
  g_return_if_fail (residual != NULL || solver->rows.n_edges == 0);
  const FsGraphRows *rows = &solver->rows;
  memcpy (excess, rows->excess, (size_t)rows->n_nodes * sizeof *excess);
  for (uint32_t i = 0; i < rows->n_edges; i++) {
    uint32_t arc = rows->edge_arc[i];
    /* A loop carries nothing. */
    residual[i] = arc != FS_GRAPH_NO_ARC ? rows->arc[arc].residual
                                         : (uint32_t)solver->graph->edges[i].capacity;
  }
}

size_t
fs_graph_solver_size_bytes (FsGraphSolver *solver)
{
  g_return_val_if_fail (solver != NULL, 0);
  const FsGraphRows *rows = &solver->rows;
  return sizeof *solver + fs_graph_rows_bytes (rows->n_nodes, rows->n_edges) + rows->n_nodes
         + fs_graph_search_bytes (&solver->search);
}

gboolean
fs_graph_solver_certify (FsGraphSolver *solver, FsCertificate *certificate, GError **error)
{
  g_return_val_if_fail (solver != NULL && certificate != NULL, FALSE);
  const FsGraph *graph = solver->graph;
  int64_t *excess = fs_memory_new (graph->n_nodes, sizeof *excess);
  uint32_t *residual = fs_memory_new (graph->n_edges, sizeof *residual);
  gboolean done = FALSE;
  if (excess != NULL && residual != NULL) {
    fs_graph_solver_read_state (solver, excess, residual);
    done = fs_graph_certify (graph, excess, residual, solver->mask, certificate, error);
  } else
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to check the cut of %u nodes and %u edges", graph->n_nodes,
                 graph->n_edges);
  fs_memory_free (excess);
  fs_memory_free (residual);
  return done;
}
