/* SPDX-License-Identifier: MIT */
/* The CPU backend beside Boykov & Kolmogorov's code, on the same problems in the same process:
 *
 *   bench_solver [--neighbours 4|8] [--megapixels X] [--runs N] [--strokes N] PHOTO SEEDS …
 *
 * Prints milliseconds of processor time (the best of N runs; strokes: median and worst) and ratios,
 * and ends with the geometric means. Stops with an error where the two masks differ. */
#include "solver/solver.h"
#include "tests/bench/bench_instance.h"
#include "tests/solver/bk.h"

#include <math.h>
#include <stdlib.h>

static int neighbours = 8;
static double megapixels;
static int runs = 3;
static int n_strokes = 20;
static gboolean without_bk;
static int threads = 1;
static char **files;

static const GOptionEntry options[] = {
  { "neighbours", 'n', 0, G_OPTION_ARG_INT, &neighbours, "4 or 8", "N" },
  { "megapixels", 'm', 0, G_OPTION_ARG_DOUBLE, &megapixels, "Resize the photos", "X" },
  { "runs", 'r', 0, G_OPTION_ARG_INT, &runs, "Take the best of N", "N" },
  { "strokes", 's', 0, G_OPTION_ARG_INT, &n_strokes, "Strokes after the first cut", "N" },
  { "threads", 't', 0, G_OPTION_ARG_INT, &threads, "Threads of ours; times are of the wall", "N" },
  { "without-bk", 'w', 0, G_OPTION_ARG_NONE, &without_bk, "Ours alone", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "PHOTO SEEDS …" },
  { NULL },
};

typedef struct {
  double build_ms, solve_ms;
  double stroke_ms, worst_stroke_ms;
  double refit_ms;
} Times;

typedef struct {
  double log_sum;
  int n;
} Mean;

static void
mean_add (Mean *mean, double ratio)
{
  mean->log_sum += log (ratio);
  mean->n++;
}

static double
mean_value (const Mean *mean)
{
  return mean->n > 0 ? exp (mean->log_sum / mean->n) : NAN;
}

static FsSolver *
time_cold (FsGrid *grid, Times *times)
{
  FsSolver *solver = NULL;
  FsSolution solution;
  times->build_ms = times->solve_ms = INFINITY;
  for (int i = 0; i < runs; i++) {
    fs_solver_free (solver);
    double start = bench_now_ms ();
    solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
    double built = bench_now_ms ();
    fs_solver_solve (solver, NULL, &solution, NULL);
    double solved = bench_now_ms ();
    times->build_ms = MIN (times->build_ms, built - start);
    times->solve_ms = MIN (times->solve_ms, solved - built);
  }
  return solver;
}

static Bk *
time_cold_bk (FsGrid *grid, Times *times)
{
  Bk *bk = NULL;
  times->build_ms = times->solve_ms = INFINITY;
  for (int i = 0; i < MAX (1, runs / 2); i++) {
    g_clear_pointer (&bk, bk_free);
    double start = bench_now_ms ();
    bk = bk_new (grid);
    double built = bench_now_ms ();
    bk_solve (bk, FALSE);
    double solved = bench_now_ms ();
    times->build_ms = MIN (times->build_ms, built - start);
    times->solve_ms = MIN (times->solve_ms, solved - built);
  }
  return bk;
}

static void
compare_masks (FsSolver *solver, const Bk *bk, uint8_t *mask)
{
  const FsGrid *grid = solver->grid;
  size_t n = fs_grid_n_pixels (grid);
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, grid->width);
  if (bk == NULL)
    return;
  g_autofree uint8_t *other = g_malloc (n);
  bk_read_mask (bk, other);
  for (size_t p = 0; p < n; p++)
    if (mask[p] != other[p])
      g_error ("the masks differ at pixel %zu", p);
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *)a;
  double y = *(const double *)b;
  return (x > y) - (x < y);
}

static void
summarise (double *ms, int n, Times *times)
{
  qsort (ms, n, sizeof *ms, compare_doubles);
  times->stroke_ms = n > 0 ? ms[n / 2] : 0;
  times->worst_stroke_ms = n > 0 ? ms[n - 1] : 0;
}

