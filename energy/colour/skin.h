/* SPDX-License-Identifier: MIT */
/* Skin detection without strokes: t-links from a table of colours.   Layer: energy.
 *
 * Source: Lattari et al. 2010, "Colour based human skin segmentation using graph cuts". Skin has a
 * small part of all colours, so that counted samples separate it without seeds:
 * t = FS_NAT_SCALE · ln (p(colour | skin) / p(colour | other)), cut to ±6 nats, positive for skin,
 * in a table of 16 × 16 × 16 colours. The samples are those of "Skin Segmentation" (Bhatt & Dhall
 * 2012); energy/colour/skin_table.py makes the table. N-links are those of the gmm model, whose
 * t-links are nats too.
 *
 * Only colours decide: wood, sand and clay may be taken for skin. Threads: any.
 */
#ifndef FS_ENERGY_COLOUR_SKIN_H
#define FS_ENERGY_COLOUR_SKIN_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* No |t| is larger: six nats of FS_NAT_SCALE. */
#define FS_SKIN_TLINK_MAX 384

/* The t-link of a pixel's colour. */
int32_t fs_skin_tlink (uint32_t pixel);

/* Adds the t-links of the pixels that carry no seed to a plane of W·H. Cost O(N). */
void fs_skin_add_tlinks (const FsImage *image, const FsSeedMap *seeds, int32_t *tlinks);

G_END_DECLS

#endif
