/* SPDX-License-Identifier: MIT */
#include "solver/expansion/sweep.h"

#include "solver/system/threads.h"

enum { PIXELS_PER_STRIP = 1 << 15, STRIPS_PER_THREAD = 4 };

static gboolean
has_plain_table (const FsMove *move)
{
  return !move->is_wide && move->problem->table != NULL && move->problem->present == NULL;
}

static FsTableMove
table_move (const FsMove *move)
{
  int n = move->problem->n_labels, alpha = move->alpha;
  const int32_t *table = move->problem->table;
  FsTableMove costs = { .n_labels = n, .table = table, .both_take = table[alpha * n + alpha] };
  for (int a = 0; a < n; a++) {
    costs.p_keeps[a] = table[a * n + alpha] - costs.both_take;
    costs.q_keeps[a] = table[alpha * n + a] - costs.both_take;
  }
  return costs;
}

void
fs_sweep_init (FsSweep *sweep, FsMove *move, const uint8_t *labels, const FsDuals *duals)
{
  *sweep = (FsSweep){
    .move = move, .labels = labels, .duals = duals, .is_plain = has_plain_table (move)
  };
  if (sweep->is_plain)
    sweep->costs = table_move (move);
}

static int
first_row (const FsSweep *sweep, int strip)
{
  return (int)((int64_t)sweep->move->grid.height * strip / sweep->n_strips);
}

static void
sweep_strip (int strip, int worker G_GNUC_UNUSED, gpointer data)
{
  FsSweep *sweep = data;
  int first = first_row (sweep, strip), last = first_row (sweep, strip + 1);
  for (int y = first; y < last; y++)
    sweep->row (sweep, y);
  for (int y = first; y < last && sweep->pairs != NULL; y++)
    for (int d = 0; d < fs_grid_n_directions (&sweep->move->grid); d++)
      if (y + fs_direction_dy ((FsDirection)d) < last)
        sweep->pairs (sweep, y, d, &sweep->truncation[strip]);
}

static void
sweep_seam (FsSweep *sweep, int strip)
{
  int y = first_row (sweep, strip + 1) - 1;
  for (int d = FS_DIRECTION_S; d < fs_grid_n_directions (&sweep->move->grid); d++)
    sweep->pairs (sweep, y, d, &sweep->truncation[strip]);
}

void
fs_sweep_all (FsSweep *sweep, FsTruncation *truncation)
{
  const FsGrid *grid = &sweep->move->grid;
  int n_threads = MIN (fs_solver_get_threads (), FS_THREADS_MAX);
  size_t max = MIN (fs_grid_n_pixels (grid) / PIXELS_PER_STRIP, (size_t)grid->height);
  int n_wanted = n_threads == 1 ? 1 : MIN (STRIPS_PER_THREAD * n_threads, FS_SWEEP_STRIPS);
  sweep->n_strips = (int)CLAMP (max, 1, (size_t)n_wanted);
  fs_threads_run (n_threads, sweep->n_strips, sweep_strip, sweep);
  for (int strip = 0; strip < sweep->n_strips && sweep->pairs != NULL; strip++) {
    if (strip + 1 < sweep->n_strips)
      sweep_seam (sweep, strip);
    FsTruncation *found = &sweep->truncation[strip];
    if (found->n > 0 && truncation->n == 0)
      *truncation = *found;
    else
      truncation->n += found->n;
  }
}
