/* SPDX-License-Identifier: MIT */
/* Decoding: every kind of TIFF and WebP gives the pixels that were put in. */
#include "app/photo/colour_profile.h"
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"

#include <locale.h>
#include <string.h>

#ifdef HAVE_TIFF
#include <tiffio.h>
#endif

enum { WIDTH = 37, HEIGHT = 21 };

static char *folder;

#if defined HAVE_TIFF || defined HAVE_WEBP

static FsPhoto *
load_path (const char *path)
{
  g_autoptr (GError) error = NULL;
  FsPhoto *photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (photo->warning, ==, NULL);
  return photo;
}

static FsPhoto *
load (GByteArray *bytes)
{
  g_autofree char *path = made_file (folder, "photo", bytes->data, bytes->len);
  g_byte_array_unref (bytes);
  return load_path (path);
}

static void
assert_size (const FsImage *image, int width, int height)
{
  g_assert_cmpint (image->width, ==, width);
  g_assert_cmpint (image->height, ==, height);
}

/* Opaque, and no further than `tolerance` from the made colours, plus `more`. */
static void
assert_colours (const FsImage *image, gboolean grey, int more, int tolerance)
{
  assert_size (image, WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      uint32_t colour = made_colour (x, y, WIDTH, HEIGHT);
      if (grey)
        colour = (colour >> 8 & 0xff) * 0x010101;
      colour += (uint32_t)more * 0x010101;
      g_assert_cmpint (FS_PIXEL_A (image->pixels[y * WIDTH + x]), ==, 255);
      g_assert_cmpint (made_distance (image->pixels[y * WIDTH + x], colour), <=, tolerance);
    }
}

/* The stored first pixel: at the left for 1, 4, 5 and 8, above for 1, 2, 5 and 6. */
static void
assert_turned (const FsImage *image, int orientation)
{
  const gboolean swaps = orientation >= 5;
  const gboolean left = strchr ("1458", '0' + orientation) != NULL;
  const gboolean above = strchr ("1256", '0' + orientation) != NULL;
  assert_size (image, swaps ? HEIGHT : WIDTH, swaps ? WIDTH : HEIGHT);
  const int x = left ? 0 : image->width - 1, y = above ? 0 : image->height - 1;
  g_assert_cmpint (made_distance (image->pixels[y * image->width + x],
                                  made_colour (0, 0, WIDTH, HEIGHT)),
                   ==, 0);
}

#endif
#ifdef HAVE_TIFF

/* --- TIFF ------------------------------------------------------------------------------------- */

/* 16 bits lie a little above the middle of two steps: rounded they are one more. */
static void
test_tiff_plain (void)
{
  for (int i = 0; i < 64; i++) {
    const MadeTiff spec = { WIDTH,
                            HEIGHT,
                            .bits = i & 1 ? 16 : 8,
                            .n_samples = i & 2 ? 3 : 1,
                            .big_endian = (i & 4) != 0,
                            .tiled = (i & 8) != 0,
                            .rows = i & 16 ? 5 : 0,
                            .planar = (i & 32) && (i & 2) };
    g_autoptr (FsPhoto) photo = load (made_tiff (&spec));
    g_assert_cmpstr (photo->format, ==, "TIFF");
    g_assert_cmpint (photo->bits, ==, spec.bits);
    g_assert_false (photo->image->has_alpha);
    assert_colours (photo->image, spec.n_samples == 1, spec.bits == 16, 0);
  }
}

static void
test_tiff_alpha (void)
{
  for (int i = 0; i < 24; i++) {
    const MadeTiff spec = {
      WIDTH, HEIGHT, .bits = i & 1 ? 16 : 8, .n_samples = i & 2 ? 4 : 2, i % 3, .tiled = (i & 4)
    };
    const int more = spec.bits == 16;
    g_autoptr (FsPhoto) photo = load (made_tiff (&spec));
    g_assert_cmpint (photo->image->has_alpha, ==, spec.extra != 0);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        const uint32_t pixel = photo->image->pixels[y * WIDTH + x];
        const int alpha = MIN (made_alpha (x, y) + more, 255);
        uint32_t colour = made_colour (x, y, WIDTH, HEIGHT);
        if (spec.n_samples == 2)
          colour = (colour >> 8 & 0xff) * 0x010101;
        g_assert_cmpint (FS_PIXEL_A (pixel), ==, spec.extra == 0 ? 255 : alpha);
        if (spec.extra != 1)
          g_assert_cmpint (made_distance (pixel, colour + (uint32_t)more * 0x010101), ==, 0);
        else if (alpha > 100)
          g_assert_cmpint (made_distance (pixel, colour), <=, 5);
      }
  }
}

