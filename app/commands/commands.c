/* SPDX-License-Identifier: MIT */
#include "app/commands/commands.h"

#include "app/commands/command_line.h"
#include "app/files/display_name.h"
#include "app/files/process_limits.h"
#include "app/photo/photo.h"
#include "app/video/video.h"
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"

#include <stdio.h>
#include <string.h>

static int
print_help (void)
{
  puts (
      "Usage:\n"
      "  fretsaw [FILE…]                     open photos in the window\n"
      "  fretsaw --hand-over FOLDER PHOTO    open one for another program, which finds the result\n"
      "                                      in FOLDER: cutout.png and session.fretsaw\n"
      "  fretsaw cut PHOTO --seeds S.png …   cut a photo without a window; see fretsaw cut --help\n"
      "  fretsaw cut DIR --out FOLDER …      cut many photos\n"
      "  fretsaw replay SESSION …            play a session's strokes; see fretsaw replay --help\n"
      "  fretsaw export SESSION… …           sessions as labels; see fretsaw export --help\n"
      "  fretsaw import LABELS …             labels as sessions; see fretsaw import --help\n"
      "  fretsaw coco SESSION… --out D.json  the same as COCO; see fretsaw coco --help\n"
      "  fretsaw mrf PROBLEM.mrf …           label a grid's pixels; see fretsaw mrf --help\n"
      "  fretsaw frames DIR --out FOLDER …   cut a sequence or a video; see fretsaw frames --help\n"
      "  fretsaw maxflow PROBLEM.max …       cut any network; see fretsaw maxflow --help\n"
      "  fretsaw --version                   show the version and what this build supports\n"
      "  fretsaw --help                      show this");
  return FS_EXIT_DONE;
}

static int
print_version (gboolean window)
{
  g_autoptr (GError) error = NULL;
  printf ("fretsaw %s\n", FS_VERSION);
  printf ("backends: %s (%s)", fs_backend_cpu.name, fs_backend_cpu.device ());
  if (fs_cuda_is_available (&error))
    printf (", %s (%s)\n", fs_backend_cuda.name, fs_backend_cuda.device ());
  else
    printf ("\n%s\n", error->message);
  printf ("formats: %s\n", fs_photo_get_formats ());
  printf ("video: %s\n", fs_video_get_reader () ? fs_video_get_reader () : "no");
  printf ("window: %s\n", window ? "yes" : "no");
  return FS_EXIT_DONE;
}

/* TRUE for a mistyped command: looks like one, but is neither a command nor a file. */
static gboolean
is_mistaken_command (const char *word)
{
  size_t n = strspn (word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");
  return n > 0 && word[0] != '-' && word[n] == '\0' && !g_file_test (word, G_FILE_TEST_EXISTS);
}

static int
refuse_word (const char *word, const char *reason)
{
  g_autofree char *shown = fs_display_name (word);
  g_autofree char *message = g_strdup_printf ("%s: %s; see fretsaw --help", shown, reason);
  return fs_command_fail (FS_EXIT_USAGE, message);
}

static gboolean
is_option (const char *word)
{
  static const char *const options[] = { "--help", "-h", "--version", "--gapplication-service",
                                         NULL };
  return g_strv_contains (options, word);
}

/* Checks the arguments of the window that is opened for another program. */
static int
check_hand_over (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  if (argc != 4)
    return refuse_word ("--hand-over", "takes a folder and a photo");
  if (!g_file_test (argv[2], G_FILE_TEST_IS_DIR))
    return refuse_word (argv[2], "is no folder to hand over to");
  if (!fs_command_check_files ((const char *const *)argv + 3, 1, 1, &error)) {
    g_autofree char *message = g_strdup_printf ("%s; see fretsaw --help", error->message);
    return fs_command_fail (FS_EXIT_USAGE, message);
  }
  return g_file_test (argv[3], G_FILE_TEST_EXISTS) ? FS_EXIT_DONE
                                                   : refuse_word (argv[3], "is no file");
}

/* Checks the arguments of the window: files, or those of D-Bus activation. GLib and GTK would
 * accept more options, and report unknown ones with messages of their own, after a display is
 * opened. Returns FS_EXIT_DONE if they are valid. */
static int
check_words (int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp (argv[i], "--") != 0; i++)
    if (argv[i][0] == '-' && argv[i][1] != '\0' && !(argc == 2 && is_option (argv[i])))
      return refuse_word (argv[i], is_option (argv[i]) ? "goes alone" : "no such option");
  g_autoptr (GError) error = NULL;
  guint n = (guint)MAX (argc - 1, 0);
  if (!fs_command_check_files ((const char *const *)argv + 1, n, n, &error)) {
    g_autofree char *message = g_strdup_printf ("%s; see fretsaw --help", error->message);
    return fs_command_fail (FS_EXIT_USAGE, message);
  }
  return FS_EXIT_DONE;
}

/* Runs a command that plays strokes, which needs workers. */
static int
with_workers (int (*command) (int argc, char **argv), int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  if (!fs_process_limits_start_workers (&error))
    return fs_command_fail (FS_EXIT_FAILED, error->message);
  return command (argc, argv);
}

static int
run_command (int argc, char **argv, gboolean window)
{
  const char *first = argc > 1 ? argv[1] : "";
  if (strcmp (first, "cut") == 0)
    return fs_command_cut (argc - 1, argv + 1);
  if (strcmp (first, "export") == 0 || strcmp (first, "coco") == 0)
    return with_workers (fs_command_export, argc - 1, argv + 1);
  if (strcmp (first, "import") == 0)
    return fs_command_import (argc - 1, argv + 1);
  if (strcmp (first, "replay") == 0)
    return with_workers (fs_command_replay, argc - 1, argv + 1);
  if (strcmp (first, "mrf") == 0)
    return fs_command_mrf (argc - 1, argv + 1);
  if (strcmp (first, "frames") == 0)
    return fs_command_frames (argc - 1, argv + 1);
  if (strcmp (first, "maxflow") == 0)
    return fs_command_maxflow (argc - 1, argv + 1);
  if (is_mistaken_command (first))
    return refuse_word (first, "neither a command nor a file");
  int code =
      strcmp (first, "--hand-over") == 0 ? check_hand_over (argc, argv) : check_words (argc, argv);
  if (code != FS_EXIT_DONE)
    return code;
  if (is_option (first) && strcmp (first, "--gapplication-service") != 0)
    return strcmp (first, "--version") == 0 ? print_version (window) : print_help ();
  return window ? -1
                : fs_command_fail (FS_EXIT_USAGE, "no window is installed; see fretsaw --help");
}

int
fs_commands_run (int argc, char **argv, gboolean window)
{
  int code = run_command (argc, argv, window);
  return code >= 0 ? fs_command_finish (code) : code;
}
