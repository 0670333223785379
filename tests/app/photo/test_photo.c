/* SPDX-License-Identifier: MIT */
/* Decoding: every kind of JPEG, PNG and BMP gives the pixels that were put in. */
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"

#include <locale.h>
#include <string.h>

typedef struct {
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = made_folder ();
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  made_folder_remove (fixture->folder);
  g_free (fixture->folder);
}

/* All of it is decoded in the end, and said to be. */
static FsPhoto *
load (Fixture *fixture, GByteArray *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = made_file (fixture->folder, "photo", bytes->data, bytes->len);
  gint permille = 0;
  const FsPhotoLimits limits = { .permille = &permille };
  FsPhoto *photo = fs_photo_load (path, &limits, NULL, &error);
  g_assert_no_error (error);
  if (strcmp (photo->format, "JPEG") == 0 || strcmp (photo->format, "PNG") == 0)
    g_assert_cmpint (permille, ==, 1000);
  g_assert_nonnull (photo);
  g_assert_null (photo->warning);
  g_byte_array_unref (bytes);
  return photo;
}

static void
assert_made_colours (const FsImage *image, int width, int height, gboolean grey, int tolerance)
{
  g_assert_cmpint (image->width, ==, width);
  g_assert_cmpint (image->height, ==, height);
  g_assert_false (image->has_alpha);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uint32_t pixel = image->pixels[y * width + x];
      uint32_t colour = made_colour (x, y, width, height);
      if (grey)
        colour = (colour >> 8 & 0xff) * 0x010101;
      g_assert_cmpint (FS_PIXEL_A (pixel), ==, 255);
      g_assert_cmpint (made_distance (pixel, colour), <=, tolerance);
    }
}

static void
test_jpeg_colours (Fixture *fixture, gconstpointer data)
{
  for (int kind = MADE_JPEG_GREY; kind <= MADE_JPEG_YCCK; kind++)
    for (int progressive = 0; progressive < 2; progressive++) {
      const MadeJpeg spec = { 67, 41, kind, .progressive = progressive };
      g_autoptr (FsPhoto) photo = load (fixture, made_jpeg (&spec));
      assert_made_colours (photo->image, 67, 41, kind == MADE_JPEG_GREY, 6);
      g_assert_cmpstr (photo->format, ==, "JPEG");
      g_assert_cmpint (photo->bits, ==, 8);
    }
}

static void
test_jpeg_ink_without_adobe (Fixture *fixture, gconstpointer data)
{
  const MadeJpeg spec = { 33, 20, MADE_JPEG_CMYK, .no_adobe = TRUE };
  g_autoptr (FsPhoto) photo = load (fixture, made_jpeg (&spec));
  assert_made_colours (photo->image, 33, 20, FALSE, 6);
}

static void
test_jpeg_progressive_is_baseline (Fixture *fixture, gconstpointer data)
{
  MadeJpeg spec = { 130, 77, MADE_JPEG_YCC };
  g_autoptr (FsPhoto) baseline = load (fixture, made_jpeg (&spec));
  spec.progressive = TRUE;
  g_autoptr (FsPhoto) progressive = load (fixture, made_jpeg (&spec));
  g_assert_cmpmem (baseline->image->pixels, 130 * 77 * 4, progressive->image->pixels, 130 * 77 * 4);
}

static void
test_jpeg_sampling (Fixture *fixture, gconstpointer data)
{
  /* The standard allows ten blocks together, of which the other channels take two. */
  for (int h = 1; h <= 4; h++)
    for (int v = 1; v <= 4 && h * v <= 8; v++) {
      const MadeJpeg spec = { 101, 63, MADE_JPEG_YCC, .h_sampling = h, .v_sampling = v };
      g_autoptr (FsPhoto) photo = load (fixture, made_jpeg (&spec));
      assert_made_colours (photo->image, 101, 63, FALSE, 12);
    }
}