/* Turned as the tag says, and once. */
static void
test_tiff_orientation (void)
{
  for (int orientation = 1; orientation <= 8; orientation++)
    for (int planar = 0; planar < 2; planar++) {
      const MadeTiff spec = { WIDTH,
                              HEIGHT,
                              .bits = 8,
                              .n_samples = 3,
                              .planar = planar,
                              .rows = 4,
                              .orientation = orientation };
      g_autoptr (FsPhoto) photo = load (made_tiff (&spec));
      assert_turned (photo->image, orientation);
    }
}

static void
put_samples (uint8_t *row, int y, int n_samples)
{
  for (int x = 0; x < WIDTH; x++) {
    const uint32_t colour = made_colour (x, y, WIDTH, HEIGHT);
    const uint8_t rgb[] = { (uint8_t)(colour >> 16), (uint8_t)(colour >> 8), (uint8_t)colour };
    for (int i = 0; i < n_samples; i++)
      row[x * n_samples + i] = n_samples == 4 ? (i < 3 ? 255 - rgb[i] : 0) : rgb[i];
  }
}

/* One more picture in the file. */
static void
write_picture (TIFF *tiff, int compression, int photometric, guint32 kind)
{
  const int n_samples = photometric == PHOTOMETRIC_SEPARATED ? 4 : 3;
  uint8_t rows[HEIGHT * WIDTH * 4];
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, 8);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, n_samples);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_COMPRESSION, compression);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, photometric);
  TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, 16);
  if (kind != 0)
    TIFFSetField (tiff, TIFFTAG_SUBFILETYPE, kind);
  if (compression == COMPRESSION_LZW)
    TIFFSetField (tiff, TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL);
  if (photometric == PHOTOMETRIC_YCBCR) {
    TIFFSetField (tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
    TIFFSetField (tiff, TIFFTAG_JPEGQUALITY, 98);
  }
  for (int y = 0; y < HEIGHT; y++)
    put_samples (rows + y * WIDTH * n_samples, y, n_samples);
  for (int y = 0; y < HEIGHT; y++)
    g_assert_cmpint (TIFFWriteScanline (tiff, rows + y * WIDTH * n_samples, (guint32)y, 0), ==, 1);
}

static void
test_tiff_packed (void)
{
  static const struct {
    int compression, photometric, tolerance;
  } kinds[] = {
    { COMPRESSION_LZW, PHOTOMETRIC_RGB, 0 },           { COMPRESSION_PACKBITS, PHOTOMETRIC_RGB, 0 },
    { COMPRESSION_ADOBE_DEFLATE, PHOTOMETRIC_RGB, 0 }, { COMPRESSION_JPEG, PHOTOMETRIC_YCBCR, 12 },
    { COMPRESSION_NONE, PHOTOMETRIC_SEPARATED, 1 },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree char *path = g_build_filename (folder, "packed.tif", NULL);
    TIFF *tiff = TIFFOpen (path, i % 2 ? "w8" : "w");
    if (!TIFFIsCODECConfigured ((guint16)kinds[i].compression)) {
      TIFFClose (tiff);
      continue;
    }
    write_picture (tiff, kinds[i].compression, kinds[i].photometric, 0);
    TIFFClose (tiff);
    g_autoptr (FsPhoto) photo = load_path (path);
    g_assert_cmpint (photo->bits, ==, 8);
    assert_colours (photo->image, FALSE, 0, kinds[i].tolerance);
  }
}

