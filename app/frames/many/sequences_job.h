/* SPDX-License-Identifier: MIT */
/* The job of `fretsaw frames` with several sequences: each is cut by one worker process at a time.
 * Layer: app.
 *
 * A sequence that fails, or whose worker crashes, costs itself alone. Each goes on by its own
 * manifest in another run. SIGINT, SIGTERM and SIGHUP end the run after the workers.
 *
 * Threads: the main one of a process without others, which also has no device open; blocks.
 */
#ifndef FS_APP_FRAMES_MANY_SEQUENCES_JOB_H
#define FS_APP_FRAMES_MANY_SEQUENCES_JOB_H

#include "app/frames/many/sequence_list.h"

G_BEGIN_DECLS

typedef struct {
  guint n_sequences;
  guint n_done;         /* all frames have what was wanted       */
  guint n_partial;      /* some frames have not                  */
  guint n_failed;       /* the first frame or more is missing    */
  int signal;           /* that ended the run before all were done, or 0 */
  GPtrArray *summaries; /* of char: "NAME: frames …", in the order given */
  GPtrArray *failures;  /* of char: "PATH: reason", in the order given   */
  gint64 total_us;
} FsSequencesResult;

void fs_sequences_result_clear (FsSequencesResult *result);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsSequencesResult, fs_sequences_result_clear)

/* FALSE where the run cannot begin or go on. Errors: FS_FRAMES_ERROR, FS_BATCH_ERROR_WORKER,
 * FS_SUBJECT_FINDER_ERROR. */
gboolean fs_sequences_job_run (const FsSequencesJob *job, FsSequencesResult *result,
                               GError **error);

G_END_DECLS

#endif
