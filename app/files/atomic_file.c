/* SPDX-License-Identifier: MIT */
#include "app/files/atomic_file.h"
#include "app/files/display_name.h"
#include "app/files/file_error.h"
#include "app/files/part_files.h"

#include <glib/gi18n.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_LINKS 40
#define MAX_NAMES 100
enum { BLOCK_BYTES = 16384 };

struct FsAtomicFile {
  char *name;      /* the user's path, displayable                                  */
  char *path;      /* the destination, symbolic links resolved                      */
  char *folder;    /* its folder                                                    */
  char *temporary; /* the hidden name where there is one, else NULL                 */
  int fd;
  gboolean existed; /* when the write began                                          */
};

static gboolean
set_errno_error (const FsAtomicFile *file, int code, GError **error)
{
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: cannot be written: %s"),
               file->name, g_strerror (code));
  return FALSE;
}

/* Only the last component: links among the folders need no care. The target may be missing. */
static char *
resolve_links (const char *path, int *code)
{
  g_autofree char *here = g_strdup (path);
  for (int i = 0; i < MAX_LINKS; i++) {
    char target[PATH_MAX];
    const ssize_t n = readlink (here, target, sizeof target - 1);
    if (n < 0)
      return g_steal_pointer (&here);
    target[n] = '\0';
    g_autofree char *folder = g_path_get_dirname (here);
    g_free (here);
    here =
        g_path_is_absolute (target) ? g_strdup (target) : g_build_filename (folder, target, NULL);
  }
  *code = ELOOP;
  return NULL;
}

static gboolean
open_named (FsAtomicFile *file, GError **error)
{
  fs_part_files_sweep (file->folder);
  for (int i = 0; i < MAX_NAMES; i++) {
    g_autofree char *name = fs_part_file_name (file->folder);
    file->fd = open (name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file->fd >= 0) {
      fs_part_file_claim (file->fd);
      file->temporary = g_steal_pointer (&name);
      return TRUE;
    }
    if (errno != EEXIST)
      break;
  }
  return set_errno_error (file, errno, error);
}

static gboolean
open_fresh (FsAtomicFile *file, GError **error)
{
  /* Without /proc a nameless file could never be given a name. */
  if (access ("/proc/self/fd", X_OK) == 0)
    file->fd = open (file->folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
  return file->fd >= 0 || open_named (file, error);
}

static gboolean
copy_owner_and_mode (FsAtomicFile *file, const struct stat *old, GError **error)
{
  struct stat fresh;
  if (fstat (file->fd, &fresh) < 0)
    return set_errno_error (file, errno, error);
  /* Only a privileged process can give a file away; for others it becomes theirs, as it does with
   * every editor. Before the mode: a change of owner clears bits of it. */
  if ((fresh.st_uid != old->st_uid || fresh.st_gid != old->st_gid)
      && fchown (file->fd, old->st_uid, old->st_gid) < 0 && errno != EPERM)
    return set_errno_error (file, errno, error);
  if (fchmod (file->fd, old->st_mode & 0777) < 0)
    return set_errno_error (file, errno, error);
  return TRUE;
}

static gboolean
check_destination (FsAtomicFile *file, struct stat *old, GError **error)
{
  file->existed = stat (file->path, old) == 0;
  if (!file->existed)
    return errno == ENOENT || set_errno_error (file, errno, error);
  if (S_ISDIR (old->st_mode))
    return set_errno_error (file, EISDIR, error);
  if (!S_ISREG (old->st_mode)) {
    g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("%s: cannot be written: it is a device or a pipe, not a file"), file->name);
    return FALSE;
  }
  /* A rename would not ask. */
  if (access (file->path, W_OK) < 0)
    return set_errno_error (file, errno, error);
  return TRUE;
}

FsAtomicFile *
fs_atomic_file_new (const char *path, GError **error)
{
  g_return_val_if_fail (path, NULL);

  g_autoptr (FsAtomicFile) file = g_new0 (FsAtomicFile, 1);
  struct stat old;
  int code = 0;
  file->fd = -1;
  file->name = fs_display_name (path);
  file->path = resolve_links (path, &code);
  if (!file->path) {
    set_errno_error (file, code, error);
    return NULL;
  }
  file->folder = g_path_get_dirname (file->path);
  if (!check_destination (file, &old, error) || !open_fresh (file, error)
      || (file->existed && !copy_owner_and_mode (file, &old, error)))
    return NULL;
  return g_steal_pointer (&file);
}

