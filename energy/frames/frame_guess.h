/* SPDX-License-Identifier: MIT */
/* A guess in the energy of a frame's band.   Layer: energy.
 *
 * The guess of the frame adds its opinion (opinion.h) to the t-links of the band's free pixels.
 * Pixels of which the moved silhouette leaves no doubt take the place of strokes: those fixed to
 * the object confirm the components of the guess that they lie in; those some band widths outside
 * of it contradict theirs. On a frame with strokes these count instead.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_FRAMES_FRAME_GUESS_H
#define FS_ENERGY_FRAMES_FRAME_GUESS_H

#include "energy/frames/frame_energy.h"
#include "energy/guess/guess.h"

G_BEGIN_DECLS

/* Adds to planes that have been filled. `strokes`, of the frame's size, may be NULL. FALSE where
 * memory is short. Cost: O(frame + guess). */
gboolean fs_frame_guess_add (FsFrameEnergy *energy, const FsFrameBand *band, FsGuess *guess,
                             const FsSeedMap *strokes, int frame_width, int frame_height);

/* TRUE if the guess agrees with a moved mask on where the object is: the intersection of the two
 * objects is at least half of their union. Cost: O(guess). */
gboolean fs_frame_guess_confirms (const FsGuess *guess, const FsMovedMask *moved);

G_END_DECLS

#endif
