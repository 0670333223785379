/* SPDX-License-Identifier: MIT */
/* Lock-free push-relabel on the host, each of its threads a fibre: in both forms and every schedule
 * the processor's mask and flow, and whichever call of the CUDA library fails, a status. */
#include "solver/graph_rows.h"
#include "solver/kernels/graph/graph_engine.h"
#include "tests/kernels/fibres/fibre_control.h"
#include "tests/solver/graph_problem.h"
#include "tests/solver/problem.h"

#include <string.h>

enum { N_SCHEDULES = 5 };

/* What the device works on, with the flow that it has. */
typedef struct {
  FsGraphRows rows;
  FsGraphArrays arrays;
} Device;

static void
device_init (Device *device, const FsGraph *graph)
{
  g_assert_true (fs_graph_rows_init (&device->rows, graph));
  uint32_t n_arcs = device->rows.first[graph->n_nodes];
  uint32_t *head = g_new (uint32_t, n_arcs), *reverse = g_new (uint32_t, n_arcs);
  uint32_t *residual = g_new (uint32_t, n_arcs);
  for (uint32_t i = 0; i < n_arcs; i++) {
    head[i] = device->rows.arc[i].head;
    reverse[i] = device->rows.arc[i].reverse;
    residual[i] = device->rows.arc[i].residual;
  }
  device->arrays = (FsGraphArrays){
    .n_nodes = graph->n_nodes,
    .n_arcs = n_arcs,
    .first = device->rows.first,
    .head = head,
    .reverse = reverse,
    .residual = residual,
    .excess = g_memdup2 (graph->tlink, graph->n_nodes * sizeof *graph->tlink),
    .mask = g_malloc (graph->n_nodes),
  };
}

static void
device_clear (Device *device)
{
  g_free ((void *)device->arrays.head);
  g_free ((void *)device->arrays.reverse);
  g_free (device->arrays.residual);
  g_free (device->arrays.excess);
  g_free (device->arrays.mask);
  fs_graph_rows_clear (&device->rows);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Device, device_clear)

static FsGraphWork
solve (Device *device, FsGraphForm form)
{
  FsEngineError error = { "" };
  FsGraphWork work;
  int status = fs_graph_cuda_solve (&device->arrays, form, &work, &error);
  g_assert_cmpstr (error.text, ==, "");
  g_assert_cmpint (status, ==, FS_ENGINE_DONE);
  return work;
}

/* Demands a certificate for what the device has made of the graph, and the processor's mask. */
static void
check (FsGraph *graph, const Device *device)
{
  g_autofree uint32_t *residual = g_new (uint32_t, graph->n_edges);
  for (uint32_t i = 0; i < graph->n_edges; i++) {
    uint32_t arc = device->rows.edge_arc[i];
    residual[i] =
        arc == FS_GRAPH_NO_ARC ? (uint32_t)graph->edges[i].capacity : device->arrays.residual[arc];
  }
  FsCertificate certificate;
  g_assert_true (fs_graph_certify (graph, device->arrays.excess, residual, device->arrays.mask,
                                   &certificate, NULL));
  g_assert_true (certificate.holds);
  g_autoptr (FsGraphSolver) solver = fs_graph_solver_new (graph, NULL);
  FsSolution solution;
  g_autofree uint8_t *mask = graph_solve_and_check (graph, solver, &solution);
  g_assert_cmpint (certificate.energy, ==, solution.energy);
  g_assert_cmpmem (device->arrays.mask, graph->n_nodes, mask, graph->n_nodes);
}

/* Other t-links, on top of the flow that is there. */
static void
change (GRand *rand, FsGraph *graph, Device *device)
{
  for (uint32_t v = 0; v < graph->n_nodes; v += 3) {
    int64_t tlink = random_graph_tlink (rand, GRAPH_UNIFORM);
    device->arrays.excess[v] += tlink - graph->tlink[v];
    graph->tlink[v] = tlink;
  }
}

