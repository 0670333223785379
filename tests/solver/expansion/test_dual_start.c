/* SPDX-License-Identifier: MIT */
/* The dual start: against its definition in plain loops, with both widths of vectors and what
 * the processor has, against all labellings of tiny grids, and as what expansion moves begin with.
 */
#include "solver/expansion/expansion.h"
#include "solver/expansion/planes.h"
#include "solver/expansion/shared_fill.h"
#include "solver/expansion/start/dual_start.h"
#include "solver/system/checked_memory.h"
#include "tests/faults/faults.h"
#include "tests/solver/expansion/labels_problem.h"
#include "tests/solver/problem.h"

#include <string.h>

/* Labels so far apart cost as much as any, though those further apart need not. */
static void
raise_one (Labels *labels, int distance)
{
  int n_labels = labels->problem.n_labels;
  for (int a = 0; a + distance < n_labels; a++)
    labels->table[a * n_labels + a + distance] = labels->table[(a + distance) * n_labels + a] =
        labels->table[n_labels - 1];
}

/* 4 neighbours, and costs that a dual start supports: Potts, linear, square, each truncated. */
static Labels *
dual_start_problem (GRand *rand, int width, int height, int n_labels, int max_data, int unit)
{
  Labels *labels = labels_new (rand, width, height, n_labels, COSTS_LINEAR);
  size_t n = (size_t)width * (size_t)height;
  int power = g_rand_int_range (rand, 0, 3), most = g_rand_int_range (rand, 1, 9);
  labels->problem.neighbours = FS_NEIGHBOURS_4;
  labels->problem.weight[2] = labels->problem.weight[3] = NULL;
  for (size_t i = 0; i < n * (size_t)n_labels; i++)
    labels->data[i] = g_rand_int_range (rand, 0, max_data);
  for (int a = 0; a < n_labels; a++)
    for (int b = 0; b < n_labels; b++) {
      int apart = ABS (a - b);
      labels->table[a * n_labels + b] = unit
                                        * MIN (power == 0   ? apart > 0
                                               : power == 1 ? apart
                                                            : apart * apart,
                                               most);
    }
  if (n_labels > 3 && g_rand_boolean (rand))
    raise_one (labels, g_rand_int_range (rand, 2, MIN (n_labels - 1, 5)));
  g_assert_true (fs_dual_start_supports (&labels->problem, NULL));
  return labels;
}

/* --- The definition --- */

typedef struct {
  const FsLabelProblem *problem;
  int64_t *rest, *dual[2]; /* [p · n_labels + l] */
  uint8_t *labels;
} Reference;

static int64_t
weight (const Reference *reference, size_t p, int d)
{
  const FsLabelProblem *problem = reference->problem;
  size_t q = p + (size_t)fs_label_problem_step (problem, d);
  if (!fs_label_problem_has (problem, p) || !fs_label_problem_has (problem, q))
    return 0;
  return fs_label_problem_weight (problem, p, d);
}

/* Of the metric below V, or of V itself. */
static int64_t
cost (const Reference *reference, gboolean is_metric, int a, int b)
{
  const FsLabelProblem *problem = reference->problem;
  int n = problem->n_labels;
  if (!is_metric || n < 2)
    return problem->table[a * n + b];
  return MIN ((int64_t)ABS (a - b) * problem->table[1], problem->table[n - 1]);
}

static void
message (const Reference *reference, const int64_t *from, int64_t weight, gboolean is_metric,
         int64_t *to)
{
  int n = reference->problem->n_labels;
  int64_t least = INT64_MAX;
  for (int a = 0; a < n; a++)
    least = MIN (least, from[a]);
  for (int b = 0; b < n; b++) {
    to[b] = INT64_MAX;
    for (int a = 0; a < n; a++)
      to[b] = MIN (to[b], from[a] + weight * cost (reference, is_metric, a, b) - least);
  }
}

static int
cheapest (const int64_t *costs, int n)
{
  int best = 0;
  for (int l = 1; l < n; l++)
    if (costs[l] < costs[best])
      best = l;
  return best;
}

