/* SPDX-License-Identifier: MIT */
/* Composition root of the window. The arguments are those of `fretsaw`, which has checked them. */
#include "app/files/process_limits.h"
#include "app/live/live_thread.h"
#include "ui/window/application.h"

#include <locale.h>

int
main (int argc, char **argv)
{
  fs_process_limits_prepare ();
  setlocale (LC_ALL, "");
  g_autoptr (GError) error = NULL;
  if (!fs_process_limits_start_workers (&error)) {
    g_printerr ("fretsaw: %s\n", error->message);
    return 1;
  }
  int code = fs_application_main (argc, argv);
  fs_live_wait_for_threads ();
  return code;
}
