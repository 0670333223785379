/* SPDX-License-Identifier: MIT */
#include "app/display_name.h"

#include <string.h>

char *
fs_display_name (const char *path)
{
  g_autofree char *name = g_filename_display_name (path);
  GString *line = g_string_sized_new (64);
  for (const char *at = name; *at; at = g_utf8_next_char (at)) {
    const gunichar c = g_utf8_get_char (at);
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
