/* SPDX-License-Identifier: MIT */
/* Seeds of a finished mask: its certain pixels, except near strokes that contradict it.
 * Layer: energy.
 *
 * A guess is a finished mask (fs_guess_is_mask) if it has the photo's size and each pixel is
 * certain (by 7 to 1; half of these wholly), unknown (odds of 0, as in a trimap), or adjacent to a
 * certain one (a smoothed edge). The certain pixels are seeds of their side, below the strokes. So
 * the cut without strokes is the mask, with every detail of it, whatever the contrast.
 *
 * A stroke contradicts the components (guess.h) of the other side that it crosses; contradictions.h
 * says which of their pixels are seeds no more.
 *
 * A function of guess and strokes alone, in integers.
 *
 * Memory: two bytes a pixel of the photo. Threads: one at a time.
 */
#ifndef FS_ENERGY_GUESS_MASK_SEEDS_H
#define FS_ENERGY_GUESS_MASK_SEEDS_H

#include "energy/guess/guess.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

typedef struct _FsMaskSeeds FsMaskSeeds;

/* For a guess that is a finished mask. Takes a reference. NULL where memory is short. */
FsMaskSeeds *fs_mask_seeds_new (FsGuess *guess);
void fs_mask_seeds_free (FsMaskSeeds *seeds);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMaskSeeds, fs_mask_seeds_free)

/* Finds the pixels of the mask that are seeds with these strokes. Where memory is short a
 * contradicted component loses all its seeds. Cost O(N). */
void fs_mask_seeds_weigh (FsMaskSeeds *seeds, const FsSeedMap *strokes);

/* The seed of a pixel without a stroke, as last weighed: FS_SEED_NONE, _BACKGROUND or _OBJECT. */
uint8_t fs_mask_seeds_get (const FsMaskSeeds *seeds, uint32_t pixel);

/* The strokes over the mask's seeds as last weighed. Valid until the next call. Cost O(N). */
const FsSeedMap *fs_mask_seeds_merge (FsMaskSeeds *seeds, const FsSeedMap *strokes);

/* The same, where the strokes differ from those of the last call in n pixels at most. */
const FsSeedMap *fs_mask_seeds_change (FsMaskSeeds *seeds, const FsSeedMap *strokes,
                                       const uint32_t *pixels, size_t n);

G_END_DECLS

#endif
