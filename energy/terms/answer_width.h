/* SPDX-License-Identifier: MIT */
/* Width bound of an answer: what is wider than the stroke can mean.   Layer: energy.
 *
 * The middle of what a stroke corrects is as far from the previous border as the component is
 * thick. So the answer, the pixels that change sides with the stroke, is hardly wider anywhere than
 * the stroke is deep. Where it is, it has gone through a gap into something else. The width at a
 * place is the radius of the greatest disc within the answer and the photo. Too wide are the discs
 * in the answer of more than the stroke's depth and a 256th of the diagonal, but for what is as
 * near to the stroke as that (docs/decisions/stability.md).
 *
 * Counted in cells. Threads: any.
 */
#ifndef FS_ENERGY_TERMS_ANSWER_WIDTH_H
#define FS_ENERGY_TERMS_ANSWER_WIDTH_H

#include "energy/geodesic/level.h"

G_BEGIN_DECLS

/* Takes the pixels that are too wide out of `answer` (a bit a pixel of the photo, y·W + x) and adds
 * them to `wide` (likewise). `painted`: n pixels; where none is in the answer nothing is too wide.
 * `depth`: the stroke's, in units of the level; less than a cell counts as one. FALSE where memory
 * is short. Cost O(N / 64 + pixels of the answer + cells round it). */
gboolean fs_answer_width_bound (const FsGeodesicLevel *level, const uint32_t *painted, size_t n,
                                int32_t depth, uint64_t *answer, uint64_t *wide);

G_END_DECLS

#endif
