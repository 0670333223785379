/* SPDX-License-Identifier: MIT */
/* The photos of a folder, one after another.   Layer: ui.
 *
 * Photos are recognised by their names, and come in the order in which file managers show names,
 * with 2 before 10. Hidden files are left out, and what was exported of a photo that lies beside
 * it: NAME-cutout.png and NAME-mask.png, with a number or not.
 *
 * Threads: any; both functions block.
 */
#ifndef FS_UI_OPEN_PHOTO_FOLDER_H
#define FS_UI_OPEN_PHOTO_FOLDER_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* The photo after (`step` 1) or before (-1) `photo`, an absolute path that need not be there any
 * more. NULL without an error: there is none. g_free. Errors: those of GIO, where the folder cannot
 * be read; `cancellable` may be NULL. */
char *fs_photo_folder_find (const char *photo, int step, GCancellable *cancellable, GError **error);

/* NAME.fretsaw beside the photo NAME.jpg, if it can be read and its strokes are of this photo; else
 * NULL. g_free. */
char *fs_photo_folder_find_session (const char *photo);

/* Returns whether a photo lies where its user has put it: not the sample, nothing that was pasted.
 */
gboolean fs_photo_folder_is_own (const char *photo);

G_END_DECLS

#endif
