/* SPDX-License-Identifier: MIT */
/* Previous and next photo of a folder.   Layer: ui.
 *
 * Which files are photos, and their order: app/folder/folder_photos.h.
 *
 * Threads: any; both functions block.
 */
#ifndef FS_UI_OPEN_PHOTO_FOLDER_H
#define FS_UI_OPEN_PHOTO_FOLDER_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* The photo after (`step` 1) or before (-1) `photo`, an absolute path, which need not exist any
 * more. NULL without an error if there is none. g_free. Errors: those of GIO, where the folder
 * cannot be read; `cancellable` may be NULL. */
char *fs_photo_folder_find (const char *photo, int step, GCancellable *cancellable, GError **error);

/* NAME.fretsaw in the folder of the photo NAME.jpg, if it can be read and belongs to this photo;
 * else NULL. g_free. */
char *fs_photo_folder_find_session (const char *photo);

/* TRUE if a photo is the user's own file: not the sample, and not a pasted image. */
gboolean fs_photo_folder_is_own (const char *photo);

G_END_DECLS

#endif
