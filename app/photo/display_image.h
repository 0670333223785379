/* SPDX-License-Identifier: MIT */
/* Conversion of a photo to a display's colours.   Layer: app.
 *
 * Threads: any; for one photo one at a time.
 */
#ifndef FS_APP_PHOTO_DISPLAY_IMAGE_H
#define FS_APP_PHOTO_DISPLAY_IMAGE_H

#include "app/photo/photo.h"

G_BEGIN_DECLS

/* `display_icc`: the display's profile; NULL for sRGB. Returns a new reference to the photo's own
 * image if its colours are the display's already, or memory for another one is short. */
FsImage *fs_display_image_new (const FsPhoto *photo, GBytes *display_icc);

G_END_DECLS

#endif
