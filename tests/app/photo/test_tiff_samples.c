/* SPDX-License-Identifier: MIT */
/* TIFFs of every length of sample, in strips and tiles, side by side and in planes: right, or
 * refused in one sentence. */
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"

#include <math.h>
#include <string.h>
#include <tiffio.h>

enum { SIDE = 32, TILE = 16 };

static char *folder;

typedef struct {
  guint16 bits, n_samples, photometric, format, extra; /* extra, format 0: not said */
  gboolean tiled, planar;
  const char *mode; /* of TIFFOpen */
} Kind;

/* In 0 … max, different from one place and sample to the next. */
static guint32
value_at (const Kind *kind, guint x, guint y, guint sample)
{
  const guint64 max = (G_GUINT64_CONSTANT (1) << kind->bits) - 1;
  return (guint32)((x * 2654435761u + y * 40503u + sample * 977u) % 4093u * max / 4092u);
}

static void
put (guint8 *row, guint bits, gsize i, guint32 value)
{
  const guint16 half = (guint16)value;
  if (bits == 16)
    memcpy (row + 2 * i, &half, sizeof half);
  else if (bits == 32)
    memcpy (row + 4 * i, &value, sizeof value);
  else
    for (guint b = 0; b < bits; b++)
      if (value >> (bits - 1 - b) & 1u)
        row[(i * bits + b) / 8] |= (guint8)(1u << (7 - (i * bits + b) % 8));
}

static void
write_block (TIFF *tiff, const Kind *kind, guint32 x0, guint32 y0, guint16 plane)
{
  const guint width = kind->tiled ? TILE : SIDE;
  const guint n = kind->planar ? 1 : kind->n_samples;
  const gsize n_row = (width * n * kind->bits + 7) / 8;
  g_autofree guint8 *block = g_malloc0 (n_row * width);
  for (guint y = 0; y < width; y++)
    for (guint x = 0; x < width; x++)
      for (guint k = 0; k < n; k++)
        put (block + y * n_row, kind->bits, x * n + k,
             value_at (kind, x0 + x, y0 + y, kind->planar ? plane : k));
  const tmsize_t n_bytes = (tmsize_t)(n_row * width);
  if (kind->tiled)
    g_assert_cmpint (TIFFWriteEncodedTile (tiff, TIFFComputeTile (tiff, x0, y0, 0, plane), block,
                                           n_bytes),
                     ==, n_bytes);
  else
    g_assert_cmpint (TIFFWriteEncodedStrip (tiff, TIFFComputeStrip (tiff, y0, plane), block,
                                            n_bytes),
                     ==, n_bytes);
}

static guint16
map_at (guint i, guint channel)
{
  return (guint16)((i * 101 + channel * 67) % 256 * 257);
}

static void
write_map (TIFF *tiff, guint bits)
{
  guint16 map[3][256];
  for (guint i = 0; i < 1u << bits; i++)
    for (guint k = 0; k < 3; k++)
      map[k][i] = map_at (i, k);
  TIFFSetField (tiff, TIFFTAG_COLORMAP, map[0], map[1], map[2]);
}

static char *
write_tiff (const Kind *kind)
{
  char *path = g_build_filename (folder, "kind.tif", NULL);
  TIFF *tiff = TIFFOpen (path, kind->mode ? kind->mode : "w");
  TIFFSetField (tiff, TIFFTAG_IMAGEWIDTH, SIDE);
  TIFFSetField (tiff, TIFFTAG_IMAGELENGTH, SIDE);
  TIFFSetField (tiff, TIFFTAG_BITSPERSAMPLE, kind->bits);
  TIFFSetField (tiff, TIFFTAG_SAMPLESPERPIXEL, kind->n_samples);
  TIFFSetField (tiff, TIFFTAG_PHOTOMETRIC, kind->photometric);
  TIFFSetField (tiff, TIFFTAG_PLANARCONFIG,
                kind->planar ? PLANARCONFIG_SEPARATE : PLANARCONFIG_CONTIG);
  if (kind->format)
    TIFFSetField (tiff, TIFFTAG_SAMPLEFORMAT, kind->format);
  if (kind->extra)
    TIFFSetField (tiff, TIFFTAG_EXTRASAMPLES, 1, &kind->extra);
  if (kind->photometric == PHOTOMETRIC_PALETTE)
    write_map (tiff, kind->bits);
  if (kind->tiled) {
    TIFFSetField (tiff, TIFFTAG_TILEWIDTH, TILE);
    TIFFSetField (tiff, TIFFTAG_TILELENGTH, TILE);
  } else {
    TIFFSetField (tiff, TIFFTAG_ROWSPERSTRIP, SIDE);
  }
  for (guint16 plane = 0; plane < (kind->planar ? kind->n_samples : 1); plane++)
    for (guint32 y = 0; y < SIDE; y += kind->tiled ? TILE : SIDE)
      for (guint32 x = 0; x < SIDE; x += kind->tiled ? TILE : SIDE)
        write_block (tiff, kind, x, y, plane);
  TIFFClose (tiff);
  return path;
}

