/* SPDX-License-Identifier: MIT */
/* Plausibility of a guess: whether it can be of this photo.   Layer: energy.
 *
 * Where a guess of the photo changes sides the photo mostly does too. The colours of pixels on both
 * sides of the guess's border, a hundredth of its longer side apart, are compared with those of
 * pixels as far apart anywhere. A guess of another photo, or noise, has its border where it
 * happens to be, and the two means are about the same.
 *
 * Integers. Threads: only reads.
 */
#ifndef FS_ENERGY_GUESS_GUESS_PHOTO_H
#define FS_ENERGY_GUESS_GUESS_PHOTO_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"

G_BEGIN_DECLS

/* FALSE where the mean difference across the border is below one and a half times that anywhere, or
 * there is no border. TRUE in a photo of one colour, and where memory is short. Cost O(guess). */
gboolean fs_guess_is_of_photo (const FsGuess *guess, const FsImage *image);

G_END_DECLS

#endif
