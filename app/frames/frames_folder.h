/* SPDX-License-Identifier: MIT */
/* A folder of what `fretsaw frames` makes: a PNG for each frame, STEM.png, whole or not at all.
 * Layer: app.
 *
 * Its manifest (frames_manifest.h) says what each was made from. A picture counts as there only if
 * it is as it was made, of the same; one that is so of something else is made anew in its place.
 * What is not as this program made it is never written over: it is moved into a folder "old".
 *
 * A folder of another run (other strokes, another span, other frames' names) that has made
 * something, or of files that do not say, is refused. One run at a time has it.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FRAMES_FRAMES_FOLDER_H
#define FS_APP_FRAMES_FRAMES_FOLDER_H

#include "app/frames/frame_source.h"
#include "app/frames/frames_manifest.h"

G_BEGIN_DECLS

typedef enum {
  FS_FRAMES_MASKS,    /* 8-bit grey, 0 or 255             */
  FS_FRAMES_CUTOUTS,  /* RGBA, straight alpha             */
  FS_FRAMES_OVERLAYS, /* RGBA, to look at (app/export/overlay.h) */
} FsFramesKind;

typedef struct {
  FsFramesKind kind;
  const char *path;     /* in the file system's encoding */
  int soft_px;          /* of cut-outs' borders, as FsExport has it; it is part of what says from
                           what they were made */
  gboolean keep_hidden; /* in cut-outs, as FsExport has it; of that, too */
  int lock;             /* a file descriptor, or -1 */
  FsFramesManifest *manifest; /* NULL: not read yet */
  char *place;                /* of the frames now */
  gboolean is_moved;          /* the manifest is of frames in another place */
} FsFramesFolder;

void fs_frames_folder_init (FsFramesFolder *folder, FsFramesKind kind, const char *path);
/* Unlocks it. */
void fs_frames_folder_clear (FsFramesFolder *folder);

/* Makes the folder, or finds it as this run has left it, and locks it; changes nothing in it.
 * `origin` says what the masks are made from. Errors: FS_FRAMES_ERROR_OTHER. */
gboolean fs_frames_folder_check (FsFramesFolder *folder, const FsFrameSource *source,
                                 const json_t *origin, GError **error);

/* Then writes its manifest. Errors: FS_EXPORT_ERROR. */
gboolean fs_frames_folder_prepare (FsFramesFolder *folder, const json_t *origin, GError **error);

/* At the end of a run that is `done`, or ends early: puts what was noted into the manifest. Errors:
 * FS_EXPORT_ERROR. */
gboolean fs_frames_folder_close (FsFramesFolder *folder, gboolean done, GError **error);

/* After the check: what to say of the folder as it was found; NULL: nothing. g_free. */
char *fs_frames_folder_describe (const FsFramesFolder *folder);

typedef enum {
  FS_FRAMES_ABSENT,
  FS_FRAMES_THERE,   /* made of the same, and whole                */
  FS_FRAMES_FILLED,  /* made of the same, and filled in another way */
  FS_FRAMES_STALE,   /* as it was made, of something else          */
  FS_FRAMES_BEGUN,   /* its writing did not end, or was not noted   */
  FS_FRAMES_FOREIGN, /* not as it was made, or not made by this run */
} FsFramesState;

/* `from`: the sum of all that it is made from now; `lost`: what it may be filled with, or NULL. */
FsFramesState fs_frames_folder_look (const FsFramesFolder *folder, const FsFrame *frame,
                                     const char *from, const char *lost);

/* Refuses a folder whose picture of this frame is of another one, of the same name but from another
 * place. Errors: FS_FRAMES_ERROR_OTHER. */
gboolean fs_frames_folder_check_place (FsFramesFolder *folder, const FsFrame *frame,
                                       GError **error);

/* The results of a frame. */
typedef struct {
  FsFrame *frame; /* whose sum is known */
  FsImage *image;
  const uint8_t *mask;  /* width·height bytes, 0 or 1       */
  const uint8_t *marks; /* as FsExport has them, or NULL    */
  const char *from;     /* the sum of what it is made from  */
  const char *lost;     /* how the mask was filled, or NULL */
} FsFramesPicture;

/* `*moved`: the new name of a file that was in its place and is not this program's; NULL: there was
 * none, or one with the same bytes. g_free. Errors: FS_EXPORT_ERROR; FS_FRAMES_ERROR_OTHER. */
gboolean fs_frames_folder_write (FsFramesFolder *folder, const FsFramesPicture *picture,
                                 char **moved, GError **error);

/* Removes what was made of a frame; a file that is not as it was made stays, and its name is in
 * `*foreign`, to be freed; else NULL. Errors: FS_EXPORT_ERROR. */
gboolean fs_frames_folder_discard (FsFramesFolder *folder, const FsFrame *frame, char **foreign,
                                   GError **error);

/* Removes what was made of the source's frames from a number on, the last one first, so that a run
 * that is ended on the way leaves the beginning of what was there. Errors: FS_EXPORT_ERROR. */
gboolean fs_frames_folder_discard_from (FsFramesFolder *folder, const FsFrameSource *source,
                                        guint64 number, GError **error);

/* Names of pictures in it whose frames are not among the source's any more, which stay. To be
 * called after the last frame. Forgets those that are gone themselves. */
GPtrArray *fs_frames_folder_list_left (FsFramesFolder *folder, const FsFrameSource *source);

/* The mask of a frame of which `image` is the picture; of masks alone. g_free. Errors:
 * FS_PHOTO_ERROR, FS_FRAMES_ERROR_OTHER, FS_FRAMES_ERROR_FRAME where memory is short. */
uint8_t *fs_frames_folder_read (const FsFramesFolder *folder, const FsFrame *frame,
                                const FsImage *image, GError **error);

/* Records of a frame, NULL where there is none: the sum of what the folder has of it, that of
 * the picture it was made of, and how it was filled. The folder's own. */
const char *fs_frames_folder_get_sum (const FsFramesFolder *folder, const FsFrame *frame);
const char *fs_frames_folder_get_picture (const FsFramesFolder *folder, const FsFrame *frame);
const char *fs_frames_folder_get_lost (const FsFramesFolder *folder, const FsFrame *frame);

/* Returns whether a name is that of a file which this folder gets, or is one by a link. */
gboolean fs_frames_folder_makes (const FsFramesFolder *folder, const FsFrameSource *source,
                                 const char *path);

G_END_DECLS

#endif
