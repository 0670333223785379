/* SPDX-License-Identifier: MIT */
/* A dual start on a device, from the device's own source on the host, each of its threads a
 * fibre: labels, duals and bound are those of plain loops, to the bit. */
#include "solver/kernels/cuda/engine_host.h"
#include "solver/kernels/moves_engine.h"
#include "tests/kernels/fibre_calls.h"
#include "tests/solver/problem.h"

#include <string.h>

const FsMovesTable *fs_moves_cuda (void);
const int32_t *fibre_moves_duals (const FsMoves *moves);

/* --- Problems --- */

typedef struct {
  FsMovesProblem problem;
  FsMovesDualStart start;
  int32_t *data, *table;
  uint16_t *weight[2];
  uint8_t *present;
  size_t n;
} Case;

static void
case_free (Case *one)
{
  g_free (one->data);
  g_free (one->table);
  g_free (one->weight[0]);
  g_free (one->weight[1]);
  g_free (one->present);
  g_free (one);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Case, case_free)

typedef enum { STEPS_POTTS, STEPS_LINEAR, STEPS_FAR, STEPS_SQUARE, STEPS_RANDOM, N_STEPS } Steps;

static int32_t
step_cost (GRand *rand, Steps steps, int distance)
{
  switch (steps) {
  case STEPS_POTTS:
    return 20;
  case STEPS_LINEAR:
    return 5 * MIN (distance, 3);
  case STEPS_FAR:
    return 3 * MIN (distance, 40);
  case STEPS_SQUARE:
    return 2 * MIN (distance * distance, 19);
  default:
    return distance > 1 ? g_rand_int_range (rand, MIN (distance * 4, 50), 51) : 4;
  }
}

static void
set_truncation (FsMovesDistances *costs, int n_labels)
{
  costs->max = costs->cost[n_labels - 1];
  for (int k = 1; k < n_labels; k++)
    costs->truncation = costs->cost[k] < costs->max ? k : costs->truncation;
}

static void
fill_costs (Case *one, GRand *rand, Steps steps)
{
  int n_labels = one->problem.n_labels;
  int32_t *real = one->start.real.cost, *metric = one->start.metric.cost;
  for (int k = 1; k < n_labels; k++)
    real[k] = step_cost (rand, steps, k);
  if (steps == STEPS_RANDOM && n_labels > 2)
    real[n_labels - 1] = 50;
  for (int k = 1; k < n_labels; k++)
    metric[k] = MIN (k * real[1], real[n_labels - 1]);
  set_truncation (&one->start.real, n_labels);
  set_truncation (&one->start.metric, n_labels);
  one->problem.table = one->table = g_new (int32_t, n_labels * n_labels);
  for (int a = 0; a < n_labels; a++)
    for (int b = 0; b < n_labels; b++)
      one->table[a * n_labels + b] = real[ABS (a - b)];
}

static Case *
case_new (GRand *rand, int width, int height, int n_labels, Steps steps)
{
  Case *one = g_new0 (Case, 1);
  one->n = (size_t)width * (size_t)height;
  one->start.n_rounds = g_rand_int_range (rand, 1, 4);
  one->start.n_mends = g_rand_int_range (rand, 0, 4);
  one->start.retained_shift = g_rand_int_range (rand, 1, 5);
  one->data = g_new (int32_t, one->n * (size_t)n_labels);
  for (size_t i = 0; i < one->n * (size_t)n_labels; i++)
    one->data[i] = g_rand_int_range (rand, 0, 90);
  one->problem = (FsMovesProblem){ .width = width,
                                   .height = height,
                                   .neighbours = 4,
                                   .n_labels = n_labels,
                                   .data = one->data,
                                   .reuses_flow = TRUE };
  fill_costs (one, rand, steps);
  for (int d = 0; d < 2 && n_labels % 3 != 1; d++) {
    one->problem.weight[d] = one->weight[d] = g_new (uint16_t, one->n);
    for (size_t p = 0; p < one->n; p++)
      one->weight[d][p] = (uint16_t)g_rand_int_range (rand, 0, 4);
  }
  if (g_rand_int_range (rand, 0, 3) == 0) {
    one->problem.present = one->present = g_new (uint8_t, one->n);
    for (size_t p = 0; p < one->n; p++)
      one->present[p] = g_rand_int_range (rand, 0, 5) > 0;
  }
  return one;
}

/* --- Plain loops --- */

typedef struct {
  const Case *one;
  int32_t *data, *rest, *dual; /* [label · n + p]; duals: [(label · 2 + d) · n + p] */
  uint8_t *labels;
  int64_t bound;
} Plain;

