/* SPDX-License-Identifier: MIT */
/* Plausibility check: a guess that follows no edge of the photo is of another one.   Layer: energy.
 *
 * Pairs of pixels a hundredth of the guess's longer side apart are compared in colour. Across the
 * border of a guess of this photo their mean difference is larger than anywhere else. Of a guess of
 * another photo, or of noise, the two means are about the same.
 *
 * Integers. Threads: only reads.
 */
#ifndef FS_ENERGY_GUESS_GUESS_PHOTO_H
#define FS_ENERGY_GUESS_GUESS_PHOTO_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"

G_BEGIN_DECLS

/* FALSE where the mean difference across the border is less than one and a half times that of all
 * pairs, or there is no border. TRUE in a photo of one colour, and where memory is short. Cost
 * O(guess). */
gboolean fs_guess_is_of_photo (const FsGuess *guess, const FsImage *image);

G_END_DECLS

#endif
