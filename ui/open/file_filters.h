/* SPDX-License-Identifier: MIT */
/* Filters of file dialogs, and the chosen path.   Layer: ui.   Threads: the main one. */
#ifndef FS_UI_OPEN_FILE_FILTERS_H
#define FS_UI_OPEN_FILE_FILTERS_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Filters for photos, and for all files. */
void fs_file_filters_add_photos (GtkFileChooser *chooser);
/* Filters for pictures and files of labels together, and for all files. */
void fs_file_filters_add_masks (GtkFileChooser *chooser);
/* Filters for photos and sessions together, then for each. */
void fs_file_filters_add_openable (GtkFileChooser *chooser);
void fs_file_filters_add_sessions (GtkFileChooser *chooser);

/* Shows the dialog, a modal one, which asks before a file is replaced. `on_response` is called with
 * `object`, a GObject, and the response, while the object lives. */
void fs_file_filters_ask (GtkFileChooserNative *chooser, GCallback on_response, gpointer object);

/* The path of what was chosen, after GTK_RESPONSE_ACCEPT. g_free. NULL, with an error that is a
 * sentence for people, where it has none, as on a server. */
char *fs_file_filters_get_path (GtkFileChooserNative *chooser, GError **error);

/* The path to save to, and hides the dialog; `suffix` (".png") is appended to a name without it,
 * and removed from a new file's name that has it twice. If the file with the full name exists,
 * which the dialog has not asked about, *path is NULL, and the dialog is shown again with that
 * name. g_free. Errors: as fs_file_filters_get_path. */
gboolean fs_file_filters_take_path (GtkFileChooserNative *chooser, const char *suffix, char **path,
                                    GError **error);

G_END_DECLS

#endif
