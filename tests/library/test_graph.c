/* SPDX-License-Identifier: MIT */
/* Graphs and DIMACS texts through fretsaw.h, beside the engine's own solver. */
#include "library/fretsaw.h"
#include "solver/graph/graph_solver.h"

#include <string.h>

static void
ok (fretsaw_status status, const fretsaw_error *error)
{
  if (status)
    g_error ("status %d: %s", (int)status, error->text);
}

/* --- graphs that grow --- */

typedef struct {
  uint32_t n_nodes, n_edges;
  int64_t tlink[60];
  FsGraphEdge edges[400];
} Problem;

static void
add_some (fretsaw_graph *graph, Problem *problem, GRand *rand)
{
  fretsaw_error error;
  uint32_t n_nodes = (uint32_t)g_rand_int_range (rand, 1, 15),
           n_edges = (uint32_t)g_rand_int_range (rand, 0, 90);
  ok (fretsaw_graph_add_nodes (graph, n_nodes, &error), &error);
  problem->n_nodes += n_nodes;
  fretsaw_graph_edge edges[90];
  for (uint32_t i = 0; i < n_edges; i++) {
    FsGraphEdge edge = { (uint32_t)g_rand_int_range (rand, 0, (int)problem->n_nodes),
                         (uint32_t)g_rand_int_range (rand, 0, (int)problem->n_nodes),
                         g_rand_int_range (rand, 0, 50), g_rand_int_range (rand, 0, 50) };
    edges[i] = (fretsaw_graph_edge){ edge.from, edge.to, edge.capacity, edge.back };
    problem->edges[problem->n_edges++] = edge;
  }
  ok (fretsaw_graph_add_edges (graph, edges, n_edges, &error), &error);
  g_assert_cmpint (fretsaw_graph_count_nodes (graph), ==, problem->n_nodes);
  g_assert_cmpint (fretsaw_graph_count_edges (graph), ==, problem->n_edges);
}

static void
change_some (fretsaw_graph *graph, Problem *problem, GRand *rand)
{
  fretsaw_error error;
  for (int i = 0; i < 6; i++) {
    fretsaw_node_change node = { (uint32_t)g_rand_int_range (rand, 0, (int)problem->n_nodes),
                                 g_rand_int_range (rand, -90, 90) };
    problem->tlink[node.node] = node.tlink;
    ok (fretsaw_graph_change_tlinks (graph, &node, 1, &error), &error);
    if (problem->n_edges == 0)
      continue;
    fretsaw_edge_change edge = { (uint32_t)g_rand_int_range (rand, 0, (int)problem->n_edges),
                                 g_rand_int_range (rand, 0, 70), g_rand_int_range (rand, 0, 9) };
    problem->edges[edge.edge].capacity = edge.capacity;
    problem->edges[edge.edge].back = edge.back;
    ok (fretsaw_graph_change_edges (graph, &edge, 1, &error), &error);
  }
}

static void
compare (fretsaw_graph *graph, const Problem *problem)
{
  Problem copy = *problem;
  FsGraph own = { copy.n_nodes, copy.n_edges, copy.tlink, copy.edges };
  FsSolution expected;
  uint8_t mask[60], expected_mask[60];
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, &own, NULL);
  g_assert_true (fs_graph_solver_solve (solver, NULL, &expected, NULL));
  fs_graph_solver_read_mask (solver, expected_mask);
  ok (fretsaw_graph_solve (graph, NULL, &solution, &error), &error);
  ok (fretsaw_graph_get_mask (graph, mask, &error), &error);
  g_assert_cmpmem (mask, problem->n_nodes, expected_mask, problem->n_nodes);
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_true (solution.exact);
  ok (fretsaw_graph_certify (graph, &certificate, &error), &error);
  g_assert_true (certificate.holds);
}

static void
test_grows (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int i = 0; i < 100; i++) {
    fretsaw_graph *graph = NULL;
    fretsaw_error error;
    Problem problem = { .n_nodes = 1 };
    ok (fretsaw_graph_new (NULL, 1, &graph, &error), &error);
    for (int step = 0; step < 4; step++) {
      add_some (graph, &problem, rand);
      change_some (graph, &problem, rand);
      compare (graph, &problem);
      change_some (graph, &problem, rand);
      compare (graph, &problem);
    }
    fretsaw_graph_free (graph);
  }
}

static void
test_refuses (void)
{
  fretsaw_graph *graph = NULL;
  fretsaw_error error;
  uint8_t mask[2];
  fretsaw_graph_edge edge = { 0, 2, 1, 0 };
  fretsaw_node_change node = { 0, FRETSAW_GRAPH_TLINK_MAX + 1 };
  g_assert_cmpint (fretsaw_graph_new (NULL, FRETSAW_GRAPH_NODES_MAX + 1, &graph, &error), ==,
                   FRETSAW_INVALID);
  g_assert_null (graph);
  ok (fretsaw_graph_new (NULL, 0, &graph, &error), &error);
  g_assert_cmpint (fretsaw_graph_solve (graph, NULL, NULL, &error), ==, FRETSAW_INVALID);
  ok (fretsaw_graph_add_nodes (graph, 2, &error), &error);
  g_assert_cmpint (fretsaw_graph_get_mask (graph, mask, &error), ==, FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_graph_add_edges (graph, &edge, 1, &error), ==, FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "edge 0 leads from node 0 to node 2; the graph has 2 nodes");
  edge = (fretsaw_graph_edge){ 0, 1, -1, 0 };
  g_assert_cmpint (fretsaw_graph_add_edges (graph, &edge, 1, &error), ==, FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_graph_change_tlinks (graph, &node, 1, &error), ==, FRETSAW_INVALID);
  node = (fretsaw_node_change){ 2, 0 };
  g_assert_cmpint (fretsaw_graph_change_tlinks (graph, &node, 1, &error), ==, FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_graph_add_nodes (graph, FRETSAW_GRAPH_NODES_MAX, &error), ==,
                   FRETSAW_INVALID);
  ok (fretsaw_graph_solve (graph, NULL, NULL, &error), &error);
  fretsaw_graph_free (graph);
  fretsaw_graph_free (NULL);
  g_assert_cmpint (fretsaw_graph_forecast_bytes (0, 1), ==, 0);
  g_assert_cmpint (fretsaw_graph_forecast_bytes (1000, 4000), >, 1000 * 28 + 4000 * 28);
}

