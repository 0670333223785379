/* SPDX-License-Identifier: MIT */
/* Guesses of a sequence's frames, from pictures with the same numbers or from a subject finder.
 * Layer: app.
 *
 * Pictures are those of a folder, a pattern or a video (frame_source.h). A frame may have none.
 *
 * Threads: one at a time; blocks.
 */
#ifndef FS_APP_FRAMES_FRAME_GUESSES_H
#define FS_APP_FRAMES_FRAME_GUESSES_H

#include "app/frames/list/frames.h"
#include "energy/guess/guess.h"

G_BEGIN_DECLS

typedef struct _FsFrameGuesses FsFrameGuesses;

/* Pictures, for frames with numbers from `first` to `last`. Errors: FS_FRAMES_ERROR. */
FsFrameGuesses *fs_frame_guesses_open (const char *path, guint64 first, guint64 last,
                                       GError **error);
/* A finder, as fs_subject_finder_new() takes it; "": the one of the user's settings. Errors:
 * FS_SUBJECT_FINDER_ERROR. */
FsFrameGuesses *fs_frame_guesses_find (const char *finder, GError **error);
void fs_frame_guesses_free (FsFrameGuesses *guesses);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFrameGuesses, fs_frame_guesses_free)

/* The place of the pictures, or the finder's name; the guesses' own. */
const char *fs_frame_guesses_get_name (const FsFrameGuesses *guesses);
gboolean fs_frame_guesses_is_finder (const FsFrameGuesses *guesses);
/* Returns whether it is a finder that asks for strokes. */
gboolean fs_frame_guesses_wants_strokes (const FsFrameGuesses *guesses);

/* Goes on to a frame with a higher number than all before. */
void fs_frame_guesses_seek (FsFrameGuesses *guesses, guint64 number);

/* Of the frame that was sought: what its guess is made of, as a sum; "" where it has none, or its
 * picture cannot be read. The guesses' own. */
const char *fs_frame_guesses_get_sum (FsFrameGuesses *guesses);

/* The guess for `image`, the frame that was sought. `marks`: labels as painted, or NULL. NULL
 * without an error where there is none. Errors: FS_PHOTO_ERROR, FS_FRAMES_ERROR and
 * FS_SUBJECT_FINDER_ERROR, "NAME: reason". */
FsGuess *fs_frame_guesses_load (FsFrameGuesses *guesses, const FsImage *image, const uint8_t *marks,
                                GError **error);

/* Refuses an output, or NULL, that is one of the pictures. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_frame_guesses_spare (const FsFrameGuesses *guesses, const char *output, GError **error);

/* A warning about the pictures so far: the damage of a video, the first one whose number is
 * no frame's; NULL: nothing. g_free. */
char *fs_frame_guesses_take_warning (FsFrameGuesses *guesses);

G_END_DECLS

#endif
