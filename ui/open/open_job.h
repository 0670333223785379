/* SPDX-License-Identifier: MIT */
/* Opening a photo, or a session with its photo, without stopping the window.   Layer: ui.
 *
 * A worker reads the session, decodes the photo and builds the pyramid; the result comes back on
 * the caller's thread-default main context.
 */
#ifndef FS_UI_OPEN_OPEN_JOB_H
#define FS_UI_OPEN_OPEN_JOB_H

#include "app/photo/photo.h"
#include "app/session/session_photo.h"
#include "ui/view/pyramid.h"

G_BEGIN_DECLS

/* Set with g_atomic_int_set(). */
typedef struct {
  gint permille;   /* of the photo that is decoded, where that is known */
  gint is_decoded; /* … and the view of it is being prepared */
} FsOpenStage;

/* The file to open. The strings, the session and the stage are borrowed until the job has
 * finished. */
typedef struct {
  GFile *file;              /* a photo or a session                                            */
  const char *photo;        /* path; instead of the photo that the session names; may be NULL  */
  const FsSession *session; /* what was painted on the photo `file`, already read; may be NULL */
  FsOpenStage *stage;       /* where the job says what it is at; may be NULL */
} FsOpenRequest;

typedef struct {
  FsPhoto *photo;
  FsPyramid *pyramid; /* of the photo's image in the colours of the display */
  char *photo_path;
  FsSession *session; /* read from `session_path`, or both NULL */
  char *session_path;
  char *saved_session; /* a session of this photo that lies beside it and was not asked for; or NULL
                        */
  FsSessionFit fit; /* of the photo to what was painted on it: FS_SESSION_FIT_CHANGED or better */
} FsOpened;

void fs_opened_free (FsOpened *opened);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOpened, fs_opened_free)

/* Returns whether a file is taken for a session: by its name. */
gboolean fs_open_job_is_session (const char *path);

void fs_open_job_start (const FsOpenRequest *request, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data);
/* Errors: FS_PHOTO_ERROR, FS_SESSION_ERROR, with a sentence to show; FS_SESSION_ERROR_PHOTO where
 * the strokes are there but their photo is not, or has another size; G_IO_ERROR_CANCELLED. */
FsOpened *fs_open_job_finish (GAsyncResult *result, GError **error);

G_END_DECLS

#endif
