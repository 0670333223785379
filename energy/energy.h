/* SPDX-License-Identifier: MIT */
/* Photo + seeds → capacities.   Layer: energy.
 *
 * The energy of Lazy Snapping (Li, Sun, Tang & Shum 2004): t-links from the distances d_O, d_B of a
 * colour to the two sides' clusters, t = S·(d_B − d_O) / (d_O + d_B); n-links w = λ·S / (1 +
 * ‖ΔC‖²). Differing from the paper: the diagonals, weighted by 1/√2; λ = 1000 (the naive reading of
 * equation 3, 2 to 10, cuts far too many edges); integers (S = FS_DATA_SCALE); a seed's t-link is
 * one more than the sum of its n-links, which is as strong as infinity. With seeds of one kind
 * only, the other side's colours are those of the third of the photo that lies farthest from them.
 *
 * The n-links follow from the photo alone and are made once. The colour tables are a function of
 * the seed map alone (fs_energy_fit); between fits they stand still.
 *
 * Threads: one thread at a time per energy; siblings, which share the n-links, may be used by
 * different threads.
 */
#ifndef FS_ENERGY_ENERGY_H
#define FS_ENERGY_ENERGY_H

#include "energy/image.h"
#include "energy/seed_map.h"
#include "energy/settings.h"
#include "solver/grid.h"
#include "solver/progress.h"

G_BEGIN_DECLS

#pragma GCC visibility push(default)

/* The capacity that a data term of 1 becomes. */
#define FS_DATA_SCALE 64
/* … and one nat of the geodesic model. */
#define FS_GEODESIC_SCALE 64
/* λ at smoothness 1, for a data term in [−1, 1] and colours 0 … 255. */
#define FS_LAMBDA 1000.0

typedef struct _FsEnergy FsEnergy;

/* Makes the n-links (O(N)). Takes a reference to the image. Errors: FS_SOLVER_ERROR_MEMORY,
 * CANCELLED. */
FsEnergy *fs_energy_new (FsImage *image, const FsSettings *settings, const FsProgress *progress,
                         GError **error);
void fs_energy_free (FsEnergy *energy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsEnergy, fs_energy_free)

/* Another energy of the same photo and settings: shares image and n-links, has colour tables and
 * t-links of its own, all 0 at first. Errors: FS_SOLVER_ERROR_MEMORY. */
FsEnergy *fs_energy_new_sibling (FsEnergy *energy, GError **error);

/* The grid to bind a solver to: owned by the energy; all t-links 0 at first. */
FsGrid *fs_energy_get_grid (FsEnergy *energy);

/* The largest |t| that a pixel without a seed can have, unless it is held: for
 * FsPreviewOptions.soft_tlink. */
int32_t fs_energy_get_soft_tlink (FsEnergy *energy);

/* Fits the colours of both sides to the seeds and makes the table colour → t-link. Labels above 2
 * count as object. Without any seed the table is all 0. */
void fs_energy_fit (FsEnergy *energy, const FsSeedMap *seeds);

/* Whether the last fit had seeds of the side (FS_SEED_BACKGROUND or FS_SEED_OBJECT). */
gboolean fs_energy_knows (FsEnergy *energy, uint8_t side);

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

/* Stability (energy/stability.h). From now on t-links keep to `former`, a mask of W·H bytes, 0 or
 * 1, that stood before n pixels (y·W + x) were painted: what follows is
 *
 *   t(p) = the seed's, where there is one; ±(1 + the sum of its n-links), where p is held;
 *          the model's plus 3/8 of its largest |t|, ramped and with the sign of the former side.
 *
 * NULL ends it. To be called before t-links are filled; they do not change by themselves. Errors:
 * FS_SOLVER_ERROR_MEMORY; nothing is kept then. Cost O(N). */
gboolean fs_energy_keep (FsEnergy *energy, const uint8_t *former, const uint32_t *painted, size_t n,
                         GError **error);

/* Holds what of a cut (W·H bytes, 0 or 1) is not accepted: replaces the contents of `tlinks` (of
 * FsTlinkChange) by what has to change for the second cut, nothing where all is accepted. Once
 * after fs_energy_keep. Errors: FS_SOLVER_ERROR_MEMORY. Cost O(N). */
gboolean fs_energy_judge (FsEnergy *energy, const uint8_t *mask, GArray *tlinks, GError **error);

/* For the eye: gives what would not be accepted of a mask back to its former side, where memory
 * allows. Nothing without fs_energy_keep. Cost O(N). */
void fs_energy_restore (FsEnergy *energy, uint8_t *mask);

/* How many threads each call on a whole photo may use; 0, the start, means as many as there are
 * processors. The numbers never depend on it. Threads: any. */
void fs_energy_set_threads (int n_threads);
int fs_energy_get_threads (void);

#pragma GCC visibility pop

G_END_DECLS

#endif