/* The best label of p beside q's, which costs `own` by itself. */
static uint8_t
choose (const Reference *reference, const int64_t *own, size_t p, size_t q, int d)
{
  int n = reference->problem->n_labels;
  int64_t sums[FS_LABELS_MAX];
  for (int l = 0; l < n; l++)
    sums[l] = own[l] + weight (reference, p, d) * cost (reference, FALSE, l, reference->labels[q]);
  return (uint8_t)cheapest (sums, n);
}

static void
sweep_line (Reference *reference, size_t first, size_t length, int d, gboolean takes)
{
  size_t n = (size_t)reference->problem->n_labels;
  size_t step = (size_t)fs_label_problem_step (reference->problem, d);
  int64_t f[FS_LABELS_MAX], m[FS_LABELS_MAX];
  for (size_t i = 0, p = first; i + 1 < length; i++, p += step) {
    int64_t *rest = reference->rest + p * n, *next = rest + step * n;
    int64_t *dual = reference->dual[d] + p * n;
    for (size_t l = 0; l < n; l++)
      f[l] = rest[l] + dual[l];
    message (reference, f, weight (reference, p, d), TRUE, m);
    for (size_t l = 0; l < n; l++) {
      rest[l] = f[l] - m[l];
      next[l] += m[l] - dual[l];
      dual[l] = m[l];
    }
  }
  for (size_t i = length, p = first + (length - 1) * step; i-- > 0; p -= step) {
    int64_t *rest = reference->rest + p * n;
    for (size_t l = 0; l < n; l++)
      f[l] = rest[l] + (i + 1 < length ? reference->dual[d][p * n + l] : 0);
    if (takes)
      reference->labels[p] =
          i + 1 < length ? choose (reference, f, p, p + step, d) : (uint8_t)cheapest (f, (int)n);
    if (i == 0)
      return;
    int64_t *before = rest - step * n, *dual = reference->dual[d] + (p - step) * n;
    int64_t least = rest[cheapest (rest, (int)n)];
    for (size_t l = 0; l < n; l++)
      f[l] = rest[l] - (rest[l] - least) / 16 - dual[l];
    message (reference, f, weight (reference, p - step, d), TRUE, m);
    for (size_t l = 0; l < n; l++) {
      rest[l] += -m[l] - dual[l];
      before[l] -= -m[l] - dual[l];
      dual[l] = -m[l];
    }
  }
}

static void
mend_line (Reference *reference, int line, size_t first, size_t length, int d)
{
  const FsLabelProblem *problem = reference->problem;
  size_t n = (size_t)problem->n_labels, n_pixels = fs_label_problem_n_pixels (problem);
  size_t step = (size_t)fs_label_problem_step (problem, d);
  size_t across = (size_t)fs_label_problem_step (problem, !d);
  int n_lines = d == 0 ? problem->height : problem->width;
  g_autofree int64_t *sums = g_new0 (int64_t, length * n);
  int64_t m[FS_LABELS_MAX] = { 0 };
  for (size_t i = 0, p = first; i < length; i++, p += step) {
    for (size_t l = 0; l < n; l++) {
      int64_t *sum = &sums[i * n + l];
      *sum = m[l] + (fs_label_problem_has (problem, p) ? problem->data[l * n_pixels + p] : 0);
      if (line > 0)
        *sum += weight (reference, p - across, !d)
                * cost (reference, FALSE, reference->labels[p - across], (int)l);
      if (line + 1 < n_lines)
        *sum += weight (reference, p, !d)
                * cost (reference, FALSE, (int)l, reference->labels[p + across]);
    }
    if (i + 1 < length)
      message (reference, sums + i * n, weight (reference, p, d), FALSE, m);
  }
  for (size_t i = length, p = first + (length - 1) * step; i-- > 0; p -= step)
    reference->labels[p] = i + 1 < length ? choose (reference, sums + i * n, p, p + step, d)
                                          : (uint8_t)cheapest (sums + i * n, (int)n);
}

static void
mend_all (Reference *reference, int d)
{
  int width = reference->problem->width, height = reference->problem->height;
  for (int odd = 1; odd >= 0; odd--)
    for (int line = odd; line < (d == 0 ? height : width); line += 2)
      mend_line (reference, line, (size_t)line * (size_t)(d == 0 ? width : 1),
                 (size_t)(d == 0 ? width : height), d);
}

