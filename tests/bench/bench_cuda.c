/* SPDX-License-Identifier: MIT */
/* The CUDA backend beside the CPU backend, on the same problems in the same process:
 *
 *   bench_cuda [OPTIONS] PHOTO SEEDS [PHOTO SEEDS …]
 *
 * Cold solves, artificial strokes and their undoing. Times are milliseconds: of the wall from the
 * call to the mask on the host, and of the device's own clock. One JSON object a photo on standard
 * output. Fails where two masks differ. */
#include "tests/bench/bench_instance.h"
#include "tests/bench/bench_strokes.h"

#include "solver/certificate.h"
#include "solver/cuda.h"

#include <math.h>
#include <string.h>

static int neighbours = 8;
static double megapixels;
static int rounds = 5;
static int n_flips = 10;
static int threads = 1;
static gboolean certify;
static char **files;

static const GOptionEntry options[] = {
  { "neighbours", 'n', 0, G_OPTION_ARG_INT, &neighbours, "4 or 8", "N" },
  { "megapixels", 'm', 0, G_OPTION_ARG_DOUBLE, &megapixels, "Resize the photos", "X" },
  { "rounds", 'r', 0, G_OPTION_ARG_INT, &rounds, "Cold solves", "N" },
  { "flips", 'f', 0, G_OPTION_ARG_INT, &n_flips, "Artificial strokes", "N" },
  { "threads", 't', 0, G_OPTION_ARG_INT, &threads, "Threads of the CPU backend", "N" },
  { "certify", 'c', 0, G_OPTION_ARG_NONE, &certify, "Prove every mask on the host", NULL },
  { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY, &files, NULL, "PHOTO SEEDS …" },
  { NULL },
};

/* The same problem in both backends; each has t-links of its own, for each writes them. */
typedef struct {
  FsGrid *grid, copy;
  FsSolver *cpu, *cuda;
  uint8_t *mask, *other;
} Match;

typedef struct {
  GArray *cpu, *wall, *device; /* of double */
} Times;

static void
times_init (Times *times)
{
  times->cpu = g_array_new (FALSE, FALSE, sizeof (double));
  times->wall = g_array_new (FALSE, FALSE, sizeof (double));
  times->device = g_array_new (FALSE, FALSE, sizeof (double));
}

static void
times_clear (Times *times)
{
  g_array_unref (times->cpu);
  g_array_unref (times->wall);
  g_array_unref (times->device);
}

static int
compare_doubles (gconstpointer left, gconstpointer right)
{
  double a = *(const double *)left, b = *(const double *)right;
  return a < b ? -1 : a > b;
}

static void
print_times (const char *name, const Times *times)
{
  const GArray *all[] = { times->cpu, times->wall, times->device };
  const char *clock[] = { "cpu", "wall", "device" };
  for (int i = 0; i < 3; i++) {
    g_autoptr (GArray) sorted = g_array_copy ((GArray *)all[i]);
    if (sorted->len == 0)
      continue;
    g_array_sort (sorted, compare_doubles);
    g_print (", \"%s_%s_ms\": {\"median\": %.4f, \"worst\": %.4f}", name, clock[i],
             g_array_index (sorted, double, sorted->len / 2),
             g_array_index (sorted, double, sorted->len - 1));
  }
}

/* Solves and reads the mask; returns milliseconds of the wall. */
static double
solve (FsSolver *solver, uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  double start = bench_wall_ms ();
  if (!fs_solver_solve (solver, NULL, &solution, &error))
    bench_fail (error->message);
  double ms = bench_wall_ms () - start;
  if (!solution.exact)
    bench_fail ("energy and bound differ");
  fs_solver_read_mask (solver, 0, 0, solver->grid->width, solver->grid->height, mask,
                       (size_t)solver->grid->width);
  return ms;
}

static void
prove (FsSolver *solver)
{
  FsCertificate certificate;
  g_autoptr (GError) error = NULL;
  if (!fs_solver_certify (solver, &certificate, &error))
    bench_fail (error->message);
  if (!certificate.holds)
    bench_fail ("a certificate does not hold");
}

static void
solve_both (Match *match, double cpu_start, double cuda_start, Times *times)
{
  FsEngineResult result;
  double cpu_ms = cpu_start + solve (match->cpu, match->mask);
  double wall_ms = cuda_start + solve (match->cuda, match->other);
  fs_cuda_last_result (match->cuda, &result);
  if (memcmp (match->mask, match->other, fs_grid_n_pixels (match->grid)) != 0)
    bench_fail ("the two masks differ");
  if (fs_cuda_notice () != NULL)
    bench_fail (fs_cuda_notice ());
  if (certify)
    prove (match->cuda);
  g_array_append_val (times->cpu, cpu_ms);
  g_array_append_val (times->wall, wall_ms);
  g_array_append_val (times->device, result.device_ms);
}

