/* SPDX-License-Identifier: MIT */
/* Energy of a photo with seeds: t-links, n-links and star for a binary cut.   Layer: energy.
 *
 * Strokes become t-links in fs_energy_fill_tlinks: a seed's own, and for all other pixels those of
 * the model that the settings choose:
 *
 * geodesic: t = S·(r + G), with
 *
 *   r  0.7·ln ((p_O + ε) / (p_B + ε)), the logarithm cut to ±6: the densities of a colour among
 *      the samples near each side's strokes (near_samples.h, colour_density.h); ε = 10⁻⁶, so that
 *      a colour never seen is neutral
 *   G  w·(g_B − g_O) / (g_O + g_B), with geodesic distances to the strokes of each side; edges
 *      cost 10·|ΔP| more, P = 1 / (1 + e^−r) (geodesic/level.h)
 *   w  3, and less where strokes of both sides cover more than 0.8 % of the photo, down to ¾ of it
 *      at 3 %
 *
 * and n-links λ·S·exp(−2·√(d²/m)) / len, λ = 55·max(N / 200,000, 1)^⅓ for N pixels
 * (lab_contrast.h).
 *
 * The photo's frame is a source of background distances, too, with a weight that falls as
 * background is painted: distances from it count 1.1·(1 + n_B/1000) times, n_B the number of
 * painted background cells. With strokes of both sides it is no source near those of the object
 * (geodesic/sources.h). A star joins the object to its strokes (star.h); the cut's border is then
 * refined (refine.h).
 *
 * Without a star, as within a lasso: 40 in place of 55; w = 4, and less where object seeds cover
 * more than 40 % of the pixels that are not background seeds, down to 0 at 60 %, while an object
 * bias rises to 1 nat.
 *
 * Sources: Bai & Sapiro 2007, Price, Morse & Cohen 2010 (geodesic terms), Gulshan, Rother,
 * Criminisi, Blake & Zisserman 2010 (star), Rother, Kolmogorov & Blake 2004 (frame as background);
 * the combination and its numbers are ours.
 *
 * kmeans: Lazy Snapping (Li, Sun, Tang & Shum 2004): from the distances d_O, d_B of a colour to the
 * two sides' clusters t = S·(d_B − d_O) / (d_O + d_B); n-links w = λ·S / (1 + ‖ΔC‖²). Differing
 * from the paper: λ = 1000 (the naive reading of equation 3, 2 to 10, cuts far too many edges).
 *
 * gmm: GrabCut (Rother, Kolmogorov & Blake 2004): t = S·(ln p_O − ln p_B), cut to ±12, by mixtures
 * of five Gaussians a side (gmm.h); n-links w = 50·S·exp(−d²/(2m)) / len in RGB. The first fit is
 * to the strokes alone; fs_energy_fit_mask is the paper's iteration.
 *
 * All models: diagonals have the weight 1/√2; all is rounded to integers (S = FS_DATA_SCALE, or
 * FS_NAT_SCALE for logarithms); a seed's t-link is one more than all its n-links together, which is
 * as strong as infinity. With seeds of one side only, the other side's colours come from the frame
 * (object seeds in geodesic), or from the third of the photo that lies farthest.
 *
 * The n-links depend on the photo alone and are made once. After fs_energy_fit the t-links are a
 * function of the seed map alone; between fits the models stay as they are.
 *
 * Threads: one thread at a time per energy; siblings, which share the n-links, may be used by
 * different threads.
 */
#ifndef FS_ENERGY_ENERGY_H
#define FS_ENERGY_ENERGY_H

#include "energy/guess/guess.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include "energy/image/settings.h"
#include "energy/image/threads.h"
#include "energy/terms/scale.h"
#include "solver/grid.h"
#include "solver/progress.h"

G_BEGIN_DECLS

typedef struct _FsEnergy FsEnergy;

/* Makes the n-links, O(N). Takes a reference to the image. Errors: FS_SOLVER_ERROR_INVALID (a
 * setting outside its range, an image without pixels), MEMORY, CANCELLED. For all functions below,
 * seeds of another size than the image and pixels outside it are misuse. */
FsEnergy *fs_energy_new (FsImage *image, const FsSettings *settings, const FsProgress *progress,
                         GError **error);
void fs_energy_free (FsEnergy *energy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsEnergy, fs_energy_free)

/* Another energy of the same photo, settings and guess. It shares image and n-links and has its own
 * colour tables and t-links, all 0 at first. Errors: FS_SOLVER_ERROR_MEMORY. */
FsEnergy *fs_energy_new_sibling (FsEnergy *energy, GError **error);

/* The grid to bind a solver to: owned by the energy; all t-links 0 at first. */
FsGrid *fs_energy_get_grid (FsEnergy *energy);

/* The largest |t| that a pixel without a seed can have, unless it is clamped: for
 * FsPreviewOptions.soft_tlink. */
int32_t fs_energy_get_soft_tlink (FsEnergy *energy);

/* Fits the model to the seeds. Labels above 2 count as object. Without seeds t-links are 0. */
void fs_energy_fit (FsEnergy *energy, const FsSeedMap *seeds);