/* What sample k of the pixel comes to in 0 … 255; 3 is alpha. */
static double
expected (const Kind *kind, guint x, guint y, guint k)
{
  const double max = (double)((G_GUINT64_CONSTANT (1) << kind->bits) - 1);
  const guint n_colours = kind->photometric == PHOTOMETRIC_RGB ? 3 : 1;
  if (k == 3)
    return kind->extra ? 255.0 * value_at (kind, x, y, n_colours) / max : 255;
  const guint32 value = value_at (kind, x, y, n_colours == 3 ? k : 0);
  if (kind->photometric == PHOTOMETRIC_PALETTE)
    return map_at (value, k) / 257;
  return (kind->photometric == PHOTOMETRIC_MINISWHITE ? max - value : value) * 255 / max;
}

static void
check (const Kind *kind)
{
  g_autofree char *path = write_tiff (kind);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (photo->warning);
  for (guint i = 0; i < SIDE * SIDE; i++) {
    const uint32_t pixel = photo->image->pixels[i];
    const guint got[] = { FS_PIXEL_R (pixel), FS_PIXEL_G (pixel), FS_PIXEL_B (pixel),
                          FS_PIXEL_A (pixel) };
    for (guint k = 0; k < 4; k++)
      g_assert_cmpfloat (fabs (got[k] - expected (kind, i % SIDE, i / SIDE, k)), <=, 1.0);
  }
}

static void
test_right (void)
{
  static const guint16 bits[] = { 1, 2, 4, 6, 8, 10, 12, 14, 16, 32 };
  for (gsize i = 0; i < G_N_ELEMENTS (bits); i++)
    for (int shape = 0; shape < 4; shape++)
      for (int order = 0; order < 2; order++) {
        const Kind kinds[] = {
          { bits[i], 1, PHOTOMETRIC_MINISBLACK },
          { bits[i], 1, PHOTOMETRIC_MINISWHITE, .format = SAMPLEFORMAT_UINT },
          { bits[i], 2, PHOTOMETRIC_MINISBLACK, .extra = EXTRASAMPLE_UNASSALPHA },
          { bits[i], 2, PHOTOMETRIC_MINISWHITE, .extra = EXTRASAMPLE_UNASSALPHA },
          { bits[i], 3, PHOTOMETRIC_RGB, .format = SAMPLEFORMAT_VOID },
          { bits[i], 4, PHOTOMETRIC_RGB, .extra = EXTRASAMPLE_UNASSALPHA },
          { MIN (bits[i], 8), 1, PHOTOMETRIC_PALETTE },
        };
        for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++) {
          Kind kind = kinds[k];
          kind.tiled = shape & 1;
          kind.planar = kind.n_samples > 1 && shape & 2;
          kind.mode = order ? "wb" : "wl";
          check (&kind);
        }
      }
}

static void
test_refused (void)
{
  static const struct {
    Kind kind;
    const char *words;
  } cases[] = {
    { { 8, 3, PHOTOMETRIC_RGB, SAMPLEFORMAT_INT }, "with a sign" },
    { { 16, 1, PHOTOMETRIC_MINISBLACK, SAMPLEFORMAT_INT }, "with a sign" },
    { { 8, 1, PHOTOMETRIC_PALETTE, SAMPLEFORMAT_INT }, "with a sign" },
    { { 32, 3, PHOTOMETRIC_RGB, SAMPLEFORMAT_INT, .tiled = TRUE }, "with a sign" },
    { { 16, 3, PHOTOMETRIC_RGB, SAMPLEFORMAT_IEEEFP }, "floating-point" },
    { { 32, 1, PHOTOMETRIC_MINISBLACK, SAMPLEFORMAT_IEEEFP, .tiled = TRUE }, "floating-point" },
    { { 32, 3, PHOTOMETRIC_RGB, SAMPLEFORMAT_COMPLEXINT }, "complex" },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = write_tiff (&cases[i].kind);
    g_autoptr (GError) error = NULL;
    g_assert_null (fs_photo_load (path, NULL, NULL, &error));
    g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT);
    g_assert_nonnull (strstr (error->message, cases[i].words));
    g_assert_nonnull (strstr (error->message, "kind.tif: "));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  TIFFSetErrorHandler (NULL);
  TIFFSetWarningHandler (NULL);
  folder = made_folder ();
  g_test_add_func ("/tiff-samples/right", test_right);
  g_test_add_func ("/tiff-samples/refused", test_refused);
  const int failed = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return failed;
}
