/* SPDX-License-Identifier: MIT */
/* A decoded photo, upright, 8 bits a channel.   Layer: energy (value header).
 *
 * One 32-bit word a pixel, native byte order, 0xAARRGGBB with straight alpha (255 where the file
 * has none): what Cairo's RGB24 surfaces take without a copy. Reference counted, immutable once
 * shared, so any thread may read it.
 */
#ifndef FS_ENERGY_IMAGE_IMAGE_H
#define FS_ENERGY_IMAGE_IMAGE_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

typedef struct {
  int width;
  int height;
  gboolean has_alpha; /* the file has an alpha channel, if only of 255 */
  uint32_t *pixels;   /* [height · width], rows without padding */
} FsImage;

/* An image of zeroed pixels, or NULL where memory is short or width · height is 2³² or more. */
FsImage *fs_image_new (int width, int height);

/* The same where every pixel is written next: they are not zeroed. */
FsImage *fs_image_new_whole (int width, int height);

/* One more owner, and one less: the last one frees it. NULL may be left. Threads: any. */
FsImage *fs_image_ref (FsImage *image);
void fs_image_unref (FsImage *image);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsImage, fs_image_unref)

#define FS_PIXEL_A(p) ((uint8_t)((p) >> 24))
#define FS_PIXEL_R(p) ((uint8_t)((p) >> 16))
#define FS_PIXEL_G(p) ((uint8_t)((p) >> 8))
#define FS_PIXEL_B(p) ((uint8_t)(p))
#define FS_PIXEL(a, r, g, b)                                                                       \
  ((uint32_t)(a) << 24 | (uint32_t)(r) << 16 | (uint32_t)(g) << 8 | (uint32_t)(b))

G_END_DECLS

#endif
