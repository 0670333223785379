/* SPDX-License-Identifier: MIT */
/* Common parts of all commands: options, wrong usage, messages.   Layer: app. */
#ifndef FS_APP_COMMANDS_COMMAND_LINE_H
#define FS_APP_COMMANDS_COMMAND_LINE_H

#include <glib.h>

G_BEGIN_DECLS

enum { FS_EXIT_DONE = 0, FS_EXIT_FAILED = 1, FS_EXIT_USAGE = 2, FS_EXIT_PARTIAL = 3 };

/* Parses argv by `entries`. Refuses an option with a value that is given twice, unless it is a
 * list, and a flag with one. `*help` is set in any case (g_free). Errors: G_OPTION_ERROR. */
gboolean fs_command_parse (const GOptionEntry *entries, const char *arguments, const char *summary,
                           int argc, char **argv, char **help, GError **error);

/* Allows an option ("--find-subject") without "=VALUE", for which its value is "". Changes argv;
 * call it before parsing. */
void fs_command_allow_bare (int argc, char **argv, const char *option);

/* Sets a G_OPTION_ERROR and returns FALSE. */
gboolean fs_command_usage (GError **error, const char *message);

/* Refuses an output that is also an input or is given twice, since that would lose a file; paths
 * that name no file (empty, -, or an ending alone); and outputs with the ending of a picture format
 * that this build cannot write. The first n_inputs of the n paths are inputs; any may be NULL. */
gboolean fs_command_check_files (const char *const *files, guint n, guint n_inputs, GError **error);

/* Refuses a name of a text file (a report) with the ending of a picture. May be NULL. */
gboolean fs_command_check_text (const char *name, GError **error);

/* Refuses pictures with an outline's ending (.svg), masks, alpha and labels with that of layers
 * (.ora, .psd) or of a format with loss (.jpg), and labels in a format without a palette. Any may
 * be NULL. */
gboolean fs_command_check_pictures (const char *mask, const char *alpha, const char *cutout,
                                    const char *labels, GError **error);

/* Refuses an outline without the ending .svg, and reads --outline-tolerance; NULL gives the
 * default. */
gboolean fs_command_check_outline (const char *outline, const char *tolerance, double *tolerance_px,
                                   GError **error);

/* Refuses --keep-hidden without --cutout or --cutouts (`cutout` is NULL). */
gboolean fs_command_check_keep_hidden (gboolean keep_hidden, const char *cutout, GError **error);
/* The same for --keep-metadata. */
gboolean fs_command_check_keep_metadata (gboolean keep_metadata, const char *cutout,
                                         GError **error);

/* --background and --quality, as given. */
typedef struct {
  char *background;
  int quality;
} FsCommandBackground;

#define FS_COMMAND_NO_QUALITY G_MININT

/* Refuses --background without a --cutout in a format that it can be put on, a JPEG without it, a
 * name that is neither a colour nor a file, and --quality out of range or without a JPEG. */
gboolean fs_command_check_background (const FsCommandBackground *o, const char *cutout,
                                      gboolean keep_hidden, GError **error);
/* The file that --background names; NULL where it names none. */
const char *fs_command_background_file (const char *background);

#define FS_COMMAND_NO_DEVICE G_MININT

/* Makes the device that --device names the only one; before a backend is opened.
 * FS_COMMAND_NO_DEVICE leaves all. Refuses it with --backend cpu. */
gboolean fs_command_take_device (int device, const char *backend, GError **error);

/* --jobs and --devices, as given. */
typedef struct {
  int n; /* 0: not given */
  char *devices;
} FsCommandJobs;

/* Reads both: one job for each device where these are named; several jobs share all that there
 * are. `*devices`: as fs_device_choice_assign takes them, or NULL; g_strfreev. */
gboolean fs_command_read_jobs (const FsCommandJobs *o, const char *backend, int *n_jobs,
                               char ***devices, GError **error);

/* Refuses --mask-page without a --cutout in TIFF. */
gboolean fs_command_check_mask_page (gboolean mask_page, const char *cutout, GError **error);

/* Prints the notes of an export, one per line, on standard error. May be NULL or "". */
void fs_command_print_notes (const char *lines);

/* Flushes standard output. Returns `code`, or, with a message, that of a failure if output was lost
 * (a full disk). */
int fs_command_finish (int code);

/* Prints the notice of the backend, if there is one, on standard error. */
void fs_command_print_notice (void);

/* Ends the process as the signal would have ended it. */
int fs_command_end_by_signal (int number);

/* Prints "fretsaw: …" on standard error and returns the code. */
int fs_command_fail (int code, const char *message);

/* The same for wrong usage of `command`, which names its help. */
int fs_command_fail_usage (const char *command, const GError *error);

/* fretsaw cut …, fretsaw replay …; argv[0] is "cut", "replay". */
int fs_command_cut (int argc, char **argv);
int fs_command_replay (int argc, char **argv);

/* fretsaw export …, fretsaw coco …; argv[0] is "export", "coco". */
int fs_command_export (int argc, char **argv);

/* fretsaw import …; argv[0] is "import". */
int fs_command_import (int argc, char **argv);

/* fretsaw frames …; argv[0] is "frames". */
int fs_command_frames (int argc, char **argv);

/* fretsaw maxflow …, fretsaw mrf …; argv[0] is "maxflow", "mrf". */
int fs_command_maxflow (int argc, char **argv);
int fs_command_mrf (int argc, char **argv);

G_END_DECLS

#endif
