/* SPDX-License-Identifier: MIT */
#include "app/files/part_files.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PREFIX   ".fretsaw-"
#define SUFFIX   ".part"
#define N_DIGITS 16

/* A new file has no lock for a moment. */
enum { FRESH_S = 60 };

char *
fs_part_file_name (const char *folder)
{
  g_autofree char *name =
      g_strdup_printf (PREFIX "%08x%08x" SUFFIX, g_random_int (), g_random_int ());
  return g_build_filename (folder, name, NULL);
}

void
fs_part_file_claim (int fd)
{
  /* Where the file system knows no locks, no part is ever taken for a stale one. */
  flock (fd, LOCK_EX | LOCK_NB);
}

static gboolean
is_part (const char *name)
{
  return strlen (name) == strlen (PREFIX) + N_DIGITS + strlen (SUFFIX)
         && g_str_has_prefix (name, PREFIX)
         && strspn (name + strlen (PREFIX), "0123456789abcdef") == N_DIGITS
         && g_str_has_suffix (name, SUFFIX);
}

static gboolean
is_stale (int fd)
{
  struct stat facts;
  return fstat (fd, &facts) == 0 && S_ISREG (facts.st_mode)
         && time (NULL) - facts.st_mtime >= FRESH_S && flock (fd, LOCK_EX | LOCK_NB) == 0;
}

static void
sweep_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name = NULL; dir && (name = g_dir_read_name (dir));) {
    if (!is_part (name))
      continue;
    g_autofree char *path = g_build_filename (folder, name, NULL);
    int fd = open (path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
      continue;
    if (is_stale (fd))
      unlink (path);
    close (fd);
  }
}

void
fs_part_files_sweep (const char *folder)
{
  static GMutex mutex;
  static char *last_folder;
  static gint64 last_us;

  gint64 now_us = g_get_monotonic_time ();
  g_mutex_lock (&mutex);
  gboolean is_due =
      g_strcmp0 (folder, last_folder) != 0 || now_us - last_us > FRESH_S * G_USEC_PER_SEC;
  if (is_due) {
    g_free (last_folder);
    last_folder = g_strdup (folder);
    last_us = now_us;
  }
  g_mutex_unlock (&mutex);
  if (is_due)
    sweep_folder (folder);
}
