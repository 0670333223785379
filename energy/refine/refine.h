/* SPDX-License-Identifier: MIT */
/* Border refinement: a band along the border is cut again.   Layer: energy.
 *
 * Distances to strokes and the star put the border a few pixels off. Once there is a cut, its two
 * sides say far more about the colours along the border than the strokes do. So a band along the
 * border, 0.05 of the photo's diagonal to either side, is cut again by an energy of its own, and,
 * learning from what comes of that, once or twice more:
 *
 *   t = S·(0.9·r' + 2·s·min (d / band, 1) + e) + 0.6·t_c,   n-links 0.8·λ·e^(−1.5·√(d²/m))/len
 *
 * r' = ln ((p_O + ε) / (p_B + ε)), cut to ±6, with the densities of a colour on the mask's two
 * sides, pixels weighing e^(−d / 0.08 diagonal), ε = 3·10⁻⁵; d the distance from the mask's border,
 * and s = ±1 its side, so that the new border must say why it leaves the old one; t_c what the
 * strokes say of the colour, λ and √(d²/m) those of its n-links (energy.h); e in favour of the
 * object, 0 while strokes cover at most 0.8 % of the photo, and ¾ from 1.2 % on
 * (docs/decisions/border-refinement.md). There is no star. Seeds stay what they are; everything
 * beyond the band stays as it is in the mask.
 *
 * Once the mask stands still, or has been learnt from often enough, a last round draws the border:
 * its t-links also hold what colours say at each place of it, and what these do not reach stays as
 * it is in the mask (local_colours.h).
 *
 * A border may not lie where it lies because the band ends there (band_changes.h). The first time
 * that a change runs out of it the band is opened as far again round these cells; what runs out of
 * that is refused, a component at a time: its pixels are clamped to the side where the first mask
 * had them. So is, before the border is drawn, what would become object and hangs together with
 * nothing that already was (docs/decisions/add-remove-components.md).
 *
 * With strokes of the background alone, a box that was drawn round the object too, the first mask
 * is hardly more than a guess. Then the whole photo is the band, all pixels of a side are samples
 * of its colours alike, and neither strokes nor distance add to it: t = S·0.5·r', ε = 3·10⁻⁶, and
 * up to five rounds. A first mask that fills less than a quarter of a box has lost its object: all
 * inside the box takes its place. Outside it pixels weigh e^(−d / 1/12 of its longer side), d their
 * distance from it. A mask that spans less than 0.6 of its width or height is short of the object:
 * each round after one adds 0.3 nats in favour of it, up to eight (docs/decisions/outlines.md).
 *
 * Before that, components are added to the first mask and removed from it, by cuts of the whole
 * photo (add_components.h, remove_components.h): one pixel a cell, t = S·0.9·r' + 0.6·t_c with all
 * pixels of a side weighing alike, up to five rounds.
 *
 * A photo of more than FS_REDUCED_PIXELS is refined on a smaller copy first: all of the above
 * happens on the photo reduced to a half, a quarter, … of its sides (geodesic_photo.h), with the
 * reduced photo's own λ and m; its border is then drawn at the photo's own pixels
 * (full_resolution_border.h).
 *
 * Sources: Lombaert, Sun, Grady & Xu 2005 (a band that is cut again), Rother, Kolmogorov & Blake
 * 2004 (models learnt from the mask, over and over); what the band's energy is made of is ours.
 *
 * Distances, densities and the band are those of the model's level (geodesic/level.h): a cell that
 * the border crosses has d = 0 and no weight.
 *
 * The rounds' grid covers the band's bounding rectangle and no more. Of what is fixed it holds the
 * pixels beside the band; all others have t-links and n-links of 0. Its energy, bound and minimum
 * are therefore those of the same energy over the whole photo, reduced where it is.
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

/* Whether it is asked for, by settings and the last fit: geodesic among strokes, and not within a
 * lasso unless there are strokes of the background alone. */
