/* SPDX-License-Identifier: MIT */
/* Unsaved work of a window: its name, and the question before it would be lost.   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_WORK_H
#define FS_UI_WINDOW_WINDOW_WORK_H

#include "ui/window/window_state.h"

G_BEGIN_DECLS

/* The displayed name of the work; requires a project. g_free. */
char *fs_window_work_name (FsWindow *self);
/* TRUE if this action would lose work. */
gboolean fs_window_work_is_unsaved (FsWindow *self, FsUnsavedBefore before);
/* Calls `go` as soon as no work would be lost: immediately, or after a question, when the work is
 * saved or discarded; never, if the user cancels. Another call replaces this one. */
void fs_window_work_leave (FsWindow *self, FsUnsavedBefore before,
                           void (*go) (FsWindow *self, gpointer user_data), gpointer user_data);

G_END_DECLS

#endif
