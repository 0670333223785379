/* SPDX-License-Identifier: MIT */
/* Output folder of `fretsaw frames`: a PNG for each frame, STEM.png, written atomically.
 * Layer: app.
 *
 * Its manifest (frames_manifest.h) records the inputs and the checksum of each picture. A picture
 * is reused only if both are unchanged. If only its inputs have changed it is replaced. A file that
 * is not as this program wrote it is never overwritten, but moved into a folder "old".
 *
 * A folder with pictures of another run (other strokes, another span, other names of frames), or
 * without a manifest, is refused. It is locked: only one run at a time may use it.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FRAMES_FRAMES_FOLDER_H
#define FS_APP_FRAMES_FRAMES_FOLDER_H

#include "app/export/parts/background.h"
#include "app/frames/frame_source.h"
#include "app/frames/frames_manifest.h"
#include "energy/edge/edge_settings.h"

G_BEGIN_DECLS

typedef enum {
  FS_FRAMES_MASKS,    /* 8-bit grey, 0 or 255             */
  FS_FRAMES_CUTOUTS,  /* RGBA, straight alpha             */
  FS_FRAMES_OVERLAYS, /* RGBA, to look at (app/export/parts/overlay.h) */
} FsFramesKind;

typedef struct {
  FsFramesKind kind;
  const char *path;     /* in the file system's encoding */
  FsEdgeSettings edge;  /* of cut-outs, as FsExport has it; one of the recorded inputs           */
  gboolean keep_hidden; /* in cut-outs, as FsExport has it; one of the recorded inputs          */
  FsBackground *background;   /* of cut-outs, or NULL; one of the recorded inputs */
  int lock;                   /* a file descriptor, or -1 */
  FsFramesManifest *manifest; /* NULL: not read yet */
  char *place;                /* of the frames now */
  gboolean is_moved;          /* the manifest is of frames in another place */
} FsFramesFolder;

void fs_frames_folder_init (FsFramesFolder *folder, FsFramesKind kind, const char *path);
/* Unlocks it. */
void fs_frames_folder_clear (FsFramesFolder *folder);

/* Makes the folder, or checks that an existing one is of this run, and locks it; changes nothing in
 * it. `origin`: the inputs of the masks (frames_origin.h). Errors: FS_FRAMES_ERROR_OTHER. */
gboolean fs_frames_folder_check (FsFramesFolder *folder, const FsFrameSource *source,
                                 const json_t *origin, GError **error);

/* Writes the manifest, after the check. Errors: FS_EXPORT_ERROR. */
gboolean fs_frames_folder_prepare (FsFramesFolder *folder, const json_t *origin, GError **error);

/* Puts the log's records into the manifest, at the end of a run that is `done` or stops early.
 * Errors: FS_EXPORT_ERROR. */
gboolean fs_frames_folder_close (FsFramesFolder *folder, gboolean done, GError **error);

/* A message about the folder as the check found it; NULL: none. g_free. */
char *fs_frames_folder_describe (const FsFramesFolder *folder);

typedef enum {
  FS_FRAMES_ABSENT,
  FS_FRAMES_THERE,   /* made of the same, and whole                */
  FS_FRAMES_FILLED,  /* made of the same, and filled in another way */
  FS_FRAMES_STALE,   /* as it was made, of something else          */
  FS_FRAMES_BEGUN,   /* its writing did not end, or was not noted   */
  FS_FRAMES_FOREIGN, /* not as it was made, or not made by this run */
} FsFramesState;

/* Finds the state of a frame's picture. `from`: the checksum of its present inputs; `lost`: how the
 * mask of a lost object may be filled, or NULL. */
FsFramesState fs_frames_folder_look (const FsFramesFolder *folder, const FsFrame *frame,
                                     const char *from, const char *lost);

/* Refuses a folder whose picture of this frame was made from a frame of the same name in another
 * place. Errors: FS_FRAMES_ERROR_OTHER. */
gboolean fs_frames_folder_check_place (FsFramesFolder *folder, const FsFrame *frame,
                                       GError **error);

/* The results of a frame. */
typedef struct {
  FsFrame *frame; /* whose sum is known */
  FsImage *image;
  const uint8_t *mask;   /* width·height bytes, 0 or 1       */
  const uint8_t *marks;  /* as FsExport has them, or NULL    */
  const uint32_t *words; /* of a cut-out, as FsExport has them, or NULL */
  const char *from;      /* the sum of what it is made from  */
  const char *lost;      /* how the mask was filled, or NULL */
} FsFramesPicture;

/* Writes the picture of a frame. `*moved`: the new name of a foreign file that was in its place;
 * NULL where there was none, or one with the same bytes. g_free. Errors: FS_EXPORT_ERROR;
 * FS_FRAMES_ERROR_OTHER. */
gboolean fs_frames_folder_write (FsFramesFolder *folder, const FsFramesPicture *picture,
                                 char **moved, GError **error);

/* Removes the picture of a frame. A file that is not as this program wrote it stays, and `*foreign`
 * gets its name (g_free), else NULL. Errors: FS_EXPORT_ERROR. */
gboolean fs_frames_folder_discard (FsFramesFolder *folder, const FsFrame *frame, char **foreign,
                                   GError **error);

/* Removes the pictures of the source's frames from a number on, the last one first, so that after
 * an interruption the remaining ones are the first. Errors: FS_EXPORT_ERROR. */
gboolean fs_frames_folder_discard_from (FsFramesFolder *folder, const FsFrameSource *source,
                                        guint64 number, GError **error);

/* The names of pictures whose frames are no longer in the source; these files stay. To be called
 * after the last frame. Records whose files are gone are dropped. */
GPtrArray *fs_frames_folder_list_left (FsFramesFolder *folder, const FsFrameSource *source);

/* Reads the mask of a frame, whose picture is `image`; only for folders of masks. g_free. Errors:
 * FS_PHOTO_ERROR, FS_FRAMES_ERROR_OTHER, FS_FRAMES_ERROR_FRAME where memory is short. */
uint8_t *fs_frames_folder_read (const FsFramesFolder *folder, const FsFrame *frame,
                                const FsImage *image, GError **error);

/* Records of a frame, NULL where there is none: the checksum of its file here, that of the frame's
 * picture, and how the mask of a lost object was filled. Owned by the folder. */
const char *fs_frames_folder_get_sum (const FsFramesFolder *folder, const FsFrame *frame);
const char *fs_frames_folder_get_picture (const FsFramesFolder *folder, const FsFrame *frame);
const char *fs_frames_folder_get_lost (const FsFramesFolder *folder, const FsFrame *frame);

/* Returns whether a name is that of a file which this folder gets, or is one by a link. */
gboolean fs_frames_folder_makes (const FsFramesFolder *folder, const FsFrameSource *source,
                                 const char *path);

G_END_DECLS

#endif
