/* SPDX-License-Identifier: MIT */
/* Seed maps: labels come through unchanged, and anything doubtful is refused. */
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"

#include <locale.h>
#include <string.h>

static char *folder;

static GByteArray *
make_grey (int width, int height, int bits, int colour_type, const void *rows, gsize n_bytes)
{
  GByteArray *png = made_png_begin ((guint32)width, (guint32)height, bits, colour_type, FALSE);
  if (colour_type == 3)
    made_png_chunk (png, "PLTE", "\0\0\0\xff\0\0\0\xff\0\0\0\xff", 12);
  made_png_pixels (png, rows, n_bytes);
  made_png_end (png);
  return png;
}

static uint8_t *
load (GByteArray *png, int width, int height, GError **error)
{
  g_autofree char *path = made_file (folder, "seeds.png", png->data, png->len);
  uint8_t *labels = fs_seeds_load (path, width, height, NULL, error);
  if (error && *error)
    g_assert_true (photo_message_is_sound ((*error)->message, path));
  g_byte_array_unref (png);
  return labels;
}

static void
assert_refused (GByteArray *png, int width, int height, FsPhotoError code, const char *has)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (load (png, width, height, &error));
  g_assert_error (error, FS_PHOTO_ERROR, (int)code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, has));
}

static void
test_grey (void)
{
  static const uint8_t rows[] = { 0, 0, 1, 2, 0, 3, 77, 255 };
  static const uint8_t labels[] = { 0, 1, 2, 3, 77, 255 };
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *loaded = load (make_grey (3, 2, 8, 0, rows, sizeof rows), 3, 2, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (loaded, 6, labels, 6);
}

enum { SOFT_SIDE = 64 };

/* A dab of a brush, its shades from 1 at its rim to `n_shades` in its middle. */
static void
dab (uint8_t *labels, int x0, int y0, int n_shades)
{
  for (int y = 0; y < SOFT_SIDE; y++)
    for (int x = 0; x < SOFT_SIDE; x++) {
      int shade = n_shades - MAX (ABS (x - x0), ABS (y - y0));
      uint8_t *label = &labels[y * SOFT_SIDE + x];
      *label = (uint8_t)MAX (*label, MAX (shade, 0));
    }
}

/* What a soft brush leaves is refused with its name and figures, also where it is a little soft. */
static void
test_soft_brush (void)
{
  for (int n_shades = 9; n_shades < 30; n_shades += 10) {
    g_autoptr (GError) error = NULL;
    uint8_t labels[SOFT_SIDE * SOFT_SIDE] = { 0 };
    dab (labels, 25, 30, n_shades);
    dab (labels, 35, 34, n_shades);
    g_assert_false (fs_seeds_check_hard ("my seeds.png", labels, SOFT_SIDE, SOFT_SIDE, &error));
    g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT);
    g_autofree char *begin = g_strdup_printf ("my seeds.png: has %d values", n_shades);
    g_assert_true (g_str_has_prefix (error->message, begin));
  }
}

/* Strokes of many objects, on background all around and across each other, are strokes. */
static void
test_hard_brushes (void)
{
  g_autoptr (GError) error = NULL;
  uint8_t labels[SOFT_SIDE * SOFT_SIDE] = { 0 };
  for (int i = 0; i < SOFT_SIDE * SOFT_SIDE; i++) {
    int x = i % SOFT_SIDE, y = i / SOFT_SIDE;
    labels[i] = (uint8_t)(y < 4 ? 1 : x < 60 && y % 4 == 0 ? 2 + y / 4 * 3 + x / 20 : 0);
    if (x == 30)
      labels[i] = 200;
  }
  g_assert_true (fs_seeds_check_hard ("seeds.png", labels, SOFT_SIDE, SOFT_SIDE, &error));
  g_assert_no_error (error);
  /* Superpixels: every pixel is a seed, each object is a block. */
  for (int i = 0; i < SOFT_SIDE * SOFT_SIDE; i++)
    labels[i] = (uint8_t)(1 + i / SOFT_SIDE / 4 * 15 + i % SOFT_SIDE / 5);
  g_assert_true (fs_seeds_check_hard ("seeds.png", labels, SOFT_SIDE, SOFT_SIDE, &error));
  g_assert_no_error (error);
}

/* Masks and trimaps are distinguished from seeds by their values. */
static void
test_masks (void)
{
  static const struct {
    uint8_t labels[6];
    gboolean are_seeds;
  } cases[] = {
    { { 0, 0, 255, 255, 0, 0 }, FALSE },  { { 0, 128, 255, 255, 128, 0 }, FALSE },
    { { 0, 127, 255, 0, 0, 0 }, FALSE },  { { 128, 128, 128, 0, 0, 0 }, FALSE },
    { { 0, 64, 128, 255, 0, 0 }, FALSE }, { { 0, 85, 170, 0, 0, 0 }, FALSE },
    { { 0, 254, 0, 0, 0, 0 }, FALSE },    { { 255, 255, 255, 255, 255, 255 }, FALSE },
    { { 0, 1, 255, 0, 0, 0 }, TRUE },     { { 0, 2, 128, 255, 0, 0 }, TRUE },
    { { 0, 0, 0, 0, 0, 0 }, TRUE },       { { 1, 2, 0, 0, 0, 0 }, TRUE },
    { { 0, 3, 129, 254, 0, 0 }, TRUE },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_cmpint (fs_seeds_check_hard ("my mask.png", cases[i].labels, 3, 2, &error), ==,
                     cases[i].are_seeds);
    if (cases[i].are_seeds)
      continue;
    g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT);
    g_assert_true (g_str_has_prefix (error->message, "my mask.png: "));
    g_assert_nonnull (strstr (error->message, "trimap"));
  }
}