/* A small picture of it may come first; a file of those alone is none. */
static void
test_tiff_pictures (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "pages.tif", NULL);
  TIFF *tiff = TIFFOpen (path, "w");
  TIFFSetField (tiff, TIFFTAG_ORIENTATION, ORIENTATION_BOTRIGHT);
  write_picture (tiff, COMPRESSION_NONE, PHOTOMETRIC_RGB, FILETYPE_REDUCEDIMAGE);
  TIFFWriteDirectory (tiff);
  TIFFFlush (tiff);
  g_autoptr (FsPhoto) none = fs_photo_load (path, NULL, NULL, &error);
  g_assert_null (none);
  g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "no full picture"));
  write_picture (tiff, COMPRESSION_NONE, PHOTOMETRIC_RGB, FILETYPE_PAGE);
  TIFFClose (tiff);
  g_autoptr (FsPhoto) photo = load_path (path);
  assert_colours (photo->image, FALSE, 0, 0);
}

static void
test_tiff_unknown_kind (void)
{
  g_autoptr (GError) error = NULL;
  const MadeTiff spec = { 8, 8, .bits = 8, .n_samples = 3 };
  g_autoptr (GByteArray) tiff = made_tiff (&spec);
  /* The fifth tag, what the samples mean: a colour filter's. */
  memcpy (tiff->data + 8 + 2 + 4 * 12 + 8, "\x23\x80", 2);
  g_autofree char *path = made_file (folder, "filter.tif", tiff->data, tiff->len);
  g_assert_null (fs_photo_load (path, NULL, NULL, &error));
  g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "kind of TIFF"));
}

#endif
#ifdef HAVE_WEBP

/* --- WebP ------------------------------------------------------------------------------------- */

static void
test_webp_lossless (void)
{
  for (int with_alpha = 0; with_alpha < 2; with_alpha++) {
    const MadeWebp spec = { WIDTH, HEIGHT, .with_alpha = with_alpha };
    g_autoptr (FsPhoto) photo = load (made_webp (&spec));
    g_assert_cmpstr (photo->format, ==, "WebP");
    g_assert_cmpint (photo->bits, ==, 8);
    g_assert_cmpint (photo->image->has_alpha, ==, with_alpha);
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
      const int x = i % WIDTH, y = i / WIDTH;
      const uint32_t pixel = photo->image->pixels[i];
      g_assert_cmpint (FS_PIXEL_A (pixel), ==, with_alpha ? made_alpha (x, y) | 1 : 255);
      g_assert_cmpint (made_distance (pixel, made_colour (x, y, WIDTH, HEIGHT)), ==, 0);
    }
  }
}

/* Found by fuzzing. */
static void
test_webp_denied_alpha (void)
{
  const MadeWebp spec = { WIDTH, HEIGHT, .with_alpha = TRUE, .denies_alpha = TRUE };
  g_autoptr (FsPhoto) photo = load (made_webp (&spec));
  g_assert_false (photo->image->has_alpha);
  assert_colours (photo->image, FALSE, 0, 0);
}

static void
test_webp_lossy (void)
{
  const MadeWebp spec = { WIDTH, HEIGHT, .lossy = TRUE };
  g_autoptr (FsPhoto) photo = load (made_webp (&spec));
  assert_colours (photo->image, FALSE, 0, 16);
}

static void
test_webp_orientation (void)
{
  for (int orientation = 1; orientation <= 8; orientation++) {
    const MadeWebp spec = { WIDTH, HEIGHT, .orientation = orientation };
    g_autoptr (FsPhoto) photo = load (made_webp (&spec));
    assert_turned (photo->image, orientation);
  }
}

/* The first frame where it lies, on nothing. */
static void
test_webp_animation (void)
{
  for (int lossy = 0; lossy < 2; lossy++) {
    const MadeWebp spec = { WIDTH, HEIGHT, lossy, .canvas_width = 60, .canvas_height = 50 };
    g_autoptr (FsPhoto) photo = load (made_webp (&spec));
    assert_size (photo->image, 60, 50);
    g_assert_true (photo->image->has_alpha);
    for (int i = 0; i < 60 * 50; i++) {
      const int x = i % 60 - 2, y = i / 60 - 4;
      const gboolean in_frame = x >= 0 && x < WIDTH && y >= 0 && y < HEIGHT;
      g_assert_cmpint (FS_PIXEL_A (photo->image->pixels[i]), ==, in_frame ? 255 : 0);
      if (in_frame)
        g_assert_cmpint (made_distance (photo->image->pixels[i], made_colour (x, y, WIDTH, HEIGHT)),
                         <=, lossy ? 16 : 0);
    }
  }
}

