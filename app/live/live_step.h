/* SPDX-License-Identifier: MIT */
/* Results of a step of the live loop.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_LIVE_LIVE_STEP_H
#define FS_APP_LIVE_LIVE_STEP_H

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  FS_STEP_DONE,
  FS_STEP_AGAIN, /* interrupted, or done in part: there is more to do. Not an error */
  FS_STEP_FAILED /* an error is set */
} FsStepResult;

/* The result of a call that may have been cancelled. Takes `failure`, which is NULL when `done`:
 * FS_SOLVER_ERROR_CANCELLED is FS_STEP_AGAIN, anything else goes to `error`. */
FsStepResult fs_step_result (gboolean done, GError *failure, GError **error);

G_END_DECLS

#endif
