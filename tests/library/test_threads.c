/* SPDX-License-Identifier: MIT */
/* Several threads in one object: each call does what it would do alone, or is refused as busy. */
#include "library/fretsaw.h"

#include <glib.h>
#include <string.h>

enum { WIDTH = 90, HEIGHT = 70, N = WIDTH * HEIGHT, LABELS = 4, N_THREADS = 3, N_CALLS = 120 };

static void
ok (fretsaw_status status, const fretsaw_error *error)
{
  if (status)
    g_error ("status %d: %s", (int)status, error->text);
}

/* --- The objects --- */

/* Planes of all problems: those of a seed are the same. */
typedef struct {
  int32_t tlink[N], data[LABELS * N];
  uint16_t nlink[N];
  uint8_t rgb[3 * N], labels[N];
} Planes;

static Planes *
make_planes (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Planes *planes = g_new0 (Planes, 1);
  for (int p = 0; p < N; p++) {
    planes->tlink[p] = g_rand_int_range (rand, -300, 300);
    planes->nlink[p] = (uint16_t)g_rand_int_range (rand, 0, 200);
    for (int label = 0; label < LABELS; label++)
      planes->data[label * N + p] = g_rand_int_range (rand, 0, 60);
    int x = p % WIDTH - WIDTH / 2, y = p / WIDTH - HEIGHT / 2;
    gboolean is_inside = x * x + y * y < 400;
    for (int c = 0; c < 3; c++)
      planes->rgb[3 * p + c] = (uint8_t)((is_inside ? 160 : 80) + g_rand_int_range (rand, -30, 30));
    planes->labels[p] = y == 0 && is_inside ? 2 : y == 2 - HEIGHT / 2 ? 1 : 0;
  }
  return planes;
}

static void *
make_grid (const Planes *planes)
{
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_grid *grid;
  fretsaw_error error;
  options.width = WIDTH;
  options.height = HEIGHT;
  options.tlink = planes->tlink;
  options.nlink[0] = options.nlink[1] = planes->nlink;
  options.changes_nlinks = true;
  ok (fretsaw_grid_new (NULL, &options, &grid, &error), &error);
  return grid;
}

static fretsaw_status
call_grid (void *object, GRand *rand, uint8_t *mask, fretsaw_error *error)
{
  const fretsaw_tlink_change tlink = { (uint32_t)g_rand_int_range (rand, 0, N),
                                       g_rand_int_range (rand, -900, 900) };
  const fretsaw_nlink_change nlink = { (uint32_t)g_rand_int_range (rand, 0, N / 2) / WIDTH * WIDTH,
                                       FRETSAW_SOUTH, 7, 9 };
  int64_t energy;
  switch (g_rand_int_range (rand, 0, 5)) {
  case 0:
    return fretsaw_grid_change_tlinks (object, &tlink, 1, error);
  case 1:
    return fretsaw_grid_change_nlinks (object, &nlink, 1, error);
  case 2:
    return fretsaw_grid_get_energy (object, mask, 0, &energy, error);
  default:
    return fretsaw_grid_solve (object, NULL, NULL, error);
  }
}

/* Undoes what calls have changed, and cuts. */
static void
finish_grid (void *object, const Planes *planes, uint8_t *mask)
{
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  ok (fretsaw_grid_set_tlinks (object, planes->tlink, 0, &error), &error);
  for (uint32_t y = 0; y < HEIGHT - 1; y++) {
    uint16_t capacity = planes->nlink[y * WIDTH];
    const fretsaw_nlink_change change = { y * WIDTH, FRETSAW_SOUTH, capacity, capacity };
    ok (fretsaw_grid_change_nlinks (object, &change, 1, &error), &error);
  }
  ok (fretsaw_grid_solve (object, NULL, NULL, &error), &error);
  ok (fretsaw_grid_get_mask (object, mask, 0, &error), &error);
  ok (fretsaw_grid_certify (object, &certificate, &error), &error);
  g_assert_true (certificate.holds);
}

