/* SPDX-License-Identifier: MIT */
/* Added components: parts of the object that the first cut left out.   Layer: energy.
 *
 * The first cut stops where the strokes' colours or distances end, and may leave out half a cross
 * or a fish's head. Border refinement (refine.h) cannot add them: they lie beyond its band. So the
 * whole photo is cut again before, one pixel a cell of the model's level, in rounds by the colours
 * of the mask's two sides (fs_refinement_new_of_cells). There are two starts: the mask, and a guess
 * that gives each cell to the nearest stroke. The cells that either adds to the mask fall into
 * components (4 neighbours). A component of n cells is added if all of this holds:
 *
 *   - it makes the border cheaper: the n-links between the mask and the component weigh at least
 *     g·λ·√n more than those between the component and the rest of the photo, where g is 0.3, and
 *     0.15 less for each nat by which its colours (below) exceed 1, and for each √n of its cells'
 *     sides on the mask beyond 2, but not below 0;
 *   - at least ½·√n of its cells' sides are on the mask;
 *   - its colours are the object's: S·0.9·r' + 0.6·t_c is at least ½ nat in the mean;
 *   - it has 32 cells at least, and less than 0.6 times as many as the mask.
 *
 * Border refinement then starts from the mask with these components. While strokes cover less than
 * 0.8 % of the photo nothing is added (docs/decisions/add-remove-components.md).
 * remove_components.h has the rules of removal.
 *
 * The rounds are GrabCut's (Rother, Kolmogorov & Blake 2004) from other starts; which components to
 * add is ours. All of it is a function of photo, settings, seeds and mask, the same bits
 * everywhere.
 *
 * Threads: as refine.h says.
 */
#ifndef FS_ENERGY_REFINE_ADD_COMPONENTS_H
#define FS_ENERGY_REFINE_ADD_COMPONENTS_H

#include "energy/refine/refine.h"

G_BEGIN_DECLS

/* TRUE if components may be added, for an energy that was fitted to `seeds`: it wants refinement,
 * and there are strokes of both sides, which cover enough. */
gboolean fs_energy_may_add_components (FsEnergy *energy, const FsSeedMap *seeds);

/* Fills `cells` ([cells] bytes) with 1 where the nearest stroke is the object's, else 0: the second
 * start of the rounds. Cost O(cells). */
void fs_refinement_guess_cells (const FsRefinement *refinement, uint8_t *cells);

/* Adds components to `mask`, W·H bytes, from which the refinement of cells started; `cells` is the
 * result of its rounds. Background seeds stay, and with stability so do pixels far from the stroke.
 * Errors: FS_SOLVER_ERROR_MEMORY. Cost: O(cells), and O(N) where one is added with stability. */
gboolean fs_refinement_add_components (const FsRefinement *refinement, const uint8_t *cells,
                                       uint8_t *mask, GError **error);

G_END_DECLS

#endif
