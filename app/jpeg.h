/* SPDX-License-Identifier: MIT */
/* JPEG photos.   Layer: app.
 *
 * Baseline and progressive, grey, YCbCr, RGB, CMYK and YCCK, decoded row by row straight into the
 * image. CMYK is taken without a profile: R = C·K / 255 with 255 for "no ink" (how Adobe's
 * programs store it; a file without their marker stores the opposite).
 */
#ifndef FS_APP_JPEG_H
#define FS_APP_JPEG_H

#include "app/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. A file that ends early or is damaged on the way gives what came before. */
gboolean fs_jpeg_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