static void
free_grid (void *object)
{
  fretsaw_grid_free (object);
}

/* A chain of N nodes, to which calls add others that nothing joins. */
static void *
make_graph (const Planes *planes)
{
  fretsaw_graph *graph;
  fretsaw_error error;
  ok (fretsaw_graph_new (NULL, N, &graph, &error), &error);
  for (uint32_t p = 0; p < N - 1; p++) {
    const fretsaw_graph_edge edge = { p, p + 1, planes->nlink[p], planes->nlink[p] };
    ok (fretsaw_graph_add_edges (graph, &edge, 1, &error), &error);
  }
  return graph;
}

static fretsaw_status
call_graph (void *object, GRand *rand, uint8_t *mask, fretsaw_error *error)
{
  const fretsaw_node_change node = { (uint32_t)g_rand_int_range (rand, 0, N),
                                     g_rand_int_range (rand, -900, 900) };
  const fretsaw_edge_change edge = { (uint32_t)g_rand_int_range (rand, 0, N - 1), 3, 4 };
  g_assert_cmpuint (fretsaw_graph_count_nodes (object), >=, N);
  g_assert_cmpuint (fretsaw_graph_count_edges (object), ==, N - 1);
  switch (g_rand_int_range (rand, 0, 8)) {
  case 0:
    return fretsaw_graph_add_nodes (object, 1, error);
  case 1:
  case 2:
    return fretsaw_graph_change_tlinks (object, &node, 1, error);
  case 3:
  case 4:
    return fretsaw_graph_change_edges (object, &edge, 1, error);
  default:
    return fretsaw_graph_solve (object, NULL, NULL, error);
  }
}

static void
finish_graph (void *object, const Planes *planes, uint8_t *mask)
{
  g_autofree uint8_t *all = g_malloc (fretsaw_graph_count_nodes (object));
  fretsaw_error error;
  for (uint32_t p = 0; p < N; p++) {
    const fretsaw_node_change node = { p, planes->tlink[p] };
    const fretsaw_edge_change edge = { p, planes->nlink[p], planes->nlink[p] };
    ok (fretsaw_graph_change_tlinks (object, &node, 1, &error), &error);
    if (p < N - 1)
      ok (fretsaw_graph_change_edges (object, &edge, 1, &error), &error);
  }
  ok (fretsaw_graph_solve (object, NULL, NULL, &error), &error);
  ok (fretsaw_graph_get_mask (object, all, &error), &error);
  memcpy (mask, all, N);
}

static void
free_graph (void *object)
{
  fretsaw_graph_free (object);
}

static void *
make_expansion (const Planes *planes)
{
  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  fretsaw_expansion *expansion;
  fretsaw_error error;
  options.width = WIDTH;
  options.height = HEIGHT;
  options.n_labels = LABELS;
  options.data = planes->data;
  options.scale = 9;
  ok (fretsaw_expansion_new (NULL, &options, &expansion, &error), &error);
  return expansion;
}

static fretsaw_status
call_expansion (void *object, GRand *rand, uint8_t *mask, fretsaw_error *error)
{
  const uint32_t pixel = (uint32_t)g_rand_int_range (rand, 0, N);
  const int32_t costs[LABELS] = { 5, 50, 2, 20 };
  memset (mask, 0, N);
  return g_rand_boolean (rand) ? fretsaw_expansion_change_data (object, &pixel, 1, costs, error)
                               : fretsaw_expansion_run (object, mask, NULL, NULL, error);
}

static void
finish_expansion (void *object, const Planes *planes, uint8_t *mask)
{
  fretsaw_error error;
  for (uint32_t p = 0; p < N; p++) {
    int32_t costs[LABELS];
    for (int label = 0; label < LABELS; label++)
      costs[label] = planes->data[label * N + (int)p];
    ok (fretsaw_expansion_change_data (object, &p, 1, costs, &error), &error);
  }
  memset (mask, 0, N);
  ok (fretsaw_expansion_run (object, mask, NULL, NULL, &error), &error);
}

