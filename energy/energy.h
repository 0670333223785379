/* SPDX-License-Identifier: MIT */
/* Photo + seeds → capacities.   Layer: energy.
 *
 * Settings choose the model, which is what strokes are taken to say about the other pixels:
 *
 * geodesic: t = S·(r + G). r = 0.7·ln ((p_O + ε) / (p_B + ε)), the logarithm cut to ±6, with the
 * densities of a colour among the samples near each side's strokes (near_samples.h,
 * colour_density.h), ε = 10⁻⁶: a colour never seen is neutral. G = w·(g_B − g_O) / (g_O + g_B) with
 * geodesic distances to the strokes whose edges cost 10·|ΔP| more, P = 1 / (1 + e^−r)
 * (geodesic/level.h); w = 3, and less where strokes of both sides cover more than 0.8 % of the
 * photo, down to ¾ at 3 %. The frame is a background that fades: its distance counts 1.1·(1 +
 * n_B/1000) times, n_B painted background cells; where strokes of both sides are there it is none
 * near those of the object (geodesic/sources.h). n-links w = λ·S·exp(−2·√(d²/m)) / len, λ =
 * 55·max(N / 200,000, 1)^⅓ for N pixels (lab_contrast.h). A star joins the object to its strokes
 * (star.h); the cut's border is then refined (refine.h). Without a star, as within a lasso, 40
 * takes the place of 55, and w = 4, less where object seeds cover more than 40 % of what is not
 * background, down to nothing at 60 %, where an object bias of 1 nat has come in its place.
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
 * All of them: diagonals weigh 1/√2; integers (S = FS_DATA_SCALE, or FS_NAT_SCALE for logarithms);
 * a seed's t-link is one more than all its links together, which is as strong as infinity. With
 * seeds of one kind only, the other side's colours come from the frame (object seeds in geodesic),
 * or from the third of the photo that lies farthest.
 *
 * The n-links follow from the photo alone and are made once. The t-links are a function of the seed
 * map alone (fs_energy_fit); between fits the models stand still.
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

#pragma GCC visibility push(default)

typedef struct _FsEnergy FsEnergy;

/* Makes the n-links (O(N)). Takes a reference to the image. Errors: FS_SOLVER_ERROR_INVALID (a
 * setting that is none, an image without pixels), MEMORY, CANCELLED. What follows refuses, as
 * misuse, seeds of another size than the image and pixels outside it. */
FsEnergy *fs_energy_new (FsImage *image, const FsSettings *settings, const FsProgress *progress,
                         GError **error);
void fs_energy_free (FsEnergy *energy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsEnergy, fs_energy_free)

/* Another energy of the same photo, settings and guess: shares image and n-links, has colour tables
 * and t-links of its own, all 0 at first. Errors: FS_SOLVER_ERROR_MEMORY. */
FsEnergy *fs_energy_new_sibling (FsEnergy *energy, GError **error);

/* The grid to bind a solver to: owned by the energy; all t-links 0 at first. */
FsGrid *fs_energy_get_grid (FsEnergy *energy);

/* The largest |t| that a pixel without a seed can have, unless it is clamped: for
 * FsPreviewOptions.soft_tlink. */
int32_t fs_energy_get_soft_tlink (FsEnergy *energy);

/* Fits the colours of both sides to the seeds and makes the table colour → t-link. Labels above 2
 * count as object. Without any seed the table is all 0. */
void fs_energy_fit (FsEnergy *energy, const FsSeedMap *seeds);

/* Whether the model can be fitted to a mask: gmm alone. */
gboolean fs_energy_can_fit_mask (FsEnergy *energy);

/* GrabCut's step: fits the colours of both sides to a whole mask, W·H bytes of 0 and 1, which
 * should respect the seeds. */
void fs_energy_fit_mask (FsEnergy *energy, const uint8_t *mask);

/* Whether the last fit had seeds of the side (FS_SEED_BACKGROUND or FS_SEED_OBJECT). */
gboolean fs_energy_knows (FsEnergy *energy, uint8_t side);

/* From now on fits weigh a first guess (guess.h), made for a photo of this size, too; NULL ends it.
 * To be called before a fit. Siblings made later have it, those that there are do not. Errors:
 * FS_SOLVER_ERROR_MEMORY; there is no guess then. */
