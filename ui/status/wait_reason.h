/* SPDX-License-Identifier: MIT */
/* The stage of the cut in words, for the status line: "proving the exact cut, 40 %".   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_WAIT_REASON_H
#define FS_UI_STATUS_WAIT_REASON_H

#include "app/live/document.h"

G_BEGIN_DECLS

/* A reason and how much is done, 0 … 1; without a figure where that is 0. g_free. */
char *fs_wait_reason_new (const char *reason, double fraction);

/* The stage of the document's cut in words; NULL: it rests. g_free. */
char *fs_wait_reason_of (FsDocument *document);

G_END_DECLS

#endif
