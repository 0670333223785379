/* SPDX-License-Identifier: MIT */
/* Added components: object that the first cut left out.   Layer: energy.
 *
 * The first cut ends where the strokes' colours or distances end: half a cross before a plain sky,
 * a fish without its head. Border refinement (refine.h) sees no farther than its band. So the whole
 * photo is cut again before it, one pixel a cell of the model's level, by the colours of the mask's
 * two sides, over and over (fs_refinement_new_of_cells): once from the mask, and once from a guess
 * that gives each cell to the nearest stroke. What either adds to the mask falls into components (4
 * neighbours), and a component of n cells is added where all of this holds:
 *
 *   - it makes the border cheaper: the n-links between the mask and the component weigh at least
 *     g·λ·√n more than those between the component and the rest of the photo, where g is 0.3, and
 *     0.15 less for each nat by which its colours (below) exceed 1, and for each √n of its cells'
 *     sides on the mask beyond 2, but not below 0;
 *   - at least ½·√n of its cells' sides are on the mask;
 *   - its colours are the object's: S·0.9·r' + 0.6·t_c is at least ½ nat in the mean;
 *   - it has 32 cells at least, and less than 0.6 times as many as the mask.
 *
 * Border refinement then begins with the mask that has them. Removal has rules of its own
 * (remove_components.h); nothing is added while strokes cover less than 0.8 % of the photo
 * (docs/decisions/add-remove-components.md).
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

/* Whether components may be added, for an energy that was fitted to `seeds`: where it wants
 * refinement, among strokes of both sides that cover enough. */
gboolean fs_energy_may_add_components (FsEnergy *energy, const FsSeedMap *seeds);

/* Which cells are nearer to strokes of the object than to those of the background, [cells] bytes of
 * 0 and 1, for rounds that begin with that. Cost O(cells). */
void fs_refinement_guess_cells (const FsRefinement *refinement, uint8_t *cells);

/* `cells`: what the rounds of a refinement of cells ended with. Makes the components that are added
 * object in `mask`, W·H bytes, which the refinement began with; seeds of the background stay, and
 * with stability what the stroke does not reach. Errors: FS_SOLVER_ERROR_MEMORY. Cost: O(cells),
 * and O(N) where one is added with stability. */
gboolean fs_refinement_add_components (const FsRefinement *refinement, const uint8_t *cells,
                                       uint8_t *mask, GError **error);

G_END_DECLS

#endif
