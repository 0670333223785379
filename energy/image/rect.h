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

G_END_DECLS

#endif