static void
test_jpeg_small_sizes (Fixture *fixture, gconstpointer data)
{
  for (int width = 1; width <= 18; width++)
    for (int height = 1; height <= 18; height += width % 3 + 1) {
      const MadeJpeg spec = { width, height, MADE_JPEG_YCC, .h_sampling = 2, .v_sampling = 2 };
      g_autoptr (FsPhoto) photo = load (fixture, made_jpeg (&spec));
      g_assert_cmpint (photo->image->width, ==, width);
      g_assert_cmpint (photo->image->height, ==, height);
    }
}

/* Where the upright pixel (x, y) lies in the stored picture, from the tag's definition: which side
 * of the scene the stored row 0 and column 0 are. */
static uint32_t
stored_colour (int orientation, int x, int y, int width, int height)
{
  const int right = width - 1 - x, bottom = height - 1 - y;
  const int rows[] = { 0, y, y, bottom, bottom, x, right, right, x };
  const int columns[] = { 0, x, right, right, x, y, y, bottom, bottom };
  const gboolean swaps = orientation >= 5;
  return made_colour (columns[orientation], rows[orientation], swaps ? height : width,
                      swaps ? width : height);
}

static void
assert_turned (const FsImage *image, int orientation, int tolerance)
{
  for (int y = 0; y < image->height; y++)
    for (int x = 0; x < image->width; x++)
      g_assert_cmpint (made_distance (image->pixels[y * image->width + x],
                                      stored_colour (orientation, x, y, image->width,
                                                     image->height)),
                       <=, tolerance);
}

static void
test_jpeg_orientation (Fixture *fixture, gconstpointer data)
{
  for (int orientation = 1; orientation <= 8; orientation++)
    for (int big_endian = 0; big_endian < 2; big_endian++) {
      g_autoptr (GByteArray) exif = made_exif (orientation, big_endian, TRUE);
      const MadeJpeg spec = { 90, 37, MADE_JPEG_YCC, .app1 = exif->data, .n_app1 = exif->len };
      g_autoptr (FsPhoto) photo = load (fixture, made_jpeg (&spec));
      g_assert_cmpint (photo->image->width, ==, orientation >= 5 ? 37 : 90);
      assert_turned (photo->image, orientation, 6);
    }
}

static void
insert_app1 (GByteArray *jpeg, const GByteArray *app1)
{
  g_autoptr (GByteArray) rest = g_byte_array_new ();
  const uint8_t head[] = { 0xff, 0xe1, (uint8_t)((app1->len + 2) >> 8), (uint8_t)(app1->len + 2) };
  g_byte_array_append (rest, jpeg->data + 2, jpeg->len - 2);
  g_byte_array_set_size (jpeg, 2);
  g_byte_array_append (jpeg, head, sizeof head);
  g_byte_array_append (jpeg, app1->data, app1->len);
  g_byte_array_append (jpeg, rest->data, rest->len);
}

/* Inserted at the front, one after the other: XMP, Exif 6, Exif 3. The first Exif counts. */
static void
test_jpeg_first_exif_counts (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) third = made_exif (3, TRUE, TRUE);
  g_autoptr (GByteArray) sixth = made_exif (6, FALSE, TRUE);
  g_autoptr (GByteArray) xmp = g_byte_array_new ();
  g_byte_array_append (xmp, (const guint8 *)"http://ns.adobe.com/xap/1.0/", 29);
  const MadeJpeg spec = { 90, 37, MADE_JPEG_YCC };
  GByteArray *jpeg = made_jpeg (&spec);
  insert_app1 (jpeg, third);
  insert_app1 (jpeg, sixth);
  insert_app1 (jpeg, xmp);
  g_autoptr (FsPhoto) photo = load (fixture, jpeg);
  assert_turned (photo->image, 6, 6);
}

