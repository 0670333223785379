/* SPDX-License-Identifier: MIT */
/* First guesses for the frames of a sequence, from pictures or from a subject finder.   Layer: app.
 *
 * The pictures have the numbers of their frames and come from a folder, a pattern or a video
 * (frame_source.h). A frame may have none.
 *
 * Threads: one at a time; blocks.
 */
#ifndef FS_APP_FRAMES_FRAME_GUESSES_H
#define FS_APP_FRAMES_FRAME_GUESSES_H

#include "app/frames/list/frames.h"
#include "energy/guess/guess.h"

G_BEGIN_DECLS

typedef struct _FsFrameGuesses FsFrameGuesses;

/* Guesses from pictures, for frames numbered `first` to `last`. Errors: FS_FRAMES_ERROR. */
FsFrameGuesses *fs_frame_guesses_open (const char *path, guint64 first, guint64 last,
                                       GError **error);
/* Guesses from a finder, as fs_subject_finder_new() takes it; "": the one of the user's settings.
 * Errors: FS_SUBJECT_FINDER_ERROR. */
FsFrameGuesses *fs_frame_guesses_find (const char *finder, GError **error);
void fs_frame_guesses_free (FsFrameGuesses *guesses);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameGuesses, fs_frame_guesses_free)

/* The path of the pictures, or the finder's name. Owned by the guesses. */
const char *fs_frame_guesses_get_name (const FsFrameGuesses *guesses);
gboolean fs_frame_guesses_is_finder (const FsFrameGuesses *guesses);
/* TRUE for a finder that takes strokes as input. */
gboolean fs_frame_guesses_wants_strokes (const FsFrameGuesses *guesses);

/* Goes on to a frame with a higher number than all before. */
void fs_frame_guesses_seek (FsFrameGuesses *guesses, guint64 number);

/* The checksum of the present frame's guess: of its picture, or of the finder. "" where there is
 * none, or its picture cannot be read. Owned by the guesses. */
const char *fs_frame_guesses_get_sum (FsFrameGuesses *guesses);

/* The guess of the present frame, whose picture is `image`. `marks`: labels as painted, or NULL.
 * NULL without an error where there is none. Errors: FS_PHOTO_ERROR, FS_FRAMES_ERROR and
 * FS_SUBJECT_FINDER_ERROR, "NAME: reason". */
FsGuess *fs_frame_guesses_load (FsFrameGuesses *guesses, const FsImage *image, const uint8_t *marks,
                                GError **error);

/* Refuses an output, or NULL, that is one of the pictures. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_frame_guesses_spare (const FsFrameGuesses *guesses, const char *output, GError **error);

/* A warning about the pictures so far: a damaged video, or the first picture whose number is no
 * frame's. NULL: none. g_free. */
char *fs_frame_guesses_take_warning (FsFrameGuesses *guesses);

G_END_DECLS

#endif
