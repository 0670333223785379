/* SPDX-License-Identifier: MIT */
/* Which way up a camera held the photo.   Layer: app.
 *
 * Source: Exif 2.32, 4.6.4 "Orientation" (tag 0x0112), and TIFF 6.0, section 2, for the structure.
 * Only that one tag of the first directory is looked at; nothing is followed, nothing is allocated,
 * and at most one pass over at most 65,535 entries is made. The bytes are not trusted.
 */
#ifndef FS_APP_EXIF_H
#define FS_APP_EXIF_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

/* `tiff`: the Exif data from its byte-order mark on (in a JPEG, after "Exif\0\0"; in a PNG, the
 * whole eXIf chunk). Returns 1 … 8 as Exif numbers them; 1, upright, where nothing valid is said.
 */
int fs_exif_orientation (const uint8_t *tiff, gsize n_bytes);

G_END_DECLS

#endif
