/* SPDX-License-Identifier: MIT */
/* Border refinement: a band along the border is cut again.   Layer: energy.
 *
 * Because of the distances to strokes and of the star, the border of a cut is a few pixels off. But
 * its two sides have far more samples of the colours along the border than the strokes have. So a
 * band along the border, 0.05 of the photo's diagonal to either side, is cut again by an energy
 * learnt from the mask, up to three times:
 *
 *   t = S·(0.9·r' + 2·s·min (d / band, 1) + e) + 0.6·t_c,   n-links 0.8·λ·e^(−1.5·√(d²/m))/len
 *
 *   r' = ln ((p_O + ε) / (p_B + ε)), cut to ±6: the densities of a colour on the mask's two sides,
 *        with samples weighted by e^(−d / 0.08 diagonal); ε = 3·10⁻⁵
 *   d    the distance from the mask's border, s = ±1 its side: a prior towards the mask
 *   e    the object bias, 0 while strokes cover at most 0.8 % of the photo, ¾ from 1.2 % on
 *        (docs/decisions/border-refinement.md)
 *   t_c  the t-link of the colour by the strokes; λ and √(d²/m) of the n-links as in energy.h
 *
 * There is no star. Seeds stay, and so does the mask outside the band.
 *
 * *Last round.* When the mask no longer changes, or after the last of the rounds, one more draws
 * the border: local colour models are added to its t-links, and pixels far from the border stay as
 * in the mask (local_colours.h).
 *
 * *End of the band.* The border must not end where it does only because the band ends there
 * (band_changes.h). The first time that a change runs out of the band, the band is widened by as
 * much again round these cells. Components that run out of that are refused: their pixels are
 * clamped to their side in the first mask. Before the last round islands are refused, too: new
 * components of the object that touch none of the first mask (refine_islands.h,
 * docs/decisions/add-remove-components.md).
 *
 * *Background strokes alone*, a box too. The first mask is hardly more than a guess then. The band
 * is the whole photo, all samples of a side have the same weight, and neither strokes nor distances
 * count: t = S·0.5·r', ε = 3·10⁻⁶, and up to five rounds. With a box: if the first mask fills less
 * than a quarter of it, the object was lost, and the whole inside is taken as first mask. Samples
 * outside the box weigh e^(−12·d / its longer side), d their distance from it. If a mask spans less
 * than 0.6 of the box's width or height it is too short, and each such round adds 0.3 nats of
 * object bias, in up to eight rounds (docs/decisions/outlines.md).
 *
 * *Components* are added to the first mask and removed from it before all this, by cuts of the
 * whole photo (add_components.h, remove_components.h): one pixel a cell, t = S·0.9·r' + 0.6·t_c,
 * all samples of a side with the same weight, up to five rounds.
 *
 * *Large photos*, of more than FS_REDUCED_PIXELS, are refined on a copy reduced to a half, a
 * quarter, … of the sides (geodesic_photo.h), with the λ and m of that copy. The border is then cut
 * at the photo's own pixels (full_resolution_border.h).
 *
 * Sources: Lombaert, Sun, Grady & Xu 2005 (banded graph cuts), Rother, Kolmogorov & Blake 2004
 * (iterated learning from the mask); the terms of the band's energy are ours.
 *
 * Distances, densities and the band are those of the model's level (geodesic/level.h): a cell that
 * the border crosses has d = 0 and no weight.
 *
 * The grid of the rounds is the band's bounding rectangle. Fixed pixels have links only where they
 * are adjacent to the band. So its energy, bound and minimum are those of the same energy over the
 * whole photo, or over the reduced one.
 *
 * Everything is a function of photo, settings, seeds and mask, the same bits everywhere.
 *
 * Threads: one at a time; the energy must neither be fitted nor freed meanwhile.
 */
#ifndef FS_ENERGY_REFINE_REFINE_H
#define FS_ENERGY_REFINE_REFINE_H

#include "energy/energy.h"

G_BEGIN_DECLS

typedef struct _FsRefinement FsRefinement;

