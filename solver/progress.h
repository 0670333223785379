/* SPDX-License-Identifier: MIT */
/* Progress, cancellation and errors of a long call.   Layer: solver (value header).
 *
 * Threads: `cancel` may be set from any thread.
 */
#ifndef FS_SOLVER_PROGRESS_H
#define FS_SOLVER_PROGRESS_H

#include <glib.h>

/* One type in both languages; before C++23 they do not share its name. */
#ifdef __cplusplus
#include <atomic>
typedef std::atomic<bool> FsCancelFlag;
#else
#include <stdatomic.h>
typedef atomic_bool FsCancelFlag;
#endif

G_BEGIN_DECLS

#define FS_SOLVER_ERROR (fs_solver_error_quark ())
GQuark fs_solver_error_quark (void);

typedef enum {
  FS_SOLVER_ERROR_INVALID,   /* the grid breaks an invariant of grid.h      */
  FS_SOLVER_ERROR_MEMORY,    /* the workspace could not be had              */
  FS_SOLVER_ERROR_CANCELLED, /* progress->cancel was set                    */
  FS_SOLVER_ERROR_BACKEND,   /* no such backend, or its device failed       */
  FS_SOLVER_ERROR_UNPROVEN,  /* a certificate does not hold                 */
} FsSolverError;

/* Progress reports and cancellation of a long call; NULL where neither is wanted. A zeroed struct
 * is valid. `report` comes on the solving thread, at most every few milliseconds, with a fraction
 * in [0, 1] that never falls within one call. A cancelled call leaves a valid state: the next solve
 * goes on from it. */
typedef struct {
  const FsCancelFlag *cancel;
  void (*report) (double fraction, gpointer user_data);
  gpointer user_data;
} FsProgress;

/* Returns whether a call with this progress, which may be NULL, shall stop. */
static inline gboolean
fs_progress_is_cancelled (const FsProgress *progress)
{
  return progress != NULL && progress->cancel != NULL && atomic_load (progress->cancel);
}

/* The same for a call that then fails. Errors: FS_SOLVER_ERROR_CANCELLED. */
static inline gboolean
fs_progress_goes_on (const FsProgress *progress, GError **error)
{
  if (!fs_progress_is_cancelled (progress))
    return TRUE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
  return FALSE;
}

G_END_DECLS

#endif