/* --- texts --- */

static const char NETWORK[] = "c a network\np max 5 6\nn 1 s\nn 4 t\n"
                              "a 1 2 5\na 2 1 3\na 2 3 2\na 3 4 4\na 1 3 1\na 1 4 2\n";

/* Source and sink, 1 and 4, and node 5, which no arc touches. */
static void
check_network (fretsaw_graph *graph)
{
  uint8_t mask[5];
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  ok (fretsaw_graph_solve (graph, NULL, &solution, &error), &error);
  g_assert_cmpint (solution.energy, ==, 5);
  g_assert_cmpint (solution.bound, ==, 5);
  ok (fretsaw_graph_certify (graph, &certificate, &error), &error);
  g_assert_true (certificate.holds);
  g_assert_cmpint (certificate.energy, ==, 5);
  ok (fretsaw_graph_get_mask (graph, mask, &error), &error);
  g_assert_cmpmem (mask, 5, ((uint8_t[]){ 1, 1, 0, 0, 1 }), 5);
}

static void
test_dimacs (void)
{
  fretsaw_graph *graph = NULL;
  fretsaw_error error;
  ok (fretsaw_graph_read_dimacs (NULL, NETWORK, sizeof NETWORK - 1, 0, &graph, &error), &error);
  g_assert_cmpint (fretsaw_graph_count_nodes (graph), ==, 5);
  check_network (graph);
  fretsaw_graph_free (graph);

  FILE *file = tmpfile ();
  g_assert_nonnull (file);
  fwrite (NETWORK, 1, sizeof NETWORK - 1, file);
  rewind (file);
  ok (fretsaw_graph_read_dimacs_file (NULL, file, 1 << 20, &graph, &error), &error);
  fclose (file);
  check_network (graph);
  fretsaw_graph_free (graph);
}

/* More nodes than bytes: those without arcs take no memory. */
static void
test_sparse_dimacs (void)
{
  static const char text[] = "p max 100000 2\nn 3 s\nn 99999 t\na 3 70000 4\na 70000 99999 9\n";
  fretsaw_graph *graph = NULL;
  fretsaw_error error;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  ok (fretsaw_graph_read_dimacs (NULL, text, sizeof text - 1, 1 << 20, &graph, &error), &error);
  g_assert_cmpint (fretsaw_graph_count_nodes (graph), ==, 100000);
  ok (fretsaw_graph_solve (graph, NULL, &solution, &error), &error);
  g_assert_cmpint (solution.energy, ==, 4);
  g_autofree uint8_t *mask = g_malloc (100000);
  ok (fretsaw_graph_get_mask (graph, mask, &error), &error);
  for (uint32_t v = 0; v < 100000; v++)
    g_assert_cmpint (mask[v], ==, v != 99998 && v != 69999);
  g_assert_cmpint (fretsaw_graph_add_nodes (graph, 1, &error), ==, FRETSAW_UNSUPPORTED);
  fretsaw_graph_free (graph);
}

static void
test_refused_dimacs (void)
{
  fretsaw_graph *graph = NULL;
  fretsaw_error error;
  static const char bad[] = "p max 2 1\nn 1 s\nn 2 t\na 1 3 4\n";
  static const char cut_short[] = "p max 2 1\nn 1 s\nn 2 t\n";
  g_assert_cmpint (fretsaw_graph_read_dimacs (NULL, bad, sizeof bad - 1, 0, &graph, &error), ==,
                   FRETSAW_INVALID);
  g_assert_true (g_str_has_prefix (error.text, "line 4: "));
  g_assert_cmpint (fretsaw_graph_read_dimacs (NULL, cut_short, sizeof cut_short - 1, 0, &graph,
                                              &error),
                   ==, FRETSAW_FORMAT);
  g_assert_cmpint (fretsaw_graph_read_dimacs (NULL, "x", 1, 0, &graph, &error), ==, FRETSAW_FORMAT);
  g_assert_cmpint (fretsaw_graph_read_dimacs (NULL, NULL, 0, 0, &graph, &error), ==,
                   FRETSAW_FORMAT);
  g_assert_cmpint (fretsaw_graph_read_dimacs (NULL, NETWORK, sizeof NETWORK - 1, 100, &graph,
                                              &error),
                   ==, FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_graph_read_dimacs_file (NULL, NULL, 0, &graph, &error), ==,
                   FRETSAW_INVALID);
  g_assert_null (graph);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/graph/grows", test_grows);
  g_test_add_func ("/library/graph/refuses", test_refuses);
  g_test_add_func ("/library/graph/dimacs", test_dimacs);
  g_test_add_func ("/library/graph/sparse-dimacs", test_sparse_dimacs);
  g_test_add_func ("/library/graph/refused-dimacs", test_refused_dimacs);
  return g_test_run ();
}
