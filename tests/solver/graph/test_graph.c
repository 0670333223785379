/* SPDX-License-Identifier: MIT */
/* The solver of any graph: against all cuts, its own fresh solves, and independent code. */
#include "solver/graph/graph_push.h"
#include "solver/graph/graph_search.h"
#include "tests/faults/faults.h"
#include "tests/solver/graph/graph_others.h"
#include "tests/solver/graph/graph_problem.h"
#include "tests/solver/problem.h"

#include <string.h>

/* --- all cuts --------------------------------------------------------------------------------- */

enum { MAX_NODES = 11 };

/* The least energy, and the nodes that are background in every minimum cut. */
static int64_t
enumerate_cuts (const FsGraph *graph, unsigned *sink_side)
{
  int64_t least = INT64_MAX;
  for (unsigned cut = 0; cut < 1u << graph->n_nodes; cut++) {
    uint8_t mask[MAX_NODES];
    for (uint32_t v = 0; v < graph->n_nodes; v++)
      mask[v] = cut >> v & 1;
    int64_t energy = fs_graph_energy (graph, mask);
    if (energy < least)
      *sink_side = ~0u;
    if (energy <= least)
      *sink_side &= ~cut;
    least = MIN (least, energy);
  }
  return least;
}

static void
test_all_cuts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (80);
  int n = scaled (6000);
  for (int i = 0; i < n; i++) {
    g_autoptr (FsGraph) graph =
        graph_new_random (rand, g_rand_int_range (rand, 0, 8) ? 7 : MAX_NODES);
    g_autoptr (GError) error = NULL;
    g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, &error);
    g_assert_no_error (error);
    FsSolution solution;
    g_autofree uint8_t *mask = graph_solve_and_check (graph, solver, &solution);
    unsigned sink_side = 0;
    g_assert_cmpint (solution.energy, ==, enumerate_cuts (graph, &sink_side));
    for (uint32_t v = 0; v < graph->n_nodes; v++)
      g_assert_cmpuint (mask[v], ==, !(sink_side >> v & 1));
  }
}

/* --- independent code ------------------------------------------------------------------------- */

typedef int64_t (*Other) (const FsGraph *graph, uint8_t *mask);

static G_GNUC_UNUSED void
compare (GRand *rand, Other other, int n, uint32_t most)
{
  for (int i = 0; i < n; i++) {
    g_autoptr (FsGraph) graph = graph_new_random (rand, most);
    g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
    FsSolution solution;
    g_autofree uint8_t *mask = graph_solve_and_check (graph, solver, &solution);
    g_autofree uint8_t *expected = g_malloc (graph->n_nodes);
    g_assert_cmpint (solution.energy, ==, other (graph, expected));
    g_assert_cmpmem (mask, graph->n_nodes, expected, graph->n_nodes);
  }
}

static void
test_libmaxflow (void)
{
#ifdef FS_WITH_LIBMAXFLOW
  g_autoptr (GRand) rand = g_rand_new_with_seed (81);
  compare (rand, graph_cut_by_bk, scaled (4000), 40);
  compare (rand, graph_cut_by_bk, scaled (200), 1000);
#else
  g_test_skip ("libmaxflow-dev or a C++ compiler is missing");
#endif
}

static void
test_boost (void)
{
#ifdef FS_WITH_BOOST
  g_autoptr (GRand) rand = g_rand_new_with_seed (82);
  compare (rand, graph_cut_by_boost, scaled (2000), 40);
  compare (rand, graph_cut_by_boost, scaled (20), 600);
#else
  g_test_skip ("libboost-dev or a C++ compiler is missing");
#endif
}

/* --- changes ---------------------------------------------------------------------------------- */

static void
check_against_fresh_solve (FsGraph *graph, FsGraphSolver *solver)
{
  FsSolution solution, fresh_solution;
  g_autofree uint8_t *mask = graph_solve_and_check (graph, solver, &solution);
  g_autoptr (FsGraph) copy = graph_copy (graph);
  g_autoptr (FsGraphSolver) fresh = fs_graph_solver_new (test_graph_backend (), copy, NULL);
  g_autofree uint8_t *expected = graph_solve_and_check (copy, fresh, &fresh_solution);
  g_assert_cmpint (solution.energy, ==, fresh_solution.energy);
  g_assert_cmpmem (mask, graph->n_nodes, expected, graph->n_nodes);
}

