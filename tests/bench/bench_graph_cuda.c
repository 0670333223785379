/* SPDX-License-Identifier: MIT */
/* Cuts of any graph on the device, beside the processor's, in one process:
 *
 *   bench_graph_cuda [OPTIONS] FORM:NODES …          forms: tests/bench/network.h
 *
 * Cold cuts, from the list of edges to the mask on the host, and rounds of a hundred changed
 * capacities. Times are milliseconds of the wall, device_ms of the device's own clock. One JSON
 * object a network on standard output. Fails where two masks or energies differ, or a certificate
 * does not hold. What is not done within its seconds is given up, and its times say null. */
#include "solver/cuda/cuda_backend.h"
#include "solver/graph/graph_cuda.h"
#include "solver/graph/graph_backend.h"
#include "tests/bench/network.h"
#include "tests/ladder/graph/graph_sweeps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_ROUNDS = 10, N_CHANGES = 100 };

static double cpu_seconds = 60, seconds = 20;
static gboolean all_methods, all_tunings, certify;
static char **networks;

static const GOptionEntry options[] = {
  { "cpu-seconds", 0, 0, G_OPTION_ARG_DOUBLE, &cpu_seconds, "The most a CPU's cut may take", "S" },
  { "seconds", 0, 0, G_OPTION_ARG_DOUBLE, &seconds, "The most a device's cut may take", "S" },
  { "methods", 0, 0, G_OPTION_ARG_NONE, &all_methods, "Garrett & Saito's too", NULL },
  { "tunings", 0, 0, G_OPTION_ARG_NONE, &all_tunings, "Ours in many tunings", NULL },
  { "certify", 0, 0, G_OPTION_ARG_NONE, &certify, "Prove each cut on the host", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &networks, NULL, "FORM:NODES …" },
  { NULL },
};

typedef struct {
  const char *name;
  FsGraphTuning tuning;
  const FsGraphEngineTable *(*engine) (void); /* NULL: the module's */
} Variant;

static const Variant best = { "lists", { 0 }, NULL };
#ifdef FS_WITH_CUDA
static const Variant methods[] = {
  { "sweeps on rows", { 0 }, fs_graph_engine_sweeps },
  { "sweeps on a regular graph", { 0 }, fs_graph_engine_sweeps_regular },
};
#endif
static const Variant tunings[] = {
  { "4 lanes", { .lanes = 4 }, NULL },
  { "8 lanes", { .lanes = 8 }, NULL },
  { "16 lanes", { .lanes = 16 }, NULL },
  { "32 lanes", { .lanes = 32 }, NULL },
  { "1 visit", { .visits = 1 }, NULL },
  { "4 visits", { .visits = 4 }, NULL },
  { "8 visits", { .visits = 8 }, NULL },
  { "steps for 1 level", { .steps = FS_GRAPH_STEP_UNIT }, NULL },
  { "steps for 4 levels", { .steps = 4 * FS_GRAPH_STEP_UNIT }, NULL },
  { "steps for 8 levels", { .steps = 8 * FS_GRAPH_STEP_UNIT }, NULL },
};

/* One network, and what the first cut of it said. */
typedef struct {
  FsGraph graph;
  uint8_t *mask; /* NULL until there is one */
  int64_t energy;
} Problem;

static void
problem_clear (Problem *problem)
{
  g_free (problem->graph.tlink);
  g_free (problem->graph.edges);
  g_free (problem->mask);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Problem, problem_clear)

static void
make (Problem *problem, const char *form, uint32_t n_nodes)
{
  g_auto (Network) net = { 0 };
  g_autoptr (GError) error = NULL;
  int64_t constant;
  if (!network_make (&net, form, n_nodes, 1))
    g_error ("there is no form “%s”", form);
  FsGraph *graph = &problem->graph;
  *graph = (FsGraph){ .n_nodes = net.n_nodes + 2,
                      .n_edges = (uint32_t)net.n,
                      .tlink = g_new0 (int64_t, net.n_nodes + 2),
                      .edges = g_new (FsGraphEdge, net.n) };
  for (uint32_t i = 0; i < graph->n_edges; i++)
    graph->edges[i] = (FsGraphEdge){ .from = net.arc[i].from - 1,
                                     .to = net.arc[i].to - 1,
                                     .capacity = (int32_t)net.arc[i].capacity };
  if (!fs_graph_fold_terminals (graph, net.n_nodes, net.n_nodes + 1, &constant, &error))
    g_error ("%s", error->message);
}

