/* SPDX-License-Identifier: MIT */
/* Restoring a session's strokes, and edits of the edge, in a new document.   Layer: app.
 *
 * The final mask is that of the saved work, whatever the timing. Before a stroke with a previous
 * mask (stability) that mask is waited for, so that there is progress to show; other strokes are
 * played without waiting.
 *
 * Threads: the document's. Long histories are played in batches.
 */
#ifndef FS_APP_SESSION_RESTORE_H
#define FS_APP_SESSION_RESTORE_H

#include "app/live/document.h"
#include "app/session/session.h"

G_BEGIN_DECLS

typedef void (*FsRestoreProgress) (guint n_done, guint n_all, gpointer user_data);

/* Paints the session's strokes into a document that has none, then undoes the last `n_undone`
 * edits, those of the edge included.
 * Nobody else may edit the document until `callback` comes. `progress` may be NULL. */
void fs_restore_async (FsDocument *document, const FsSession *session, guint n_undone,
                       GCancellable *cancellable, FsRestoreProgress progress,
                       GAsyncReadyCallback callback, gpointer user_data);
/* Errors: G_IO_ERROR_CANCELLED; the document then has some of the strokes. */
gboolean fs_restore_finish (GAsyncResult *result, GError **error);

/* The same, and waits until the mask is final: runs the thread-default main context. Errors: the
 * solver's. */
gboolean fs_restore_run (FsDocument *document, const FsSession *session, GError **error);

G_END_DECLS

#endif
