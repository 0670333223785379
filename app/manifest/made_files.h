/* SPDX-License-Identifier: MIT */
/* Files that a run finds where it is to write: their sums, and where those of others go.
 * Layer: app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_MANIFEST_MADE_FILES_H
#define FS_APP_MANIFEST_MADE_FILES_H

#include <glib.h>

G_BEGIN_DECLS

/* These look at the name itself: a link is there, and not plain. */
gboolean fs_made_file_is_there (const char *path);
gboolean fs_made_file_is_plain (const char *path);
gboolean fs_made_file_is_link (const char *path);

/* The SHA-256 of a plain file, hexadecimal; NULL of anything else. g_free. */
char *fs_made_file_sum (const char *path);

/* Moves FOLDER/NAME into FOLDER/old, under a free name, which is returned; g_free. Errors:
 * FS_EXPORT_ERROR_WRITE. */
char *fs_made_file_move_away (const char *folder, const char *name, GError **error);

/* Removes a file that was moved away if it has this sum, the one of the file in its place; *moved
 * becomes NULL then. */
void fs_made_file_remove_twin (const char *folder, const char *sum, char **moved);

/* A file that is not there is removed already. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_made_file_remove (const char *path, GError **error);

G_END_DECLS

#endif
