/* SPDX-License-Identifier: MIT */
/* A file that appears whole or not at all.   Layer: app.
 *
 * The bytes go to a file without a name in the destination's folder (O_TMPFILE), or, where the file
 * system has none, to a hidden one that is unlinked on every failure; only after they are flushed
 * to the disk does the destination's name come to mean them, by one link or rename. A process that
 * dies on the way leaves the old file as it was, and at worst a hidden one, which a later write
 * into the folder removes (part_files.h). An existing file's permissions and, where allowed,
 * owner are kept; a symbolic link stays and its target is replaced; a read-only file is refused.
 *
 * Errors: FS_EXPORT_ERROR_WRITE, "PATH: reason" with the user's path.
 * Threads: one at a time; blocks.
 */
#ifndef FS_APP_FILES_ATOMIC_FILE_H
#define FS_APP_FILES_ATOMIC_FILE_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct FsAtomicFile FsAtomicFile;

FsAtomicFile *fs_atomic_file_new (const char *path, GError **error);

/* All of `bytes`, or an error. */
gboolean fs_atomic_file_write (FsAtomicFile *file, const void *bytes, gsize n_bytes,
                               GError **error);

/* Makes the destination's name mean what was written. Once, at the end. */
gboolean fs_atomic_file_commit (FsAtomicFile *file, GError **error);

/* Without a commit before it, nothing remains of what was written. */
void fs_atomic_file_free (FsAtomicFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsAtomicFile, fs_atomic_file_free)

G_END_DECLS

#endif
