/* SPDX-License-Identifier: MIT */
#include "solver/cuda/cancel.h"

enum { REPORT_US = 5000, HALF_WAY_US = 50000 };

FsCudaWatch
fs_cuda_watch_start (const FsProgress *progress)
{
  return (FsCudaWatch){ .progress = progress, .started_us = g_get_monotonic_time () };
}

/* A device's progress is unknown: the fraction follows the time that has passed. */
int
fs_cuda_watch_is_cancelled (void *data)
{
  FsCudaWatch *watch = data;
  const FsProgress *progress = watch->progress;
  gint64 now_us = g_get_monotonic_time ();
  if (progress->report != NULL && now_us - watch->reported_us >= REPORT_US) {
    double passed_us = (double)(now_us - watch->started_us);
    watch->reported_us = now_us;
    progress->report (passed_us / (passed_us + HALF_WAY_US), progress->user_data);
  }
  return fs_progress_is_cancelled (progress);
}
