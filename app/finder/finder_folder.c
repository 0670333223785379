/* SPDX-License-Identifier: MIT */
#include "app/finder/finder_folder.h"

#include "app/photo/photo.h"

#include <fcntl.h>
#include <ftw.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX       "fretsaw-finder-"
#define MAX_FDS      16
#define LEFT_SECONDS 60

static int
remove_one (const char *path, const struct stat *facts, int kind, struct FTW *where)
{
  if (kind == FTW_DNR || kind == FTW_DP)
    chmod (path, 0700);
  remove (path);
  return 0;
}

/* Links are removed, not followed; nor is another file system entered. */
static void
remove_tree (const char *path)
{
  nftw (path, remove_one, MAX_FDS, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static int
lock_folder (const char *path)
{
  int fd = open (path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && flock (fd, LOCK_EX | LOCK_NB) == 0)
    return fd;
  if (fd >= 0)
    close (fd);
  return -1;
}

static gboolean
is_left (const char *path)
{
  struct stat facts;
  return lstat (path, &facts) == 0 && S_ISDIR (facts.st_mode) && facts.st_uid == geteuid ()
         && facts.st_mtime + LEFT_SECONDS < time (NULL);
}

static void
sweep_old_folders (void)
{
  g_autoptr (GDir) dir = g_dir_open (g_get_tmp_dir (), 0, NULL);
  for (const char *name = dir ? g_dir_read_name (dir) : NULL; name; name = g_dir_read_name (dir)) {
    if (!g_str_has_prefix (name, PREFIX))
      continue;
    g_autofree char *path = g_build_filename (g_get_tmp_dir (), name, NULL);
    const int fd = is_left (path) ? lock_folder (path) : -1;
    if (fd < 0)
      continue;
    remove_tree (path);
    close (fd);
  }
}

gboolean
fs_finder_folder_init (FsFinderFolder *folder, GError **error)
{
  *folder = (FsFinderFolder){ .lock_fd = -1 };
  sweep_old_folders ();
  folder->path = g_dir_make_tmp (PREFIX "XXXXXX", error);
  if (!folder->path)
    return FALSE;
  folder->lock_fd = lock_folder (folder->path);
  folder->output = g_build_filename (folder->path, "output", NULL);
  if (folder->lock_fd >= 0 && g_mkdir (folder->output, 0700) == 0)
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s", folder->path);
  fs_finder_folder_clear (folder);
  return FALSE;
}

char *
fs_finder_folder_find_picture (const FsFinderFolder *folder, guint *n_found)
{
  g_autoptr (GDir) dir = g_dir_open (folder->output, 0, NULL);
  g_autofree char *found = NULL;
  *n_found = 0;
  for (const char *name = dir ? g_dir_read_name (dir) : NULL; name; name = g_dir_read_name (dir)) {
    struct stat facts;
    g_autofree char *path = g_build_filename (folder->output, name, NULL);
    if (!fs_photo_has_name (name) || lstat (path, &facts) < 0 || !S_ISREG (facts.st_mode))
      continue;
    (*n_found)++;
    g_free (found);
    found = g_steal_pointer (&path);
  }
  return *n_found == 1 ? g_steal_pointer (&found) : NULL;
}

void
fs_finder_folder_clear (FsFinderFolder *folder)
{
  if (folder->path)
    remove_tree (folder->path);
  if (folder->lock_fd >= 0)
    close (folder->lock_fd);
  g_clear_pointer (&folder->path, g_free);
  g_clear_pointer (&folder->output, g_free);
  folder->lock_fd = -1;
}