static void
change_some (GRand *rand, FsGraph *graph, FsGraphSolver *solver)
{
  uint32_t n = (uint32_t)g_rand_int_range (rand, 1, 1 + (gint32)MAX (1, graph->n_nodes / 6));
  if (g_rand_int_range (rand, 0, 6) == 0)
    n = graph->n_nodes;
  change_random_parts (rand, graph, solver, n);
}

/* Cancels after a random number of its questions, by way of the report. */
static void
solve_a_little (FsGraphSolver *solver)
{
  atomic_bool cancel = TRUE;
  FsProgress progress = { .cancel = &cancel };
  FsSolution solution;
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_graph_solver_solve (solver, &progress, &solution, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
}

static void
test_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (83);
  int n = scaled (400);
  for (int i = 0; i < n; i++) {
    g_autoptr (FsGraph) graph = graph_new_random (rand, i % 10 == 0 ? 400 : 40);
    g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
    for (int step = 0; step < 8; step++) {
      if (g_rand_int_range (rand, 0, 5) == 0)
        solve_a_little (solver);
      else
        check_against_fresh_solve (graph, solver);
      change_some (rand, graph, solver);
    }
  }
}

static void
cancel_late (double fraction, gpointer user_data)
{
  g_assert_true (fraction >= 0 && fraction <= 1);
  atomic_store ((atomic_bool *)user_data, TRUE);
}

/* A solve that is stopped whenever it reports gets to the end all the same. */
static void
test_cancelled_midway (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (84);
  g_autoptr (FsGraph) graph = graph_new_form (rand, GRAPH_GRID, GRAPH_UNIFORM, 250000);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
  atomic_bool cancel = FALSE;
  FsProgress progress = { .cancel = &cancel, .report = cancel_late, .user_data = &cancel };
  FsSolution solution;
  int n_cancelled = 0;
  while (!fs_graph_solver_solve (solver, &progress, &solution, NULL)) {
    g_assert_true (atomic_load (&cancel));
    atomic_store (&cancel, FALSE);
    g_assert_cmpint (++n_cancelled, <, 100000);
  }
  g_assert_cmpint (n_cancelled, >, 0);
  check_against_fresh_solve (graph, solver);
}

/* --- pushing ---------------------------------------------------------------------------------- */

typedef struct {
  FsGraphRows rows;
  FsGraphSearch search;
} Pushed;

static void
pushed_init (Pushed *pushed, const FsGraph *graph)
{
  g_assert_true (fs_graph_rows_init (&pushed->rows, graph));
  g_assert_true (fs_graph_search_init (&pushed->search, &pushed->rows));
}

static void
pushed_clear (Pushed *pushed)
{
  fs_graph_search_clear (&pushed->search);
  fs_graph_rows_clear (&pushed->rows);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pushed, pushed_clear)

/* What is left of the edges makes a certificate with the mask of a solver that searched. */
static void
check_pushed (FsGraph *graph, const Pushed *pushed)
{
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, graph, NULL);
  FsSolution solution;
  FsCertificate certificate;
  g_autofree uint8_t *mask = graph_solve_and_check (graph, solver, &solution);
  g_autofree uint32_t *residual = g_new (uint32_t, graph->n_edges);
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    uint32_t arc = pushed->rows.edge_arc[i];
    residual[i] = arc != FS_GRAPH_NO_ARC ? pushed->rows.arc[arc].residual
                                         : (uint32_t)graph->edges[i].capacity;
  }
  g_assert_true (fs_graph_certify (graph, pushed->rows.excess, residual, mask, &certificate, NULL));
  g_assert_true (certificate.holds);
}

/* From nothing, or from where a search was stopped; and the search goes on from there. */
static void
test_pushing (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (88);
  int n = scaled (3000);
  for (int i = 0; i < n; i++) {
    g_autoptr (FsGraph) graph = graph_new_random (rand, i % 10 == 0 ? 400 : 40);
    g_auto (Pushed) pushed;
    pushed_init (&pushed, graph);
    g_assert_cmpint (fs_graph_push_run (&pushed.search), ==, FS_GRAPH_DONE);
    check_pushed (graph, &pushed);
    g_assert_cmpint (fs_graph_search_run (&pushed.search, NULL), ==, FS_GRAPH_DONE);
    g_assert_cmpuint (pushed.search.n_adopted[0] + pushed.search.n_adopted[1], ==, 0);
    check_pushed (graph, &pushed);
  }
}

