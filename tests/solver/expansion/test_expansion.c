/* SPDX-License-Identifier: MIT */
/* Expansion moves: against every labelling of tiny grids, against themselves without re-use, and
 * the n-links that change between moves. Every cut inside is certified. */
#include "solver/backend.h"
#include "solver/expansion/expansion.h"
#include "tests/faults/faults.h"
#include "tests/solver/expansion/labels_problem.h"
#include "tests/solver/problem.h"

#include <string.h>

enum { MAX_LABELLINGS = 4096 };

/* Whether certificates are checked; without that, many cuts need no solver. */
static gboolean verifies = TRUE;

/* Runs to the end. */
static int64_t
run (const FsBackend *backend, const FsLabelProblem *problem, gboolean cycles, gboolean along,
     uint8_t *labelling, FsTruncation *truncation)
{
  const FsExpansionOptions options = { .no_cycle_reuse = !cycles,
                                       .label_reuse = along,
                                       .verify = verifies };
  g_autoptr (GError) error = NULL;
  g_autoptr (FsExpansion) expansion = fs_expansion_new (backend, problem, &options, &error);
  g_assert_no_error (error);
  int64_t before = fs_label_problem_energy (problem, labelling).total;
  g_auto (FsExpansionResult) result = { 0 };
  g_assert_true (fs_expansion_run (expansion, labelling, NULL, &result, &error));
  g_assert_no_error (error);
  g_assert_true (result.converged);
  g_assert_cmpint (result.cycles->len, ==, result.n_cycles);
  for (guint i = 0; i < result.cycles->len; i++) {
    const FsExpansionCycle *cycle = &g_array_index (result.cycles, FsExpansionCycle, i);
    g_assert_cmpint (cycle->energy, <=, before);
    g_assert_true (cycle->energy < before || cycle->n_changed == 0);
    before = cycle->energy;
  }
  g_assert_cmpint (result.energy.total, ==, before);
  g_assert_cmpint (fs_label_problem_energy (problem, labelling).total, ==, before);
  g_assert_cmpint (fs_label_problem_bound (problem), <=, before);
  if (truncation)
    *truncation = result.truncation;
  return before;
}

/* --- Tiny grids ------------------------------------------------------------------------------- */

/* No expansion of any label costs less. */
static void
check_local_minimum (const FsLabelProblem *problem, const uint8_t *labelling)
{
  size_t n = fs_label_problem_n_pixels (problem);
  int64_t energy = fs_label_problem_energy (problem, labelling).total;
  for (int label = 0; label < problem->n_labels; label++)
    for (unsigned move = 0; move < 1u << n; move++) {
      uint8_t other[16];
      for (size_t p = 0; p < n; p++)
        other[p] = move >> p & 1 ? (uint8_t)label : labelling[p];
      g_assert_cmpint (fs_label_problem_energy (problem, other).total, >=, energy);
    }
}

/* 2·max V / min V, of a metric table or function whose values lie within these. */
static int
guaranteed_factor (Costs costs)
{
  switch (costs) {
  case COSTS_POTTS:
    return 2;
  case COSTS_LINEAR:
    return 4;
  case COSTS_WIDE:
    return 6;
  default:
    return 42;
  }
}

static double
n_labellings (int n_labels, int n_pixels)
{
  double n = 1;
  for (int i = 0; i < n_pixels; i++)
    n *= n_labels;
  return n;
}

