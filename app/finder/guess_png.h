/* SPDX-License-Identifier: MIT */
/* Guesses as sessions and journals store them: grey PNGs in memory, of 8 bits where these say it
 * all, else of 16.
 * Layer: app.
 *
 * Threads: any; writing one of 12 megapixels takes a tenth of a second or, where it is noise, more.
 */
#ifndef FS_APP_FINDER_GUESS_PNG_H
#define FS_APP_FINDER_GUESS_PNG_H

#include "energy/guess/guess.h"

G_BEGIN_DECLS

/* NULL where memory is short. */
GBytes *fs_guess_to_png (const FsGuess *guess);

/* A guess from the PNG of fs_guess_to_png or of another program; untrusted. NULL, and *reason says
 * why as the end of a sentence, where it is not a whole grey PNG of 8 or 16 bits, not interlaced,
 * and at most as large as the photo, or memory is short. */
FsGuess *fs_guess_from_png (const uint8_t *bytes, gsize n_bytes, int photo_width, int photo_height,
                            const char **reason);

G_END_DECLS

#endif
