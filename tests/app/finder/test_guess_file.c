/* SPDX-License-Identifier: MIT */
/* Guesses from files: what this program and others write as masks, of any size and depth. */
#include "app/export/export.h"
#include "app/finder/guess_file.h"
#include "tests/app/photo/made_files.h"

#include <string.h>

enum { W = 40, H = 30 };

typedef struct {
  char *folder, *path;
} Place;

static Place
place_new (void)
{
  Place place = { made_folder (), NULL };
  place.path = g_build_filename (place.folder, "m.png", NULL);
  return place;
}

static void
place_clear (Place *place)
{
  made_folder_remove (place->folder);
  g_free (place->folder);
  g_free (place->path);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

/* `rows`: with their filter bytes. */
static void
write_png (const Place *place, int width, int height, int bits, int type, const uint8_t *rows,
           gsize n_bytes)
{
  g_autoptr (GByteArray) png = made_png_begin ((guint32)width, (guint32)height, bits, type, FALSE);
  made_png_pixels (png, rows, n_bytes);
  made_png_end (png);
  g_assert_true (g_file_set_contents (place->path, (const char *)png->data, png->len, NULL));
}

static void
write_grey (const Place *place, const uint8_t grey[W * H])
{
  uint8_t rows[(W + 1) * H] = { 0 };
  for (int y = 0; y < H; y++)
    memcpy (rows + y * (W + 1) + 1, grey + (gsize)y * W, W);
  write_png (place, W, H, 8, 0, rows, sizeof rows);
}

static FsGuess *
load (const Place *place, gboolean chosen)
{
  g_autoptr (GError) error = NULL;
  FsGuess *guess = chosen ? fs_guess_load_mask (place->path, W, H, NULL, NULL, NULL, &error)
                          : fs_guess_load_found (place->path, W, H, NULL, &error);
  g_assert_no_error (error);
  return guess;
}

static void
assert_between (const FsGuess *guess, const uint8_t expected[W * H], int min, int max)
{
  g_assert_cmpint (fs_guess_get_width (guess), ==, W);
  g_assert_cmpint (fs_guess_get_height (guess), ==, H);
  const uint16_t *probability = fs_guess_get_probability (guess);
  for (int i = 0; i < W * H; i++)
    g_assert_cmpint (probability[i], ==, CLAMP (expected[i] * 257, min, max));
}

static void
assert_values (const FsGuess *guess, const uint8_t expected[W * H])
{
  assert_between (guess, expected, 0, UINT16_MAX);
}

/* A finder's, which is never a finished mask. */
static void
assert_found (const FsGuess *guess, const uint8_t expected[W * H])
{
  assert_between (guess, expected, FS_GUESS_FOUND_MIN, FS_GUESS_FOUND_MAX);
  g_assert_false (fs_guess_is_mask (guess));
}

/* A square, with a hole in it of two pixels. */
static gboolean
is_object (int i)
{
  int x = i % W, y = i / W;
  return x >= 8 && x < 25 && y >= 5 && y < 22 && !(y == 10 && (x == 12 || x == 13));
}

/* --- grey --- */

/* A mask, a trimap, a soft one, and one that is faint: each is what it says. */
static void
test_grey (void)
{
  g_auto (Place) place = place_new ();
  for (int kind = 0; kind < 4; kind++) {
    uint8_t grey[W * H];
    for (int i = 0; i < W * H; i++)
      grey[i] = kind == 0   ? (is_object (i) ? 255 : 0)
                : kind == 1 ? (i % W < 3       ? 128
                               : is_object (i) ? 255
                                               : 0)
                : kind == 2 ? (uint8_t)(i % W * 255 / W)
                            : (uint8_t)(i % 4);
    write_grey (&place, grey);
    g_autoptr (FsGuess) chosen = load (&place, TRUE);
    assert_values (chosen, grey);
    g_assert_cmpint (fs_guess_is_mask (chosen), ==, kind < 2);
    g_autoptr (FsGuess) found = load (&place, FALSE);
    assert_found (found, grey);
  }
}

static void
test_sixteen_bits (void)
{
  g_auto (Place) place = place_new ();
  for (int one = 0; one < 2; one++) { /* probabilities, then the numbers 0 and 1 */
    uint8_t rows[(2 * W + 1) * H] = { 0 };
    for (int i = 0; i < W * H; i++) {
      uint8_t *sample = rows + (i / W) * (2 * W + 1) + 1 + 2 * (i % W);
      sample[0] = one ? 0 : (uint8_t)(i % 251);
      sample[1] = one ? (uint8_t)is_object (i) : 7;
    }
    write_png (&place, W, H, 16, 0, rows, sizeof rows);
    g_autoptr (FsGuess) guess = load (&place, TRUE);
    const uint16_t *probability = fs_guess_get_probability (guess);
    for (int i = 0; i < W * H; i++)
      g_assert_cmpint (probability[i], ==,
                       one ? (is_object (i) ? UINT16_MAX : 0) : i % 251 * 256 + 7);
  }
}

/* --- labels --- */

/* The numbers 0 and 1, as arrays of truth values are written: only in a file that a person chose.
 */
static void
test_zero_and_one (void)
{
  g_auto (Place) place = place_new ();
  uint8_t numbers[W * H], mask[W * H];
  for (int i = 0; i < W * H; i++) {
    numbers[i] = (uint8_t)is_object (i);
    mask[i] = is_object (i) ? 255 : 0;
  }
  write_grey (&place, numbers);
  g_autoptr (FsGuess) chosen = load (&place, TRUE);
  assert_values (chosen, mask);
  g_autoptr (FsGuess) found = load (&place, FALSE);
  assert_found (found, mask);
}

/* Dark colours, one an object; of too many, or without black, it is a picture. */
static void
test_colours (void)
{
  g_auto (Place) place = place_new ();
  for (int kind = 0; kind < 3; kind++) {
    uint8_t rows[(3 * W + 1) * H] = { 0 }, mask[W * H];
    for (int i = 0; i < W * H; i++) {
      uint8_t *sample = rows + (i / W) * (3 * W + 1) + 1 + 3 * (i % W);
      mask[i] = is_object (i) ? 255 : 0;
      if (is_object (i))
        sample[i % W < 15 ? 0 : 1] = 128;
      if (kind == 1)
        sample[2] = (uint8_t)(i % 100);
      if (kind == 2)
        sample[2] = (uint8_t)MAX (sample[2], 9);
    }
    write_png (&place, W, H, 8, 2, rows, sizeof rows);
    g_autoptr (FsGuess) guess = load (&place, TRUE);
    g_assert_cmpint (fs_guess_is_mask (guess), ==, kind == 0);
    if (kind == 0)
      assert_values (guess, mask);
  }
}

/* --- this program's own --- */

/* What it exports it also imports: masks, cut-outs by what is there, labels of several objects. */
static void
test_exports (void)
{
  static const FsExportKind kinds[] = { FS_EXPORT_MASK, FS_EXPORT_CUTOUT, FS_EXPORT_LABELS };
  g_auto (Place) place = place_new ();
  g_autoptr (FsImage) image = fs_image_new (W, H);
  uint8_t plane[W * H], labels[W * H], mask[W * H];
  for (int i = 0; i < W * H; i++) {
    image->pixels[i] = 0xff404040u + (uint32_t)(i % 5);
    plane[i] = (uint8_t)is_object (i);
    mask[i] = is_object (i) ? 255 : 0;
    labels[i] = is_object (i) ? FS_SEED_OBJECT + (i % W < 15) : FS_SEED_BACKGROUND;
  }
  for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autoptr (GError) error = NULL;
    FsExport what = { .image = image,
                      .mask = kinds[k] == FS_EXPORT_LABELS ? labels : plane,
                      .kind = kinds[k] };
    g_assert_true (fs_export_write (&what, place.path, NULL, NULL, NULL, &error));
    g_autoptr (FsGuess) guess = load (&place, TRUE);
    assert_values (guess, mask);
    g_assert_true (fs_guess_is_mask (guess));
  }
}

