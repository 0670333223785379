/* SPDX-License-Identifier: MIT */
/* A mask of another program as a starting selection: ask which, read it, paint it as strokes.
 * Layer: ui.
 *
 * Threads: the main one; a worker reads the file and finds the strokes (app/mask_strokes.h).
 */
#ifndef FS_UI_IMPORT_FLOW_H
#define FS_UI_IMPORT_FLOW_H

#include "app/project.h"
#include "ui/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_IMPORT_FLOW (fs_import_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsImportFlow, fs_import_flow, FS, IMPORT_FLOW, GObject)

FsImportFlow *fs_import_flow_new (GtkWindow *parent, FsMessageBar *messages);

/* Nothing happens while another one is on its way. */
void fs_import_flow_ask (FsImportFlow *self, FsProject *project);

/* Cancels, and lets go of parent and messages. */
void fs_import_flow_close (FsImportFlow *self);

G_END_DECLS

#endif