static void
check_tiny (GRand *rand, Costs costs)
{
  int n_labels = g_rand_int_range (rand, 1, 6);
  int width = g_rand_int_range (rand, 1, 5), height = g_rand_int_range (rand, 1, 4);
  while (n_labellings (n_labels, width * height) > MAX_LABELLINGS)
    *(width > height ? &width : &height) -= 1;
  g_autoptr (Labels) labels = labels_new (rand, width, height, n_labels, costs);
  g_autofree uint8_t *labelling = random_labelling (rand, &labels->problem);
  FsTruncation truncation;
  int64_t energy = run (test_backend (), &labels->problem, g_rand_boolean (rand),
                        g_rand_boolean (rand), labelling, &truncation);
  int64_t least = min_label_energy (&labels->problem);
  g_assert_cmpint (energy, >=, least);
  g_assert_cmpint (fs_label_problem_bound (&labels->problem), <=, least);
  if (truncation.n == 0)
    check_local_minimum (&labels->problem, labelling);
  if (costs == COSTS_TABLE)
    return;
  g_assert_cmpint (truncation.n, ==, 0);
  g_assert_cmpint (energy, <=, least * guaranteed_factor (costs));
}

static void
test_brute_force (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (71);
  for (int i = 0; i < scaled (1500); i++)
    check_tiny (rand, (Costs)(i % N_COSTS));
}

/* Two labels are one cut, and that is the least of all. */
static void
test_two_labels (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (72);
  for (int i = 0; i < scaled (300); i++) {
    g_autoptr (Labels) labels = labels_new (rand, 3, 3, 2, i % 2 ? COSTS_POTTS : COSTS_WIDE);
    g_autofree uint8_t *labelling = g_new0 (uint8_t, 9);
    int64_t energy = run (test_backend (), &labels->problem, TRUE, TRUE, labelling, NULL);
    g_assert_cmpint (energy, ==, min_label_energy (&labels->problem));
  }
}

/* --- Re-use ----------------------------------------------------------------------------------- */

/* All four ways, and the plain CPU backend, end in the same labelling. */
static void
check_ways (GRand *rand, int max_side, Costs costs)
{
  int width = g_rand_int_range (rand, 1, max_side), height = g_rand_int_range (rand, 1, max_side);
  int n_labels = g_rand_int_range (rand, 2, 7);
  g_autoptr (Labels) labels = labels_new (rand, width, height, n_labels, costs);
  size_t n = (size_t)width * (size_t)height;
  g_autofree uint8_t *start = random_labelling (rand, &labels->problem);
  g_autofree uint8_t *expected = g_memdup2 (start, n);
  run (&fs_backend_cpu, &labels->problem, FALSE, FALSE, expected, NULL);
  for (int way = 0; way < 8; way++) {
    g_autofree uint8_t *labelling = g_memdup2 (start, n);
    fs_solver_set_threads (1 + way % 2);
    verifies = way < 4;
    run (test_backend (), &labels->problem, way & 1, way >> 1 & 1, labelling, NULL);
    g_assert_cmpmem (labelling, n, expected, n);
  }
  verifies = TRUE;
  fs_solver_set_threads (0);
}

static void
test_reuse (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (73);
  for (int i = 0; i < scaled (100); i++)
    check_ways (rand, i % 10 ? 16 : 70, (Costs)(i % N_COSTS));
}

/* On a grid large enough for regions, threads show neither in the labels nor in what is said of
 * truncated terms. */
static void
test_regions (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (80);
  for (int i = 0; i < scaled_few (10, N_COSTS); i++) {
    g_autoptr (Labels) labels = labels_new (rand, 400, 300, 3, (Costs)(i % N_COSTS));
    size_t n = fs_label_problem_n_pixels (&labels->problem);
    g_autofree uint8_t *one = random_labelling (rand, &labels->problem);
    g_autofree uint8_t *several = g_memdup2 (one, n);
    FsTruncation of_one, of_several;
    verifies = FALSE;
    fs_solver_set_threads (1);
    run (test_backend (), &labels->problem, i % 3, i % 2, one, &of_one);
    fs_solver_set_threads (3);
    run (test_backend (), &labels->problem, i % 3, i % 2, several, &of_several);
    g_assert_cmpmem (one, n, several, n);
    g_assert_cmpint (of_one.n, ==, of_several.n);
    g_assert_cmpuint (of_one.pixel, ==, of_several.pixel);
    g_assert_cmpint (of_one.direction, ==, of_several.direction);
    g_assert_cmpint (of_one.alpha, ==, of_several.alpha);
  }
  verifies = TRUE;
  fs_solver_set_threads (0);
}

