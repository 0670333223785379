/* SPDX-License-Identifier: MIT */
/* The cut of one photo of a batch, in a worker, and its result as a line of JSON.   Layer: app.
 *
 * It is the job of `fretsaw cut`, or that of `fretsaw replay --at-once` where there is a session,
 * so that the outputs have the same bytes.
 *
 * Threads: one at a time in a process; blocks.
 */
#ifndef FS_APP_BATCH_BATCH_CUT_H
#define FS_APP_BATCH_BATCH_CUT_H

#include "app/batch/batch_photos.h"

#include <jansson.h>

G_BEGIN_DECLS

/* `paths`: of the outputs, NULL where there is none. The line is
 *   { "done": true, "sums": { KIND: SHA-256, … }, "messages": [ … ], "notice": …,
 *     "width", "height", "us": { STEP: microseconds, … } }
 * or { "done": false, "reason": … }. g_free. */
char *fs_batch_cut_photo (const FsBatchJob *job, const FsBatchPhoto *photo,
                          char *const paths[FS_BATCH_N_KINDS]);

/* The sum of all that the outputs of each kind are made of: the program's version, the photo, its
 * evidence, and the options that the kind depends on. `photo_sum`: of its file. g_free each. FALSE
 * where a file of the evidence cannot be read. Errors: FS_PHOTO_ERROR. */
gboolean fs_batch_sum_inputs (const FsBatchJob *job, const FsBatchPhoto *photo,
                              const char *photo_sum, const char *finder_sum,
                              char *from[FS_BATCH_N_KINDS], GError **error);

G_END_DECLS

#endif
