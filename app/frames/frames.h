/* SPDX-License-Identifier: MIT */
/* Numbered images, in the order of their numbers: those of a folder, or those that a pattern names.
 * Layer: app.
 *
 * In a folder a frame is a file whose name ends as a photo's does (app/photo/photo.h) and has
 * a number in it; the last one counts ("take2-0031.jpg" is frame 31). A pattern (frame_names.h)
 * takes the files of its folder that it names, whatever their ending. Numbers may be missing. Other
 * files are left aside.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_FRAMES_FRAMES_H
#define FS_APP_FRAMES_FRAMES_H

#include "energy/image/image.h"
#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_FRAMES_ERROR (fs_frames_error_quark ())
GQuark fs_frames_error_quark (void);

typedef enum {
  FS_FRAMES_ERROR_FOLDER,  /* cannot be read, has no frames, or two of one number          */
  FS_FRAMES_ERROR_PATTERN, /* is none                                                      */
  FS_FRAMES_ERROR_STROKES, /* a file of strokes that cannot be used                        */
  FS_FRAMES_ERROR_FRAME,   /* one that does not fit to the others, or not into memory      */
  FS_FRAMES_ERROR_OTHER,   /* the output folder holds something else                       */
  FS_FRAMES_ERROR_LOST,    /* a frame in which the object is not found                     */
  FS_FRAMES_ERROR_VIDEO,   /* cannot be read, or not by this build                         */
} FsFramesError;

/* Sets "PATH: reason" and returns FALSE. */
gboolean fs_frames_fail (GError **error, FsFramesError code, const char *path, const char *format,
                         ...) G_GNUC_PRINTF (4, 5);

/* An image file, or a picture of a video. Counted references. */
typedef struct {
  char *path; /* for messages too; of a picture "VIDEO: frame 12", which is no file */
  char *stem; /* of the names of what is made from it; the file's name without its ending */
  guint64 number;
  FsImage *image; /* of a picture; NULL: it is in the file */
  char *sum;      /* see fs_frame_sum; NULL: not asked for yet */
} FsFrame;

FsFrame *fs_frame_new (char *path, char *stem, guint64 number); /* takes both strings */
FsFrame *fs_frame_ref (FsFrame *frame);
void fs_frame_unref (FsFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrame, fs_frame_unref)

/* The frame's picture, read if need be; unref it. `warning` may be NULL; it gets NULL, or what of
 * the file is damaged, g_free. Errors: FS_PHOTO_ERROR. */
FsImage *fs_frame_load (const FsFrame *frame, char **warning, GError **error);

/* The identity of a frame: the SHA-256 of its file, or a checksum of its pixels. The
 * frame's own. Errors: FS_PHOTO_ERROR. */
const char *fs_frame_sum (FsFrame *frame, GError **error);

/* Writes a picture as it is, as an RGBA PNG. Errors: FS_EXPORT_ERROR; FS_FRAMES_ERROR_FRAME where
 * memory is short. */
gboolean fs_frame_write (FsImage *image, const char *path, GError **error);

/* Of FsFrame, owned by the array; at least one. Errors: FS_FRAMES_ERROR_FOLDER, "FOLDER: reason";
 * FS_FRAMES_ERROR_PATTERN. */
GPtrArray *fs_frames_list (const char *folder, GError **error);
GPtrArray *fs_frames_list_pattern (const char *pattern, GError **error);

/* "it holds 2 sequences, a-%04d.png (8 images), b-%04d.png (8); a pattern takes one of them:
 * FOLDER/a-%04d.png"; NULL where they are of one pattern. g_free. */
char *fs_frames_describe_sequences (const char *folder, const GPtrArray *frames);

/* Removes the frames before number `first` and after number `last`. */
void fs_frames_limit (GPtrArray *frames, guint64 first, guint64 last);

/* Numbers without a frame, both included. */
typedef struct {
  guint64 first, last;
} FsFrameGap;

/* Appends those between two neighbours of the list to `gaps`, of FsFrameGap. */
void fs_frames_list_gaps (const GPtrArray *frames, GArray *gaps);

G_END_DECLS

#endif
