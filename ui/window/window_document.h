/* SPDX-License-Identifier: MIT */
/* The document that a window shows: its title, its messages, and the parts that follow it.
 * Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_DOCUMENT_H
#define FS_UI_WINDOW_WINDOW_DOCUMENT_H

#include "ui/open/open_job.h"
#include "ui/window/window_state.h"

G_BEGIN_DECLS

/* Shows a photo or session that has been opened, and offers the session that is saved beside a
 * photo; what was shown before is let go. The open flow's "opened". */
void fs_window_document_opened (FsWindow *self, FsProject *project, FsOpened *opened);
/* The strokes of a session are back, and may be gone on with. Where they were not waited for
 * nothing is shown any more. The open flow's "ended". */
void fs_window_document_restored (FsWindow *self, gboolean done);
/* Lets go of the document, if there is one. */
void fs_window_document_drop (FsWindow *self);

G_END_DECLS

#endif
