/* SPDX-License-Identifier: MIT */
/* BMP photos through gdk-pixbuf, an optional feature of the build.   Layer: app. */
#ifndef FS_APP_BMP_H
#define FS_APP_BMP_H

#include "app/photo_input.h"

G_BEGIN_DECLS

#ifdef HAVE_BMP
#define FS_PHOTO_FORMATS N_ ("JPEG, PNG or BMP")
#else
#define FS_PHOTO_FORMATS N_ ("JPEG or PNG")
#endif

/* An FsPhotoDecoder. A build without the feature refuses every file with FS_PHOTO_ERROR_FORMAT. */
gboolean fs_bmp_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
