/* SPDX-License-Identifier: MIT */
/* Durations and their percentiles.   Layer: app.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_FILES_LATENCIES_H
#define FS_APP_FILES_LATENCIES_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  GArray *us; /* of gint64, in the order of their coming until summed up */
} FsLatencies;

/* Percentiles by nearest rank: the smallest value that is not below that percentage of all. All 0
 * without any values. */
typedef struct {
  guint n;
  gint64 p50_us, p95_us, max_us;
} FsLatencySummary;

void fs_latencies_init (FsLatencies *latencies);
void fs_latencies_clear (FsLatencies *latencies);
void fs_latencies_add (FsLatencies *latencies, gint64 us);

/* Computes the percentiles; sorts the values. */
FsLatencySummary fs_latencies_sum_up (FsLatencies *latencies);

G_END_DECLS

#endif
