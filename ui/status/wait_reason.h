/* SPDX-License-Identifier: MIT */
/* Texts for the stage of the cut: "proving the exact cut, 40 %".   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_STATUS_WAIT_REASON_H
#define FS_UI_STATUS_WAIT_REASON_H

#include "app/live/document.h"

G_BEGIN_DECLS

/* A reason with the fraction that is done, 0 … 1, as a percentage; without it where that is 0.
 * g_free. */
char *fs_wait_reason_new (const char *reason, double fraction);

/* The stage of the document's cut; NULL while nothing is computed. g_free. */
char *fs_wait_reason_of (FsDocument *document);

G_END_DECLS

#endif