/* --- One cut ---------------------------------------------------------------------------------- */

typedef struct {
  gint64 end_us;
  atomic_bool cancel;
} Limit;

static void
look_at_clock (double fraction G_GNUC_UNUSED, gpointer data)
{
  Limit *limit = data;
  if (g_get_monotonic_time () > limit->end_us)
    atomic_store (&limit->cancel, TRUE);
}

static double
passed_ms (gint64 start_us)
{
  return (double)(g_get_monotonic_time () - start_us) / 1e3;
}

static void
print_ms (const char *name, double ms)
{
  if (ms < 0)
    printf ("\"%s\": null, ", name);
  else
    printf ("\"%s\": %.3f, ", name, ms);
}

/* Milliseconds, or -1 where time was up. */
static double
solve (FsGraphSolver *solver, double most_seconds, FsSolution *solution)
{
  gint64 start = g_get_monotonic_time ();
  Limit limit = { .end_us = start + (gint64)(most_seconds * 1e6) };
  FsProgress progress = { .report = look_at_clock, .user_data = &limit, .cancel = &limit.cancel };
  g_autoptr (GError) error = NULL;
  if (fs_graph_solver_solve (solver, &progress, solution, &error))
    return passed_ms (start);
  if (!g_error_matches (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED))
    g_error ("%s", error->message);
  return -1;
}

static void
check (Problem *problem, FsGraphSolver *solver, const FsSolution *solution, const char *name)
{
  uint32_t n = problem->graph.n_nodes;
  g_autofree uint8_t *mask = g_malloc (n);
  fs_graph_solver_read_mask (solver, mask);
  if (!solution->exact || fs_cuda_notice () != NULL)
    g_error ("%s: not exact, or not on the device: %s", name, fs_cuda_notice ());
  if (problem->mask == NULL)
    problem->energy = solution->energy;
  else if (problem->energy != solution->energy || memcmp (problem->mask, mask, n) != 0)
    g_error ("%s: another cut", name);
  g_free (problem->mask);
  problem->mask = g_steal_pointer (&mask);
}

static void
prove (FsGraphSolver *solver, const char *name)
{
  FsCertificate certificate;
  g_autoptr (GError) error = NULL;
  gint64 start = g_get_monotonic_time ();
  if (!fs_graph_solver_certify (solver, &certificate, &error) || !certificate.holds)
    g_error ("%s: no certificate", name);
  print_ms ("certify_ms", passed_ms (start));
}

/* Changes capacities round by round, the same ones with every solver that begins with the same
 * graph. The mean. */
static double
time_changes (FsGraphSolver *solver, FsSolution *solution)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  FsGraphEdgeChange changes[N_CHANGES];
  gint64 start = g_get_monotonic_time ();
  for (int round = 0; round < N_ROUNDS; round++) {
    for (int i = 0; i < N_CHANGES; i++)
      changes[i] =
          (FsGraphEdgeChange){ (uint32_t)g_rand_int_range (rand, 0, (gint32)solver->graph->n_edges),
                               g_rand_int_range (rand, 0, 100), g_rand_int_range (rand, 0, 100) };
    if (!fs_graph_solver_change_edges (solver, changes, N_CHANGES, NULL)
        || solve (solver, seconds, solution) < 0)
      return -1;
  }
  return passed_ms (start) / N_ROUNDS;
}

