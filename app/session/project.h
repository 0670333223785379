/* SPDX-License-Identifier: MIT */
/* A document and its files: the photo, the session, the journal.   Layer: app.
 *
 * From the first edit that is in no session, a journal (journal.h) follows the document, so that a
 * crash loses no finished stroke; saving removes it. Where it cannot be written, the next edit
 * tries again with all that there is.
 *
 * Signals:
 *   "changed" ()                           another session path, another name of an object, or
 *                                          saved or not saved any more
 *   "journal-failed" (const GError *error) strokes are not safe from a crash; once, until they are
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
/* Ends following the document. The journal is removed if nothing is unsaved, else it stays for
 * recovery. */
void fs_project_close (FsProject *self);
/* Unsaved work is given up: fs_project_close() will leave nothing. */
void fs_project_discard (FsProject *self);

FsDocument *fs_project_get_document (FsProject *self);
const char *fs_project_get_photo_path (FsProject *self);
/* The path that it was opened from or saved to last; NULL: none. */
const char *fs_project_get_session_path (FsProject *self);
/* Returns whether closing loses anything: strokes, settings or names that are in no session. */
gboolean fs_project_is_unsaved (FsProject *self);
/* The present strokes are in an exported picture, which does not save them. */
void fs_project_mark_exported (FsProject *self);
/* Returns whether they still are what was exported last. */
gboolean fs_project_is_exported (FsProject *self);

/* The given name of an object, FS_SEED_OBJECT and up; NULL while it only has its number.
 * Until the names change. */
const char *fs_project_get_name (FsProject *self, uint8_t label);
/* Calls it so, without the blanks around; NULL, or nothing but blanks, takes its name away. FALSE,
 * and it keeps its name, where no session could have that one (session.h). Not an edit that undo
 * takes back. */
gboolean fs_project_set_name (FsProject *self, uint8_t label, const char *name);

/* Brings back the strokes of a session that was read from `session_path`. Nobody else may edit the
 * document before `callback` comes. */
void fs_project_open_async (FsProject *self, const FsSession *session, const char *session_path,
                            GCancellable *cancellable, FsRestoreProgress progress,
                            GAsyncReadyCallback callback, gpointer user_data);
/* The same for work that a crash left; takes it. Its journal stays and is gone on with, so that a
 * second crash loses nothing either. */
void fs_project_recover_async (FsProject *self, FsLostWork *lost, GCancellable *cancellable,
                               FsRestoreProgress progress, GAsyncReadyCallback callback,
                               gpointer user_data);
/* Errors: G_IO_ERROR_CANCELLED. */
gboolean fs_project_restore_finish (FsProject *self, GAsyncResult *result, GError **error);

/* Writes a session and, when it is in place, removes the journal. The file names the photo relative
 * to itself; edits that come meanwhile are not in it and stay unsaved. Where `path` is the work's
 * session, and another program has changed the file since it was opened or saved here, it is left
 * alone, unless `replace` is set. */
void fs_project_save_async (FsProject *self, const char *path, gboolean replace,
                            GCancellable *cancellable, GAsyncReadyCallback callback,
                            gpointer user_data);
/* Errors: FS_SESSION_ERROR (CHANGED: by another program), FS_PHOTO_ERROR (the photo's sum),
 * FS_EXPORT_ERROR. */
gboolean fs_project_save_finish (FsProject *self, GAsyncResult *result, GError **error);

G_END_DECLS

#endif
