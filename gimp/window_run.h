/* SPDX-License-Identifier: MIT */
/* A run of Fretsaw's window on a picture in a private folder (`fretsaw --hand-over`).   Layer:
 * gimp.
 *
 * The folder belongs to the user alone and goes with all that is in it. While the window is open
 * the main context is iterated, and the host's progress moves. If this process is killed, as by the
 * host's Cancel, the window gets SIGTERM (on Linux) and removes the folder.
 *
 * Threads: one.
 */
#ifndef FS_GIMP_WINDOW_RUN_H
#define FS_GIMP_WINDOW_RUN_H

#include <glib.h>

G_BEGIN_DECLS

#define FS_WINDOW_RUN_PHOTO   "photo.png"
#define FS_WINDOW_RUN_SESSION "session.fretsaw"
#define FS_WINDOW_RUN_CUTOUT  "cutout.png"

/* In the window's environment: ended by SIGTERM it removes the folder. */
#define FS_WINDOW_RUN_PRIVATE "FRETSAW_HAND_OVER_PRIVATE"

typedef struct {
  char *folder;
} FsWindowRun;

/* Errors: G_FILE_ERROR. To be cleared in any case. */
gboolean fs_window_run_init (FsWindowRun *self, GError **error);
void fs_window_run_clear (FsWindowRun *self);

/* The path of one of the files above. g_free. */
char *fs_window_run_get_path (const FsWindowRun *self, const char *name);

/* Opens the window on the photo and waits until it is closed. `program`: `fretsaw`, or what stands
 * in for it; "": FRETSAW of the environment, or else `fretsaw` where it is installed or on PATH.
 * TRUE with *is_applied whether there is a cut-out. Errors: G_SPAWN_ERROR, G_SPAWN_EXIT_ERROR. */
gboolean fs_window_run_wait (const FsWindowRun *self, const char *program, gboolean *is_applied,
                             GError **error);

G_END_DECLS

#endif
