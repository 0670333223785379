/* SPDX-License-Identifier: MIT */
#include "solver/expansion/start/dual_start.h"

#include "solver/cpu/search/search.h"
#include "solver/system/checked_memory.h"
#include "solver/system/threads.h"

#include <string.h>

/* --- What it is for --- */

static gboolean
refuse_start (GError **error, const char *reason)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
               "labels cannot start from chains: %s", reason);
  return FALSE;
}

static gboolean
is_by_difference (const FsLabelProblem *problem)
{
  int n = problem->n_labels;
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++)
      if (problem->table[a * n + b] != problem->table[ABS (a - b)])
        return FALSE;
  return TRUE;
}

/* The largest distance that costs less than `max`. Costs may fall again before the end. */
static int
truncation_of (const FsLineCosts *costs, int n_labels)
{
  int truncation = n_labels - 1;
  while (truncation > 0 && costs->cost[truncation] == costs->max)
    truncation--;
  return truncation;
}

/* FALSE where V is not of a kind that a dual start supports. */
static gboolean
find_costs (const FsLabelProblem *problem, FsLineCosts *real, FsLineCosts *metric)
{
  int n = problem->n_labels;
  const int32_t *cost = problem->table;
  int64_t unit = n > 1 ? cost[1] : 0;
  real->max = metric->max = cost[n - 1];
  for (int k = 0; k < n; k++) {
    real->cost[k] = cost[k];
    metric->cost[k] = (int32_t)MIN (k * unit, cost[n - 1]);
    if (cost[k] < metric->cost[k] || cost[k] > cost[n - 1] || cost[0] != 0)
      return FALSE;
  }
  real->truncation = truncation_of (real, n);
  metric->truncation = truncation_of (metric, n);
  return TRUE;
}

static gboolean
prepare_lines (FsLinesProblem *lines, const FsLabelProblem *problem, GError **error)
{
  lines->problem = problem;
  if (problem->neighbours != FS_NEIGHBOURS_4)
    return refuse_start (error, "they are for 4 neighbours");
  if (problem->table == NULL || !is_by_difference (problem)
      || !find_costs (problem, &lines->real, &lines->metric))
    return refuse_start (error,
                         "the smoothness must be potts, linear, square, or a table like them");
  return TRUE;
}

gboolean
fs_dual_start_supports (const FsLabelProblem *problem, GError **error)
{
  FsLinesProblem lines;
  return prepare_lines (&lines, problem, error);
}

static FsMovesDistances
distances_of (const FsLineCosts *costs)
{
  FsMovesDistances distances = { .truncation = costs->truncation, .max = costs->max };
  memcpy (distances.cost, costs->cost, sizeof distances.cost);
  return distances;
}

FsMovesDualStart
fs_dual_start_describe (const FsLabelProblem *problem)
{
  FsLinesProblem lines = { 0 };
  prepare_lines (&lines, problem, NULL);
  return (FsMovesDualStart){ .n_rounds = FS_DUAL_START_ROUNDS,
                             .n_mends = FS_DUAL_START_MENDS,
                             .retained_shift = FS_LINES_RETAINED_SHIFT,
                             .metric = distances_of (&lines.metric),
                             .real = distances_of (&lines.real) };
}

/* --- Memory --- */

static int32_t
largest_cost (const FsLabelProblem *problem)
{
  size_t n = fs_label_problem_n_pixels (problem) * (size_t)problem->n_labels;
  int32_t largest = 0;
  for (size_t i = 0; i < n; i++)
    largest = MAX (largest, problem->data[i]);
  return largest;
}

const FsLinesWork *
fs_dual_start_pick_work (const FsLabelProblem *problem)
{
  gboolean is_small =
      largest_cost (problem) + 6 * fs_label_problem_largest_pair (problem) <= FS_LINES_SUM_MAX;
#ifdef FS_WITH_AVX2
  if (fs_cpu_search_uses_avx2 ())
    return is_small ? &fs_lines_16_avx2 : &fs_lines_32_avx2;
#endif
  return is_small ? &fs_lines_16 : &fs_lines_32;
}

static void
clear_lines (FsLinesProblem *lines)
{
  fs_memory_free (lines->data);
  fs_memory_free (lines->rest);
  fs_memory_free (lines->dual[0]);
  fs_memory_free (lines->dual[1]);
  g_free (lines->table);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsLinesProblem, clear_lines)

static void
fill_table (FsLinesProblem *lines, const FsLinesWork *work)
{
  int n = lines->problem->n_labels;
  size_t n_padded = (size_t)lines->n_padded;
  lines->table = g_malloc0 ((size_t)n * n_padded * work->size);
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) {
      size_t at = (size_t)a * n_padded + (size_t)b;
      int32_t cost = lines->problem->table[a * n + b];
      if (work->size == sizeof (int16_t))
        ((int16_t *)lines->table)[at] = (int16_t)cost;
      else
        ((int32_t *)lines->table)[at] = cost;
    }
}

static gboolean
make_planes (FsLinesProblem *lines, const FsLinesWork *work, GError **error)
{
  const FsLabelProblem *problem = lines->problem;
  lines->n_padded = (problem->n_labels + work->lanes - 1) / work->lanes * work->lanes;
  /* Rows an odd number of cache lines long, so that a column's pixels do not share a few places. */
  lines->pitch = (size_t)problem->width | 1;
  size_t n = lines->pitch * (size_t)problem->height * (size_t)lines->n_padded;
  lines->data = fs_memory_new_whole (n, work->size);
  lines->rest = fs_memory_new_whole (n, work->size);
  lines->dual[0] = fs_memory_new_whole (n, work->size);
  lines->dual[1] = fs_memory_new_whole (n, work->size);
  if (lines->data != NULL && lines->rest != NULL && lines->dual[0] != NULL
      && lines->dual[1] != NULL) {
    fill_table (lines, work);
    return TRUE;
  }
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for a dual start with %d × %d pixels", problem->width,
               problem->height);
  return FALSE;
}

