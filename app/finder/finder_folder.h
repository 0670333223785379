/* SPDX-License-Identifier: MIT */
/* The private folder in which a subject finder works.   Layer: app.
 *
 * Its name is fretsaw-finder-XXXXXX, in the folder for temporary files, and only the user may enter
 * it. Its owner holds a lock (flock) on it: a folder without a lock is that of a killed program,
 * and is removed by the next one.
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

/* Makes a folder; removes those of killed programs, a minute old. Errors: G_FILE_ERROR. */
gboolean fs_finder_folder_init (FsFinderFolder *folder, GError **error);

/* The only file in `output` with a picture's ending, without links; NULL where there is none, or
 * where there are several. `n_found` gets their number. g_free. */
char *fs_finder_folder_find_picture (const FsFinderFolder *folder, guint *n_found);

/* Removes it with all that is in it. */
void fs_finder_folder_clear (FsFinderFolder *folder);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsFinderFolder, fs_finder_folder_clear)

G_END_DECLS

#endif
