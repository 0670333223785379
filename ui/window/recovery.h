/* SPDX-License-Identifier: MIT */
/* Recovery of lost work, offered at the first start after a crash.   Layer: ui.
 *
 * Each lost document is offered once, one after the other, in a bar with Recover and Discard. If
 * the bar is closed without an answer, it is offered again at the next start.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_RECOVERY_H
#define FS_UI_WINDOW_RECOVERY_H

#include "ui/window/window.h"

G_BEGIN_DECLS

/* At its first call for an application, searches for lost work and offers it in `window`. */
void fs_recovery_offer (GtkApplication *application, FsWindow *window);

/* The same at the start with a folder that is labelled as one job: the newest work on one of its
 * photos is recovered in `window` at once, as if there had been no crash; the rest is offered.
 * FALSE where there is none. */
gboolean fs_recovery_take (GtkApplication *application, FsWindow *window, const char *folder);

G_END_DECLS

#endif
