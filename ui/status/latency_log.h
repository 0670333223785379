/* SPDX-License-Identifier: MIT */
/* The log of how long masks take to follow the brush.   Layer: ui.
 *
 * Each mask update is a debug message of the domain fretsaw-ui. Where the environment variable
 * FRETSAW_LOG names a file, it gets a line for each update,
 *   mask generation=… latency_us=… solve_us=… exact=…
 * and a line when the final mask after a stroke's end has arrived,
 *   stroke latency_us=… exact=…
 * counted from the release of the button.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_LATENCY_LOG_H
#define FS_UI_STATUS_LATENCY_LOG_H

#include "app/live/document.h"

G_BEGIN_DECLS

typedef struct _FsLatencyLog FsLatencyLog;

FsLatencyLog *fs_latency_log_new (FsDocument *document);
void fs_latency_log_free (FsLatencyLog *log);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLatencyLog, fs_latency_log_free)

/* The button was released now. */
void fs_latency_log_stroke_ended (FsLatencyLog *log);

G_END_DECLS

#endif
