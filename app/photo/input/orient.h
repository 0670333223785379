/* SPDX-License-Identifier: MIT */
/* Rotation of a decoded photo to upright, by Exif's orientation.   Layer: app.
 *
 * Source of the eight values: Exif 2.32, 4.6.4, tag 0x0112: where row 0 and column 0 of the stored
 * picture lie in the scene.
 */
#ifndef FS_APP_PHOTO_INPUT_ORIENT_H
#define FS_APP_PHOTO_INPUT_ORIENT_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* TRUE if width and height are swapped by the rotation. */
gboolean fs_orientation_swaps (int orientation);

/* Consumes the reference to `image`, which nobody else may hold, and returns the upright image.
 * 1 … 4 work in place; 5 … 8 need a second image and return NULL where memory is short. */
FsImage *fs_image_turn_upright (FsImage *image, int orientation);

/* The same of samples, four a pixel, which are freed: a new array, or NULL where memory is short.
 */
guint16 *fs_samples_turn_upright (guint16 *samples, int width, int height, int orientation);

G_END_DECLS

#endif
