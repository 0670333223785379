/* SPDX-License-Identifier: MIT */
/* resize-photo PHOTO OUT.png WIDTH HEIGHT: the same photo in another size.
 *
 * Smaller by averaging. Larger by cubic interpolation (Catmull & Rom 1974) with a grain of its own,
 * so that an enlarged photo is as noisy as one that was taken at that size. */
#include "app/export/export.h"
#include "app/photo/photo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Amplitude of the grain in grey levels, about that of the sample photo. */
#define GRAIN 5.0f

typedef struct {
  const FsImage *from;
  FsImage *to;
} Resize;

static float
channel (uint32_t pixel, int c)
{
  return (float)(pixel >> (8 * c) & 0xff);
}

/* Weight of a sample at distance d, in samples of the coarser of the two grids. */
static float
weight (float d, gboolean enlarge)
{
  d = fabsf (d);
  if (!enlarge)
    return d < 0.5f ? 1.0f : 0.0f;
  if (d < 1)
    return 1 + d * d * (1.5f * d - 2.5f);
  return d < 2 ? 2 + d * (d * (2.5f - 0.5f * d) - 4) : 0.0f;
}

/* In [−1, 1], a function of place and channel. */
static float
grain (int x, int y, int c)
{
  uint32_t h = (uint32_t)x * 0x9e3779b1u ^ (uint32_t)y * 0x85ebca77u ^ (uint32_t)c * 0xc2b2ae3du;
  h = (h ^ h >> 15) * 0x2c1b3c6du;
  h = (h ^ h >> 12) * 0x297a2d39u;
  return (float)(h >> 8) / (float)(1 << 23) - 1.0f;
}

static uint32_t
resized_pixel (const Resize *job, int x, int y)
{
  const FsImage *from = job->from;
  float step_x = (float)from->width / (float)job->to->width;
  float step_y = (float)from->height / (float)job->to->height;
  gboolean enlarge = step_x < 1;
  float reach_x = enlarge ? 2 : step_x / 2, reach_y = enlarge ? 2 : step_y / 2;
  float cx = ((float)x + 0.5f) * step_x - 0.5f, cy = ((float)y + 0.5f) * step_y - 0.5f;
  float sum[3] = { 0 }, total = 0;
  for (int v = (int)ceilf (cy - reach_y); (float)v <= cy + reach_y; v++)
    for (int u = (int)ceilf (cx - reach_x); (float)u <= cx + reach_x; u++) {
      float w = weight (((float)u - cx) / (enlarge ? 1 : step_x), enlarge)
                * weight (((float)v - cy) / (enlarge ? 1 : step_y), enlarge);
      uint32_t p = from->pixels[(size_t)CLAMP (v, 0, from->height - 1) * (size_t)from->width
                                + (size_t)CLAMP (u, 0, from->width - 1)];
      for (int c = 0; c < 3; c++)
        sum[c] += w * channel (p, c);
      total += w;
    }
  uint32_t pixel = 0xff000000u;
  for (int c = 0; c < 3; c++) {
    float value = sum[c] / total + (enlarge ? GRAIN * grain (x, y, c) : 0);
    pixel |= (uint32_t)CLAMP (lroundf (value), 0, 255) << (8 * c);
  }
  return pixel;
}

static gboolean
write_png (FsImage *image, const char *path, GError **error)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  g_autofree uint8_t *whole = g_malloc (n);
  memset (whole, 1, n);
  FsExport export = { .image = image, .mask = whole, .kind = FS_EXPORT_CUTOUT };
  return fs_export_write (&export, path, NULL, NULL, NULL, error);
}

static gboolean
resize_photo (const char *path, const char *out, int width, int height, GError **error)
{
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, error);
  if (!photo)
    return FALSE;
  g_autoptr (FsImage) to = fs_image_new (width, height);
  Resize job = { photo->image, to };
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      to->pixels[(size_t)y * (size_t)width + (size_t)x] = resized_pixel (&job, x, y);
  return write_png (to, out, error);
}

int
main (int argc, char **argv)
{
  int width = argc == 5 ? atoi (argv[3]) : 0, height = argc == 5 ? atoi (argv[4]) : 0;
  if (width < 1 || width > 20000 || height < 1 || height > 20000) {
    fprintf (stderr, "usage: %s PHOTO OUT.png WIDTH HEIGHT\n", argv[0]);
    return 2;
  }
  g_autoptr (GError) error = NULL;
  if (resize_photo (argv[1], argv[2], width, height, &error))
    return 0;
  fprintf (stderr, "%s: %s\n", argv[0], error->message);
  return 1;
}
