/* SPDX-License-Identifier: MIT */
#include "app/files/json_text.h"

/* The place of the quote that ends the string which begins before `i`, or the end of the text. */
static gsize
skip_string (const char *text, gsize n_bytes, gsize i)
{
  while (i < n_bytes && text[i] != '"')
    i += text[i] == '\\' ? 2 : 1;
  return MIN (i, n_bytes);
}

FsJsonScan
fs_json_scan (const char *text, gsize n_bytes)
{
  FsJsonScan scan = { .n_values = 1 };
  guint depth = 0;
  for (gsize i = 0; i < n_bytes; i++) {
    switch (text[i]) {
    case '"':
      i = skip_string (text, n_bytes, i + 1);
      break;
    case '[':
    case '{':
      scan.n_nested++;
      scan.n_values++;
      depth++;
      scan.depth = MAX (scan.depth, depth);
      break;
    case ']':
    case '}':
      depth -= depth > 0;
      break;
    case ',':
      scan.n_values++;
      break;
    default:
      break;
    }
  }
  return scan;
}

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
