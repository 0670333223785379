/* SPDX-License-Identifier: MIT */
#include "app/labels/parse/label_file.h"

#include "app/files/display_name.h"
#include "app/files/free_memory.h"
#include "app/files/json_text.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>

/* Bytes that a value of a tree takes, with its place in an array or object. */
enum { VALUE_BYTES = 80 };

gboolean
fs_label_file_refuse (const char *path, int code, const char *reason, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_LABEL_ERROR, code, "%s: %s", name, reason);
  return FALSE;
}

char *
fs_label_file_read (const char *path, gsize max_bytes, gsize *n_bytes, GError **error)
{
  g_autoptr (GError) failure = NULL;
  char *text = NULL;
  struct stat facts;
  /* A FIFO would be waited for. */
  if (g_stat (path, &facts) < 0 || !S_ISREG (facts.st_mode))
    fs_label_file_refuse (path, FS_LABEL_ERROR_READ, _ ("is no file"), error);
  else if ((guint64)facts.st_size > max_bytes || (guint64)facts.st_size > fs_free_memory_limit ())
    fs_label_file_refuse (path, FS_LABEL_ERROR_LIMIT, _ ("is too large"), error);
  else if (!g_file_get_contents (path, &text, n_bytes, &failure))
    fs_label_file_refuse (path, FS_LABEL_ERROR_READ, _ ("cannot be read"), error);
  return text;
}

gsize
fs_label_file_count_mark (const char *text, gsize n_bytes)
{
  return n_bytes >= 3 && memcmp (text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

json_t *
fs_label_file_parse_json (const char *path, const char *text, gsize n_bytes, GError **error)
{
  const gsize n_mark = fs_label_file_count_mark (text, n_bytes);
  text += n_mark;
  n_bytes -= n_mark;
  FsJsonScan scan = fs_json_scan (text, n_bytes);
  if (scan.depth > FS_LABEL_FILE_MAX_DEPTH) {
    fs_label_file_refuse (path, FS_LABEL_ERROR_LIMIT, _ ("is nested too deeply"), error);
    return NULL;
  }
  if ((guint64)scan.n_values * VALUE_BYTES + n_bytes > fs_free_memory_limit ()) {
    fs_label_file_refuse (path, FS_LABEL_ERROR_LIMIT, _ ("is too large"), error);
    return NULL;
  }
  g_autofree char *reason = NULL;
  json_t *root = fs_json_parse (text, n_bytes, FS_JSON_ANY_NAMES, &reason);
  if (root)
    return root;
  g_autofree char *damage = g_strdup_printf (_ ("is damaged: %s"), reason);
  fs_label_file_refuse (path, FS_LABEL_ERROR_FORMAT, damage, error);
  return NULL;
}

json_t *
fs_label_file_read_json (const char *path, GError **error)
{
  gsize n_bytes = 0;
  g_autofree char *text = fs_label_file_read (path, FS_LABEL_FILE_MAX_BYTES, &n_bytes, error);
  return text ? fs_label_file_parse_json (path, text, n_bytes, error) : NULL;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

GPtrArray *
fs_label_file_list (const char *folder, const char *ending, guint max, GError **error)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  if (!dir) {
    fs_label_file_refuse (folder, FS_LABEL_ERROR_READ, _ ("cannot be read"), error);
    return NULL;
  }
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  for (const char *name = g_dir_read_name (dir); name && names->len < max;
       name = g_dir_read_name (dir))
    if (name[0] != '.' && fs_name_has_ending (name, ending))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

char *
fs_label_file_stem (const char *path)
{
  char *name = g_path_get_basename (path), *dot = strrchr (name, '.');
  if (dot && dot != name)
    *dot = '\0';
  return name;
}
