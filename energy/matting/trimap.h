/* SPDX-License-Identifier: MIT */
/* Labels of a trimap, a byte a pixel.   Layer: energy (value header).
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_MATTING_TRIMAP_H
#define FS_ENERGY_MATTING_TRIMAP_H

enum { FS_TRIMAP_BACKGROUND = 0, FS_TRIMAP_UNKNOWN = 128, FS_TRIMAP_OBJECT = 255 };

#endif
