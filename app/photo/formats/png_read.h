/* SPDX-License-Identifier: MIT */
/* Decoder of PNG photos.   Layer: app.
 *
 * Every colour type and depth of the standard, decoded row by row straight into the image; 16 bits
 * become 8 by rounding v·255 / 65,535, grey of fewer bits is scaled to the whole range, tRNS
 * becomes alpha, eXIf gives the orientation.
 */
#ifndef FS_APP_PHOTO_FORMATS_PNG_READ_H
#define FS_APP_PHOTO_FORMATS_PNG_READ_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. Of a truncated or damaged file it gives the part before the damage. */
gboolean fs_png_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
