/* SPDX-License-Identifier: MIT */
/* Rectangles of pixels, and capsules.   Layer: energy (value header).
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_IMAGE_RECT_H
#define FS_ENERGY_IMAGE_RECT_H

#include <glib.h>

G_BEGIN_DECLS

/* Half open: x0 ≤ x < x1. Empty when x0 ≥ x1. */
typedef struct {
  int x0, y0, x1, y1;
} FsRect;

/* In upright image pixels; (0, 0) is the outer corner of the first pixel. */
typedef struct {
  double x0, y0, x1, y1;
  double radius_px;
} FsCapsule;

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
