/* SPDX-License-Identifier: MIT */
#include "solver/backend.h"
#include "solver/graph/graph_backend.h"
#include "solver/graph/graph_search.h"
#include "solver/graph/graph_solver.h"
#include "solver/graph/graph_trees.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* Changing more than one node or edge in so many is cheaper with new trees than with mended ones.
 */
enum { ITEMS_PER_REPAIR = 8 };

typedef struct {
  FsGraphSolver solver;
  FsGraphRows rows;
  FsGraphSearch search;
  uint8_t *mask; /* of the last solve */
} CpuSolver;

static CpuSolver *
cpu_solver (FsGraphSolver *solver)
{
  return (CpuSolver *)solver;
}

static const char *
cpu_device (void)
{
  return "CPU";
}

size_t
fs_graph_solver_forecast_bytes (uint32_t n_nodes, uint32_t n_edges)
{
  return sizeof (CpuSolver) + fs_graph_rows_bytes (n_nodes, n_edges)
         + (size_t)n_nodes * (sizeof (FsGraphNode) + sizeof (uint32_t) + sizeof (uint8_t));
}

static gboolean
allocate_flow (CpuSolver *cpu, FsGraph *graph)
{
  *cpu = (CpuSolver){ .solver = { .backend = &fs_graph_backend_cpu, .graph = graph } };
  cpu->mask = fs_memory_new (graph->n_nodes, 1);
  return cpu->mask != NULL && fs_graph_rows_init (&cpu->rows, graph)
         && fs_graph_search_init (&cpu->search, &cpu->rows);
}

static void
cpu_destroy (FsGraphSolver *solver)
{
  CpuSolver *cpu = cpu_solver (solver);
  fs_graph_search_clear (&cpu->search);
  fs_graph_rows_clear (&cpu->rows);
  fs_memory_free (cpu->mask);
  fs_memory_free (cpu);
}

static FsGraphSolver *
cpu_create (FsGraph *graph, GError **error)
{
  CpuSolver *cpu = fs_memory_new (1, sizeof *cpu);
  if (cpu == NULL || !allocate_flow (cpu, graph)) {
    if (cpu != NULL)
      cpu_destroy (&cpu->solver);
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the cut of %u nodes and %u edges, which takes %zu MB",
                 graph->n_nodes, graph->n_edges,
                 fs_graph_solver_forecast_bytes (graph->n_nodes, graph->n_edges) >> 20);
    return NULL;
  }
  memset (cpu->mask, 0, graph->n_nodes);
  return &cpu->solver;
}

/* Before n of so many items change: forgets the trees where making new ones is cheaper. */
static void
expect_changes (CpuSolver *cpu, size_t n, uint32_t n_items)
{
  if (n > n_items / ITEMS_PER_REPAIR)
    fs_graph_trees_reset (&cpu->search);
}

static void
add_excess (CpuSolver *cpu, uint32_t node, int64_t added)
{
  if (added != 0)
    fs_graph_trees_change_excess (&cpu->search, node, cpu->rows.excess[node] + added);
}

static gboolean
cpu_change_tlinks (FsGraphSolver *solver, const FsGraphTlinkChange *changes, size_t n,
                   GError **error G_GNUC_UNUSED)
{
  CpuSolver *cpu = cpu_solver (solver);
  expect_changes (cpu, n, solver->graph->n_nodes);
  for (size_t i = 0; i < n; i++) {
    int64_t *tlink = &solver->graph->tlink[changes[i].node];
    add_excess (cpu, changes[i].node, changes[i].tlink - *tlink);
    *tlink = changes[i].tlink;
  }
  return TRUE;
}

/* Keeps as much of the edge's flow as its new capacities allow; the rest goes back to its ends. */
static void
change_edge (CpuSolver *cpu, const FsGraphEdgeChange *change)
{
  FsGraphEdge *edge = &cpu->solver.graph->edges[change->edge];
  uint32_t forth = cpu->rows.edge_arc[change->edge];
  int32_t old_capacity = edge->capacity;
  edge->capacity = change->capacity;
  edge->back = change->back;
  if (forth == FS_GRAPH_NO_ARC)
    return;
  const FsGraphArc *arc = &cpu->rows.arc[forth];
  uint32_t reverse = arc->reverse;
  int64_t flow = (int64_t)old_capacity - arc->residual;
  int64_t new_flow = CLAMP (flow, -(int64_t)change->back, (int64_t)change->capacity);
  fs_graph_trees_change_arc (&cpu->search, edge->from, forth,
                             (uint32_t)(change->capacity - new_flow));
  fs_graph_trees_change_arc (&cpu->search, edge->to, reverse, (uint32_t)(change->back + new_flow));
  add_excess (cpu, edge->from, flow - new_flow);
  add_excess (cpu, edge->to, new_flow - flow);
}