static void
free_expansion (void *object)
{
  fretsaw_expansion_free (object);
}

static void *
make_photo (const Planes *planes)
{
  fretsaw_image image = FRETSAW_IMAGE_INIT;
  fretsaw_photo *photo;
  fretsaw_error error;
  image.width = WIDTH;
  image.height = HEIGHT;
  image.pixels = planes->rgb;
  ok (fretsaw_photo_new (NULL, &image, NULL, &photo, &error), &error);
  ok (fretsaw_photo_set_labels (photo, planes->labels, 0, &error), &error);
  ok (fretsaw_photo_update (photo, NULL, NULL, &error), &error);
  return photo;
}

static fretsaw_status
call_photo (void *object, GRand *rand, uint8_t *mask, fretsaw_error *error)
{
  double x = g_rand_double_range (rand, 0, WIDTH);
  const fretsaw_label_change change = { (uint32_t)x, 1 };
  const uint8_t probability[] = { 0, 255, 128, 30 };
  fretsaw_guess guess = FRETSAW_GUESS_INIT;
  guess.width = guess.height = 2;
  guess.probability = probability;
  guess.is_found = true;
  switch (g_rand_int_range (rand, 0, 12)) {
  case 0:
    return fretsaw_photo_paint (object, x, 2, 9, 5, 2, 1, error);
  case 1:
    return fretsaw_photo_change_labels (object, &change, 1, error);
  case 2:
    return fretsaw_photo_get_mask (object, mask, 0, error);
  case 3:
    return fretsaw_photo_preview (object, NULL, mask, 0, error);
  case 4:
    return fretsaw_photo_get_labels (object, mask, 0, error);
  case 5:
    return fretsaw_photo_set_guess (object, x < WIDTH / 2 ? &guess : NULL, error);
  case 6:
    return fretsaw_photo_separate (object, NULL, error);
  case 7:
    return fretsaw_photo_finish (object, NULL, NULL, error);
  default:
    return fretsaw_photo_update (object, NULL, NULL, error);
  }
}

static void
finish_photo (void *object, const Planes *planes, uint8_t *mask)
{
  fretsaw_error error;
  ok (fretsaw_photo_set_labels (object, planes->labels, 0, &error), &error);
  ok (fretsaw_photo_set_guess (object, NULL, &error), &error);
  ok (fretsaw_photo_finish (object, NULL, NULL, &error), &error);
  ok (fretsaw_photo_get_mask (object, mask, 0, &error), &error);
}

static void
free_photo (void *object)
{
  fretsaw_photo_free (object);
}

typedef struct {
  const char *name;
  void *(*make) (const Planes *planes);
  fretsaw_status (*call) (void *object, GRand *rand, uint8_t *mask, fretsaw_error *error);
  void (*finish) (void *object, const Planes *planes, uint8_t *mask);
  void (*free) (void *object);
} Kind;

static const Kind kinds[] = {
  { "grid", make_grid, call_grid, finish_grid, free_grid },
  { "graph", make_graph, call_graph, finish_graph, free_graph },
  { "expansion", make_expansion, call_expansion, finish_expansion, free_expansion },
  { "photo", make_photo, call_photo, finish_photo, free_photo },
};

/* --- Threads --- */

typedef struct {
  const Kind *kind;
  void *object;
  guint32 seed;
  int n_refused;
} Caller;

static gpointer
make_calls (gpointer data)
{
  Caller *caller = data;
  g_autoptr (GRand) rand = g_rand_new_with_seed (caller->seed);
  g_autofree uint8_t *mask = g_malloc0 (N);
  fretsaw_error error;
  for (int n_done = 0; n_done < N_CALLS;) {
    fretsaw_status status = caller->kind->call (caller->object, rand, mask, &error);
    if (status == FRETSAW_BUSY) {
      g_assert_cmpint (error.status, ==, FRETSAW_BUSY);
      caller->n_refused++;
      g_usleep (20);
      continue;
    }
    ok (status, &error);
    n_done++;
  }
  return NULL;
}

