/* SPDX-License-Identifier: MIT */
/* The window's program, which `fretsaw` executes if no command is given.   Layer: app.
 *
 * It is a separate program so that commands neither load the toolkit nor need it to be installed
 * (docs/decisions/separate-programs.md).
 */
#ifndef FS_APP_WINDOW_PROGRAM_H
#define FS_APP_WINDOW_PROGRAM_H

#include <glib.h>

G_BEGIN_DECLS

/* Its path: in the folder of this program (a build tree), or where it is installed. NULL if there
 * is none. g_free. */
char *fs_window_program_find (void);

/* Replaces this process by `program`, with the same arguments. Returns only on failure, with a
 * message on standard error: the exit code. */
int fs_window_program_run (const char *program, char **argv);

G_END_DECLS

#endif
