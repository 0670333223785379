/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench_match.h"

#include "solver/backend.h"

#include <string.h>

/* Reads our mask, and BK's to compare it with. Returns how many pixels of ours have changed. */
static guint
read_masks (BenchMatch *match)
{
  const FsGrid *grid = match->solver->grid;
  size_t n = fs_grid_n_pixels (grid);
  guint turned = 0;
  memcpy (match->other, match->mask, n);
  fs_solver_read_mask (match->solver, 0, 0, grid->width, grid->height, match->mask,
                       (size_t)grid->width);
  for (size_t p = 0; p < n; p++)
    turned += match->mask[p] != match->other[p];
  if (match->bk == NULL)
    return turned;
  bk_read_mask (match->bk, match->other);
  if (memcmp (match->mask, match->other, n) != 0)
    bench_fail ("the two masks differ");
  return turned;
}

BenchMatch *
bench_match_new (FsSolver *solver, Bk *bk)
{
  BenchMatch *match = g_new0 (BenchMatch, 1);
  size_t n = fs_grid_n_pixels (solver->grid);
  match->solver = solver;
  match->bk = bk;
  match->mask = g_malloc0 (n);
  match->other = g_malloc (n);
  read_masks (match);
  return match;
}

void
bench_match_free (BenchMatch *match)
{
  fs_solver_free (match->solver);
  g_clear_pointer (&match->bk, bk_free);
  g_free (match->mask);
  g_free (match->other);
  g_free (match);
}

/* Before ours: the grid must still hold the t-links that are changed. */
static double
edit_bk (BenchMatch *match, const FsTlinkChange *changes, guint n)
{
  double start = bench_cpu_ms ();
  for (guint i = 0; i < n; i++)
    bk_change_tlink (match->bk, changes[i].pixel, match->solver->grid->tlink[changes[i].pixel],
                     changes[i].tlink);
  bk_solve (match->bk, TRUE);
  return bench_cpu_ms () - start;
}

void
bench_match_edit (BenchMatch *match, const GArray *edit, BenchTimes *times)
{
  const FsTlinkChange *changes = (const FsTlinkChange *)(const void *)edit->data;
  double theirs = match->bk != NULL ? edit_bk (match, changes, edit->len) : 0;
  FsSolution solution;
  double start = bench_cpu_ms ();
  fs_solver_change_tlinks (match->solver, changes, edit->len, NULL);
  fs_solver_solve (match->solver, NULL, &solution, NULL);
  double ours = bench_cpu_ms () - start;
  guint turned = read_masks (match);
  if (times == NULL)
    return;
  g_array_append_val (times->ours, ours);
  g_array_append_val (times->theirs, theirs);
  g_array_append_val (times->turned, turned);
}

void
bench_times_init (BenchTimes *times)
{
  times->ours = g_array_new (FALSE, FALSE, sizeof (double));
  times->theirs = g_array_new (FALSE, FALSE, sizeof (double));
  times->turned = g_array_new (FALSE, FALSE, sizeof (guint));
}

void
bench_times_clear (BenchTimes *times)
{
  g_array_unref (times->ours);
  g_array_unref (times->theirs);
  g_array_unref (times->turned);
}