static void
test_hammered (gconstpointer data)
{
  const Kind *kind = data;
  g_autofree Planes *planes = make_planes (5);
  g_autofree uint8_t *mask = g_malloc (N), *expected = g_malloc (N);
  void *object = kind->make (planes), *fresh = kind->make (planes);
  Caller callers[N_THREADS];
  GThread *threads[N_THREADS];
  int n_refused = 0;
  for (int i = 0; i < N_THREADS; i++) {
    callers[i] = (Caller){ kind, object, (guint32)i, 0 };
    threads[i] = g_thread_new ("caller", make_calls, &callers[i]);
  }
  for (int i = 0; i < N_THREADS; i++) {
    g_thread_join (threads[i]);
    n_refused += callers[i].n_refused;
  }
  g_test_message ("%d calls were done, %d refused", N_THREADS * N_CALLS, n_refused);
  kind->finish (object, planes, mask);
  kind->finish (fresh, planes, expected);
  g_assert_cmpmem (mask, N, expected, N);
  kind->free (object);
  kind->free (fresh);
}

/* --- Calls from a report --- */

enum { WIDE = 1200, HIGH = 800 };

typedef struct {
  fretsaw_grid *grid;
  int n_reports;
} Reported;

static gpointer
call_busy (gpointer data)
{
  Reported *reported = data;
  const fretsaw_tlink_change change = { 0, 900 };
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_error error;
  g_assert_cmpint (fretsaw_grid_change_tlinks (reported->grid, &change, 1, &error), ==,
                   FRETSAW_BUSY);
  g_assert_cmpint (error.status, ==, FRETSAW_BUSY);
  g_assert_cmpstr (error.text, ==, "another call with this grid has not ended");
  g_assert_cmpint (fretsaw_grid_solve (reported->grid, NULL, &solution, NULL), ==, FRETSAW_BUSY);
  return NULL;
}

/* Another object may be worked on. */
static void
call_from_report (double fraction, void *data)
{
  Reported *reported = data;
  const int32_t tlink = -3;
  const uint16_t none = 0;
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_grid *other;
  fretsaw_error error;
  g_assert_cmpfloat (fraction, >=, 0);
  if (reported->n_reports++ > 0)
    return;
  call_busy (reported);
  g_thread_join (g_thread_new ("second", call_busy, reported));
  options.width = options.height = 1;
  options.tlink = &tlink;
  options.nlink[0] = options.nlink[1] = &none;
  ok (fretsaw_grid_new (NULL, &options, &other, &error), &error);
  ok (fretsaw_grid_solve (other, NULL, &solution, &error), &error);
  g_assert_cmpint (solution.energy, ==, 0);
  fretsaw_grid_free (other);
}

static void
test_reported (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree int32_t *tlink = g_new (int32_t, WIDE * HIGH);
  g_autofree uint16_t *nlink = g_new (uint16_t, WIDE * HIGH);
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_progress progress = FRETSAW_PROGRESS_INIT;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  Reported reported = { 0 };
  fretsaw_error error;
  for (int p = 0; p < WIDE * HIGH; p++) {
    tlink[p] = g_rand_int_range (rand, -300, 300);
    nlink[p] = (uint16_t)g_rand_int_range (rand, 0, 200);
  }
  options.width = WIDE;
  options.height = HIGH;
  options.tlink = tlink;
  options.nlink[0] = options.nlink[1] = nlink;
  progress.report = call_from_report;
  progress.data = &reported;
  ok (fretsaw_grid_new (NULL, &options, &reported.grid, &error), &error);
  ok (fretsaw_grid_solve (reported.grid, &progress, &solution, &error), &error);
  g_assert_true (solution.exact);
  g_assert_cmpint (reported.n_reports, >, 0);
  fretsaw_grid_free (reported.grid);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (size_t i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *path = g_strdup_printf ("/library/threads/%s", kinds[i].name);
    g_test_add_data_func (path, &kinds[i], test_hammered);
  }
  g_test_add_func ("/library/threads/reported", test_reported);
  return g_test_run ();
}
