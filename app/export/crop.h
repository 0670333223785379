/* SPDX-License-Identifier: MIT */
/* The object's bounding box without specks, for cropped exports.   Layer: app.
 *
 * A cut of a large photo leaves specks far from the object, too small to be seen where one looks at
 * the whole. They belong to the mask, but nobody wants a margin up to them: components (of pixels
 * that touch, also at a corner) of less than 1/FS_CROP_SPECKS of the largest one do not count,
 * unless a stroke says that they are object.
 *
 * Threads: any.
 */
#ifndef FS_APP_EXPORT_CROP_H
#define FS_APP_EXPORT_CROP_H

#include "energy/image/seed_map.h"

G_BEGIN_DECLS

#define FS_CROP_SPECKS 1000

/* A mask with more components is all specks, or has none: all of them count. */
#define FS_CROP_MAX_COMPONENTS 65536

/* The smallest rectangle that holds all components that count; empty where there is no object.
 * `mask`: width·height bytes, 0 or 1; `seeds`: as many labels, or NULL. Cost: one pass over both.
 */
FsRect fs_crop_to_object (const uint8_t *mask, const uint8_t *seeds, int width, int height);

/* The place of at most side_x × side_y pixels with the most border in it, as its rows have it; the
 * middle of the photo where there is none. Cost: one pass. */
FsRect fs_crop_to_border (const uint8_t *mask, int width, int height, int side_x, int side_y);

G_END_DECLS

#endif