/* Other data costs and another labelling, with and without what was kept. */
static void
test_changed_data (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (74);
  for (int i = 0; i < scaled (120); i++) {
    const FsExpansionOptions options = { .verify = i % 3 == 0 };
    g_autoptr (Labels) labels = labels_new (rand, 20, 15, 4, (Costs)(i % N_COSTS));
    size_t n = 300;
    g_autofree uint8_t *labelling = random_labelling (rand, &labels->problem);
    g_autoptr (FsExpansion) expansion =
        fs_expansion_new (test_backend (), &labels->problem, &options, NULL);
    for (int edit = 0; edit < 4; edit++) {
      g_auto (FsExpansionResult) result = { 0 };
      g_autofree uint8_t *fresh = g_memdup2 (labelling, n);
      g_assert_true (fs_expansion_run (expansion, labelling, NULL, &result, NULL));
      run (&fs_backend_cpu, &labels->problem, FALSE, FALSE, fresh, NULL);
      g_assert_cmpmem (labelling, n, fresh, n);
      uint32_t pixels[20];
      for (guint k = 0; k < G_N_ELEMENTS (pixels); k++) {
        pixels[k] = (uint32_t)g_rand_int_range (rand, 0, (int)n);
        labels->data[(size_t)g_rand_int_range (rand, 0, 4) * n + pixels[k]] =
            g_rand_int_range (rand, 0, 60);
      }
      fs_expansion_change_data (expansion, pixels, G_N_ELEMENTS (pixels));
      if (edit == 1)
        fs_label_problem_choose_cheapest (&labels->problem, labelling);
    }
    g_assert_cmpuint (fs_expansion_size_bytes (expansion), >, n);
  }
}

/* Cycles over every 4th and 2nd label come first; the end is what it is with any of them: a local
 * minimum, the same with and without what was kept. */
static void
test_coarse_first (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (79);
  for (int i = 0; i < scaled (40); i++) {
    g_autoptr (Labels) labels = labels_new (rand, 12, 9, 16, (Costs)(i % N_COSTS));
    g_autofree uint8_t *kept = random_labelling (rand, &labels->problem);
    g_autofree uint8_t *fresh = g_memdup2 (kept, 108);
    for (int way = 0; way < 2; way++) {
      const FsExpansionOptions options = { .coarse_first = TRUE, .no_cycle_reuse = way == 1 };
      uint8_t *labelling = way == 0 ? kept : fresh;
      g_autoptr (FsExpansion) expansion =
          fs_expansion_new (test_backend (), &labels->problem, &options, NULL);
      g_auto (FsExpansionResult) result = { 0 }, more = { 0 };
      g_assert_true (fs_expansion_run (expansion, labelling, NULL, &result, NULL));
      g_assert_true (result.converged);
      g_assert_cmpint (result.n_moves, <=, 4 + 8 + 16 * (result.n_cycles - 2));
      g_assert_cmpint (result.cycles->len, ==, result.n_cycles);
      g_assert_true (fs_expansion_run (expansion, labelling, NULL, &more, NULL));
      g_assert_cmpint (more.energy.total, ==, result.energy.total);
    }
    g_assert_cmpmem (kept, 108, fresh, 108);
  }
}

