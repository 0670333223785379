/* SPDX-License-Identifier: MIT */
/* Opening a file: decode it, ask for a missing photo, restore its strokes.   Layer: ui.
 *
 * One opening at a time; another one replaces it. Failures are shown in the message bar and change
 * nothing.
 *
 * Signals:
 *   "opened" (FsProject *project, gpointer FsOpened *opened)  the photo is there; `opened` may be
 * emptied "ended" (gboolean done)    after "opened": the strokes are all back, or it was cancelled
 *
 * Threads: the main one; files are read by workers.
 */
#ifndef FS_UI_OPEN_OPEN_FLOW_H
#define FS_UI_OPEN_OPEN_FLOW_H

#include "app/session/project.h"
#include "ui/open/open_job.h"
#include "ui/status/message_bar.h"

G_BEGIN_DECLS

#define FS_TYPE_OPEN_FLOW (fs_open_flow_get_type ())
G_DECLARE_FINAL_TYPE (FsOpenFlow, fs_open_flow, FS, OPEN_FLOW, GObject)

FsOpenFlow *fs_open_flow_new (GtkWindow *parent, FsMessageBar *messages);

/* A photo or a session. */
void fs_open_flow_open (FsOpenFlow *self, GFile *file);
/* Work that a crash left; takes it. Whatever happens, its journal stays until the work is saved or
 * given up. */
void fs_open_flow_recover (FsOpenFlow *self, FsLostWork *lost);
/* Returns whether a file is being opened, or strokes are coming back. */
gboolean fs_open_flow_is_busy (FsOpenFlow *self);
/* Which; NULL when none is. */
GFile *fs_open_flow_get_file (FsOpenFlow *self);
gboolean fs_open_flow_is_restoring (FsOpenFlow *self);

/* Cancels the opening, if there is one. */
void fs_open_flow_cancel (FsOpenFlow *self);
/* Cancels, and lets go of parent and messages. */
void fs_open_flow_close (FsOpenFlow *self);

G_END_DECLS

#endif
