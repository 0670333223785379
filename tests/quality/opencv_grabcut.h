/* SPDX-License-Identifier: MIT */
/* OpenCV's grabCut, to compare with: never linked into the product. */
#ifndef FS_QUALITY_OPENCV_GRABCUT_H
#define FS_QUALITY_OPENCV_GRABCUT_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* OpenCV's own numbers. */
enum {
  QUALITY_OPENCV_BACKGROUND = 0,
  QUALITY_OPENCV_OBJECT = 1,
  QUALITY_OPENCV_MAYBE_BACKGROUND = 2,
  QUALITY_OPENCV_MAYBE_OBJECT = 3,
};

/* Cuts the part crop = { x0, y0, x1, y1 } of 0xAARRGGBB pixels on one thread, from the same random
 * numbers each time, and writes 0 or 1 into that part of the mask. */
void quality_opencv_grabcut (const uint32_t *pixels, const uint8_t *state, int width, int height,
                             const int crop[4], int n_iterations, uint8_t *mask);

G_END_DECLS

#endif
