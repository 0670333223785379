/* SPDX-License-Identifier: MIT */
/* The CPU backend beside Boykov & Kolmogorov's code, on the same problems in the same process:
 *
 *   bench_solver [OPTIONS] PHOTO SEEDS [PHOTO SEEDS …]
 *
 * Cold solves; with --strokes, a second person's strokes painted on the first one's (and undone
 * again), and a refit of the colours to both; artificial strokes that turn regions over. Times are
 * milliseconds of processor time, of cold solves also of the wall (with --threads only of the
 * wall): the best of the rounds. One JSON object a photo on standard output, a few words on
 * standard error. Fails where two masks differ. */
#include "solver/backend.h"
#include "tests/bench/bench_match.h"
#include "tests/bench/bench_strokes.h"

#include <math.h>
#include <stdlib.h>

enum { N_STROKES = 20, ENOUGH_MS = 2000 };

static int neighbours = 8;
static double megapixels;
static int rounds = 3;
static int threads = 1;
static char *strokes_path;
static int n_flips = 10;
static gboolean without_bk;
static char **files;

static const GOptionEntry options[] = {
  { "neighbours", 'n', 0, G_OPTION_ARG_INT, &neighbours, "4 or 8", "N" },
  { "megapixels", 'm', 0, G_OPTION_ARG_DOUBLE, &megapixels, "Resize the photos", "X" },
  { "rounds", 'r', 0, G_OPTION_ARG_INT, &rounds,
    "Cold solves: the best of N, fewer where they take seconds", "N" },
  { "threads", 't', 0, G_OPTION_ARG_INT, &threads, "Also solve cold with N threads", "N" },
  { "strokes", 's', 0, G_OPTION_ARG_FILENAME, &strokes_path, "Paint these strokes too", "SEEDS" },
  { "flips", 'f', 0, G_OPTION_ARG_INT, &n_flips, "Artificial strokes", "N" },
  { "without-bk", 'w', 0, G_OPTION_ARG_NONE, &without_bk, "Ours alone", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "PHOTO SEEDS …" },
  { NULL },
};

/* Best of the rounds. */
typedef struct {
  double build_ms, solve_ms, wall_ms;
  double all_ms; /* processor time of all threads */
} Cold;

#define COLD_INIT ((Cold){ INFINITY, INFINITY, INFINITY, INFINITY })

typedef struct {
  Cold ours, threaded, bk;
  guint n_painted; /* pixels of all strokes */
  BenchTimes stroke, undo, flip;
  double refit_ms, refit_cold_ms, refit_share; /* share of the t-links that changed */
} Row;

static void
cold_add (Cold *cold, const double cpu[3], double wall)
{
  cold->build_ms = MIN (cold->build_ms, cpu[1] - cpu[0]);
  cold->solve_ms = MIN (cold->solve_ms, cpu[2] - cpu[1]);
  cold->wall_ms = MIN (cold->wall_ms, wall);
}

static FsSolver *
solve_cold (FsGrid *grid, int n_threads, Cold *cold)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  double cpu[3], wall = bench_wall_ms (), all = bench_process_ms ();
  fs_solver_set_threads (n_threads);
  cpu[0] = bench_cpu_ms ();
  FsSolver *solver = fs_solver_new (&fs_backend_cpu, grid, &error);
  cpu[1] = bench_cpu_ms ();
  if (solver == NULL || !fs_solver_solve (solver, NULL, &solution, &error))
    bench_fail (error->message);
  cpu[2] = bench_cpu_ms ();
  cold_add (cold, cpu, bench_wall_ms () - wall);
  cold->all_ms = MIN (cold->all_ms, bench_process_ms () - all);
  return solver;
}

static Bk *
solve_cold_bk (const FsGrid *grid, Cold *cold)
{
  double cpu[3], wall = bench_wall_ms ();
  cpu[0] = bench_cpu_ms ();
  Bk *bk = bk_new (grid);
  cpu[1] = bench_cpu_ms ();
  bk_solve (bk, FALSE);
  cpu[2] = bench_cpu_ms ();
  cold_add (cold, cpu, bench_wall_ms () - wall);
  return bk;
}

