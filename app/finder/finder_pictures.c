/* SPDX-License-Identifier: MIT */
#include "app/finder/finder_pictures.h"

#include <png.h>
#include <string.h>

/* The first pixel of the photo that belongs to pixel `at` of `n`, of `n_all`. */
static int
first_of (int at, int n, int n_all)
{
  return (int)((gint64)at * n_all / n);
}

static void
add_pixel (guint32 sums[4], uint32_t pixel)
{
  const guint32 a = FS_PIXEL_A (pixel), white = 255 * (255 - a);
  sums[0] += (FS_PIXEL_R (pixel) * a + white + 127) / 255;
  sums[1] += (FS_PIXEL_G (pixel) * a + white + 127) / 255;
  sums[2] += (FS_PIXEL_B (pixel) * a + white + 127) / 255;
  sums[3]++;
}

/* Sides of up to 65,500 pixels are covered 32 × 32 at a time, which no sum of bytes overflows. */
static void
reduce_row (FsFinderPictures *to, const FsImage *image, int y)
{
  const int y0 = first_of (y, to->height, image->height),
            y1 = first_of (y + 1, to->height, image->height);
  uint8_t *rgb = to->rgb + (size_t)y * (size_t)to->width * 3;
  for (int x = 0; x < to->width; x++) {
    const int x0 = first_of (x, to->width, image->width),
              x1 = first_of (x + 1, to->width, image->width);
    guint32 sums[4] = { 0 };
    for (int v = y0; v < y1; v++)
      for (int u = x0; u < x1; u++)
        add_pixel (sums, image->pixels[(size_t)v * (size_t)image->width + (size_t)u]);
    for (int i = 0; i < 3; i++)
      rgb[3 * x + i] = (uint8_t)((sums[i] + sums[3] / 2) / sums[3]);
  }
}

static void
reduce_labels_row (FsFinderPictures *to, const FsImage *image, const uint8_t *marks, int y)
{
  const int y0 = first_of (y, to->height, image->height),
            y1 = first_of (y + 1, to->height, image->height);
  uint8_t *labels = to->labels + (size_t)y * (size_t)to->width;
  for (int x = 0; x < to->width; x++) {
    const int x0 = first_of (x, to->width, image->width),
              x1 = first_of (x + 1, to->width, image->width);
    guint counts[256] = { 0 }, max = 0;
    for (int v = y0; v < y1; v++)
      for (int u = x0; u < x1; u++) {
        const uint8_t label = marks[(size_t)v * (size_t)image->width + (size_t)u];
        if (label != 0 && ++counts[label] > max) {
          max = counts[label];
          labels[x] = label;
        }
      }
  }
}

gboolean
fs_finder_pictures_init (FsFinderPictures *pictures, const FsImage *image, const uint8_t *marks,
                         gboolean with_strokes)
{
  const int longer = MAX (image->width, image->height), side = MIN (longer, FS_FINDER_MAX_SIDE_PX);
  *pictures = (FsFinderPictures){
    .width = (int)MAX (1, (gint64)image->width * side / longer),
    .height = (int)MAX (1, (gint64)image->height * side / longer),
  };
  const gsize n = (gsize)pictures->width * (gsize)pictures->height;
  pictures->rgb = g_try_malloc (3 * n);
  pictures->labels = with_strokes ? g_try_malloc0 (n) : NULL;
  if (!pictures->rgb || (with_strokes && !pictures->labels)) {
    fs_finder_pictures_clear (pictures);
    return FALSE;
  }
  for (int y = 0; y < pictures->height; y++) {
    reduce_row (pictures, image, y);
    if (with_strokes && marks)
      reduce_labels_row (pictures, image, marks, y);
  }
  return TRUE;
}

void
fs_finder_pictures_clear (FsFinderPictures *pictures)
{
  g_clear_pointer (&pictures->rgb, g_free);
  g_clear_pointer (&pictures->labels, g_free);
}

static gboolean
write_png (const FsFinderPictures *pictures, const uint8_t *pixels, guint32 format,
           const char *path, GError **error)
{
  png_image png = { .version = PNG_IMAGE_VERSION,
                    .width = (png_uint_32)pictures->width,
                    .height = (png_uint_32)pictures->height,
                    .format = format,
                    .flags = PNG_IMAGE_FLAG_FAST };
  if (png_image_write_to_file (&png, path, 0, pixels, 0, NULL))
    return TRUE;
  g_set_error (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "%s", png.message);
  return FALSE;
}

gboolean
fs_finder_pictures_write_photo (const FsFinderPictures *pictures, const char *path, GError **error)
{
  return write_png (pictures, pictures->rgb, PNG_FORMAT_RGB, path, error);
}

gboolean
fs_finder_pictures_write_strokes (const FsFinderPictures *pictures, const char *path,
                                  GError **error)
{
  return write_png (pictures, pictures->labels, PNG_FORMAT_GRAY, path, error);
}
