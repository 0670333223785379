/* SPDX-License-Identifier: MIT */
#include "app/labels/label_classes.h"

#include "app/files/display_name.h"
#include "app/folder/folder_classes.h"

#include <glib/gi18n.h>
#include <string.h>

G_DEFINE_QUARK (fs - label - error - quark, fs_label_error)

struct _FsLabelClasses {
  GPtrArray *names;
  GHashTable *numbers; /* name → number + 1 */
  gboolean is_closed;
};

FsLabelClasses *
fs_label_classes_new (void)
{
  FsLabelClasses *classes = g_new0 (FsLabelClasses, 1);
  classes->names = g_ptr_array_new_with_free_func (g_free);
  classes->numbers = g_hash_table_new (g_str_hash, g_str_equal);
  return classes;
}

void
fs_label_classes_free (FsLabelClasses *classes)
{
  if (!classes)
    return;
  g_hash_table_unref (classes->numbers);
  g_ptr_array_unref (classes->names);
  g_free (classes);
}

static void
append_class (FsLabelClasses *classes, char *name)
{
  g_ptr_array_add (classes->names, name);
  g_hash_table_insert (classes->numbers, name, GUINT_TO_POINTER (classes->names->len));
}

/* The reason why a line is no name of a class; NULL: it is one. */
static const char *
find_fault (const FsLabelClasses *classes, const char *line, gsize n_bytes)
{
  if (n_bytes == 0)
    return _ ("is empty");
  if (n_bytes > FS_LABEL_MAX_NAME_BYTES)
    return _ ("is too long");
  const char *end;
  if (!g_utf8_validate (line, (gssize)n_bytes, &end))
    return _ ("is not UTF-8");
  for (const char *at = line; at < line + n_bytes; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return _ ("has a control character");
  g_autofree char *name = g_strndup (line, n_bytes);
  return g_hash_table_contains (classes->numbers, name) ? _ ("is there twice") : NULL;
}

FsLabelClasses *
fs_label_classes_parse (const char *name, const char *text, gsize n_bytes, GError **error)
{
  g_return_val_if_fail (name && text, NULL);

  g_autoptr (FsLabelClasses) classes = fs_label_classes_new ();
  g_autofree char *shown = fs_display_name (name);
  static const char mark[] = "\xef\xbb\xbf";
  const char *line = text, *end = text + n_bytes;
  if (n_bytes >= 3 && memcmp (text, mark, 3) == 0)
    line += 3;
  while (line < end) {
    const char *next = memchr (line, '\n', (gsize)(end - line));
    gsize length = (gsize)((next ? next : end) - line);
    if (length > 0 && line[length - 1] == '\r')
      length--;
    const char *fault = classes->names->len == FS_LABEL_MAX_CLASSES
                            ? _ ("is one class too many")
                            : find_fault (classes, line, length);
    if (fault) {
      g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_FORMAT, _ ("%s: line %u %s"), shown,
                   classes->names->len + 1, fault);
      return NULL;
    }
    append_class (classes, g_strndup (line, length));
    line = next ? next + 1 : end;
  }
  if (classes->names->len == 0) {
    g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_FORMAT, _ ("%s: names no class"), shown);
    return NULL;
  }
  classes->is_closed = TRUE;
  return g_steal_pointer (&classes);
}

static FsLabelClasses *
parse_folder_classes (const char *path, const char *text, gsize n_bytes, GError **error)
{
  g_autoptr (FsFolderClasses) listed = fs_folder_classes_parse (path, text, n_bytes, error);
  if (!listed)
    return NULL;
  FsLabelClasses *classes = fs_label_classes_new ();
  for (guint i = 0; i < listed->classes->len; i++)
    fs_label_classes_find (classes, fs_folder_classes_get (listed, i)->name);
  classes->is_closed = TRUE;
  return classes;
}

FsLabelClasses *
fs_label_classes_read (const char *path, GError **error)
{
  g_return_val_if_fail (path, NULL);

  g_autoptr (GError) reason = NULL;
  g_autofree char *text = NULL, *shown = fs_display_name (path);
  gsize n_bytes;
  if (!g_file_test (path, G_FILE_TEST_IS_REGULAR)) {
    g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_READ, _ ("%s: is no file"), shown);
    return NULL;
  }
  if (!g_file_get_contents (path, &text, &n_bytes, &reason)) {
    g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_READ, _ ("%s: cannot be read: %s"), shown,
                 reason->message);
    return NULL;
  }
  return fs_name_has_ending (path, ".json") ? parse_folder_classes (path, text, n_bytes, error)
                                            : fs_label_classes_parse (path, text, n_bytes, error);
}

guint
fs_label_classes_find (FsLabelClasses *classes, const char *name)
{
  g_return_val_if_fail (classes && name, FS_LABEL_NO_CLASS);

  guint place = GPOINTER_TO_UINT (g_hash_table_lookup (classes->numbers, name));
  if (place > 0)
    return place - 1;
  if (classes->is_closed)
    return FS_LABEL_NO_CLASS;
  append_class (classes, g_strdup (name));
  return classes->names->len - 1;
}

gboolean
fs_label_classes_is_closed (const FsLabelClasses *classes)
{
  return classes->is_closed;
}

guint
fs_label_classes_get_n (const FsLabelClasses *classes)
{
  return classes->names->len;
}

const char *
fs_label_classes_get_name (const FsLabelClasses *classes, guint number)
{
  g_return_val_if_fail (number < classes->names->len, NULL);
  return classes->names->pdata[number];
}

char *
fs_label_classes_to_text (const FsLabelClasses *classes)
{
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < classes->names->len; i++)
    g_string_append_printf (text, "%s\n", (const char *)classes->names->pdata[i]);
  return g_string_free (text, FALSE);
}
