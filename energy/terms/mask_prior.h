/* SPDX-License-Identifier: MIT */
/* Mask prior: keeps a stroke local.   Layer: energy.
 *
 * Models from strokes alone may turn a good mask over at the other end of the photo. Two things
 * stand against it, both made from the mask that the person saw when the stroke began (the
 * *previous* mask) and the pixels that were painted since:
 *
 * - the *prior*: a t-link towards the previous side of a pixel, strength·min(d / (0.2·diagonal), 1)
 *   at the geodesic distance d (μ = 0.5) from what was painted, and a quarter more towards the
 *   background: what a stroke takes in by mistake is large;
 * - the *locality filter*: of the components (8 neighbours) in which the cut differs from the
 *   previous mask only those within 2 pixels of what was painted are accepted. The pixels of the
 *   others are *clamped* to their previous side, and the cut is made once more.
 *
 * A third thing bounds the size of a change, for where strokes have labels: the middle of what a
 * stroke corrects is as far from the previous border as the component is thick. So what lies deeper
 * in its previous side than any corrected cell, depth d_c, has a prior of at least S·clip ((d −
 * d_c) / (d_c + diagonal/128), 0, 1), d its own depth. And of accepted components what is wider
 * than the stroke is deep is clamped, too (answer_width.h, docs/decisions/stability.md).
 *
 * Accepting connected components alone is common in interactive segmentation; that the filter
 * becomes part of the energy, so that the second cut is again the exact minimum of something, is
 * ours. energy.h says which t-links follow. Everything is integers: a function of photo, previous
 * mask, painted pixels and the mask that was filtered.
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

/* Adds what the strokes' depth says, with `seed_bits` (FsModel.seed_bits) and the same previous
 * mask and pixels as above: no such prior where no painted cell has a seed amid the other side. The
 * filter looks at the answer's width from then on. FALSE where memory is short. Cost O(N). */
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

/* Weakens the prior where less of what made the previous mask is trusted: by a plane of
 * width·height cells over the photo, 256 for all of it. Cost O(cells). */
void fs_mask_prior_weaken (FsMaskPrior *prior, const uint16_t *trust, int width, int height);

/* Whether the pixel was object, whether it is clamped, and whether any is. */
gboolean fs_mask_prior_was_object (const FsMaskPrior *prior, uint32_t pixel);
gboolean fs_mask_prior_is_clamped (const FsMaskPrior *prior, uint32_t pixel);
gboolean fs_mask_prior_has_clamped (const FsMaskPrior *prior);

/* The prior of a pixel's t-link, and of those of a whole row of the photo. */
int32_t fs_mask_prior_get (const FsMaskPrior *prior, uint32_t pixel);
void fs_mask_prior_add_row (const FsMaskPrior *prior, int y, int32_t *tlinks);

/* Fills the parts of `terms` (solver/photo_links.h) that say prior, previous side and clamped
 * pixels. Borrowed from the prior. */
void fs_mask_prior_fill_terms (const FsMaskPrior *prior, FsTlinkTerms *terms);

/* Gives the components of `mask` that are not accepted back to their previous side: for the eye,
 * while the second cut is on its way. FALSE where memory is short. Cost O(N). */
gboolean fs_mask_prior_restore (const FsMaskPrior *prior, uint8_t *mask);

/* Appends the pixels of the components of `mask` (W·H bytes, 0 or 1) that are not accepted, in
 * order. FALSE where memory is short. Cost O(N). */
gboolean fs_mask_prior_list_rejected (const FsMaskPrior *prior, const uint8_t *mask,
                                      FsPixelList *rejected);

/* Clamps the pixels of the components of `mask` (W·H bytes, 0 or 1) that are not accepted, and no
 * others. Appends them to `clamped`, in order. FALSE where memory is short. Cost O(N). */
gboolean fs_mask_prior_filter (FsMaskPrior *prior, const uint8_t *mask, FsPixelList *clamped);

G_END_DECLS

#endif
