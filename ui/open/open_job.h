/* SPDX-License-Identifier: MIT */
/* Job that opens a photo, or a session with its photo, without blocking the window.   Layer: ui.
 *
 * A worker reads the session, decodes the photo and builds the pyramid; the callback runs in the
 * caller's thread-default main context.
 */
#ifndef FS_UI_OPEN_OPEN_JOB_H
#define FS_UI_OPEN_OPEN_JOB_H

#include "app/photo/photo.h"
#include "app/session/session_photo.h"
#include "ui/view/pyramid.h"

G_BEGIN_DECLS

/* Set with g_atomic_int_set(). */
typedef struct {
  gint permille;   /* of the photo that has been decoded, where known */
  gint is_decoded; /* decoding has ended; the pyramid is being built */
} FsOpenStage;

/* The file to open. The strings, the session and the stage are borrowed until the job has
 * finished. */
typedef struct {
  GFile *file;              /* a photo or a session                                            */
  const char *photo;        /* path, replaces the photo that the session names; or NULL */
  const FsSession *session; /* work on the photo `file`, already read; or NULL */
  FsOpenStage *stage;       /* the job's progress; may be NULL */
} FsOpenRequest;

typedef struct {
  FsPhoto *photo;
  FsPyramid *pyramid; /* of the photo's image in the colours of the display */
  char *photo_path;
  FsSession *session; /* read from `session_path`, or both NULL */
  char *session_path;
  char *saved_session; /* a session of this photo in its folder, found but not opened; or NULL */
  FsSessionFit fit;    /* of the photo to the strokes: FS_SESSION_FIT_CHANGED or better */
} FsOpened;

void fs_opened_free (FsOpened *opened);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOpened, fs_opened_free)

/* TRUE if the file's name has the ending of sessions. */
gboolean fs_open_job_is_session (const char *path);

void fs_open_job_start (const FsOpenRequest *request, GCancellable *cancellable,
                        GAsyncReadyCallback callback, gpointer user_data);
/* Errors: FS_PHOTO_ERROR, FS_SESSION_ERROR, with a sentence to show; FS_SESSION_ERROR_PHOTO where
 * the session was read but its photo is missing or has another size; G_IO_ERROR_CANCELLED. */
FsOpened *fs_open_job_finish (GAsyncResult *result, GError **error);

G_END_DECLS

#endif
