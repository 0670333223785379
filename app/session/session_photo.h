/* SPDX-License-Identifier: MIT */
/* The photo of a session: whether a file is the one that was painted on, and where it is.
 * Layer: app.
 *
 * A session belongs to pixels, not to bytes: another program may have written a rating or a place
 * into the file. So it records two sums: the SHA-256 of the file, and that of the decoded pixels,
 * which is taken of width and height, 32 bits each with the greatest byte first, and then of the
 * upright photo's pixels row by row, a byte each of red, green, blue and alpha as FsPhoto has them
 * (alpha 255 where the photo has none). Sessions from before the second sum existed have the first
 * alone; where it differs the photo's size decides, and a warning says so.
 *
 * Threads: any; all but the asynchronous function block.
 */
#ifndef FS_APP_SESSION_SESSION_PHOTO_H
#define FS_APP_SESSION_SESSION_PHOTO_H

#include "app/photo/photo.h"
#include "app/session/session.h"

G_BEGIN_DECLS

/* Photos of a folder whose file is summed, and of those how many are decoded, before one that was
 * renamed is given up. */
#define FS_SESSION_MAX_SUMMED  256
#define FS_SESSION_MAX_DECODED 16

/* From worse to better. */
typedef enum {
  FS_SESSION_FIT_NONE,    /* another size                                            */
  FS_SESSION_FIT_CHANGED, /* the size, but other pixels                              */
  FS_SESSION_FIT_SIZE,    /* the size, and another file; of the pixels nothing is known */
  FS_SESSION_FIT_PIXELS,  /* the pixels, in another file                             */
  FS_SESSION_FIT_FILE,    /* the file                                                */
} FsSessionFit;

typedef struct {
  FsPhoto *photo;
  char *path;
  FsSessionFit fit;
  gboolean moved; /* `path` is not where the session names it, and nobody else did */
} FsSessionPhoto;

void fs_session_photo_clear (FsSessionPhoto *found);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (FsSessionPhoto, fs_session_photo_clear)

/* The sum of an upright photo's pixels, FS_SESSION_SHA256_LENGTH digits. g_free. */
char *fs_session_sum_pixels (const FsImage *image);

/* Both sums of a photo; `pixels` is NULL where it was cancelled before. */
typedef struct {
  char *sha256, *pixels;
} FsSessionSums;

/* Takes them on a worker. `source` is referred to until `callback` is called, on this thread. */
void fs_session_sums_async (GObject *source, const char *photo_path, const FsImage *image,
                            GCancellable *cancellable, GAsyncReadyCallback callback);
/* Owned by the result. Errors: FS_PHOTO_ERROR, G_IO_ERROR_CANCELLED. */
const FsSessionSums *fs_session_sums_finish (GAsyncResult *result, GError **error);

/* The fit of the decoded photo at `path`. `cancellable` may be NULL. Errors, with
 * FS_SESSION_FIT_NONE: FS_PHOTO_ERROR where the file cannot be read. */
FsSessionFit fs_session_fit_photo (const FsSession *session, const char *path, const FsImage *image,
                                   GCancellable *cancellable, GError **error);

/* Finds and decodes the photo of the session that was read from `session_path`, which fits at least
 * so well; `found` is zero before. `where`: the photo, whose size must fit and nothing else, or a
 * folder in which it is looked for, or NULL: where the session says, and else beside the session: a
 * photo of the name that the session gives or of the session's own name, then any whose sum fits.
 * Errors: FS_PHOTO_ERROR, FS_SESSION_ERROR_PHOTO, about the photo that was to be expected. */
gboolean fs_session_photo_find (const FsSession *session, const char *session_path,
                                const char *where, FsSessionFit min, FsSessionPhoto *found,
                                GCancellable *cancellable, GError **error);

/* A note about it, one line: that it is elsewhere, or that only its size fits, or is known to.
 * NULL: nothing. g_free. */
char *fs_session_photo_note (const FsSessionPhoto *found);

/* "NAME: is not the photo that …". */
void fs_session_photo_refuse (const char *path, FsSessionFit fit, GError **error);

G_END_DECLS

#endif