gboolean fs_energy_wants_refinement (FsEnergy *energy);

/* For an energy that wants refinement, has been fitted to `seeds` and cut to `mask`, W·H bytes of 0
 * and 1; energy and seeds are borrowed. Makes the grid for the mask's border. Errors:
 * FS_SOLVER_ERROR_MEMORY. Cost: O(N) bytes read, O(cells), and O(rectangle of the band, reduced).
 */
FsRefinement *fs_refinement_new (FsEnergy *energy, const FsSeedMap *seeds, const uint8_t *mask,
                                 GError **error);

/* The same of the whole photo, one pixel a cell, for add_components.h. Its grid is never widened,
 * and its masks are all reduced ones where a cell is more than a pixel. */
FsRefinement *fs_refinement_new_of_cells (FsEnergy *energy, const FsSeedMap *seeds,
                                          const uint8_t *mask, GError **error);
void fs_refinement_free (FsRefinement *refinement);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsRefinement, fs_refinement_free)

/* How often the border may be cut again: three times, the whole photo five times, for a box alone
 * eight times. */
int fs_refinement_get_rounds (const FsRefinement *refinement);

/* The first mask as the rounds see it, n_pixels bytes: NULL where they run on the photo itself.
 * Else all masks below are such reduced ones, and full_resolution_border.h has the last word. */
const uint8_t *fs_refinement_get_reduced (const FsRefinement *refinement, size_t *n_pixels);

/* The grid, owned by the refinement, to bind a solver to; NULL where the mask has no border. */
FsGrid *fs_refinement_get_grid (FsRefinement *refinement);

/* The t-links of the grid for the next round, by what the last one made of the mask, for
 * fs_solver_replace_tlinks. Cost as above. */
void fs_refinement_learn (FsRefinement *refinement, const uint8_t *mask, int32_t *tlinks);

/* Whether there is a last round that draws the border: not where the band is the whole photo. */
gboolean fs_refinement_draws (const FsRefinement *refinement);

/* As fs_refinement_learn, for that round. `tlinks` may be NULL where full_resolution_border.h
 * makes the last cut. */
void fs_refinement_draw (FsRefinement *refinement, const uint8_t *mask, int32_t *tlinks);

/* TRUE if a changed component, of the first mask and this one (W·H bytes), extends beyond the band,
 * and the band has not been widened yet. Cost O(pixels of the band). */
gboolean fs_refinement_wants_wider_band (FsRefinement *refinement, const uint8_t *mask);

/* Widens the band for such a mask and makes the grid anew, with t-links for the next round. No
 * solver may be bound to it. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_refinement_widen (FsRefinement *refinement, const uint8_t *mask, GError **error);

/* Gives what runs out of the band back to the first mask's side, in `mask` and for ever: replaces
 * the contents of `tlinks` (of FsTlinkChange, pixels of the grid) by what has to change for that.
 * Returns whether there is anything. */
gboolean fs_refinement_refuse (FsRefinement *refinement, uint8_t *mask, GArray *tlinks);

/* Where in the photo the rounds run on the grid's pixel (0, 0) lies, and where it ends. */
FsRect fs_refinement_get_area (const FsRefinement *refinement);

/* Writes the band's pixels of a cut of the grid, width·height bytes, into a mask of the photo.
 * Returns whether any of them changed. */
gboolean fs_refinement_write (const FsRefinement *refinement, const uint8_t *cut, uint8_t *mask);

/* With stability, once, after the last round: components of the mask that differ from the previous
 * one and do not come near what was painted are clamped to their previous side, within the band.
 * Appends to `tlinks` (of FsTlinkChange, pixels of the grid) what has to change for that. Errors:
 * FS_SOLVER_ERROR_MEMORY. */
gboolean fs_refinement_filter_changes (FsRefinement *refinement, const uint8_t *mask,
                                       GArray *tlinks, GError **error);

G_END_DECLS

#endif
