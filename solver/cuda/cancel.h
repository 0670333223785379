/* SPDX-License-Identifier: MIT */
/* Cancellation and progress of a running engine.   Layer: solver (CUDA backend). */
#ifndef FS_SOLVER_CUDA_CANCEL_H
#define FS_SOLVER_CUDA_CANCEL_H

#include "solver/progress.h"

G_BEGIN_DECLS

typedef struct {
  const FsProgress *progress;
  gint64 started_us, reported_us;
} FsCudaWatch;

FsCudaWatch fs_cuda_watch_start (const FsProgress *progress);

/* For an engine's solve(), with the watch as its data. Reports now and then. */
int fs_cuda_watch_is_cancelled (void *watch);

G_END_DECLS

#endif
