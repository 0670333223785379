/* SPDX-License-Identifier: MIT */
/* Expansions through fretsaw.h, beside the engine's own. */
#include "library/fretsaw.h"
#include "solver/expansion/expansion.h"

#include <string.h>

enum { WIDTH = 33, HEIGHT = 21, N = WIDTH * HEIGHT, LABELS = 6 };

static void
ok (fretsaw_status status, const fretsaw_error *error)
{
  if (status)
    g_error ("status %d: %s", (int)status, error->text);
}

typedef struct {
  int32_t data[LABELS * N];
  int32_t last[LABELS * N]; /* the same with the labels last */
  int32_t table[LABELS * LABELS];
  uint16_t weight[4][N];
} Problem;

static void
fill (Problem *problem, GRand *rand, int power, int max)
{
  for (int p = 0; p < N; p++)
    for (int label = 0; label < LABELS; label++)
      problem->data[label * N + p] = problem->last[p * LABELS + label] =
          g_rand_int_range (rand, 0, 60);
  for (int a = 0; a < LABELS; a++)
    for (int b = 0; b < LABELS; b++) {
      int d = ABS (a - b);
      problem->table[a * LABELS + b] = 3 * MIN (power == 2 ? d * d : power == 1 ? d : d > 0, max);
    }
  for (int d = 0; d < 4; d++)
    for (int p = 0; p < N; p++)
      problem->weight[d][p] = (uint16_t)g_rand_int_range (rand, 0, 9);
}

static FsLabelEnergy
solve_by_engine (const Problem *problem, int neighbours, gboolean has_weights, uint8_t *labels)
{
  FsLabelProblem own = { .width = WIDTH,
                         .height = HEIGHT,
                         .neighbours = (FsNeighbours)neighbours,
                         .n_labels = LABELS,
                         .data = problem->data,
                         .table = problem->table };
  for (int d = 0; has_weights && d < neighbours / 2; d++)
    own.weight[d] = problem->weight[d];
  const FsExpansionOptions options = { 0 };
  g_autoptr (FsExpansion) expansion = fs_expansion_new (&fs_backend_cpu, &own, &options, NULL);
  g_auto (FsExpansionResult) result = { 0 };
  g_assert_true (fs_expansion_run (expansion, labels, NULL, &result, NULL));
  return result.energy;
}

/* Returns whether terms were truncated. */
static gboolean
compare (fretsaw_expansion *expansion, const Problem *problem, int neighbours, gboolean has_weights,
         uint8_t *labels)
{
  uint8_t expected[N];
  fretsaw_labelling labelling = FRETSAW_LABELLING_INIT;
  fretsaw_error error;
  memcpy (expected, labels, N);
  FsLabelEnergy energy = solve_by_engine (problem, neighbours, has_weights, expected);
  int64_t data, smoothness;
  ok (fretsaw_expansion_run (expansion, labels, NULL, &labelling, &error), &error);
  ok (fretsaw_expansion_get_energy (expansion, labels, &data, &smoothness, &error), &error);
  g_assert_true (data == labelling.data && smoothness == labelling.smoothness);
  g_assert_cmpmem (labels, N, expected, N);
  g_assert_cmpint (labelling.energy, ==, energy.total);
  g_assert_cmpint (labelling.data + labelling.smoothness, ==, energy.total);
  g_assert_true (labelling.converged);
  return labelling.truncated;
}

