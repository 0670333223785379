/* SPDX-License-Identifier: MIT */
#include "app/export/parts/overlay.h"

#define LINE_COLOUR 0xffff7800u

/* A quarter of the colour and a quarter of its grey. */
static uint32_t
make_pixel_dull (uint32_t pixel)
{
  uint32_t r = FS_PIXEL_R (pixel), g = FS_PIXEL_G (pixel), b = FS_PIXEL_B (pixel);
  uint32_t grey = (r * 77 + g * 151 + b * 28) >> 8;
  return FS_PIXEL (255, (r + grey) / 4, (g + grey) / 4, (b + grey) / 4);
}

static gboolean
is_border (const uint8_t *mask, int width, int height, int x, int y)
{
  const uint8_t *at = mask + (size_t)y * (size_t)width + (size_t)x;
  return (x > 0 && !at[-1]) || (x + 1 < width && !at[1]) || (y > 0 && !at[-width])
         || (y + 1 < height && !at[width]);
}

FsImage *
fs_overlay_new (const FsImage *image, const uint8_t *mask)
{
  g_return_val_if_fail (image && mask, NULL);
  FsImage *overlay = fs_image_new (image->width, image->height);
  for (int y = 0; overlay && y < image->height; y++)
    for (int x = 0; x < image->width; x++) {
      size_t p = (size_t)y * (size_t)image->width + (size_t)x;
      overlay->pixels[p] = !mask[p] ? make_pixel_dull (image->pixels[p])
                           : is_border (mask, image->width, image->height, x, y)
                               ? LINE_COLOUR
                               : image->pixels[p] | 0xff000000u;
    }
  return overlay;
}