static gboolean
cpu_change_edges (FsGraphSolver *solver, const FsGraphEdgeChange *changes, size_t n,
                  GError **error G_GNUC_UNUSED)
{
  CpuSolver *cpu = cpu_solver (solver);
  expect_changes (cpu, n, solver->graph->n_edges);
  for (size_t i = 0; i < n; i++)
    change_edge (cpu, &changes[i]);
  return TRUE;
}

/* A node outside the sink's trees is object. */
static void
update_mask (CpuSolver *cpu)
{
  for (uint32_t v = 0; v < cpu->rows.n_nodes; v++)
    cpu->mask[v] = (cpu->search.node[v].word & FS_NODE_TREE) != FS_NODE_SINK;
}

static int64_t
sum_bound (const CpuSolver *cpu)
{
  int64_t sum = 0;
  for (uint32_t v = 0; v < cpu->rows.n_nodes; v++)
    sum += MAX (cpu->solver.graph->tlink[v], 0) - MAX (cpu->rows.excess[v], 0);
  return sum;
}

static gboolean
cpu_solve (FsGraphSolver *solver, const FsProgress *progress, FsSolution *solution, GError **error)
{
  CpuSolver *cpu = cpu_solver (solver);
  FsGraphOutcome outcome = fs_graph_search_run (&cpu->search, progress);
  if (outcome == FS_GRAPH_CANCELLED) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
    return FALSE;
  }
  if (outcome == FS_GRAPH_NO_MEMORY) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to find the cut");
    return FALSE;
  }
  update_mask (cpu);
  solution->energy = fs_graph_energy (solver->graph, cpu->mask);
  solution->bound = sum_bound (cpu);
  solution->exact = solution->energy == solution->bound;
  return TRUE;
}

static void
cpu_read_mask (FsGraphSolver *solver, uint8_t *mask)
{
  memcpy (mask, cpu_solver (solver)->mask, solver->graph->n_nodes);
}

static gboolean
cpu_read_state (FsGraphSolver *solver, int64_t *excess, uint32_t *residual,
                GError **error G_GNUC_UNUSED)
{
  const FsGraphRows *rows = &cpu_solver (solver)->rows;
  memcpy (excess, rows->excess, (size_t)rows->n_nodes * sizeof *excess);
  for (uint32_t i = 0; i < rows->n_edges; i++) {
    uint32_t arc = rows->edge_arc[i];
    /* A loop carries nothing. */
    residual[i] = arc != FS_GRAPH_NO_ARC ? rows->arc[arc].residual
                                         : (uint32_t)solver->graph->edges[i].capacity;
  }
  return TRUE;
}

static size_t
cpu_size_bytes (FsGraphSolver *solver)
{
  const FsGraphRows *rows = &cpu_solver (solver)->rows;
  return sizeof (CpuSolver) + fs_graph_rows_bytes (rows->n_nodes, rows->n_edges) + rows->n_nodes
         + fs_graph_search_bytes (&cpu_solver (solver)->search);
}

static const FsGraphBackend *
cpu_in_use (FsGraphSolver *solver G_GNUC_UNUSED)
{
  return &fs_graph_backend_cpu;
}

const FsGraphBackend fs_graph_backend_cpu = {
  .name = "cpu",
  .device = cpu_device,
  .create = cpu_create,
  .destroy = cpu_destroy,
  .change_tlinks = cpu_change_tlinks,
  .change_edges = cpu_change_edges,
  .solve = cpu_solve,
  .read_mask = cpu_read_mask,
  .read_state = cpu_read_state,
  .size_bytes = cpu_size_bytes,
  .in_use = cpu_in_use,
};
