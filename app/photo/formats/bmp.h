/* SPDX-License-Identifier: MIT */
/* BMP photos through gdk-pixbuf, an optional feature of the build.   Layer: app. */
#ifndef FS_APP_PHOTO_FORMATS_BMP_H
#define FS_APP_PHOTO_FORMATS_BMP_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. */
gboolean fs_bmp_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
