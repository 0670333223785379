/* SPDX-License-Identifier: MIT */
/* Hidden temporary files, under which a write stands until it is complete.   Layer: app.
 *
 * A part is called ".fretsaw-" and 16 digits and ".part", and its writer holds a lock (flock) on
 * it. A process that dies loses its locks, not its files: so a part without a lock is what one left
 * behind.
 *
 * Threads: any.
 */
#ifndef FS_APP_FILES_PART_FILES_H
#define FS_APP_FILES_PART_FILES_H

#include <glib.h>

G_BEGIN_DECLS

/* A path in the folder that probably nobody has. Short, so that it is legal where long names are
 * not. g_free. */
char *fs_part_file_name (const char *folder);

/* Says that somebody writes to the open file. Closing it ends that. */
void fs_part_file_claim (int fd);

/* Removes the folder's parts that nobody writes to and that have not changed for a minute. What
 * cannot be removed stays: this is no failure. At most once a minute for the same folder. */
void fs_part_files_sweep (const char *folder);

G_END_DECLS

#endif
