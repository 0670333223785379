/* SPDX-License-Identifier: MIT */
/* The result of a minimisation, and its report.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_PROBLEMS_MRF_REPORT_H
#define FS_APP_PROBLEMS_MRF_REPORT_H

#include "solver/expansion/expansion.h"

G_BEGIN_DECLS

typedef struct {
  int width, height, neighbours, n_labels;
  const char *backend, *device;
  FsExpansionResult expansion;
  int64_t bound;    /* of every labelling's energy */
  int64_t start_us; /* processor time of this thread for a dual start */
  char *warning;    /* about terms that are not a metric; or NULL */
  size_t n_bytes;   /* that the expansion held */
  gint64 read_us, solve_us, write_us, total_us;
} FsMrfResult;

void fs_mrf_result_clear (FsMrfResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsMrfResult, fs_mrf_result_clear)

/* The report as JSON. g_free. */
char *fs_mrf_result_to_json (const FsMrfResult *result);

G_END_DECLS

#endif
