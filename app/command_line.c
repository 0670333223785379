/* SPDX-License-Identifier: MIT */
#include "app/command_line.h"

#include "app/backend_choice.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

gboolean
fs_command_parse (const GOptionEntry *entries, const char *arguments, const char *summary, int argc,
                  char **argv, char **help, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (arguments);
  g_option_context_set_summary (context, summary);
  /* GLib's own --help ends the program. */
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, NULL);
  *help = g_option_context_get_help (context, FALSE, NULL);
  return g_option_context_parse (context, &argc, &argv, error);
}

gboolean
fs_command_usage (GError **error, const char *message)
{
  g_set_error_literal (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, message);
  return FALSE;
}

static gboolean
same_file (const char *a, const char *b)
{
  if (!a || !b)
    return FALSE;
  if (strcmp (a, b) == 0)
    return TRUE;
  struct stat sa, sb;
  return stat (a, &sa) == 0 && stat (b, &sb) == 0 && S_ISREG (sa.st_mode) && sa.st_dev == sb.st_dev
         && sa.st_ino == sb.st_ino;
}

gboolean
fs_command_check_files (const char *const *files, guint n, guint n_inputs, GError **error)
{
  for (guint i = 0; i < n; i++)
    for (guint k = MAX (i + 1, n_inputs); k < n; k++)
      if (same_file (files[i], files[k]))
        return fs_command_usage (error, "an output file is named twice, or is one of the inputs");
  return TRUE;
}

void
fs_command_tell_notice (void)
{
  const char *notice = fs_backend_choice_take_notice ();
  if (notice)
    fprintf (stderr, "fretsaw: %s\n", notice);
}

int
fs_command_fail (int code, const char *message)
{
  fprintf (stderr, "fretsaw: %s\n", message);
  return code;
}

int
fs_command_fail_usage (const char *command, const GError *error)
{
  g_autofree char *message = g_strdup_printf ("%s; see fretsaw %s --help", error->message, command);
  return fs_command_fail (FS_EXIT_USAGE, message);
}
