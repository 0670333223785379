/* SPDX-License-Identifier: MIT */
/* The use of a class in the sessions of a folder.   Layer: app.
 *
 * Sessions have classes by name, so renaming a class rewrites those that have it: each whole or not
 * at all, and none that another program has changed in between.
 *
 * Threads: any; both functions block while they read every session of the folder.
 */
#ifndef FS_APP_FOLDER_CLASS_USE_H
#define FS_APP_FOLDER_CLASS_USE_H

#include "app/folder/folder_list.h"

G_BEGIN_DECLS

/* The number of sessions with strokes of an object of this name, without that of the photo `except`
 * (a path or NULL). Sessions that cannot be read do not count. */
guint fs_class_use_count (const FsFolderList *list, const char *name, const char *except);

/* Renames it in these sessions. FALSE where one could not be written, with the first error (that of
 * fs_session_write(), or FS_SESSION_ERROR_CHANGED); the others are renamed all the same. */
gboolean fs_class_use_rename (const FsFolderList *list, const char *name, const char *other,
                              const char *except, GError **error);

G_END_DECLS

#endif
