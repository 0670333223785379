/* SPDX-License-Identifier: MIT */
/* Local colour models along the border.   Layer: energy.
 *
 * Where an object ends in hair or out of focus its pixels are of mixtures that neither side has,
 * and which colours are mixed there changes along the border. So for every place each side is a
 * Gaussian of the colours near by: the level is laid out in square tiles of 0.0345 of the diagonal,
 * a tile's samples are the cells of it and its eight neighbours, weighing 4, 2 beside and 1 at its
 * corners, which lie farther than 0.005 of the diagonal from the border and are of one side; their
 * variance is raised by 1 in L, a and b. With mean μ and covariance Σ
 *
 *   r = ½·(c − μ_B)'Σ_B⁻¹(c − μ_B) − ½·(c − μ_O)'Σ_O⁻¹(c − μ_O), cut to ±6,
 *
 * and a pixel's is bilinear between the middles of the tiles; a tile where a side weighs less than
 * 4 cells has no say. A mixture is thus of the side from which it is fewer deviations away: of the
 * one that it holds more of if both spread alike, and else rather of the one that spreads more.
 *
 * What is added to t-links is S·1.5·w·r, where w is 1 in cells up to 0.004 of the diagonal from the
 * border and falls to 0 at 0.008 (docs/decisions/border-refinement.md).
 *
 * Sources: Bai, Wang, Simons & Sapiro 2009 (local classifiers along a border), Chuang et al. 2001
 * (a Gaussian of either side near a mixed pixel); what they become here is ours.
 *
 * Sums are integers, and what follows is divisions, products and sums in a fixed order: the same
 * bits everywhere. Memory: 310 bytes a tile, of which there are about 400.
 *
 * Threads: one that learns; then any that only weigh.
 */
#ifndef FS_ENERGY_REFINE_LOCAL_COLOURS_H
#define FS_ENERGY_REFINE_LOCAL_COLOURS_H

#include "energy/geodesic/level.h"

G_BEGIN_DECLS

typedef struct _FsLocalColours FsLocalColours;

/* NULL where memory is short. */
FsLocalColours *fs_local_colours_new (const FsGeodesicLevel *level);
void fs_local_colours_free (FsLocalColours *colours);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLocalColours, fs_local_colours_free)

/* `side`, of each cell row by row: 0 background, 1 object, anything else is both. `distance` to the
 * border in the level's units. Both are borrowed until it learns again. Cost: O(cells). */
void fs_local_colours_learn (FsLocalColours *colours, const uint8_t *side, const int32_t *distance);

/* TRUE if pixel (x, y) is near enough to the border for w > 0. `level` is the one that was learnt
 * from, or one of the same cells of the photo at another size, whose pixels x and y then count. */
gboolean fs_local_colours_has_pixel (const FsLocalColours *colours, const FsGeodesicLevel *level,
                                     int x, int y);

/* The local models' part of that pixel's t-link; 0 where w is 0. Cost: eight quadratic forms. */
int32_t fs_local_colours_weigh (const FsLocalColours *colours, const FsGeodesicLevel *level, int x,
                                int y, uint32_t pixel);

G_END_DECLS

#endif
