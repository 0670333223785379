/* SPDX-License-Identifier: MIT */
/* The window's program, which `fretsaw` becomes where no command is meant.   Layer: app.
 *
 * It is a program of its own so that commands neither load the toolkit nor need it to be installed
 * (docs/decisions/separate-programs.md).
 */
#ifndef FS_APP_WINDOW_PROGRAM_H
#define FS_APP_WINDOW_PROGRAM_H

#include <glib.h>

G_BEGIN_DECLS

/* Its path: beside this program, as where both are built, or where it is installed. NULL: there is
 * none. g_free. */
char *fs_window_program_find (void);

/* Becomes `program`, with all arguments as they are. Returns the exit code of a command that
 * failed, and has said why, where that cannot be. */
int fs_window_program_run (const char *program, char **argv);

G_END_DECLS

#endif
