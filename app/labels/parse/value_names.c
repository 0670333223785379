/* SPDX-License-Identifier: MIT */
#include "app/labels/parse/value_names.h"

#include "app/labels/output/own_files.h"
#include "app/labels/parse/label_file.h"

#include <string.h>

#define MAX_FILE_BYTES ((gsize)1 << 20)

static gboolean
is_of_background (const char *line)
{
  static const char *const names[] = { "__ignore__", "background", "_background_", NULL };
  return g_strv_contains (names, line);
}

static void
take_line (GPtrArray *names, char *line, FsValueListKind kind)
{
  const gsize n = strlen (line);
  if (kind == FS_VALUE_MAP)
    line[strcspn (line, ":")] = '\0';
  if (kind == FS_VALUE_OWN_LIST && n > 0 && line[n - 1] == '\r')
    line[n - 1] = '\0';
  if (kind != FS_VALUE_OWN_LIST)
    g_strstrip (line);
  if ((kind == FS_VALUE_MAP && (*line == '\0' || *line == '#'))
      || (kind != FS_VALUE_OWN_LIST && names->len == 1 && is_of_background (line)))
    return;
  g_ptr_array_add (names, g_strdup (line));
}

GPtrArray *
fs_value_names_parse (const char *text, gsize n_bytes, FsValueListKind kind)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *all = g_strndup (text, n_bytes);
  g_auto (GStrv) lines =
      g_strsplit (g_str_has_prefix (all, "\xef\xbb\xbf") ? all + 3 : all, "\n", 256);
  g_ptr_array_add (names, g_strdup (""));
  for (char **line = lines; *line && names->len < FS_VALUE_VOID; line++)
    take_line (names, *line, kind);
  return names;
}

GPtrArray *
fs_value_names_read (const char *folder)
{
  static const char *const lists[] = { "classes.txt", "labels.txt", "class_names.txt",
                                       "labelmap.txt" };
  const FsValueListKind kinds[] = { fs_own_files_are_in (folder) ? FS_VALUE_OWN_LIST
                                                                 : FS_VALUE_LIST,
                                    FS_VALUE_LIST, FS_VALUE_LIST, FS_VALUE_MAP };
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++) {
    g_autofree char *path = g_build_filename (folder, lists[i], NULL);
    gsize n_bytes = 0;
    g_autofree char *text = fs_label_file_read (path, MAX_FILE_BYTES, &n_bytes, NULL);
    if (text)
      return fs_value_names_parse (text, n_bytes, kinds[i]);
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
