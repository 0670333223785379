/* SPDX-License-Identifier: MIT */
/* The numbered images of a folder, in the order of their numbers.   Layer: app.
 *
 * A frame is a file whose name ends as a photo's does (.jpg, .jpeg, .png, .bmp) and has a number in
 * it; the last one counts ("take2-0031.jpg" is frame 31). Numbers may be missing. Other files are
 * left aside.
 *
 * Threads: any; blocks on the disk.
 */
#ifndef FS_APP_FRAMES_H
#define FS_APP_FRAMES_H

#include <gio/gio.h>

G_BEGIN_DECLS

#define FS_FRAMES_ERROR (fs_frames_error_quark ())
GQuark fs_frames_error_quark (void);

typedef enum {
  FS_FRAMES_ERROR_FOLDER, /* cannot be read, has no frames, or two of one number          */
  FS_FRAMES_ERROR_OTHER,  /* the output folder holds something else                       */
  FS_FRAMES_ERROR_LOST,   /* a frame in which the object is not found                     */
} FsFramesError;

typedef struct {
  char *path;
  char *stem; /* the file's name without its ending */
  guint64 number;
} FsFrame;

/* Of FsFrame, owned by the array; at least one. Errors: FS_FRAMES_ERROR_FOLDER, "FOLDER: reason".
 */
GPtrArray *fs_frames_list (const char *folder, GError **error);

/* How many numbers between the first and the last have no frame. */
guint64 fs_frames_count_missing (const GPtrArray *frames);

G_END_DECLS

#endif
