/* SPDX-License-Identifier: MIT */
/* The program with a window: start-up, files from outside, actions of the whole.   Layer: ui.
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_APPLICATION_H
#define FS_UI_WINDOW_APPLICATION_H

#include "ui/settings/app_id.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_APPLICATION (fs_application_get_type ())
G_DECLARE_FINAL_TYPE (FsApplication, fs_application, FS, APPLICATION, GtkApplication)

FsApplication *fs_application_new (void);

/* Opens a photo or a session in `from` (may be NULL) where that window is empty or its work is
 * saved, else in another window, so that no work is ever in the way of a photo. A
 * session that a window has already comes to the front there: two would overwrite each other. */
void fs_application_open (FsApplication *self, GtkWindow *from, GFile *file);

/* The same for several, each in a window. Of more than FS_APPLICATION_MAX_AT_ONCE the first ones:
 * every photo costs memory and threads, and a whole folder is dropped easily. A message says so. */
#define FS_APPLICATION_MAX_AT_ONCE 10
void fs_application_open_many (FsApplication *self, GtkWindow *from, GFile **files, guint n);

/* Runs the window for [FILE…] until the last one is closed; returns the exit code. Without a
 * display: one sentence on standard error, and 1. */
int fs_application_main (int argc, char **argv);

G_END_DECLS

#endif
