/* SPDX-License-Identifier: MIT */
/* Import of another program's mask or labels as a first guess: file dialog, reading, and one edit
 * that sets it. Labels (import_job.h) name its objects, too.   Layer: ui.
 *
 * A mask with the photo's proportions, or a square one, is scaled to the photo; others are refused.
 *
 * Threads: the main one; a worker reads the file.
 */
#ifndef FS_UI_OPEN_IMPORT_FLOW_H
#define FS_UI_OPEN_IMPORT_FLOW_H

#include "app/session/project.h"
#include "ui/canvas/canvas.h"
#include "ui/status/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_IMPORT_FLOW (fs_import_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsImportFlow, fs_import_flow, FS, IMPORT_FLOW, GObject)

/* The guess is shown on `canvas` if that still shows the project's document. */
FsImportFlow *fs_import_flow_new (GtkWindow *parent, FsMessageBar *messages, FsCanvas *canvas);

/* Does nothing while another import is running. */
void fs_import_flow_ask (FsImportFlow *self, FsProject *project);

/* Cancels, and drops the references to parent, messages and canvas. */
void fs_import_flow_close (FsImportFlow *self);

G_END_DECLS

#endif