static void
test_schedules (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (90);
  int n = scaled (250);
  for (int i = 0; i < n; i++) {
    fibre_set_schedule ((guint32)(i % N_SCHEDULES), 1 + i % 3);
    g_autoptr (FsGraph) graph = graph_new_random (rand, i % 10 == 0 ? 500 : 80);
    g_auto (Device) device;
    device_init (&device, graph);
    solve (&device, (FsGraphForm)(i / 2 % FS_GRAPH_N_FORMS));
    check (graph, &device);
    change (rand, graph, &device);
    solve (&device, (FsGraphForm)(i / 4 % FS_GRAPH_N_FORMS));
    check (graph, &device);
  }
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* A way so long that the first rounds' sweeps do not suffice for one unit to arrive. */
static void
test_long_way (void)
{
  enum { N = 300 };
  for (int form = 0; form < FS_GRAPH_N_FORMS; form++) {
    fibre_set_schedule (2, 2);
    g_autoptr (FsGraph) graph = graph_new (N, N - 1);
    for (uint32_t i = 0; i < N - 1; i++)
      graph->edges[i] = (FsGraphEdge){ i + 1, i, 5, 5 };
    graph->tlink[N - 1] = 9;
    graph->tlink[0] = -9;
    g_auto (Device) device;
    device_init (&device, graph);
    FsGraphWork work = solve (&device, (FsGraphForm)form);
    check (graph, &device);
    g_assert_cmpuint (work.n_rounds, >, 1);
    g_assert_cmpuint (work.n_sweeps, >, 16);
  }
}

/* One node that has most arcs makes a regular graph too large to be one. */
static void
test_too_irregular (void)
{
  enum { N = 40000 };
  g_autoptr (FsGraph) graph = graph_new (N, N - 1);
  for (uint32_t i = 0; i < N - 1; i++)
    graph->edges[i] = (FsGraphEdge){ 0, i + 1, 1, 1 };
  g_auto (Device) device;
  device_init (&device, graph);
  FsEngineError error = { "" };
  FsGraphWork work;
  int status = fs_graph_cuda_solve (&device.arrays, FS_GRAPH_FORM_REGULAR, &work, &error);
  g_assert_cmpint (status, ==, FS_ENGINE_NO_MEMORY);
  g_assert_cmpstr (error.text, ==, "made regular, the graph has too many arcs");
}

static void
test_failing_calls (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (91);
  g_autoptr (FsGraph) graph = graph_new_form (rand, GRAPH_GRID, GRAPH_UNIFORM, 40);
  fibre_set_schedule (0, 1);
  g_auto (Device) first;
  device_init (&first, graph);
  int before = fibre_n_calls ();
  solve (&first, FS_GRAPH_FORM_ROWS);
  /* The last two release what was taken. */
  int n_calls = fibre_n_calls () - before - 2;
  g_assert_cmpint (n_calls, >, 10);
  for (int i = 0; i < n_calls; i++) {
    g_auto (Device) device;
    device_init (&device, graph);
    FsEngineError error = { "" };
    FsGraphWork work;
    fibre_fail_after (i, TRUE, FIBRE_LAUNCH_FAILED);
    int status = fs_graph_cuda_solve (&device.arrays, FS_GRAPH_FORM_ROWS, &work, &error);
    fibre_fail_after (-1, FALSE, FIBRE_LAUNCH_FAILED);
    g_assert_cmpint (status, ==, FS_ENGINE_FAILED);
    g_assert_nonnull (strstr (error.text, "unspecified launch failure"));
    g_assert_cmpint (fibre_n_allocated (), ==, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/graph/schedules", test_schedules);
  g_test_add_func ("/kernels/graph/long-way", test_long_way);
  g_test_add_func ("/kernels/graph/too-irregular", test_too_irregular);
  g_test_add_func ("/kernels/graph/failing-calls", test_failing_calls);
  return g_test_run ();
}
