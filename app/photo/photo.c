/* SPDX-License-Identifier: MIT */
#include "app/photo/photo.h"
#include "app/photo/formats/bmp.h"
#include "app/photo/heif/heif.h"
#include "app/photo/metadata_reader.h"
#include "app/photo/formats/jpeg.h"
#include "app/photo/input/orient.h"
#include "app/photo/input/photo_input.h"
#include "app/photo/formats/png_read.h"
#include "app/photo/formats/tiff.h"
#include "app/photo/formats/webp.h"

#include <glib/gi18n.h>
#include <string.h>

#ifdef HAVE_BMP
#define DECODE_BMP fs_bmp_decode
#define BMP_NAME   ", BMP"
#else
#define DECODE_BMP NULL
#define BMP_NAME   ""
#endif
#ifdef HAVE_TIFF
#define DECODE_TIFF fs_tiff_decode
#define TIFF_NAME   ", TIFF"
#else
#define DECODE_TIFF NULL
#define TIFF_NAME   ""
#endif
#ifdef HAVE_WEBP
#define DECODE_WEBP fs_webp_decode
#define WEBP_NAME   ", WebP"
#else
#define DECODE_WEBP NULL
#define WEBP_NAME   ""
#endif
#ifdef HAVE_HEIF
#define DECODE_HEIF fs_heif_decode
#define HEIF_NAMES  ", HEIC, HEIF, AVIF"
#else
#define DECODE_HEIF NULL
#define HEIF_NAMES  ""
#endif

typedef struct {
  const char *name;
  const char *signature;
  gsize at; /* where the signature begins */
  gsize n_bytes;
  FsPhotoDecoder decode; /* NULL: not in this build */
} Format;

static const Format formats[] = {
  { "JPEG", "\xff\xd8\xff", 0, 3, fs_jpeg_decode },
  { "PNG", "\x89PNG\r\n\x1a\n", 0, 8, fs_png_decode },
  { "BMP", "BM", 0, 2, DECODE_BMP },
  { "TIFF", "II*\0", 0, 4, DECODE_TIFF },
  { "TIFF", "MM\0*", 0, 4, DECODE_TIFF },
  /* With 64-bit offsets. */
  { "TIFF", "II+\0", 0, 4, DECODE_TIFF },
  { "TIFF", "MM\0+", 0, 4, DECODE_TIFF },
  { "WebP", "WEBP", 8, 4, DECODE_WEBP },
  /* One picture or several, and sequences beside them; of HEVC, of whatever, of AV1. */
  { "HEIC", "ftypheic", 4, 8, DECODE_HEIF },
  { "HEIC", "ftypheix", 4, 8, DECODE_HEIF },
  { "HEIC", "ftypheim", 4, 8, DECODE_HEIF },
  { "HEIC", "ftypheis", 4, 8, DECODE_HEIF },
  { "HEIC", "ftyphevc", 4, 8, DECODE_HEIF },
  { "HEIC", "ftyphevx", 4, 8, DECODE_HEIF },
  { "HEIC", "ftyphevm", 4, 8, DECODE_HEIF },
  { "HEIC", "ftyphevs", 4, 8, DECODE_HEIF },
  { "HEIF", "ftypmif1", 4, 8, DECODE_HEIF },
  { "HEIF", "ftypmif2", 4, 8, DECODE_HEIF },
  { "HEIF", "ftypmsf1", 4, 8, DECODE_HEIF },
  { "AVIF", "ftypavif", 4, 8, DECODE_HEIF },
  { "AVIF", "ftypavis", 4, 8, DECODE_HEIF },
};

static const char *const suffixes[] = { "jpg",  "jpeg", "png",
#ifdef HAVE_BMP
                                        "bmp",
#endif
#ifdef HAVE_TIFF
                                        "tif",  "tiff",
#endif
#ifdef HAVE_WEBP
                                        "webp",
#endif
#ifdef HAVE_HEIF
                                        "heic", "heif", "avif",
#endif
                                        NULL };

const char *
fs_photo_get_formats (void)
{
  return "JPEG, PNG" BMP_NAME TIFF_NAME WEBP_NAME HEIF_NAMES;
}

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
    if (input->n_head >= formats[i].at + formats[i].n_bytes
        && memcmp (input->head + formats[i].at, formats[i].signature, formats[i].n_bytes) == 0)
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
finish_photo (FsPhotoInput *input, FsPhoto *photo, const FsDecoded *decoded, GError **error)
{
  /* Where a decoder fills in what a damaged file lacks, one colour is all it filled in. */
  if (decoded->damage && is_one_colour (photo->image)) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_DAMAGED,
                           _ ("is too damaged to show anything of the photo"));
    return FALSE;
  }
  photo->image = fs_image_turn_upright (photo->image, photo->metadata->orientation);
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

