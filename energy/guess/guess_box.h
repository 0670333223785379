/* SPDX-License-Identifier: MIT */
/* Match of a guess with a box: selects the components that the box was drawn round.   Layer:
 * energy.
 *
 * A box without strokes means one object, which lies wholly within. Object components of the guess
 * with less than four fifths of their pixels in the box are other objects. The remaining ones must
 * together span half of the box's width and half of its height, and fill an eighth of it; else no
 * component of the guess is the box's object.
 *
 * Integers, a function of guess and seeds. Threads: any number at a time.
 */
#ifndef FS_ENERGY_GUESS_GUESS_BOX_H
#define FS_ENERGY_GUESS_GUESS_BOX_H

#include "energy/guess/guess.h"
#include "energy/guess/guess_internal.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* `n_against` [components]: the number of background seeds on object components. Sets `is_other`
 * [components] for object components that are other objects. Returns whether the guess has the
 * box's object. Cost O(photo). */
gboolean fs_guess_box_fits (const FsGuess *guess, const FsSeedMap *seeds, const uint32_t *n_against,
                            uint8_t *is_other);

/* The component under a pixel of the photo. */
static inline uint32_t
fs_guess_component_at (const FsGuess *guess, int x, int y)
{
  size_t gx = (size_t)((int64_t)x * guess->width / guess->photo_width);
  size_t gy = (size_t)((int64_t)y * guess->height / guess->photo_height);
  return guess->component[gy * (size_t)guess->width + gx];
}

G_END_DECLS

#endif
