/* SPDX-License-Identifier: MIT */
/* The library's calls with the device "cuda" beside "cpu": every mask, label, energy and bound is
 * the same, or this ends with 1; with 77 where there is no device.
 *
 * `library-check [SCALE [NAME…]]`: sides of grids and photos are multiplied by SCALE (1); of the
 * scenarios those alone whose names begin with a NAME. */
#include "library/fretsaw.h"

#include <glib.h>
#include <string.h>

enum { NO_DEVICE = 77, LABELS = 12, CHANGES = 300 };

/* --- Results --- */

/* Results of the calls of a scenario, one after another, and where each step's end. */
typedef struct {
  GByteArray *bytes;
  GPtrArray *steps; /* names */
  GArray *ends;     /* guint */
} Results;

static Results
make_results (void)
{
  return (Results){ g_byte_array_new (), g_ptr_array_new (),
                    g_array_new (FALSE, FALSE, sizeof (guint)) };
}

static void
results_clear (Results *results)
{
  g_byte_array_unref (results->bytes);
  g_ptr_array_unref (results->steps);
  g_array_unref (results->ends);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Results, results_clear)

static void
add_bytes (Results *results, const void *bytes, size_t n)
{
  g_byte_array_append (results->bytes, bytes, (guint)n);
}

static void
end_step (Results *results, const char *name)
{
  g_ptr_array_add (results->steps, (gpointer)name);
  g_array_append_val (results->ends, results->bytes->len);
}

static void
add_solution (Results *results, const fretsaw_solution *solution)
{
  const int64_t numbers[] = { solution->energy, solution->bound, solution->exact };
  add_bytes (results, numbers, sizeof numbers);
}

/* The first step that differs, or NULL. */
static const char *
find_difference (const Results *a, const Results *b)
{
  guint start = 0;
  for (guint i = 0; i < a->steps->len; i++) {
    guint end = g_array_index (a->ends, guint, i);
    if (end > b->bytes->len || g_array_index (b->ends, guint, i) != end
        || memcmp (a->bytes->data + start, b->bytes->data + start, end - start) != 0)
      return a->steps->pdata[i];
    start = end;
  }
  return NULL;
}

static void
ok (fretsaw_status status, const fretsaw_error *error)
{
  if (status)
    g_error ("%s: %s", fretsaw_status_text (status), error->text);
}

/* --- Scenarios: each with its own problem, the same on both devices --- */

typedef struct {
  const char *name;
  void (*run) (fretsaw_context *context, double scale, int variant, Results *results);
  int variant;
} Scenario;

static uint16_t *
make_capacities (GRand *rand, size_t n, int max)
{
  uint16_t *plane = g_new (uint16_t, n);
  for (size_t p = 0; p < n; p++)
    plane[p] = (uint16_t)g_rand_int_range (rand, 0, max);
  return plane;
}

