/* SPDX-License-Identifier: MIT */
/* PNG photos.   Layer: app.
 *
 * Every colour type and depth of the standard, decoded row by row straight into the image; 16 bits
 * become 8 by rounding v·255 / 65,535, grey of fewer bits is spread over the whole range, tRNS
 * becomes alpha, eXIf says which way is up.
 */
#ifndef FS_APP_PHOTO_FORMATS_PNG_READ_H
#define FS_APP_PHOTO_FORMATS_PNG_READ_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. A file that ends early or is damaged on the way gives what came before. */
gboolean fs_png_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