static void
plain_clear (Plain *plain)
{
  g_free (plain->data);
  g_free (plain->rest);
  g_free (plain->dual);
  g_free (plain->labels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Plain, plain_clear)

static int32_t
pair_weight (const Case *one, size_t p, int d)
{
  size_t width = (size_t)one->problem.width, q = d == 0 ? p + 1 : p + width;
  if (d == 0 ? p % width + 1 == width : q >= one->n)
    return 0;
  if (one->present != NULL && (!one->present[p] || !one->present[q]))
    return 0;
  return one->weight[d] != NULL ? one->weight[d][p] : 1;
}

static int32_t *
dual_of (const Plain *plain, int label, int d, size_t p)
{
  return &plain->dual[(size_t)(label * 2 + d) * plain->one->n + p];
}

static int32_t
min_of (const int32_t *value, int n, int *at)
{
  *at = 0;
  for (int i = 1; i < n; i++)
    *at = value[i] < value[*at] ? i : *at;
  return value[*at];
}

static void
message (const int32_t *cost, const int32_t *f, int n, int32_t weight, int32_t *m)
{
  int at;
  int32_t least = min_of (f, n, &at);
  for (int b = 0; b < n; b++) {
    m[b] = G_MAXINT32;
    for (int a = 0; a < n; a++)
      m[b] = MIN (m[b], f[a] + weight * cost[ABS (a - b)] - least);
  }
}

static void
give (Plain *plain, size_t p, size_t step, int d)
{
  const Case *one = plain->one;
  int n_labels = one->problem.n_labels;
  int32_t f[FS_MOVES_LABELS] = { 0 }, y[FS_MOVES_LABELS];
  for (int l = 0; l < n_labels; l++)
    f[l] = plain->rest[(size_t)l * one->n + p] + *dual_of (plain, l, d, p);
  message (one->start.metric.cost, f, n_labels, pair_weight (one, p, d), y);
  for (int l = 0; l < n_labels; l++) {
    plain->rest[(size_t)l * one->n + p] = f[l] - y[l];
    plain->rest[(size_t)l * one->n + p + step] += y[l] - *dual_of (plain, l, d, p);
    *dual_of (plain, l, d, p) = y[l];
  }
}

static void
give_back (Plain *plain, size_t p, size_t step, int d)
{
  const Case *one = plain->one;
  int n_labels = one->problem.n_labels, at;
  int32_t rest[FS_MOVES_LABELS] = { 0 }, f[FS_MOVES_LABELS] = { 0 }, y[FS_MOVES_LABELS];
  for (int l = 0; l < n_labels; l++)
    rest[l] = plain->rest[(size_t)l * one->n + p];
  int32_t least = min_of (rest, n_labels, &at);
  for (int l = 0; l < n_labels; l++)
    f[l] = rest[l] - ((rest[l] - least) >> one->start.retained_shift)
           - *dual_of (plain, l, d, p - step);
  message (one->start.metric.cost, f, n_labels, pair_weight (one, p - step, d), y);
  for (int l = 0; l < n_labels; l++) {
    int32_t change = -y[l] - *dual_of (plain, l, d, p - step);
    plain->rest[(size_t)l * one->n + p] += change;
    plain->rest[(size_t)l * one->n + p - step] -= change;
    *dual_of (plain, l, d, p - step) = -y[l];
  }
}

/* `has_after`: the pixel after it has its label. */
static void
pick (Plain *plain, size_t p, size_t step, int d, gboolean has_after, gboolean with_duals)
{
  const Case *one = plain->one;
  int n_labels = one->problem.n_labels, at;
  int32_t value[FS_MOVES_LABELS];
  for (int l = 0; l < n_labels; l++) {
    value[l] = plain->rest[(size_t)l * one->n + p];
    if (has_after)
      value[l] +=
          (with_duals ? *dual_of (plain, l, d, p) : 0)
          + pair_weight (one, p, d) * one->start.real.cost[ABS (l - plain->labels[p + step])];
  }
  min_of (value, n_labels, &at);
  plain->labels[p] = (uint8_t)at;
}

static void
sweep_line (Plain *plain, size_t first, size_t step, int length, int d, gboolean picks)
{
  for (int i = 0; i + 1 < length; i++)
    give (plain, first + (size_t)i * step, step, d);
  for (int i = length - 1; i >= 0; i--) {
    if (picks)
      pick (plain, first + (size_t)i * step, step, d, i + 1 < length, TRUE);
    if (i > 0)
      give_back (plain, first + (size_t)i * step, step, d);
  }
}

static void
mend_line (Plain *plain, size_t first, size_t step, size_t across, int length, int d,
           gboolean has_before, gboolean has_after)
{
  const Case *one = plain->one;
  int n_labels = one->problem.n_labels;
  int32_t f[FS_MOVES_LABELS], m[FS_MOVES_LABELS] = { 0 };
  const int32_t *real = one->start.real.cost;
  for (int i = 0; i < length; i++) {
    size_t p = first + (size_t)i * step;
    for (int l = 0; l < n_labels; l++) {
      f[l] = plain->data[(size_t)l * one->n + p] + m[l];
      if (has_before)
        f[l] += pair_weight (one, p - across, !d) * real[ABS (l - plain->labels[p - across])];
      if (has_after)
        f[l] += pair_weight (one, p, !d) * real[ABS (l - plain->labels[p + across])];
      plain->rest[(size_t)l * one->n + p] = f[l];
    }
    message (real, f, n_labels, pair_weight (one, p, d), m);
  }
  for (int i = length - 1; i >= 0; i--)
    pick (plain, first + (size_t)i * step, step, d, i + 1 < length, FALSE);
}

static void
plain_start (Plain *plain, const Case *one)
{
  int width = one->problem.width, height = one->problem.height, n_labels = one->problem.n_labels;
  size_t n = one->n, n_all = n * (size_t)n_labels, row = (size_t)width;
  *plain = (Plain){
    one, g_memdup2 (one->data, n_all * 4), NULL, g_new0 (int32_t, 2 * n_all), g_new0 (uint8_t, n), 0
  };
  for (size_t i = 0; one->present != NULL && i < n_all; i++)
    plain->data[i] = one->present[i % n] ? plain->data[i] : 0;
  plain->rest = g_memdup2 (plain->data, n_all * 4);
  for (int round = 0; round < one->start.n_rounds; round++) {
    for (int y = 0; y < height; y++)
      sweep_line (plain, (size_t)y * row, 1, width, 0, FALSE);
    for (int x = 0; x < width; x++)
      sweep_line (plain, (size_t)x, row, height, 1, round + 1 == one->start.n_rounds);
  }
  for (size_t p = 0; p < n; p++) {
    int32_t least = G_MAXINT32;
    for (int l = 0; l < n_labels; l++)
      least = MIN (least, plain->rest[(size_t)l * n + p]);
    plain->bound += least;
  }
  for (int i = 0; i < 2 * one->start.n_mends; i++) {
    int d = i / 2 % 2, n_lines = d == 0 ? height : width;
    for (int k = 1 - i % 2; k < n_lines; k += 2)
      mend_line (plain, (size_t)k * (d == 0 ? row : 1), d == 0 ? 1 : row, d == 0 ? row : 1,
                 d == 0 ? width : height, d, k > 0, k + 1 < n_lines);
  }
}

/* --- The device --- */

static void
check (const Case *one)
{
  const FsMovesTable *table = fs_moves_cuda ();
  FsMoves *moves = NULL;
  FsEngineError error = { "" };
  int64_t bound = -1;
  g_autofree uint8_t *labels = g_malloc (one->n);
  g_auto (Plain) plain = { 0 };
  plain_start (&plain, one);
  g_assert_cmpint (table->create (&one->problem, &moves, &error), ==, FS_ENGINE_DONE);
  for (int again = 0; again < 2; again++) {
    memset (labels, 0xff, one->n);
    g_assert_cmpint (table->start (moves, &one->start, labels, &bound, &error), ==, FS_ENGINE_DONE);
    g_assert_cmpmem (labels, one->n, plain.labels, one->n);
    g_assert_cmpmem (table->labels (moves), one->n, plain.labels, one->n);
    g_assert_cmpint (bound, ==, plain.bound);
    size_t bytes = one->n * (size_t)one->problem.n_labels * 2 * sizeof (int32_t);
    if (one->problem.reuses_flow)
      g_assert_cmpmem (fibre_moves_duals (moves), bytes, plain.dual, bytes);
    else
      g_assert_null (fibre_moves_duals (moves));
  }
  table->destroy (moves);
}

static void
test_cases (void)
{
  static const int SIDES[][2] = { { 1, 1 },   { 1, 19 }, { 23, 1 }, { 2, 2 },
                                  { 21, 13 }, { 34, 9 }, { 7, 33 } };
  static const int LABELS[] = { 1, 2, 16, 20, 33, 70, 256 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (41);
  for (int i = 0; i < scaled_few (98, 49); i++) {
    const int *sides = SIDES[i % (int)G_N_ELEMENTS (SIDES)];
    int n_labels = LABELS[i / (int)G_N_ELEMENTS (SIDES) % (int)G_N_ELEMENTS (LABELS)];
    g_autoptr (Case) one = case_new (rand, sides[0], sides[1], n_labels, (Steps)(i % N_STEPS));
    one->problem.reuses_flow = i % 4 != 3;
    fibre_begin (fs_engine_host (), (guint32)i, 2);
    check (one);
  }
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* Small, for builds in which every touch of memory counts (fibres/touch.h). */
static void
test_races (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (42);
  for (int i = 0; i < 4; i++) {
    g_autoptr (Case) one = case_new (rand, 11, 9, i % 2 ? 35 : 5, i < 2 ? STEPS_FAR : STEPS_SQUARE);
    fibre_begin (fs_engine_host (), (guint32)i, 2);
    check (one);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kernels/fibre-dual-start/cases", test_cases);
  g_test_add_func ("/kernels/fibre-dual-start/races", test_races);
  return g_test_run ();
}
