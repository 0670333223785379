/* SPDX-License-Identifier: MIT */
/* Overlay for checking a mask: the object unchanged, the rest dark and nearly grey, and an orange
 * line just inside the border.   Layer: app.
 *
 * Threads: any.
 */
#ifndef FS_APP_EXPORT_PARTS_OVERLAY_H
#define FS_APP_EXPORT_PARTS_OVERLAY_H

#include "energy/image/image.h"

G_BEGIN_DECLS

/* `mask`: width·height bytes, 0 or 1. Opaque; NULL where memory is short. */
FsImage *fs_overlay_new (const FsImage *image, const uint8_t *mask);

G_END_DECLS

#endif
