/* SPDX-License-Identifier: MIT */
#include "app/manifest/made_files.h"

#include "app/files/display_name.h"
#include "app/files/file_error.h"
#include "app/session/session.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>

#define OLD "old"

enum { MAX_OLD = 10000 };

gboolean
fs_made_file_is_there (const char *path)
{
  GStatBuf facts;
  return g_lstat (path, &facts) == 0;
}

gboolean
fs_made_file_is_plain (const char *path)
{
  GStatBuf facts;
  return g_lstat (path, &facts) == 0 && S_ISREG (facts.st_mode);
}

gboolean
fs_made_file_is_link (const char *path)
{
  GStatBuf facts;
  return g_lstat (path, &facts) == 0 && S_ISLNK (facts.st_mode);
}

char *
fs_made_file_sum (const char *path)
{
  GStatBuf facts;
  if (g_lstat (path, &facts) != 0 || !S_ISREG (facts.st_mode))
    return NULL;
  return facts.st_size > 0 ? fs_session_sum_photo (path, NULL, NULL)
                           : g_compute_checksum_for_string (G_CHECKSUM_SHA256, "", 0);
}

static gboolean
set_file_error (const char *path, const char *reason, int code, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, "%s: %s: %s", name, reason,
               g_strerror (code));
  return FALSE;
}

gboolean
fs_made_file_remove (const char *path, GError **error)
{
  return g_unlink (path) == 0 || errno == ENOENT
         || set_file_error (path, "cannot be removed", errno, error);
}

char *
fs_made_file_move_away (const char *folder, const char *name, GError **error)
{
  static const char reason[] = "cannot be moved away";
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autofree char *old = g_build_filename (folder, OLD, NULL);
  const char *ending = strrchr (name, '.');
  const int n_stem = (int)(ending ? ending - name : (gssize)strlen (name));
  if (g_mkdir (old, 0777) != 0 && errno != EEXIST) {
    set_file_error (path, reason, errno, error);
    return NULL;
  }
  for (int i = 1; i < MAX_OLD; i++) {
    g_autofree char *other =
        i == 1 ? g_strdup (name)
               : g_strdup_printf ("%.*s-%d%s", n_stem, name, i, ending ? ending : "");
    g_autofree char *to = g_build_filename (old, other, NULL);
    if (fs_made_file_is_there (to))
      continue;
    if (g_rename (path, to) == 0)
      return g_steal_pointer (&to);
    set_file_error (path, reason, errno, error);
    return NULL;
  }
  set_file_error (path, reason, EEXIST, error);
  return NULL;
}

void
fs_made_file_remove_twin (const char *folder, const char *sum, char **moved)
{
  g_autofree char *sum_old = fs_made_file_sum (*moved);
  g_autofree char *old = g_build_filename (folder, OLD, NULL);
  if (g_strcmp0 (sum_old, sum) != 0 || g_unlink (*moved) != 0)
    return;
  g_clear_pointer (moved, g_free);
  g_rmdir (old); /* if it is empty */
}
