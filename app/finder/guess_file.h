/* SPDX-License-Identifier: MIT */
/* Guesses in files: grey pictures, masks, and cut-outs whose alpha says what is object.
 * Layer: app.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_FINDER_GUESS_FILE_H
#define FS_APP_FINDER_GUESS_FILE_H

#include "app/photo/photo.h"
#include "energy/guess/guess.h"

G_BEGIN_DECLS

/* Reads a picture in any photo format, with 8 or 16 bits and of any size, as the guess for a photo
 * of this size. The probability is its alpha if some of it is transparent; in a picture of black
 * and up to 63 colours, or of the numbers 0 and 1, object where it is not black or 0; else its
 * brightness (Rec. 601). `width` and `height` (may be NULL) get the file's. Errors: FS_PHOTO_ERROR,
 * "NAME: reason" without a prefix. */
FsGuess *fs_guess_load_mask (const char *path, int photo_width, int photo_height,
                             GCancellable *cancellable, int *width, int *height, GError **error);

/* The same for a guess found by a program, which is never a finished mask (fs_guess_is_mask): its
 * probabilities are limited to FS_GUESS_FOUND_MIN … _MAX, which changes no cut otherwise. */
FsGuess *fs_guess_load_found (const char *path, int photo_width, int photo_height,
                              GCancellable *cancellable, GError **error);
/* The same for a picture in memory. NULL where memory is short. */
FsGuess *fs_guess_find_in_image (const FsImage *image, int photo_width, int photo_height);

G_END_DECLS

#endif
