/* SPDX-License-Identifier: MIT */
/* Atomic writing of a file: it appears whole or not at all.   Layer: app.
 *
 * The bytes are written to a file without a name in the destination's folder (O_TMPFILE), or, where
 * the file system does not support that, to a hidden file that is unlinked on every failure. After
 * they are flushed to the disk, one link or rename gives them the destination's name. A process
 * that dies before that leaves the old file unchanged, and at worst a hidden file, which a later
 * write to the folder removes (part_files.h). An existing file's permissions and, where allowed,
 * owner are preserved; a symbolic link stays and its target is replaced; a read-only file is
 * refused.
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

/* Writes all of `bytes`, or fails. */
gboolean fs_atomic_file_write (FsAtomicFile *file, const void *bytes, gsize n_bytes,
                               GError **error);

/* TRUE if the destination is there with other bytes than the written ones, or cannot be read. */
gboolean fs_atomic_file_would_change (const FsAtomicFile *file);

/* The SHA-256 of the written bytes, hexadecimal; NULL where they cannot be read. g_free. */
char *fs_atomic_file_sum (const FsAtomicFile *file);

/* Gives the written file the destination's name. Once, at the end. */
gboolean fs_atomic_file_commit (FsAtomicFile *file, GError **error);

/* Without a commit before, nothing remains of the written bytes. */
void fs_atomic_file_free (FsAtomicFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsAtomicFile, fs_atomic_file_free)

G_END_DECLS

#endif
