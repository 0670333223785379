/* SPDX-License-Identifier: MIT */
/* Any graph with the engine as a library, and a change that costs what it changes.
 *
 *        5       2       4
 *   (0) ---> (1) ---> (2) ---> (3)      node 0 pulls to the object by 9, node 3 to the background
 *                                       by 9; edges carry nothing back
 *
 * Build it with
 *   cc cut_graph.c $(pkg-config --cflags --libs fretsaw) -o cut_graph
 */
#include <solver/graph/graph_solver.h>

static gboolean
cut_and_print (FsGraph *graph, FsGraphSolver *solver, GError **error)
{
  FsSolution solution;
  if (!fs_graph_solver_solve (solver, NULL, &solution, error))
    return FALSE;
  g_autofree uint8_t *mask = g_malloc (graph->n_nodes);
  fs_graph_solver_read_mask (solver, mask);
  g_print ("energy %" G_GINT64_FORMAT "%s, object:", solution.energy,
           solution.exact ? ", exact" : "");
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    if (mask[v])
      g_print (" %u", v);
  g_print ("\n");
  return TRUE;
}

int
main (void)
{
  int64_t tlink[] = { 9, 0, 0, -9 };
  FsGraphEdge edges[] = { { 0, 1, 5, 0 }, { 1, 2, 2, 0 }, { 2, 3, 4, 0 } };
  FsGraph graph = { .n_nodes = 4, .n_edges = 3, .tlink = tlink, .edges = edges };
  FsGraphEdgeChange wider = { .edge = 1, .capacity = 8 };
  g_autoptr (GError) error = NULL;
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (&fs_graph_backend_cpu, &graph, &error);
  if (!solver || !cut_and_print (&graph, solver, &error)
      || !fs_graph_solver_change_edges (solver, &wider, 1, &error)
      || !cut_and_print (&graph, solver, &error))
    return g_printerr ("%s\n", error->message), 1;
  return 0;
}
