/* SPDX-License-Identifier: MIT */
/* A folder of what `fretsaw frames` makes: a PNG for each frame, STEM.png, whole or not at all.
 * Layer: app.
 *
 * A file fretsaw-frames.json in it says what they were made from. A folder of another run that has
 * made something, or of files that do not say, is refused. One of the same run with other
 * corrections is taken over: what was made from the first frame on whose corrections differ is
 * removed, the last one first, and the rest stays as it is.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FRAMES_FOLDER_H
#define FS_APP_FRAMES_FOLDER_H

#include "app/frame_source.h"

#include <jansson.h>

G_BEGIN_DECLS

typedef enum {
  FS_FRAMES_MASKS,    /* 8-bit grey, 0 or 255             */
  FS_FRAMES_CUTOUTS,  /* RGBA, straight alpha             */
  FS_FRAMES_OVERLAYS, /* RGBA, to look at (app/overlay.h) */
} FsFramesKind;

typedef struct {
  FsFramesKind kind;
  const char *path; /* in the file system's encoding */
  int soft_px;      /* of cut-outs' borders, as FsExport has it; it is part of what says from what
                       they were made */
  gboolean keep_hidden; /* in cut-outs, as FsExport has it; of that, too */
} FsFramesFolder;

/* Makes the folder, or finds it as this run has left it, and changes nothing in it. `origin` says
 * what the masks are made from, an object with a key "corrections": an object of frame number →
 * what it was corrected by. Errors: FS_FRAMES_ERROR_OTHER. */
gboolean fs_frames_folder_check (const FsFramesFolder *folder, const FsFrameSource *source,
                                 const json_t *origin, GError **error);

/* The same, and removes what other corrections have made. Errors: FS_EXPORT_ERROR too. */
gboolean fs_frames_folder_prepare (const FsFramesFolder *folder, const FsFrameSource *source,
                                   const json_t *origin, GError **error);

gboolean fs_frames_folder_has (const FsFramesFolder *folder, const FsFrame *frame);

/* `mask`: width·height bytes, 0 or 1; `marks` as FsExport has them, or NULL. Errors:
 * FS_EXPORT_ERROR. */
gboolean fs_frames_folder_write (const FsFramesFolder *folder, const FsFrame *frame, FsImage *image,
                                 const uint8_t *mask, const uint8_t *marks, GError **error);

/* The mask of a frame of which `image` is the picture; of masks alone. g_free. Errors:
 * FS_PHOTO_ERROR, FS_FRAMES_ERROR_OTHER, FS_FRAMES_ERROR_FRAME where memory is short. */
uint8_t *fs_frames_folder_read (const FsFramesFolder *folder, const FsFrame *frame,
                                const FsImage *image, GError **error);

G_END_DECLS

#endif
