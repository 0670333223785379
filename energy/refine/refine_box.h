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

/* Before the refinement of `mask`, its first cut: of a box alone, without a guess that
 * is heard, all that is not background becomes object where the cut left less than a quarter of it.
 * The rounds then let go of what is not. Cost O(N). */
void fs_refinement_open_box (FsEnergy *energy, const FsSeedMap *seeds, uint8_t *mask);

/* Of a box alone: whether the mask, as the rounds see it, spans less than 0.6 of the box's width or
 * height. The next round has more object bias then. */
gboolean fs_refinement_is_short (const FsRefinement *refinement, const uint8_t *mask);

G_END_DECLS

#endif
