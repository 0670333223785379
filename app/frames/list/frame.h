/* SPDX-License-Identifier: MIT */
/* A frame of a sequence, and the errors of sequences.   Layer: app.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_FRAMES_LIST_FRAME_H
#define FS_APP_FRAMES_LIST_FRAME_H

#include "energy/image/image.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_FRAMES_ERROR (fs_frames_error_quark ())
GQuark fs_frames_error_quark (void);

typedef enum {
  FS_FRAMES_ERROR_FOLDER,  /* cannot be read, has no frames, or two with one number        */
  FS_FRAMES_ERROR_PATTERN, /* is malformed                                                 */
  FS_FRAMES_ERROR_STROKES, /* a file of strokes cannot be used                             */
  FS_FRAMES_ERROR_FRAME,   /* has another size than the others, or does not fit memory     */
  FS_FRAMES_ERROR_OTHER,   /* the output folder has files of something else                */
  FS_FRAMES_ERROR_LOST,    /* a frame in which the object is not found                     */
  FS_FRAMES_ERROR_VIDEO,   /* cannot be read, or not by this build                         */
} FsFramesError;

/* Sets "PATH: reason" and returns FALSE. */
gboolean fs_frames_fail (GError **error, FsFramesError code, const char *path, const char *format,
                         ...) G_GNUC_PRINTF (4, 5);

/* An image file, or a picture of a video. Reference counted. */
typedef struct {
  char *path; /* also for messages; "VIDEO: frame 12" for a picture of a video, not a file */
  char *stem; /* of the outputs' names: the file's name without its ending */
  guint64 number;
  FsImage *image; /* of a picture of a video; NULL: in the file */
  char *sum;      /* see fs_frame_sum; NULL: not asked for yet */
} FsFrame;

FsFrame *fs_frame_new (char *path, char *stem, guint64 number); /* takes both strings */
FsFrame *fs_frame_ref (FsFrame *frame);
void fs_frame_unref (FsFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrame, fs_frame_unref)

/* The frame's picture, read if need be; fs_image_unref. `warning` may be NULL; it gets NULL, or a
 * message about damage in the file, g_free. Errors: FS_PHOTO_ERROR. */
FsImage *fs_frame_load (const FsFrame *frame, char **warning, GError **error);

/* The identity of a frame: the SHA-256 of its file, or a checksum of its pixels. Owned by the
 * frame. Errors: FS_PHOTO_ERROR. */
const char *fs_frame_sum (FsFrame *frame, GError **error);

/* Writes a picture as an RGBA PNG. Errors: FS_EXPORT_ERROR; FS_FRAMES_ERROR_FRAME where memory is
 * short. */
gboolean fs_frame_write (FsImage *image, const char *path, GError **error);

G_END_DECLS

#endif