/* Wide patches of one sign, so that flow goes far. */
static int32_t *
make_tlinks (GRand *rand, int width, int height)
{
  int32_t *plane = g_new (int32_t, (size_t)width * (size_t)height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      plane[y * width + x] =
          g_rand_int_range (rand, -400, 400) + ((x / 60 + y / 50) % 2 ? 120 : -120);
  return plane;
}

static void
solve_grid (fretsaw_grid *grid, size_t n, const char *step, Results *results)
{
  g_autofree uint8_t *mask = g_malloc (n);
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  int64_t energy;
  ok (fretsaw_grid_solve (grid, NULL, &solution, &error), &error);
  ok (fretsaw_grid_get_mask (grid, mask, 0, &error), &error);
  ok (fretsaw_grid_get_energy (grid, mask, 0, &energy, &error), &error);
  ok (fretsaw_grid_certify (grid, &certificate, &error), &error);
  if (!certificate.holds || !solution.exact || energy != solution.energy)
    g_error ("%s: the certificate does not hold", step);
  add_bytes (results, mask, n);
  add_solution (results, &solution);
  end_step (results, step);
}

/* `variant`: the number of neighbours; 1 more where links have directions. */
static void
cut_grid (fretsaw_context *context, double scale, int variant, Results *results)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32)variant);
  int width = (int)(611 * scale), height = (int)(397 * scale), neighbours = variant & ~1;
  size_t n = (size_t)width * (size_t)height;
  g_autofree int32_t *tlink = make_tlinks (rand, width, height);
  uint16_t *planes[8] = { NULL };
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_grid *grid;
  fretsaw_error error;
  options.width = width;
  options.height = height;
  options.neighbours = neighbours;
  options.tlink = tlink;
  for (int d = 0; d < neighbours / 2; d++) {
    options.nlink[d] = planes[2 * d] = make_capacities (rand, n, 150);
    if (variant & 1)
      options.nlink_back[d] = planes[2 * d + 1] = make_capacities (rand, n, 150);
  }
  ok (fretsaw_grid_new (context, &options, &grid, &error), &error);
  solve_grid (grid, n, "first cut", results);
  for (int i = 0; i < 3; i++) {
    fretsaw_tlink_change changes[CHANGES];
    uint32_t first = (uint32_t)g_rand_int_range (rand, 0, (gint32)n - CHANGES);
    for (uint32_t k = 0; k < CHANGES; k++)
      changes[k] = (fretsaw_tlink_change){ first + k, i % 2 ? 20000 : -20000 };
    ok (fretsaw_grid_change_tlinks (grid, changes, CHANGES, &error), &error);
    solve_grid (grid, n, "changed t-links", results);
  }
  for (size_t p = 0; p < n; p++)
    tlink[p] = -tlink[p] / 2;
  ok (fretsaw_grid_set_tlinks (grid, tlink, 0, &error), &error);
  solve_grid (grid, n, "new t-links", results);
  fretsaw_grid_free (grid);
  for (int i = 0; i < 8; i++)
    g_free (planes[i]);
}

static void
solve_graph (fretsaw_graph *graph, const char *step, Results *results)
{
  size_t n = fretsaw_graph_count_nodes (graph);
  g_autofree uint8_t *mask = g_malloc (n);
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  ok (fretsaw_graph_solve (graph, NULL, &solution, &error), &error);
  ok (fretsaw_graph_get_mask (graph, mask, &error), &error);
  ok (fretsaw_graph_certify (graph, &certificate, &error), &error);
  if (!certificate.holds || !solution.exact)
    g_error ("%s: the certificate does not hold", step);
  add_bytes (results, mask, n);
  add_solution (results, &solution);
  end_step (results, step);
}

static void
add_edges (fretsaw_graph *graph, GRand *rand, int n)
{
  int n_nodes = (int)fretsaw_graph_count_nodes (graph);
  fretsaw_error error;
  g_autofree fretsaw_graph_edge *edges = g_new (fretsaw_graph_edge, n);
  for (int i = 0; i < n; i++)
    edges[i] =
        (fretsaw_graph_edge){ (uint32_t)g_rand_int_range (rand, 0, n_nodes),
                              (uint32_t)g_rand_int_range (rand, 0, n_nodes),
                              g_rand_int_range (rand, 0, 2000), g_rand_int_range (rand, 0, 2000) };
  ok (fretsaw_graph_add_edges (graph, edges, (size_t)n, &error), &error);
}

static void
change_nodes (fretsaw_graph *graph, GRand *rand, int n)
{
  int n_nodes = (int)fretsaw_graph_count_nodes (graph);
  fretsaw_error error;
  g_autofree fretsaw_node_change *changes = g_new (fretsaw_node_change, n);
  for (int i = 0; i < n; i++)
    changes[i] = (fretsaw_node_change){ (uint32_t)g_rand_int_range (rand, 0, n_nodes),
                                        g_rand_int_range (rand, -9000, 9000) };
  ok (fretsaw_graph_change_tlinks (graph, changes, (size_t)n, &error), &error);
}