/* TRUE if the model can be fitted to a mask: gmm only. */
gboolean fs_energy_can_fit_mask (FsEnergy *energy);

/* GrabCut's step: fits the colours of both sides to a whole mask, W·H bytes of 0 and 1, which
 * should respect the seeds. */
void fs_energy_fit_mask (FsEnergy *energy, const uint8_t *mask);

/* TRUE if the last fit had seeds of the side (FS_SEED_BACKGROUND or FS_SEED_OBJECT). */
gboolean fs_energy_knows (FsEnergy *energy, uint8_t side);

/* Sets the first guess (guess.h), made for a photo of this size, that later fits weigh; NULL for
 * none. Siblings made later have it, existing ones do not. Errors: FS_SOLVER_ERROR_MEMORY; there is
 * no guess then. */
gboolean fs_energy_set_guess (FsEnergy *energy, FsGuess *guess, GError **error);

/* The t-link of a pixel with this label (a seed, or FS_SEED_NONE), by the present models. */
int32_t fs_energy_tlink (FsEnergy *energy, uint32_t pixel, uint8_t label);

/* Fills the t-links of the whole photo, W·H numbers, by the present models. Cost O(N). */
void fs_energy_fill_tlinks (FsEnergy *energy, const FsSeedMap *seeds, int32_t *tlinks);

/* TRUE if the grid has a star: a property of the settings. */
gboolean fs_energy_has_star (FsEnergy *energy);

/* Fills the star of the whole photo, W·H parents (grid.h), for the seeds of the last fit. Only with
 * a star. Cost O(N). */
void fs_energy_fill_star (FsEnergy *energy, const FsSeedMap *seeds, uint8_t *parents);

/* Fills both in the grid's own planes. Only while no solver is bound to it. */
void fs_energy_fill_grid (FsEnergy *energy, const FsSeedMap *seeds);

/* Lists the changes of links while a stroke grows and the models stay as they are. `pixels` are all
 * those whose labels have changed since the last fit or extension (others and repetitions do no
 * harm). Replaces the contents of `tlinks` (of FsTlinkChange, for these pixels) and `star` (of
 * FsStarChange, the differences from the grid's star; none without a star). They are to be applied
 * by the solver that is bound to the grid, or, where none is, to the grid's own planes. The star is
 * then that of `seeds`, and the t-links of other pixels are those of the last fit: neither depends
 * on the steps in between. Cost: the pixels, and the cells whose star changes. */
void fs_energy_extend (FsEnergy *energy, const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
                       GArray *tlinks, GArray *star);

/* The same, but `tlinks` may be NULL (implicit_links.h), and only about max_pixels pixels of the
 * star change, those nearest to the object first. FALSE where the star is not yet that of `seeds`:
 * it is a valid star, and the next call, with no pixels if need be, goes on. */
gboolean fs_energy_extend_some (FsEnergy *energy, const FsSeedMap *seeds, const uint32_t *pixels,
                                size_t n, size_t max_pixels, GArray *tlinks, GArray *star);

/* Stability (energy/terms/mask_prior.h). Sets the previous mask, W·H bytes, 0 or 1, and the n
 * pixels (y·W + x) that were painted since. From now on t-links have a prior towards it:
 *
 *   t(p) = the seed's, where there is one; ±(1 + the sum of its n-links), where p is clamped;
 *          the model's plus a prior with the sign of the previous side, which rises with the
 *          distance from the stroke.
 *
 * The prior's maximum towards object is 12 nats in geodesic, once strokes cover the area of 117
 * cells, and proportionally less before; 3/8 of the largest |t| in the other models. Towards
 * background it is a quarter more. In geodesic it is at least 3 nats on pixels deeper in their
 * previous side than those that the stroke corrects.
 *
 * NULL ends it. To be called after a fit and before t-links are filled. Errors:
 * FS_SOLVER_ERROR_MEMORY; there is no prior then. Cost O(N). */
gboolean fs_energy_set_mask_prior (FsEnergy *energy, const uint8_t *previous,
                                   const uint32_t *painted, size_t n, GError **error);

/* TRUE if there is a prior towards a previous mask. */
gboolean fs_energy_has_mask_prior (FsEnergy *energy);

/* Locality filter: clamps the changed components of a cut (W·H bytes, 0 or 1) that are rejected.
 * Replaces the contents of `tlinks` (of FsTlinkChange) by the changes for the second cut; empty
 * where all are accepted. Once after fs_energy_set_mask_prior. Errors: FS_SOLVER_ERROR_MEMORY. Cost
 * O(N). */
gboolean fs_energy_filter_changes (FsEnergy *energy, const uint8_t *mask, GArray *tlinks,
                                   GError **error);

/* For previews: gives the components of a mask that the filter would reject back to their previous
 * side. No effect without fs_energy_set_mask_prior, and where memory is short. Cost O(N). */
void fs_energy_restore (FsEnergy *energy, uint8_t *mask);

G_END_DECLS

#endif
