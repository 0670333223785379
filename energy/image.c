/* SPDX-License-Identifier: MIT */
#include "energy/image.h"

FsImage *
fs_image_new (int width, int height)
{
  g_return_val_if_fail (width > 0 && height > 0, NULL);

  gsize n_bytes;
  if (!g_size_checked_mul (&n_bytes, (gsize)width, (gsize)height)
      || !g_size_checked_mul (&n_bytes, n_bytes, sizeof (uint32_t)))
    return NULL;

  uint32_t *pixels = g_try_malloc0 (n_bytes);
  if (!pixels)
    return NULL;

  FsImage *image = g_atomic_rc_box_new0 (FsImage);
  image->width = width;
  image->height = height;
  image->pixels = pixels;
  return image;
}

FsImage *
fs_image_ref (FsImage *image)
{
  return g_atomic_rc_box_acquire (image);
}

static void
image_clear (gpointer data)
{
  FsImage *image = data;
  g_free (image->pixels);
}

void
fs_image_unref (FsImage *image)
{
  if (image)
    g_atomic_rc_box_release_full (image, image_clear);
}
