/* SPDX-License-Identifier: MIT */
/* Photos whose numbers are not red, green and blue: inks, with a profile and without one, and
 * L*a*b*. */
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/made_profiles.h"

#include <math.h>
#include <string.h>

#ifdef HAVE_TIFF
#include <tiffio.h>
#endif

enum { WIDTH = 40, HEIGHT = 24 };

static char *folder;

static FsPhoto *
load_path (const char *path)
{
  g_autoptr (GError) error = NULL;
  FsPhoto *photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (photo->warning, ==, NULL);
  return photo;
}

/* `rgb` from 0 to 1. */
static void
assert_near (uint32_t pixel, const double rgb[3], double tolerance)
{
  const int channels[3] = { FS_PIXEL_R (pixel), FS_PIXEL_G (pixel), FS_PIXEL_B (pixel) };
  for (int k = 0; k < 3; k++)
    if (fabs (channels[k] - 255 * CLAMP (rgb[k], 0, 1)) > tolerance)
      g_error ("%d %d %d, not %.1f %.1f %.1f", channels[0], channels[1], channels[2], 255 * rgb[0],
               255 * rgb[1], 255 * rgb[2]);
}

#ifdef HAVE_TIFF

typedef struct {
  int bits, n_samples, photometric;
  gboolean planar, tiled;
  GBytes *profile;
  int format;
  /* The sample of channel i, as it is stored. */
  guint (*sample) (int x, int y, int i, int bits);
} Kind;

static void
set_fields (TIFF *tiff, const Kind *kind)
{
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, WIDTH);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, HEIGHT);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, kind->bits);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, kind->n_samples);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG,
                kind->planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, kind->photometric);
  if (kind->format)
    TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, kind->format);
  if (kind->profile)
    TIFFSetField (tiff, TIFFTAG_ICCPROFILE, (guint32)g_bytes_get_size (kind->profile),
                  g_bytes_get_data (kind->profile, NULL));
  if (kind->tiled) {
    TIFFSetField (tiff, TIFFTAG_TILEWIDTH, 16);
    TIFFSetField (tiff, TIFFTAG_TILELENGTH, 16);
  }
}

/* Of a block at (x0, y0), of one plane or of all. */
static void
fill_block (const Kind *kind, guint8 *to, int x0, int y0, int width, int height, int plane)
{
  for (int y = y0; y < y0 + height; y++)
    for (int x = x0; x < x0 + width; x++)
      for (int i = plane < 0 ? 0 : plane; i < (plane < 0 ? kind->n_samples : plane + 1); i++) {
        const guint sample = kind->sample (x, y, i, kind->bits);
        const guint16 wide = (guint16)sample;
        if (kind->bits == 8)
          *to++ = (guint8)sample;
        else
          to = (guint8 *)memcpy (to, &wide, 2) + 2;
      }
}

static char *
write_tiff (const Kind *kind)
{
  char *path = g_build_filename (folder, "kind.tif", NULL);
  TIFF *tiff = TIFFOpen (path, "w");
  guint8 block[WIDTH * HEIGHT * 5 * 2];
  set_fields (tiff, kind);
  for (int plane = kind->planar ? 0 : -1; plane < (kind->planar ? kind->n_samples : 0); plane++) {
    const guint16 s = (guint16)MAX (plane, 0);
    for (int y = 0; y < HEIGHT; y += kind->tiled ? 16 : 1)
      for (int x = 0; x < WIDTH; x += kind->tiled ? 16 : WIDTH) {
        fill_block (kind, block, x, y, kind->tiled ? 16 : WIDTH, kind->tiled ? 16 : 1, plane);
        if (kind->tiled)
          g_assert_cmpint (TIFFWriteTile (tiff, block, (guint32)x, (guint32)y, 0, s), >, 0);
        else
          g_assert_cmpint (TIFFWriteScanline (tiff, block, (guint32)y, s), ==, 1);
      }
  }
  TIFFClose (tiff);
  return path;
}

/* --- L*a*b* --- */

/* L*, a* and b*, of every kind of colour. */
static double
lab_at (int x, int y, int i)
{
  const double lab[] = { 100.0 * x / (WIDTH - 1), 12.0 * (y % 8) - 42,
                         10.0 * (y / 3 + x % 7) - 60 };
  return lab[i];
}

static guint
cielab_sample (int x, int y, int i, int bits)
{
  const double value = lab_at (x, y, i), full = bits == 8 ? 255 : 65535, unit = bits == 8 ? 1 : 256;
  return i == 0 ? (guint)(value * full / 100 + 0.5) : (guint)(int)(value * unit) & (guint)full;
}

static guint
icclab_sample (int x, int y, int i, int bits)
{
  const double value = lab_at (x, y, i), full = bits == 8 ? 255 : 65280, unit = bits == 8 ? 1 : 256;
  return i == 0 ? (guint)(value * full / 100 + 0.5) : (guint)((value + 128) * unit);
}

/* By the book, with the white of sRGB. */
static void
colour_of_lab (const double lab[3], double rgb[3])
{
  static const double white[3] = { 0.95047, 1, 1.08883 };
  static const double matrix[3][3] = { { 3.2404542, -1.5371385, -0.4985314 },
                                       { -0.9692660, 1.8760108, 0.0415560 },
                                       { 0.0556434, -0.2040259, 1.0572252 } };
  const double f = (lab[0] + 16) / 116, fs[3] = { f + lab[1] / 500, f, f - lab[2] / 200 };
  double xyz[3];
  for (int i = 0; i < 3; i++)
    xyz[i] =
        white[i] * (fs[i] > 6.0 / 29 ? pow (fs[i], 3) : 3 * pow (6.0 / 29, 2) * (fs[i] - 4.0 / 29));
  for (int k = 0; k < 3; k++) {
    const double light = matrix[k][0] * xyz[0] + matrix[k][1] * xyz[1] + matrix[k][2] * xyz[2];
    rgb[k] = light <= 0.0031308 ? 12.92 * light : 1.055 * pow (light, 1 / 2.4) - 0.055;
  }
}

