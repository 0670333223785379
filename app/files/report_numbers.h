/* SPDX-License-Identifier: MIT */
/* Measurements for the commands' reports.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_REPORT_NUMBERS_H
#define FS_APP_FILES_REPORT_NUMBERS_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

G_BEGIN_DECLS

/* The time since *mark_us (of g_get_monotonic_time), which is set to now. */
static inline gint64
fs_report_lap (gint64 *mark_us)
{
  gint64 now_us = g_get_monotonic_time (), passed_us = now_us - *mark_us;
  *mark_us = now_us;
  return passed_us;
}

/* The number of ones in a mask's width·height bytes, each 0 or 1. */
static inline int64_t
fs_report_count_object (const uint8_t *mask, int width, int height)
{
  enum { STEP = 8, MAX_WORDS = 255 }; /* bytes a word, words that a byte can count */
  int64_t n_object = 0;
  size_t n = (size_t)width * (size_t)height, i = 0;
  while (n - i >= STEP) {
    uint64_t sum = 0, word;
    for (size_t end = i + MIN ((n - i) / STEP, MAX_WORDS) * STEP; i < end; i += STEP) {
      memcpy (&word, mask + i, STEP);
      sum += word;
    }
    sum = (sum & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff))
          + (sum >> 8 & G_GUINT64_CONSTANT (0x00ff00ff00ff00ff));
    n_object += (int64_t)(sum * G_GUINT64_CONSTANT (0x0001000100010001) >> 48);
  }
  for (; i < n; i++)
    n_object += mask[i];
  return n_object;
}

G_END_DECLS

#endif
