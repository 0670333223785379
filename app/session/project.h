/* SPDX-License-Identifier: MIT */
/* Project: a document and its files, which are photo, session and journal.   Layer: app.
 *
 * From the first unsaved edit on all edits are written to a journal (journal.h), so that a crash
 * loses no finished stroke; saving removes it. If it cannot be written, the next edit tries again
 * with the whole state.
 *
 * Signals:
 *   "changed" ()                           another session path, another name or colour of an
 *                                          object, done or not any more, saved or not any more
 *   "journal-failed" (const GError *error) strokes are not safe from a crash; once until they are
 *
 * Threads: the document's. Files are read and written by workers, but for the journal, one small
 * write an edit.
 */
#ifndef FS_APP_SESSION_PROJECT_H
#define FS_APP_SESSION_PROJECT_H

#include "app/live/document.h"
#include "app/session/journals.h"
#include "app/session/restore.h"

G_BEGIN_DECLS

#define FS_TYPE_PROJECT (fs_project_get_type ())
G_DECLARE_FINAL_TYPE (FsProject, fs_project, FS, PROJECT, GObject)

/* Takes a reference to a document without strokes; `photo_path` is absolute. */
FsProject *fs_project_new (FsDocument *document, const char *photo_path);
/* Disconnects from the document. The journal is removed if nothing is unsaved, else it stays for
 * recovery. */
void fs_project_close (FsProject *self);
/* Discards unsaved work: fs_project_close() will remove the journal. */
void fs_project_discard (FsProject *self);

FsDocument *fs_project_get_document (FsProject *self);
const char *fs_project_get_photo_path (FsProject *self);
/* The path that it was opened from or saved to last; NULL: none. */
const char *fs_project_get_session_path (FsProject *self);
/* TRUE if strokes, settings or names are in no session, and closing would lose them. */
gboolean fs_project_is_unsaved (FsProject *self);
/* Records that the present strokes have been exported; they are not saved by that. */
void fs_project_mark_exported (FsProject *self);
/* TRUE if nothing has changed since the last export. */
gboolean fs_project_is_exported (FsProject *self);

/* The given name of an object, FS_SEED_OBJECT and up; NULL while it only has its number.
 * Until the names change. */
const char *fs_project_get_name (FsProject *self, uint8_t label);
/* Sets the name of an object, without surrounding blanks; NULL or blanks alone remove it. FALSE,
 * and nothing changes, for a name that no session can have (session.h). Not subject to undo. */
gboolean fs_project_set_name (FsProject *self, uint8_t label, const char *name);
/* The colour of a label, and both at once. */
uint32_t fs_project_get_colour (FsProject *self, uint8_t label);
gboolean fs_project_set_label (FsProject *self, uint8_t label, const char *name, uint32_t colour);
/* Whoever paints has called the photo done (session.h). Not subject to undo. */
gboolean fs_project_is_done (FsProject *self);
void fs_project_set_done (FsProject *self, gboolean done);

/* Restores the strokes of a session that was read from `session_path`. Nobody else may edit the
 * document before `callback` is called. */
void fs_project_open_async (FsProject *self, const FsSession *session, const char *session_path,
                            GCancellable *cancellable, FsRestoreProgress progress,
                            GAsyncReadyCallback callback, gpointer user_data);
/* The same for lost work, which it takes. Its journal stays and is continued, so that a second
 * crash loses nothing either. */
void fs_project_recover_async (FsProject *self, FsLostWork *lost, GCancellable *cancellable,
                               FsRestoreProgress progress, GAsyncReadyCallback callback,
                               gpointer user_data);
/* Errors: G_IO_ERROR_CANCELLED. */
gboolean fs_project_restore_finish (FsProject *self, GAsyncResult *result, GError **error);

/* Writes a session and, when it is in place, removes the journal. The file names the photo relative
 * to itself; edits that come meanwhile are not in it and stay unsaved. A file that another program
 * has changed since it was opened or saved here is left alone, and so is one that is there but is
 * not the work's session, unless `replace` is set. */
void fs_project_save_async (FsProject *self, const char *path, gboolean replace,
                            GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
/* Errors: FS_SESSION_ERROR (CHANGED: by another program), FS_PHOTO_ERROR (the photo's sum),
 * FS_EXPORT_ERROR. */
gboolean fs_project_save_finish (FsProject *self, GAsyncResult *result, GError **error);

G_END_DECLS

#endif
