/* SPDX-License-Identifier: MIT */
#include "app/files/same_file.h"

#include "app/files/display_name.h"
#include "app/files/file_error.h"

#include <string.h>
#include <sys/stat.h>

static gboolean
same_inode (const char *a, const char *b)
{
  struct stat sa, sb;
  return stat (a, &sa) == 0 && stat (b, &sb) == 0 && sa.st_dev == sb.st_dev
         && sa.st_ino == sb.st_ino && (S_ISREG (sa.st_mode) || S_ISDIR (sa.st_mode));
}

gboolean
fs_same_file (const char *a, const char *b)
{
  if (!a || !b)
    return FALSE;
  g_autofree char *whole_a = g_canonicalize_filename (a, NULL);
  g_autofree char *whole_b = g_canonicalize_filename (b, NULL);
  if (strcmp (whole_a, whole_b) == 0 || same_inode (a, b))
    return TRUE;
  g_autofree char *folder_a = g_path_get_dirname (whole_a),
                  *folder_b = g_path_get_dirname (whole_b);
  g_autofree char *name_a = g_path_get_basename (whole_a), *name_b = g_path_get_basename (whole_b);
  return strcmp (name_a, name_b) == 0 && same_inode (folder_a, folder_b);
}

gboolean
fs_same_file_spare (const char *input, const char *const *outputs, guint n, GError **error)
{
  for (guint i = 0; i < n; i++) {
    if (!fs_same_file (input, outputs[i]))
      continue;
    g_autofree char *name = fs_display_name (outputs[i]);
    g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 "%s: is an input, and would be overwritten: choose another output", name);
    return FALSE;
  }
  return TRUE;
}
