/* SPDX-License-Identifier: MIT */
/* The cut of one of several sequences, in a worker, and its result as a line of JSON.   Layer: app.
 *
 * It is the job of `fretsaw frames` for this sequence alone, so that the outputs have the same
 * bytes.
 *
 * Threads: one at a time in a process; blocks.
 */
#ifndef FS_APP_FRAMES_MANY_SEQUENCE_WORK_H
#define FS_APP_FRAMES_MANY_SEQUENCE_WORK_H

#include "app/frames/many/sequence_list.h"

G_BEGIN_DECLS

/* The line is
 *   { "done": true, "whole": all frames have what was wanted, "summary": …, "messages": [ … ],
 *     "notice": … }
 * or { "done": false, "reason": …, "messages": [ … ], "notice": … }. `each`: as FsSequencesJob has
 * it. g_free. */
char *fs_sequence_work (const FsFramesJob *each, const FsSequenceFiles *files);

G_END_DECLS

#endif
