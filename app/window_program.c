/* SPDX-License-Identifier: MIT */
#include "app/window_program.h"

#include "app/commands/command_line.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define NAME "fretsaw-window"

/* The installed path of the window program, for this program in `folder`; also below another root
 * than that of the build. NULL: not installed. g_free. */
static char *
installed_in (const char *folder)
{
  if (!g_str_has_suffix (folder, FS_BIN_DIR))
    return NULL;
  g_autofree char *root = g_strndup (folder, strlen (folder) - strlen (FS_BIN_DIR));
  return g_strconcat (root, FS_WINDOW_DIR "/" NAME, NULL);
}

char *
fs_window_program_find (void)
{
  g_autofree char *self = g_file_read_link ("/proc/self/exe", NULL);
  if (self == NULL)
    return NULL;
  g_autofree char *folder = g_path_get_dirname (self);
  g_autofree char *sibling = g_build_filename (folder, NAME, NULL);
  g_autofree char *installed = installed_in (folder);
  if (g_file_test (sibling, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&sibling);
  if (installed != NULL && g_file_test (installed, G_FILE_TEST_IS_EXECUTABLE))
    return g_steal_pointer (&installed);
  return NULL;
}

int
fs_window_program_run (const char *program, char **argv)
{
  execv (program, argv);
  g_autofree char *message = g_strdup_printf ("%s: %s", program, g_strerror (errno));
  return fs_command_fail (FS_EXIT_FAILED, message);
}
