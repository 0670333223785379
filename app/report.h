/* SPDX-License-Identifier: MIT */
/* What the commands measure for their reports.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_REPORT_H
#define FS_APP_REPORT_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* The time since *mark_us (of g_get_monotonic_time), which is set to now. */
static inline gint64
fs_report_lap (gint64 *mark_us)
{
  gint64 now_us = g_get_monotonic_time (), passed_us = now_us - *mark_us;
  *mark_us = now_us;
  return passed_us;
}

/* How many of a mask's width·height bytes, each 0 or 1, are 1. */
static inline int64_t
fs_report_count_object (const uint8_t *mask, int width, int height)
{
  int64_t n_object = 0;
  size_t n = (size_t)width * (size_t)height;
  for (size_t i = 0; i < n; i++)
    n_object += mask[i];
  return n_object;
}

G_END_DECLS

#endif
