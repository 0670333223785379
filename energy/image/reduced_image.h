/* SPDX-License-Identifier: MIT */
/* Photo reduced by a power of two.   Layer: energy.
 *
 * A *block* of 2^k × 2^k pixels, smaller in the last column and row, becomes one pixel of their
 * mean colour.
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
