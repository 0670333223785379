/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph_certificate.h"

#include "solver/system/checked_memory.h"

#include <string.h>

typedef struct {
  const FsGraph *graph;
  const int64_t *excess;
  const uint32_t *residual;
  uint32_t *first; /* [n_nodes + 1]: where the edges that touch a node begin in `touching` */
  uint32_t *touching;
  uint32_t *list;   /* nodes to visit */
  uint8_t *reached; /* of a node: it can reach a deficit */
} Check;

static void
check_clear (Check *check)
{
  fs_memory_free (check->first);
  fs_memory_free (check->touching);
  fs_memory_free (check->list);
  fs_memory_free (check->reached);
}

static gboolean
check_allocate (Check *check)
{
  size_t n = check->graph->n_nodes;
  check->first = fs_memory_new (n + 1, sizeof *check->first);
  check->touching = fs_memory_new ((size_t)check->graph->n_edges * 2, sizeof *check->touching);
  check->list = fs_memory_new (n, sizeof *check->list);
  check->reached = fs_memory_new (n, 1);
  return check->first != NULL && check->touching != NULL && check->list != NULL
         && check->reached != NULL;
}

static gboolean
is_feasible (const Check *check)
{
  for (uint32_t i = 0; i < check->graph->n_edges; i++) {
    const FsGraphEdge *edge = &check->graph->edges[i];
    if (check->residual[i] > (int64_t)edge->capacity + edge->back)
      return FALSE;
  }
  return TRUE;
}

/* Net flow from an edge's `from` to its `to`. */
static int64_t
flow_of_edge (const Check *check, uint32_t i)
{
  return (int64_t)check->graph->edges[i].capacity - check->residual[i];
}

static gboolean
is_conserved (const Check *check)
{
  const FsGraph *graph = check->graph;
  for (uint32_t v = 0; v < graph->n_nodes; v++) {
    int64_t expected = graph->tlink[v];
    for (uint32_t k = check->first[v]; k < check->first[v + 1]; k++) {
      uint32_t i = check->touching[k];
      expected += graph->edges[i].to == v ? flow_of_edge (check, i) : 0;
      expected -= graph->edges[i].from == v ? flow_of_edge (check, i) : 0;
    }
    if (expected != check->excess[v])
      return FALSE;
  }
  return TRUE;
}

static int64_t
flow_value (const Check *check)
{
  int64_t value = 0;
  for (uint32_t v = 0; v < check->graph->n_nodes; v++)
    value += MAX (check->graph->tlink[v], 0) - MAX (check->excess[v], 0);
  return value;
}

static void
list_touching (Check *check)
{
  const FsGraph *graph = check->graph;
  memset (check->first, 0, ((size_t)graph->n_nodes + 1) * sizeof *check->first);
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    check->first[graph->edges[i].from]++;
    check->first[graph->edges[i].to]++;
  }
  for (uint32_t v = 0; v < graph->n_nodes; v++)
    check->first[v + 1] += check->first[v];
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    check->touching[--check->first[graph->edges[i].from]] = i;
    check->touching[--check->first[graph->edges[i].to]] = i;
  }
}

/* Lists the nodes that have a residual arc into `v` and were not reached before. */
static uint32_t
list_predecessors (Check *check, uint32_t v, uint32_t n_listed)
{
  for (uint32_t k = check->first[v]; k < check->first[v + 1]; k++) {
    uint32_t i = check->touching[k];
    const FsGraphEdge *edge = &check->graph->edges[i];
    gboolean forth = edge->to == v;
    int64_t left = forth ? (int64_t)check->residual[i]
                         : (int64_t)edge->capacity + edge->back - check->residual[i];
    uint32_t before = forth ? edge->from : edge->to;
    if (left <= 0 || check->reached[before])
      continue;
    check->reached[before] = 1;
    check->list[n_listed++] = before;
  }
  return n_listed;
}

static gboolean
is_canonical (Check *check, const uint8_t *mask)
{
  uint32_t n = check->graph->n_nodes;
  uint32_t n_listed = 0;
  for (uint32_t v = 0; v < n; v++) {
    check->reached[v] = check->excess[v] < 0;
    if (check->reached[v])
      check->list[n_listed++] = v;
  }
  while (n_listed > 0) {
    uint32_t v = check->list[--n_listed];
    n_listed = list_predecessors (check, v, n_listed);
  }
  for (uint32_t v = 0; v < n; v++)
    if ((mask[v] != 0) == (check->reached[v] != 0))
      return FALSE;
  return TRUE;
}

gboolean
fs_graph_certify (const FsGraph *graph, const int64_t *excess, const uint32_t *residual,
                  const uint8_t *mask, FsCertificate *certificate, GError **error)
{
  g_return_val_if_fail (graph != NULL && excess != NULL && mask != NULL && certificate != NULL,
                        FALSE);
  g_return_val_if_fail (residual != NULL || graph->n_edges == 0, FALSE);
  if (!fs_graph_validate (graph, error))
    return FALSE;
  Check check = { .graph = graph, .excess = excess, .residual = residual };
  if (!check_allocate (&check)) {
    check_clear (&check);
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to check the cut of %u nodes and %u edges", graph->n_nodes,
                 graph->n_edges);
    return FALSE;
  }
  list_touching (&check);
  *certificate = (FsCertificate){
    .feasible = is_feasible (&check),
    .conserved = is_conserved (&check),
    .energy = fs_graph_energy (graph, mask),
    .bound = flow_value (&check),
  };
  /* A walk over infeasible residuals would mean nothing. */
  certificate->canonical = certificate->feasible && is_canonical (&check, mask);
  certificate->holds = certificate->feasible && certificate->conserved && certificate->canonical
                       && certificate->energy == certificate->bound;
  check_clear (&check);
  return TRUE;
}