static void
test_equals_engine (void)
{
  static const int pairs[] = { FRETSAW_POTTS, FRETSAW_TRUNCATED_LINEAR, FRETSAW_TRUNCATED_QUADRATIC,
                               FRETSAW_PAIR_TABLE };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_autofree Problem *problem = g_new (Problem, 1);
  fretsaw_error error;
  int n_truncated = 0;
  for (int i = 0; i < 32; i++) {
    int pair = pairs[i % 4], neighbours = i % 3 ? 4 : 8;
    gboolean has_weights = i % 5 < 2;
    fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
    fretsaw_expansion *expansion = NULL;
    fill (problem, rand, pair == FRETSAW_PAIR_TABLE ? 1 : pair, 4);
    options.width = WIDTH;
    options.height = HEIGHT;
    options.neighbours = neighbours;
    options.n_labels = LABELS;
    options.labels_last = i % 2;
    options.borrow = i % 8 == 4;
    options.data = options.labels_last ? problem->last : problem->data;
    options.pair = pair;
    options.scale = pair == FRETSAW_PAIR_TABLE ? 0 : 3;
    options.truncation = pair == FRETSAW_PAIR_TABLE ? 0 : 4;
    options.table = pair == FRETSAW_PAIR_TABLE ? problem->table : NULL;
    options.verify = i % 4 == 1;
    options.low_memory = i % 7 == 1;
    for (int d = 0; has_weights && d < neighbours / 2; d++)
      options.weight[d] = problem->weight[d];
    ok (fretsaw_expansion_new (NULL, &options, &expansion, &error), &error);
    g_assert_cmpint (fretsaw_expansion_forecast_bytes (&options), >, N);
    uint8_t labels[N] = { 0 };
    gboolean truncated = compare (expansion, problem, neighbours, has_weights, labels);
    uint32_t pixel = (uint32_t)g_rand_int_range (rand, 0, N);
    int32_t costs[LABELS];
    for (int label = 0; label < LABELS; label++)
      problem->data[label * N + (int)pixel] = costs[label] = g_rand_int_range (rand, 0, 900);
    ok (options.borrow ? fretsaw_expansion_note_data (expansion, &pixel, 1, &error)
                       : fretsaw_expansion_change_data (expansion, &pixel, 1, costs, &error),
        &error);
    truncated |= compare (expansion, problem, neighbours, has_weights, labels);
    g_assert_true (pair == FRETSAW_TRUNCATED_QUADRATIC || !truncated);
    n_truncated += truncated;
    fretsaw_expansion_free (expansion);
  }
  g_assert_cmpint (n_truncated, >, 0);
}

/* --- Orders, absent pixels, pairs by a function --- */

static fretsaw_expansion_options
describe (const Problem *problem)
{
  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  options.width = WIDTH;
  options.height = HEIGHT;
  options.n_labels = LABELS;
  options.data = problem->data;
  options.pair = FRETSAW_PAIR_TABLE;
  options.table = problem->table;
  for (int d = 0; d < 2; d++)
    options.weight[d] = problem->weight[d];
  return options;
}

static int64_t
run (const fretsaw_expansion_options *options, uint8_t *labels)
{
  fretsaw_expansion *expansion = NULL;
  fretsaw_labelling labelling = FRETSAW_LABELLING_INIT;
  fretsaw_error error;
  ok (fretsaw_expansion_new (NULL, options, &expansion, &error), &error);
  ok (fretsaw_expansion_run (expansion, labels, NULL, &labelling, &error), &error);
  fretsaw_expansion_free (expansion);
  return labelling.energy;
}

static void
test_orders_and_presence (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree Problem *problem = g_new (Problem, 1);
  const uint8_t order[LABELS] = { 3, 0, 5, 1, 4, 2 };
  uint8_t present[N], plain[N], all_plain[N] = { 0 };
  fill (problem, rand, 1, 4);
  for (int p = 0; p < N; p++) {
    present[p] = g_rand_int_range (rand, 0, 4) > 0;
    plain[p] = (uint8_t)g_rand_int_range (rand, 0, LABELS);
  }
  for (int i = 0; i < 4; i++) {
    uint8_t labels[N], expected[N];
    fretsaw_expansion_options options = describe (problem);
    options.shuffle = i == 1 ? 7 : 0;
    options.order = i > 1 ? order : NULL;
    options.present = i == 3 ? present : NULL;
    FsLabelProblem own = { .width = WIDTH,
                           .height = HEIGHT,
                           .neighbours = FS_NEIGHBOURS_4,
                           .n_labels = LABELS,
                           .data = problem->data,
                           .table = problem->table,
                           .weight = { problem->weight[0], problem->weight[1] },
                           .present = options.present };
    const FsExpansionOptions own_options = { .shuffle = options.shuffle, .order = options.order };
    g_autoptr (FsExpansion) expansion =
        fs_expansion_new (&fs_backend_cpu, &own, &own_options, NULL);
    g_auto (FsExpansionResult) result = { 0 };
    memcpy (labels, plain, N);
    memcpy (expected, plain, N);
    g_assert_true (fs_expansion_run (expansion, expected, NULL, &result, NULL));
    g_assert_cmpint (run (&options, labels), ==, result.energy.total);
    g_assert_cmpmem (labels, N, expected, N);
    for (int p = 0; p < N; p++)
      g_assert_true (i != 3 || present[p] || labels[p] == plain[p]);
    if (i == 0)
      memcpy (all_plain, labels, N);
    else
      g_assert_true (memcmp (labels, all_plain, N) != 0);
  }
}

