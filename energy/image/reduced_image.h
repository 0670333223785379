/* SPDX-License-Identifier: MIT */
/* A photo, several times smaller.   Layer: energy.
 *
 * A *block* is 2^k × 2^k pixels (in the last column and row it may be a part of that) and becomes
 * one pixel, of their mean colour.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_IMAGE_REDUCED_IMAGE_H
#define FS_ENERGY_IMAGE_REDUCED_IMAGE_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* ⌈W / 2^k⌉ × ⌈H / 2^k⌉ pixels, without alpha; k ≤ 8. NULL where memory is short. Cost O(N), shared
 * among threads. */
FsImage *fs_image_reduce (const FsImage *image, int shift);

G_END_DECLS

#endif
