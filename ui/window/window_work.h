/* SPDX-License-Identifier: MIT */
/* The work that a window shows: its name, and the question about it before it would be lost.
 * Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_WORK_H
#define FS_UI_WINDOW_WINDOW_WORK_H

#include "ui/window/window_state.h"

G_BEGIN_DECLS

/* The action that would lose the work. */
typedef enum { FS_UNSAVED_CLOSING, FS_UNSAVED_NEXT_PHOTO } FsUnsavedBefore;

/* The name to call it by; only with a project. */
char *fs_window_work_name (FsWindow *self);
/* Returns whether leaving for this reason would lose work. */
gboolean fs_window_work_is_unsaved (FsWindow *self, FsUnsavedBefore before);
/* Calls `go` as soon as no work would be lost: at once, or when it was asked about and is saved or
 * given up; never, if the user would rather stay. Another call takes its place. */
void fs_window_work_leave (FsWindow *self, FsUnsavedBefore before,
                           void (*go) (FsWindow *self, gpointer user_data), gpointer user_data);

G_END_DECLS

#endif
