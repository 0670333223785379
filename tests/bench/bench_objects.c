/* SPDX-License-Identifier: MIT */
/* bench_objects [-m MEGAPIXELS] [-t THREADS] [-r ROUNDS] [-v] [-n] PHOTO [SEEDS.png]: several
 * objects, cut apart cold and after further strokes, by the processor and, where there is one, by
 * the GPU.
 *
 * Without SEEDS.png the seeds are strokes of its own on five objects and background ("five" of
 * bench_labels.h), which fit the photo bus-12mp of the data pack. Each further stroke is a capsule
 * of 20 pixels that gives a place, drawn from a fixed sequence, to another object than the one it
 * had; models stand still, as while a brush is down. Of all rounds the one whose time is the median
 * counts.
 *
 * A line a backend: the clock's times of the cold cut and of a stroke (median, most), and the
 * processor's of this thread; with -v a line for each of them. Labels that differ from the
 * processor's after any of them are said so, and the program ends with 1. */
#include "energy/energy.h"
#include "energy/labels/labels_objects.h"
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/expansion/expansion.h"
#include "tests/bench/bench_instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_STROKES = 15, MAX_ROUNDS = 15 };

static double megapixels = 2.5;
static int n_threads, n_rounds = 1;
static gboolean verbose, keeps_no_flow;

static const GOptionEntry OPTIONS[] = {
  { "megapixels", 'm', 0, G_OPTION_ARG_DOUBLE, &megapixels, "of the problem; 0: the photo's", "N" },
  { "threads", 't', 0, G_OPTION_ARG_INT, &n_threads, "of the processor; 0: all", "N" },
  { "rounds", 'r', 0, G_OPTION_ARG_INT, &n_rounds, "each of them from the start", "N" },
  { "verbose", 'v', 0, G_OPTION_ARG_NONE, &verbose, "a line for each stroke", NULL },
  { "no-reuse", 'n', 0, G_OPTION_ARG_NONE, &keeps_no_flow, "use no flow again", NULL },
  G_OPTION_ENTRY_NULL
};

typedef struct {
  double clock, processor; /* ms */
} Times;

/* What one backend did. */
typedef struct {
  const FsBackend *backend;
  Times made, cold[MAX_ROUNDS], stroke[MAX_ROUNDS * N_STROKES];
  int n_cold, n_strokes;
  double megabytes;
  int64_t energy;   /* after the cold cut */
  gboolean is_same; /* as the processor */
} Figures;

/* The labels after the cold cut and each stroke, as the first backend had them. */
typedef struct {
  uint8_t *labels[1 + N_STROKES];
  int at;
} Expected;

typedef struct {
  FsObjects *objects;
  FsSeedMap *seeds;
  FsExpansion *expansion;
  uint8_t *labels;
  GRand *rand;
} Bench;

static Times
now (void)
{
  return (Times){ bench_wall_ms (), bench_cpu_ms () };
}

static Times
since (Times begin)
{
  Times end = now ();
  return (Times){ end.clock - begin.clock, end.processor - begin.processor };
}

static gboolean
is_expected (Expected *expected, const uint8_t *labels, size_t n)
{
  uint8_t **there = &expected->labels[expected->at++];
  if (*there != NULL)
    return memcmp (*there, labels, n) == 0;
  *there = g_memdup2 (labels, n);
  return TRUE;
}

static Times
expand (const Bench *bench, const char *what, Times begin, int64_t *energy)
{
  g_auto (FsExpansionResult) result = { 0 };
  g_autoptr (GError) error = NULL;
  if (!fs_expansion_run (bench->expansion, bench->labels, NULL, &result, &error))
    bench_fail (error->message);
  Times times = since (begin);
  *energy = result.energy.total;
  if (verbose)
    printf ("  %-6s %8.2f ms, processor %8.2f, energy %" G_GINT64_FORMAT
            ", %d cycles, %" G_GINT64_FORMAT " cuts, %" G_GINT64_FORMAT
            " epochs, %.2f + %.2f + %.2f\n",
            what, times.clock, times.processor, *energy, result.n_cycles, result.n_solves,
            result.device.epochs, result.device.ms[0], result.device.ms[1], result.device.ms[2]);
  return times;
}

/* Paints over a place with the number of another label. */
static Times
stroke (const Bench *bench)
{
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  FsSeedMap *seeds = bench->seeds;
  double x = g_rand_double_range (bench->rand, 0, seeds->width);
  double y = g_rand_double_range (bench->rand, 0, seeds->height);
  const FsCapsule capsule = { x, y, x + 20, y + 5, 6 };
  int n_labels = fs_objects_get_problem (bench->objects)->n_labels;
  int there = bench->labels[(size_t)y * (size_t)seeds->width + (size_t)x];
  int other = (there + g_rand_int_range (bench->rand, 1, n_labels)) % n_labels;
  fs_seed_map_paint (seeds, &capsule, fs_objects_get_number (bench->objects, other), NULL, changed);
  Times begin = now ();
  int64_t energy;
  fs_objects_change (bench->objects, seeds, (const void *)changed->data, changed->len);
  fs_expansion_change_data (bench->expansion, (const void *)changed->data, changed->len);
  return expand (bench, "stroke", begin, &energy);
}

