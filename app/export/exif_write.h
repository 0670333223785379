/* SPDX-License-Identifier: MIT */
/* Exif for exported pictures: resolution and texts, and nothing of place or camera unless asked
 * for. Layer: app.
 *
 * Source: Exif 2.32, 4.6.
 *
 * Threads: any.
 */
#ifndef FS_APP_EXPORT_EXIF_WRITE_H
#define FS_APP_EXPORT_EXIF_WRITE_H

#include "app/photo/input/photo_metadata.h"

G_BEGIN_DECLS

/* From the byte-order mark on. NULL where nothing is said. g_byte_array_unref. */
GByteArray *fs_exif_write (const FsPhotoMetadata *metadata);

/* The metadata's block, which must be there, with what the photo says elsewhere of resolution and
 * texts and the block does not. g_byte_array_unref. */
GByteArray *fs_exif_complete_block (const FsPhotoMetadata *metadata);

G_END_DECLS

#endif
