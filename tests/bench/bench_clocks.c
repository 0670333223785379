/* SPDX-License-Identifier: MIT */
#include "tests/bench/bench_clocks.h"

void
bench_clocks_init (BenchClocks *times)
{
  times->cpu = g_array_new (FALSE, FALSE, sizeof (double));
  times->wall = g_array_new (FALSE, FALSE, sizeof (double));
  times->device = g_array_new (FALSE, FALSE, sizeof (double));
}

void
bench_clocks_clear (BenchClocks *times)
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

void
bench_print_median (const char *name, const GArray *values)
{
  g_autoptr (GArray) sorted = g_array_copy ((GArray *)values);
  if (sorted->len == 0)
    return;
  g_array_sort (sorted, compare_doubles);
  g_print (", \"%s\": {\"median\": %.4f, \"worst\": %.4f}", name,
           g_array_index (sorted, double, sorted->len / 2),
           g_array_index (sorted, double, sorted->len - 1));
}

void
bench_print_clocks (const char *name, const BenchClocks *times)
{
  const GArray *all[] = { times->cpu, times->wall, times->device };
  const char *clock[] = { "cpu", "wall", "device" };
  for (int i = 0; i < 3; i++) {
    g_autofree char *full_name = g_strdup_printf ("%s_%s_ms", name, clock[i]);
    bench_print_median (full_name, all[i]);
  }
}
