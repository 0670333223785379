/* SPDX-License-Identifier: MIT */
/* One .mrf file, minimised: what `fretsaw mrf` does between its options and its files.   Layer:
 * app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_PROBLEMS_MRF_JOB_H
#define FS_APP_PROBLEMS_MRF_JOB_H

#include "app/problems/mrf.h"
#include "solver/expansion/expansion.h"

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

typedef struct {
  int width, height, neighbours, n_labels;
  const char *backend, *device;
  FsExpansionResult expansion;
  int64_t bound;    /* of every labelling's energy */
  int64_t start_us; /* processor time of this thread for the first labelling by chains */
  char *warning;    /* the terms that are no metric, in words; or NULL */
  size_t n_bytes;   /* that the expansion held */
  gint64 read_us, solve_us, write_us, total_us;
} FsMrfResult;

/* Errors: those of FS_PHOTO_ERROR, FS_SOLVER_ERROR, FS_EXPORT_ERROR, the message complete with the
 * file's name. In any case `result` is for fs_mrf_result_clear. */
gboolean fs_mrf_job_run (const FsMrfJob *job, FsMrfResult *result, GError **error);
void fs_mrf_result_clear (FsMrfResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsMrfResult, fs_mrf_result_clear)

/* The report as JSON. g_free. */
char *fs_mrf_result_to_json (const FsMrfResult *result);

G_END_DECLS

#endif
