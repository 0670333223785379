/* SPDX-License-Identifier: MIT */
/* Files of pasted images, so that journals and sessions can name them.   Layer: app.
 *
 * They are PNGs in the user's data folder, until a session has a copy or the work is discarded.
 *
 * Threads: any; all but fs_pasted_is() block.
 */
#ifndef FS_APP_SESSION_PASTED_H
#define FS_APP_SESSION_PASTED_H

#include <gio/gio.h>

G_BEGIN_DECLS

/* The folder that they are saved in. g_free. */
char *fs_pasted_folder (void);
/* Writes the bytes of a PNG, without parsing them, under a new name. Returns the path, g_free.
 * Errors: FS_EXPORT_ERROR. */
char *fs_pasted_save (GBytes *png, GError **error);
/* TRUE if `path` is in the folder that fs_pasted_save() writes to. */
gboolean fs_pasted_is (const char *path);
/* Removes a file of fs_pasted_save(); does nothing to any other. */
void fs_pasted_remove (const char *path);
/* Copies a pasted image into the session's folder under the session's name, with a number if that
 * is taken. Returns the path, g_free. Errors: FS_EXPORT_ERROR. */
char *fs_pasted_copy_to_session (const char *path, const char *session_path, GError **error);

G_END_DECLS

#endif
