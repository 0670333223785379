/* SPDX-License-Identifier: MIT */
/* Any graphs, many side by side as one problem: with FRETSAW_TEST_BACKEND=cuda in the environment
 * the device, else pushing alone (solver/graph/graph_push.h), against the processor's search. */
#include "solver/cuda/cuda_backend.h"
#include "solver/graph/graph_push.h"
#include "solver/graph/graph_search.h"
#include "tests/gates/crew.h"
#include "tests/solver/graph/graph_problem.h"

enum { N_TOGETHER = 100, LARGE_ONE_IN = 40, LARGE = 400 };

/* Puts a graph beside those that are there. */
static void
append (FsGraph *all, const FsGraph *graph)
{
  all->tlink = g_renew (int64_t, all->tlink, all->n_nodes + graph->n_nodes);
  all->edges = g_renew (FsGraphEdge, all->edges, all->n_edges + graph->n_edges);
  memcpy (all->tlink + all->n_nodes, graph->tlink, graph->n_nodes * sizeof *graph->tlink);
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    FsGraphEdge edge = graph->edges[i];
    edge.from += all->n_nodes;
    edge.to += all->n_nodes;
    all->edges[all->n_edges + i] = edge;
  }
  all->n_nodes += graph->n_nodes;
  all->n_edges += graph->n_edges;
}

static FsGraph *
new_many (GRand *rand, uint32_t size)
{
  FsGraph *all = graph_new_random (rand, size);
  for (int i = 1; i < N_TOGETHER; i++) {
    gboolean is_large = g_rand_int_range (rand, 0, LARGE_ONE_IN) == 0;
    g_autoptr (FsGraph) graph = graph_new_random (rand, is_large ? LARGE : size);
    append (all, graph);
  }
  return all;
}

/* What is left of it after pushing, searched for trees: their nodes are the background. */
static void
cut_by_pushing (const FsGraph *graph, uint8_t *mask)
{
  FsGraphRows rows;
  FsGraphSearch search;
  if (!fs_graph_rows_init (&rows, graph) || !fs_graph_search_init (&search, &rows)
      || fs_graph_push_run (&search) != FS_GRAPH_DONE
      || fs_graph_search_run (&search, NULL) != FS_GRAPH_DONE)
    g_error ("not enough memory");
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    mask[v] = (search.node[v].word & FS_NODE_TREE) != FS_NODE_SINK;
  fs_graph_search_clear (&search);
  fs_graph_rows_clear (&rows);
}

static gboolean
agrees (FsGraph *graph, FsGraphSolver *solver)
{
  FsSolution solution, expected;
  g_autofree uint8_t *mask = g_malloc (graph->n_nodes);
  g_autofree uint8_t *expected_mask = g_malloc (graph->n_nodes);
  g_autoptr (FsGraphSolver) cpu = fs_graph_solver_new (&fs_graph_backend_cpu, graph, NULL);
  if (!crew_solve_graph (solver, &solution) || !crew_solve_graph (cpu, &expected)
      || fs_cuda_notice () != NULL)
    return FALSE;
  fs_graph_solver_read_mask (cpu, expected_mask);
  fs_graph_solver_read_mask (solver, mask);
  gboolean right = solution.energy == expected.energy && solution.bound == expected.bound
                   && memcmp (mask, expected_mask, graph->n_nodes) == 0;
  if (fs_graph_solver_get_backend (solver) == &fs_graph_backend_cpu)
    cut_by_pushing (graph, mask);
  return right && memcmp (mask, expected_mask, graph->n_nodes) == 0;
}

static void
change (GRand *rand, FsGraph *graph, FsGraphSolver *solver)
{
  GraphSort sort = (GraphSort)g_rand_int_range (rand, 0, N_GRAPH_SORTS);
  for (int i = 0; i < N_TOGETHER; i++) {
    FsGraphTlinkChange tlink = { (uint32_t)g_rand_int_range (rand, 0, (gint32)graph->n_nodes),
                                 random_graph_tlink (rand, sort) };
    fs_graph_solver_change_tlinks (solver, &tlink, 1, NULL);
    if (graph->n_edges > 0) {
      FsGraphEdgeChange edge = random_edge_change (rand, graph, sort);
      fs_graph_solver_change_edges (solver, &edge, 1, NULL);
    }
  }
}

static GateResult
check (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (FsGraph) graph = new_many (rand, (uint32_t)work->size);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
  if (!agrees (graph, solver))
    return GATE_WRONG;
  change (rand, graph, solver);
  return gate_result (agrees (graph, solver));
}

static const GateWork WORKS[] = {
  { .name = "a hundred graphs side by side", .check = check, .n = 200, .size = 40 },
};

const Gate gate_any_graphs = { .id = "G", .works = WORKS, .n_works = G_N_ELEMENTS (WORKS) };
