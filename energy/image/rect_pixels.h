/* SPDX-License-Identifier: MIT */
/* Pixels of rectangles.   Layer: energy.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_IMAGE_RECT_PIXELS_H
#define FS_ENERGY_IMAGE_RECT_PIXELS_H

#include "energy/image/rect.h"

G_BEGIN_DECLS

/* Larger by so many pixels on each side. */
static inline FsRect
fs_rect_widen (FsRect rect, int by)
{
  return (FsRect){ rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by };
}

/* The index of a pixel among those of `rect`, row by row. */
static inline gsize
fs_rect_place (FsRect rect, int x, int y)
{
  return (gsize)(y - rect.y0) * (gsize)(rect.x1 - rect.x0) + (gsize)(x - rect.x0);
}

G_END_DECLS

#endif
