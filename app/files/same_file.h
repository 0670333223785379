/* SPDX-License-Identifier: MIT */
/* Comparison of file names by the file they lead to, so that no output overwrites an input.
 * Layer: app. */
#ifndef FS_APP_FILES_SAME_FILE_H
#define FS_APP_FILES_SAME_FILE_H

#include <glib.h>

G_BEGIN_DECLS

/* TRUE if both names lead to the same file or folder, which need not exist yet; links are followed.
 * NULL is no file's name. */
gboolean fs_same_file (const char *a, const char *b);

/* Refuses outputs that would overwrite the file `input`; any of the n may be NULL. Errors:
 * FS_EXPORT_ERROR_WRITE. */
gboolean fs_same_file_spare (const char *input, const char *const *outputs, guint n,
                             GError **error);

G_END_DECLS

#endif