static void
bench_clear (Bench *bench)
{
  fs_expansion_free (bench->expansion);
  fs_objects_free (bench->objects);
  fs_seed_map_free (bench->seeds);
  g_free (bench->labels);
  g_rand_free (bench->rand);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bench, bench_clear)

static void
bench_init (Bench *bench, const FsBackend *backend, const BenchInstance *instance, Figures *figures)
{
  g_autoptr (GError) error = NULL;
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  uint8_t order[FS_LABELS_MAX];
  const FsExpansionOptions options = { .order = order, .no_cycle_reuse = keeps_no_flow };
  *bench = (Bench){ .rand = g_rand_new_with_seed (5) };
  bench->seeds = fs_seed_map_new (instance->image->width, instance->image->height);
  fs_seed_map_copy (bench->seeds, instance->seeds);
  bench->objects = fs_objects_new (instance->image, &settings, bench->seeds, &error);
  if (bench->objects == NULL)
    bench_fail (error->message);
  bench->labels = g_malloc ((size_t)instance->image->width * (size_t)instance->image->height);
  fs_objects_start (bench->objects, bench->labels, order);
  Times begin = now ();
  bench->expansion =
      fs_expansion_new (backend, fs_objects_get_problem (bench->objects), &options, &error);
  if (bench->expansion == NULL)
    bench_fail (error->message);
  figures->made = since (begin);
}

static void
run_round (const FsBackend *backend, const BenchInstance *instance, Expected *expected,
           Figures *figures)
{
  g_auto (Bench) bench = { 0 };
  size_t n = (size_t)instance->image->width * (size_t)instance->image->height;
  bench_init (&bench, backend, instance, figures);
  expected->at = 0;
  figures->cold[figures->n_cold++] = expand (&bench, "cold", now (), &figures->energy);
  figures->is_same &= is_expected (expected, bench.labels, n);
  for (int i = 0; i < N_STROKES; i++) {
    figures->stroke[figures->n_strokes++] = stroke (&bench);
    figures->is_same &= is_expected (expected, bench.labels, n);
  }
  figures->megabytes = (double)fs_expansion_size_bytes (bench.expansion) / 1e6;
  figures->backend = fs_expansion_get_backend (bench.expansion);
}

static int
compare (const void *left, const void *right)
{
  const Times *a = left, *b = right;
  return (a->clock > b->clock) - (a->clock < b->clock);
}

static void
print_figures (Figures *figures)
{
  qsort (figures->cold, (size_t)figures->n_cold, sizeof *figures->cold, compare);
  qsort (figures->stroke, (size_t)figures->n_strokes, sizeof *figures->stroke, compare);
  Times cold = figures->cold[figures->n_cold / 2], median = figures->stroke[figures->n_strokes / 2];
  Times max = figures->stroke[figures->n_strokes - 1];
  printf ("%-4s made %.1f, cold %.1f (processor %.1f), a stroke %.2f (%.2f), most %.2f (%.2f) ms, "
          "energy "
          "%" G_GINT64_FORMAT ", %.0f MB\n",
          figures->backend->name, figures->made.clock, cold.clock, cold.processor, median.clock,
          median.processor, max.clock, max.processor, figures->energy, figures->megabytes);
  if (!figures->is_same)
    printf ("OTHER LABELS\n");
}

static gboolean
measure (const FsBackend *backend, const BenchInstance *instance, Expected *expected)
{
  Figures figures = { .is_same = TRUE };
  for (int i = 0; i < n_rounds; i++)
    run_round (backend, instance, expected, &figures);
  print_figures (&figures);
  if (figures.backend != backend)
    printf ("%s\n", fs_cuda_notice () ? fs_cuda_notice () : "the device was given up");
  return figures.is_same && figures.backend == backend;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new ("PHOTO [SEEDS.png]");
  g_option_context_add_main_entries (context, OPTIONS, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error))
    bench_fail (error->message);
  if (argc < 2 || argc > 3)
    bench_fail (
        "bench_objects [-m MEGAPIXELS] [-t THREADS] [-r ROUNDS] [-v] [-n] PHOTO [SEEDS.png]");
  n_rounds = CLAMP (n_rounds, 1, MAX_ROUNDS);
  fs_solver_set_threads (n_threads);
  fs_energy_set_threads (n_threads);
  g_autoptr (BenchInstance) instance =
      bench_instance_new (argv[1], argc > 2 ? argv[2] : "five", megapixels);
  printf ("%s, %d × %d\n", instance->name, instance->image->width, instance->image->height);
  Expected expected = { 0 };
  gboolean is_same = measure (&fs_backend_cpu, instance, &expected);
  if (fs_cuda_is_available (NULL))
    is_same &= measure (&fs_backend_cuda, instance, &expected);
  for (int i = 0; i <= N_STROKES; i++)
    g_free (expected.labels[i]);
  return is_same ? 0 : 1;
}
