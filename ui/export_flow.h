/* SPDX-License-Identifier: MIT */
/* From "Export…" to a whole file: ask where, wait for the exact mask, write.   Layer: ui.
 *
 * The file always holds the mask of the strokes that were on the photo when it was asked for or
 * later; a mask that is not exact is refused, never written silently. One export at a time for each
 * flow.
 *
 * Threads: the main one; the writing runs on a worker.
 */
#ifndef FS_UI_EXPORT_FLOW_H
#define FS_UI_EXPORT_FLOW_H

#include "app/export.h"
#include "app/project.h"
#include "ui/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_EXPORT_FLOW (fs_export_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsExportFlow, fs_export_flow, FS, EXPORT_FLOW, GObject)

/* Reports to `messages` and asks above `parent`, until it is closed. */
FsExportFlow *fs_export_flow_new (GtkWindow *parent, FsMessageBar *messages);

/* Asks for a name, suggesting one after the photo, and exports. Nothing happens while another
 * export is asked for or runs. */
void fs_export_flow_ask (FsExportFlow *self, FsProject *project, FsExportKind kind);

/* Cancels what runs (nothing is written then) and lets go of parent and messages. */
void fs_export_flow_close (FsExportFlow *self);

G_END_DECLS

#endif
