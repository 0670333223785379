/* SPDX-License-Identifier: MIT */
/* The report of `fretsaw frames`.   Layer: app. */
#ifndef FS_APP_FRAMES_FRAMES_REPORT_H
#define FS_APP_FRAMES_FRAMES_REPORT_H

#include "app/frames/frames_job.h"

G_BEGIN_DECLS

/* As JSON, with the messages (of char) about frames that failed, and about others. g_free. */
char *fs_frames_report_to_json (const FsFramesResult *r, const GPtrArray *failures,
                                const GPtrArray *warnings);

G_END_DECLS

#endif
