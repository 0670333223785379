/* SPDX-License-Identifier: MIT */
#include "app/commands.h"

#include "solver/solver.h"

#include <stdio.h>
#include <string.h>

#ifdef HAVE_BMP
#define BMP_FORMAT ", BMP"
#else
#define BMP_FORMAT ""
#endif

static int
print_help (void)
{
  puts (
      "Usage:\n"
      "  fretsaw [FILE…]                     open photos in the window\n"
      "  fretsaw cut PHOTO --seeds S.png …   cut a photo without a window; see fretsaw cut --help\n"
      "  fretsaw replay SESSION …            play a session's strokes; see fretsaw replay --help\n"
      "  fretsaw --version                   say what this build can do\n"
      "  fretsaw --help                      show this");
  return FS_EXIT_DONE;
}

static int
print_version (gboolean window)
{
  const FsBackend *cpu = fs_backend_find ("cpu", NULL);
  printf ("fretsaw %s\n", FS_VERSION);
  printf ("backends: %s (%s)\n", cpu->name, cpu->device ());
  printf ("formats: JPEG, PNG" BMP_FORMAT "\n");
  printf ("window: %s\n", window ? "yes" : "no");
  return FS_EXIT_DONE;
}

int
fs_commands_run (int argc, char **argv, gboolean window)
{
  const char *first = argc > 1 ? argv[1] : "";
  if (strcmp (first, "cut") == 0)
    return fs_command_cut (argc - 1, argv + 1);
  if (strcmp (first, "replay") == 0)
    return fs_command_replay (argc - 1, argv + 1);
  if (strcmp (first, "--help") == 0 || strcmp (first, "-h") == 0)
    return print_help ();
  if (strcmp (first, "--version") == 0)
    return print_version (window);
  if (window && (first[0] != '-' || strncmp (first, "--gapplication", 14) == 0))
    return -1;
  if (first[0] == '-') {
    g_autofree char *message = g_strdup_printf ("%s: no such option; see fretsaw --help", first);
    return fs_command_fail (FS_EXIT_USAGE, message);
  }
  return fs_command_fail (FS_EXIT_USAGE, "this build has no window; see fretsaw --help");
}