/* Labels in another order are other labels in theirs. */
static void
test_order (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (82);
  static const uint8_t order[] = { 3, 0, 4, 1, 2 };
  enum { N_LABELS = G_N_ELEMENTS (order) };
  for (int i = 0; i < scaled (60); i++) {
    g_autoptr (Labels) labels = labels_new (rand, 14, 9, N_LABELS, (Costs)(i % COSTS_FUNCTION));
    FsLabelProblem renamed = labels->problem;
    size_t n = fs_label_problem_n_pixels (&renamed);
    g_autofree int32_t *data = g_new (int32_t, n * N_LABELS);
    int32_t table[N_LABELS * N_LABELS];
    for (int a = 0; a < N_LABELS; a++) {
      memcpy (data + (size_t)a * n, labels->data + (size_t)order[a] * n, n * sizeof *data);
      for (int b = 0; b < N_LABELS; b++)
        table[a * N_LABELS + b] = labels->table[order[a] * N_LABELS + order[b]];
    }
    renamed.data = data;
    renamed.table = table;
    g_autofree uint8_t *expected = random_labelling (rand, &renamed);
    g_autofree uint8_t *labelling = g_malloc (n);
    for (size_t p = 0; p < n; p++)
      labelling[p] = order[expected[p]];
    const FsExpansionOptions options = { .order = order }, plain = { 0 };
    g_autoptr (FsExpansion) one =
        fs_expansion_new (test_backend (), &labels->problem, &options, NULL);
    g_autoptr (FsExpansion) other = fs_expansion_new (test_backend (), &renamed, &plain, NULL);
    g_auto (FsExpansionResult) result = { 0 }, wanted = { 0 };
    g_assert_true (fs_expansion_run (one, labelling, NULL, &result, NULL));
    g_assert_true (fs_expansion_run (other, expected, NULL, &wanted, NULL));
    for (size_t p = 0; p < n; p++)
      g_assert_cmpint (labelling[p], ==, order[expected[p]]);
    g_assert_cmpint (result.n_moves, ==, wanted.n_moves);
  }
}

/* With an order of its own for each cycle all labels are tried after the last change, too. */
static void
test_shuffled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (88);
  for (int i = 0; i < scaled (2000); i++) {
    g_autoptr (Labels) labels = labels_new (rand, 4, 2, 5, (Costs)(i % COSTS_TABLE));
    g_autofree uint8_t *labelling = random_labelling (rand, &labels->problem);
    const FsExpansionOptions options = { .shuffle = (guint32)i + 1, .no_cycle_reuse = i % 2 };
    g_autoptr (FsExpansion) expansion =
        fs_expansion_new (test_backend (), &labels->problem, &options, NULL);
    g_auto (FsExpansionResult) result = { 0 };
    g_assert_true (fs_expansion_run (expansion, labelling, NULL, &result, NULL));
    g_assert_true (result.converged);
    check_local_minimum (&labels->problem, labelling);
  }
}

/* --- What cannot be, and what stops ------------------------------------------------------------
 */

static void
test_truncation (void)
{
  const int32_t table[9] = { 0, 1, 90, 1, 0, 1, 90, 1, 0 };
  const int32_t data[6] = { 0, 500, 200, 200, 500, 0 };
  const FsLabelProblem problem = {
    .width = 2, .height = 1, .neighbours = 4, .n_labels = 3, .data = data, .table = table
  };
  uint8_t labelling[2] = { 0, 2 };
  FsTruncation truncation;
  run (test_backend (), &problem, TRUE, TRUE, labelling, &truncation);
  g_assert_cmpint (truncation.n, >, 0);
  g_assert_cmpint (truncation.pixel, ==, 0);
  g_assert_cmpint (truncation.direction, ==, FS_DIRECTION_E);
  g_assert_cmpint (truncation.a, ==, 0);
  g_assert_cmpint (truncation.b, ==, 2);
  g_assert_cmpint (truncation.alpha, ==, 1);
}