static void
cut_graph (fretsaw_context *context, double scale, int variant, Results *results)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32)variant);
  int n_nodes = (int)(20000 * scale), n_edges = (int)(90000 * scale);
  fretsaw_graph *graph;
  fretsaw_error error;
  ok (fretsaw_graph_new (context, (uint32_t)n_nodes, &graph, &error), &error);
  add_edges (graph, rand, n_edges);
  change_nodes (graph, rand, n_nodes);
  solve_graph (graph, "first cut", results);
  change_nodes (graph, rand, CHANGES);
  solve_graph (graph, "changed t-links", results);
  fretsaw_edge_change changes[CHANGES];
  for (int i = 0; i < CHANGES; i++)
    changes[i] =
        (fretsaw_edge_change){ (uint32_t)g_rand_int_range (rand, 0, n_edges),
                               g_rand_int_range (rand, 0, 9000), g_rand_int_range (rand, 0, 9000) };
  ok (fretsaw_graph_change_edges (graph, changes, CHANGES, &error), &error);
  solve_graph (graph, "changed edges", results);
  ok (fretsaw_graph_add_nodes (graph, 500, &error), &error);
  add_edges (graph, rand, 2000);
  change_nodes (graph, rand, CHANGES);
  solve_graph (graph, "more nodes and edges", results);
  fretsaw_graph_free (graph);
}

static void
run_expansion (fretsaw_expansion *expansion, size_t n, uint8_t *labels, const char *step,
               Results *results)
{
  fretsaw_labelling found = FRETSAW_LABELLING_INIT;
  fretsaw_error error;
  ok (fretsaw_expansion_run (expansion, labels, NULL, &found, &error), &error);
  const int64_t numbers[] = { found.energy, found.data, found.smoothness, found.converged,
                              found.truncated };
  add_bytes (results, labels, n);
  add_bytes (results, numbers, sizeof numbers);
  end_step (results, step);
}

enum { WEIGHTS = 8, START = 16, ORDERS = 32 };

/* The costs of a table, weighed by pixel. */
static int32_t
pair_cost (uint32_t pixel, int32_t direction, int32_t a, int32_t b, void *data)
{
  const int32_t *table = data;
  return (int32_t)(pixel % 3) * table[a * LABELS + b];
}

static void
choose_pairs (int pair, int32_t *table, fretsaw_expansion_options *options)
{
  for (int i = 0; i < LABELS * LABELS; i++)
    table[i] = i / LABELS == i % LABELS ? 0 : 20 + (i / LABELS + i % LABELS) % 20;
  options->pair = pair;
  if (pair == FRETSAW_PAIR_TABLE) {
    options->table = table;
  } else if (pair == FRETSAW_PAIR_FUNCTION) {
    options->pair_cost = pair_cost;
    options->pair_data = table;
    options->pair_cost_max = 100;
  } else {
    options->scale = 14;
    options->truncation = pair == FRETSAW_POTTS ? 0 : 4;
  }
}

/* Labels in shuffled orders, and a fifth of the pixels absent. */
static uint8_t *
shuffle (GRand *rand, size_t n, fretsaw_expansion_options *options)
{
  static const uint8_t order[LABELS] = { 0, 5, 10, 3, 8, 1, 6, 11, 4, 9, 2, 7 };
  uint8_t *present = g_malloc (n);
  for (size_t p = 0; p < n; p++)
    present[p] = g_rand_int_range (rand, 0, 5) > 0;
  options->order = order;
  options->shuffle = 3;
  options->present = present;
  return present;
}

/* `variant`: a fretsaw_pair_kind, and WEIGHTS with 8 neighbours, START, ORDERS. */
static void
expand (fretsaw_context *context, double scale, int variant, Results *results)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32)variant);
  int width = (int)(163 * scale), height = (int)(121 * scale);
  size_t n = (size_t)width * (size_t)height;
  g_autofree int32_t *data = g_new (int32_t, n * LABELS);
  g_autofree uint8_t *labels = g_malloc0 (n);
  uint16_t *weight[4] = { NULL };
  int32_t table[LABELS * LABELS];
  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  fretsaw_expansion *expansion;
  fretsaw_error error;
  for (size_t i = 0; i < n * LABELS; i++)
    data[i] = g_rand_int_range (rand, 0, 90);
  options.width = width;
  options.height = height;
  options.neighbours = variant & WEIGHTS ? 8 : 4;
  options.n_labels = LABELS;
  options.data = data;
  choose_pairs (variant & 7, table, &options);
  g_autofree uint8_t *present = variant & ORDERS ? shuffle (rand, n, &options) : NULL;
  for (int d = 0; variant & WEIGHTS && d < 4; d++)
    options.weight[d] = weight[d] = make_capacities (rand, n, 4);
  ok (fretsaw_expansion_new (context, &options, &expansion, &error), &error);
  if (variant & START) {
    int64_t bound;
    ok (fretsaw_expansion_start (expansion, labels, &bound, &error), &error);
    add_bytes (results, labels, n);
    add_bytes (results, &bound, sizeof bound);
    end_step (results, "start");
  }
  run_expansion (expansion, n, labels, "first labels", results);
  for (uint32_t p = 0; p < CHANGES; p++) {
    int32_t costs[LABELS];
    for (int i = 0; i < LABELS; i++)
      costs[i] = i == 3 ? 0 : 400;
    ok (fretsaw_expansion_change_data (expansion, &p, 1, costs, &error), &error);
  }
  run_expansion (expansion, n, labels, "changed data", results);
  fretsaw_expansion_free (expansion);
  for (int d = 0; d < 4; d++)
    g_free (weight[d]);
}

