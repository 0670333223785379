/* SPDX-License-Identifier: MIT */
/* Saving by itself: the session beside the photo, a moment after the last edit.   Layer: ui.
 *
 * For photos of a folder that is labelled as one job. Every finished stroke is in the journal
 * before; the session follows when nothing was edited for a second, when the photo is left, and
 * when the window is closed. There is no question, unless the file is not the one that was opened
 * or saved here (save_flow.h asks then).
 *
 * Signals: "saved" (): the project's session is in place.
 *
 * Threads: the main one; files are written by workers.
 */
#ifndef FS_UI_SAVE_AUTOSAVE_H
#define FS_UI_SAVE_AUTOSAVE_H

#include "ui/save/save_flow.h"

G_BEGIN_DECLS

#define FS_TYPE_AUTOSAVE (fs_autosave_get_type ())
G_DECLARE_FINAL_TYPE (FsAutosave, fs_autosave, FS, AUTOSAVE, GObject)

/* Failures are shown in `messages`. */
FsAutosave *fs_autosave_new (FsSaveFlow *save_flow, FsMessageBar *messages);

/* Saves this project from now on; NULL: none. What is being written will be whole. */
void fs_autosave_set_project (FsAutosave *self, FsProject *project);
/* For a project that another takes the place of: saves what is unsaved, closes it, and is off.
 * FALSE, and nothing is done, where there is nothing to save. */
gboolean fs_autosave_let_go (FsAutosave *self);
gboolean fs_autosave_is_on (FsAutosave *self);

/* Saves at once what is not saved yet, and calls `done` once: with FALSE where it could not be
 * saved, which has been shown. Another call replaces this one. */
void fs_autosave_flush (FsAutosave *self, FsSaveDone done, gpointer user_data);

/* Lets go of the save flow and the messages. */
void fs_autosave_close (FsAutosave *self);

G_END_DECLS

#endif
