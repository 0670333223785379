/* SPDX-License-Identifier: MIT */
/* Grids, graphs and expansions whose memory is refused at any allocation, or whose solves are
 * cancelled at any poll: a call that fails changes nothing, and the next one goes on. */
#include "library/fretsaw.h"
#include "tests/faults/faults.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 60, HEIGHT = 50, N = WIDTH * HEIGHT, LABELS = 4, MAX_FAULTS = 400 };

/* Lists of graphs grow by GLib's function. */
static int growth_countdown = -1;

void *__real_g_try_realloc_n (void *memory, gsize n, gsize size);
void *__wrap_g_try_realloc_n (void *memory, gsize n, gsize size);

void *
__wrap_g_try_realloc_n (void *memory, gsize n, gsize size)
{
  return growth_countdown >= 0 && growth_countdown-- == 0
             ? NULL
             : __real_g_try_realloc_n (memory, n, size);
}

typedef struct {
  int32_t tlink[N], data[LABELS * N];
  uint16_t nlink[N];
  fretsaw_graph_edge edges[N];
} Planes;

static void
fill (Planes *planes)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (uint32_t p = 0; p < N; p++) {
    planes->tlink[p] = g_rand_int_range (rand, -300, 300);
    planes->nlink[p] = (uint16_t)g_rand_int_range (rand, 0, 200);
    planes->edges[p] =
        (fretsaw_graph_edge){ p, (uint32_t)g_rand_int_range (rand, 0, N), planes->nlink[p], 5 };
    for (int label = 0; label < LABELS; label++)
      planes->data[label * N + (int)p] = g_rand_int_range (rand, 0, 60);
  }
}

/* A run of calls, each again while it fails. */
typedef struct {
  const Planes *planes;
  fretsaw_status expected; /* of a call that fails */
  int n_failed;
  fretsaw_error error;
} Run;

static void
stop_faults (void)
{
  fault_memory_after (-1, FALSE);
  fault_cancel_after (-1);
  growth_countdown = -1;
}

static gboolean
has_failed (Run *run, fretsaw_status status)
{
  if (status == FRETSAW_OK)
    return FALSE;
  g_assert_cmpint (status, ==, run->expected);
  g_assert_cmpint (run->error.status, ==, run->expected);
  g_assert_cmpint (run->error.text[0], !=, '\0');
  run->n_failed++;
  stop_faults ();
  return TRUE;
}

#define TRY(call)                                                                                  \
  while (has_failed (run, (call)))                                                                 \
    ;

static void
cut_grid (Run *run, uint8_t *result)
{
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_grid *grid = NULL;
  const fretsaw_tlink_change tlink = { N / 2, 4000 };
  const fretsaw_nlink_change nlink = { N / 3, FRETSAW_SOUTH, 9, 8 };
  int64_t energy;
  options.width = WIDTH;
  options.height = HEIGHT;
  options.tlink = run->planes->tlink;
  options.nlink[0] = options.nlink[1] = run->planes->nlink;
  options.changes_nlinks = true;
  TRY (fretsaw_grid_new (NULL, &options, &grid, &run->error));
  TRY (fretsaw_grid_solve (grid, NULL, NULL, &run->error));
  TRY (fretsaw_grid_change_tlinks (grid, &tlink, 1, &run->error));
  TRY (fretsaw_grid_change_nlinks (grid, &nlink, 1, &run->error));
  TRY (fretsaw_grid_solve (grid, NULL, NULL, &run->error));
  TRY (fretsaw_grid_set_tlinks (grid, run->planes->data, 0, &run->error));
  TRY (fretsaw_grid_set_tlinks (grid, run->planes->tlink, 0, &run->error));
  TRY (fretsaw_grid_solve (grid, NULL, NULL, &run->error));
  TRY (fretsaw_grid_certify (grid, &certificate, &run->error));
  g_assert_true (certificate.holds);
  TRY (fretsaw_grid_get_mask (grid, result, 0, &run->error));
  TRY (fretsaw_grid_get_energy (grid, result, 0, &energy, &run->error));
  g_assert_cmpint (energy, ==, certificate.energy);
  fretsaw_grid_free (grid);
}

