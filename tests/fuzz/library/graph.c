/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/library/calls.h"

#include <string.h>

enum { MAX_NODES = 24, MAX_EDGES = 60, TRIED = 9, MAX_CUT = 2000 };

typedef struct {
  fretsaw_graph *graph;
  int n_nodes, n_edges;
  gboolean has_mask, is_solved;
  int64_t tlink[MAX_NODES];
  fretsaw_graph_edge edges[MAX_EDGES];
} Model;

static int64_t
sum_energy (const Model *model, const uint8_t *mask)
{
  int64_t energy = 0;
  for (int v = 0; v < model->n_nodes; v++)
    energy += mask[v] ? MAX (-model->tlink[v], 0) : MAX (model->tlink[v], 0);
  for (int i = 0; i < model->n_edges; i++) {
    const fretsaw_graph_edge *edge = &model->edges[i];
    if (mask[edge->from] != mask[edge->to])
      energy += mask[edge->from] ? edge->capacity : edge->back;
  }
  return energy;
}

static int64_t
take_tlink (Input *input)
{
  return take_chance (input, 30) ? take_number (input, 0) * 4000000000
                                 : take_number (input, FRETSAW_GRAPH_TLINK_MAX);
}

static gboolean
is_tlink (int64_t tlink)
{
  return ABS (tlink) <= FRETSAW_GRAPH_TLINK_MAX;
}

static int32_t
take_edge_capacity (Input *input)
{
  int64_t number = take_number (input, G_MAXINT32);
  return (int32_t)CLAMP (take_chance (input, 25) ? number : ABS (number), G_MININT32, G_MAXINT32);
}

static void
add_nodes (Input *input, Model *model)
{
  fretsaw_error error;
  gboolean is_huge = take_chance (input, 20);
  int n = take_int (input, 0, MIN (3, MAX_NODES - model->n_nodes));
  expect (fretsaw_graph_add_nodes (model->graph,
                                   is_huge ? FRETSAW_GRAPH_NODES_MAX + 1U : (uint32_t)n, &error),
          !is_huge, &error);
  if (is_huge || n == 0)
    return;
  model->n_nodes += n;
  model->has_mask = model->is_solved = FALSE;
}

static void
add_edges (Input *input, Model *model)
{
  fretsaw_error error;
  fretsaw_graph_edge edges[5] = { { 0 } };
  int n = take_int (input, 0, MIN (5, MAX_EDGES - model->n_edges));
  gboolean is_right = TRUE;
  for (int i = 0; i < n; i++) {
    int last = model->n_nodes - (take_chance (input, 20) ? 0 : 1);
    edges[i] = (fretsaw_graph_edge){ (uint32_t)take_int (input, 0, MAX (last, 0)),
                                     (uint32_t)take_int (input, 0, MAX (last, 0)),
                                     take_edge_capacity (input), take_edge_capacity (input) };
    is_right &= (int)edges[i].from < model->n_nodes && (int)edges[i].to < model->n_nodes
                && edges[i].capacity >= 0 && edges[i].back >= 0;
  }
  gboolean is_too_many = n > 0 && take_chance (input, 30);
  size_t n_given = is_too_many ? (size_t)FRETSAW_GRAPH_EDGES_MAX + 1 : (size_t)n;
  expect (fretsaw_graph_add_edges (model->graph, edges, n_given, &error), is_right && !is_too_many,
          &error);
  if (!is_right || is_too_many || n == 0)
    return;
  memcpy (model->edges + model->n_edges, edges, (size_t)n * sizeof *edges);
  model->n_edges += n;
  model->has_mask = model->is_solved = FALSE;
}

static void
change_tlinks (Input *input, Model *model)
{
  fretsaw_error error;
  fretsaw_node_change changes[5] = { { 0 } };
  int n = take_int (input, 0, 5);
  gboolean is_right = TRUE, has_list = !take_chance (input, 20);
  for (int i = 0; i < n; i++) {
    int last = model->n_nodes - (take_chance (input, 20) ? 0 : 1);
    changes[i] =
        (fretsaw_node_change){ (uint32_t)take_int (input, 0, MAX (last, 0)), take_tlink (input) };
    is_right &= (int)changes[i].node < model->n_nodes && is_tlink (changes[i].tlink);
  }
  is_right = n == 0 || (is_right && has_list);
  expect (fretsaw_graph_change_tlinks (model->graph, has_list ? changes : NULL, (size_t)n, &error),
          is_right, &error);
  for (int i = 0; is_right && i < n; i++)
    model->tlink[changes[i].node] = changes[i].tlink;
  model->is_solved &= !is_right || n == 0;
}

static void
change_edges (Input *input, Model *model)
{
  fretsaw_error error;
  fretsaw_edge_change changes[3] = { { 0 } };
  int n = take_int (input, 0, 3);
  gboolean is_right = TRUE;
  for (int i = 0; i < n; i++) {
    int last = model->n_edges - (take_chance (input, 20) ? 0 : 1);
    changes[i] = (fretsaw_edge_change){ (uint32_t)take_int (input, 0, MAX (last, 0)),
                                        take_edge_capacity (input), take_edge_capacity (input) };
    is_right &=
        (int)changes[i].edge < model->n_edges && changes[i].capacity >= 0 && changes[i].back >= 0;
  }
  expect (fretsaw_graph_change_edges (model->graph, changes, (size_t)n, &error), is_right, &error);
  for (int i = 0; is_right && i < n; i++) {
    model->edges[changes[i].edge].capacity = changes[i].capacity;
    model->edges[changes[i].edge].back = changes[i].back;
  }
  model->is_solved &= !is_right || n == 0;
}

