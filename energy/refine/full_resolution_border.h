/* SPDX-License-Identifier: MIT */
/* Border at full resolution, cut after rounds on a reduced photo.   Layer: energy.
 *
 * Each pixel of the reduced photo (refine.h) stands for a block of the photo. The pixels of a block
 * in the band are free if the block
 *
 *   - is adjacent to a block of the other label, or
 *   - has a seed of the other label, or
 *   - was of both labels in the first mask, between blocks of one: a part too thin for a block.
 *
 * Free pixels are cut by the energy of the last round, with its colours, local ones too, and its
 * distances, but with the photo's own pixels and n-links. Seeds and pixels that the rounds refused
 * are fixed. The other pixels of the band have their block's label, and those outside it that of
 * the first mask.
 *
 * Threads: one at a time; the refinement must neither be freed nor learn meanwhile. */
#ifndef FS_ENERGY_REFINE_FULL_RESOLUTION_BORDER_H
#define FS_ENERGY_REFINE_FULL_RESOLUTION_BORDER_H

#include "energy/refine/refine.h"
#include "solver/multilevel/band_problem.h"

G_BEGIN_DECLS

typedef struct _FsBorderDetail FsBorderDetail;

/* `reduced` is the result of the rounds. `mask` is the photo's first mask and becomes the one that
 * the problem starts from. The refinement is borrowed. Errors: FS_SOLVER_ERROR_MEMORY. Cost:
 * O(pixels of the band) bytes, and O(free pixels). */
FsBorderDetail *fs_border_detail_new (FsRefinement *refinement, const uint8_t *reduced,
                                      uint8_t *mask, GError **error);
void fs_border_detail_free (FsBorderDetail *detail);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsBorderDetail, fs_border_detail_free)

/* Owned by the detail. */
const FsBandProblem *fs_border_detail_get_problem (const FsBorderDetail *detail);

/* The locality filter of stability, once, after the cut: components that differ from the previous
 * mask and are far from the painted pixels get their previous labels in `mask` and are fixed.
 * `changed` becomes TRUE if there are any; then cut again. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_border_detail_filter_changes (FsBorderDetail *detail, uint8_t *mask, gboolean *changed,
                                          GError **error);

G_END_DECLS

#endif
