/* SPDX-License-Identifier: MIT */
#include "solver/multilevel/band_solve.h"

#include "solver/multilevel/band_cut.h"
#include "solver/range_checks.h"
#include "solver/system/checked_memory.h"
#include "solver/system/threads.h"

/* --- the energy --- */

static gboolean
is_free (const FsBandProblem *problem, int x, int y)
{
  uint32_t low = problem->row_start[y], high = problem->row_start[y + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (problem->runs[middle].x1 <= x)
      low = middle + 1;
    else
      high = middle;
  }
  return low < problem->row_start[y + 1] && problem->runs[low].x0 <= x;
}

/* The links from a free pixel: those to free pixels count where they lead forward. */
static int64_t
links_cost (const FsBandProblem *problem, const uint8_t *mask, int x, int y)
{
  int64_t cost = 0;
  ptrdiff_t width = problem->width, p = y * width + x;
  int n = problem->neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
  for (int i = 0; i < 2 * n; i++) {
    int d = i % n, sign = i < n ? 1 : -1;
    int dx = sign * fs_direction_dx ((FsDirection)d), dy = sign * fs_direction_dy ((FsDirection)d);
    if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= problem->height)
      continue;
    ptrdiff_t q = p + dy * width + dx;
    if (mask[p] == mask[q] || (sign < 0 && is_free (problem, x + dx, y + dy)))
      continue;
    const uint16_t *counts = d >= FS_DIRECTION_SE ? problem->diagonal : problem->straight;
    size_t link = fs_band_spans_find (problem->spans, problem->width, sign > 0 ? x : x + dx,
                                      sign > 0 ? y : y + dy);
    cost += counts[problem->nlink[d][link]];
  }
  return cost;
}

/* Most pixels lie where no link is cut. */
static gboolean
is_uniform (const FsBandProblem *problem, const uint8_t *mask, int x, int y)
{
  if (x == 0 || y == 0 || x + 1 == problem->width || y + 1 == problem->height)
    return FALSE;
  size_t width = (size_t)problem->width;
  const uint8_t *here = mask + (size_t)y * width + (size_t)x, *above = here - width,
                *below = here + width;
  int any = above[-1] | above[0] | above[1] | here[-1] | here[0] | here[1] | below[-1] | below[0]
            | below[1];
  int all = above[-1] & above[0] & above[1] & here[-1] & here[0] & here[1] & below[-1] & below[0]
            & below[1];
  return any == all;
}

static int64_t
energy_of_run (const FsBandProblem *problem, const uint8_t *mask, int y, uint32_t run,
               const int32_t *tlinks)
{
  int64_t sum = 0;
  for (int x = problem->runs[run].x0; x < problem->runs[run].x1; x++, tlinks++) {
    gboolean is_object = mask[(size_t)y * (size_t)problem->width + (size_t)x];
    sum += MAX (is_object ? -*tlinks : *tlinks, 0);
    if (!is_uniform (problem, mask, x, y))
      sum += links_cost (problem, mask, x, y);
  }
  return sum;
}

enum { ROWS_AN_ITEM = 32, PIXELS_FOR_THREADS = 10000 };

typedef struct {
  const FsBandProblem *problem;
  const uint32_t *first; /* of each run: the number of its first pixel */
  const uint8_t *mask;
  int64_t sum[FS_THREADS_MAX]; /* per worker */
} Energy;

static void
sum_band_rows (int item, int worker, gpointer data)
{
  Energy *energy = data;
  const FsBandProblem *problem = energy->problem;
  int end = MIN ((item + 1) * ROWS_AN_ITEM, problem->height);
  for (int y = item * ROWS_AN_ITEM; y < end; y++)
    for (uint32_t i = problem->row_start[y]; i < problem->row_start[y + 1]; i++)
      energy->sum[worker] +=
          energy_of_run (problem, energy->mask, y, i, problem->tlinks + energy->first[i]);
}

static int64_t
energy_of (const FsBandProblem *problem, const uint32_t *first, const uint8_t *mask)
{
  Energy energy = { .problem = problem, .first = first, .mask = mask };
  int n_threads = problem->n_pixels < PIXELS_FOR_THREADS ? 1 : fs_solver_get_threads ();
  fs_threads_run (n_threads, (problem->height - 1) / ROWS_AN_ITEM + 1, sum_band_rows, &energy);
  int64_t sum = 0;
  for (int i = 0; i < FS_THREADS_MAX; i++)
    sum += energy.sum[i];
  return sum;
}

/* --- the cut --- */

static uint32_t *
number_runs (const FsBandProblem *problem)
{
  uint32_t *first = fs_memory_new (MAX (1, problem->n_runs), sizeof *first);
  uint32_t n = 0;
  for (size_t i = 0; first != NULL && i < problem->n_runs; i++) {
    first[i] = n;
    n += (uint32_t)(problem->runs[i].x1 - problem->runs[i].x0);
  }
  return first;
}

static FsSearchOutcome
run_band (const FsBandProblem *problem, const FsBandTerms *terms, uint8_t *mask,
          const FsProgress *progress, FsSolution *solution)
{
  FsGrid grid = { .width = problem->width,
                  .height = problem->height,
                  .neighbours = problem->neighbours };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    grid.nlink[d] = problem->nlink[d];
  FsBand band = { .width = problem->width,
                  .height = problem->height,
                  .n_pixels = problem->n_pixels,
                  .n_runs = problem->n_runs,
                  .runs = (FsBandRun *)problem->runs,
                  .row_start = (uint32_t *)problem->row_start };
  FsBandCut cut;
  fs_band_cut_init (&cut);
  cut.terms = terms;
  FsSearchOutcome outcome = fs_band_cut_run (&cut, &grid, &band, mask, progress);
  solution->bound = cut.bound;
  fs_band_cut_clear (&cut);
  return outcome;
}

gboolean
fs_band_solve (const FsBandProblem *problem, uint8_t *mask, const FsProgress *progress,
               FsSolution *solution, GError **error)
{
  g_return_val_if_fail (problem != NULL && mask != NULL && solution != NULL, FALSE);
  g_return_val_if_fail (fs_tlinks_are_in_range (problem->tlinks, problem->n_pixels)
                            && fs_counts_are_in_range (problem->straight)
                            && fs_counts_are_in_range (problem->diagonal),
                        FALSE);
  uint32_t *first = number_runs (problem);
  FsBandTerms terms = { problem->tlinks, first, problem->spans, problem->straight,
                        problem->diagonal };
  *solution = (FsSolution){ 0 };
  FsSearchOutcome outcome =
      first != NULL ? run_band (problem, &terms, mask, progress, solution) : FS_SEARCH_NO_MEMORY;
  if (outcome == FS_SEARCH_DONE)
    solution->energy = energy_of (problem, first, mask);
  fs_memory_free (first);
  if (outcome != FS_SEARCH_DONE)
    return fs_search_outcome_fail (outcome, error);
  solution->exact = solution->energy == solution->bound;
  return TRUE;
}
