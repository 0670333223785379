/* SPDX-License-Identifier: MIT */
/* What file dialogs offer.   Layer: ui. Threads: the main one. */
#ifndef FS_UI_FILE_FILTERS_H
#define FS_UI_FILE_FILTERS_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Photos, or everything. */
void fs_file_filters_add_photos (GtkFileChooser *chooser);
/* Photos and sessions together first, then each. */
void fs_file_filters_add_openable (GtkFileChooser *chooser);
void fs_file_filters_add_sessions (GtkFileChooser *chooser);

G_END_DECLS

#endif
