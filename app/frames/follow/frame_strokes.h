/* SPDX-License-Identifier: MIT */
/* A person's input for one frame of a sequence: seeds, or a session.   Layer: app.
 *
 * Seeds are a picture as for `fretsaw cut`; all their objects count as one. A session is one that
 * was painted on this very frame, and stands for the mask that the window showed.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FRAMES_FOLLOW_FRAME_STROKES_H
#define FS_APP_FRAMES_FOLLOW_FRAME_STROKES_H

#include "app/frames/list/frames.h"
#include "app/session/session.h"
#include "energy/energy.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

typedef struct {
  FsSeedMap *seeds; /* one of the two */
  FsSession *session;
  char *note; /* what is to be said of the session's photo (session_photo.h), or NULL */
} FsFrameStrokes;

/* For a frame of which `image` is the picture. Errors: FS_PHOTO_ERROR; FS_SESSION_ERROR, also where
 * the session was painted on other pixels, unless on `photo`, or a photo in that folder, which
 * stands for the frame (session_photo.h); FS_FRAMES_ERROR_STROKES where there is nothing in it. */
FsFrameStrokes *fs_frame_strokes_load_seeds (const char *path, const FsImage *image,
                                             GError **error);
FsFrameStrokes *fs_frame_strokes_load_session (const char *path, const FsFrame *frame,
                                               const FsImage *image, const char *photo,
                                               GError **error);
void fs_frame_strokes_free (FsFrameStrokes *strokes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameStrokes, fs_frame_strokes_free)

/* The mask that strokes alone make of a picture, width·height bytes, 0 or 1; of seeds as `fretsaw
 * cut` makes it, of a session as the window does. `guess` (or NULL) counts in addition to seeds,
 * and without strokes, which are NULL then. g_free. Errors, naming no file: FS_SOLVER_ERROR,
 * FS_REPLAY_ERROR_NOT_EXACT. */
uint8_t *fs_frame_strokes_cut (const FsFrameStrokes *strokes, FsGuess *guess, FsImage *image,
                               GError **error);

/* The mask of what has the colours of skin. The same. */
uint8_t *fs_frame_cut_skin (FsImage *image, GError **error);

/* Writes it to `mask`; gives the energy, with the grid that was cut. */
FsEnergy *fs_frame_cut_skin_energy (FsImage *image, uint8_t *mask, GError **error);

/* The labels that they paint, width·height bytes. NULL where memory is short; g_free. */
uint8_t *fs_frame_strokes_paint (const FsFrameStrokes *strokes, const FsImage *image);

G_END_DECLS

#endif
