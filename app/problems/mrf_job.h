/* SPDX-License-Identifier: MIT */
/* The job of `fretsaw mrf`: minimises the energy of an .mrf file.   Layer: app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_PROBLEMS_MRF_JOB_H
#define FS_APP_PROBLEMS_MRF_JOB_H

#include "app/problems/mrf.h"
#include "app/problems/mrf_report.h"

G_BEGIN_DECLS

typedef struct {
  const char *problem; /* paths, not owned; only the problem is needed           */
  const char *out;     /* the labels times `scale`, 8-bit grey                   */
  const char *report;
  const char *backend; /* as fs_backend_choice_want takes it                     */
  int n_threads;       /* 0: as many as there are processors                     */
  int scale;           /* ≥ 1; labels · scale must be below 256                  */
  FsExpansionOptions options;
} FsMrfJob;

/* Errors: those of FS_PHOTO_ERROR, FS_SOLVER_ERROR, FS_EXPORT_ERROR, the message complete with the
 * file's name. In any case `result` is for fs_mrf_result_clear. */
gboolean fs_mrf_job_run (const FsMrfJob *job, FsMrfResult *result, GError **error);

G_END_DECLS

#endif
