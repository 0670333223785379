/* SPDX-License-Identifier: MIT */
/* The command line.   Layer: app. No command opens a display.
 *
 * Exit codes: 0 done; 1 it failed, with "fretsaw: FILE: reason" on standard error; 2 wrong usage.
 */
#ifndef FS_APP_COMMANDS_COMMANDS_H
#define FS_APP_COMMANDS_COMMANDS_H

#include <glib.h>

G_BEGIN_DECLS

/* Runs the command that argv names (`cut`, `replay`, --version, --help) and returns its exit code,
 * or −1 if argv names none, so that the window is to be opened. `window`: the window program is
 * installed. */
int fs_commands_run (int argc, char **argv, gboolean window);

G_END_DECLS

#endif