/* NULL where this build does not open it. */
static const Format *
choose_format (FsPhotoInput *input, GError **error)
{
  const Format *format = format_of (input);
  if (!format) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT,
                           _ ("is not a photo that can be opened here (%s)"),
                           fs_photo_get_formats ());
    return NULL;
  }
  if (!format->decode) {
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_FORMAT,
                           _ ("is a %s file, which this build of Fretsaw does not open"),
                           format->name);
    return NULL;
  }
  return format;
}

FsPhoto *
fs_photo_load (const char *path, const FsPhotoLimits *limits, GCancellable *cancellable,
               GError **error)
{
  g_return_val_if_fail (path, NULL);

  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, limits, cancellable, error);
  const Format *format = input ? choose_format (input, error) : NULL;
  if (!format)
    return NULL;

  FsDecoded decoded = { 0 };
  fs_photo_metadata_scan (input->metadata, input);
  if (!fs_photo_input_go_on (input, error))
    return NULL;
  if (!format->decode (input, &decoded, error))
    return NULL;
  g_autoptr (FsPhoto) photo = g_new0 (FsPhoto, 1);
  photo->image = decoded.image;
  photo->format = format->name;
  photo->metadata = g_steal_pointer (&input->metadata);
  return finish_photo (input, photo, &decoded, error) ? g_steal_pointer (&photo) : NULL;
}

void
fs_photo_free (FsPhoto *photo)
{
  if (!photo)
    return;
  fs_image_unref (photo->image);
  fs_photo_metadata_free (photo->metadata);
  g_free (photo->warning);
  g_free (photo);
}

/* ---- More than 8 bits ---- */

/* TRUE for the formats that may have more than 8 bits. */
static gboolean
may_have_more (const Format *format)
{
  return g_str_equal (format->name, "PNG") || g_str_equal (format->name, "TIFF")
         || g_str_equal (format->name, "HEIC") || g_str_equal (format->name, "HEIF")
         || g_str_equal (format->name, "AVIF");
}

/* Fills `decoded` as far as it is wished. */
static gboolean
decode_wish (FsPhotoInput *input, FsPhotoWish wish, FsDecoded *decoded, GError **error)
{
  const Format *format = choose_format (input, error);
  if (!format)
    return FALSE;
  decoded->bits = 8;
  if (!may_have_more (format))
    return TRUE;
  input->wish = wish;
  if (wish == FS_PHOTO_SAMPLES)
    fs_photo_metadata_scan (input->metadata, input);
  return fs_photo_input_go_on (input, error) && format->decode (input, decoded, error);
}

int
fs_photo_count_bits (const char *path)
{
  g_return_val_if_fail (path, 0);

  FsDecoded decoded = { 0 };
  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, NULL, NULL, NULL);
  return input && decode_wish (input, FS_PHOTO_BITS, &decoded, NULL) ? decoded.bits : 0;
}

FsPhotoSamples *
fs_photo_load_samples (const char *path, GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (path, NULL);

  FsDecoded decoded = { 0 };
  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, NULL, cancellable, error);
  if (!input || !decode_wish (input, FS_PHOTO_SAMPLES, &decoded, error) || !decoded.image)
    return NULL;
  g_autoptr (FsPhotoSamples) self = g_new0 (FsPhotoSamples, 1);
  const int orientation = input->metadata->orientation;
  self->samples = fs_samples_turn_upright (g_steal_pointer (&input->samples), decoded.image->width,
                                           decoded.image->height, orientation);
  self->image = fs_image_turn_upright (decoded.image, orientation);
  if (self->image && self->samples && !decoded.damage)
    return g_steal_pointer (&self);
  if (!decoded.damage)
    fs_photo_input_refuse (input, error, FS_PHOTO_ERROR_LIMIT,
                           _ ("there is not enough memory to turn it upright"));
  return NULL;
}

void
fs_photo_samples_free (FsPhotoSamples *samples)
{
  if (!samples)
    return;
  fs_image_unref (samples->image);
  g_free (samples->samples);
  g_free (samples);
}
