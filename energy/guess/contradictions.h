/* SPDX-License-Identifier: MIT */
/* Contradictions: frees pixels of a finished mask near strokes that contradict them.
 * Layer: energy.
 *
 * Each pixel of the mask has a label, and belongs to a component of pixels of one label. A stroke
 * contradicts the components that it crosses with a label that theirs does not agree with. Such a
 * component loses its label near the stroke: within MASK_RADIUS times the distance from the stroke
 * to the nearest pixel of another label, since the error is about as large as the stroke is deep,
 * and within a fiftieth of the diagonal at least. Other components keep all their pixels, however
 * near.
 *
 * A function of mask and strokes alone, in integers. Distances are between cells, of which the
 * photo's longer side has 256 at most.
 *
 * Threads: one at a time.
 */
#ifndef FS_ENERGY_GUESS_CONTRADICTIONS_H
#define FS_ENERGY_GUESS_CONTRADICTIONS_H

#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* TRUE if a stroke's label contradicts a pixel's; neither is FS_SEED_NONE. */
typedef gboolean (*FsContradicts) (uint8_t stroke, uint8_t label);

/* Sets the freed pixels of `label` ([height · width]) to FS_SEED_NONE, which is what pixels without
 * a label have. `component`: [height · width], below n_components. Where memory is short a
 * contradicted component loses all its pixels, or, where it is shorter still, nothing is freed.
 * Cost O(N), and O(cells) for each label that is contradicted. */
void fs_contradictions_free (const FsSeedMap *strokes, const uint32_t *component,
                             uint32_t n_components, FsContradicts contradicts, uint8_t *label);

G_END_DECLS

#endif