static void
reference_clear (Reference *reference)
{
  g_free (reference->rest);
  g_free (reference->dual[0]);
  g_free (reference->dual[1]);
  g_free (reference->labels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Reference, reference_clear)

static void
reference_init (Reference *reference, const FsLabelProblem *problem)
{
  size_t n_pixels = fs_label_problem_n_pixels (problem), n = (size_t)problem->n_labels;
  reference->problem = problem;
  reference->rest = g_new0 (int64_t, n_pixels * n);
  reference->dual[0] = g_new0 (int64_t, n_pixels * n);
  reference->dual[1] = g_new0 (int64_t, n_pixels * n);
  reference->labels = g_new0 (uint8_t, n_pixels);
  for (size_t p = 0; p < n_pixels; p++)
    for (size_t l = 0; l < n; l++)
      if (fs_label_problem_has (problem, p))
        reference->rest[p * n + l] = problem->data[l * n_pixels + p];
}

/* The bound; the labels and duals are in the reference. */
static int64_t
reference_run (Reference *reference)
{
  size_t width = (size_t)reference->problem->width, height = (size_t)reference->problem->height;
  int n = reference->problem->n_labels;
  for (int round = 0; round < FS_DUAL_START_ROUNDS; round++) {
    for (size_t y = 0; y < height; y++)
      sweep_line (reference, y * width, width, 0, FALSE);
    for (size_t x = 0; x < width; x++)
      sweep_line (reference, x, height, 1, round + 1 == FS_DUAL_START_ROUNDS);
  }
  int64_t bound = 0;
  for (size_t p = 0; p < width * height; p++) {
    const int64_t *rest = reference->rest + p * (size_t)n;
    bound += rest[cheapest (rest, n)];
  }
  int64_t before = fs_label_problem_energy (reference->problem, reference->labels).total;
  mend_all (reference, 0);
  mend_all (reference, 1);
  int64_t after = fs_label_problem_energy (reference->problem, reference->labels).total;
  g_assert_cmpint (after, <=, before);
  return bound;
}

/* --- Tests --- */

static void
check_start (const FsLinesWork *work, const FsLabelProblem *problem, const Reference *reference,
             int64_t expected)
{
  size_t n = fs_label_problem_n_pixels (problem);
  FsDuals duals = { .problem = problem };
  g_autofree uint8_t *labels = g_malloc (n);
  int64_t bound;
  g_assert_true (fs_dual_start_with (work, problem, labels, &duals, &bound, NULL));
  g_assert_cmpint (bound, ==, expected);
  g_assert_cmpmem (labels, n, reference->labels, n);
  for (int label = 0; label < problem->n_labels; label++)
    for (size_t p = 0; p < n; p++)
      for (int d = 0; d < 2; d++)
        if (d == 0 ? (p + 1) % (size_t)problem->width != 0 : p + (size_t)problem->width < n)
          g_assert_cmpint (duals.of[label][(size_t)d * n + p], ==,
                           reference->dual[d][p * (size_t)problem->n_labels + (size_t)label]);
  fs_duals_clear (&duals);
  g_assert_true (fs_dual_start_with (work, problem, labels, NULL, &bound, NULL));
  g_assert_cmpmem (labels, n, reference->labels, n);
}

static void
check_widths (const FsLabelProblem *problem)
{
  g_auto (Reference) reference = { 0 };
  reference_init (&reference, problem);
  int64_t bound = reference_run (&reference);
  gboolean is_small = fs_dual_start_pick_work (problem)->size == sizeof (int16_t);
  check_start (&fs_lines_32, problem, &reference, bound);
  if (is_small)
    check_start (&fs_lines_16, problem, &reference, bound);
  check_start (fs_dual_start_pick_work (problem), problem, &reference, bound);
}

static void
test_definition (void)
{
  static const int sides[] = { 1, 2, 3, 4, 5, 8, 9, 13, 17, 30 };
  static const int n_labels[] = { 1, 2, 3, 7, 15, 16, 17, 20, 31, 32, 33, 48, 100, 256 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (91);
  for (int i = 0; i < 84; i++) {
    int width = sides[g_rand_int_range (rand, 0, G_N_ELEMENTS (sides))];
    int height = sides[g_rand_int_range (rand, 0, G_N_ELEMENTS (sides))];
    int unit = i % 3 == 0 ? 20 : 1 + i % 5, most = i % 7 == 6 ? 70000 : 200;
    g_autoptr (Labels) labels =
        dual_start_problem (rand, width, height, n_labels[(size_t)i % G_N_ELEMENTS (n_labels)],
                            most, unit);
    fs_solver_set_threads (1 + i % 3);
    check_widths (&labels->problem);
  }
  fs_solver_set_threads (0);
}

/* The largest sums that 16 bits are trusted with. */
static void
test_largest (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (92);
  for (int i = 0; i < 12; i++) {
    g_autoptr (Labels) labels = dual_start_problem (rand, 14, 11, 20, i % 2 == 0 ? 401 : 9401, 1);
    int32_t most = i % 2 == 0 ? 1600 : 100;
    for (int a = 0; a < 20; a++)
      for (int b = 0; b < 20; b++)
        labels->table[a * 20 + b] = MIN (ABS (a - b) * (i < 4 ? most : most / 7), most);
    for (int d = 0; d < 2; d++)
      labels->problem.weight[d] = NULL;
    labels->data[3] = i % 2 == 0 ? 400 : 9400;
    g_assert_cmpuint (fs_dual_start_pick_work (&labels->problem)->size, ==, sizeof (int16_t));
    check_widths (&labels->problem);
    labels->data[3]++;
    g_assert_cmpuint (fs_dual_start_pick_work (&labels->problem)->size, ==, sizeof (int32_t));
  }
}

/* The bound holds, and is far from that of the terms alone. */
static void
test_bound (void)
{
  static const int shapes[][3] = {
    { 3, 3, 3 }, { 4, 3, 2 }, { 6, 1, 4 }, { 1, 5, 5 }, { 2, 3, 4 }
  };
  g_autoptr (GRand) rand = g_rand_new_with_seed (93);
  int64_t sum = 0, sum_of_terms = 0, sum_of_minima = 0;
  for (int i = 0; i < 100; i++) {
    const int *shape = shapes[(size_t)i % G_N_ELEMENTS (shapes)];
    g_autoptr (Labels) labels = dual_start_problem (rand, shape[0], shape[1], shape[2], 40, 5);
    uint8_t start[16];
    int64_t bound, least = min_label_energy (&labels->problem);
    g_assert_true (fs_dual_start (&labels->problem, start, NULL, &bound, NULL));
    g_assert_cmpint (bound, <=, least);
    g_assert_cmpint (fs_label_problem_energy (&labels->problem, start).total, >=, least);
    sum += bound;
    sum_of_minima += least;
    sum_of_terms += fs_label_problem_bound (&labels->problem);
  }
  g_assert_cmpint (sum_of_minima - sum, <, (sum_of_minima - sum_of_terms) / 3);
}

/* Moves from there end with the same labels with duals and without, each cut certified. */
static void
test_moves (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (94);
  for (int i = 0; i < 40; i++) {
    g_autoptr (Labels) labels = dual_start_problem (rand, 19, 14, 2 + i % 6, 60, 4);
    uint8_t first[266], other[266];
    int64_t bounds[4], energy = 0;
    for (int way = 0; way < 4; way++) {
      const FsExpansionOptions options = { .no_cycle_reuse = way == 0,
                                           .verify = way == 1,
                                           .label_reuse = way == 3 };
      uint8_t *labelling = way == 0 ? first : other;
      g_autoptr (FsExpansion) expansion =
          fs_expansion_new (test_backend (), &labels->problem, &options, NULL);
      g_auto (FsExpansionResult) result = { 0 };
      fs_solver_set_threads (1 + way);
      g_assert_true (fs_expansion_dual_start (expansion, labelling, &bounds[way], NULL));
      g_assert_true (fs_expansion_run (expansion, labelling, NULL, &result, NULL));
      g_assert_true (result.converged);
      g_assert_cmpint (result.energy.total, >=, bounds[0]);
      g_assert_cmpint (bounds[way], ==, bounds[0]);
      energy = way == 0 ? result.energy.total : energy;
      g_assert_cmpint (result.energy.total, ==, energy);
      g_assert_cmpmem (labelling, sizeof first, first, sizeof first);
    }
  }
  fs_solver_set_threads (0);
}

static void
assert_refused (const FsLabelProblem *problem)
{
  g_autoptr (GError) error = NULL;
  const FsExpansionOptions options = { 0 };
  g_autoptr (FsExpansion) expansion = fs_expansion_new (test_backend (), problem, &options, NULL);
  uint8_t labels[64];
  int64_t bound;
  g_assert_false (fs_expansion_dual_start (expansion, labels, &bound, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
}

static void
test_refused (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (95);
  g_autoptr (Labels) function = labels_new (rand, 6, 4, 3, COSTS_FUNCTION);
  function->problem.neighbours = FS_NEIGHBOURS_4;
  assert_refused (&function->problem);
  g_autoptr (Labels) eight = labels_new (rand, 6, 4, 3, COSTS_POTTS);
  eight->problem.neighbours = FS_NEIGHBOURS_8;
  assert_refused (&eight->problem);
  static const int32_t tables[][16] = {
    { 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1, 2, 2, 2, 2, 1 }, /* equal labels cost something */
    { 0, 2, 3, 4, 2, 0, 2, 4, 3, 2, 0, 2, 4, 4, 2, 0 }, /* not by difference           */
    { 0, 4, 5, 6, 4, 0, 4, 5, 5, 4, 0, 4, 6, 5, 4, 0 }, /* less for the second step    */
    { 0, 2, 9, 5, 2, 0, 2, 9, 9, 2, 0, 2, 5, 9, 2, 0 }, /* falls                       */
    { 0, 2, 4, 6, 3, 0, 2, 4, 4, 3, 0, 2, 6, 4, 3, 0 }, /* not symmetric               */
  };
  for (size_t i = 0; i < G_N_ELEMENTS (tables); i++) {
    g_autoptr (Labels) labels = dual_start_problem (rand, 6, 4, 4, 20, 2);
    memcpy (labels->table, tables[i], sizeof tables[i]);
    assert_refused (&labels->problem);
  }
}

/* Every plane of a move must be the other's. */
static void
assert_same_move (const FsMove *move, const FsMove *expected)
{
  size_t n = fs_grid_n_pixels (&move->grid);
  g_assert_cmpmem (move->grid.tlink, n * sizeof (int32_t), expected->grid.tlink,
                   n * sizeof (int32_t));
  for (int d = 0; d < fs_grid_n_directions (&move->grid); d++) {
    g_assert_cmpmem (move->nlink[d], n * sizeof (uint16_t), expected->nlink[d],
                     n * sizeof (uint16_t));
    g_assert_cmpmem (move->nlink_back[d], n * sizeof (uint16_t), expected->nlink_back[d],
                     n * sizeof (uint16_t));
  }
  g_assert_cmpmem (move->seen, n, expected->seen, n);
  g_assert_cmpint (move->alpha, ==, expected->alpha);
  g_assert_cmpint (move->is_cold, ==, expected->is_cold);
}

static void
check_base (GRand *rand, const FsLabelProblem *problem, uint8_t *labels, const FsDuals *duals)
{
  size_t n = fs_label_problem_n_pixels (problem);
  FsBase base = { 0 };
  FsTruncation truncation = { 0 }, expected_truncation = { 0 };
  FsMoveRun run = { .truncation = &truncation },
            expected_run = { .truncation = &expected_truncation };
  g_autoptr (FsMove) move = fs_move_new (problem, NULL, NULL);
  g_autoptr (FsMove) expected = fs_move_new (problem, NULL, NULL);
  g_assert_true (fs_base_is_for (move));
  for (int i = 0; i < 12; i++) {
    int alpha = g_rand_int_range (rand, 0, problem->n_labels);
    for (int k = g_rand_int_range (rand, 0, 5); k > 0; k--)
      labels[g_rand_int_range (rand, 0, (int)n)] =
          (uint8_t)g_rand_int_range (rand, 0, problem->n_labels);
    g_assert_true (fs_base_fill (&base, move, alpha, labels, duals, &run, NULL));
    fs_move_fill (expected, alpha, labels, duals, &expected_run);
    assert_same_move (move, expected);
    g_assert_cmpmem (&truncation, sizeof truncation, &expected_truncation, sizeof truncation);
  }
  fs_base_clear (&base);
}

/* What labels' fills have in common, used and followed, gives the planes that each alone has. */
static void
test_base (void)
{
  static const int widths[] = { 1, 2, 7, 8, 9, 17, 130, 300 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (97);
  for (int i = 0; i < 64; i++) {
    int width = widths[(size_t)i % G_N_ELEMENTS (widths)], height = 1 + i % 11;
    g_autoptr (Labels) labels =
        dual_start_problem (rand, width, height, 1 + i % 21, 200, 1 + i % 30);
    g_autofree uint8_t *labelling = g_malloc ((size_t)width * (size_t)height);
    FsDuals duals = { .problem = &labels->problem };
    int64_t bound;
    labels->problem.present = NULL;
    if (i % 4 == 0)
      labels->problem.weight[0] = labels->problem.weight[1] = NULL;
    fs_solver_set_threads (1 + i % 3);
    g_assert_true (fs_dual_start (&labels->problem, labelling, &duals, &bound, NULL));
    check_base (rand, &labels->problem, labelling, &duals);
    fs_duals_clear (&duals);
  }
  fs_solver_set_threads (0);
}

static void
test_no_memory (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (96);
  g_autoptr (Labels) labels = dual_start_problem (rand, 12, 10, 16, 40, 5);
  uint8_t labelling[120];
  for (int i = 0;; i++) {
    g_autoptr (GError) error = NULL;
    FsDuals duals = { .problem = &labels->problem };
    int64_t bound;
    fault_memory_after (i, FALSE);
    gboolean done = fs_dual_start (&labels->problem, labelling, &duals, &bound, &error);
    fault_memory_after (-1, FALSE);
    fs_duals_clear (&duals);
    if (done) {
      /* The sweeps' four planes, and the duals that these leave no room for. */
      g_assert_cmpint (i, ==, 4 + 8);
      return;
    }
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  }
}

/* --- Room ------------------------------------------------------------------------------------- */

/* What a room gives overlaps nothing, and what it has no room for comes from elsewhere. */
static void
test_reused (void)
{
  enum { N_CHUNKS = 9, BYTES = 1000 };
  FsReusedMemory reused = { 0 };
  uint8_t *block[2] = { fs_memory_new (3, BYTES), fs_memory_new (4, BYTES) }, *chunk[N_CHUNKS];
  int n_inside = 0;
  fs_reused_memory_add (&reused, block[0], 3 * BYTES);
  fs_reused_memory_add (&reused, block[1], 4 * BYTES);
  g_assert_cmpuint (fs_reused_memory_left_bytes (&reused), ==, 7 * BYTES);
  for (int i = 0; i < N_CHUNKS; i++) {
    chunk[i] = fs_reused_memory_new (&reused, BYTES, 1);
    g_assert_cmpuint ((uintptr_t)chunk[i] % 64, ==, 0);
    memset (chunk[i], i, BYTES);
    n_inside += chunk[i] - block[0] >= 0 && chunk[i] - block[0] < 3 * BYTES;
    n_inside += chunk[i] - block[1] >= 0 && chunk[i] - block[1] < 4 * BYTES;
  }
  g_assert_cmpint (n_inside, ==, 2 + 3);
  g_assert_cmpuint (fs_reused_memory_left_bytes (&reused), <, 2 * BYTES);
  for (int i = 0; i < N_CHUNKS; i++)
    for (int k = 0; k < BYTES; k++)
      g_assert_cmpuint (chunk[i][k], ==, i);
  for (int i = 0; i < N_CHUNKS; i++)
    fs_reused_memory_free (&reused, chunk[i]);
  fs_reused_memory_clear (&reused);
  fs_reused_memory_free (NULL, fs_reused_memory_new (NULL, BYTES, 1));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/dual-start/definition", test_definition);
  g_test_add_func ("/solver/dual-start/largest", test_largest);
  g_test_add_func ("/solver/dual-start/bound", test_bound);
  g_test_add_func ("/solver/dual-start/moves", test_moves);
  g_test_add_func ("/solver/dual-start/base", test_base);
  g_test_add_func ("/solver/dual-start/refused", test_refused);
  g_test_add_func ("/solver/dual-start/no-memory", test_no_memory);
  g_test_add_func ("/solver/dual-start/reused", test_reused);
  return g_test_run ();
}
