/* SPDX-License-Identifier: MIT */
/* A copy of a document that a worker writes as a session.   Layer: app, private to work.c.
 *
 * Threads: made on the document's, then the worker's alone.
 */
#ifndef FS_APP_WORK_SAVE_H
#define FS_APP_WORK_SAVE_H

#include "app/document.h"
#include "app/session.h"

G_BEGIN_DECLS

typedef struct {
  FsSession *session;
  char *path;
  char *photo_path; /* after writing: where the session's photo lies */
} FsWorkSave;

/* `sha256` of the photo may be NULL: not known yet. */
FsWorkSave *fs_work_save_new (FsDocument *document, const char *path, const char *photo_path,
                              const char *sha256);
void fs_work_save_free (FsWorkSave *save);

/* Blocks. A pasted photo (pasted.h) is copied beside the session first. Errors: see
 * fs_work_save_finish(). */
gboolean fs_work_save_write (FsWorkSave *save, GCancellable *cancellable, GError **error);

G_END_DECLS

#endif
