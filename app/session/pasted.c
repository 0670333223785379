/* SPDX-License-Identifier: MIT */
#include "app/session/pasted.h"

#include "app/export/export.h"
#include "app/files/display_name.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define MAX_NAMES 1000

char *
fs_pasted_folder (void)
{
  return g_build_filename (g_get_user_data_dir (), "fretsaw", "pasted", NULL);
}

gboolean
fs_pasted_is (const char *path)
{
  g_autofree char *folder = fs_pasted_folder ();
  g_autofree char *parent = g_path_get_dirname (path);
  return strcmp (parent, folder) == 0;
}

void
fs_pasted_remove (const char *path)
{
  if (fs_pasted_is (path))
    g_unlink (path);
}

char *
fs_pasted_save (GBytes *png, GError **error)
{
  g_return_val_if_fail (png, NULL);

  g_autofree char *folder = fs_pasted_folder ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *when = g_date_time_format (now, "%Y-%m-%d %H.%M.%S");
  g_mkdir_with_parents (folder, 0700);
  for (int n = 1; n < MAX_NAMES; n++) {
    g_autofree char *number = n > 1 ? g_strdup_printf (" (%d)", n) : g_strdup ("");
    g_autofree char *name = g_strdup_printf ("%s%s.png", when, number);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_file_test (path, G_FILE_TEST_EXISTS))
      continue;
    gsize n_bytes;
    const char *bytes = g_bytes_get_data (png, &n_bytes);
    return fs_export_write_text (path, bytes ? bytes : "", (gssize)n_bytes, error)
               ? g_steal_pointer (&path)
               : NULL;
  }
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, "%s: no free file name is left",
               folder);
  return NULL;
}

/* The n-th name to try. */
static char *
name_copy (const char *session_path, int n)
{
  g_autofree char *base = g_strdup (session_path);
  char *dot = strrchr (base, '.'), *slash = strrchr (base, '/');
  if (dot && dot > slash + 1)
    *dot = '\0';
  return n == 0 ? g_strdup_printf ("%s.png", base) : g_strdup_printf ("%s-%d.png", base, n + 1);
}

char *
fs_pasted_copy_to_session (const char *path, const char *session_path, GError **error)
{
  g_autoptr (GFile) from = g_file_new_for_path (path);
  g_autoptr (GError) failure = NULL;
  for (int n = 0; n < MAX_NAMES; n++) {
    g_autofree char *name = name_copy (session_path, n);
    g_autoptr (GFile) to = g_file_new_for_path (name);
    g_clear_error (&failure);
    if (g_file_copy (from, to, G_FILE_COPY_NONE, NULL, NULL, NULL, &failure))
      return g_steal_pointer (&name);
    if (!g_error_matches (failure, G_IO_ERROR, G_IO_ERROR_EXISTS))
      break;
  }
  g_autofree char *shown = fs_display_name (session_path);
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
               _ ("%s: the pasted image cannot be saved in the same folder: %s"), shown,
               failure->message);
  return NULL;
}
