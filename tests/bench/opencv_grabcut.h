/* SPDX-License-Identifier: MIT */
/* OpenCV's grabCut, to compare with: never linked into the product. Functions return 0 on failure.
 */
#ifndef FS_BENCH_OPENCV_GRABCUT_H
#define FS_BENCH_OPENCV_GRABCUT_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* A JPEG of 0xAARRGGBB pixels, and a grey PNG of labels. */
int bench_opencv_write (const char *path, const uint32_t *pixels, int width, int height);
int bench_opencv_write_seeds (const char *path, const uint8_t *labels, int width, int height);

/* Decodes, runs one iteration from the seeds (what has none is probable background) on one thread,
 * and writes the mask. */
int bench_opencv_grabcut (const char *photo, const char *seeds, const char *mask);

G_END_DECLS

#endif
