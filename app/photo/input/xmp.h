/* SPDX-License-Identifier: MIT */
/* Facts in an XMP packet.   Layer: app.
 *
 * Source: ISO 16684-1:2019; Adobe's "XMP Specification Part 2" for the names. A property may stand
 * as an attribute or as an element, under whatever prefix its namespace has in this file. What
 * comes before a place where the XML is broken counts.
 */
#ifndef FS_APP_PHOTO_INPUT_XMP_H
#define FS_APP_PHOTO_INPUT_XMP_H

#include "app/photo/input/photo_metadata.h"

G_BEGIN_DECLS

/* Sets what is said and is not set yet: orientation, resolution, texts. */
void fs_xmp_read (const char *text, gsize n_bytes, FsPhotoMetadata *metadata);

G_END_DECLS

#endif
