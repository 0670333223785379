/* SPDX-License-Identifier: MIT */
#include "tests/gates/crew.h"
#include "tests/solver/graph/graph_others.h"
#include "tests/solver/graph/graph_problem.h"

#if defined FS_WITH_BOOST || defined FS_WITH_LIBMAXFLOW

#if defined FS_WITH_BOOST && defined FS_WITH_LIBMAXFLOW
#define CUT_OTHERWISE(number) ((number) % 2 ? graph_cut_by_boost : graph_cut_by_bk)
#elif defined FS_WITH_BOOST
#define CUT_OTHERWISE(number) graph_cut_by_boost
#else
#define CUT_OTHERWISE(number) graph_cut_by_bk
#endif

/* The graph as it is now, cut by us with what is left of earlier cuts, and by others anew. */
static gboolean
is_right (const FsGraph *graph, FsGraphSolver *solver, int64_t number)
{
  FsSolution solution;
  g_autofree uint8_t *mask = g_malloc (graph->n_nodes);
  g_autofree uint8_t *expected = g_malloc (graph->n_nodes);
  if (!crew_solve_graph (solver, &solution))
    return FALSE;
  fs_graph_solver_read_mask (solver, mask);
  return solution.energy == CUT_OTHERWISE (number) (graph, expected)
         && memcmp (mask, expected, graph->n_nodes) == 0;
}

static GateResult
check (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (FsGraph) graph = graph_new_random (rand, (uint32_t)work->size);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
  if (!is_right (graph, solver, number))
    return GATE_WRONG;
  FsGraphTlinkChange tlink = { (uint32_t)g_rand_int_range (rand, 0, (gint32)graph->n_nodes),
                               random_graph_tlink (rand, GRAPH_UNIFORM) };
  fs_graph_solver_change_tlinks (solver, &tlink, 1, NULL);
  if (graph->n_edges > 0) {
    FsGraphEdgeChange edge = random_edge_change (rand, graph, GRAPH_UNIFORM);
    fs_graph_solver_change_edges (solver, &edge, 1, NULL);
  }
  return gate_result (is_right (graph, solver, number));
}

static const GateWork WORKS[] = {
  { .name = "2,000 nodes", .check = check, .n = 10, .size = 2000 },
  { .name = "200 nodes", .check = check, .n = 400, .size = 200 },
  { .name = "30 nodes", .check = check, .n = 10000, .size = 30 },
};

const Gate gate_graphs = {
  .id = "S6",
  .works = WORKS,
  .n_works = G_N_ELEMENTS (WORKS),
};

#else

const Gate gate_graphs = { .id = "S6", .missing = "neither Boost nor libmaxflow is installed" };

#endif
