/* SPDX-License-Identifier: MIT */
#include "app/labels/parse/yaml_names.h"

#include "app/labels/parse/label_file.h"

#include <string.h>

static void
put_name (GPtrArray *names, guint64 number, const char *name)
{
  if (number >= FS_YAML_MAX_NAMES || *name == '\0')
    return;
  if (names->len <= number)
    g_ptr_array_set_size (names, (int)number + 1);
  if (!names->pdata[number])
    names->pdata[number] = g_strdup (name);
}

/* Appends the character of an escape in double quotes and moves *at to its last byte; *at is behind
 * the backslash. Control characters become spaces. */
static void
append_escape (GString *value, const char **at)
{
  static const char controls[] = "0abtnvfreNLP\t\n";
  const char letter = **at;
  const int n_digits = letter == 'x' ? 2 : letter == 'u' ? 4 : letter == 'U' ? 8 : 0;
  gunichar c = 0;
  for (int i = 0; i < n_digits && g_ascii_isxdigit ((*at)[1]); i++)
    c = c << 4 | (gunichar)g_ascii_xdigit_value (*++*at);
  if (n_digits > 0)
    g_string_append_unichar (value, c > 0 && g_unichar_validate (c) ? c : 0xfffd);
  else
    g_string_append_c (value, strchr (controls, letter) || letter == '_' ? ' ' : letter);
}

/* One value at *at: quoted, or up to one of `ends` or a comment. g_free. */
static char *
read_scalar (const char **at, const char *ends)
{
  const char *from = *at + strspn (*at, " \t");
  GString *value = g_string_new (NULL);
  if (*from == '"' || *from == '\'') {
    const char quote = *from++;
    for (; *from && (*from != quote || (quote == '\'' && from[1] == quote)); from++) {
      const gboolean is_escape = quote == '"' && *from == '\\' && from[1];
      if (is_escape || (quote == '\'' && *from == quote))
        from++;
      if (is_escape)
        append_escape (value, &from);
      else
        g_string_append_c (value, *from);
    }
    *at = from + (*from != '\0');
    return g_string_free (value, FALSE);
  }
  while (*from && !strchr (ends, *from) && !(*from == '#' && from > *at && from[-1] == ' '))
    g_string_append_c (value, *from++);
  *at = from;
  return g_strchomp (g_string_free (value, FALSE));
}

/* "NUMBER:" at *at, which is passed. */
static gboolean
read_number (const char **at, guint64 *number)
{
  g_autofree char *text = read_scalar (at, ":,]}");
  if (**at != ':')
    return FALSE;
  ++*at;
  return g_ascii_string_to_unsigned (text, 10, 0, FS_YAML_MAX_NAMES - 1, number, NULL);
}

/* [a, b] or {0: a, 1: b}. */
static void
read_brackets (GPtrArray *names, const char *at)
{
  const gboolean is_map = *at++ == '{';
  for (guint64 i = 0; *at && i < FS_YAML_MAX_NAMES; i++) {
    at += strspn (at, " \t\r\n");
    guint64 number = i;
    gboolean is_numbered = !is_map || read_number (&at, &number);
    g_autofree char *name = read_scalar (&at, ",]}");
    g_strstrip (name);
    if (is_numbered)
      put_name (names, number, name);
    at += strcspn (at, ",]}");
    if (*at != ',')
      return;
    at++;
  }
}

/* The lines behind "names:" that belong to it. */
static void
read_lines (GPtrArray *names, char **lines)
{
  for (guint64 i = 0; *lines && i < FS_YAML_MAX_NAMES; lines++) {
    const char *at = *lines + strspn (*lines, " \t");
    if (*at == '\0' || *at == '#')
      continue;
    guint64 number = i;
    const gboolean is_item = *at == '-';
    if (!is_item && (at == *lines || !read_number (&at, &number)))
      return;
    at += is_item;
    g_autofree char *name = read_scalar (&at, "");
    put_name (names, number, name);
    i++;
  }
}

GPtrArray *
fs_yaml_names_parse (const char *text, gsize n_bytes)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  const gsize n_mark = fs_label_file_count_mark (text, n_bytes);
  g_autofree char *all = g_strndup (text + n_mark, n_bytes - n_mark);
  g_strdelimit (all, "\r", ' ');
  g_auto (GStrv) lines = g_strsplit (all, "\n", -1);
  for (char **line = lines; *line; line++) {
    if (!g_str_has_prefix (*line, "names:"))
      continue;
    const char *at = *line + strlen ("names:");
    at += strspn (at, " \t");
    if (*at == '[' || *at == '{') {
      g_autofree char *rest = g_strjoinv ("\n", line);
      read_brackets (names, strpbrk (rest, "[{"));
    } else {
      read_lines (names, line + 1);
    }
    break;
  }
  return names;
}