static void
test_orientation_out_of_range (Fixture *fixture, gconstpointer data)
{
  static const int values[] = { 0, 9, 0x0600, 65535 };
  for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autoptr (GByteArray) exif = made_exif (values[i], FALSE, TRUE);
    const MadeJpeg spec = { 90, 37, MADE_JPEG_YCC, .app1 = exif->data, .n_app1 = exif->len };
    g_autoptr (FsPhoto) photo = load (fixture, made_jpeg (&spec));
    assert_turned (photo->image, 1, 6);
  }
}

/* --- PNG ------------------------------------------------------------------------------------ */

static void
test_png_rgb (Fixture *fixture, gconstpointer data)
{
  for (int interlaced = 0; interlaced < 2; interlaced++)
    for (int width = 1; width < 40; width += 6) {
      g_autoptr (FsPhoto) photo = load (fixture, made_png (width, 19, interlaced));
      assert_made_colours (photo->image, width, 19, FALSE, 0);
      g_assert_cmpstr (photo->format, ==, "PNG");
    }
}

static void
test_png_grey_depths (Fixture *fixture, gconstpointer data)
{
  for (int bits = 1; bits <= 8; bits *= 2) {
    const int n_values = 1 << bits, per_byte = 8 / bits;
    g_autoptr (GByteArray) row = g_byte_array_new ();
    g_byte_array_set_size (row, (guint)(1 + (n_values + per_byte - 1) / per_byte));
    memset (row->data, 0, row->len);
    for (int v = 0; v < n_values; v++)
      row->data[1 + v / per_byte] |= (uint8_t)(v << (8 - bits - v % per_byte * bits));
    GByteArray *png = made_png_begin ((guint32)n_values, 1, bits, 0, FALSE);
    made_png_pixels (png, row->data, row->len);
    made_png_end (png);
    g_autoptr (FsPhoto) photo = load (fixture, png);
    g_assert_cmpint (photo->bits, ==, bits);
    for (int v = 0; v < n_values; v++)
      g_assert_cmphex (photo->image->pixels[v], ==,
                       0xff000000 | (uint32_t)(v * 255 / (n_values - 1)) * 0x010101);
  }
}

/* All 65,536 grey values: v · 255 / 65,535 rounded to nearest. */
static void
test_png_16_bits_round (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  g_byte_array_set_size (rows, 256 * 513);
  for (int y = 0; y < 256; y++) {
    uint8_t *row = rows->data + y * 513;
    row[0] = 0;
    for (int x = 0; x < 256; x++) {
      row[1 + 2 * x] = (uint8_t)y;
      row[2 + 2 * x] = (uint8_t)x;
    }
  }
  GByteArray *png = made_png_begin (256, 256, 16, 0, FALSE);
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  g_autoptr (FsPhoto) photo = load (fixture, png);
  g_assert_cmpint (photo->bits, ==, 16);
  for (uint32_t v = 0; v < 65536; v++)
    g_assert_cmphex (photo->image->pixels[v], ==,
                     0xff000000 | (v * 255 + 32767) / 65535 * 0x010101);
}

static void
test_png_alpha_is_straight (Fixture *fixture, gconstpointer data)
{
  static const uint8_t rgba[] = { 0, 200, 100, 51, 3, 1, 2, 3, 0, 9, 8, 7, 255 };
  static const uint8_t grey_alpha[] = { 0, 77, 0, 78, 128 };
  GByteArray *png = made_png_begin (3, 1, 8, 6, FALSE);
  made_png_pixels (png, rgba, sizeof rgba);
  made_png_end (png);
  g_autoptr (FsPhoto) colour = load (fixture, png);
  g_assert_true (colour->image->has_alpha);
  g_assert_cmphex (colour->image->pixels[0], ==, 0x03c86433);
  g_assert_cmphex (colour->image->pixels[1], ==, 0x00010203);
  g_assert_cmphex (colour->image->pixels[2], ==, 0xff090807);

  png = made_png_begin (2, 1, 8, 4, FALSE);
  made_png_pixels (png, grey_alpha, sizeof grey_alpha);
  made_png_end (png);
  g_autoptr (FsPhoto) grey = load (fixture, png);
  g_assert_true (grey->image->has_alpha);
  g_assert_cmphex (grey->image->pixels[0], ==, 0x004d4d4d);
  g_assert_cmphex (grey->image->pixels[1], ==, 0x804e4e4e);
}

