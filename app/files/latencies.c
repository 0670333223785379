/* SPDX-License-Identifier: MIT */
#include "app/files/latencies.h"

void
fs_latencies_init (FsLatencies *latencies)
{
  latencies->us = g_array_new (FALSE, FALSE, sizeof (gint64));
}

void
fs_latencies_clear (FsLatencies *latencies)
{
  g_clear_pointer (&latencies->us, g_array_unref);
}

void
fs_latencies_add (FsLatencies *latencies, gint64 us)
{
  g_array_append_val (latencies->us, us);
}

static gint
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
  return (x > y) - (x < y);
}

static gint64
percentile (const GArray *sorted, guint percent)
{
  guint rank = (sorted->len * percent + 99) / 100;
  return g_array_index (sorted, gint64, MAX (rank, 1) - 1);
}

FsLatencySummary
fs_latencies_sum_up (FsLatencies *latencies)
{
  if (latencies->us->len == 0)
    return (FsLatencySummary){ 0 };
  g_array_sort (latencies->us, compare_times);
  return (FsLatencySummary){ .n = latencies->us->len,
                             .p50_us = percentile (latencies->us, 50),
                             .p95_us = percentile (latencies->us, 95),
                             .max_us = percentile (latencies->us, 100) };
}
