/* SPDX-License-Identifier: MIT */
#include "app/frames/list/frame_names.h"

#include "app/frames/list/frame.h"

#include <string.h>

/* The text after the percent sign: d, or 0, N and d. Returns what comes after it; NULL for anything
 * else. */
static const char *
read_place (const char *at, int *n_digits)
{
  *n_digits = 1;
  if (*at == 'd')
    return at + 1;
  if (*at != '0' || !g_ascii_isdigit (at[1]) || at[1] == '0')
    return NULL;
  *n_digits = 0;
  for (at++; g_ascii_isdigit (*at) && *n_digits <= FS_FRAME_MAX_DIGITS; at++)
    *n_digits = *n_digits * 10 + (*at - '0');
  return *at == 'd' && *n_digits <= FS_FRAME_MAX_DIGITS ? at + 1 : NULL;
}

/* Returns whether a percent sign stands for itself: doubled, or before what no format of printf
 * has. */
static gboolean
is_plain_percent (const char *at)
{
  return at[1] == '%' || (at[1] != '\0' && !g_ascii_isalnum (at[1]) && !strchr (" +-.#'*$", at[1]));
}

/* Text without places: what comes before the next one, or all. `*at` is then after it. */
static char *
read_literal (const char **at)
{
  GString *text = g_string_new (NULL);
  for (; **at && (**at != '%' || is_plain_percent (*at)); (*at)++) {
    g_string_append_c (text, **at);
    *at += **at == '%' && (*at)[1] == '%';
  }
  return g_string_free (text, FALSE);
}

gboolean
fs_frame_names_init (FsFrameNames *names, const char *pattern, GError **error)
{
  g_return_val_if_fail (names && pattern, FALSE);
  *names = (FsFrameNames){ 0 };
  const char *at = pattern;
  g_autofree char *before = read_literal (&at), *after = NULL;
  int n_digits;
  if (!*at)
    return fs_frames_fail (error, FS_FRAMES_ERROR_PATTERN, pattern,
                           "is no pattern: it has no %%d or %%0Nd for the number");
  at = read_place (at + 1, &n_digits);
  if (!at)
    return fs_frames_fail (error, FS_FRAMES_ERROR_PATTERN, pattern,
                           "only %%d, or %%0Nd with N from 1 to 18, can stand for the number, and "
                           "%%%% for a percent sign");
  after = read_literal (&at);
  if (*at)
    return fs_frames_fail (error, FS_FRAMES_ERROR_PATTERN, pattern,
                           "only one %%d or %%0Nd can stand in a pattern, and %%%% for a percent "
                           "sign");
  names->before = g_steal_pointer (&before);
  names->after = g_steal_pointer (&after);
  names->n_digits = n_digits;
  return TRUE;
}

void
fs_frame_names_clear (FsFrameNames *names)
{
  g_clear_pointer (&names->before, g_free);
  g_clear_pointer (&names->after, g_free);
}

char *
fs_frame_names_expand (const FsFrameNames *names, guint64 number)
{
  return g_strdup_printf ("%s%0*" G_GINT64_MODIFIER "u%s", names->before, names->n_digits, number,
                          names->after);
}

gboolean
fs_frame_names_match (const FsFrameNames *names, const char *name, guint64 *number)
{
  size_t n_before = strlen (names->before), n_after = strlen (names->after), n = strlen (name);
  if (n <= n_before + n_after || strncmp (name, names->before, n_before) != 0
      || strcmp (name + n - n_after, names->after) != 0)
    return FALSE;
  const char *digits = name + n_before;
  size_t n_digits = n - n_before - n_after, n_min = (size_t)names->n_digits;
  if (n_digits < n_min || n_digits > FS_FRAME_MAX_DIGITS || (n_digits > n_min && digits[0] == '0'))
    return FALSE;
  guint64 value = 0; /* digits may follow that are not of the number */
  for (size_t i = 0; i < n_digits; i++) {
    if (!g_ascii_isdigit (digits[i]))
      return FALSE;
    value = 10 * value + (guint64)(digits[i] - '0');
  }
  *number = value;
  return TRUE;
}
