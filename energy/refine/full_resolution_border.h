/* SPDX-License-Identifier: MIT */
/* The border of a reduced photo's mask, drawn on the photo itself.   Layer: energy.
 *
 * After rounds of refinement on the reduced photo (refine.h) each of its pixels stands for a block
 * of the photo. Free are the pixels of those blocks of the band
 *
 *   that lie beside a block of the other label, or hold a seed of the other label, or were of both
 *   labels in the first mask though all around them were of one: parts too thin for a block.
 *
 * They are cut by the energy of the last round: the same colours,
 * local ones too, and distances, at the photo's own pixels and with its own n-links. Seeds, and
 * what the rounds refused, are not free; all other pixels of the band have their block's label, and
 * those beyond the band that of the first mask.
 *
 * Threads: one at a time; the refinement must neither be freed nor learn meanwhile. */
#ifndef FS_ENERGY_REFINE_FULL_RESOLUTION_BORDER_H
#define FS_ENERGY_REFINE_FULL_RESOLUTION_BORDER_H

#include "energy/refine/refine.h"
#include "solver/multilevel/band_problem.h"

G_BEGIN_DECLS

typedef struct _FsBorderDetail FsBorderDetail;

/* `reduced`: what the rounds came to. `mask`, of the photo, is the first one and becomes what the
 * problem is to be cut from. The refinement is borrowed. Errors: FS_SOLVER_ERROR_MEMORY. Cost:
 * O(pixels of the band) bytes, and O(free pixels). */
FsBorderDetail *fs_border_detail_new (FsRefinement *refinement, const uint8_t *reduced,
                                      uint8_t *mask, GError **error);
void fs_border_detail_free (FsBorderDetail *detail);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsBorderDetail, fs_border_detail_free)

/* Owned by the detail. */
const FsBandProblem *fs_border_detail_get_problem (const FsBorderDetail *detail);

/* With stability, once, after the cut: components of the mask that differ from the previous one and
 * do not come near what was painted get their previous labels in `mask` and are free no more.
 * `changed`: whether there are any; then cut again. Errors: FS_SOLVER_ERROR_MEMORY. */
gboolean fs_border_detail_filter_changes (FsBorderDetail *detail, uint8_t *mask, gboolean *changed,
                                          GError **error);

G_END_DECLS

#endif