static void
test_png_palette_and_trns (Fixture *fixture, gconstpointer data)
{
  static const uint8_t palette[] = { 10, 20, 30, 40, 50, 60, 70, 80, 90 };
  static const uint8_t alpha[] = { 255, 7 };
  static const uint8_t indices[] = { 0, 0, 1, 2 };
  GByteArray *png = made_png_begin (3, 1, 8, 3, FALSE);
  made_png_chunk (png, "PLTE", palette, sizeof palette);
  made_png_chunk (png, "tRNS", alpha, sizeof alpha);
  made_png_pixels (png, indices, sizeof indices);
  made_png_end (png);
  g_autoptr (FsPhoto) photo = load (fixture, png);
  g_assert_true (photo->image->has_alpha);
  g_assert_cmphex (photo->image->pixels[0], ==, 0xff0a141e);
  g_assert_cmphex (photo->image->pixels[1], ==, 0x0728323c);
  g_assert_cmphex (photo->image->pixels[2], ==, 0xff46505a);
}

/* The transparent colour is compared at the file's own 16 bits, before they are rounded away. */
static void
test_png_trns_16_bits (Fixture *fixture, gconstpointer data)
{
  static const uint8_t transparent[] = { 0x12, 0x34 };
  static const uint8_t row[] = { 0, 0x12, 0x34, 0x12, 0x35 };
  GByteArray *png = made_png_begin (2, 1, 16, 0, FALSE);
  made_png_chunk (png, "tRNS", transparent, sizeof transparent);
  made_png_pixels (png, row, sizeof row);
  made_png_end (png);
  g_autoptr (FsPhoto) photo = load (fixture, png);
  g_assert_cmphex (photo->image->pixels[0], ==, 0x00121212);
  g_assert_cmphex (photo->image->pixels[1], ==, 0xff121212);
}

static void
test_png_exif (Fixture *fixture, gconstpointer data)
{
  for (int late = 0; late < 2; late++) {
    g_autoptr (GByteArray) exif = made_exif (8, TRUE, FALSE);
    g_autoptr (GByteArray) plain = made_png (21, 13, FALSE);
    const guint at = late ? plain->len - 12 : 33;
    GByteArray *png = g_byte_array_new ();
    g_byte_array_append (png, plain->data, at);
    made_png_chunk (png, "eXIf", exif->data, exif->len);
    g_byte_array_append (png, plain->data + at, plain->len - at);
    g_autoptr (FsPhoto) photo = load (fixture, png);
    g_assert_cmpint (photo->image->width, ==, 13);
    assert_turned (photo->image, 8, 0);
  }
}

/* --- BMP and the format --------------------------------------------------------------------- */

static void
test_bmp (Fixture *fixture, gconstpointer data)
{
#ifdef HAVE_BMP
  for (int width = 1; width < 9; width++) {
    g_autoptr (FsPhoto) photo = load (fixture, made_bmp (width, 5, FALSE));
    assert_made_colours (photo->image, width, 5, FALSE, 0);
    g_assert_cmpstr (photo->format, ==, "BMP");
  }
#else
  g_autoptr (GError) error = NULL;
  g_autoptr (GByteArray) bmp = made_bmp (4, 5, FALSE);
  g_autofree char *path = made_file (fixture->folder, "a.bmp", bmp->data, bmp->len);
  g_assert_null (fs_photo_load (path, NULL, NULL, &error));
  g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT);
  g_assert_nonnull (strstr (error->message, "BMP"));
