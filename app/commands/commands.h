/* SPDX-License-Identifier: MIT */
/* The command line.   Layer: app. No command opens a display.
 *
 * Exit codes: 0 done; 1 it failed, with "fretsaw: FILE: reason" on standard error; 2 wrong usage.
 */
#ifndef FS_APP_COMMANDS_COMMANDS_H
#define FS_APP_COMMANDS_COMMANDS_H

#include "app/commands/command_line.h"

G_BEGIN_DECLS

/* Runs the command that argv names (`cut`, `replay`, --version, --help) and returns its exit code,
 * or −1 where argv names none and the window is meant. `window` says whether there is one. */
int fs_commands_run (int argc, char **argv, gboolean window);

/* fretsaw cut …, fretsaw replay …; argv[0] is "cut", "replay". */
int fs_command_cut (int argc, char **argv);
int fs_command_replay (int argc, char **argv);

/* fretsaw coco …; argv[0] is "coco". */
int fs_command_coco (int argc, char **argv);

/* fretsaw frames …; argv[0] is "frames". */
int fs_command_frames (int argc, char **argv);

/* fretsaw maxflow …, fretsaw mrf …; argv[0] is "maxflow", "mrf". */
int fs_command_maxflow (int argc, char **argv);
int fs_command_mrf (int argc, char **argv);

G_END_DECLS

#endif
