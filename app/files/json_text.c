/* SPDX-License-Identifier: MIT */
#include "app/files/json_text.h"

#include "app/files/display_name.h"

#include <glib/gi18n.h>
#include <string.h>

enum { MAX_SHOWN_BYTES = 24 };

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

/* The end of the line up to where the parser stopped. g_free. */
static char *
quote_place (const char *text, gsize n_bytes, int position)
{
  const gsize end = MIN ((gsize)MAX (position, 0), n_bytes);
  gsize start = end - MIN (end, MAX_SHOWN_BYTES);
  for (gsize i = start; i < end; i++)
    if (text[i] == '\n' || text[i] == '\r')
      start = i + 1;
  while (start < end && ((unsigned char)text[start] & 0xc0) == 0x80)
    start++;
  g_autofree char *part = g_strndup (text + start, end - start);
  return fs_display_name (g_strstrip (part));
}

/* A sentence of its own for each fault, since the parser's are English. g_free. */
static char *
describe_fault (const char *text, gsize n_bytes, const json_error_t *fault)
{
  g_autofree char *near = quote_place (text, n_bytes, fault->position);
  switch (json_error_code (fault)) {
  case json_error_premature_end_of_input:
    return g_strdup (_ ("the file ends early"));
  case json_error_end_of_input_expected:
    return g_strdup (_ ("the file goes on after the end of its contents"));
  case json_error_invalid_utf8:
    return g_strdup (_ ("a text is not UTF-8"));
  case json_error_null_character:
  case json_error_null_byte_in_key:
    return g_strdup_printf (_ ("a text has a NUL character near “%s”"), near);
  case json_error_duplicate_key:
    return g_strdup_printf (_ ("a name is given twice: %s"), near);
  case json_error_numeric_overflow:
    return g_strdup_printf (_ ("a number is too large near “%s”"), near);
  case json_error_out_of_memory:
    return g_strdup (_ ("there is not enough memory for it"));
  case json_error_stack_overflow:
    return g_strdup (_ ("is nested too deeply"));
  default:
    return g_strdup_printf (
        _ ("a bracket, comma, colon, quote or value is wrong or missing near “%s”"), near);
  }
}

json_t *
fs_json_parse (const char *text, gsize n_bytes, FsJsonNames names, char **reason)
{
  g_return_val_if_fail ((text || n_bytes == 0) && reason, NULL);

  json_error_t fault;
  text = text ? text : "";
  json_t *root = json_loadb (text, n_bytes,
                             names == FS_JSON_UNIQUE_NAMES ? JSON_REJECT_DUPLICATES : 0, &fault);
  *reason = NULL;
  if (root)
    return root;
  g_autofree char *what = describe_fault (text, n_bytes, &fault);
  *reason = g_strdup_printf (_ ("line %d, column %d: %s"), fault.line, fault.column, what);
  return NULL;
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