gboolean
fs_atomic_file_write (FsAtomicFile *file, const void *bytes, gsize n_bytes, GError **error)
{
  const char *at = bytes;
  while (n_bytes) {
    const ssize_t n = write (file->fd, at, n_bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return set_errno_error (file, n < 0 ? errno : ENOSPC, error);
    at += n;
    n_bytes -= (gsize)n;
  }
  return TRUE;
}

/* Gives the nameless file a name. A link never replaces: where the destination exists, the file
 * gets a hidden name to be renamed from. */
static gboolean
name_file (FsAtomicFile *file, gboolean *done, GError **error)
{
  g_autofree char *nameless = g_strdup_printf ("/proc/self/fd/%d", file->fd);
  *done =
      !file->existed && linkat (AT_FDCWD, nameless, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0;
  if (*done)
    return TRUE;
  fs_part_files_sweep (file->folder);
  fs_part_file_claim (file->fd);
  for (int i = 0; i < MAX_NAMES; i++) {
    g_autofree char *name = fs_part_file_name (file->folder);
    if (linkat (AT_FDCWD, nameless, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
      file->temporary = g_steal_pointer (&name);
      return TRUE;
    }
    if (errno != EEXIST)
      break;
  }
  return set_errno_error (file, errno, error);
}

static void
flush_folder (const FsAtomicFile *file)
{
  /* The new file is in place and whole; if the folder cannot be flushed, a power cut brings the old
   * one back, which is whole too. That is no failure to report. */
  const int fd = open (file->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  fsync (fd);
  close (fd);
}

/* Up to `n` bytes from `at` on; fewer at the end alone. -1: they cannot be read. */
static gssize
read_block (int fd, char *bytes, gsize n, gint64 at)
{
  gsize n_read = 0;
  while (n_read < n) {
    gssize got = pread (fd, bytes + n_read, n - n_read, (off_t)(at + (gint64)n_read));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      return -1;
    if (got == 0)
      break;
    n_read += (gsize)got;
  }
  return (gssize)n_read;
}

static gboolean
have_same_bytes (int fd, int other)
{
  char bytes[BLOCK_BYTES], other_bytes[BLOCK_BYTES];
  for (gint64 at = 0;; at += BLOCK_BYTES) {
    gssize n = read_block (fd, bytes, sizeof bytes, at);
    if (n < 0 || n != read_block (other, other_bytes, sizeof other_bytes, at)
        || memcmp (bytes, other_bytes, (gsize)n) != 0)
      return FALSE;
    if (n < BLOCK_BYTES)
      return TRUE;
  }
}

gboolean
fs_atomic_file_would_change (const FsAtomicFile *file)
{
  g_return_val_if_fail (file, FALSE);

  struct stat facts;
  if (lstat (file->path, &facts) < 0)
    return errno != ENOENT;
  /* A FIFO would be waited for. */
  int fd = S_ISREG (facts.st_mode) ? open (file->path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0)
    return TRUE;
  gboolean is_same = have_same_bytes (file->fd, fd);
  close (fd);
  return !is_same;
}

char *
fs_atomic_file_sum (const FsAtomicFile *file)
{
  g_return_val_if_fail (file, NULL);

  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  char bytes[BLOCK_BYTES];
  gint64 at = 0;
  gssize n;
  while ((n = read_block (file->fd, bytes, sizeof bytes, at)) > 0) {
    g_checksum_update (sum, (const guchar *)bytes, n);
    at += n;
  }
  return n < 0 ? NULL : g_strdup (g_checksum_get_string (sum));
}

gboolean
fs_atomic_file_commit (FsAtomicFile *file, GError **error)
{
  gboolean done = FALSE;
  if (fsync (file->fd) < 0)
    return set_errno_error (file, errno, error);
  if (!file->temporary && !name_file (file, &done, error))
    return FALSE;
  if (!done && rename (file->temporary, file->path) < 0)
    return set_errno_error (file, errno, error);
  g_clear_pointer (&file->temporary, g_free);
  flush_folder (file);
  return TRUE;
}

void
fs_atomic_file_free (FsAtomicFile *file)
{
  if (!file)
    return;
  if (file->fd >= 0)
    close (file->fd);
  if (file->temporary)
    unlink (file->temporary);
  g_free (file->temporary);
  g_free (file->folder);
  g_free (file->path);
  g_free (file->name);
  g_free (file);
}