/* --- Work for threads --- */

typedef struct {
  FsLinesProblem *lines;
  const FsLinesWork *work;
  void (*call) (FsLinesProblem *problem, const FsLines *lines);
  FsLines all; /* of which each item has FS_LINES_AT_ONCE */
  FsDuals *duals;
  int64_t *bounds; /* [y] */
} Job;

static void
do_lines (int item, int worker G_GNUC_UNUSED, gpointer data)
{
  Job *job = data;
  FsLines some = job->all;
  some.first += item * FS_LINES_AT_ONCE * some.apart;
  some.n = MIN (FS_LINES_AT_ONCE, job->all.n - item * FS_LINES_AT_ONCE);
  job->call (job->lines, &some);
}

static void
run_lines (Job *job)
{
  int n_items = (job->all.n + FS_LINES_AT_ONCE - 1) / FS_LINES_AT_ONCE;
  fs_threads_run (fs_solver_get_threads (), n_items, do_lines, job);
}

static int
n_lines (const Job *job, int direction)
{
  const FsLabelProblem *problem = job->lines->problem;
  return direction == FS_DIRECTION_E ? problem->height : problem->width;
}

static void
sweep (Job *job, int round, int direction)
{
  job->call = job->work->sweep;
  job->all = (FsLines){ .direction = direction,
                        .apart = 1,
                        .n = n_lines (job, direction),
                        .is_fresh = round == 0,
                        .takes = round + 1 == FS_DUAL_START_ROUNDS && direction == FS_DIRECTION_S };
  run_lines (job);
}

/* Every second line, then the others. */
static void
mend (Job *job, int direction)
{
  job->call = job->work->mend;
  for (int first = 1; first >= 0; first--) {
    job->all = (FsLines){ .direction = direction,
                          .first = first,
                          .apart = 2,
                          .n = (n_lines (job, direction) + 1 - first) / 2 };
    run_lines (job);
  }
}

static void
begin_row (int y, int worker G_GNUC_UNUSED, gpointer data)
{
  Job *job = data;
  job->work->begin (job->lines, y);
}

static void
bound_row (int y, int worker G_GNUC_UNUSED, gpointer data)
{
  Job *job = data;
  job->bounds[y] = job->work->bound (job->lines, y);
}

static void
read_row (int y, int worker G_GNUC_UNUSED, gpointer data)
{
  Job *job = data;
  for (int d = 0; d < fs_label_problem_n_directions (job->lines->problem); d++)
    job->work->read (job->lines, y, d, job->duals->of);
}

static void
run_rows (Job *job, FsThreadsWork work)
{
  fs_threads_run (fs_solver_get_threads (), job->lines->problem->height, work, job);
}

static int64_t
bound_of (Job *job)
{
  int height = job->lines->problem->height;
  g_autofree int64_t *bounds = g_new (int64_t, height);
  int64_t sum = 0;
  job->bounds = bounds;
  run_rows (job, bound_row);
  for (int y = 0; y < height; y++)
    sum += bounds[y];
  return sum;
}

static void
give_memory (const Job *job, void **plane)
{
  const FsLinesProblem *lines = job->lines;
  size_t n = lines->pitch * (size_t)lines->problem->height * (size_t)lines->n_padded;
  fs_reused_memory_add (&job->duals->reused, g_steal_pointer (plane), n * job->work->size);
}

/* The duals lie where sweeps had costs and rests, and moves will where they had duals. */
static gboolean
hand_over (Job *job, GError **error)
{
  FsLinesProblem *lines = job->lines;
  fs_duals_clear (job->duals);
  give_memory (job, &lines->data);
  give_memory (job, &lines->rest);
  if (!fs_duals_make_all (job->duals, error))
    return FALSE;
  run_rows (job, read_row);
  give_memory (job, &lines->dual[0]);
  give_memory (job, &lines->dual[1]);
  return TRUE;
}

gboolean
fs_dual_start_with (const FsLinesWork *work, const FsLabelProblem *problem, uint8_t *labels,
                    FsDuals *duals, int64_t *bound, GError **error)
{
  g_auto (FsLinesProblem) lines = { .labels = labels };
  if (!prepare_lines (&lines, problem, error))
    return FALSE;
  Job job = { .lines = &lines, .work = work, .duals = duals };
  if (!make_planes (&lines, work, error))
    return FALSE;
  run_rows (&job, begin_row);
  for (int round = 0; round < FS_DUAL_START_ROUNDS; round++) {
    sweep (&job, round, FS_DIRECTION_E);
    sweep (&job, round, FS_DIRECTION_S);
  }
  *bound = bound_of (&job);
  for (int i = 0; i < FS_DUAL_START_MENDS; i++)
    mend (&job, i % 2 ? FS_DIRECTION_S : FS_DIRECTION_E);
  return duals == NULL || hand_over (&job, error);
}

gboolean
fs_dual_start (const FsLabelProblem *problem, uint8_t *labels, FsDuals *duals, int64_t *bound,
               GError **error)
{
  return fs_dual_start_with (fs_dual_start_pick_work (problem), problem, labels, duals, bound,
                             error);
}
