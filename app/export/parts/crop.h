/* SPDX-License-Identifier: MIT */
/* The object's bounding box without specks, for cropped exports.   Layer: app.
 *
 * A cut of a large photo may have specks far from the object, too small to be seen in the whole
 * photo. They belong to the mask, but should not enlarge the crop: components (8 neighbours) with
 * less than 1/FS_CROP_SPECKS of the pixels of the largest one are ignored, unless a stroke marks
 * them as object.
 *
 * Threads: any.
 */
#ifndef FS_APP_EXPORT_PARTS_CROP_H
#define FS_APP_EXPORT_PARTS_CROP_H

#include "energy/image/seed_map.h"

G_BEGIN_DECLS

#define FS_CROP_SPECKS 1000

/* In a mask with more components than this all of them count. */
#define FS_CROP_MAX_COMPONENTS 65536

/* The smallest rectangle that holds all components that count; empty where there is no object.
 * `mask`: width·height bytes, 0 or 1; `seeds`: as many labels, or NULL. Cost: one pass over both.
 */
FsRect fs_crop_to_object (const uint8_t *mask, const uint8_t *seeds, int width, int height);

/* The rectangle of at most side_x × side_y pixels with the most border, counted along rows; the
 * middle of the photo where there is no border. Cost: one pass. */
FsRect fs_crop_to_border (const uint8_t *mask, int width, int height, int side_x, int side_y);

G_END_DECLS

#endif
