/* SPDX-License-Identifier: MIT */
/* The private folder in which a subject finder works.   Layer: app.
 *
 * Called fretsaw-finder-XXXXXX, in the folder for temporary files; nobody else may enter it. Its
 * owner holds a lock (flock) on it: one without a lock is what a program left that was killed, and
 * the next one removes it.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_FINDER_FINDER_FOLDER_H
#define FS_APP_FINDER_FINDER_FOLDER_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  char *path;   /* NULL: none                              */
  char *output; /* an empty folder in it, for what is made */
  int lock_fd;
} FsFinderFolder;

/* Makes one, and removes those that were left for a minute or longer. Errors: G_FILE_ERROR. */
gboolean fs_finder_folder_init (FsFinderFolder *folder, GError **error);

/* The only file in `output` that is called like a picture, links aside; NULL where there is none,
 * or where there are several, whose number is `n_found`. g_free. */
char *fs_finder_folder_find_picture (const FsFinderFolder *folder, guint *n_found);

/* Removes it with all that is in it. */
void fs_finder_folder_clear (FsFinderFolder *folder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFinderFolder, fs_finder_folder_clear)

G_END_DECLS

#endif