static void
assert_lab (const FsImage *image, int bits)
{
  g_assert_cmpint (image->width, ==, WIDTH);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      const double L = lab_at (x, y, 0);
      const double lab[3] = { bits == 8 ? floor (L * 2.55 + 0.5) / 2.55 : L, lab_at (x, y, 1),
                              lab_at (x, y, 2) };
      double rgb[3];
      colour_of_lab (lab, rgb);
      assert_near (image->pixels[y * WIDTH + x], rgb, 1.2);
    }
}

static void
test_lab (void)
{
  for (int i = 0; i < 32; i++) {
    const gboolean is_icc = i & 1;
    Kind kind = { .bits = i & 2 ? 16 : 8,
                  .n_samples = 3,
                  .photometric = is_icc ? PHOTOMETRIC_ICCLAB : PHOTOMETRIC_CIELAB,
                  .planar = (i & 4) != 0,
                  .tiled = (i & 8) != 0,
                  .format = (i & 16) && !is_icc ? SAMPLEFORMAT_INT : 0,
                  .sample = is_icc ? icclab_sample : cielab_sample };
    g_test_message ("kind %d", i);
    g_autofree char *path = write_tiff (&kind);
    g_autoptr (FsPhoto) photo = load_path (path);
    g_assert_cmpint (photo->bits, ==, kind.bits);
    assert_lab (photo->image, kind.bits);
  }
}

/* --- Inks --- */

static guint
ink_sample (int x, int y, int i, int bits)
{
  const guint inks[] = { (guint)x * 6, (guint)y * 10, (guint)(x + y) * 4, (guint)(x % 5) * 25, 77 };
  return inks[i] * (bits == 8 ? 1 : 257);
}

static void
ink_at (int x, int y, double ink[4])
{
  for (int i = 0; i < 4; i++)
    ink[i] = ink_sample (x, y, i, 8) / 255.0;
}

static void
test_tiff_ink_without_profile (void)
{
  for (int i = 0; i < 8; i++) {
    Kind kind = { .bits = i & 1 ? 16 : 8,
                  .n_samples = 4,
                  .photometric = PHOTOMETRIC_SEPARATED,
                  .planar = i & 2,
                  .tiled = i & 4,
                  .sample = ink_sample };
    g_test_message ("kind %d", i);
    g_autofree char *path = write_tiff (&kind);
    g_autoptr (FsPhoto) photo = load_path (path);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
      double ink[4], rgb[3];
      ink_at (p % WIDTH, p / WIDTH, ink);
      for (int k = 0; k < 3; k++)
        rgb[k] = (1 - ink[k]) * (1 - ink[3]);
      assert_near (photo->image->pixels[p], rgb, 1.1);
    }
  }
}
#endif

#ifdef HAVE_LCMS2
#ifdef HAVE_TIFF
static void
test_tiff_ink (void)
{
  g_autoptr (GBytes) profile = made_ink_profile ();
  for (int i = 0; i < 2; i++) {
    Kind kind = { .bits = i & 1 ? 16 : 8,
                  .n_samples = 4,
                  .photometric = PHOTOMETRIC_SEPARATED,
                  .profile = profile,
                  .sample = ink_sample };
    g_test_message ("kind %d", i);
    g_autofree char *path = write_tiff (&kind);
    g_autoptr (FsPhoto) photo = load_path (path);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
      double ink[4], rgb[3];
      ink_at (p % WIDTH, p / WIDTH, ink);
      made_ink_colour (ink, rgb);
      /* The profile's table has steps. */
      assert_near (photo->image->pixels[p], rgb, 4);
    }
  }
}
#endif

/* The made colours are as if inks were ideal; by the profile they are darker. */
static void
test_jpeg_ink (void)
{
  g_autoptr (GBytes) profile = made_ink_profile ();
  for (int i = 0; i < 3; i++) {
    MadeJpeg spec = { WIDTH,
                      HEIGHT,
                      i & 1 ? MADE_JPEG_YCCK : MADE_JPEG_CMYK,
                      .no_adobe = i == 2,
                      .progressive = i == 2,
                      .profile = g_bytes_get_data (profile, NULL),
                      .n_profile = g_bytes_get_size (profile) };
    g_autoptr (GByteArray) jpeg = made_jpeg (&spec);
    g_autofree char *path = made_file (folder, "ink.jpg", jpeg->data, jpeg->len);
    g_autoptr (FsPhoto) photo = load_path (path);
    for (int p = 0; p < WIDTH * HEIGHT; p++) {
      const uint32_t colour = made_colour (p % WIDTH, p / WIDTH, WIDTH, HEIGHT);
      double rgb[3];
      for (int k = 0; k < 3; k++)
        rgb[k] = pow (MIN ((colour >> (16 - 8 * k) & 0xff) / 255.0, 240 / 255.0), MADE_INK_POWER);
      assert_near (photo->image->pixels[p], rgb, 12);
    }
  }
}
#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
#ifdef HAVE_TIFF
  g_test_add_func ("/photo/colours/lab", test_lab);
  g_test_add_func ("/photo/colours/tiff-ink-without-profile", test_tiff_ink_without_profile);
#endif
#ifdef HAVE_LCMS2
#ifdef HAVE_TIFF
  g_test_add_func ("/photo/colours/tiff-ink", test_tiff_ink);
#endif
  g_test_add_func ("/photo/colours/jpeg-ink", test_jpeg_ink);
#endif
  const int code = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return code;
}