/* Cuts the network as it is; then, for what is asked, a copy of it as it changes. */
static double
measure (Problem *problem, const FsGraphBackend *backend, double most_seconds, const char *name)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (backend, &problem->graph, &error);
  if (solver == NULL)
    g_error ("%s: %s", name, error->message);
  print_ms ("create_ms", passed_ms (start));
  FsSolution solution;
  double ms = solve (solver, most_seconds, &solution);
  if (ms >= 0) {
    check (problem, solver, &solution, name);
    if (certify)
      prove (solver, name);
  }
  if (backend == &fs_graph_backend_cuda) {
    FsGraphEngineResult result;
    fs_graph_cuda_last_result (solver, &result);
    print_ms ("device_ms", ms >= 0 ? result.device_ms : -1);
    printf ("\"rounds\": %u, \"levels\": %u, \"steps\": %" G_GUINT64_FORMAT
            ", \"visits\": %" G_GUINT64_FORMAT ", ",
            result.n_rounds, result.n_levels, result.n_steps, result.n_visits);
  }
  printf ("\"bytes\": %zu, ", fs_graph_solver_size_bytes (solver));
  print_ms ("cut_ms", ms);
  printf ("\"name\": \"%s\"}", name);
  fflush (stdout);
  return ms;
}

static void
measure_variant (Problem *problem, const Variant *variant)
{
  printf (", {");
  fs_graph_cuda_use (variant->engine != NULL ? variant->engine () : NULL, variant->tuning);
  measure (problem, &fs_graph_backend_cuda, seconds, variant->name);
}

/* A hundred changed capacities, on a copy of the network. */
static double
measure_changes (const Problem *problem, const FsGraphBackend *backend, FsSolution *solution)
{
  FsGraph copy = problem->graph;
  size_t n = problem->graph.n_edges;
  copy.tlink = g_memdup2 (copy.tlink, copy.n_nodes * sizeof *copy.tlink);
  copy.edges = g_memdup2 (copy.edges, n * sizeof *copy.edges);
  g_autoptr (GError) error = NULL;
  FsGraphSolver *solver = fs_graph_solver_new (backend, &copy, &error);
  if (solver == NULL)
    g_error ("%s", error->message);
  double ms = solve (solver, seconds, solution) < 0 ? -1 : time_changes (solver, solution);
  fs_graph_solver_free (solver);
  g_free (copy.tlink);
  g_free (copy.edges);
  return ms;
}

static void
compare_changes (const Problem *problem, gboolean cpu_is_quick)
{
  FsSolution solution = { 0 }, expected = { 0 };
  double ms = measure_changes (problem, &fs_graph_backend_cuda, &solution);
  double cpu_ms = cpu_is_quick ? measure_changes (problem, &fs_graph_backend_cpu, &expected) : -1;
  if (ms >= 0 && cpu_ms >= 0 && solution.energy != expected.energy)
    g_error ("changed, the network has another cut");
  print_ms ("changes_ms", ms);
  print_ms ("cpu_changes_ms", cpu_ms);
}

static void
measure_network (const char *words)
{
  g_auto (GStrv) parts = g_strsplit (words, ":", 2);
  if (g_strv_length (parts) != 2)
    g_error ("FORM:NODES, not “%s”", words);
  g_auto (Problem) problem = { 0 };
  make (&problem, parts[0], (uint32_t)strtoul (parts[1], NULL, 10));
  printf ("{\"network\": \"%s\", \"nodes\": %u, \"edges\": %u, \"cuts\": [{", words,
          problem.graph.n_nodes, problem.graph.n_edges);
  double cpu_ms = measure (&problem, &fs_graph_backend_cpu, cpu_seconds, "cpu");
  measure_variant (&problem, &best);
#ifdef FS_WITH_CUDA
  for (guint i = 0; i < G_N_ELEMENTS (methods) && all_methods; i++)
    measure_variant (&problem, &methods[i]);
#endif
  for (guint i = 0; i < G_N_ELEMENTS (tunings) && all_tunings; i++)
    measure_variant (&problem, &tunings[i]);
  printf ("], ");
  fs_graph_cuda_use (NULL, (FsGraphTuning){ 0 });
  compare_changes (&problem, cpu_ms >= 0);
  printf ("\"device\": \"%s\"}\n", fs_graph_backend_cuda.device ());
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new ("FORM:NODES …");
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error) || networks == NULL) {
    fprintf (stderr, "bench_graph_cuda: %s\n", error ? error->message : "no networks");
    return 2;
  }
  if (!fs_graph_cuda_is_available (&error)) {
    fprintf (stderr, "bench_graph_cuda: %s\n", error->message);
    return 77;
  }
  for (char **words = networks; *words != NULL; words++)
    measure_network (*words);
  g_strfreev (networks);
  return 0;
}