static void
test_pushing_lacks_memory (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (89);
  g_autoptr (FsGraph) graph = graph_new_form (rand, GRAPH_GRID, GRAPH_UNIFORM, 100);
  g_auto (Pushed) pushed;
  pushed_init (&pushed, graph);
  fault_memory_after (0, FALSE);
  g_assert_cmpint (fs_graph_push_run (&pushed.search), ==, FS_GRAPH_NO_MEMORY);
  fault_memory_after (-1, FALSE);
  g_assert_cmpint (fs_graph_search_run (&pushed.search, NULL), ==, FS_GRAPH_DONE);
  check_pushed (graph, &pushed);
}

/* Layers of nodes, each tied to four of the next one: most ways are as long as there are layers. */
static FsGraph *
new_layers (GRand *rand, uint32_t side)
{
  FsGraph *graph = graph_new (side * side, 4 * side * (side - 1));
  for (uint32_t i = 0; i < side; i++) {
    graph->tlink[i] = 1000;
    graph->tlink[graph->n_nodes - 1 - i] = -1000;
  }
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    uint32_t from = i / 4, layer = from / side;
    graph->edges[i] =
        (FsGraphEdge){ from,
                       (layer + 1) * side + (uint32_t)g_rand_int_range (rand, 0, (gint32)side),
                       g_rand_int_range (rand, 1, 101), 0 };
  }
  return graph;
}

/* Where ways are long the search is given up, and a solver whose solves are stopped all the time
 * ends with the same cut. */
static void
test_long_ways (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (90);
  g_autoptr (FsGraph) graph = new_layers (rand, 100);
  g_auto (Pushed) given_up;
  pushed_init (&given_up, graph);
  g_assert_cmpint (fs_graph_search_run (&given_up.search, NULL), ==, FS_GRAPH_DONE);
  g_assert_true (given_up.search.has_pushed);
  check_pushed (graph, &given_up);
  atomic_bool cancel = FALSE;
  FsProgress progress = { .cancel = &cancel, .report = cancel_late, .user_data = &cancel };
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
  FsSolution solution;
  int n_cancelled = 0;
  while (!fs_graph_solver_solve (solver, &progress, &solution, NULL) && n_cancelled < 300) {
    atomic_store (&cancel, FALSE);
    n_cancelled++;
  }
  check_against_fresh_solve (graph, solver);
  for (int i = 0; i < 5; i++) {
    change_some (rand, graph, solver);
    check_against_fresh_solve (graph, solver);
  }
}

/* --- errors ----------------------------------------------------------------------------------- */

static void
test_refused (void)
{
  g_autoptr (FsGraph) graph = graph_new (3, 2);
  const FsGraphEdge wrong[] = { { 0, 3, 1, 1 }, { 3, 0, 1, 1 }, { 0, 1, -1, 0 }, { 0, 1, 0, -1 } };
  for (guint i = 0; i < G_N_ELEMENTS (wrong); i++) {
    g_autoptr (GError) error = NULL;
    graph->edges[1] = wrong[i];
    g_assert_null (fs_graph_solver_new (test_graph_backend (), graph, &error));
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
  }
  graph->edges[1] = (FsGraphEdge){ 1, 2, 5, 5 };
  graph->tlink[2] = FS_GRAPH_TLINK_SUM_MAX;
  g_assert_true (fs_graph_validate (graph, NULL));
  graph->tlink[1] = -1;
  g_assert_false (fs_graph_validate (graph, NULL));
  graph->tlink[1] = INT64_MIN;
  g_assert_false (fs_graph_validate (graph, NULL));
  graph->tlink[1] = 0;
  graph->tlink[2] = -FS_GRAPH_TLINK_MAX;
  g_assert_true (fs_graph_validate (graph, NULL));
  graph->n_nodes = 0;
  g_assert_false (fs_graph_validate (graph, NULL));
  graph->n_nodes = FS_GRAPH_NODES_MAX + 1;
  g_assert_false (fs_graph_validate (graph, NULL));
  graph->n_nodes = 3;
}

