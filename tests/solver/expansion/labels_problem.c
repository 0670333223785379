/* SPDX-License-Identifier: MIT */
#include "tests/solver/expansion/labels_problem.h"

void
labels_free (Labels *labels)
{
  g_free (labels->data);
  g_free (labels->table);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_free (labels->weight[d]);
  g_free (labels->present);
  g_free (labels->levels);
  g_free (labels);
}
/* |g_a(p) − g_b(p)|: a metric of each pixel's own. */
static int32_t
level_cost (const void *data, size_t p, FsDirection d, int a, int b)
{
  const Labels *labels = data;
  size_t n = fs_label_problem_n_pixels (&labels->problem);
  return ABS (labels->levels[(size_t)a * n + p] - labels->levels[(size_t)b * n + p]) + (a != b);
}

static int32_t
table_cost (GRand *rand, Costs costs, int a, int b)
{
  switch (costs) {
  case COSTS_POTTS:
    return a != b ? 7 : 0;
  case COSTS_LINEAR:
    return 5 * MIN (ABS (a - b), 2);
  case COSTS_WIDE:
    return 30000 * MIN (ABS (a - b), 3);
  default:
    return g_rand_int_range (rand, 0, 30);
  }
}

static void
fill_costs (Labels *labels, GRand *rand, Costs costs)
{
  FsLabelProblem *problem = &labels->problem;
  size_t n = fs_label_problem_n_pixels (problem);
  int n_labels = problem->n_labels;
  int32_t most = costs == COSTS_WIDE ? 200000 : 40;
  problem->data = labels->data = g_new (int32_t, n * n_labels);
  for (size_t i = 0; i < n * n_labels; i++)
    labels->data[i] = g_rand_int_range (rand, 0, most);
  if (costs == COSTS_FUNCTION) {
    labels->levels = g_new (int32_t, n * n_labels);
    for (size_t i = 0; i < n * n_labels; i++)
      labels->levels[i] = g_rand_int_range (rand, 0, 20);
    problem->pair_cost = level_cost;
    problem->pair_data = labels;
    problem->pair_cost_max = 21;
    return;
  }
  problem->table = labels->table = g_new (int32_t, n_labels * n_labels);
  for (int a = 0; a < n_labels; a++)
    for (int b = 0; b < n_labels; b++)
      labels->table[a * n_labels + b] = table_cost (rand, costs, a, b);
}

Labels *
labels_new (GRand *rand, int width, int height, int n_labels, Costs costs)
{
  Labels *labels = g_new0 (Labels, 1);
  FsLabelProblem *problem = &labels->problem;
  *problem = (FsLabelProblem){ .width = width,
                               .height = height,
                               .neighbours = g_rand_boolean (rand) ? 8 : 4,
                               .n_labels = n_labels };
  size_t n = (size_t)width * (size_t)height;
  fill_costs (labels, rand, costs);
  if (costs != COSTS_FUNCTION && g_rand_boolean (rand))
    for (int d = 0; d < fs_label_problem_n_directions (problem); d++) {
      problem->weight[d] = labels->weight[d] = g_new (uint16_t, n);
      for (size_t p = 0; p < n; p++)
        labels->weight[d][p] = (uint16_t)g_rand_int_range (rand, 0, 4);
    }
  if (g_rand_int_range (rand, 0, 4) == 0) {
    problem->present = labels->present = g_new (uint8_t, n);
    for (size_t p = 0; p < n; p++)
      labels->present[p] = g_rand_int_range (rand, 0, 5) > 0;
  }
  g_assert_true (fs_label_problem_validate (problem, NULL));
  return labels;
}

uint8_t *
random_labelling (GRand *rand, const FsLabelProblem *problem)
{
  size_t n = fs_label_problem_n_pixels (problem);
  uint8_t *labelling = g_new (uint8_t, n);
  for (size_t p = 0; p < n; p++)
    labelling[p] = (uint8_t)g_rand_int_range (rand, 0, problem->n_labels);
  return labelling;
}

int64_t
min_label_energy (const FsLabelProblem *problem)
{
  size_t n = fs_label_problem_n_pixels (problem);
  uint8_t labelling[16] = { 0 };
  g_assert_cmpuint (n, <=, sizeof labelling);
  for (int64_t least = INT64_MAX;;) {
    least = MIN (least, fs_label_problem_energy (problem, labelling).total);
    size_t p = 0;
    while (p < n && ++labelling[p] == problem->n_labels)
      labelling[p++] = 0;
    if (p == n)
      return least;
  }
}
