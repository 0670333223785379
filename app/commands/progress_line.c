/* SPDX-License-Identifier: MIT */
#include "app/commands/progress_line.h"

#include <stdio.h>
#include <unistd.h>

enum { PROGRESS_US = 100000 };

FsProgressLine
fs_progress_line_begin (void)
{
  return (FsProgressLine){ .is_terminal = isatty (STDERR_FILENO),
                           .start_us = g_get_monotonic_time () };
}

gboolean
fs_progress_line_is_due (const FsProgressLine *line)
{
  return line->is_terminal && g_get_monotonic_time () - line->last_us >= PROGRESS_US;
}

void
fs_progress_line_wipe (FsProgressLine *line)
{
  if (line->n_written > 0)
    fprintf (stderr, "\r%*s\r", line->n_written, "");
  line->n_written = 0;
}

void
fs_progress_line_show (FsProgressLine *line, const char *text)
{
  fs_progress_line_wipe (line);
  line->n_written = fprintf (stderr, "%s", text);
  line->last_us = g_get_monotonic_time ();
  fflush (stderr);
}

void
fs_progress_line_show_refining (double fraction, gpointer line)
{
  if (!fs_progress_line_is_due (line))
    return;
  g_autofree char *text = g_strdup_printf ("refining the edge, %.0f %%", 100 * fraction);
  fs_progress_line_show (line, text);
}

void
fs_progress_line_print (const char *message, gpointer line)
{
  fs_progress_line_wipe (line);
  fprintf (stderr, "fretsaw: %s\n", message);
}
