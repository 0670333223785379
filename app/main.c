/* SPDX-License-Identifier: MIT */
/* The composition root: a command, or the window. */
#include "app/commands.h"
#include "app/live.h"

#ifdef FS_HAVE_GUI
#include "ui/application.h"
#endif

#include <locale.h>

static int
run (int argc, char **argv)
{
#ifdef FS_HAVE_GUI
  int code = fs_commands_run (argc, argv, TRUE);
  return code >= 0 ? code : fs_application_main (argc, argv);
#else
  return fs_commands_run (argc, argv, FALSE);
#endif
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  int code = run (argc, argv);
  fs_live_wait_for_threads ();
  return code;
}