/* The index is the label, whatever its colour and however many bits it has. */
static void
test_indexed (void)
{
  static const uint8_t bytes[] = { 0, 0, 1, 2, 3 };
  static const uint8_t packed[] = { 0, 0x1b };
  static const uint8_t labels[] = { 0, 1, 2, 3 };
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *eight = load (make_grey (4, 1, 8, 3, bytes, sizeof bytes), 4, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (eight, 4, labels, 4);
  g_autofree uint8_t *two = load (make_grey (4, 1, 2, 3, packed, sizeof packed), 4, 1, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (two, 4, labels, 4);
}

static void
test_other_kinds (void)
{
  static const uint8_t rows[64] = { 0 };
  assert_refused (make_grey (2, 1, 16, 0, rows, 5), 2, 1, FS_PHOTO_ERROR_FORMAT, "8-bit grey");
  assert_refused (make_grey (8, 1, 1, 0, rows, 2), 8, 1, FS_PHOTO_ERROR_FORMAT, "8-bit grey");
  assert_refused (make_grey (2, 1, 8, 2, rows, 7), 2, 1, FS_PHOTO_ERROR_FORMAT, "8-bit grey");
  assert_refused (make_grey (2, 1, 8, 4, rows, 5), 2, 1, FS_PHOTO_ERROR_FORMAT, "8-bit grey");
  const MadeJpeg spec = { 8, 8, MADE_JPEG_GREY };
  assert_refused (made_jpeg (&spec), 8, 8, FS_PHOTO_ERROR_FORMAT, "8-bit grey");
}

static void
test_other_size (void)
{
  static const uint8_t rows[] = { 0, 0, 1, 2, 0, 3, 77, 255 };
  assert_refused (make_grey (3, 2, 8, 0, rows, 8), 2, 3, FS_PHOTO_ERROR_FORMAT, "3 × 2");
  assert_refused (make_grey (3, 2, 8, 0, rows, 8), 3, 3, FS_PHOTO_ERROR_FORMAT, "3 × 3");
  assert_refused (make_grey (3, 2, 8, 0, rows, 8), 2, 2, FS_PHOTO_ERROR_FORMAT, "2 × 2");
  assert_refused (make_grey (3, 2, 8, 0, rows, 8), 4, 2, FS_PHOTO_ERROR_FORMAT, "4 × 2");
}

/* Unlike a photo, a map cut short or with a flipped bit is not obeyed at all. */
static void
test_damage (void)
{
  static const uint8_t rows[] = { 0, 0, 1, 2, 0, 3, 77, 255 };
  g_autoptr (GByteArray) whole = make_grey (3, 2, 8, 0, rows, sizeof rows);
  for (guint n = 1; n < whole->len; n++) {
    GByteArray *cut = g_byte_array_new ();
    g_byte_array_append (cut, whole->data, n);
    g_autoptr (GError) error = NULL;
    g_assert_null (load (cut, 3, 2, &error));
    g_assert_nonnull (error);
  }
  for (guint i = 8; i < whole->len; i++) {
    GByteArray *flipped = g_byte_array_new ();
    g_byte_array_append (flipped, whole->data, whole->len);
    flipped->data[i] ^= 4;
    g_autoptr (GError) error = NULL;
    g_assert_null (load (flipped, 3, 2, &error));
    g_assert_nonnull (error);
  }
}

/* An index beyond the palette has no meaning. */
static void
test_index_beyond_palette (void)
{
  static const uint8_t rows[] = { 0, 0, 1, 2, 4 };
  assert_refused (make_grey (4, 1, 8, 3, rows, 5), 4, 1, FS_PHOTO_ERROR_DAMAGED, "damaged");
}

static void
test_no_file (void)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, "missing", NULL);
  g_assert_null (fs_seeds_load (path, 3, 3, NULL, &error));
  g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_READ);
  g_clear_error (&error);
  g_assert_null (fs_seeds_load (folder, 3, 3, NULL, &error));
  g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_READ);
}

static void
test_cancelled (void)
{
  static const uint8_t rows[] = { 0, 0, 1, 2, 0, 3, 77, 255 };
  g_autoptr (GByteArray) png = make_grey (3, 2, 8, 0, rows, sizeof rows);
  g_autofree char *path = made_file (folder, "seeds.png", png->data, png->len);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_cancellable_cancel (cancellable);
  g_assert_null (fs_seeds_load (path, 3, 2, cancellable, &error));
  g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_CANCELLED);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  g_test_add_func ("/seeds/soft-brush", test_soft_brush);
  g_test_add_func ("/seeds/masks", test_masks);
  g_test_add_func ("/seeds/hard-brushes", test_hard_brushes);
  g_test_add_func ("/seeds-file/grey", test_grey);
  g_test_add_func ("/seeds-file/indexed", test_indexed);
  g_test_add_func ("/seeds-file/other-kinds", test_other_kinds);
  g_test_add_func ("/seeds-file/other-size", test_other_size);
  g_test_add_func ("/seeds-file/damage", test_damage);
  g_test_add_func ("/seeds-file/index-beyond-palette", test_index_beyond_palette);
  g_test_add_func ("/seeds-file/no-file", test_no_file);
  g_test_add_func ("/seeds-file/cancelled", test_cancelled);
  const int failed = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return failed;
}