gboolean fs_energy_set_guess (FsEnergy *energy, FsGuess *guess, GError **error);

/* The t-link of a pixel that carries `label`, as the models stand. */
int32_t fs_energy_tlink (FsEnergy *energy, uint32_t pixel, uint8_t label);

/* The t-links of the whole photo, W·H numbers, as the models stand. Cost O(N). */
void fs_energy_fill_tlinks (FsEnergy *energy, const FsSeedMap *seeds, int32_t *tlinks);

/* Whether the grid has a star: a property of the settings. */
gboolean fs_energy_has_star (FsEnergy *energy);

/* The star of the whole photo, W·H parents (grid.h), for the seeds of the last fit. Only with a
 * star. Cost O(N). */
void fs_energy_fill_star (FsEnergy *energy, const FsSeedMap *seeds, uint8_t *parents);

/* Both at once, into the grid's own planes: only while no solver is bound to it. */
void fs_energy_fill_grid (FsEnergy *energy, const FsSeedMap *seeds);

/* Follows a stroke while the models stand still: `pixels` are those whose labels have changed since
 * the last fit or extension (others and repetitions do no harm). Replaces the contents of `tlinks`
 * (of FsTlinkChange, those of the pixels) and `star` (of FsStarChange, what differs from the grid's
 * star; none without a star) by what a solver that is bound to the grid has to change, or the
 * grid's own planes where none is. The star is that of `seeds` then, the t-links of other pixels
 * are those of the last fit: neither depends on the steps between. Cost: what the pixels reach. */
void fs_energy_extend (FsEnergy *energy, const FsSeedMap *seeds, const uint32_t *pixels, size_t n,
                       GArray *tlinks, GArray *star);

/* The same, but `tlinks` may be NULL (implicit_links.h), and the star follows for about max_pixels
 * pixels only, those nearest to object first. FALSE: it is not yet that of `seeds`, though a star;
 * the next call goes on, which may be one of no pixels. */
gboolean fs_energy_extend_some (FsEnergy *energy, const FsSeedMap *seeds, const uint32_t *pixels,
                                size_t n, size_t max_pixels, GArray *tlinks, GArray *star);

/* Stability (energy/terms/mask_prior.h). From now on t-links have a prior towards `previous`, a
 * mask of W·H bytes, 0 or 1, that stood before n pixels (y·W + x) were painted: what follows is
 *
 *   t(p) = the seed's, where there is one; ±(1 + the sum of its n-links), where p is clamped;
 *          the model's plus a prior with the sign of the previous side, ramped: towards object at
 *          most 12 nats in geodesic, once strokes cover the area of 117 cells, and in proportion
 *          before; 3/8 of the largest |t| in the others; towards background a quarter more. In
 *          geodesic 3 nats at least on what lies deeper in its previous side than what the painted
 *          pixels correct, by the labels of the last fit.
 *
 * NULL ends it. To be called before t-links are filled; they do not change by themselves. Errors:
 * FS_SOLVER_ERROR_MEMORY; there is no prior then. Cost O(N). */
gboolean fs_energy_set_mask_prior (FsEnergy *energy, const uint8_t *previous,
                                   const uint32_t *painted, size_t n, GError **error);

/* Whether there is a prior towards a previous mask. */
gboolean fs_energy_has_mask_prior (FsEnergy *energy);

/* Locality filter: clamps what of a cut (W·H bytes, 0 or 1) is not accepted. Replaces the contents
 * of `tlinks` (of FsTlinkChange) by what has to change for the second cut, nothing where all is
 * accepted. Once after fs_energy_set_mask_prior. Errors: FS_SOLVER_ERROR_MEMORY. Cost O(N). */
gboolean fs_energy_filter_changes (FsEnergy *energy, const uint8_t *mask, GArray *tlinks,
                                   GError **error);

/* For the eye: gives what would not be accepted of a mask back to its previous side, where memory
 * allows. Nothing without fs_energy_set_mask_prior. Cost O(N). */
void fs_energy_restore (FsEnergy *energy, uint8_t *mask);

#pragma GCC visibility pop

G_END_DECLS

#endif
