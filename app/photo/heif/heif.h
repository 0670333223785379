/* SPDX-License-Identifier: MIT */
/* HEIC, HEIF and AVIF photos through libheif, an optional feature of the build.   Layer: app.
 *
 * Source: ISO/IEC 23008-12:2022 (HEIF); AV1 Image File Format 1.1 (AOMedia 2022). The primary
 * picture: HEVC or AV1, whole or in tiles, with or without alpha, 8 to 16 bits, which are rounded
 * to
 * 8. It is rotated, mirrored and cropped by the file's boxes; the orientation in Exif repeats these
 * and is ignored. Of a sequence, the still picture.
 *
 * A damaged photo is refused: coded pictures cannot be read in part. libheif cannot be interrupted
 * (1.12 … 1.15: its progress callback returns nothing), so the cancellable is checked before and
 * after each of its steps, of which decoding is the long one.
 */
#ifndef FS_APP_PHOTO_HEIF_HEIF_H
#define FS_APP_PHOTO_HEIF_HEIF_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

/* An FsPhotoDecoder. */
gboolean fs_heif_decode (FsPhotoInput *input, FsDecoded *decoded, GError **error);

/* Sets the colour profile and the metadata of Exif and XMP, except for orientation. Nothing where
 * the file is refused. */
void fs_heif_read_metadata (FsPhotoInput *input, FsPhotoMetadata *metadata);

G_END_DECLS

#endif
