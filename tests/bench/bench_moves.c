/* SPDX-License-Identifier: MIT */
/* bench_moves PROBLEM.mrf [ROUNDS [KIND…]]: expansion moves, with each backend and kind of re-use
 * (none, label, cycle, both) in turn, in one process.
 *
 * A line for each: the medians of the clock's time for making the expansion, of the moves, and of
 * the processor's time of this thread for them; cuts; on a device also epochs, discharges and what
 * they took. Labels that differ from the first line's, or a dual start that differs from the
 * first one, are said so, and the program ends with 1. */
#include "app/problems/mrf.h"
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/expansion/expansion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ROUNDS = 99 };

static gboolean is_another_start;

typedef struct {
  double made, clock, processor, start; /* ms; the dual start is in the two before it */
} Times;

static double
processor_ms (void)
{
  struct timespec t;
  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static double
clock_ms (void)
{
  return (double)g_get_monotonic_time () / 1e3;
}

static int
compare (const void *left, const void *right)
{
  const double *a = left, *b = right;
  return (*a > *b) - (*a < *b);
}

static double
median (const Times *times, int n, size_t offset)
{
  double values[MAX_ROUNDS];
  for (int i = 0; i < n; i++)
    values[i] = *(const double *)(const void *)((const char *)&times[i] + offset);
  qsort (values, (size_t)n, sizeof *values, compare);
  return values[n / 2];
}

static FsExpansionOptions
options_of (const FsMrf *mrf, const char *kind)
{
  gboolean both = strcmp (kind, "both") == 0;
  return (FsExpansionOptions){ .no_cycle_reuse = !both && strcmp (kind, "cycle") != 0,
                               .label_reuse = both || strcmp (kind, "label") == 0,
                               .shuffle = mrf->header.shuffle,
                               .coarse_first = mrf->header.start == FS_MRF_START_COARSE };
}

/* Every dual start must be the first one, labels and bound. */
static void
compare_start (const FsMrf *mrf, const uint8_t *labels, int64_t bound)
{
  static uint8_t *first;
  static int64_t first_bound;
  size_t n = fs_label_problem_n_pixels (&mrf->problem);
  if (first == NULL) {
    first = g_memdup2 (labels, n);
    first_bound = bound;
  }
  is_another_start |= bound != first_bound || memcmp (labels, first, n) != 0;
}

static Times
run (const FsBackend *backend, const FsMrf *mrf, const char *kind, uint8_t *labels,
     FsExpansionResult *result)
{
  g_autoptr (GError) error = NULL;
  const FsExpansionOptions options = options_of (mrf, kind);
  memset (labels, 0, fs_label_problem_n_pixels (&mrf->problem));
  FsMrfStart start = mrf->header.start;
  if (start == FS_MRF_START_CHEAPEST || start == FS_MRF_START_COARSE)
    fs_label_problem_choose_cheapest (&mrf->problem, labels);
  double begin = clock_ms ();
  g_autoptr (FsExpansion) expansion = fs_expansion_new (backend, &mrf->problem, &options, &error);
  if (!expansion)
    g_error ("%s", error->message);
  Times times = { .made = clock_ms () - begin, .processor = -processor_ms () };
  begin = clock_ms ();
  times.start = -processor_ms ();
  int64_t bound = 0;
  if (start == FS_MRF_START_DUAL && !fs_expansion_dual_start (expansion, labels, &bound, &error))
    g_error ("%s", error->message);
  times.start += processor_ms ();
  if (start == FS_MRF_START_DUAL)
    compare_start (mrf, labels, bound);
  if (!fs_expansion_run (expansion, labels, NULL, result, &error))
    g_error ("%s", error->message);
  times.clock = clock_ms () - begin;
  times.processor += processor_ms ();
  return times;
}

static void
print_line (const char *backend, const char *kind, const Times *times, int n,
            const FsExpansionResult *result)
{
  printf (
      "%-4s %-5s made %7.2f, moves %8.2f, processor %8.2f (start %.2f) ms, energy %" G_GINT64_FORMAT
      ", %d cycles, %" G_GINT64_FORMAT " moves, %" G_GINT64_FORMAT " cuts",
      backend, kind, median (times, n, G_STRUCT_OFFSET (Times, made)),
      median (times, n, G_STRUCT_OFFSET (Times, clock)),
      median (times, n, G_STRUCT_OFFSET (Times, processor)),
      median (times, n, G_STRUCT_OFFSET (Times, start)), result->energy.total, result->n_cycles,
      result->n_moves, result->n_solves);
  if (result->device.n_cuts > 0)
    printf (", %" G_GINT64_FORMAT " epochs, %" G_GINT64_FORMAT " discharges, %.2f + %.2f + %.2f ms",
            result->device.epochs, result->device.discharges, result->device.ms[0],
            result->device.ms[1], result->device.ms[2]);
  printf ("\n");
  for (guint i = 0; i < result->cycles->len; i++)
    printf (i == 0 ? "           cycles %.2f" : ", %.2f",
            (double)g_array_index (result->cycles, FsExpansionCycle, i).time_us / 1e3);
  printf (" ms\n");
}

static gboolean
measure (const FsBackend *backend, const FsMrf *mrf, const char *kind, int n, uint8_t *expected)
{
  static gboolean has_expected;
  size_t n_pixels = fs_label_problem_n_pixels (&mrf->problem);
  g_autofree uint8_t *labels = g_malloc (n_pixels);
  Times times[MAX_ROUNDS];
  gboolean is_same = TRUE;
  for (int i = 0; i < n; i++) {
    g_auto (FsExpansionResult) result = { 0 };
    times[i] = run (backend, mrf, kind, labels, &result);
    if (!has_expected)
      memcpy (expected, labels, n_pixels);
    has_expected = TRUE;
    is_same &= memcmp (expected, labels, n_pixels) == 0;
    if (i == n - 1)
      print_line (backend->name, kind, times, n, &result);
  }
  if (!is_same)
    printf ("OTHER LABELS\n");
  if (is_another_start)
    printf ("ANOTHER START\n");
  return is_same && !is_another_start;
}

int
main (int argc, char **argv)
{
  static const char *const KINDS[] = { "none", "label", "cycle", "both" };
  const FsBackend *backends[] = { &fs_backend_cpu, &fs_backend_cuda };
  g_autoptr (GError) error = NULL;
  g_autoptr (FsMrf) mrf = argc > 1 ? fs_mrf_load (argv[1], &error) : NULL;
  if (!mrf) {
    fprintf (stderr, "%s\n", error ? error->message : "bench_moves PROBLEM.mrf [ROUNDS [KIND…]]");
    return 2;
  }
  int n = argc > 2 ? CLAMP (atoi (argv[2]), 1, MAX_ROUNDS) : 3;
  g_autofree uint8_t *expected = g_malloc (fs_label_problem_n_pixels (&mrf->problem));
  gboolean is_same = TRUE;
  for (size_t b = 0; b < G_N_ELEMENTS (backends); b++)
    for (size_t k = 0; k < G_N_ELEMENTS (KINDS); k++) {
      gboolean is_wanted = argc <= 3;
      for (int i = 3; i < argc; i++)
        is_wanted |= strcmp (argv[i], KINDS[k]) == 0;
      if (is_wanted && (b == 0 || fs_cuda_is_available (NULL)))
        is_same &= measure (backends[b], mrf, KINDS[k], n, expected);
    }
  if (fs_cuda_notice ())
    printf ("%s\n", fs_cuda_notice ());
  return is_same ? 0 : 1;
}
