/* SPDX-License-Identifier: MIT */
/* The offer to recover work after a crash, at the next start.   Layer: ui.
 *
 * Each piece of lost work is offered once, one after the other, in a bar with Recover and Discard;
 * whoever closes the bar is asked again at the next start.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_RECOVERY_H
#define FS_UI_WINDOW_RECOVERY_H

#include "ui/window/window.h"

G_BEGIN_DECLS

/* Looks for lost work when it is first called for an application, and offers it in `window`. */
void fs_recovery_offer (GtkApplication *application, FsWindow *window);

G_END_DECLS

#endif
