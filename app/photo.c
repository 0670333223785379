/* SPDX-License-Identifier: MIT */
#include "app/photo.h"
#include "app/bmp.h"
#include "app/jpeg.h"
#include "app/orient.h"
#include "app/photo_input.h"
#include "app/png_read.h"

#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  const char *name;
  const char *signature;
  gsize n_bytes;
  FsPhotoDecoder decode;
} Format;

static const Format formats[] = {
  { "JPEG", "\xff\xd8\xff", 3, fs_jpeg_decode },
  { "PNG", "\x89PNG\r\n\x1a\n", 8, fs_png_decode },
  { "BMP", "BM", 2, fs_bmp_decode },
};

static const char *const suffixes[] = { "jpg", "jpeg", "png", "bmp", NULL };

const char *const *
fs_photo_get_suffixes (void)
{
  return suffixes;
}

gboolean
fs_photo_has_name (const char *name)
{
  const char *dot = strrchr (name, '.');
  for (const char *const *suffix = suffixes; dot && *suffix; suffix++)
    if (g_ascii_strcasecmp (dot + 1, *suffix) == 0)
      return TRUE;
  return FALSE;
}

static const Format *
format_of (const FsPhotoInput *input)
{
  for (gsize i = 0; i < G_N_ELEMENTS (formats); i++)
    if (input->n_head >= formats[i].n_bytes
        && memcmp (input->head, formats[i].signature, formats[i].n_bytes) == 0)
      return &formats[i];
  return NULL;
}

static gboolean
is_one_colour (const FsImage *image)
{
  const gsize n = (gsize)image->width * (gsize)image->height;
  for (gsize i = 1; i < n; i++)
    if (image->pixels[i] != image->pixels[0])
      return FALSE;
  return TRUE;
}

static gboolean
finish (FsPhotoInput *input, FsPhoto *photo, const FsDecoded *decoded, GError **error)
{
  /* Where a decoder fills in what a damaged file lacks, one colour is all it filled in. */
  if (decoded->damage && is_one_colour (photo->image)) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_DAMAGED,
                           _ ("is too damaged to show anything of the photo"));
    return FALSE;
  }
  photo->image = fs_image_turn_upright (photo->image, decoded->orientation);
  if (!photo->image) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("there is not enough memory to turn it upright"));
    return FALSE;
  }
  if (decoded->damage)
    photo->warning = g_strdup_printf ("%s: %s", input->name, decoded->damage);
  photo->bits = decoded->bits;
  return TRUE;
}

FsPhoto *
fs_photo_load (const char *path, const FsPhotoLimits *limits, GCancellable *cancellable,
               GError **error)
{
  g_return_val_if_fail (path, NULL);

  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, limits, cancellable, error);
  if (!input)
    return NULL;
  const Format *format = format_of (input);
  if (!format) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT,
                           _ ("is not a photo that can be opened here (%s)"), _ (FS_PHOTO_FORMATS));
    return NULL;
  }

  FsDecoded decoded = { .orientation = 1 };
  if (!format->decode (input, &decoded, error))
    return NULL;
  g_autoptr (FsPhoto) photo = g_new0 (FsPhoto, 1);
  photo->image = decoded.image;
  photo->format = format->name;
  return finish (input, photo, &decoded, error) ? g_steal_pointer (&photo) : NULL;
}

void
fs_photo_free (FsPhoto *photo)
{
  if (!photo)
    return;
  fs_image_unref (photo->image);
  g_free (photo->warning);
  g_free (photo);
}