static void
check_invalid (const FsLabelProblem *problem, const char *word)
{
  g_autoptr (GError) error = NULL;
  const FsExpansionOptions options = { 0 };
  g_assert_null (fs_expansion_new (&fs_backend_cpu, problem, &options, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_invalid (void)
{
  int32_t data[4] = { 0 }, table[4] = { 0, 1, 1, 0 };
  uint16_t weight[2] = { 60000, 60000 };
  const FsLabelProblem good = {
    .width = 2, .height = 1, .neighbours = 4, .n_labels = 2, .data = data, .table = table
  };
  FsLabelProblem bad = good;
  bad.n_labels = FS_LABELS_MAX + 1;
  check_invalid (&bad, "257 labels");
  bad = good;
  bad.neighbours = 6;
  check_invalid (&bad, "6 neighbours");
  bad = good;
  bad.height = 0;
  check_invalid (&bad, "2 × 0");
  bad = good;
  bad.table = NULL;
  check_invalid (&bad, "missing");
  data[3] = FS_LABEL_COST_MAX + 1;
  check_invalid (&good, "label 1 at pixel (1, 0)");
  data[3] = 0;
  table[2] = -1;
  check_invalid (&good, "labels 1 and 0");
  table[2] = 1000;
  bad = good;
  bad.weight[0] = weight;
  check_invalid (&bad, "some directions");
  bad.weight[1] = weight;
  check_invalid (&bad, "60000000");
}

static void
test_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (75);
  g_autoptr (Labels) labels = labels_new (rand, 60, 60, 5, COSTS_POTTS);
  g_autofree uint8_t *labelling = random_labelling (rand, &labels->problem);
  int64_t before = fs_label_problem_energy (&labels->problem, labelling).total;
  const FsExpansionOptions options = { 0 };
  g_autoptr (FsExpansion) expansion =
      fs_expansion_new (test_backend (), &labels->problem, &options, NULL);
  atomic_bool cancel = TRUE;
  const FsProgress progress = { .cancel = &cancel };
  g_autoptr (GError) error = NULL;
  g_auto (FsExpansionResult) stopped = { 0 }, whole = { 0 };
  g_assert_false (fs_expansion_run (expansion, labelling, &progress, &stopped, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  g_assert_false (stopped.converged);
  int64_t after = fs_label_problem_energy (&labels->problem, labelling).total;
  g_assert_cmpint (after, <=, before);
  cancel = FALSE;
  g_assert_true (fs_expansion_run (expansion, labelling, &progress, &whole, NULL));
  g_assert_true (whole.converged);
  g_assert_cmpint (whole.energy.total, <=, after);
}

static void
count_report (double fraction, gpointer data)
{
  int *n_reports = data;
  g_assert_cmpfloat (fraction, >=, 0);
  g_assert_cmpfloat (fraction, <=, 1);
  (*n_reports)++;
}

/* Also where each move is too short to report anything, so that any run can be cancelled. */
static void
test_reports (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (76);
  g_autoptr (Labels) labels = labels_new (rand, 8, 8, 5, COSTS_POTTS);
  g_autofree uint8_t *labelling = random_labelling (rand, &labels->problem);
  const FsExpansionOptions options = { 0 };
  g_autoptr (FsExpansion) expansion =
      fs_expansion_new (&fs_backend_cpu, &labels->problem, &options, NULL);
  for (int i = 0; i < 2; i++) {
    int n_reports = 0;
    const FsProgress progress = { .report = count_report, .user_data = &n_reports };
    g_auto (FsExpansionResult) result = { 0 };
    g_assert_true (fs_expansion_run (expansion, labelling, &progress, &result, NULL));
    g_assert_cmpint (n_reports, >=, 1);
  }
}

/* Wherever memory ends, the error says so, and the labels are still to be used. */
static void
test_no_memory (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (78);
  guint n_failed = 0, n_done = 0;
  for (int i = 0; i < 60; i++) {
    g_autoptr (Labels) labels = labels_new (rand, 30, 20, 4, (Costs)(i % N_COSTS));
    g_autofree uint8_t *labelling = random_labelling (rand, &labels->problem);
    int64_t before = fs_label_problem_energy (&labels->problem, labelling).total;
    const FsExpansionOptions options = { .label_reuse = i % 2 };
    g_autoptr (GError) error = NULL;
    g_auto (FsExpansionResult) result = { 0 };
    fault_memory_after (i, FALSE);
    g_autoptr (FsExpansion) expansion =
        fs_expansion_new (test_backend (), &labels->problem, &options, &error);
    gboolean done = expansion && fs_expansion_run (expansion, labelling, NULL, &result, &error);
    fault_memory_after (-1, FALSE);
    n_failed += !done;
    n_done += done;
    if (!done)
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    g_assert_cmpint (fs_label_problem_energy (&labels->problem, labelling).total, <=, before);
  }
  g_assert_cmpuint (n_failed, >, 10);
  g_assert_cmpuint (n_done, >, 0);
}

/* --- Small cuts ------------------------------------------------------------------------------- */

/* A grid's arcs, now and then as whole ones beside those of 16 bits, and the pixels with a deficit.
 */
typedef struct {
  FsLocalMaxflowArcs arcs;
  int32_t *whole[2 * FS_N_DIRECTIONS];
  GArray *candidates;
} PullProblem;

static void
pull_problem_clear (PullProblem *maxflow)
{
  for (int d = 0; d < 2 * FS_N_DIRECTIONS; d++)
    g_free (maxflow->whole[d]);
  g_array_unref (maxflow->candidates);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (PullProblem, pull_problem_clear)

static void
pull_problem_init (PullProblem *maxflow, Problem *problem, gboolean is_wide, gboolean lists)
{
  size_t n = fs_grid_n_pixels (&problem->grid);
  *maxflow = (PullProblem){ .candidates = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
  for (uint32_t p = 0; p < n; p++)
    for (int twice = 0; twice < (problem->grid.tlink[p] < 0 ? 2 : p % 3 == 0); twice++)
      g_array_append_val (maxflow->candidates, p);
  for (int d = 0; d < 2 * FS_N_DIRECTIONS && is_wide; d++) {
    if (problem->plane[d] == NULL)
      continue;
    maxflow->whole[d] = g_new (int32_t, n);
    for (size_t p = 0; p < n; p++)
      maxflow->whole[d][p] = problem->plane[d][p];
  }
  maxflow->arcs = (FsLocalMaxflowArcs){ .grid = &problem->grid,
                                        .excess = problem->grid.tlink,
                                        .nlink = problem->plane,
                                        .nlink_back = problem->plane + FS_N_DIRECTIONS,
                                        .forth = is_wide ? maxflow->whole : NULL,
                                        .back = is_wide ? maxflow->whole + FS_N_DIRECTIONS : NULL,
                                        .candidates = lists ? maxflow->candidates : NULL };
}

/* The deficits that are left, and no others, are listed. */
static void
check_deficits (const FsLocalMaxflow *maxflow, const FsLocalMaxflowArcs *arcs,
                FsLocalMaxflowOutcome outcome)
{
  g_autoptr (GArray) deficits = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  if (outcome == FS_LOCAL_MAXFLOW_TOO_MUCH)
    return;
  fs_local_maxflow_list_deficits (maxflow, arcs, deficits);
  guint n_deficits = 0;
  for (size_t p = 0; p < fs_grid_n_pixels (arcs->grid); p++)
    n_deficits += arcs->excess[p] < 0;
  g_assert_cmpuint (deficits->len, ==, n_deficits);
  for (guint i = 0; i < deficits->len; i++)
    g_assert_cmpint (arcs->excess[g_array_index (deficits, uint32_t, i)], <, 0);
  g_assert_true ((outcome == FS_LOCAL_MAXFLOW_NOTHING) == (n_deficits == 0));
}

/* A mask without a solver is a solver's, and what it gives up on still is the same problem. */
static void
test_pull (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (77);
  guint n_with[3] = { 0 };
  for (int i = 0; i < scaled (1500); i++) {
    int width = g_rand_int_range (rand, 1, 40), height = g_rand_int_range (rand, 1, 40);
    size_t n = (size_t)width * (size_t)height;
    g_autoptr (Problem) problem =
        problem_new (width, height, i % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, TRUE);
    problem_fill (problem, rand, g_rand_int_range (rand, 0, N_SHAPES));
    for (size_t p = 0; p < n; p++)
      problem->grid.tlink[p] = MAX (problem->grid.tlink[p], 0);
    for (int k = g_rand_int_range (rand, 0, 6 + (int)n / 4); k > 0; k--)
      problem->grid.tlink[g_rand_int_range (rand, 0, (int)n)] = -g_rand_int_range (rand, 1, 900);
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
    solve_and_check (solver);
    g_autofree uint8_t *expected = read_whole_mask (solver), *mask = g_malloc (n);
    fs_solver_free (g_steal_pointer (&solver));

    FsLocalMaxflow maxflow;
    g_assert_true (fs_local_maxflow_init (&maxflow, n, NULL));
    g_auto (PullProblem) cut = { 0 };
    pull_problem_init (&cut, problem, i % 3 == 1, i % 5 < 2);
    FsLocalMaxflowOutcome outcome = fs_local_maxflow_run (&maxflow, &cut.arcs, mask);
    check_deficits (&maxflow, &cut.arcs, outcome);
    fs_local_maxflow_clear (&maxflow);
    n_with[outcome]++;
    if (outcome == FS_LOCAL_MAXFLOW_NOTHING)
      memset (mask, 1, n);
    solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
    solve_and_check (solver);
    if (outcome == FS_LOCAL_MAXFLOW_TOO_MUCH)
      fs_solver_read_mask (solver, 0, 0, width, height, mask, (size_t)width);
    g_assert_cmpmem (mask, n, expected, n);
  }
  for (guint i = 0; i < G_N_ELEMENTS (n_with); i++)
    g_assert_cmpuint (n_with[i], >, 0);
}

/* --- N-links that change -----------------------------------------------------------------------
 */

static void
change_nlinks (FsSolver *solver, GRand *rand)
{
  int n = g_rand_int_range (rand, 0, g_rand_boolean (rand) ? 20 : 400);
  g_autoptr (GArray) changes = random_nlink_changes (rand, solver->grid, n);
  g_assert_true (fs_solver_change_nlinks (solver, (const void *)changes->data, changes->len, NULL));
  g_assert_true (fs_grid_validate (solver->grid, NULL));
}

static void
test_changed_nlinks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (76);
  for (int i = 0; i < scaled (300); i++) {
    g_autoptr (Problem) problem =
        problem_new (g_rand_int_range (rand, 1, 25), g_rand_int_range (rand, 1, 25),
                     g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, TRUE);
    problem_fill (problem, rand, g_rand_int_range (rand, 0, N_SHAPES));
    g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
    g_assert_true (fs_solver_changes_nlinks (solver));
    for (int edit = 0; edit < 8; edit++) {
      FsSolution solution = solve_and_check (solver);
      check_against_fresh (solver, &solution);
      change_nlinks (solver, rand);
      FsTlinkChange change = { (uint32_t)g_rand_int_range (rand, 0,
                                                           (int)fs_grid_n_pixels (&problem->grid)),
                               random_tlink (rand, SHAPE_UNIFORM) };
      g_assert_true (fs_solver_change_tlinks (solver, &change, 1, NULL));
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/expansion/brute-force", test_brute_force);
  g_test_add_func ("/solver/expansion/two-labels", test_two_labels);
  g_test_add_func ("/solver/expansion/reuse", test_reuse);
  g_test_add_func ("/solver/expansion/regions", test_regions);
  g_test_add_func ("/solver/expansion/coarse-first", test_coarse_first);
  g_test_add_func ("/solver/expansion/order", test_order);
  g_test_add_func ("/solver/expansion/shuffled", test_shuffled);
  g_test_add_func ("/solver/expansion/changed-data", test_changed_data);
  g_test_add_func ("/solver/expansion/truncation", test_truncation);
  g_test_add_func ("/solver/expansion/invalid", test_invalid);
  g_test_add_func ("/solver/expansion/cancelled", test_cancelled);
  g_test_add_func ("/solver/expansion/reports", test_reports);
  g_test_add_func ("/solver/expansion/no-memory", test_no_memory);
  g_test_add_func ("/solver/expansion/pull", test_pull);
  g_test_add_func ("/solver/expansion/changed-nlinks", test_changed_nlinks);
  return g_test_run ();
}
