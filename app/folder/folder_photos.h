/* SPDX-License-Identifier: MIT */
/* Names of the photos in a folder, in order, and of their sessions.   Layer: app.
 *
 * Photos are recognised by their names, and sorted as file managers sort names, with 2 before 10.
 * Skipped are hidden files, and exports of a photo in the same folder: NAME-cutout.png,
 * NAME-mask.png and NAME-objects.png, with or without a number.
 *
 * Threads: any; reading a folder blocks.
 */
#ifndef FS_APP_FOLDER_FOLDER_PHOTOS_H
#define FS_APP_FOLDER_FOLDER_PHOTOS_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* Sorted names, in the file system's encoding. `others` (may be NULL) gets the GFileInfo of every
 * other regular file that is not hidden: name, size, time of modification. g_ptr_array_unref.
 * Errors: those of GIO, where the folder cannot be read; `cancellable` may be NULL. */
GPtrArray *fs_folder_photos_read (const char *folder, GPtrArray *others, GCancellable *cancellable,
                                  GError **error);

/* The order of names: less than, equal to or greater than 0. */
int fs_folder_photos_compare (const char *a, const char *b);

/* The names that a photo's session may have, in order of preference: cat.fretsaw, cat-jpg.fretsaw
 * and cat.jpg.fretsaw for cat.jpg. `i` is below FS_FOLDER_SESSION_NAMES. g_free. */
#define FS_FOLDER_SESSION_NAMES 3
char *fs_folder_photos_name_session (const char *photo, guint i);

/* The path of a new session of the photo at `photo`: the first of these names that is not that of
 * another photo's session; NULL where all are. Reads what is there. g_free. */
char *fs_folder_photos_new_session (const char *photo);

G_END_DECLS

#endif
