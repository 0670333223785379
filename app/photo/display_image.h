/* SPDX-License-Identifier: MIT */
/* A photo as a display shows its colours.   Layer: app.
 *
 * Threads: any; for one photo one at a time.
 */
#ifndef FS_APP_PHOTO_DISPLAY_IMAGE_H
#define FS_APP_PHOTO_DISPLAY_IMAGE_H

#include "app/photo/photo.h"

G_BEGIN_DECLS

/* `display_icc`: the display's profile; NULL for sRGB. The photo's own image, with one more
 * reference, where its colours are the display's already, or memory for another one is short. */
FsImage *fs_display_image_new (const FsPhoto *photo, GBytes *display_icc);

G_END_DECLS

#endif