static void
check_cut (const Input *input, const Model *model, const uint8_t *mask, int64_t energy)
{
  fretsaw_graph *fresh;
  fretsaw_error error;
  uint8_t expected[MAX_NODES];
  expect (fretsaw_graph_new (input->context, (uint32_t)model->n_nodes, &fresh, &error), TRUE,
          &error);
  expect (fretsaw_graph_add_edges (fresh, model->edges, (size_t)model->n_edges, &error), TRUE,
          &error);
  for (int v = 0; v < model->n_nodes; v++) {
    const fretsaw_node_change change = { (uint32_t)v, model->tlink[v] };
    expect (fretsaw_graph_change_tlinks (fresh, &change, 1, &error), TRUE, &error);
  }
  expect (fretsaw_graph_solve (fresh, NULL, NULL, &error), TRUE, &error);
  expect (fretsaw_graph_get_mask (fresh, expected, &error), TRUE, &error);
  fretsaw_graph_free (fresh);
  g_assert_cmpmem (mask, model->n_nodes, expected, model->n_nodes);
  g_assert_cmpint (sum_energy (model, mask), ==, energy);
  for (unsigned bits = 0; model->n_nodes <= TRIED && bits < 1U << model->n_nodes; bits++) {
    for (int v = 0; v < model->n_nodes; v++)
      expected[v] = bits >> v & 1;
    g_assert_cmpint (sum_energy (model, expected), >=, energy);
  }
}

static void
solve (Input *input, Model *model)
{
  uint8_t mask[MAX_NODES];
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_error error;
  expect (fretsaw_graph_solve (model->graph, NULL, &solution, &error), model->n_nodes > 0, &error);
  if (model->n_nodes == 0)
    return;
  model->has_mask = model->is_solved = TRUE;
  g_assert_true (solution.exact && solution.energy == solution.bound);
  expect (fretsaw_graph_get_mask (model->graph, mask, &error), TRUE, &error);
  check_cut (input, model, mask, solution.energy);
}

static void
read_results (Input *input, Model *model)
{
  uint8_t mask[MAX_NODES];
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  g_assert_cmpuint (fretsaw_graph_count_nodes (model->graph), ==, model->n_nodes);
  g_assert_cmpuint (fretsaw_graph_count_edges (model->graph), ==, model->n_edges);
  expect (fretsaw_graph_get_mask (model->graph, mask, &error), model->has_mask, &error);
  expect (fretsaw_graph_certify (model->graph, &certificate, &error), model->is_solved, &error);
  g_assert_true (certificate.holds == model->is_solved);
}

void
fuzz_graph (Input *input)
{
  static void (*const calls[]) (Input * input, Model * model) = {
    add_nodes, add_edges, change_tlinks, change_tlinks, change_edges, solve, read_results,
  };
  Model model = { .n_nodes = take_int (input, 0, 12) };
  fretsaw_error error;
  expect (fretsaw_graph_new (input->context, (uint32_t)model.n_nodes, &model.graph, &error), TRUE,
          &error);
  for (int i = 0; i < MAX_CALLS && has_more (input); i++)
    calls[take_int (input, 0, G_N_ELEMENTS (calls) - 1)](input, &model);
  solve (input, &model);
  fretsaw_graph_free (model.graph);
}

/* --- DIMACS --- */

/* From memory, or from a stream. */
static fretsaw_status
read_text (const Input *input, const char *text, size_t n_bytes, fretsaw_graph **graph,
           fretsaw_error *error)
{
  enum { MAX_NEEDED = 1 << 24 };
  if (n_bytes % 2 == 0)
    return fretsaw_graph_read_dimacs (input->context, text, n_bytes, MAX_NEEDED, graph, error);
  FILE *file = fmemopen ((void *)(uintptr_t)text, n_bytes, "r");
  fretsaw_status status =
      fretsaw_graph_read_dimacs_file (input->context, file, MAX_NEEDED, graph, error);
  fclose (file);
  return status;
}

/* All that is left of the input is a text: a graph that can be cut, or one sentence with a line. */
void
fuzz_dimacs_text (Input *input)
{
  fretsaw_graph *graph = NULL;
  fretsaw_error error;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  const fretsaw_node_change change = { 0, 5 };
  const char *text = (const char *)input->bytes + input->at;
  size_t n_bytes = input->n_bytes - input->at;
  fretsaw_status status = read_text (input, text, n_bytes, &graph, &error);
  g_assert_true ((status == FRETSAW_OK) == (graph != NULL));
  expect (status, status == FRETSAW_OK, &error);
  if (status)
    return;
  uint32_t n_nodes = fretsaw_graph_count_nodes (graph);
  if (n_nodes + fretsaw_graph_count_edges (graph) <= MAX_CUT) {
    g_autofree uint8_t *mask = g_malloc (n_nodes);
    expect (fretsaw_graph_solve (graph, NULL, &solution, &error), TRUE, &error);
    g_assert_true (solution.exact && solution.energy >= 0);
    expect (fretsaw_graph_certify (graph, &certificate, &error), TRUE, &error);
    g_assert_true (certificate.holds && certificate.energy == solution.energy);
    expect (fretsaw_graph_get_mask (graph, mask, &error), TRUE, &error);
    for (uint32_t v = 0; v < n_nodes; v++)
      g_assert_cmpint (mask[v], <=, 1);
    status = fretsaw_graph_change_tlinks (graph, &change, 1, &error);
    expect (status, status == FRETSAW_OK, &error);
    if (!status)
      expect (fretsaw_graph_solve (graph, NULL, NULL, &error), TRUE, &error);
  }
  fretsaw_graph_free (graph);
}
