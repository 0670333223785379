/* SPDX-License-Identifier: MIT */
/* Guess and box: whether a guess is about what a box was drawn round.   Layer: energy.
 *
 * A box without strokes says that all of its object is within it and that there is one. Object
 * components of the guess of which less than four fifths lie within are something else. What is
 * left must span half of the box's width and of its height and fill an eighth of it; else the guess
 * is about something else as a whole.
 *
 * Integers, a function of guess and seeds. Threads: any number at a time.
 */
#ifndef FS_ENERGY_GUESS_GUESS_BOX_H
#define FS_ENERGY_GUESS_GUESS_BOX_H

#include "energy/guess/guess.h"
#include "energy/guess/guess_internal.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* `n_against` [components]: seeds of the background on object components. Fills `is_other`
 * [components] with the object components that are something else; returns whether the guess is
 * about the box. Cost O(photo). */
gboolean fs_guess_box_fits (const FsGuess *guess, const FsSeedMap *seeds, const uint32_t *n_against,
                            uint8_t *is_other);

/* Of a pixel of the photo. */
static inline uint32_t
fs_guess_component_at (const FsGuess *guess, int x, int y)
{
  size_t gx = (size_t)((int64_t)x * guess->width / guess->photo_width);
  size_t gy = (size_t)((int64_t)y * guess->height / guess->photo_height);
  return guess->component[gy * (size_t)guess->width + gx];
}

G_END_DECLS

#endif
