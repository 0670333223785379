/* SPDX-License-Identifier: MIT */
/* Guesses in files: grey pictures, masks, and cut-outs whose alpha says what is object.
 * Layer: app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_GUESS_FILE_H
#define FS_APP_GUESS_FILE_H

#include "app/photo.h"
#include "energy/guess.h"

G_BEGIN_DECLS

/* Reads a picture in any format that photos have, of 8 or 16 bits and of any size, as the guess for
 * a photo of this size: its alpha where some of it is transparent, else its brightness (Rec. 601).
 * Errors: FS_PHOTO_ERROR, the message without a prefix: "NAME: reason". */
FsGuess *fs_guess_load (const char *path, int photo_width, int photo_height,
                        GCancellable *cancellable, GError **error);

/* The same for a file that a person chose, in which every label is object: a picture of black and
 * up to 63 colours, or of the numbers 0 and 1. `width` and `height` (may be NULL) are the file's.
 */
FsGuess *fs_guess_load_mask (const char *path, int photo_width, int photo_height,
                             GCancellable *cancellable, int *width, int *height, GError **error);

/* The same for what another program has found, which is evidence and never a finished mask
 * (fs_guess_is_mask): one of the photo's size is made a column, or a row, narrower. */
FsGuess *fs_guess_load_found (const char *path, int photo_width, int photo_height,
                              GCancellable *cancellable, GError **error);
/* The same of a picture that has been read. NULL where memory is short. */
FsGuess *fs_guess_find_in_image (const FsImage *image, int photo_width, int photo_height);

G_END_DECLS

#endif
