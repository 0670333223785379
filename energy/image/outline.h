/* SPDX-License-Identifier: MIT */
/* Background seeds outside a lasso or box.   Layer: energy.
 *
 * An outline is a chain of points that the line from the last to the first closes. Inside is what
 * it winds around: a pixel whose centre (x + ½, y + ½) has a winding number other than 0, so that
 * loops and ends that cross make no holes.
 *
 * Threads: plain data, one thread at a time.
 */
#ifndef FS_ENERGY_IMAGE_OUTLINE_H
#define FS_ENERGY_IMAGE_OUTLINE_H

#include "energy/image/seed_map.h"

G_BEGIN_DECLS

/* In upright image pixels, finite. */
typedef struct {
  float x, y;
} FsPoint;

/* Gives `label` to every pixel of `clip` (inside the map) that lies outside the outline. Cost:
 * the pixels of `clip`, and the points once for every 64 of its rows. */
void fs_seed_map_paint_outside (FsSeedMap *map, const FsPoint *points, guint n_points,
                                uint8_t label, FsRect clip);

G_END_DECLS

#endif