/* Discs on a noisy ground, each with a stroke. */
static void
fill_photo (GRand *rand, int width, int height, int n_objects, uint8_t *rgb, uint8_t *labels)
{
  int radius = height / 5;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int column = x * n_objects / width, cx = (2 * column + 1) * width / (2 * n_objects),
          dx = x - cx, dy = y - height / 2, p = y * width + x;
      gboolean is_inside = dx * dx + dy * dy < radius * radius;
      for (int c = 0; c < 3; c++)
        rgb[3 * p + c] = (uint8_t)(g_rand_int_range (rand, 40, 120)
                                   + (is_inside ? 60 + 30 * ((column + c) % 3) : 0));
      labels[p] = is_inside && dy == 0 ? (uint8_t)(2 + column) : y == 5 ? 1 : 0;
    }
}

static void
add_photo (fretsaw_photo *photo, size_t n, const fretsaw_solution *solution, const char *step,
           Results *results)
{
  g_autofree uint8_t *labels = g_malloc (n), *cutout = g_malloc (4 * n);
  fretsaw_error error;
  ok (fretsaw_photo_get_labels (photo, labels, 0, &error), &error);
  ok (fretsaw_photo_render (photo, NULL, NULL, FRETSAW_RGBA, cutout, 0, &error), &error);
  add_bytes (results, labels, n);
  add_bytes (results, cutout, 4 * n);
  add_solution (results, solution);
  end_step (results, step);
}

/* `variant`: the number of objects. */
static void
cut_photo (fretsaw_context *context, double scale, int variant, Results *results)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32)variant);
  int width = (int)(640 * scale), height = (int)(427 * scale);
  size_t n = (size_t)width * (size_t)height;
  g_autofree uint8_t *rgb = g_malloc (3 * n), *labels = g_malloc (n), *mask = g_malloc (n);
  fretsaw_image image = FRETSAW_IMAGE_INIT;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_photo_options options = FRETSAW_PHOTO_OPTIONS_INIT;
  fretsaw_photo *photo;
  fretsaw_error error;
  fill_photo (rand, width, height, variant, rgb, labels);
  image.width = width;
  image.height = height;
  image.pixels = rgb;
  options.verify = true;
  ok (fretsaw_photo_new (context, &image, &options, &photo, &error), &error);
  ok (fretsaw_photo_set_labels (photo, labels, 0, &error), &error);
  ok (fretsaw_photo_update (photo, NULL, &solution, &error), &error);
  add_photo (photo, n, &solution, "first update", results);
  for (int i = 0; i < 4; i++) {
    double x = width * (0.2 + 0.2 * i), y = height / 2. + height / 7.;
    ok (fretsaw_photo_paint (photo, x, y, x + 20, y + 5, 3, i % 2 ? 1 : 2, &error), &error);
    ok (fretsaw_photo_update (photo, NULL, &solution, &error), &error);
    add_photo (photo, n, &solution, "update", results);
  }
  if (variant == 1) {
    ok (fretsaw_photo_preview (photo, NULL, mask, 0, &error), &error);
    add_bytes (results, mask, n);
    end_step (results, "preview");
  }
  ok (fretsaw_photo_finish (photo, NULL, &solution, &error), &error);
  add_photo (photo, n, &solution, "finish", results);
  fretsaw_photo_free (photo);
}

