/* SPDX-License-Identifier: MIT */
/* WebP photos through libwebp, an optional feature of the build.   Layer: app.
 *
 * Source: RFC 9649 (WebP Image Format). Lossy or lossless, with or without alpha; of an animation
 * the first frame, on a transparent background. Of a truncated file it gives the rows before the
 * end.
 */
#ifndef FS_APP_PHOTO_FORMATS_WEBP_H
#define FS_APP_PHOTO_FORMATS_WEBP_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. */
gboolean fs_webp_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

G_END_DECLS

#endif
