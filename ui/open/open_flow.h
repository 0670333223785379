/* SPDX-License-Identifier: MIT */
/* Opening of a file: decodes it, asks for a missing photo, restores its strokes.   Layer: ui.
 *
 * One file at a time; opening another one cancels the first. Failures are shown in the message bar
 * and change nothing.
 *
 * Signals:
 *   "opened" (FsProject *project, gpointer FsOpened *opened)
 *     the photo is loaded; handlers may take parts of `opened`
 *   "ended" (gboolean done)
 *     after "opened": all strokes are restored (TRUE), or this was cancelled
 *   "failed" (GFile *file)
 *     the file could not be opened, and the message bar says why
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
/* Opens work that was lost in a crash; takes ownership of it. Its journal is kept until the work is
 * saved or discarded. */
void fs_open_flow_recover (FsOpenFlow *self, FsLostWork *lost);
/* TRUE while a file is being opened, or its strokes restored. */
gboolean fs_open_flow_is_busy (FsOpenFlow *self);
/* The file that is being opened, or NULL. */
GFile *fs_open_flow_get_file (FsOpenFlow *self);
gboolean fs_open_flow_is_restoring (FsOpenFlow *self);

/* Cancels the opening, if there is one. */
void fs_open_flow_cancel (FsOpenFlow *self);
/* Cancels, and drops the references to parent and messages. */
void fs_open_flow_close (FsOpenFlow *self);

G_END_DECLS

#endif
