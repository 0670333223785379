/* SPDX-License-Identifier: MIT */
/* Local colour models along the border.   Layer: energy.
 *
 * In hair and out of focus, pixels have mixed colours that neither side has elsewhere, and the
 * mixed colours change along the border. So each side has a Gaussian of the colours nearby, for
 * each tile of the level. Tiles are squares of 0.0345 of the diagonal. The samples of a tile are
 * cells of one side, farther than 0.005 of the diagonal from the border, in the tile itself (weight
 * 4), in its four direct neighbours (2) and in its four diagonal ones (1). 1 is added to their
 * variances in L, a and b. With mean μ and covariance Σ
 *
 *   r = ½·(c − μ_B)'Σ_B⁻¹(c − μ_B) − ½·(c − μ_O)'Σ_O⁻¹(c − μ_O), cut to ±6,
 *
 * interpolated bilinearly between the centres of the tiles; tiles where a side has less than the
 * weight of 4 cells are left out. So a mixture belongs to the side from which it is fewer standard
 * deviations away.
 *
 * S·1.5·w·r is added to the t-links, where w is 1 in cells up to 0.004 of the diagonal from the
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

/* Learns the Gaussians. `side` of each cell, row by row: 0 background, 1 object, anything else
 * both. `distance` of each cell from the border, in the level's units. Both are borrowed until the
 * next call. Cost: O(cells). */
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
