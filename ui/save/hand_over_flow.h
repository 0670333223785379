/* SPDX-License-Identifier: MIT */
/* Return of a cut-out to the program that opened the window for it (`fretsaw --hand-over FOLDER
 * PHOTO`).   Layer: ui.
 *
 * Once the mask is final, the folder gets session.fretsaw, with the strokes, and then cutout.png,
 * the whole photo as RGBA with 8 bits: its alpha is that of the edge which the window
 * shows, and nothing of an alpha of the photo's own.
 *
 * One at a time. Threads: the main one; files are written by workers.
 */
#ifndef FS_UI_SAVE_HAND_OVER_FLOW_H
#define FS_UI_SAVE_HAND_OVER_FLOW_H

#include "app/session/project.h"
#include "ui/status/message_bar.h"

G_BEGIN_DECLS

#define FS_HAND_OVER_SESSION "session.fretsaw"
#define FS_HAND_OVER_CUTOUT  "cutout.png"

#define FS_TYPE_HAND_OVER_FLOW (fs_hand_over_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsHandOverFlow, fs_hand_over_flow, FS, HAND_OVER_FLOW, GObject)

/* `done` is called once both files are there. */
FsHandOverFlow *fs_hand_over_flow_new (const char *folder, FsMessageBar *messages,
                                       void (*done) (gpointer user_data), gpointer user_data);

/* Errors are shown in the message bar, and it can be tried again. Nothing happens while it runs. */
void fs_hand_over_flow_start (FsHandOverFlow *self, FsProject *project);

/* Cancels, and lets go of messages and `done`. */
void fs_hand_over_flow_close (FsHandOverFlow *self);

G_END_DECLS

#endif
