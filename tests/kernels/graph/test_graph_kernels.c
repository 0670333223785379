/* SPDX-License-Identifier: MIT */
/* The CUDA engine of any graph on the host, each of its threads a fibre: by every engine and in
 * every schedule the processor's mask and flow, through all changes; and whichever call of the CUDA
 * library fails, the processor goes on. */
#include "solver/cuda/cuda_backend.h"
#include "solver/graph/graph_cuda.h"
#include "tests/faults/faults.h"
#include "tests/kernels/fibres/fibre_control.h"
#include "tests/ladder/graph/graph_sweeps.h"
#include "tests/solver/graph/graph_problem.h"
#include "tests/solver/problem.h"

#include <string.h>

enum { N_SCHEDULES = 5 };

const FsGraphEngineTable *fs_graph_engine_cuda (void);

/* The one that programs use, and those to compare it with. */
typedef const FsGraphEngineTable *Engine (void);
static Engine *const engines[] = { fs_graph_engine_cuda, fs_graph_engine_sweeps,
                                   fs_graph_engine_sweeps_regular };
enum { N_ENGINES = G_N_ELEMENTS (engines) };

static void
use_fibres (Engine *engine, FsGraphTuning tuning, guint32 schedule, int n_blocks)
{
  fibre_fail_after (-1, FALSE, FIBRE_LAUNCH_FAILED);
  fibre_set_schedule (schedule, n_blocks);
  fs_graph_cuda_use (engine (), tuning);
}

static FsGraphTuning
random_tuning (GRand *rand)
{
  return (FsGraphTuning){ .lanes = 4 << g_rand_int_range (rand, 0, 4),
                          .visits = g_rand_int_range (rand, 1, 4),
                          .steps = g_rand_int_range (rand, 1, 20) };
}

static FsGraphSolver *
new_solver (FsGraph *graph)
{
  g_autoptr (GError) error = NULL;
  FsGraphSolver *solver = fs_graph_solver_new (&fs_graph_backend_cuda, graph, &error);
  g_assert_no_error (error);
  return solver;
}

/* Demands a certificate, and the mask of a processor that knows the graph only as it is now. */
static void
check (FsGraph *graph, FsGraphSolver *solver)
{
  FsSolution solution, expected;
  g_autofree uint8_t *mask = graph_solve_and_check (graph, solver, &solution);
  g_autoptr (FsGraphSolver) cpu = fs_graph_solver_new (&fs_graph_backend_cpu, graph, NULL);
  g_autofree uint8_t *expected_mask = graph_solve_and_check (graph, cpu, &expected);
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_cmpint (solution.bound, ==, expected.bound);
  g_assert_cmpmem (mask, graph->n_nodes, expected_mask, graph->n_nodes);
}

static void
check_on_device (FsGraph *graph, FsGraphSolver *solver)
{
  check (graph, solver);
  g_assert_cmpstr (fs_cuda_notice (), ==, NULL);
  g_assert_true (fs_graph_solver_get_backend (solver) == &fs_graph_backend_cuda);
}

/* Some of them twice: the last one wins. */
static void
change (GRand *rand, FsGraph *graph, FsGraphSolver *solver)
{
  uint32_t n = 1 + graph->n_nodes / 3;
  change_random_parts (rand, graph, solver, n);
}

