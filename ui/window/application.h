/* SPDX-License-Identifier: MIT */
/* The application: start-up, files to open, actions "app.…".   Layer: ui.
 * Threads: the main one. */
#ifndef FS_UI_WINDOW_APPLICATION_H
#define FS_UI_WINDOW_APPLICATION_H

#include "ui/settings/app_id.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_TYPE_APPLICATION (fs_application_get_type ())
G_DECLARE_FINAL_TYPE (FsApplication, fs_application, FS, APPLICATION, GtkApplication)

FsApplication *fs_application_new (void);

/* Opens a photo or a session in `from` (may be NULL) if that window is empty or its work is saved,
 * else in another window, so that unsaved work never prevents opening. If a window shows the
 * session already, that window is presented instead: two windows would overwrite each other's work.
 */
void fs_application_open (FsApplication *self, GtkWindow *from, GFile *file);

/* The same for several files, each in a window. Opens only the first FS_APPLICATION_MAX_AT_ONCE,
 * with a message: each photo costs memory and threads, and a whole folder is easily dropped by
 * mistake. */
#define FS_APPLICATION_MAX_AT_ONCE 10
void fs_application_open_many (FsApplication *self, GtkWindow *from, GFile **files, guint n);

/* Like fs_application_new(), for one photo of another program alone, in a process of its own;
 * fs_window_set_hand_over() says what `folder` gets. */
FsApplication *fs_application_new_for_hand_over (const char *folder);

/* Runs the application for [FILE…] or --hand-over FOLDER PHOTO until the last window is closed;
 * returns the exit code. Without a display it is 1, with one sentence on standard error. */
int fs_application_main (int argc, char **argv);

G_END_DECLS

#endif
