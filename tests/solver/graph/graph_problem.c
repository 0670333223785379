/* SPDX-License-Identifier: MIT */
#include "tests/solver/graph/graph_problem.h"

#include "solver/cuda/cuda_backend.h"
#include "solver/graph/graph_cuda.h"
#include "tests/solver/problem.h"

#include <math.h>

FsGraph *
graph_new (uint32_t n_nodes, uint32_t n_edges)
{
  FsGraph *graph = g_new0 (FsGraph, 1);
  graph->n_nodes = n_nodes;
  graph->n_edges = n_edges;
  graph->tlink = g_new0 (int64_t, n_nodes);
  graph->edges = n_edges > 0 ? g_new0 (FsGraphEdge, n_edges) : NULL;
  return graph;
}

void
graph_free (FsGraph *graph)
{
  g_free (graph->tlink);
  g_free (graph->edges);
  g_free (graph);
}

FsGraph *
graph_copy (const FsGraph *graph)
{
  FsGraph *copy = g_new (FsGraph, 1);
  *copy = *graph;
  copy->tlink = g_memdup2 (graph->tlink, graph->n_nodes * sizeof *graph->tlink);
  copy->edges = g_memdup2 (graph->edges, graph->n_edges * sizeof *graph->edges);
  return copy;
}

static uint32_t
below (GRand *rand, uint32_t n)
{
  return (uint32_t)g_rand_int_range (rand, 0, (gint32)n);
}

static int32_t
random_capacity (GRand *rand, GraphSort sort)
{
  switch (sort) {
  case GRAPH_TIES:
    return g_rand_int_range (rand, 0, 3);
  case GRAPH_ZEROES:
    return g_rand_int_range (rand, 0, 4) == 0 ? g_rand_int_range (rand, 0, 100) : 0;
  case GRAPH_LIMITS:
    return g_rand_boolean (rand) ? G_MAXINT32 : g_rand_int_range (rand, 0, G_MAXINT32);
  default:
    return g_rand_int_range (rand, 0, 100);
  }
}

int64_t
random_graph_tlink (GRand *rand, GraphSort sort)
{
  switch (sort) {
  case GRAPH_TIES:
    return g_rand_int_range (rand, -2, 3);
  case GRAPH_LIMITS:
    return g_rand_boolean (rand) ? (g_rand_boolean (rand) ? 1 : -1) * FS_GRAPH_TLINK_MAX
                                 : (int64_t)g_rand_int (rand) - G_MAXINT32;
  case GRAPH_SEEDS:
    return g_rand_int_range (rand, 0, 12) == 0 ? g_rand_int_range (rand, -2000, 2001) : 0;
  default:
    return g_rand_int_range (rand, -150, 151);
  }
}

static uint32_t
count_edges (GraphForm form, uint32_t n, GRand *rand)
{
  switch (form) {
  case GRAPH_DENSE:
    return MIN (n * n, 4000);
  case GRAPH_GRID:
    return 2 * n;
  case GRAPH_PATH:
    return n - 1;
  default:
    return below (rand, 4 * n + 1);
  }
}

/* The other end of the i-th edge, before it is brought below n. */
static uint32_t
draw_end (GRand *rand, GraphForm form, uint32_t n, uint32_t i, uint32_t from)
{
  uint32_t side = MAX (1, (uint32_t)sqrt (n));
  switch (form) {
  case GRAPH_GRID:
    return from + (i % 2 ? side : 1);
  case GRAPH_LAYERED:
    return (from / side + 1) * side + below (rand, side);
  case GRAPH_HUBS:
    return below (rand, g_rand_boolean (rand) ? n : 3);
  case GRAPH_DISCONNECTED:
    return from / 5 * 5 + below (rand, 5);
  case GRAPH_PATH:
    return from + 1;
  default:
    return below (rand, n);
  }
}

