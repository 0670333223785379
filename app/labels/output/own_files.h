/* SPDX-License-Identifier: MIT */
/* Files of a set that exports have written, so that a later export may replace them, and no others.
 * Layer: app.
 *
 *   .fretsaw-export, .fretsaw-export.log   as app/manifest/manifest.h has them; of a shard
 *                                          .fretsaw-export-K-of-N
 *
 * Keys are paths within the folder. A record has the SHA-256 of the contents, and that of the
 * contents before, and is put before the file is written: whenever an export ends, the file has one
 * of the two. "of" names the photo of files that are about one. The record "classes" has the names
 * of the classes by number.
 *
 * Errors: FS_EXPORT_ERROR_WRITE.
 * Threads: one at a time; blocks.
 */
#ifndef FS_APP_LABELS_OUTPUT_OWN_FILES_H
#define FS_APP_LABELS_OUTPUT_OWN_FILES_H

#include "app/files/shard.h"
#include "app/labels/label_classes.h"

G_BEGIN_DECLS

typedef struct _FsOwnFiles FsOwnFiles;

/* Makes the folder, and reads the records of all shards. It has one writer a shard: an error where
 * another export is under way. */
FsOwnFiles *fs_own_files_open (const char *folder, const FsShard *shard, GError **error);
void fs_own_files_free (FsOwnFiles *own);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOwnFiles, fs_own_files_free)

/* TRUE if the folder has records of an export. */
gboolean fs_own_files_are_in (const char *folder);

/* TRUE if an export has written the file, and nobody has changed it since. */
gboolean fs_own_files_has (const FsOwnFiles *own, const char *path);

/* Records a file, of the photo `stem` (or NULL), that is about to get contents with this sum. */
gboolean fs_own_files_put (FsOwnFiles *own, const char *path, const char *stem, const char *sum,
                           GError **error);

/* TRUE if files of photos are there that this shard's earlier exports have written, and this one
 * has not. */
gboolean fs_own_files_have_others (const FsOwnFiles *own);

/* Removes the unchanged files of a photo that earlier exports have written, and this one has not.
 */
gboolean fs_own_files_remove_rest (FsOwnFiles *own, const char *stem, GError **error);

/* The names of classes whose numbers are in files that are there; NULL where there are none. Owned
 * by `own`. */
const char *const *fs_own_files_get_classes (const FsOwnFiles *own);
/* Records the names before their numbers are in a file. */
gboolean fs_own_files_put_classes (FsOwnFiles *own, const FsLabelClasses *classes, GError **error);

/* Writes the manifest. `forget`: without files that this export has not written. */
gboolean fs_own_files_save (FsOwnFiles *own, gboolean forget, GError **error);

G_END_DECLS

#endif