static void
test_refused_changes (void)
{
  g_autoptr (FsGraph) graph = graph_new (2, 1);
  graph->edges[0] = (FsGraphEdge){ 0, 1, 4, 0 };
  graph->tlink[0] = 9;
  graph->tlink[1] = -9;
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
  const FsGraphTlinkChange tlinks[] = { { 0, 1 }, { 2, 0 } };
  const FsGraphTlinkChange large[] = { { 0, 1 }, { 1, FS_GRAPH_TLINK_MAX + 1 } };
  const FsGraphEdgeChange edges[] = { { 0, 1, 1 }, { 1, 1, 1 } };
  const FsGraphEdgeChange negative[] = { { 0, 1, 1 }, { 0, 1, -1 } };
  g_assert_false (fs_graph_solver_change_tlinks (solver, tlinks, 2, NULL));
  g_assert_false (fs_graph_solver_change_tlinks (solver, large, 2, NULL));
  g_assert_false (fs_graph_solver_change_edges (solver, edges, 2, NULL));
  g_assert_false (fs_graph_solver_change_edges (solver, negative, 2, NULL));
  FsSolution solution;
  g_autofree uint8_t *mask = graph_solve_and_check (graph, solver, &solution);
  g_assert_cmpint (solution.energy, ==, 4);
  g_assert_true (mask[0] == 1 && mask[1] == 0);
}

/* Every allocation of the CPU's is refused in turn: an error or the right cut, and the next solve
 * is right. */
static void
test_memory_ends (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (85);
  g_autoptr (FsGraph) graph = graph_new_form (rand, GRAPH_PATH, GRAPH_SEEDS, 3000);
  FsSolution solution;
  int n_failed = 0;
  for (int i = 0; i < 40; i++) {
    g_autoptr (GError) error = NULL;
    fault_memory_after (i, FALSE);
    g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, graph, &error);
    gboolean done = solver != NULL && fs_graph_solver_solve (solver, NULL, &solution, &error);
    fault_memory_after (-1, FALSE);
    if (!done) {
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
      n_failed++;
    }
    if (solver != NULL)
      check_against_fresh_solve (graph, solver);
  }
  g_assert_cmpint (n_failed, >, 8);
}

static void
test_forecast (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (86);
  g_autoptr (FsGraph) graph = graph_new_form (rand, GRAPH_GRID, GRAPH_UNIFORM, 40000);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, graph, NULL);
  size_t forecast = fs_graph_solver_forecast_bytes (graph->n_nodes, graph->n_edges);
  g_assert_cmpuint (fs_graph_solver_size_bytes (solver), >=, forecast);
  FsSolution solution;
  g_free (graph_solve_and_check (graph, solver, &solution));
  g_assert_cmpuint (fs_graph_solver_size_bytes (solver), <=, forecast + 16 * graph->n_nodes);
}

/* --- terminals -------------------------------------------------------------------------------- */

/* A network's minimum cut is found with its terminals as nodes, tied by more than all its edges. */
static void
test_folded_terminals (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (87);
  int n = scaled (1500);
  for (int i = 0; i < n; i++) {
    g_autoptr (FsGraph) graph = graph_new_random (rand, 30);
    if (graph->n_nodes < 2)
      continue;
    memset (graph->tlink, 0, graph->n_nodes * sizeof *graph->tlink);
    g_autoptr (FsGraph) folded = graph_copy (graph);
    uint32_t source = (uint32_t)g_rand_int_range (rand, 0, (gint32)graph->n_nodes);
    uint32_t sink = (source + 1 + (uint32_t)g_rand_int_range (rand, 0, (gint32)graph->n_nodes - 1))
                    % graph->n_nodes;
    int64_t constant = 0;
    g_assert_true (fs_graph_fold_terminals (folded, source, sink, &constant, NULL));
    graph->tlink[source] = FS_GRAPH_TLINK_MAX;
    graph->tlink[sink] = -FS_GRAPH_TLINK_MAX;
    g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
    g_autoptr (FsGraphSolver) folded_solver =
        fs_graph_solver_new (test_graph_backend (), folded, NULL);
    FsSolution solution, folded_solution;
    g_autofree uint8_t *expected = graph_solve_and_check (graph, solver, &solution);
    g_autofree uint8_t *mask = graph_solve_and_check (folded, folded_solver, &folded_solution);
    if (solution.energy == FS_GRAPH_TLINK_MAX)
      continue; /* the terminals' own links were the cut */
    g_assert_cmpint (folded_solution.energy + constant, ==, solution.energy);
    g_assert_cmpmem (mask, graph->n_nodes, expected, graph->n_nodes);
  }
}

/* So many of the largest edges side by side are more than a t-link may be changed to: from the
 * source to 1, from 1 to 2, and from 2 to the sink so many as `n_last` says. */
