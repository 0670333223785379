/* SPDX-License-Identifier: MIT */
/* A person's input for one frame of a sequence: seeds, or a session.   Layer: app.
 *
 * Seeds are a picture as for `fretsaw cut`; all their objects count as one. A session was painted
 * on this very frame; its mask is the one that the window showed.
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
  FsSeedMap *seeds;   /* or NULL */
  FsSession *session; /* if there are no seeds */
  char *note;         /* a message about the session's photo (session_photo.h), or NULL */
} FsFrameStrokes;

/* Load the input of a frame whose picture is `image`. `photo` (or NULL) is a photo that takes the
 * frame's place in a session, or a folder of such photos (session_photo.h). Errors: FS_PHOTO_ERROR;
 * FS_SESSION_ERROR, also where the session was painted on neither the frame nor `photo`;
 * FS_FRAMES_ERROR_STROKES where there are no strokes. */
FsFrameStrokes *fs_frame_strokes_load_seeds (const char *path, const FsImage *image,
                                             GError **error);
FsFrameStrokes *fs_frame_strokes_load_session (const char *path, const FsFrame *frame,
                                               const FsImage *image, const char *photo,
                                               GError **error);
void fs_frame_strokes_free (FsFrameStrokes *strokes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameStrokes, fs_frame_strokes_free)

/* Cuts a picture by strokes alone: with seeds as `fretsaw cut` does, with a session as the window
 * does. Returns the mask, width·height bytes, 0 or 1; g_free. `guess` (or NULL) is evidence in
 * addition to seeds, or, with `strokes` NULL, the only one. Errors, without a file's name:
 * FS_SOLVER_ERROR, FS_REPLAY_ERROR_NOT_EXACT. */
uint8_t *fs_frame_strokes_cut (const FsFrameStrokes *strokes, FsGuess *guess, FsImage *image,
                               GError **error);

/* Cuts a picture by the colours of skin (energy/colour/skin.h). The rest as above. */
uint8_t *fs_frame_cut_skin (FsImage *image, GError **error);

/* The same, into `mask`; returns the energy, with the grid that was cut. */
FsEnergy *fs_frame_cut_skin_energy (FsImage *image, uint8_t *mask, GError **error);

/* The labels as painted, width·height bytes. NULL where memory is short; g_free. */
uint8_t *fs_frame_strokes_paint (const FsFrameStrokes *strokes, const FsImage *image);

/* The zones of a session's edge as painted, width·height bytes of FsEdgeZone. NULL where memory is
 * short; g_free. */
uint8_t *fs_frame_strokes_paint_zones (const FsFrameStrokes *strokes, const FsImage *image);

G_END_DECLS

#endif
