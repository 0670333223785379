/* SPDX-License-Identifier: MIT */
/* Mask prior and locality filter: a stroke changes the mask near it only.   Layer: energy.
 *
 * Models learnt from strokes alone may spoil a good mask at the other end of the photo. Three
 * measures prevent this. They use the *previous* mask, which the person saw when the stroke began,
 * and the pixels painted since:
 *
 * - the *prior*: a t-link towards a pixel's previous side, strength·min(d / (0.2·diagonal), 1) at
 *   the geodesic distance d (μ = 0.5) from the painted pixels, and a quarter more towards the
 *   background, since areas that a stroke adds by mistake are large;
 * - the *locality filter*: of the components (8 neighbours) in which the cut differs from the
 *   previous mask, only those within 2 pixels of a painted pixel are accepted. The pixels of the
 *   others are *clamped* to their previous side, and the cut is made once more;
 * - the *bounded answer*, where strokes have labels: the middle of the area that a stroke corrects
 *   is as far from the previous border as the area is thick. A cell of depth d in its previous side
 *   has a prior of at least
 *
 *     S·clip ((d − d_c) / (d_c + diagonal/128), 0, 1),
 *
 *   d_c the largest depth of a corrected cell. And parts of accepted components that are wider than
 *   the stroke is deep are clamped, too (answer_width.h, docs/decisions/stability.md).
 *
 * Accepting connected components alone is common in interactive segmentation. Ours is that the
 * filter becomes part of the energy, so that the second cut is again an exact minimum. energy.h has
 * the t-links. Everything is integers: a function of photo, previous mask, painted pixels and the
 * mask that was filtered.
 *
 * Memory: half a byte a pixel, 4 bytes a cell and a painted pixel. Threads: one at a time; between
 * two calls of the filter any number of threads may read.
 */
#ifndef FS_ENERGY_TERMS_MASK_PRIOR_H
#define FS_ENERGY_TERMS_MASK_PRIOR_H

#include "energy/geodesic/level.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

#define FS_MASK_PRIOR_NEAR_PX 2

typedef struct _FsMaskPrior FsMaskPrior;

/* `strength`: the prior's maximum towards object. `previous`: W·H bytes, 0 or 1. `painted`: n
 * pixels (y·W + x), repetitions allowed; none: the prior is at its maximum everywhere. Nothing is
 * clamped yet. Takes a reference to the level, copies the rest. NULL where memory is short. Cost:
 * O(N), and the distances up to a fifth of the diagonal. */
FsMaskPrior *fs_mask_prior_new (FsGeodesicLevel *level, const uint8_t *previous,
                                const uint32_t *painted, size_t n, int32_t strength);

/* Adds the bounded answer, with `seed_bits` (FsModel.seed_bits) and the same previous mask and
 * pixels as above. Only if some painted cell has a seed within the other side. From then on the
 * filter bounds the width, too. FALSE where memory is short. Cost O(N). */
gboolean fs_mask_prior_bound_answer (FsMaskPrior *prior, const uint8_t *previous,
                                     const uint32_t *painted, size_t n, const uint8_t *seed_bits,
                                     int32_t strength);
void fs_mask_prior_free (FsMaskPrior *prior);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsMaskPrior, fs_mask_prior_free)

/* The prior's maximum towards the background. */
static inline int32_t
fs_mask_prior_max (int32_t strength)
{
  return strength + strength / 4;
}

/* Weakens the prior where the guess that made the previous mask has lost trust
 * (fs_opinion_get_remaining_trust): `trust` has width·height cells over the photo, 256 for no
 * change. Cost O(cells). */
void fs_mask_prior_weaken (FsMaskPrior *prior, const uint16_t *trust, int width, int height);

/* TRUE if the pixel was object; if it is clamped; if any is. */
gboolean fs_mask_prior_was_object (const FsMaskPrior *prior, uint32_t pixel);
gboolean fs_mask_prior_is_clamped (const FsMaskPrior *prior, uint32_t pixel);
gboolean fs_mask_prior_has_clamped (const FsMaskPrior *prior);

/* The prior of a pixel's t-link; the second adds those of a whole row of the photo. */
int32_t fs_mask_prior_get (const FsMaskPrior *prior, uint32_t pixel);
void fs_mask_prior_add_row (const FsMaskPrior *prior, int y, int32_t *tlinks);

/* Fills the parts of `terms` (solver/photo_links.h) that say prior, previous side and clamped
 * pixels. Borrowed from the prior. */
void fs_mask_prior_fill_terms (const FsMaskPrior *prior, FsTlinkTerms *terms);

/* Gives the rejected components of `mask` back to their previous side, for previews before the
 * second cut. FALSE where memory is short. Cost O(N). */
gboolean fs_mask_prior_restore (const FsMaskPrior *prior, uint8_t *mask);

/* Appends the pixels of the rejected components of `mask` (W·H bytes, 0 or 1), in order. FALSE
 * where memory is short. Cost O(N). */
gboolean fs_mask_prior_list_rejected (const FsMaskPrior *prior, const uint8_t *mask,
                                      FsPixelList *rejected);

/* Clamps the pixels of the rejected components of `mask` (W·H bytes, 0 or 1), and no others.
 * Appends them to `clamped`, in order. FALSE where memory is short. Cost O(N). */
gboolean fs_mask_prior_filter (FsMaskPrior *prior, const uint8_t *mask, FsPixelList *clamped);

G_END_DECLS

#endif
