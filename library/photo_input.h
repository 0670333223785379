/* SPDX-License-Identifier: MIT */
/* Images, guesses and settings of photos from a caller's planes.   Layer: library.
 *
 * Threads: any.
 */
#ifndef FS_LIBRARY_PHOTO_INPUT_H
#define FS_LIBRARY_PHOTO_INPUT_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include "energy/image/settings.h"
#include "library/library.h"

G_BEGIN_DECLS

/* Copies an image. Errors: INVALID, MEMORY. */
fretsaw_status fs_library_take_image (const fretsaw_image *given, FsImage **image,
                                      fretsaw_error *error);

/* Copies a guess for a photo of this size; NULL stays NULL. Errors: INVALID, MEMORY. */
fretsaw_status fs_library_take_guess (const fretsaw_guess *given, int width, int height,
                                      FsGuess **guess, fretsaw_error *error);

typedef struct {
  FsSettings settings;
  int n_iterations;
  gboolean verify;
} FsPhotoSettings;

/* Errors: INVALID. */
fretsaw_status fs_library_take_settings (const fretsaw_photo_options *given,
                                         FsPhotoSettings *settings, fretsaw_error *error);

G_END_DECLS

#endif