#endif
}

static void
test_first_bytes_tell_the_format (Fixture *fixture, gconstpointer data)
{
  const MadeJpeg spec = { 9, 9, MADE_JPEG_YCC };
  g_autoptr (GByteArray) jpeg = made_jpeg (&spec);
  g_autofree char *path = made_file (fixture->folder, "photo.png", jpeg->data, jpeg->len);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (photo->format, ==, "JPEG");
}

/* --- Thumbnails ------------------------------------------------------------------------------- */

static void
assert_scaled (const char *path, int enough_px, int width, int height, gboolean turned)
{
  const FsPhotoLimits limits = { .enough_px = enough_px };
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, &limits, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (photo->image->width, ==, width);
  g_assert_cmpint (photo->image->height, ==, height);
  for (int y = 2; !turned && y < height - 2; y++)
    for (int x = 2; x < width - 2; x++)
      g_assert_cmpint (made_distance (photo->image->pixels[y * width + x],
                                      made_colour (x, y, width, height)),
                       <=, 14);
}

/* As large as asked for at least, and no smaller than an eighth. */
static void
test_scaled (Fixture *fixture, gconstpointer data)
{
  for (int progressive = 0; progressive < 2; progressive++) {
    const MadeJpeg spec = {
      .width = 800, .height = 600, .kind = MADE_JPEG_YCC, .progressive = progressive
    };
    g_autoptr (GByteArray) bytes = made_jpeg (&spec);
    g_autofree char *path = made_file (fixture->folder, "large.jpg", bytes->data, bytes->len);
    assert_scaled (path, 0, 800, 600, FALSE);
    assert_scaled (path, 801, 800, 600, FALSE);
    assert_scaled (path, 400, 400, 300, FALSE);
    assert_scaled (path, 101, 200, 150, FALSE);
    assert_scaled (path, 100, 100, 75, FALSE);
    assert_scaled (path, 1, 100, 75, FALSE);
  }
  g_autoptr (GByteArray) exif = made_exif (6, FALSE, TRUE);
  const MadeJpeg spec = {
    .width = 803, .height = 601, .kind = MADE_JPEG_CMYK, .app1 = exif->data, .n_app1 = exif->len
  };
  g_autoptr (GByteArray) bytes = made_jpeg (&spec);
  g_autofree char *path = made_file (fixture->folder, "turned.jpg", bytes->data, bytes->len);
  assert_scaled (path, 100, 76, 101, TRUE);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func) g_test_add ("/photo/" path, Fixture, NULL, set_up, func, tear_down)
  ADD ("jpeg/colours", test_jpeg_colours);
  ADD ("jpeg/ink-without-adobe", test_jpeg_ink_without_adobe);
  ADD ("jpeg/progressive-is-baseline", test_jpeg_progressive_is_baseline);
  ADD ("jpeg/sampling", test_jpeg_sampling);
  ADD ("jpeg/small-sizes", test_jpeg_small_sizes);
  ADD ("jpeg/orientation", test_jpeg_orientation);
  ADD ("jpeg/first-exif-counts", test_jpeg_first_exif_counts);
  ADD ("orientation-out-of-range", test_orientation_out_of_range);
  ADD ("jpeg/scaled", test_scaled);
  ADD ("png/rgb", test_png_rgb);
  ADD ("png/grey-depths", test_png_grey_depths);
  ADD ("png/16-bits-round", test_png_16_bits_round);
  ADD ("png/alpha-is-straight", test_png_alpha_is_straight);
  ADD ("png/palette-and-trns", test_png_palette_and_trns);
  ADD ("png/trns-16-bits", test_png_trns_16_bits);
  ADD ("png/exif", test_png_exif);
  ADD ("bmp", test_bmp);
  ADD ("first-bytes-tell-the-format", test_first_bytes_tell_the_format);
  return g_test_run ();
}
