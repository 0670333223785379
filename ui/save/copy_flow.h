/* SPDX-License-Identifier: MIT */
/* The cut-out to the clipboard, as PNG with alpha, cropped as exports are.   Layer: ui.
 *
 * Like an export it waits for the exact mask of the present strokes. One at a time.
 *
 * Threads: the main one; a worker packs the picture.
 */
#ifndef FS_UI_SAVE_COPY_FLOW_H
#define FS_UI_SAVE_COPY_FLOW_H

#include "app/session/project.h"
#include "ui/status/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_COPY_FLOW (fs_copy_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsCopyFlow, fs_copy_flow, FS, COPY_FLOW, GObject)

FsCopyFlow *fs_copy_flow_new (FsMessageBar *messages);

/* Nothing happens while another one is on its way. */
void fs_copy_flow_start (FsCopyFlow *self, FsProject *project);

/* Cancels, and lets go of the messages. */
void fs_copy_flow_close (FsCopyFlow *self);

G_END_DECLS

#endif
