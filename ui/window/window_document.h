/* SPDX-License-Identifier: MIT */
/* The document of a window: title, messages, and the parts that follow the document.   Layer: ui.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_WINDOW_WINDOW_DOCUMENT_H
#define FS_UI_WINDOW_WINDOW_DOCUMENT_H

#include "ui/open/open_job.h"
#include "ui/window/window_state.h"

G_BEGIN_DECLS

/* Handler of the open flow's "opened". Shows the photo or session in place of the previous one, and
 * offers a session found in a photo's folder. */
void fs_window_document_opened (FsWindow *self, FsProject *project, FsOpened *opened);
/* Handler of the open flow's "ended". The strokes of a session are restored and can be edited; if
 * restoring was cancelled, the window shows nothing any more. */
void fs_window_document_restored (FsWindow *self, gboolean done);
/* Handler of the save flow's "leaves": opens the session at `path`, and tells then where the work
 * is that was shown. */
void fs_window_document_leave (FsWindow *self, const char *path, const char *own);
/* Drops the document, if there is one. */
void fs_window_document_drop (FsWindow *self);

G_END_DECLS

#endif
