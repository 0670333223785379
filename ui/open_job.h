/* SPDX-License-Identifier: MIT */
/* Opening a photo without stopping the window.   Layer: ui.
 *
 * A worker decodes the file and builds the pyramid; the result comes back on the caller's
 * thread-default main context.
 */
#ifndef FS_UI_OPEN_JOB_H
#define FS_UI_OPEN_JOB_H

#include "app/photo.h"
#include "ui/pyramid.h"

G_BEGIN_DECLS

typedef struct {
  FsPhoto *photo;
  FsPyramid *pyramid; /* of the photo's image */
} FsOpened;

void fs_opened_free (FsOpened *opened);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsOpened, fs_opened_free)

void fs_open_job_start (GFile *file, GCancellable *cancellable, GAsyncReadyCallback callback,
                        gpointer user_data);
/* Errors: FS_PHOTO_ERROR, with a sentence to show; G_IO_ERROR_CANCELLED. */
FsOpened *fs_open_job_finish (GAsyncResult *result, GError **error);

G_END_DECLS

#endif
