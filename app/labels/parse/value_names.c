/* SPDX-License-Identifier: MIT */
#include "app/labels/parse/value_names.h"

#include "app/labels/parse/label_file.h"

#include <string.h>

#define MAX_FILE_BYTES ((gsize)1 << 20)

GPtrArray *
fs_value_names_parse (const char *text, gsize n_bytes, gboolean is_map)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *all = g_strndup (text, n_bytes);
  g_auto (GStrv) lines =
      g_strsplit (g_str_has_prefix (all, "\xef\xbb\xbf") ? all + 3 : all, "\n", 256);
  g_ptr_array_add (names, g_strdup (""));
  for (char **line = lines; *line && names->len < FS_VALUE_VOID; line++) {
    gboolean is_first = names->len == 1;
    if (is_map)
      line[0][strcspn (*line, ":")] = '\0';
    g_strstrip (*line);
    if (**line == '\0' || (is_map && **line == '#')
        || (is_first && strcmp (*line, "__ignore__") == 0)
        || (is_first && strcmp (*line, "background") == 0)
        || (is_first && strcmp (*line, "_background_") == 0))
      continue;
    g_ptr_array_add (names, g_strdup (*line));
  }
  return names;
}

GPtrArray *
fs_value_names_read (const char *folder)
{
  static const char *const lists[] = { "classes.txt", "labels.txt", "class_names.txt",
                                       "labelmap.txt" };
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++) {
    g_autofree char *path = g_build_filename (folder, lists[i], NULL);
    gsize n_bytes = 0;
    g_autofree char *text = fs_label_file_read (path, MAX_FILE_BYTES, &n_bytes, NULL);
    if (text)
      return fs_value_names_parse (text, n_bytes, g_str_has_prefix (lists[i], "labelmap"));
  }
  return NULL;
}

const char *
fs_value_names_get (const GPtrArray *names, guint value)
{
  if (!names || value >= names->len)
    return NULL;
  const char *name = names->pdata[value];
  return *name ? name : NULL;
}
