/* SPDX-License-Identifier: MIT */
/* WebP photos through libwebp, an optional feature of the build.   Layer: app.
 *
 * Source: RFC 9649 (WebP Image Format). With or without loss, with or without alpha; of an
 * animation the first frame, on nothing. A file that ends early shows the rows that came.
 */
#ifndef FS_APP_PHOTO_FORMATS_WEBP_H
#define FS_APP_PHOTO_FORMATS_WEBP_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. */
gboolean fs_webp_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
