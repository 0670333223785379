/* SPDX-License-Identifier: MIT */
/* bench_graph PROBLEM.max…: our cut of networks against Boykov & Kolmogorov's code, in processor
 * time, build + solve, and how long a few changed capacities take. Masks and flows are compared: a
 * difference ends the benchmark. */
#include "app/problems/dimacs.h"
#include "solver/graph/graph_solver.h"
#include "tests/solver/graph/graph_others.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { N_CHANGES = 20 };

static double
processor_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

/* Rounds of a hundred changed capacities, each solved; the mean. */
static double
time_changes (FsGraph *graph, FsGraphSolver *solver)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  FsGraphEdgeChange changes[100];
  FsSolution solution;
  double start = processor_ms ();
  for (int round = 0; round < N_CHANGES && graph->n_edges > 0; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
      changes[i] =
          (FsGraphEdgeChange){ (uint32_t)g_rand_int_range (rand, 0, (gint32)graph->n_edges),
                               g_rand_int_range (rand, 0, 100), g_rand_int_range (rand, 0, 100) };
    if (!fs_graph_solver_change_edges (solver, changes, G_N_ELEMENTS (changes), NULL)
        || !fs_graph_solver_solve (solver, NULL, &solution, NULL) || !solution.exact)
      g_error ("a changed network was not cut");
  }
  return (processor_ms () - start) / N_CHANGES;
}

static void
measure (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsDimacs) dimacs = fs_dimacs_load (path, &error);
  int64_t constant = 0;
  if (!dimacs
      || !fs_graph_fold_terminals (&dimacs->graph, dimacs->source, dimacs->sink, &constant, &error))
    g_error ("%s", error->message);
  FsGraph *graph = &dimacs->graph;
  double start = processor_ms ();
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, graph, NULL);
  double built = processor_ms ();
  FsSolution solution;
  if (!fs_graph_solver_solve (solver, NULL, &solution, NULL) || !solution.exact)
    g_error ("%s: not cut", path);
  double solved = processor_ms ();
  printf ("%s: %u nodes, %u edges: ours %.0f + %.0f ms", path, graph->n_nodes, graph->n_edges,
          built - start, solved - built);
  fflush (stdout);
#ifdef FS_WITH_LIBMAXFLOW
  g_autofree uint8_t *mask = g_malloc (graph->n_nodes);
  g_autofree uint8_t *expected = g_malloc (graph->n_nodes);
  fs_graph_solver_read_mask (solver, mask);
  start = processor_ms ();
  int64_t flow = graph_cut_by_bk (graph, expected);
  printf (", libmaxflow %.0f ms", processor_ms () - start);
  if (flow != solution.energy || memcmp (mask, expected, graph->n_nodes) != 0)
    g_error ("%s: a different cut", path);
#endif
  printf (", a hundred changes %.1f ms\n", time_changes (graph, solver));
}

int
main (int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    measure (argv[i]);
  return argc > 1 ? 0 : 2;
}
