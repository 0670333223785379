/* SPDX-License-Identifier: MIT */
#include "app/files/display_name.h"

#include <string.h>

/* Marks, embeddings, overrides and isolates of direction, and what ends a line. */
static gboolean
commands_layout (gunichar c)
{
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e)
         || (c >= 0x2066 && c <= 0x2069);
}

char *
fs_display_name (const char *path)
{
  g_autofree char *name = g_filename_display_name (path);
  GString *line = g_string_sized_new (64);
  for (const char *at = name; *at; at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);
    if (commands_layout (c))
      g_string_append_printf (line, "\\u%04x", c);
    else
      g_string_append_unichar (line, g_unichar_iscntrl (c) ? 0xfffd : c);
  }
  return g_string_free (line, FALSE);
}

gboolean
fs_name_has_ending (const char *path, const char *ending)
{
  const gsize n = strlen (path), n_ending = strlen (ending);
  return n > n_ending && g_ascii_strcasecmp (path + n - n_ending, ending) == 0;
}