typedef struct {
  const Problem *problem;
  fretsaw_expansion *expansion;
  int n_calls;
  gboolean is_wrong;
} Pairs;

/* The table's costs; nothing may be called from here. */
static int32_t
pair_cost (uint32_t pixel, int32_t direction, int32_t a, int32_t b, void *data)
{
  Pairs *pairs = data;
  uint8_t labels[N] = { 0 };
  g_assert_true (pixel < N && direction < 2 && a < LABELS && b < LABELS);
  if (pairs->n_calls++ == 0)
    g_assert_cmpint (fretsaw_expansion_run (pairs->expansion, labels, NULL, NULL, NULL), ==,
                     FRETSAW_BUSY);
  if (pairs->is_wrong && pixel == 40 && direction == FRETSAW_SOUTH)
    return -3;
  return pairs->problem->weight[direction][pixel] * pairs->problem->table[a * LABELS + b];
}

static void
test_pairs_by_function (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree Problem *problem = g_new (Problem, 1);
  uint8_t labels[N] = { 0 }, expected[N] = { 0 };
  fretsaw_labelling labelling = FRETSAW_LABELLING_INIT;
  fretsaw_error error;
  Pairs pairs = { .problem = problem };
  fill (problem, rand, 2, 9); /* no metric */
  fretsaw_expansion_options options = describe (problem);
  int64_t energy = run (&options, expected);
  options.pair = FRETSAW_PAIR_FUNCTION;
  options.table = NULL;
  options.pair_cost = pair_cost;
  options.pair_data = &pairs;
  options.pair_cost_max = 3 * 9 * 9;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &options, &pairs.expansion, &error), ==,
                   FRETSAW_INVALID);
  g_assert_nonnull (strstr (error.text, "weight"));
  options.weight[0] = options.weight[1] = NULL;
  for (int wrong = 0; wrong < 2; wrong++) {
    pairs.is_wrong = wrong;
    pairs.n_calls = 0;
    memset (labels, 0, N);
    ok (fretsaw_expansion_new (NULL, &options, &pairs.expansion, &error), &error);
    fretsaw_status status =
        fretsaw_expansion_run (pairs.expansion, labels, NULL, &labelling, &error);
    g_assert_cmpint (pairs.n_calls, >, 0);
    if (wrong) {
      g_assert_cmpint (status, ==, FRETSAW_INVALID);
      g_assert_nonnull (strstr (error.text, "pair_cost of pixel 40, direction 1 and labels"));
      g_assert_nonnull (strstr (error.text, "is -3; it must be 0 to pair_cost_max, 243"));
    } else {
      ok (status, &error);
      g_assert_cmpint (labelling.energy, ==, energy);
      g_assert_cmpmem (labels, N, expected, N);
    }
    g_assert_cmpint (fretsaw_expansion_start (pairs.expansion, labels, NULL, &error), ==,
                     FRETSAW_INVALID);
    fretsaw_expansion_free (pairs.expansion);
  }
}

