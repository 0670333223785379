/* SPDX-License-Identifier: MIT */
#include "solver/expansion/move/label_problem.h"

#include "solver/progress.h"

static gboolean refuse_problem (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse_problem (GError **error, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID, message);
  return FALSE;
}

static gboolean
validate_shape (const FsLabelProblem *problem, GError **error)
{
  if (problem->width < 1 || problem->height < 1
      || (size_t)problem->height > G_MAXINT32 / (size_t)problem->width)
    return refuse_problem (error, "a grid of %d × %d pixels", problem->width, problem->height);
  if (problem->neighbours != FS_NEIGHBOURS_4 && problem->neighbours != FS_NEIGHBOURS_8)
    return refuse_problem (error, "%d neighbours: there are 4 or 8", (int)problem->neighbours);
  if (problem->n_labels < 1 || problem->n_labels > FS_LABELS_MAX)
    return refuse_problem (error, "%d labels: there may be 1 to %d", problem->n_labels,
                           FS_LABELS_MAX);
  if (problem->data == NULL || (problem->table == NULL) == (problem->pair_cost == NULL))
    return refuse_problem (error,
                           "data costs, or smoothness as a table or a function, are missing");
  for (int d = 1; d < fs_label_problem_n_directions (problem); d++)
    if ((problem->weight[d] == NULL) != (problem->weight[0] == NULL))
      return refuse_problem (error, "weights for some directions only");
  return TRUE;
}

static gboolean
validate_data (const FsLabelProblem *problem, GError **error)
{
  size_t n = fs_label_problem_n_pixels (problem);
  for (int label = 0; label < problem->n_labels; label++) {
    const int32_t *cost = problem->data + (size_t)label * n;
    for (size_t p = 0; p < n; p++)
      if (cost[p] < 0 || cost[p] > FS_LABEL_COST_MAX)
        return refuse_problem (error,
                               "the data cost %d of label %d at pixel (%d, %d): 0 to %d may be",
                               cost[p], label, (int)(p % (size_t)problem->width),
                               (int)(p / (size_t)problem->width), FS_LABEL_COST_MAX);
  }
  return TRUE;
}

static int32_t
largest_weight (const FsLabelProblem *problem)
{
  size_t n = fs_label_problem_n_pixels (problem);
  uint16_t largest = problem->weight[0] == NULL ? 1 : 0;
  for (int d = 0; d < fs_label_problem_n_directions (problem); d++) {
    const uint16_t *weight = problem->weight[d];
    for (size_t p = 0; weight != NULL && p < n; p++)
      largest = MAX (largest, weight[p]);
  }
  return largest;
}

int64_t
fs_label_problem_largest_pair (const FsLabelProblem *problem)
{
  if (problem->table == NULL)
    return problem->pair_cost_max;
  int32_t largest = 0;
  for (int i = 0; i < problem->n_labels * problem->n_labels; i++)
    largest = MAX (largest, problem->table[i]);
  return (int64_t)largest * largest_weight (problem);
}

static gboolean
validate_pairs (const FsLabelProblem *problem, GError **error)
{
  int n = problem->n_labels;
  for (int i = 0; problem->table != NULL && i < n * n; i++)
    if (problem->table[i] < 0)
      return refuse_problem (error,
                             "the smoothness cost %d of labels %d and %d: it may not be negative",
                             problem->table[i], i / n, i % n);
  int64_t largest = fs_label_problem_largest_pair (problem);
  if (largest > FS_PAIR_COST_MAX)
    return refuse_problem (error, "a smoothness cost of %" G_GINT64_FORMAT ": 0 to %d may be",
                           largest, FS_PAIR_COST_MAX);
  return TRUE;
}

gboolean
fs_label_problem_validate (const FsLabelProblem *problem, GError **error)
{
  g_return_val_if_fail (problem != NULL, FALSE);
  return validate_shape (problem, error) && validate_data (problem, error)
         && validate_pairs (problem, error);
}

