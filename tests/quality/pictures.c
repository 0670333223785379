/* SPDX-License-Identifier: MIT */
#include "tests/quality/pictures.h"

#include "app/export/export.h"
#include "tests/quality/scores.h"

#include <string.h>

#define WHITE       0xfff6f5f4u
#define GREY        0xffd0d0d0u
#define LIGHT_GREY  0xffecececu
#define RED         0xffe01b24u
#define BLUE        0xff1c71d8u
#define SEED_OBJECT 0xff2ec27eu
#define SEED_BACK   0xfff5c211u

static uint32_t
seed_colour (uint8_t label)
{
  return label == FS_SEED_BACKGROUND ? SEED_BACK : SEED_OBJECT;
}

static uint32_t
map_colour (uint8_t mask, uint8_t truth, uint8_t label)
{
  if (truth == QUALITY_TRUTH_OBJECT && !mask)
    return BLUE;
  if (truth == QUALITY_TRUTH_BACKGROUND && mask)
    return RED;
  if (label != FS_SEED_NONE)
    return seed_colour (label);
  return truth == QUALITY_TRUTH_OBJECT ? GREY : truth == QUALITY_TRUTH_IGNORED ? LIGHT_GREY : WHITE;
}

static gboolean
on_border (const uint8_t *mask, int x, int y, int width, int height)
{
  size_t p = (size_t)y * width + x;
  return (x + 1 < width && mask[p] != mask[p + 1])
         || (y + 1 < height && mask[p] != mask[p + width]);
}

static uint32_t
dimmed (uint32_t pixel)
{
  return FS_PIXEL (255, FS_PIXEL_R (pixel) / 3, FS_PIXEL_G (pixel) / 3, FS_PIXEL_B (pixel) / 3);
}

static uint32_t
photo_colour (const QualityPicture *picture, const FsImage *image, int x, int y)
{
  size_t p = (size_t)y * image->width + x;
  if (on_border (picture->mask, x, y, image->width, image->height))
    return RED;
  if (picture->seeds->label[p] == FS_SEED_OBJECT)
    return SEED_OBJECT;
  return picture->mask[p] ? image->pixels[p] : dimmed (image->pixels[p]);
}

/* The cut-out of an opaque mask is the whole picture. */
static gboolean
write_png (FsImage *image, const char *prefix, const char *suffix, GError **error)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  g_autofree uint8_t *opaque = g_malloc (n);
  memset (opaque, 1, n);
  g_autofree char *path = g_strconcat (prefix, suffix, NULL);
  FsExport export = { .image = image, .mask = opaque, .kind = FS_EXPORT_CUTOUT };
  return fs_export_write (&export, path, NULL, NULL, NULL, error);
}

gboolean
quality_picture_write (const QualityPicture *picture, FsImage *image, const char *prefix,
                       GError **error)
{
  g_autoptr (FsImage) photo = fs_image_new (image->width, image->height);
  g_autoptr (FsImage) map = fs_image_new (image->width, image->height);
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++) {
      size_t p = (size_t)y * image->width + x;
      photo->pixels[p] = photo_colour (picture, image, x, y);
      map->pixels[p] = map_colour (picture->mask[p], picture->truth[p], picture->seeds->label[p]);
    }
  return write_png (photo, prefix, "-photo.png", error)
         && write_png (map, prefix, "-map.png", error);
}
