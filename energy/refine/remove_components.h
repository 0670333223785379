/* SPDX-License-Identifier: MIT */
/* Removed components: parts of the first mask that are not object.   Layer: energy.
 *
 * The rounds that look for components to add (add_components.h) also turn some of the first mask
 * into background, mostly by mistake. Two kinds of components are removed:
 *
 *   - *holes*: a component (4 neighbours) that the rounds turned into background, of n ≥ 32 cells,
 *     with at most 2·√n sides on the background, and with the background's colours by 2½ nats in
 *     the mean of S·0.9·r' + 0.6·t_c: it is surrounded by the mask and looks like its outside;
 *   - *islands*: a component of the object that the rounds leave, of at least 32 cells and without
 *     a stroke: the rounds have separated it from all strokes. It is removed with the cells between
 *     it and the strokes that they turned into background.
 *
 * If there was an island, cells that are no longer connected to any object stroke are removed, too.
 * Strokes stay. Border refinement starts from the mask without these components
 * (docs/decisions/add-remove-components.md).
 *
 * All of it is a function of photo, settings, seeds and mask, the same bits everywhere. Threads: as
 * refine.h says.
 */
#ifndef FS_ENERGY_REFINE_REMOVE_COMPONENTS_H
#define FS_ENERGY_REFINE_REMOVE_COMPONENTS_H

#include "energy/refine/refine.h"

G_BEGIN_DECLS

/* Removes components from `mask`, W·H bytes, from which the refinement of cells started; `cells` is
 * the result of its rounds. With stability, pixels far from the stroke stay. Errors:
 * FS_SOLVER_ERROR_MEMORY. Cost: O(cells), and O(N) where one is removed with stability. */
gboolean fs_refinement_remove_components (const FsRefinement *refinement, const uint8_t *cells,
                                          uint8_t *mask, GError **error);

G_END_DECLS

#endif