static const Scenario scenarios[] = {
  { "grid, 4 neighbours", cut_grid, 4 },
  { "grid, 4 neighbours, directed", cut_grid, 5 },
  { "grid, 8 neighbours", cut_grid, 8 },
  { "grid, 8 neighbours, directed", cut_grid, 9 },
  { "graph", cut_graph, 1 },
  { "expansion, Potts", expand, FRETSAW_POTTS },
  { "expansion, linear, from a start", expand, FRETSAW_TRUNCATED_LINEAR | START },
  { "expansion, quadratic", expand, FRETSAW_TRUNCATED_QUADRATIC },
  { "expansion, table, 8 neighbours, weights", expand, FRETSAW_PAIR_TABLE | WEIGHTS },
  { "expansion, Potts, orders, absent pixels", expand, FRETSAW_POTTS | ORDERS },
  { "expansion, by a function", expand, FRETSAW_PAIR_FUNCTION },
  { "photo", cut_photo, 1 },
  { "photo of three objects", cut_photo, 3 },
};

/* --- Devices --- */

static fretsaw_status
make_context (const char *device, fretsaw_context **context, fretsaw_error *error)
{
  fretsaw_context_options options = FRETSAW_CONTEXT_OPTIONS_INIT;
  options.device = device;
  return fretsaw_context_new (&options, context, error);
}

typedef struct {
  const Scenario *scenario;
  fretsaw_context *context;
  double scale;
  Results results;
} Task;

static gpointer
run_task (gpointer data)
{
  Task *task = data;
  task->scenario->run (task->context, task->scale, task->scenario->variant, &task->results);
  return NULL;
}

static double
time_task (Task *task)
{
  int64_t start = g_get_monotonic_time ();
  run_task (task);
  return (double)(g_get_monotonic_time () - start) / 1000;
}

/* Returns whether both contexts give the same, once alone and once from two threads at once. */
static gboolean
compare (const Scenario *scenario, fretsaw_context *cpu, fretsaw_context *device, double scale)
{
  Task tasks[] = { { scenario, cpu, scale, make_results () },
                   { scenario, device, scale, make_results () },
                   { scenario, device, scale, make_results () },
                   { scenario, device, scale, make_results () } };
  double cpu_ms = time_task (&tasks[0]), device_ms = time_task (&tasks[1]);
  GThread *second = g_thread_new ("second", run_task, &tasks[2]);
  run_task (&tasks[3]);
  g_thread_join (second);
  const char *difference = NULL;
  for (int i = 1; i < 4 && !difference; i++)
    difference = find_difference (&tasks[0].results, &tasks[i].results);
  guint n_results = tasks[0].results.steps->len;
  for (int i = 0; i < 4; i++)
    results_clear (&tasks[i].results);
  g_print ("%-8s %-42s %u results, CPU %.0f ms, device %.0f ms%s%s\n",
           difference ? "DIFFERS" : "same", scenario->name, n_results, cpu_ms, device_ms,
           difference ? ": " : "", difference ? difference : "");
  return !difference;
}

static gboolean
is_named (const Scenario *scenario, int n, char **names)
{
  gboolean is_found = n == 0;
  for (int i = 0; i < n && !is_found; i++)
    is_found = g_str_has_prefix (scenario->name, names[i]);
  return is_found;
}

int
main (int argc, char **argv)
{
  fretsaw_context *cpu = NULL, *device = NULL;
  fretsaw_error error;
  double scale = argc > 1 ? CLAMP (g_ascii_strtod (argv[1], NULL), 0.2, 8) : 1;
  gboolean is_same = TRUE;
  if (make_context ("cuda", &device, &error)) {
    g_printerr ("library-check: %s\n", error.text);
    return NO_DEVICE;
  }
  ok (make_context ("cpu", &cpu, &error), &error);
  const char *name = fretsaw_context_get_device (device);
  g_print ("%s beside %s\n", name, fretsaw_context_get_device (cpu));
  for (size_t i = 0; i < G_N_ELEMENTS (scenarios); i++)
    if (is_named (&scenarios[i], MAX (0, argc - 2), argv + 2))
      is_same &= compare (&scenarios[i], cpu, device, scale);
  if (strcmp (fretsaw_context_get_device (device), name) != 0) {
    g_printerr ("library-check: %s\n", fretsaw_context_get_device (device));
    is_same = FALSE;
  }
  fretsaw_context_free (cpu);
  fretsaw_context_free (device);
  return is_same ? 0 : 1;
}
