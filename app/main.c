/* SPDX-License-Identifier: MIT */
/* Composition root of the commands; executes the window program. */
#include "app/commands/commands.h"
#include "app/files/process_limits.h"
#include "app/live/live_thread.h"
#include "app/window_program.h"

#include <locale.h>

int
main (int argc, char **argv)
{
  fs_process_limits_prepare ();
  setlocale (LC_ALL, "");
  g_autofree char *window = fs_window_program_find ();
  int code = fs_commands_run (argc, argv, window != NULL);
  if (code < 0)
    code = fs_window_program_run (window, argv);
  fs_live_wait_for_threads ();
  return code;
}
