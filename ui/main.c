/* SPDX-License-Identifier: MIT */
/* The composition root of the window. Arguments are those of `fretsaw`, which has looked at them.
 */
#include "app/live.h"
#include "ui/application.h"

#include <locale.h>

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  int code = fs_application_main (argc, argv);
  fs_live_wait_for_threads ();
  return code;
}
