/* SPDX-License-Identifier: MIT */
/* Log of the latencies of masks.   Layer: ui.
 *
 * Each mask update is a debug message of the domain fretsaw-ui. If the environment variable
 * FRETSAW_LOG names a file, it gets a line for each update,
 *   mask generation=… latency_us=… solve_us=… exact=…
 * and a line when the final mask after a stroke's end has arrived,
 *   stroke latency_us=… exact=…
 * with the latency since the release of the button.
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

/* Notes the release of the button. */
void fs_latency_log_stroke_ended (FsLatencyLog *log);

G_END_DECLS

#endif
