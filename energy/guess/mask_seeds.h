/* SPDX-License-Identifier: MIT */
/* Seeds of a finished mask: a guess that is certain nearly everywhere counts like strokes all over
 * the photo, but where strokes contradict it.   Layer: energy.
 *
 * A guess is a finished mask (fs_guess_is_mask) where it has the photo's size and every pixel is
 * certain, by 7 to 1 and half of them wholly, or says nothing (odds of 0: the unknown part of a
 * trimap), or is beside one that is (a smoothed edge). Its certain pixels are seeds of their side,
 * below the strokes, so that no part of it is too small for the contrast and the cut without
 * strokes is the mask.
 *
 * A stroke contradicts the components of the other side that it crosses (guess.h). Such a component
 * is free near the stroke: within MASK_RADIUS times the distance from the stroke to the mask's own
 * border, which says how large what is wrong may be, and within a fiftieth of the diagonal at
 * least. Other components stand, however near.
 *
 * A function of guess and strokes alone, in integers. Distances are between cells, of which the
 * photo's longer side has 256 at most.
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

/* Finds which pixels of the mask count beside these strokes. Where memory is short a component that
 * is contradicted is free everywhere. Cost O(N). */
void fs_mask_seeds_weigh (FsMaskSeeds *seeds, const FsSeedMap *strokes);

/* Of a pixel without a stroke, as last weighed: FS_SEED_NONE, _BACKGROUND or _OBJECT. */
uint8_t fs_mask_seeds_get (const FsMaskSeeds *seeds, uint32_t pixel);

/* These strokes over the mask's seeds as last weighed; until the next call. Cost O(N). */
const FsSeedMap *fs_mask_seeds_merge (FsMaskSeeds *seeds, const FsSeedMap *strokes);

/* The same, where the strokes differ from those of the last call in n pixels at most. */
const FsSeedMap *fs_mask_seeds_change (FsMaskSeeds *seeds, const FsSeedMap *strokes,
                                       const uint32_t *pixels, size_t n);

G_END_DECLS

#endif
