/* SPDX-License-Identifier: MIT */
/* Images that came without a file, from the clipboard: saved as PNGs in the user's data folder, so
 * that a journal can name them, until a session takes a copy along or the work is given up.
 * Layer: app.
 *
 * Threads: any; all but fs_pasted_is() block.
 */
#ifndef FS_APP_SESSION_PASTED_H
#define FS_APP_SESSION_PASTED_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* The folder that they are saved in. g_free. */
char *fs_pasted_folder (void);
/* Writes the bytes of a PNG, unread, under a fresh name. Returns the path, g_free. Errors:
 * FS_EXPORT_ERROR. */
char *fs_pasted_save (GBytes *png, GError **error);
/* Returns whether `path` lies where fs_pasted_save() writes. */
gboolean fs_pasted_is (const char *path);
/* Removes a file of fs_pasted_save(); does nothing to any other. */
void fs_pasted_remove (const char *path);
/* Copies it into the session's folder under the session's name, with a number where that is taken.
 * Returns the path, g_free. Errors: FS_EXPORT_ERROR. */
char *fs_pasted_copy_to_session (const char *path, const char *session_path, GError **error);

G_END_DECLS

#endif
