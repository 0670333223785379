/* SPDX-License-Identifier: MIT */
/* HEIC, HEIF and AVIF photos through libheif, an optional feature of the build.   Layer: app.
 *
 * Source: ISO/IEC 23008-12:2022 (HEIF); AV1 Image File Format 1.1 (AOMedia 2022). The primary
 * picture: HEVC or AV1, whole or in tiles, with or without alpha, 8 to 16 bits, which are rounded.
 * It comes turned, mirrored and cropped as the file's boxes say: what its Exif says of orientation
 * repeats that and is not looked at. Of a sequence, the still picture beside it.
 *
 * A photo is whole or refused: packed pictures cannot be read in part. Nothing ends libheif
 * (1.12 … 1.15: what it calls as it goes on returns nothing), so the cancellable is seen before
 * and after each of its steps, of which unpacking is the long one.
 */
#ifndef FS_APP_PHOTO_HEIF_HEIF_H
#define FS_APP_PHOTO_HEIF_HEIF_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. */
gboolean fs_heif_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

/* Sets what the file says beside its picture: the profile, and what Exif and XMP in it say, but for
 * orientation. Nothing where the file is refused. */
void fs_heif_read_metadata (FsPhotoInput *input, FsPhotoMetadata *metadata);

G_END_DECLS

#endif
