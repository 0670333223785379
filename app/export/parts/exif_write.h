/* SPDX-License-Identifier: MIT */
/* Exif for exported pictures: resolution and texts; location and camera only on request.
 * Layer: app.
 *
 * Source: Exif 2.32, 4.6.
 *
 * Threads: any.
 */
#ifndef FS_APP_EXPORT_PARTS_EXIF_WRITE_H
#define FS_APP_EXPORT_PARTS_EXIF_WRITE_H

#include "app/photo/input/photo_metadata.h"

G_BEGIN_DECLS

/* A new block, from the byte-order mark on. NULL where there is nothing to write.
 * g_byte_array_unref. */
GByteArray *fs_exif_write (const FsPhotoMetadata *metadata);

/* The photo's own Exif block, which must exist, completed by the resolution and texts that the
 * photo has elsewhere. g_byte_array_unref. */
GByteArray *fs_exif_complete_block (const FsPhotoMetadata *metadata);

G_END_DECLS

#endif
