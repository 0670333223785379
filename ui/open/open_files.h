/* SPDX-License-Identifier: MIT */
/* The action app.open-files, for parts of a window that receive files.   Layer: ui.
 *
 * Its parameter is FS_OPEN_FILES_TYPE: the id of the window that received them, or 0, and URIs.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_OPEN_OPEN_FILES_H
#define FS_UI_OPEN_OPEN_FILES_H

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define FS_OPEN_FILES_NAME "open-files"
#define FS_OPEN_FILES_TYPE "(uas)"

/* Asks the application of `from` to open the files, in that window or others. */
void fs_open_files (GtkWindow *from, GFile *const *files, guint n);

G_END_DECLS

#endif