/* All in turn, so that what else happens on the machine meets all of them. */
static BenchMatch *
time_cold (FsGrid *grid, Row *row)
{
  g_autoptr (FsSolver) solver = NULL;
  g_autoptr (Bk) bk = NULL;
  row->ours = row->threaded = row->bk = COLD_INIT;
  double start = bench_cpu_ms ();
  for (int i = 0; i < rounds && bench_cpu_ms () - start < ENOUGH_MS; i++) {
    g_clear_pointer (&solver, fs_solver_free);
    g_clear_pointer (&bk, bk_free);
    if (threads > 1)
      fs_solver_free (solve_cold (grid, threads, &row->threaded));
    solver = solve_cold (grid, 1, &row->ours);
    if (!without_bk)
      bk = solve_cold_bk (grid, &row->bk);
  }
  return bench_match_new (g_steal_pointer (&solver), g_steal_pointer (&bk));
}

static void
time_strokes (BenchInstance *instance, BenchMatch *match, Row *row)
{
  g_autoptr (GPtrArray) strokes = bench_strokes_read (strokes_path, instance, N_STROKES);
  for (guint i = 0; i < strokes->len; i++) {
    const BenchStroke *stroke = g_ptr_array_index (strokes, i);
    g_autoptr (GArray) changes = bench_stroke_paint (stroke, instance);
    row->n_painted += changes->len;
    bench_match_edit (match, changes, &row->stroke);
  }
  for (guint i = strokes->len; i-- > 0;) {
    g_autoptr (GArray) changes = bench_stroke_undo (g_ptr_array_index (strokes, i), instance);
    bench_match_edit (match, changes, &row->undo);
  }
  for (guint i = 0; i < strokes->len; i++) {
    g_autoptr (GArray) changes = bench_stroke_paint (g_ptr_array_index (strokes, i), instance);
    bench_match_edit (match, changes, NULL);
  }
}

/* Each is taken back before the next. */
static void
time_flips (BenchInstance *instance, BenchMatch *match, Row *row)
{
  size_t n = fs_grid_n_pixels (match->solver->grid);
  g_autofree uint8_t *before = g_memdup2 (instance->seeds->label, n);
  for (int i = 0; i < n_flips; i++) {
    g_autoptr (GArray) changes = bench_flip_paint (i, instance, match->mask);
    bench_match_edit (match, changes, &row->flip);
    g_autoptr (GArray) back = bench_flip_undo (changes, instance, before);
    bench_match_edit (match, back, NULL);
  }
}

static double
share_changed (const FsGrid *grid, const int32_t *tlinks)
{
  size_t n = fs_grid_n_pixels (grid), changed = 0;
  for (size_t p = 0; p < n; p++)
    changed += grid->tlink[p] != tlinks[p];
  return (double)changed / (double)n;
}

/* A refit of the colours to all strokes, and the same problem solved cold. */
static void
time_refit (BenchInstance *instance, BenchMatch *match, Row *row)
{
  FsGrid *grid = match->solver->grid;
  g_autofree int32_t *tlinks = g_new (int32_t, fs_grid_n_pixels (grid));
  fs_energy_fit (instance->energy, instance->seeds);
  fs_energy_fill_tlinks (instance->energy, instance->seeds, tlinks);
  row->refit_share = share_changed (grid, tlinks);
  FsSolution solution;
  double start = bench_cpu_ms ();
  fs_solver_replace_tlinks (match->solver, tlinks, NULL);
  fs_solver_solve (match->solver, NULL, &solution, NULL);
  row->refit_ms = bench_cpu_ms () - start;
  Cold cold = COLD_INIT;
  fs_solver_free (solve_cold (grid, 1, &cold));
  row->refit_cold_ms = cold.build_ms + cold.solve_ms;
}

static void
print_cold (const char *name, const Cold *cold)
{
  g_print ("\"%s\": {\"build\": %.3f, \"solve\": %.3f, \"wall\": %.3f}, ", name, cold->build_ms,
           cold->solve_ms, cold->wall_ms);
}

