/* SPDX-License-Identifier: MIT */
/* Removed components: mask of the first cut that is not object.   Layer: energy.
 *
 * The rounds that look for components to add (add_components.h) also leave some of the first mask
 * out. Most of that is wrong. Two kinds are right:
 *
 *   - *holes*: a component (4 neighbours) of n ≥ 32 cells of which at most 2·√n sides are on the
 *     background, and whose colours are the background's by 2½ nats in the mean, S·0.9·r' +
 *     0.6·t_c. It lies in the mask, and looks like what is outside;
 *   - *islands*: a component of the mask that the rounds leave, of at least 32 cells, in which
 *     there is no stroke: they cut it off from all strokes. It goes, and so does what they left out
 *     between it and the strokes.
 *
 * Then, where there was an island, cells that are connected to no stroke of the object any more go
 * too. Strokes stay. Border refinement begins with the mask without them
 * (docs/decisions/add-remove-components.md).
 *
 * All of it is a function of photo, settings, seeds and mask, the same bits everywhere. Threads: as
 * refine.h says.
 */
#ifndef FS_ENERGY_REFINE_REMOVE_COMPONENTS_H
#define FS_ENERGY_REFINE_REMOVE_COMPONENTS_H

#include "energy/refine/refine.h"

G_BEGIN_DECLS

/* `cells`: what the rounds of a refinement of cells ended with, which began with `mask`, W·H bytes.
 * Makes what is removed background in `mask`; with stability not what the stroke does not reach.
 * Errors: FS_SOLVER_ERROR_MEMORY. Cost: O(cells), and O(N) where something goes with stability. */
gboolean fs_refinement_remove_components (const FsRefinement *refinement, const uint8_t *cells,
                                          uint8_t *mask, GError **error);

G_END_DECLS

#endif
