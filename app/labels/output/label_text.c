/* SPDX-License-Identifier: MIT */
#include "app/labels/output/label_text.h"

#include <string.h>

/* Characters that YAML does not take as they are, or takes for a line break. */
static gboolean
needs_escape (gunichar c)
{
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff
         || c == 0xfffe || c == 0xffff;
}

void
fs_label_text_append_yaml (GString *text, const char *value)
{
  g_string_append_c (text, '"');
  for (const char *at = value; *at; at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);
    if (needs_escape (c)) {
      g_string_append_printf (text, "\\u%04x", (guint)c);
      continue;
    }
    if (c == '"' || c == '\\')
      g_string_append_c (text, '\\');
    g_string_append_unichar (text, c);
  }
  g_string_append_c (text, '"');
}

char *
fs_label_text_to_file_part (const char *value, guint number)
{
  g_autoptr (GString) part = g_string_new (NULL);
  const gsize n = strlen (value);
  gsize fitting = 0; /* bytes up to the last character that leaves room for a number */
  for (gsize i = 0; i < n; i++) {
    const guchar c = (guchar)value[i];
    const gboolean is_end = i == 0 || i == n - 1;
    if ((c & 0xc0) != 0x80 && part->len <= FS_LABEL_MAX_FILE_PART - 12)
      fitting = part->len;
    if (c < 0x20 || c == 0x7f || strchr ("/\\:*?\"<>|%", c) || (is_end && (c == '.' || c == ' ')))
      g_string_append_printf (part, "%%%02X", c);
    else
      g_string_append_c (part, (char)c);
  }
  if (part->len > FS_LABEL_MAX_FILE_PART) {
    g_string_truncate (part, fitting);
    g_string_append_printf (part, "%%~%u", number);
  }
  return g_string_free (g_steal_pointer (&part), FALSE);
}