static void
change_both (Match *match, const GArray *changes, Times *times)
{
  const FsTlinkChange *change = (const FsTlinkChange *)(const void *)changes->data;
  double start = bench_wall_ms ();
  fs_solver_change_tlinks (match->cpu, change, changes->len, NULL);
  double cpu = bench_wall_ms () - start;
  start = bench_wall_ms ();
  fs_solver_change_tlinks (match->cuda, change, changes->len, NULL);
  double cuda = bench_wall_ms () - start;
  solve_both (match, cpu, cuda, times);
}

static void
time_cold (Match *match, Times *times, Times *build, FsEngineResult *result)
{
  g_autoptr (GError) error = NULL;
  for (int i = 0; i < rounds; i++) {
    g_clear_pointer (&match->cpu, fs_solver_free);
    g_clear_pointer (&match->cuda, fs_solver_free);
    double start = bench_wall_ms ();
    match->cpu = fs_solver_new (&fs_backend_cpu, match->grid, &error);
    double cpu = bench_wall_ms () - start;
    start = bench_wall_ms ();
    match->cuda = fs_solver_new (&fs_backend_cuda, &match->copy, &error);
    double cuda = bench_wall_ms () - start;
    if (match->cpu == NULL || match->cuda == NULL)
      bench_fail (error->message);
    g_array_append_val (build->cpu, cpu);
    g_array_append_val (build->wall, cuda);
    solve_both (match, 0, 0, times);
  }
  fs_cuda_last_result (match->cuda, result);
}

static void
time_flips (BenchInstance *instance, Match *match, Times *flips, Times *undos)
{
  size_t n = fs_grid_n_pixels (match->grid);
  for (int i = 0; i < n_flips; i++) {
    g_autofree uint8_t *before = g_memdup2 (instance->seeds->label, n);
    g_autoptr (GArray) changes = bench_flip_paint (i, instance, match->mask);
    change_both (match, changes, flips);
    g_autoptr (GArray) back = bench_flip_undo (changes, instance, before);
    change_both (match, back, undos);
  }
}

static void
measure (const char *photo, const char *seeds)
{
  g_autoptr (BenchInstance) instance = bench_instance_new (photo, seeds, megapixels);
  Match match = { .grid = bench_instance_fit (instance, (FsNeighbours)neighbours) };
  size_t n = fs_grid_n_pixels (match.grid);
  match.copy = *match.grid;
  match.copy.tlink = g_memdup2 (match.grid->tlink, n * sizeof *match.grid->tlink);
  match.mask = g_malloc0 (n);
  match.other = g_malloc0 (n);
  Times cold, build, flip, undo;
  times_init (&cold);
  times_init (&build);
  times_init (&flip);
  times_init (&undo);
  FsEngineResult result;
  time_cold (&match, &cold, &build, &result);
  time_flips (instance, &match, &flip, &undo);
  g_print ("{\"photo\": \"%s\", \"megapixels\": %.2f, \"neighbours\": %d, \"epochs\": %d, "
           "\"discharges\": %d, \"labellings\": %d, \"bytes_per_pixel\": %.1f",
           instance->name, bench_instance_megapixels (instance), neighbours, (int)result.epochs,
           (int)result.discharges, (int)result.labellings,
           (double)fs_solver_size_bytes (match.cuda) / (double)n);
  g_print (", \"phases\": %d, \"pushes\": %d, \"busy\": %.2f", (int)result.phases,
           (int)result.pushes, result.busy);
  g_print (", \"part_ms\": [%.3f, %.3f, %.3f]", result.ms[0], result.ms[1], result.ms[2]);
  print_times ("build", &build);
  print_times ("cold", &cold);
  print_times ("flip", &flip);
  print_times ("undo", &undo);
  g_print ("}\n");
  times_clear (&cold);
  times_clear (&build);
  times_clear (&flip);
  times_clear (&undo);
  fs_solver_free (match.cpu);
  fs_solver_free (match.cuda);
  g_free (match.copy.tlink);
  g_free (match.mask);
  g_free (match.other);
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  g_option_context_add_main_entries (context, options, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (files == NULL || g_strv_length (files) % 2 != 0)
    bench_fail ("give photos and their seeds in pairs");
  if (!fs_cuda_is_available (&error))
    bench_fail (error->message);
  fs_solver_set_threads (threads);
  for (int i = 0; files[i] != NULL; i += 2)
    measure (files[i], files[i + 1]);
  return 0;
}
