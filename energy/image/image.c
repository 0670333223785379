/* SPDX-License-Identifier: MIT */
#include "energy/image/image.h"

#include "solver/system/checked_memory.h"

#include <string.h>

FsImage *
fs_image_new_whole (int width, int height)
{
  g_return_val_if_fail (width > 0 && height > 0, NULL);

  gsize n;
  if (!g_size_checked_mul (&n, (gsize)width, (gsize)height)
      || n > UINT32_MAX) /* pixels have 32-bit numbers */
    return NULL;

  uint32_t *pixels = fs_memory_new_whole (n, sizeof *pixels);
  if (!pixels)
    return NULL;

  FsImage *image = g_atomic_rc_box_new0 (FsImage);
  image->width = width;
  image->height = height;
  image->pixels = pixels;
  return image;
}

FsImage *
fs_image_new (int width, int height)
{
  FsImage *image = fs_image_new_whole (width, height);
  if (image)
    memset (image->pixels, 0, (gsize)width * (gsize)height * sizeof *image->pixels);
  return image;
}

FsImage *
fs_image_ref (FsImage *image)
{
  g_return_val_if_fail (image, NULL);
  return g_atomic_rc_box_acquire (image);
}

static void
image_clear (gpointer data)
{
  FsImage *image = data;
  fs_memory_free (image->pixels);
}

void
fs_image_unref (FsImage *image)
{
  if (image)
    g_atomic_rc_box_release_full (image, image_clear);
}
