/* SPDX-License-Identifier: MIT */
#include "app/files/json_text.h"

void
fs_json_append_quoted (GString *text, const char *value)
{
  g_string_append_c (text, '"');
  for (const char *c = value; *c; c++) {
    if (*c == '"' || *c == '\\')
      g_string_append_c (text, '\\');
    if ((unsigned char)*c < 0x20)
      g_string_append_printf (text, "\\u%04x", (unsigned)*c);
    else
      g_string_append_c (text, *c);
  }
  g_string_append_c (text, '"');
}
