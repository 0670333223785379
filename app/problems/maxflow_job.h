/* SPDX-License-Identifier: MIT */
/* The job of `fretsaw maxflow`: reads a maximum-flow problem and writes its cut.   Layer: app.
 *
 * The cut is the canonical one: the sink's side has the nodes with a residual path to the sink.
 *
 *   c minimum cut of NAME
 *   s VALUE
 *   n NODE 1|0         every node: 1 with the source, 0 with the sink
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_PROBLEMS_MAXFLOW_JOB_H
#define FS_APP_PROBLEMS_MAXFLOW_JOB_H

#include "solver/certificate.h"

G_BEGIN_DECLS

typedef struct {
  const char *problem; /* paths in the file system's encoding; only the problem is needed */
  const char *cut;
  const char *report;
  const char *backend; /* as fs_backend_choice_want takes it */
  gboolean verify;     /* check the whole certificate, and fail where it does not hold */
} FsMaxflowJob;

typedef struct {
  const char *backend;       /* that really cut, which is not always the wanted one     */
  const char *device;        /* in words */
  uint32_t n_nodes, n_arcs;  /* of the file                                             */
  int64_t flow;              /* through the network                                     */
  FsSolution solution;       /* of the problem without the flow that every solution has */
  FsCertificate certificate; /* with verify                                            */
  uint32_t n_source_nodes;
  size_t n_bytes; /* that problem and solver took */
  gint64 read_us, build_us, cut_us, verify_us, write_us, total_us;
} FsMaxflowResult;

/* Errors: those of FS_DIMACS_ERROR, FS_SOLVER_ERROR, FS_EXPORT_ERROR, complete with the file's
 * name. Nothing is written unless the cut is exact. */
gboolean fs_maxflow_job_run (const FsMaxflowJob *job, FsMaxflowResult *result, GError **error);

G_END_DECLS

#endif