static gboolean
has_pair (const FsLabelProblem *problem, int x, int y, int d)
{
  int qx = x + fs_direction_dx ((FsDirection)d);
  int qy = y + fs_direction_dy ((FsDirection)d);
  size_t p = (size_t)y * (size_t)problem->width + (size_t)x;
  return qx >= 0 && qx < problem->width && qy < problem->height && fs_label_problem_has (problem, p)
         && fs_label_problem_has (problem, (size_t)qy * (size_t)problem->width + (size_t)qx);
}

/* The pairs that begin in row y and lead in direction d. */
static int64_t
row_smoothness (const FsLabelProblem *problem, const uint8_t *labels, int y, int d)
{
  int dx = fs_direction_dx ((FsDirection)d);
  size_t first = (size_t)y * (size_t)problem->width + (dx < 0 ? 1 : 0);
  size_t last = (size_t)(y + 1) * (size_t)problem->width - (dx > 0 ? 1 : 0);
  size_t step = (size_t)fs_label_problem_step (problem, d);
  int64_t sum = 0;
  if (y + fs_direction_dy ((FsDirection)d) >= problem->height)
    return 0;
  if (problem->table != NULL && problem->present == NULL) {
    const uint16_t *weight = problem->weight[d];
    for (size_t p = first; p < last; p++)
      sum += (weight != NULL ? weight[p] : 1)
             * problem->table[labels[p] * problem->n_labels + labels[p + step]];
    return sum;
  }
  for (size_t p = first; p < last; p++)
    if (fs_label_problem_has (problem, p) && fs_label_problem_has (problem, p + step))
      sum += fs_label_problem_pair (problem, p, d, labels[p], labels[p + step]);
  return sum;
}

void
fs_label_problem_choose_cheapest (const FsLabelProblem *problem, uint8_t *labels)
{
  size_t n = fs_label_problem_n_pixels (problem);
  memset (labels, 0, n);
  for (int label = 1; label < problem->n_labels; label++)
    for (size_t p = 0; p < n; p++)
      if (problem->data[(size_t)label * n + p] < problem->data[labels[p] * n + p])
        labels[p] = (uint8_t)label;
}

int64_t
fs_label_problem_data_energy (const FsLabelProblem *problem, const uint8_t *labels)
{
  int64_t sum = 0;
  size_t n = fs_label_problem_n_pixels (problem);
  for (size_t p = 0; p < n; p++)
    if (fs_label_problem_has (problem, p))
      sum += problem->data[labels[p] * n + p];
  return sum;
}

FsLabelEnergy
fs_label_problem_energy (const FsLabelProblem *problem, const uint8_t *labels)
{
  FsLabelEnergy energy = { .data = fs_label_problem_data_energy (problem, labels) };
  for (int y = 0; y < problem->height; y++)
    for (int d = 0; d < fs_label_problem_n_directions (problem); d++)
      energy.smoothness += row_smoothness (problem, labels, y, d);
  energy.total = energy.data + energy.smoothness;
  return energy;
}

static int32_t
cheapest_pair (const FsLabelProblem *problem)
{
  int32_t min = problem->table != NULL ? problem->table[0] : 0;
  for (int i = 1; problem->table != NULL && i < problem->n_labels * problem->n_labels; i++)
    min = MIN (min, problem->table[i]);
  return min;
}

int64_t
fs_label_problem_bound (const FsLabelProblem *problem)
{
  size_t n = fs_label_problem_n_pixels (problem);
  int32_t min_pair = cheapest_pair (problem);
  int64_t bound = 0;
  size_t p = 0;
  for (int y = 0; y < problem->height; y++)
    for (int x = 0; x < problem->width; x++, p++) {
      if (!fs_label_problem_has (problem, p))
        continue;
      int32_t min = problem->data[p];
      for (int label = 1; label < problem->n_labels; label++)
        min = MIN (min, problem->data[(size_t)label * n + p]);
      bound += min;
      for (int d = 0; d < fs_label_problem_n_directions (problem); d++)
        if (has_pair (problem, x, y, d))
          bound += (int64_t)min_pair * fs_label_problem_weight (problem, p, d);
    }
  return bound;
}
