/* SPDX-License-Identifier: MIT */
#include "solver/multilevel/band_components.h"

#include "solver/system/checked_memory.h"

void
fs_band_parts_init (FsBandParts *parts)
{
  *parts = (FsBandParts){ 0 };
}

void
fs_band_parts_clear (FsBandParts *parts)
{
  fs_memory_free (parts->start);
  fs_memory_free (parts->order);
  fs_memory_free (parts->part);
  fs_band_parts_init (parts);
}

size_t
fs_band_parts_size_bytes (const FsBandParts *parts)
{
  return parts->runs_capacity * (sizeof *parts->order + sizeof *parts->part)
         + parts->parts_capacity * sizeof *parts->start;
}

static gboolean
reserve_components (FsBandParts *parts, size_t n_runs, size_t n_parts)
{
  if (n_runs > parts->runs_capacity) {
    size_t capacity = n_runs + n_runs / 8;
    fs_memory_free (parts->order);
    fs_memory_free (parts->part);
    parts->order = fs_memory_new (capacity, sizeof *parts->order);
    parts->part = fs_memory_new (capacity, sizeof *parts->part);
    parts->runs_capacity = parts->order != NULL && parts->part != NULL ? capacity : 0;
  }
  if (n_parts + 1 > parts->parts_capacity) {
    fs_memory_free (parts->start);
    parts->start = fs_memory_new (n_parts + 1, sizeof *parts->start);
    parts->parts_capacity = parts->start != NULL ? n_parts + 1 : 0;
  }
  return parts->runs_capacity >= n_runs && parts->start != NULL;
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

/* --- parts --- */

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

/* Turns the sizes of components into the parts of runs. */
static void
assign (FsBandParts *parts, const FsBand *band, size_t max)
{
  uint32_t *part = parts->part;
  uint64_t n_pixels = 0;
  parts->n_parts = band->n_runs > 0;
  for (uint32_t run = 0; run < band->n_runs; run++) {
    uint32_t root = root_of (parts->order, run);
    if (root != run) {
      part[run] = part[root];
      continue;
    }
    uint32_t size = part[run];
    if (n_pixels > 0 && n_pixels + size > max) {
      parts->n_parts++;
      n_pixels = 0;
    }
    n_pixels += size;
    part[run] = parts->n_parts - 1;
  }
}

/* Brings the runs of each part together. */
static void
sort (FsBandParts *parts, uint32_t n_runs)
{
  uint32_t *start = parts->start;
  for (uint32_t k = 0; k <= parts->n_parts; k++)
    start[k] = 0;
  for (uint32_t run = 0; run < n_runs; run++)
    start[parts->part[run] + 1]++;
  for (uint32_t k = 1; k <= parts->n_parts; k++)
    start[k] += start[k - 1];
  for (uint32_t run = 0; run < n_runs; run++)
    parts->order[start[parts->part[run]]++] = run;
  /* Each is now where the next one began. */
  for (uint32_t k = parts->n_parts; k > 0; k--)
    start[k] = start[k - 1];
  start[0] = 0;
}

gboolean
fs_band_parts_find (FsBandParts *parts, const FsBand *band, size_t max)
{
  g_return_val_if_fail (parts != NULL && band != NULL && max > 0, FALSE);
  /* Two parts that follow each other have more than `max` pixels. */
  size_t n_parts = 2 * (band->n_pixels / max) + 2;
  if (band->n_pixels > INT32_MAX || !reserve_components (parts, band->n_runs, n_parts))
    return FALSE;
  for (uint32_t run = 0; run < band->n_runs; run++)
    parts->order[run] = run;
  for (int y = 1; y < band->height; y++)
    join_rows (band, parts->order, y);
  sum_components (band, parts->order, parts->part);
  assign (parts, band, max);
  sort (parts, (uint32_t)band->n_runs);
  return TRUE;
}