static void
print_list (const char *name, const GArray *times_ms)
{
  g_print ("\"%s\": [", name);
  for (guint i = 0; i < times_ms->len; i++)
    g_print ("%s%.4f", i > 0 ? ", " : "", g_array_index (times_ms, double, i));
  g_print ("], ");
}

static void
print_times (const char *name, const BenchTimes *times)
{
  g_print ("\"%s\": {", name);
  print_list ("ours", times->ours);
  if (!without_bk)
    print_list ("bk", times->theirs);
  g_print ("\"turned\": [");
  for (guint i = 0; i < times->turned->len; i++)
    g_print ("%s%u", i > 0 ? ", " : "", g_array_index (times->turned, guint, i));
  g_print ("]}, ");
}

static void
print_row (const BenchInstance *instance, const BenchMatch *match, const Row *row)
{
  double n = bench_instance_megapixels (instance) * 1e6;
  g_print ("{\"photo\": \"%s\", \"megapixels\": %.4f, \"scale\": %.3f, \"neighbours\": %d, ",
           instance->name, n * 1e-6, instance->scale, neighbours);
  print_cold ("ours", &row->ours);
  if (threads > 1)
    g_print ("\"threads\": %d, \"threads_wall\": %.3f, \"threads_cpu\": %.3f, ", threads,
             row->threaded.wall_ms, row->threaded.all_ms);
  if (!without_bk)
    print_cold ("bk", &row->bk);
  if (strokes_path != NULL) {
    g_print ("\"stroke_pixels\": %u, ", row->n_painted);
    print_times ("stroke", &row->stroke);
    print_times ("undo", &row->undo);
    g_print ("\"refit\": %.3f, \"refit_cold\": %.3f, \"refit_share\": %.3f, ", row->refit_ms,
             row->refit_cold_ms, row->refit_share);
  }
  if (n_flips > 0)
    print_times ("flip", &row->flip);
  g_print ("\"bytes_per_pixel\": %.2f}\n", (double)fs_solver_size_bytes (match->solver) / n);
}

static double
worst (const GArray *times_ms)
{
  double max = 0;
  for (guint i = 0; i < times_ms->len; i++)
    max = MAX (max, g_array_index (times_ms, double, i));
  return max;
}

static void
report_row (const BenchInstance *instance, const Row *row)
{
  double ours = row->ours.build_ms + row->ours.solve_ms;
  g_printerr ("%-24s %5.2f MP, %d neighbours: cold %.1f ms", instance->name,
              bench_instance_megapixels (instance), neighbours, ours);
  if (!without_bk)
    g_printerr (", BK x %.2f", (row->bk.build_ms + row->bk.solve_ms) / ours);
  if (strokes_path != NULL)
    g_printerr (", worst stroke %.1f ms, refit %.1f ms", worst (row->stroke.ours), row->refit_ms);
  g_printerr ("\n");
}

static void
bench_one (const char *photo, const char *seeds)
{
  g_autoptr (BenchInstance) instance = bench_instance_new (photo, seeds, megapixels);
  FsGrid *grid = bench_instance_fit (instance, (FsNeighbours)neighbours);
  Row row = { 0 };
  bench_times_init (&row.stroke);
  bench_times_init (&row.undo);
  bench_times_init (&row.flip);
  g_autoptr (BenchMatch) match = time_cold (grid, &row);
  if (strokes_path != NULL)
    time_strokes (instance, match, &row);
  time_flips (instance, match, &row);
  if (strokes_path != NULL)
    time_refit (instance, match, &row);
  report_row (instance, &row);
  print_row (instance, match, &row);
  bench_times_clear (&row.stroke);
  bench_times_clear (&row.undo);
  bench_times_clear (&row.flip);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, options, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (files == NULL || g_strv_length (files) % 2 != 0 || rounds < 1)
    bench_fail ("PHOTO SEEDS are needed, and at least one round");
  for (char **f = files; *f != NULL; f += 2)
    bench_one (f[0], f[1]);
  g_strfreev (files);
  g_free (strokes_path);
  return 0;
}