static void
draw_ends (FsGraph *graph, GraphForm form, GRand *rand, uint32_t i)
{
  uint32_t n = graph->n_nodes;
  uint32_t from = form == GRAPH_GRID ? i / 2 : form == GRAPH_PATH ? i : below (rand, n);
  uint32_t to = draw_end (rand, form, n, i, from);
  to = MIN (to, n - 1);
  gboolean turned = form != GRAPH_PATH && form != GRAPH_LAYERED && g_rand_boolean (rand);
  graph->edges[i].from = turned ? to : from;
  graph->edges[i].to = turned ? from : to;
}

FsGraph *
graph_new_form (GRand *rand, GraphForm form, GraphSort sort, uint32_t n_nodes)
{
  FsGraph *graph = graph_new (n_nodes, count_edges (form, n_nodes, rand));
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    FsGraphEdge *edge = &graph->edges[i];
    draw_ends (graph, form, rand, i);
    edge->capacity = random_capacity (rand, sort);
    edge->back = sort == GRAPH_ONE_WAY ? 0 : random_capacity (rand, sort);
  }
  for (uint32_t v = 0; v < n_nodes; v++)
    graph->tlink[v] = random_graph_tlink (rand, sort);
  return graph;
}

FsGraph *
graph_new_random (GRand *rand, uint32_t most)
{
  GraphForm form = (GraphForm)below (rand, N_GRAPH_FORMS);
  GraphSort sort = (GraphSort)below (rand, N_GRAPH_SORTS);
  return graph_new_form (rand, form, sort, 1 + below (rand, most));
}

FsGraphEdgeChange
random_edge_change (GRand *rand, const FsGraph *graph, GraphSort sort)
{
  return (FsGraphEdgeChange){ below (rand, graph->n_edges), random_capacity (rand, sort),
                              random_capacity (rand, sort) };
}

const FsGraphBackend *
test_graph_backend (void)
{
  return !test_backend_is_slow () && test_backend () == &fs_backend_cuda ? &fs_graph_backend_cuda
                                                                         : &fs_graph_backend_cpu;
}

uint8_t *
graph_solve_and_check (const FsGraph *graph, FsGraphSolver *solver, FsSolution *solution)
{
  g_autoptr (GError) error = NULL;
  FsCertificate certificate;
  gboolean solved = fs_graph_solver_solve (solver, NULL, solution, &error);
  g_assert_no_error (error);
  g_assert_true (solved);
  g_assert_true (solution->exact);
  g_assert_true (fs_graph_solver_certify (solver, &certificate, &error));
  g_assert_true (certificate.holds);
  g_assert_cmpint (certificate.energy, ==, solution->energy);
  g_assert_cmpint (certificate.bound, ==, solution->bound);
  uint8_t *mask = g_malloc (graph->n_nodes);
  fs_graph_solver_read_mask (solver, mask);
  return mask;
}

void
change_random_parts (GRand *rand, FsGraph *graph, FsGraphSolver *solver, uint32_t n)
{
  GraphSort sort = (GraphSort)g_rand_int_range (rand, 0, N_GRAPH_SORTS);
  g_autofree FsGraphTlinkChange *tlinks = g_new (FsGraphTlinkChange, n);
  g_autofree FsGraphEdgeChange *edges = g_new (FsGraphEdgeChange, n);
  for (uint32_t i = 0; i < n; i++) {
    tlinks[i].node = (uint32_t)g_rand_int_range (rand, 0, (gint32)graph->n_nodes);
    tlinks[i].tlink = random_graph_tlink (rand, sort);
    if (graph->n_edges > 0)
      edges[i] = random_edge_change (rand, graph, sort);
  }
  if (g_rand_boolean (rand))
    g_assert_true (fs_graph_solver_change_tlinks (solver, tlinks, n, NULL));
  if (graph->n_edges > 0 && g_rand_boolean (rand))
    g_assert_true (fs_graph_solver_change_edges (solver, edges, n, NULL));
}