static void
time_strokes (BenchInstance *instance, FsSolver *solver, Bk *bk, Times *ours, Times *theirs)
{
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autofree uint8_t *mask = g_malloc (n);
  g_autofree double *our_ms = g_new0 (double, n_strokes);
  g_autofree double *their_ms = g_new0 (double, n_strokes);
  compare_masks (solver, bk, mask);
  for (int i = 0; i < n_strokes; i++) {
    g_autoptr (GArray) stroke = bench_instance_stroke (instance, i, mask);
    const FsTlinkChange *changes = (const void *)stroke->data;
    double start = bench_now_ms ();
    for (guint j = 0; bk != NULL && j < stroke->len; j++)
      bk_change_tlink (bk, changes[j].pixel, solver->grid->tlink[changes[j].pixel],
                       changes[j].tlink);
    if (bk != NULL)
      bk_solve (bk, TRUE);
    their_ms[i] = bench_now_ms () - start;
    FsSolution solution;
    start = bench_now_ms ();
    fs_solver_change_tlinks (solver, changes, stroke->len, NULL);
    fs_solver_solve (solver, NULL, &solution, NULL);
    our_ms[i] = bench_now_ms () - start;
    compare_masks (solver, bk, mask);
  }
  summarise (our_ms, n_strokes, ours);
  summarise (their_ms, n_strokes, theirs);
}

/* A refit of the colours to all strokes, and the same problem solved cold. */
static double
time_refit (BenchInstance *instance, FsSolver *solver, Times *ours)
{
  g_autofree int32_t *tlinks = bench_instance_refit (instance);
  FsSolution solution;
  double start = bench_now_ms ();
  fs_solver_replace_tlinks (solver, tlinks, NULL);
  fs_solver_solve (solver, NULL, &solution, NULL);
  ours->refit_ms = bench_now_ms () - start;
  start = bench_now_ms ();
  g_autoptr (FsSolver) cold = fs_solver_new (&fs_backend_cpu, solver->grid, NULL);
  fs_solver_solve (cold, NULL, &solution, NULL);
  return (bench_now_ms () - start) / ours->refit_ms;
}

typedef struct {
  Mean cold, stroke, refit;
} Means;

static void
bench_one (const char *photo, const char *seeds, Means *means)
{
  g_autoptr (BenchInstance) instance = bench_instance_new (photo, seeds, megapixels, neighbours);
  FsGrid *grid = fs_energy_get_grid (instance->energy);
  Times ours = { 0 };
  Times theirs = { 0 };
  g_autoptr (FsSolver) solver = time_cold (grid, &ours);
  g_autoptr (Bk) bk = without_bk ? NULL : time_cold_bk (grid, &theirs);
  time_strokes (instance, solver, bk, &ours, &theirs);
  double refit_ratio = time_refit (instance, solver, &ours);
  double cold_ratio = (theirs.build_ms + theirs.solve_ms) / (ours.build_ms + ours.solve_ms);
  double size = (double)fs_solver_size_bytes (solver) / (double)fs_grid_n_pixels (grid);
  g_print (
      "%-18s %5.2f MP | ours %7.1f + %8.1f | bk %7.1f + %8.1f | ×%5.2f | stroke %6.2f / %6.2f, "
      "bk %6.2f / %6.2f | refit %8.1f ×%5.2f | %4.1f B/px\n",
      instance->name, (double)fs_grid_n_pixels (grid) * 1e-6, ours.build_ms, ours.solve_ms,
      theirs.build_ms, theirs.solve_ms, cold_ratio, ours.stroke_ms, ours.worst_stroke_ms,
      theirs.stroke_ms, theirs.worst_stroke_ms, ours.refit_ms, refit_ratio, size);
  mean_add (&means->cold, cold_ratio);
  mean_add (&means->stroke, theirs.stroke_ms / ours.stroke_ms);
  mean_add (&means->refit, refit_ratio);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, options, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("bench_solver: %s\n", error->message);
    return 2;
  }
  Means means = { 0 };
  fs_solver_set_threads (threads);
  bench_set_wall_clock (threads > 1);
  g_print ("%d neighbours, ms of processor time: build + solve\n", neighbours);
  for (char **f = files; f != NULL && f[0] != NULL && f[1] != NULL; f += 2)
    bench_one (f[0], f[1], &means);
  g_print ("geometric means: cold ×%.2f, stroke ×%.2f, refit over cold ×%.2f\n",
           mean_value (&means.cold), mean_value (&means.stroke), mean_value (&means.refit));
  g_strfreev (files);
  return 0;
}