static void
test_start (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autofree Problem *problem = g_new (Problem, 1);
  fretsaw_expansion_options options = FRETSAW_EXPANSION_OPTIONS_INIT;
  fretsaw_expansion *expansion = NULL;
  fretsaw_labelling labelling = FRETSAW_LABELLING_INIT;
  fretsaw_error error;
  uint8_t labels[N];
  int64_t bound;
  fill (problem, rand, 1, 4);
  options.width = WIDTH;
  options.height = HEIGHT;
  options.n_labels = LABELS;
  options.data = problem->data;
  options.pair = FRETSAW_TRUNCATED_LINEAR;
  ok (fretsaw_expansion_new (NULL, &options, &expansion, &error), &error);
  ok (fretsaw_expansion_start (expansion, labels, &bound, &error), &error);
  ok (fretsaw_expansion_run (expansion, labels, NULL, &labelling, &error), &error);
  g_assert_cmpint (bound, <=, labelling.energy);
  g_assert_cmpint (2 * bound, >, labelling.energy);
  g_assert_cmpint (fretsaw_expansion_start (expansion, labels, NULL, &error), ==, FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "start must come before the first run");
  fretsaw_expansion_free (expansion);
}

static void
test_refuses (void)
{
  g_autofree Problem *problem = g_new0 (Problem, 1);
  fretsaw_expansion_options good = FRETSAW_EXPANSION_OPTIONS_INIT;
  fretsaw_expansion *expansion = NULL;
  fretsaw_error error;
  good.width = WIDTH;
  good.height = HEIGHT;
  good.n_labels = LABELS;
  good.data = problem->data;

  fretsaw_expansion_options bad = good;
  bad.n_labels = 257;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "n_labels is 257; it must be 1 to 256");
  bad = good;
  bad.pair = FRETSAW_PAIR_TABLE;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  bad = good;
  bad.data = NULL;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  bad = good;
  bad.scale = FRETSAW_PAIR_COST_MAX + 1;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  bad = good;
  bad.weight[1] = problem->weight[1];
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  bad = good;
  bad.pair = FRETSAW_PAIR_FUNCTION;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "pair_cost is NULL");
  bad.pair_cost = pair_cost;
  bad.pair_cost_max = FRETSAW_PAIR_COST_MAX + 1;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  bad.pair = FRETSAW_POTTS;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  const uint8_t twice[LABELS] = { 0, 1, 2, 3, 4, 1 };
  bad = good;
  bad.order = twice;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "order[5] is 1; each label, 0 to 5, must be there once");
  bad = good;
  bad.borrow = bad.labels_last = true;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &bad, &expansion, &error), ==, FRETSAW_INVALID);
  problem->data[N] = -1;
  g_assert_cmpint (fretsaw_expansion_new (NULL, &good, &expansion, &error), ==, FRETSAW_INVALID);
  g_assert_nonnull (strstr (error.text, "label 1"));
  g_assert_null (expansion);
  problem->data[N] = 0;
  ok (fretsaw_expansion_new (NULL, &good, &expansion, &error), &error);
  uint8_t labels[N] = { [5] = LABELS };
  g_assert_cmpint (fretsaw_expansion_run (expansion, labels, NULL, NULL, &error), ==,
                   FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "pixel 5 has the label 6; there are labels 0 to 5");
  g_assert_cmpint (fretsaw_expansion_get_energy (expansion, labels, NULL, NULL, &error), ==,
                   FRETSAW_INVALID);
  uint32_t pixel = N;
  int32_t costs[LABELS] = { 0 };
  g_assert_cmpint (fretsaw_expansion_change_data (expansion, &pixel, 1, costs, &error), ==,
                   FRETSAW_INVALID);
  fretsaw_expansion_free (expansion);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/labels/equals-engine", test_equals_engine);
  g_test_add_func ("/library/labels/orders-and-presence", test_orders_and_presence);
  g_test_add_func ("/library/labels/pairs-by-function", test_pairs_by_function);
  g_test_add_func ("/library/labels/start", test_start);
  g_test_add_func ("/library/labels/refuses", test_refuses);
  return g_test_run ();
}
