/* SPDX-License-Identifier: MIT */
/* Reader of XMP packets.   Layer: app.
 *
 * Source: ISO 16684-1:2019; Adobe's "XMP Specification Part 2" for the names. A property may be an
 * attribute or an element, with any prefix for its namespace. Of malformed XML the part before the
 * error counts.
 */
#ifndef FS_APP_PHOTO_INPUT_XMP_H
#define FS_APP_PHOTO_INPUT_XMP_H

#include "app/photo/input/photo_metadata.h"

G_BEGIN_DECLS

/* Sets orientation, resolution and texts, as far as they are not set yet. */
void fs_xmp_read (const char *text, gsize n_bytes, FsPhotoMetadata *metadata);

G_END_DECLS

#endif
