/* SPDX-License-Identifier: MIT */
/* Progress of a command: on a terminal one line of standard error, overwritten by each update; else
 * nothing.   Layer: app.
 *
 * Threads: one at a time.
 */
#ifndef FS_APP_COMMANDS_PROGRESS_LINE_H
#define FS_APP_COMMANDS_PROGRESS_LINE_H

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gboolean is_terminal;
  int n_written; /* length of that line */
  gint64 start_us, last_us;
} FsProgressLine;

FsProgressLine fs_progress_line_begin (void);
/* TRUE if the line is to be written again now. */
gboolean fs_progress_line_is_due (const FsProgressLine *line);
/* ASCII alone. */
void fs_progress_line_show (FsProgressLine *line, const char *text);
/* Before anything else is printed, and at the end. */
void fs_progress_line_wipe (FsProgressLine *line);

/* Shows how far the alpha in zones is: FsExport's refining. `line` is an FsProgressLine. */
void fs_progress_line_show_refining (double fraction, gpointer line);

/* Prints "fretsaw: …" on standard error; `line` is an FsProgressLine. */
void fs_progress_line_print (const char *message, gpointer line);

G_END_DECLS

#endif
