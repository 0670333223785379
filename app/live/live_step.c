/* SPDX-License-Identifier: MIT */
#include "app/live/live_step.h"

#include "solver/solver.h"

FsStepResult
fs_step_result (gboolean done, GError *failure, GError **error)
{
  if (done)
    return FS_STEP_DONE;
  if (!g_error_matches (failure, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED)) {
    g_propagate_error (error, failure);
    return FS_STEP_FAILED;
  }
  g_error_free (failure);
  return FS_STEP_AGAIN;
}
