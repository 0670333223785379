/* SPDX-License-Identifier: MIT */
#include "app/guess_file.h"

#include "app/display_name.h"

#include <glib/gi18n.h>

/* Of 16 bits: red, green, blue and alpha. */
typedef void (*ReadPixel) (gconstpointer pixels, gsize i, guint16 rgba[4]);

static void
read_byte_pixel (gconstpointer pixels, gsize i, guint16 rgba[4])
{
  uint32_t pixel = ((const uint32_t *)pixels)[i];
  rgba[0] = (guint16)(FS_PIXEL_R (pixel) * 257);
  rgba[1] = (guint16)(FS_PIXEL_G (pixel) * 257);
  rgba[2] = (guint16)(FS_PIXEL_B (pixel) * 257);
  rgba[3] = (guint16)(FS_PIXEL_A (pixel) * 257);
}

static void
read_sample_pixel (gconstpointer pixels, gsize i, guint16 rgba[4])
{
  for (int c = 0; c < 4; c++)
    rgba[c] = ((const guint16 *)pixels)[4 * i + c];
}

static guint16
brightness (const guint16 rgba[4])
{
  return (guint16)((77u * rgba[0] + 150u * rgba[1] + 29u * rgba[2]) >> 8);
}

static void
read_plane (ReadPixel read, gconstpointer pixels, gsize n, guint16 *plane)
{
  guint16 rgba[4];
  gboolean is_transparent = FALSE;
  for (gsize i = 0; i < n && !is_transparent; i++) {
    read (pixels, i, rgba);
    is_transparent = rgba[3] < G_MAXUINT16;
  }
  for (gsize i = 0; i < n; i++) {
    read (pixels, i, rgba);
    plane[i] = is_transparent ? rgba[3] : brightness (rgba);
  }
}

FsGuess *
fs_guess_load (const char *path, int photo_width, int photo_height, GCancellable *cancellable,
               GError **error)
{
  g_return_val_if_fail (path && photo_width > 0 && photo_height > 0, NULL);

  g_autoptr (GError) failure = NULL;
  g_autoptr (FsPhoto) photo = NULL;
  g_autoptr (FsPhotoSamples) samples =
      fs_photo_count_bits (path) > 8 ? fs_photo_load_samples (path, cancellable, &failure) : NULL;
  if (failure) {
    g_propagate_error (error, g_steal_pointer (&failure));
    return NULL;
  }
  if (!samples)
    photo = fs_photo_load (path, NULL, cancellable, error);
  const FsImage *image = samples ? samples->image : photo ? photo->image : NULL;
  if (!image)
    return NULL;
  gsize n = (gsize)image->width * (gsize)image->height;
  g_autofree guint16 *plane = g_try_new (guint16, n);
  FsGuess *guess = NULL;
  if (plane) {
    if (samples)
      read_plane (read_sample_pixel, samples->samples, n, plane);
    else
      read_plane (read_byte_pixel, image->pixels, n, plane);
    guess = fs_guess_new (plane, image->width, image->height, photo_width, photo_height);
  }
  if (!guess) {
    g_autofree char *name = fs_display_name (path);
    g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_LIMIT,
                 _ ("%s: there is not enough memory to open it"), name);
  }
  return guess;
}
