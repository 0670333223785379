/* SPDX-License-Identifier: MIT */
/* Border refinement of a box alone (background strokes only).   Layer: energy.
 *
 * Threads: as refine.h says.
 */
#ifndef FS_ENERGY_REFINE_REFINE_BOX_H
#define FS_ENERGY_REFINE_REFINE_BOX_H

#include "energy/energy.h"

G_BEGIN_DECLS

/* Declared in refine.h too, which is above this. */
typedef struct _FsRefinement FsRefinement;

/* To be called before the refinement of `mask`, the first cut. Only for a box alone, without a
 * guess that is trusted: where the object of the cut is less than a quarter of the box's inside,
 * the whole inside becomes object in `mask`, and the rounds find the background in it. Cost O(N).
 */
void fs_refinement_open_box (FsEnergy *energy, const FsSeedMap *seeds, uint8_t *mask);

/* TRUE if, for a box alone, a mask of the rounds spans less than 0.6 of the box's width or height.
 * The next round then has more object bias. */
gboolean fs_refinement_is_short (const FsRefinement *refinement, const uint8_t *mask);

G_END_DECLS

#endif
