/* SPDX-License-Identifier: MIT */
/* Snapshot of a document, which a worker writes as a session.   Layer: app, private to project.c.
 *
 * Threads: made on the document's, then the worker's alone.
 */
#ifndef FS_APP_SESSION_PROJECT_SAVE_H
#define FS_APP_SESSION_PROJECT_SAVE_H

#include "app/live/document.h"
#include "app/session/session.h"

G_BEGIN_DECLS

typedef struct {
  FsSession *session;
  char *path;
  char *photo_path; /* after writing: where the session's photo lies */
  char
      replaced_sha256[FS_SESSION_SHA256_LENGTH + 1]; /* of the file that may be replaced; "": any */
  gboolean is_new;                                   /* nothing may be there yet */
  FsImage *image;
} FsProjectSave;

/* Copies the document's state, and of `named` the labels only. `sha256` of the photo may be NULL if
 * not known yet. */
FsProjectSave *fs_project_save_new (FsDocument *document, const FsSession *named, const char *path,
                                    const char *photo_path, const char *sha256);
void fs_project_save_free (FsProjectSave *save);

/* Writes the session, after copying a pasted photo (pasted.h) to its folder. A file that somebody
 * else has written, as far as replaced_sha256 and is_new say, is replaced only where all that is in
 * it is in this session, too. Blocks. Errors: as
 * fs_project_save_finish(). */
gboolean fs_project_save_write (FsProjectSave *save, GCancellable *cancellable, GError **error);

G_END_DECLS

#endif
