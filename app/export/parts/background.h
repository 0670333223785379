/* SPDX-License-Identifier: MIT */
/* Backgrounds of flattened cut-outs: one colour, or a picture.   Layer: app.
 *
 * A picture covers the photo: it is scaled, with its shape kept, until no side of the photo is
 * bare, and centred; what protrudes is cut off. It is filtered by a triangle as wide as one of the
 * larger of both pixels. Its colours are converted to the photo's, and where it is transparent it
 * lies on white. A colour is the values that are written, whatever the photo's profile.
 *
 * Threads: immutable and reference counted; rendering on one thread at a time.
 */
#ifndef FS_APP_EXPORT_PARTS_BACKGROUND_H
#define FS_APP_EXPORT_PARTS_BACKGROUND_H

#include "energy/image/image.h"
#include "energy/image/seed_map.h"

G_BEGIN_DECLS

typedef struct FsBackground FsBackground;

/* Reads #rgb, #rrggbb, or one of CSS's basic colour names, in any case: 0xRRGGBB. */
gboolean fs_background_parse_colour (const char *text, uint32_t *rgb);

/* `text` is a colour, or else the path of a picture of any format that photos have. Errors:
 * FS_PHOTO_ERROR. */
FsBackground *fs_background_new (const char *text, GError **error);
FsBackground *fs_background_new_colour (uint32_t rgb);

/* The path of the picture as it was given; NULL of a colour. */
const char *fs_background_get_path (const FsBackground *self);
/* The colour, 0xRRGGBB, where there is no picture. */
uint32_t fs_background_get_colour (const FsBackground *self);

/* NULL may be given. */
FsBackground *fs_background_ref (FsBackground *self);
void fs_background_unref (FsBackground *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsBackground, fs_background_unref)

/* The part of it behind `area`, a rectangle of a photo of width × height pixels: opaque, in the
 * colours of the ICC profile (NULL: sRGB). NULL where memory is short. */
FsImage *fs_background_render (const FsBackground *self, int width, int height, FsRect area,
                               GBytes *icc);

/* The colour behind one pixel of such a photo, for small previews: not filtered or converted. */
uint32_t fs_background_get_pixel (const FsBackground *self, int width, int height, int x, int y);

/* One pixel of straight alpha over another, mixed as their values are. */
uint32_t fs_pixel_over (uint32_t top, uint32_t below);

G_END_DECLS

#endif
