/* SPDX-License-Identifier: MIT */
/* Seeds of the objects of a finished mask: which pixels of a mask are which object.
 * Layer: energy.
 *
 * Where a guess has several objects (fs_guess_new_objects), each of its pixels that the cut leaves
 * in the mask is a seed of its object, below the strokes. A stroke of another object contradicts
 * the components that it crosses; contradictions.h says which of their pixels are seeds no more.
 *
 * Threads: any; only reads.
 */
#ifndef FS_ENERGY_GUESS_OBJECT_SEEDS_H
#define FS_ENERGY_GUESS_OBJECT_SEEDS_H

#include "energy/guess/guess.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* The strokes over those of the guess's objects where `mask` (W·H bytes, 0 or 1) is 1. For a guess
 * with objects, of the strokes' size. fs_seed_map_free. NULL where memory is short. Cost O(N). */
FsSeedMap *fs_object_seeds_new (const FsGuess *guess, const FsSeedMap *strokes,
                                const uint8_t *mask);

G_END_DECLS

#endif