static void
test_schedules (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (90);
  int n = scaled (250);
  for (int i = 0; i < n; i++) {
    use_fibres (engines[i % N_ENGINES], random_tuning (rand), (guint32)(i % N_SCHEDULES),
                1 + i / 3 % 3);
    g_autoptr (FsGraph) graph = graph_new_random (rand, i % 10 == 0 ? 500 : 80);
    g_autoptr (FsGraphSolver) solver = new_solver (graph);
    check_on_device (graph, solver);
    change (rand, graph, solver);
    check_on_device (graph, solver);
  }
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* A way so long that the first round's steps do not suffice for one unit to arrive. */
static void
test_long_way (void)
{
  enum { N = 300 };
  for (int engine = 0; engine < N_ENGINES; engine++) {
    use_fibres (engines[engine], (FsGraphTuning){ 0 }, 2, 2);
    g_autoptr (FsGraph) graph = graph_new (N, N - 1);
    for (uint32_t i = 0; i < N - 1; i++)
      graph->edges[i] = (FsGraphEdge){ i + 1, i, 5, 5 };
    graph->tlink[N - 1] = 9;
    graph->tlink[0] = -9;
    g_autoptr (FsGraphSolver) solver = new_solver (graph);
    check_on_device (graph, solver);
    FsGraphEngineResult result;
    fs_graph_cuda_last_result (solver, &result);
    g_assert_cmpuint (result.n_rounds, >, 1);
    g_assert_cmpuint (result.n_levels, >=, N);
    g_assert_cmpuint (result.n_steps, >, 16);
  }
}

/* A node with more arcs than a team can share, from either side. */
static void
test_hub (void)
{
  enum { N = 700 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (92);
  for (int engine = 0; engine < N_ENGINES; engine++) {
    use_fibres (engines[engine], (FsGraphTuning){ .lanes = 4 }, 1, 2);
    g_autoptr (FsGraph) graph = graph_new (N, N - 1);
    for (uint32_t i = 0; i < N - 1; i++) {
      graph->edges[i] = (FsGraphEdge){ N - 1, i, g_rand_int_range (rand, 0, 50), 20 };
      graph->tlink[i] = g_rand_int_range (rand, -40, 41);
    }
    g_autoptr (FsGraphSolver) solver = new_solver (graph);
    check_on_device (graph, solver);
    graph->tlink[0] = 0;
    g_assert_true (
        fs_graph_solver_change_tlinks (solver, &(FsGraphTlinkChange){ N - 1, 9000 }, 1, NULL));
    g_assert_true (fs_graph_solver_change_tlinks (solver, &(FsGraphTlinkChange){ 0, 7 }, 1, NULL));
  }
}

/* One node that has most arcs makes a regular graph too large to be one: the processor cuts. */
static void
test_too_irregular (void)
{
  enum { N = 40000 };
  use_fibres (fs_graph_engine_sweeps_regular, (FsGraphTuning){ 0 }, 0, 1);
  g_autoptr (FsGraph) graph = graph_new (N, N - 1);
  for (uint32_t i = 0; i < N - 1; i++)
    graph->edges[i] = (FsGraphEdge){ 0, i + 1, 1, 1 };
  g_autoptr (FsGraphSolver) solver = new_solver (graph);
  g_assert_nonnull (strstr (fs_cuda_notice (), "made regular, the graph has too many arcs"));
  g_assert_true (fs_graph_solver_get_backend (solver) == &fs_graph_backend_cpu);
  check (graph, solver);
}

static void
cancel_late (double fraction, gpointer user_data)
{
  g_assert_true (fraction >= 0 && fraction <= 1);
  atomic_store ((atomic_bool *)user_data, TRUE);
}

/* Cancelled while the device works, it goes on from there later. */
static void
test_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (93);
  atomic_bool cancel;
  FsProgress progress = { .cancel = &cancel, .report = cancel_late, .user_data = &cancel };
  FsSolution solution;
  int n_cancelled = 0;
  for (int engine = 0; engine < N_ENGINES; engine++)
    for (int i = 0; i < 4; i++) {
      use_fibres (engines[engine], (FsGraphTuning){ .visits = 1 }, (guint32)i, 2);
      g_autoptr (FsGraph) graph = graph_new_form (rand, GRAPH_PATH, GRAPH_SEEDS, 400);
      g_autoptr (FsGraphSolver) solver = new_solver (graph);
      g_autoptr (GError) error = NULL;
      atomic_store (&cancel, FALSE);
      if (!fs_graph_solver_solve (solver, &progress, &solution, &error)) {
        g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
        n_cancelled++;
      }
      change (rand, graph, solver);
      check_on_device (graph, solver);
    }
  g_assert_cmpint (n_cancelled, >, 0);
}

/* --- failures --------------------------------------------------------------------------------- */

/* Everything a caller may do, and in the end the right mask. */
static void
live (FsGraph *graph)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (91);
  g_autoptr (FsGraphSolver) solver = new_solver (graph);
  FsSolution solution;
  g_assert_true (fs_graph_solver_solve (solver, NULL, &solution, NULL));
  for (int i = 0; i < 3; i++)
    change (rand, graph, solver);
  check (graph, solver);
  g_assert_cmpuint (fs_graph_solver_size_bytes (solver), >, graph->n_nodes);
}

static void
test_failing_calls (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (91);
  g_autoptr (FsGraph) graph = graph_new_form (rand, GRAPH_GRID, GRAPH_UNIFORM, 40);
  for (int kind = 0; kind < 2; kind++) {
    int n_failed = 0;
    for (int i = 0;; i++) {
      g_autoptr (FsGraph) copy = graph_copy (graph);
      use_fibres (fs_graph_engine_cuda, (FsGraphTuning){ 0 }, 0, 1);
      fibre_fail_after (i, kind == 0, FIBRE_LAUNCH_FAILED);
      live (copy);
      fibre_fail_after (-1, FALSE, FIBRE_LAUNCH_FAILED);
      g_assert_cmpint (fibre_n_allocated (), ==, 0);
      if (fs_cuda_notice () == NULL)
        break;
      g_assert_nonnull (strstr (fs_cuda_notice (), "unspecified launch failure"));
      n_failed++;
    }
    g_assert_cmpint (n_failed, >, 30);
  }
}

/* Memory of the host that ends, in the backend or in the processor that goes on for it. */
static void
test_memory_ends (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (94);
  g_autoptr (FsGraph) graph = graph_new_form (rand, GRAPH_GRID, GRAPH_UNIFORM, 40);
  FsGraphTlinkChange tlink = { 0, 5 };
  FsSolution solution;
  int n_failed = 0;
  for (int i = 0; i < 20; i++) {
    use_fibres (fs_graph_engine_cuda, (FsGraphTuning){ 0 }, 0, 1);
    fibre_fail_after (i % 2 ? 60 : -1, TRUE, FIBRE_LAUNCH_FAILED);
    g_autoptr (GError) error = NULL;
    fault_memory_after (i / 2, FALSE);
    g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cuda, graph, &error);
    gboolean done = solver != NULL && fs_graph_solver_change_tlinks (solver, &tlink, 1, &error)
                    && fs_graph_solver_solve (solver, NULL, &solution, &error);
    fault_memory_after (-1, FALSE);
    if (!done) {
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
      n_failed++;
    }
    if (solver != NULL)
      check (graph, solver);
  }
  g_assert_cmpint (n_failed, >, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/graph/schedules", test_schedules);
  g_test_add_func ("/kernels/graph/long-way", test_long_way);
  g_test_add_func ("/kernels/graph/hub", test_hub);
  g_test_add_func ("/kernels/graph/too-irregular", test_too_irregular);
  g_test_add_func ("/kernels/graph/cancelled", test_cancelled);
  g_test_add_func ("/kernels/graph/failing-calls", test_failing_calls);
  g_test_add_func ("/kernels/graph/memory-ends", test_memory_ends);
  return g_test_run ();
}