/* --- sizes, and what is none --- */

static void
test_sizes (void)
{
  g_auto (Place) place = place_new ();
  uint8_t grey[W * H];
  int width = 0, height = 0;
  for (int i = 0; i < W * H; i++)
    grey[i] = is_object (i) ? 255 : 0;
  write_grey (&place, grey);
  g_autoptr (FsGuess) larger =
      fs_guess_load_mask (place.path, 3 * W, 2 * H, NULL, &width, &height, NULL);
  g_assert_cmpint (width, ==, W);
  g_assert_cmpint (height, ==, H);
  g_assert_cmpint (fs_guess_get_width (larger), ==, W);
  g_assert_false (fs_guess_is_mask (larger));
  g_autoptr (FsGuess) smaller =
      fs_guess_load_mask (place.path, W / 2, H / 2, NULL, &width, &height, NULL);
  g_assert_cmpint (width, ==, W);
  g_assert_cmpint (fs_guess_get_width (smaller), ==, W / 2);
}

static void
test_refused (void)
{
  g_auto (Place) place = place_new ();
  g_autoptr (GByteArray) huge = made_png_begin (2000000, 2000000, 8, 0, FALSE);
  made_png_end (huge);
  g_autoptr (GByteArray) whole = made_png (W, H, FALSE);
  const struct {
    const void *data;
    gsize n;
  } files[] = { { "", 0 }, { "no picture", 10 }, { whole->data, 20 }, { huge->data, huge->len } };
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autoptr (GError) error = NULL;
    g_assert_true (g_file_set_contents (place.path, files[i].data, (gssize)files[i].n, NULL));
    g_assert_null (fs_guess_load_mask (place.path, W, H, NULL, NULL, NULL, &error));
    g_assert_nonnull (error);
    g_assert_nonnull (strstr (error->message, "m.png: "));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/guess-file/grey", test_grey);
  g_test_add_func ("/guess-file/sixteen-bits", test_sixteen_bits);
  g_test_add_func ("/guess-file/zero-and-one", test_zero_and_one);
  g_test_add_func ("/guess-file/colours", test_colours);
  g_test_add_func ("/guess-file/exports", test_exports);
  g_test_add_func ("/guess-file/sizes", test_sizes);
  g_test_add_func ("/guess-file/refused", test_refused);
  return g_test_run ();
}
