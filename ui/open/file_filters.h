/* SPDX-License-Identifier: MIT */
/* Filters of file dialogs, and the path that was chosen.   Layer: ui. Threads: the main one. */
#ifndef FS_UI_OPEN_FILE_FILTERS_H
#define FS_UI_OPEN_FILE_FILTERS_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Photos, or everything. */
void fs_file_filters_add_photos (GtkFileChooser *chooser);
/* Photos and sessions together first, then each. */
void fs_file_filters_add_openable (GtkFileChooser *chooser);
void fs_file_filters_add_sessions (GtkFileChooser *chooser);

/* The file to save to, with `suffix` (".png") where the name has another or none; NULL where the
 * dialog has not asked about replacing that file: then it is shown again, with the full name. Hides
 * the dialog. g_free. */
char *fs_file_filters_take_path (GtkFileChooserNative *chooser, const char *suffix);

G_END_DECLS

#endif
