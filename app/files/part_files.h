/* SPDX-License-Identifier: MIT */
/* Part files: hidden temporary files of writes that are not complete.   Layer: app.
 *
 * Their names are ".fretsaw-", 16 digits and ".part", and their writers hold a lock (flock) on
 * them. A process that dies loses its locks, not its files: a part without a lock is that of a dead
 * one.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_PART_FILES_H
#define FS_APP_FILES_PART_FILES_H

#include <glib.h>

G_BEGIN_DECLS

/* A path in the folder that is probably not used; short, for file systems without long names.
 * g_free. */
char *fs_part_file_name (const char *folder);

/* Locks the open file; closing it ends the lock. */
void fs_part_file_claim (int fd);

/* Removes the folder's parts that are not locked and have not changed for a minute. Those that
 * cannot be removed stay. At most once a minute for the same folder. */
void fs_part_files_sweep (const char *folder);

G_END_DECLS

#endif
