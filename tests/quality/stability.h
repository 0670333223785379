/* SPDX-License-Identifier: MIT */
/* A stroke does not change what is far from it.
 *
 * The mask before the stroke pulls at every pixel with a strength that grows with the geodesic
 * distance from the stroke, and of what the cut changes only those pieces (8 neighbours) are taken
 * that come near the stroke.
 */
#ifndef FS_QUALITY_STABILITY_H
#define FS_QUALITY_STABILITY_H

#include "energy/image.h"
#include "energy/seed_map.h"

G_BEGIN_DECLS

/* Adds the pull to the t-links of pixels without a seed. soft_tlink: the largest |t| of the model,
 * of which the pull is at most 3/8. */
void quality_stability_pull (const FsImage *image, const FsSeedMap *seeds, const uint8_t *stroke,
                             const uint8_t *previous, int32_t soft_tlink, int32_t *tlink);

/* Undoes the changes of `mask` against `previous` that no pixel within 2 px of the stroke is part
 * of. */
void quality_stability_accept (const uint8_t *stroke, const uint8_t *previous, int width,
                               int height, uint8_t *mask);

G_END_DECLS

#endif
