/* SPDX-License-Identifier: MIT */
#include "app/photo/input/orient.h"

#include <string.h>

/* Pixels a side of a square that fits the first-level cache twice: reading down columns without it
 * costs a cache line a pixel. */
#define TILE_PX 32

gboolean
fs_orientation_swaps (int orientation)
{
  return orientation >= 5 && orientation <= 8;
}

static void
reverse_pixels (uint32_t *pixels, gsize n)
{
  for (gsize i = 0, j = n - 1; i < j; i++, j--) {
    const uint32_t pixel = pixels[i];
    pixels[i] = pixels[j];
    pixels[j] = pixel;
  }
}

/* Pixel (x, y) of the transposed image is pixel (y, x) of the stored one, each axis possibly
 * counted from its far end. */
static void
transpose_tile (const FsImage *from, FsImage *to, int x0, int y0, gboolean far_x, gboolean far_y)
{
  const gsize from_width = (gsize)from->width, to_width = (gsize)to->width;
  for (int y = y0; y < MIN (y0 + TILE_PX, to->height); y++) {
    const gsize from_x = (gsize)(far_x ? from->width - 1 - y : y);
    for (int x = x0; x < MIN (x0 + TILE_PX, to->width); x++) {
      const gsize from_y = (gsize)(far_y ? from->height - 1 - x : x);
      to->pixels[(gsize)y * to_width + (gsize)x] = from->pixels[from_y * from_width + from_x];
    }
  }
}

static FsImage *
transposed (const FsImage *image, gboolean far_x, gboolean far_y)
{
  FsImage *upright = fs_image_new (image->height, image->width);
  if (!upright)
    return NULL;
  upright->has_alpha = image->has_alpha;
  for (int y = 0; y < upright->height; y += TILE_PX)
    for (int x = 0; x < upright->width; x += TILE_PX)
      transpose_tile (image, upright, x, y, far_x, far_y);
  return upright;
}

FsImage *
fs_image_turn_upright (FsImage *image, int orientation)
{
  g_return_val_if_fail (orientation >= 1 && orientation <= 8, image);

  if (fs_orientation_swaps (orientation)) {
    const gboolean far_x = orientation == 7 || orientation == 8;
    const gboolean far_y = orientation == 6 || orientation == 7;
    FsImage *upright = transposed (image, far_x, far_y);
    fs_image_unref (image);
    return upright;
  }
  /* 4, upside down, is 3, a half turn, mirrored. */
  if (orientation == 3 || orientation == 4)
    reverse_pixels (image->pixels, (gsize)image->width * (gsize)image->height);
  if (orientation == 2 || orientation == 4)
    for (int y = 0; y < image->height; y++)
      reverse_pixels (image->pixels + (gsize)y * (gsize)image->width, (gsize)image->width);
  return image;
}

guint16 *
fs_samples_turn_upright (guint16 *samples, int width, int height, int orientation)
{
  if (orientation == 1 || !samples)
    return samples;
  const gboolean swaps = fs_orientation_swaps (orientation);
  const gboolean far_x = strchr ("2378", '0' + orientation) != NULL;
  const gboolean far_y = strchr ("3467", '0' + orientation) != NULL;
  const int to_width = swaps ? height : width;
  const gsize n = (gsize)width * (gsize)height, n_bytes = 4 * sizeof *samples;
  guint16 *upright = g_try_malloc_n (n, n_bytes);
  for (gsize i = 0; upright && i < n; i++) {
    const int x = (int)(i % (gsize)to_width), y = (int)(i / (gsize)to_width);
    const int u = swaps ? y : x, v = swaps ? x : y;
    const gsize from =
        (gsize)(far_y ? height - 1 - v : v) * (gsize)width + (gsize)(far_x ? width - 1 - u : u);
    memcpy (upright + 4 * i, samples + 4 * from, n_bytes);
  }
  g_free (samples);
  return upright;
}
