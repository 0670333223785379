/* SPDX-License-Identifier: MIT */
/* Exporting: ask for options and a name, wait for the exact mask, write.   Layer: ui.
 *
 * The files always hold the mask of the strokes that were on the photo when they were asked for or
 * later; a mask that is not exact is refused, never written silently. One export at a time for each
 * flow.
 *
 * Threads: the main one; the writing runs on a worker.
 */
#ifndef FS_UI_SAVE_EXPORT_FLOW_H
#define FS_UI_SAVE_EXPORT_FLOW_H

#include "app/session/project.h"
#include "ui/status/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_EXPORT_FLOW (fs_export_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsExportFlow, fs_export_flow, FS, EXPORT_FLOW, GObject)

/* Reports to `messages` and asks above `parent`, until it is closed. */
FsExportFlow *fs_export_flow_new (GtkWindow *parent, FsMessageBar *messages);

/* Asks what and where, suggesting a name after the photo, and exports. Nothing happens while
 * another export is asked for or runs. */
void fs_export_flow_ask (FsExportFlow *self, FsProject *project);
/* Exports to the same files as the last time, without asking; asks where there was no last time for
 * this project. With `goes_on` another photo is exported as the last one was, beside its files. */
void fs_export_flow_repeat (FsExportFlow *self, FsProject *project, gboolean goes_on);

/* Cancels what runs (nothing is written then) and lets go of parent and messages. */
void fs_export_flow_close (FsExportFlow *self);

G_END_DECLS

#endif
