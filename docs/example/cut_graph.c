/* SPDX-License-Identifier: MIT */
/* Any graph, and a capacity that changes.
 *
 *        5       2       4
 *   (0) ---> (1) ---> (2) ---> (3)      node 0 pulls to the object by 9, node 3 to the background
 *                                       by 9; edges carry nothing back
 *
 * Build it with
 *   cc cut_graph.c $(pkg-config --cflags --libs fretsaw) -o cut_graph
 */
#include <fretsaw.h>
#include <stdio.h>

enum { N_NODES = 4 };

static bool
solve_and_print (fretsaw_graph *graph, fretsaw_error *error)
{
  uint8_t mask[N_NODES];
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  if (fretsaw_graph_solve (graph, NULL, &solution, error)
      || fretsaw_graph_get_mask (graph, mask, error))
    return false;
  printf ("energy %lld%s, object:", (long long)solution.energy, solution.exact ? ", exact" : "");
  for (int v = 0; v < N_NODES; v++)
    if (mask[v])
      printf (" %d", v);
  printf ("\n");
  return true;
}

int
main (void)
{
  const fretsaw_node_change ends[] = { { 0, 9 }, { 3, -9 } };
  const fretsaw_graph_edge edges[] = { { 0, 1, 5, 0 }, { 1, 2, 2, 0 }, { 2, 3, 4, 0 } };
  const fretsaw_edge_change wider = { 1, 8, 0 };
  fretsaw_graph *graph = NULL;
  fretsaw_error error;
  bool done = fretsaw_graph_new (NULL, N_NODES, &graph, &error) == FRETSAW_OK
              && fretsaw_graph_change_tlinks (graph, ends, 2, &error) == FRETSAW_OK
              && fretsaw_graph_add_edges (graph, edges, 3, &error) == FRETSAW_OK
              && solve_and_print (graph, &error)
              && fretsaw_graph_change_edges (graph, &wider, 1, &error) == FRETSAW_OK
              && solve_and_print (graph, &error);
  fretsaw_graph_free (graph);
  if (!done)
    fprintf (stderr, "cut_graph: %s\n", error.text);
  return !done;
}