/* TRUE if settings and last fit ask for refinement: geodesic with a star, or without one where the
 * only seeds are the background's. */
gboolean fs_energy_wants_refinement (FsEnergy *energy);

/* For an energy that wants refinement, has been fitted to `seeds` and cut to `mask`, W·H bytes of 0
 * and 1; energy and seeds are borrowed. Makes the grid for the mask's border. Errors:
 * FS_SOLVER_ERROR_MEMORY. Cost: O(N) bytes read, O(cells), and O(rectangle of the band, reduced).
 */
FsRefinement *fs_refinement_new (FsEnergy *energy, const FsSeedMap *seeds, const uint8_t *mask,
                                 GError **error);

/* A refinement of the whole photo, one pixel a cell, for add_components.h. Its grid is never
 * widened. Where a cell is more than a pixel all its masks are reduced ones. */
FsRefinement *fs_refinement_new_of_cells (FsEnergy *energy, const FsSeedMap *seeds,
                                          const uint8_t *mask, GError **error);
void fs_refinement_free (FsRefinement *refinement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsRefinement, fs_refinement_free)

/* The largest number of rounds: three; five for the whole photo; eight for a box alone. */
int fs_refinement_get_rounds (const FsRefinement *refinement);

/* The first mask on the reduced photo, n_pixels bytes; NULL where the rounds run on the photo
 * itself. If there is one, all masks below are reduced ones, and full_resolution_border.h makes the
 * last cut. */
const uint8_t *fs_refinement_get_reduced (const FsRefinement *refinement, size_t *n_pixels);

/* The grid, owned by the refinement, to bind a solver to; NULL where the mask has no border. */
FsGrid *fs_refinement_get_grid (FsRefinement *refinement);

/* Learns the colours of the mask's sides and fills `tlinks` for the next round
 * (fs_solver_replace_tlinks). Cost as fs_refinement_new. */
void fs_refinement_learn (FsRefinement *refinement, const uint8_t *mask, int32_t *tlinks);

/* TRUE if a last round draws the border: not where the band is the whole photo. */
gboolean fs_refinement_draws (const FsRefinement *refinement);

/* As fs_refinement_learn, for that round. `tlinks` may be NULL where full_resolution_border.h
 * makes the last cut. */
void fs_refinement_draw (FsRefinement *refinement, const uint8_t *mask, int32_t *tlinks);

/* TRUE if a changed component, of the first mask and this one (W·H bytes), extends beyond the band,
 * and the band has not been widened yet. Cost O(pixels of the band). */
gboolean fs_refinement_wants_wider_band (FsRefinement *refinement, const uint8_t *mask);

/* Widens the band for such a mask and makes a new grid, with t-links for the next round. No solver
 * may be bound to the old one. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_refinement_widen (FsRefinement *refinement, const uint8_t *mask, GError **error);

/* Refuses the components that run out of the band: gives them back to their first side in `mask`,
 * and replaces the contents of `tlinks` (of FsTlinkChange, pixels of the grid) by the changes that
 * clamp them in all later rounds. Returns whether there are any. */
gboolean fs_refinement_refuse (FsRefinement *refinement, uint8_t *mask, GArray *tlinks);

/* The grid's rectangle in the photo that the rounds run on. */
FsRect fs_refinement_get_area (const FsRefinement *refinement);

/* Writes the band's pixels of a cut of the grid, width·height bytes, into a mask of the photo.
 * Returns whether any of them changed. */
gboolean fs_refinement_write (const FsRefinement *refinement, const uint8_t *cut, uint8_t *mask);

/* The locality filter of stability, once, after the last round: components that differ from the
 * previous mask and are far from the painted pixels are clamped to their previous side, within the
 * band. Appends the changes to `tlinks` (of FsTlinkChange, pixels of the grid). Errors:
 * FS_SOLVER_ERROR_MEMORY. */
gboolean fs_refinement_filter_changes (FsRefinement *refinement, const uint8_t *mask,
                                       GArray *tlinks, GError **error);

G_END_DECLS

#endif
