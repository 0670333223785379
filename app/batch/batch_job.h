/* SPDX-License-Identifier: MIT */
/* The job of `fretsaw cut PHOTOS… --out FOLDER`: cuts many photos in worker processes, those whose
 * outputs are not there yet or were made of something else.   Layer: app.
 *
 * A run that was ended at any moment goes on where it was, and leaves the same bytes in the end.
 * SIGINT, SIGTERM and SIGHUP end it after the workers.
 *
 * Threads: the main one of a process without others, which also has no device open; blocks.
 */
#ifndef FS_APP_BATCH_BATCH_JOB_H
#define FS_APP_BATCH_BATCH_JOB_H

#include "app/batch/batch.h"

G_BEGIN_DECLS

/* FALSE where the run cannot begin or go on; a photo that fails is only counted, and listed in
 * the result. Errors: FS_BATCH_ERROR, FS_EXPORT_ERROR, FS_SUBJECT_FINDER_ERROR. */
gboolean fs_batch_job_run (const FsBatchJob *job, FsBatchResult *result, GError **error);

G_END_DECLS

#endif
