/* SPDX-License-Identifier: MIT */
/* Guesses as sessions and journals store them: grey PNGs in memory, of probabilities with 8 bits
 * where that is lossless, else 16, or of the numbers of objects with 8.   Layer: app.
 *
 * Threads: any; writing one of 12 megapixels takes a tenth of a second or, where it is noise, more.
 */
#ifndef FS_APP_FINDER_GUESS_PNG_H
#define FS_APP_FINDER_GUESS_PNG_H

#include "energy/guess/guess.h"

G_BEGIN_DECLS

/* Its objects where it has some, else its probabilities. NULL where memory is short. */
GBytes *fs_guess_to_png (const FsGuess *guess);

/* A guess from an untrusted PNG, of fs_guess_to_png or of another program: grey, 8 or 16 bits, not
 * interlaced, complete, and at most as large as the photo. Else, or where memory is short, NULL,
 * and *reason is the end of a sentence. */
FsGuess *fs_guess_from_png (const uint8_t *bytes, gsize n_bytes, int photo_width, int photo_height,
                            const char **reason);

/* The same from a PNG of numbers: 8 bits, of the photo's size. */
FsGuess *fs_guess_objects_from_png (const uint8_t *bytes, gsize n_bytes, int photo_width,
                                    int photo_height, const char **reason);

G_END_DECLS

#endif
