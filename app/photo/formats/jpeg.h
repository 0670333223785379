/* SPDX-License-Identifier: MIT */
/* Decoder of JPEG photos.   Layer: app.
 *
 * Baseline and progressive, grey, YCbCr, RGB, CMYK and YCCK, decoded row by row straight into the
 * image. CMYK, where 255 stands for "no ink", is converted to sRGB by the photo's profile, and
 * without one, or without Little CMS, as R = C·K / 255.
 */
#ifndef FS_APP_PHOTO_FORMATS_JPEG_H
#define FS_APP_PHOTO_FORMATS_JPEG_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. Of a truncated or damaged file it gives the part before the damage. */
gboolean fs_jpeg_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
