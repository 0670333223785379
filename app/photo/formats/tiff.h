/* SPDX-License-Identifier: MIT */
/* TIFF photos through libtiff, an optional feature of the build.   Layer: app.
 *
 * Source: TIFF 6.0 (Adobe 1992); Adobe Photoshop TIFF Technical Notes (2002). The first picture
 * that is neither a smaller one of another nor a mask is opened: strips or tiles, whatever libtiff
 * unpacks, 1 to 16 bits. Grey and RGB of 8 and 16 bits are converted here, so that 16 bits are
 * rounded and straight alpha is unchanged; palettes, YCbCr, CMYK, Lab and the rest by libtiff.
 * Extra channels that are not tagged as alpha are ignored. Incomplete strips and tiles are grey.
 * libtiff's warnings are not shown.
 */
#ifndef FS_APP_PHOTO_FORMATS_TIFF_H
#define FS_APP_PHOTO_FORMATS_TIFF_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. */
gboolean fs_tiff_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
