/* SPDX-License-Identifier: MIT */
#include "solver/multilevel/band_components.h"

#include "solver/system/checked_memory.h"

void
fs_band_subproblems_init (FsBandSubproblems *subproblems)
{
  *subproblems = (FsBandSubproblems){ 0 };
}

void
fs_band_subproblems_clear (FsBandSubproblems *subproblems)
{
  fs_memory_free (subproblems->start);
  fs_memory_free (subproblems->order);
  fs_memory_free (subproblems->subproblem);
  fs_band_subproblems_init (subproblems);
}

size_t
fs_band_subproblems_size_bytes (const FsBandSubproblems *subproblems)
{
  return subproblems->runs_capacity * (sizeof *subproblems->order + sizeof *subproblems->subproblem)
         + subproblems->capacity * sizeof *subproblems->start;
}

static gboolean
reserve_components (FsBandSubproblems *subproblems, size_t n_runs, size_t n_subproblems)
{
  if (n_runs > subproblems->runs_capacity) {
    size_t capacity = n_runs + n_runs / 8;
    fs_memory_free (subproblems->order);
    fs_memory_free (subproblems->subproblem);
    subproblems->order = fs_memory_new (capacity, sizeof *subproblems->order);
    subproblems->subproblem = fs_memory_new (capacity, sizeof *subproblems->subproblem);
    subproblems->runs_capacity =
        subproblems->order != NULL && subproblems->subproblem != NULL ? capacity : 0;
  }
  if (n_subproblems + 1 > subproblems->capacity) {
    fs_memory_free (subproblems->start);
    subproblems->start = fs_memory_new (n_subproblems + 1, sizeof *subproblems->start);
    subproblems->capacity = subproblems->start != NULL ? n_subproblems + 1 : 0;
  }
  return subproblems->runs_capacity >= n_runs && subproblems->start != NULL;
}

/* --- components: a forest of runs, whose roots are their trees' first runs --- */

static uint32_t
root_of (uint32_t *parent, uint32_t run)
{
  while (parent[run] != run) {
    parent[run] = parent[parent[run]];
    run = parent[run];
  }
  return run;
}

static void
unite (uint32_t *parent, uint32_t a, uint32_t b)
{
  a = root_of (parent, a);
  b = root_of (parent, b);
  parent[MAX (a, b)] = MIN (a, b);
}

/* Unites the runs of row y with those above that they touch. */
static void
join_rows (const FsBand *band, uint32_t *parent, int y)
{
  uint32_t above = band->row_start[y - 1];
  uint32_t here = band->row_start[y];
  uint32_t end_above = here;
  uint32_t end_here = band->row_start[y + 1];
  while (above < end_above && here < end_here) {
    const FsBandRun *a = &band->runs[above];
    const FsBandRun *b = &band->runs[here];
    if (a->x0 <= b->x1 && b->x0 <= a->x1)
      unite (parent, above, here);
    if (a->x1 < b->x1)
      above++;
    else
      here++;
  }
}

/* --- Subproblems --- */

/* Sums the pixels of components at their roots. */
static void
sum_components (const FsBand *band, uint32_t *parent, uint32_t *size)
{
  for (uint32_t run = 0; run < band->n_runs; run++) {
    uint32_t root = root_of (parent, run);
    uint32_t length = (uint32_t)(band->runs[run].x1 - band->runs[run].x0);
    size[run] = 0;
    size[root] += length;
  }
}

/* Groups components into subproblems, by their sizes. */
static void
assign (FsBandSubproblems *subproblems, const FsBand *band, size_t max)
{
  uint32_t *subproblem = subproblems->subproblem;
  uint64_t n_pixels = 0;
  subproblems->n_subproblems = band->n_runs > 0;
  for (uint32_t run = 0; run < band->n_runs; run++) {
    uint32_t root = root_of (subproblems->order, run);
    if (root != run) {
      subproblem[run] = subproblem[root];
      continue;
    }
    uint32_t size = subproblem[run];
    if (n_pixels > 0 && n_pixels + size > max) {
      subproblems->n_subproblems++;
      n_pixels = 0;
    }
    n_pixels += size;
    subproblem[run] = subproblems->n_subproblems - 1;
  }
}

/* Sorts the runs by subproblem. */
static void
sort (FsBandSubproblems *subproblems, uint32_t n_runs)
{
  uint32_t *start = subproblems->start;
  for (uint32_t k = 0; k <= subproblems->n_subproblems; k++)
    start[k] = 0;
  for (uint32_t run = 0; run < n_runs; run++)
    start[subproblems->subproblem[run] + 1]++;
  for (uint32_t k = 1; k <= subproblems->n_subproblems; k++)
    start[k] += start[k - 1];
  for (uint32_t run = 0; run < n_runs; run++)
    subproblems->order[start[subproblems->subproblem[run]]++] = run;
  /* Each is now where the next one began. */
  for (uint32_t k = subproblems->n_subproblems; k > 0; k--)
    start[k] = start[k - 1];
  start[0] = 0;
}

gboolean
fs_band_subproblems_find (FsBandSubproblems *subproblems, const FsBand *band, size_t max)
{
  g_return_val_if_fail (subproblems != NULL && band != NULL && max > 0, FALSE);
  /* Two successive subproblems have more than `max` pixels. */
  size_t n_subproblems = 2 * (band->n_pixels / max) + 2;
  if (band->n_pixels > INT32_MAX || !reserve_components (subproblems, band->n_runs, n_subproblems))
    return FALSE;
  for (uint32_t run = 0; run < band->n_runs; run++)
    subproblems->order[run] = run;
  for (int y = 1; y < band->height; y++)
    join_rows (band, subproblems->order, y);
  sum_components (band, subproblems->order, subproblems->subproblem);
  assign (subproblems, band, max);
  sort (subproblems, (uint32_t)band->n_runs);
  return TRUE;
}