#endif

/* --- Profiles --------------------------------------------------------------------------------- */

static void
test_profiles (void)
{
  const uint8_t *profile = made_profile ();
  g_autoptr (GPtrArray) photos =
      g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
#ifdef HAVE_TIFF
  const MadeTiff tiff = {
    5, 4, .bits = 8, .n_samples = 3, .profile = profile, .n_profile = MADE_PROFILE_BYTES
  };
  g_ptr_array_add (photos, made_tiff (&tiff));
#endif
#ifdef HAVE_WEBP
  const MadeWebp webp = { 5, 4, .profile = profile, .n_profile = MADE_PROFILE_BYTES };
  g_ptr_array_add (photos, made_webp (&webp));
#endif
#ifdef HAVE_HEIF
  for (int i = 0; i < 4; i++) {
    const MadeHeif heif = { 64,
                            64,
                            .av1 = i & 1,
                            .columns = i & 2,
                            .rows = i & 2,
                            .profile = profile,
                            .n_profile = MADE_PROFILE_BYTES };
    if (made_heif_can (&heif))
      g_ptr_array_add (photos, made_heif (&heif));
  }
#endif
  for (guint i = 0; i < photos->len; i++) {
    const GByteArray *bytes = photos->pdata[i];
    g_autofree char *path = made_file (folder, "with-profile", bytes->data, bytes->len);
    g_autoptr (GBytes) found = fs_colour_profile_read (path);
    g_assert_nonnull (found);
    g_assert_cmpmem (g_bytes_get_data (found, NULL), g_bytes_get_size (found), profile,
                     MADE_PROFILE_BYTES);
  }
}

/* What this build does not open it names. */
static void
test_absent (void)
{
  static const struct {
    const char *name, *bytes;
    gsize n_bytes;
  } files[] = { { "BMP", "BM..........", 12 },
                { "TIFF", "II*\0........", 12 },
                { "WebP", "RIFF....WEBP", 12 },
                { "HEIC",
                  "\0\0\0\x10"
                  "ftypheic\0\0\0\0",
                  16 },
                { "HEIF",
                  "\0\0\0\x10"
                  "ftypmif1\0\0\0\0",
                  16 },
                { "AVIF",
                  "\0\0\0\x10"
                  "ftypavif\0\0\0\0",
                  16 } };
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = made_file (folder, "absent", files[i].bytes, files[i].n_bytes);
    g_assert_null (fs_photo_load (path, NULL, NULL, &error));
    if (strstr (fs_photo_get_formats (), files[i].name))
      g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_DAMAGED);
    else
      g_assert_nonnull (strstr (error->message, files[i].name));
  }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
#ifdef HAVE_TIFF
  g_test_add_func ("/photo/tiff/plain", test_tiff_plain);
  g_test_add_func ("/photo/tiff/alpha", test_tiff_alpha);
  g_test_add_func ("/photo/tiff/orientation", test_tiff_orientation);
  g_test_add_func ("/photo/tiff/packed", test_tiff_packed);
  g_test_add_func ("/photo/tiff/pictures", test_tiff_pictures);
  g_test_add_func ("/photo/tiff/unknown-kind", test_tiff_unknown_kind);
#endif
#ifdef HAVE_WEBP
  g_test_add_func ("/photo/webp/lossless", test_webp_lossless);
  g_test_add_func ("/photo/webp/denied-alpha", test_webp_denied_alpha);
  g_test_add_func ("/photo/webp/lossy", test_webp_lossy);
  g_test_add_func ("/photo/webp/orientation", test_webp_orientation);
  g_test_add_func ("/photo/webp/animation", test_webp_animation);
#endif
  g_test_add_func ("/photo/profiles", test_profiles);
  g_test_add_func ("/photo/absent", test_absent);
  const int failed = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return failed;
}
