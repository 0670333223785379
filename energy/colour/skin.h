/* SPDX-License-Identifier: MIT */
/* Skin, without a stroke: t-links from counted colours.   Layer: energy.
 *
 * Lattari et al. 2010, "Colour based human skin segmentation using
 * graph cuts": the colours of skin are a small part of all colours, so that counts of both say what
 * a pixel is likely to be without anybody's seeds. t = FS_NAT_SCALE · ln (p(colour | skin) /
 * p(colour | other)), cut to six nats, looked up in a table of 16 × 16 × 16 colours; positive for
 * skin. The counts are those of "Skin Segmentation" (Bhatt & Dhall 2012);
 * energy/colour/skin_table.py made the table of them and says how. n-links are those of the gmm
 * model, whose t-links are nats too.
 *
 * What it takes for skin are colours: wood, sand and clay may have the same ones. Threads: any.
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