static void
check_bundles (uint32_t n, uint32_t n_last)
{
  g_autoptr (FsGraph) graph = graph_new (4, 2 * n + n_last);
  for (uint32_t i = 0; i < graph->n_edges; i++)
    graph->edges[i] = i < n       ? (FsGraphEdge){ 0, 1, G_MAXINT32, 0 }
                      : i < 2 * n ? (FsGraphEdge){ 1, 2, G_MAXINT32, 0 }
                                  : (FsGraphEdge){ 2, 3, G_MAXINT32, 0 };
  int64_t constant = 0;
  g_assert_true (fs_graph_fold_terminals (graph, 0, 3, &constant, NULL));
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (test_graph_backend (), graph, NULL);
  FsSolution solution;
  g_autofree uint8_t *mask = graph_solve_and_check (graph, solver, &solution);
  g_assert_cmpint (solution.energy + constant, ==, (int64_t)MIN (n, n_last) * G_MAXINT32);
  g_assert_true (mask[0] == 1 && mask[3] == 0);
}

static void
test_fold_of_many (void)
{
  check_bundles (65, 65);
  check_bundles (65, 1);
  check_bundles (1000, 999);
}

/* --- the certificate can fail ----------------------------------------------------------------- */

static void
test_certificate (void)
{
  const FsGraphEdge edges[] = { { 0, 1, 3, 1 }, { 1, 2, 2, 0 } };
  const int64_t tlinks[] = { 5, 0, -5 };
  g_autoptr (FsGraph) graph = graph_new (3, 2);
  memcpy (graph->edges, edges, sizeof edges);
  memcpy (graph->tlink, tlinks, sizeof tlinks);
  int64_t excess[] = { 3, 0, -3 };
  uint32_t residual[] = { 1, 0 };
  uint8_t mask[] = { 1, 1, 0 };
  FsCertificate c;
  g_assert_true (fs_graph_certify (graph, excess, residual, mask, &c, NULL) && c.holds);
  g_assert_cmpint (c.energy, ==, 2);

  residual[0] = 5;
  g_assert_true (fs_graph_certify (graph, excess, residual, mask, &c, NULL));
  g_assert_false (c.feasible || c.holds);
  residual[0] = 2;
  g_assert_true (fs_graph_certify (graph, excess, residual, mask, &c, NULL));
  g_assert_true (c.feasible && !c.conserved && !c.holds);
  residual[0] = 1;
  for (int wrong = 0; wrong < 2; wrong++) {
    excess[1] = wrong ? 1 : -1;
    g_assert_true (fs_graph_certify (graph, excess, residual, mask, &c, NULL));
    g_assert_true (c.feasible && !c.conserved && !c.holds);
  }
  excess[1] = 0;
  mask[1] = 0;
  g_assert_true (fs_graph_certify (graph, excess, residual, mask, &c, NULL));
  g_assert_true (c.feasible && c.conserved && !c.canonical && !c.holds);
  int64_t none[] = { 5, 0, -5 };
  uint32_t untouched[] = { 3, 2 };
  uint8_t background[] = { 0, 0, 0 };
  g_assert_true (fs_graph_certify (graph, none, untouched, background, &c, NULL));
  g_assert_true (c.feasible && c.conserved && c.canonical && c.energy != c.bound && !c.holds);
  fault_memory_after (0, TRUE);
  g_assert_false (fs_graph_certify (graph, none, untouched, background, &c, NULL));
  fault_memory_after (-1, FALSE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/graph/all-cuts", test_all_cuts);
  g_test_add_func ("/solver/graph/libmaxflow", test_libmaxflow);
  g_test_add_func ("/solver/graph/boost", test_boost);
  g_test_add_func ("/solver/graph/histories", test_histories);
  g_test_add_func ("/solver/graph/cancelled-midway", test_cancelled_midway);
  g_test_add_func ("/solver/graph/pushing", test_pushing);
  g_test_add_func ("/solver/graph/pushing-lacks-memory", test_pushing_lacks_memory);
  g_test_add_func ("/solver/graph/long-ways", test_long_ways);
  g_test_add_func ("/solver/graph/refused", test_refused);
  g_test_add_func ("/solver/graph/refused-changes", test_refused_changes);
  g_test_add_func ("/solver/graph/memory-ends", test_memory_ends);
  g_test_add_func ("/solver/graph/forecast", test_forecast);
  g_test_add_func ("/solver/graph/folded-terminals", test_folded_terminals);
  g_test_add_func ("/solver/graph/fold-of-many", test_fold_of_many);
  g_test_add_func ("/solver/graph/certificate", test_certificate);
  return g_test_run ();
}