static void
cut_graph (Run *run, uint8_t *result)
{
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_graph *graph = NULL;
  g_autofree fretsaw_node_change *changes = g_new (fretsaw_node_change, N);
  g_autofree uint8_t *mask = g_malloc (N + 1);
  for (uint32_t p = 0; p < N; p++)
    changes[p] = (fretsaw_node_change){ p, run->planes->tlink[p] };
  TRY (fretsaw_graph_new (NULL, N, &graph, &run->error));
  TRY (fretsaw_graph_add_edges (graph, run->planes->edges, N / 2, &run->error));
  TRY (fretsaw_graph_change_tlinks (graph, changes, N, &run->error));
  TRY (fretsaw_graph_solve (graph, NULL, NULL, &run->error));
  while (has_failed (run, fretsaw_graph_add_nodes (graph, 1, &run->error))) {
    g_assert_cmpuint (fretsaw_graph_count_nodes (graph), ==, N);
    g_assert_cmpint (fretsaw_graph_get_mask (graph, mask, &run->error), ==, FRETSAW_OK);
  }
  TRY (fretsaw_graph_solve (graph, NULL, NULL, &run->error));
  while (has_failed (run, fretsaw_graph_add_edges (graph, run->planes->edges + N / 2, N / 2,
                                                   &run->error))) {
    g_assert_cmpuint (fretsaw_graph_count_edges (graph), ==, N / 2);
    g_assert_cmpint (fretsaw_graph_certify (graph, &certificate, &run->error), ==, FRETSAW_OK);
  }
  TRY (fretsaw_graph_solve (graph, NULL, NULL, &run->error));
  TRY (fretsaw_graph_certify (graph, &certificate, &run->error));
  g_assert_true (certificate.holds);
  TRY (fretsaw_graph_get_mask (graph, mask, &run->error));
  memcpy (result, mask, N);
  fretsaw_graph_free (graph);
}

static void
expand (Run *run, uint8_t *result)
{
  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  fretsaw_expansion *expansion = NULL;
  const uint32_t pixel = N / 2;
  const int32_t costs[LABELS] = { 900, 3, 900, 900 };
  options.width = WIDTH;
  options.height = HEIGHT;
  options.n_labels = LABELS;
  options.data = run->planes->data;
  options.pair = FRETSAW_TRUNCATED_LINEAR;
  options.scale = 9;
  options.truncation = 2;
  options.weight[0] = options.weight[1] = run->planes->nlink;
  TRY (fretsaw_expansion_new (NULL, &options, &expansion, &run->error));
  TRY (fretsaw_expansion_start (expansion, result, NULL, &run->error));
  TRY (fretsaw_expansion_run (expansion, result, NULL, NULL, &run->error));
  TRY (fretsaw_expansion_change_data (expansion, &pixel, 1, costs, &run->error));
  memset (result, 0, N);
  TRY (fretsaw_expansion_run (expansion, result, NULL, NULL, &run->error));
  fretsaw_expansion_free (expansion);
}

typedef void (*Work) (Run *run, uint8_t *result);

typedef enum { MEMORY, GROWTH, CANCELLED } Fault;

static void
begin_fault (Fault fault, int i)
{
  if (fault == MEMORY)
    fault_memory_after (i, FALSE);
  else if (fault == GROWTH)
    growth_countdown = i;
  else
    fault_cancel_after (i + 1);
}

static void
check (Work work, Fault fault)
{
  g_autofree Planes *planes = g_new (Planes, 1);
  uint8_t result[N], expected[N];
  const char *share = g_getenv ("FRETSAW_TEST_SHARE"); /* every n-th fault alone */
  int step = share ? MAX (1, atoi (share)) : 1;
  Run run = { .planes = planes };
  fill (planes);
  work (&run, expected);
  g_assert_cmpint (run.n_failed, ==, 0);
  run.expected = fault == CANCELLED ? FRETSAW_CANCELLED : FRETSAW_MEMORY;
  for (int i = 0; i < MAX_FAULTS; i += fault == GROWTH ? 1 : step) {
    begin_fault (fault, i);
    work (&run, result);
    stop_faults ();
    g_assert_cmpmem (result, N, expected, N);
  }
  g_assert_cmpint (run.n_failed, >, 0);
  g_test_message ("%d faults were seen", run.n_failed);
}

static void
test_grid_memory (void)
{
  check (cut_grid, MEMORY);
}

static void
test_grid_cancelled (void)
{
  check (cut_grid, CANCELLED);
}

static void
test_graph_memory (void)
{
  check (cut_graph, MEMORY);
}

static void
test_graph_growth (void)
{
  check (cut_graph, GROWTH);
}

static void
test_expansion_memory (void)
{
  check (expand, MEMORY);
}

static void
test_expansion_cancelled (void)
{
  check (expand, CANCELLED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/faults/grid-memory", test_grid_memory);
  g_test_add_func ("/library/faults/grid-cancelled", test_grid_cancelled);
  g_test_add_func ("/library/faults/graph-memory", test_graph_memory);
  g_test_add_func ("/library/faults/graph-growth", test_graph_growth);
  g_test_add_func ("/library/faults/expansion-memory", test_expansion_memory);
  g_test_add_func ("/library/faults/expansion-cancelled", test_expansion_cancelled);
  return g_test_run ();
}
