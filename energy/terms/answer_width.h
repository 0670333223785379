/* SPDX-License-Identifier: MIT */
/* Width bound of an answer: parts that are wider than the stroke is deep.   Layer: energy.
 *
 * The *answer* to a stroke is the pixels that change sides with it. The middle of the area that a
 * stroke corrects is as far from the previous border as the area is thick. So an answer that is
 * wider than the stroke's depth has leaked through a gap into something else. The width at a place
 * is the radius of the largest disc within answer and photo. Discs with a radius above the stroke's
 * depth plus a 256th of the diagonal are too wide; pixels within that distance of the stroke are
 * left out (docs/decisions/stability.md).
 *
 * Counted in cells. Threads: any.
 */
#ifndef FS_ENERGY_TERMS_ANSWER_WIDTH_H
#define FS_ENERGY_TERMS_ANSWER_WIDTH_H

#include "energy/geodesic/level.h"

G_BEGIN_DECLS

/* Moves the pixels of discs that are too wide from `answer` to `wide` (pixel_bits.h, y·W + x).
 * `painted`: n pixels; if none is in the answer nothing is too wide. `depth`: the stroke's, in
 * units of the level; at least a cell is assumed. FALSE where memory is short. Cost O(N / 64 +
 * pixels of the answer + cells around it). */
gboolean fs_answer_width_bound (const FsGeodesicLevel *level, const uint32_t *painted, size_t n,
                                int32_t depth, uint64_t *answer, uint64_t *wide);

G_END_DECLS

#endif
