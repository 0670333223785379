/* SPDX-License-Identifier: MIT */
/* Comparison of file names by the file they lead to, so that no output overwrites an input.
 * Layer: app. */
#ifndef FS_APP_FILES_SAME_FILE_H
#define FS_APP_FILES_SAME_FILE_H

#include <glib.h>

G_BEGIN_DECLS

/* Also of files and folders that are not there yet, however their folder is spelt; links are
 * followed. NULL is the name of none. */
gboolean fs_same_file (const char *a, const char *b);

/* Refuses those of n outputs that are the file `input`, which would be lost; any may be NULL.
 * Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_same_file_spare (const char *input, const char *const *outputs, guint n,
                             GError **error);

G_END_DECLS

#endif
