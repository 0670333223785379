/* SPDX-License-Identifier: MIT */
/* Photos of the data pack: every format, big ones, and files known to break decoders. */
#include "app/photo/photo.h"
#include "tests/app/photo/photo_child.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define MIB (G_GINT64_CONSTANT (1) << 20)

/* The reliability gate for files known to be bad. */
#define MAX_SECONDS 2.0
#define MAX_BYTES   (200 * MIB)

static char *
data_path (const char *name)
{
  const char *shared = g_getenv ("FRETSAW_SHARED");
  const char *source = g_getenv ("FRETSAW_SOURCE");
  if (shared)
    return g_build_filename (shared, "data", name, NULL);
  return g_build_filename (source ? source : ".", "..", "shared", "data", name, NULL);
}

static gboolean
have_data (const char *name)
{
  g_autofree char *path = data_path (name);
  if (g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  g_test_skip ("the data pack is not there");
  return FALSE;
}

static FsPhoto *
load (const char *name)
{
  g_autofree char *path = data_path (name);
  g_autoptr (GError) error = NULL;
  FsPhoto *photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (photo->warning, ==, NULL);
  return photo;
}

static const struct {
  const char *name;
  int width, height, bits;
  const char *format;
} known[] = {
  { "photos/formats/cmyk-2.jpg", 600, 397, 8, "JPEG" },
  { "photos/formats/cmyk-noprofile.jpg", 500, 333, 8, "JPEG" },
  { "photos/formats/gray-alpha-8.png", 400, 300, 8, "PNG" },
  { "photos/formats/gray-progressive.jpg", 900, 675, 8, "JPEG" },
  { "photos/formats/odd-sampling-2.jpeg", 32, 32, 8, "JPEG" },
  { "photos/formats/palette.png", 900, 600, 2, "PNG" },
  { "photos/formats/photo-rgb16.png", 1200, 800, 16, "PNG" },
  { "photos/formats/rgb16.png", 900, 600, 16, "PNG" },
  { "photos/large/baseline-33mp-420.jpg", 7680, 4320, 8, "JPEG" },
  { "photos/large/bus-12mp.jpg", 4032, 3024, 8, "JPEG" },
  { "photos/large/canon-1000d-10mp-orient6.jpg", 2592, 3888, 8, "JPEG" },
  { "photos/large/gray-progressive-10mp.jpg", 3600, 2880, 8, "JPEG" },
  { "photos/large/issue266-22mp.jpg", 5760, 3840, 8, "JPEG" },
  { "photos/large/oppo-13mp-portrait.jpg", 3120, 4160, 8, "JPEG" },
};

static void
test_known_sizes (void)
{
  if (!have_data ("photos/formats"))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autoptr (FsPhoto) photo = load (known[i].name);
    g_test_message ("%s", known[i].name);
    g_assert_cmpint (photo->image->width, ==, known[i].width);
    g_assert_cmpint (photo->image->height, ==, known[i].height);
    g_assert_cmpint (photo->bits, ==, known[i].bits);
    g_assert_cmpstr (photo->format, ==, known[i].format);
  }
}

#define BLOCK_PX 25

static int
block_sum (const FsImage *image, int x0, int y0)
{
  int sum = 0;
  for (int y = y0; y < y0 + BLOCK_PX; y++)
    for (int x = x0; x < x0 + BLOCK_PX; x++)
      sum += FS_PIXEL_G (image->pixels[y * image->width + x]);
  return sum;
}

static double
mean_difference (const FsImage *a, const FsImage *b)
{
  double sum = 0;
  int n = 0;
  for (int y = 0; y + BLOCK_PX <= a->height; y += BLOCK_PX)
    for (int x = 0; x + BLOCK_PX <= a->width; x += BLOCK_PX, n++)
      sum += ABS (block_sum (a, x, y) - block_sum (b, x, y)) / (double)(BLOCK_PX * BLOCK_PX);
  return sum / n;
}

static FsImage *
half_turn (const FsImage *image)
{
  const int n = image->width * image->height;
  FsImage *turned = fs_image_new (image->width, image->height);
  for (int i = 0; i < n; i++)
    turned->pixels[i] = image->pixels[n - 1 - i];
  return turned;
}

/* One scene, resampled and compressed eight times, each time held another way and with another
 * numeral on it, so that only blocks can be compared. A wrong turn must stand out. */
static void
test_orientations (void)
{
  if (!have_data ("photos/formats"))
    return;
  g_autoptr (FsPhoto) upright = load ("photos/formats/exif-landscape-1.jpg");
  g_autoptr (FsImage) wrong = half_turn (upright->image);
  g_assert_cmpfloat (mean_difference (upright->image, wrong), >, 40);
  for (int i = 2; i <= 8; i++) {
    g_autofree char *name = g_strdup_printf ("photos/formats/exif-landscape-%d.jpg", i);
    g_autoptr (FsPhoto) photo = load (name);
    g_assert_cmpint (photo->image->width, ==, upright->image->width);
    g_assert_cmpint (photo->image->height, ==, upright->image->height);
    const double difference = mean_difference (photo->image, upright->image);
    g_test_message ("%d: %.1f", i, difference);
    g_assert_cmpfloat (difference, <, 20);
  }
}

/* --- PngSuite -------------------------------------------------------------------------------- */

static void
assert_same_png (const char *one, const char *other)
{
  g_autofree char *one_name = g_strconcat ("photos/formats/pngsuite/", one, NULL);
  g_autofree char *other_name = g_strconcat ("photos/formats/pngsuite/", other, NULL);
  g_autoptr (FsPhoto) a = load (one_name);
  g_autoptr (FsPhoto) b = load (other_name);
  const gsize n = (gsize)a->image->width * (gsize)a->image->height * 4;
  g_assert_cmpint (a->image->width, ==, b->image->width);
  g_assert_cmpint (a->image->has_alpha, ==, b->image->has_alpha);
  g_assert_cmpmem (a->image->pixels, n, b->image->pixels,
                   (gsize)b->image->width * (gsize)b->image->height * 4);
}

/* The suite stores the same picture in several ways. */
static void
test_pngsuite_pairs (void)
{
  static const char *const pairs[][2] = {
    { "basn0g08.png", "basi0g08.png" }, { "basn3p04.png", "basi3p04.png" },
    { "s33n3p04.png", "s33i3p04.png" }, { "s34n3p04.png", "s34i3p04.png" },
    { "s35n3p04.png", "s35i3p04.png" }, { "s39n3p04.png", "s39i3p04.png" },
    { "s03n3p01.png", "s03i3p01.png" }, { "s09n3p02.png", "s09i3p02.png" },
    { "oi1n0g16.png", "oi4n0g16.png" }, { "oi1n0g16.png", "basi0g16.png" },
    { "oi1n2c16.png", "oi2n2c16.png" }, { "oi1n2c16.png", "pp0n2c16.png" },
    { "oi1n2c16.png", "ps1n2c16.png" }, { "ctzn0g04.png", "ct1n0g04.png" },
    { "basi4a08.png", "bgai4a08.png" }, { "basi4a08.png", "bgbn4a08.png" },
    { "basi6a08.png", "bgan6a08.png" }, { "basi6a08.png", "bgwn6a08.png" },
  };
  if (!have_data ("photos/formats/pngsuite"))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (pairs); i++) {
    g_test_message ("%s %s", pairs[i][0], pairs[i][1]);
    assert_same_png (pairs[i][0], pairs[i][1]);
  }
}

static void
test_pngsuite_all_open (void)
{
  if (!have_data ("photos/formats/pngsuite"))
    return;
  g_autofree char *folder = data_path ("photos/formats/pngsuite");
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n = 0;
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *inner = g_strconcat ("photos/formats/pngsuite/", name, NULL);
    g_autoptr (FsPhoto) photo = load (inner);
    /* The name ends in colour type and depth: …0g01, …3p04, …6a16. */
    g_assert_cmpint (photo->bits, ==, atoi (name + 6));
    g_assert_cmpint (photo->image->has_alpha, ==, name[5] == 'a' || name[0] == 't');
    n++;
  }
  g_dir_close (dir);
  g_assert_cmpint (n, >, 50);
}

/* --- broken files ----------------------------------------------------------------------------- */

static const struct {
  const char *name;
  Outcome outcome;
} outcomes[] = {
  { "its-32d08f4a5eb10332506ebedbb9bc7257.jpg", OUTCOME_WARNED },
  { "its-eecb78b937a7c5f04aae2f5b0f5b5acc.jpg", OUTCOME_REFUSED },
  { "its-59d3b529c78ac722127c41ba75b3355b.jpg", OUTCOME_WARNED },
  { "its-c-817f96555e2d683e7b12f778c4e38022.png", OUTCOME_REFUSED },
  { "jd-extraneous-bytes-after-sos.jpg", OUTCOME_OPENED },
  { "jd-invalid-prediction-shift.jpg", OUTCOME_REFUSED },
  { "jd-max_size.jpg", OUTCOME_REFUSED },
  { "jd-multiple-0xff-before-eoi.jpg", OUTCOME_OPENED },
  { "jd-null_height.jpg", OUTCOME_REFUSED },
  { "own-baseline-cut2.jpg", OUTCOME_WARNED },
  { "own-baseline-cut25.jpg", OUTCOME_WARNED },
  { "own-baseline-cut50.jpg", OUTCOME_WARNED },
  { "own-baseline-cut75.jpg", OUTCOME_WARNED },
  { "own-baseline-cut99.jpg", OUTCOME_WARNED },
  { "own-baseline-garbage.jpg", OUTCOME_WARNED },
  { "own-claims-40gp.png", OUTCOME_REFUSED },
  { "own-cut10.png", OUTCOME_WARNED },
  { "own-cut60.png", OUTCOME_WARNED },
  { "own-cut95.png", OUTCOME_WARNED },
  { "own-progressive-cut2.jpg", OUTCOME_WARNED },
  { "own-progressive-cut25.jpg", OUTCOME_WARNED },
  { "own-progressive-cut50.jpg", OUTCOME_WARNED },
  { "own-progressive-cut75.jpg", OUTCOME_WARNED },
  { "own-progressive-cut99.jpg", OUTCOME_WARNED },
  { "own-text.png", OUTCOME_REFUSED },
  { "own-trailing.jpg", OUTCOME_OPENED },
  { "own-zero-width.png", OUTCOME_REFUSED },
  { "pngsuite-xc1n0g08.png", OUTCOME_REFUSED },
  { "pngsuite-xcrn0g04.png", OUTCOME_REFUSED },
  { "pngsuite-xcsn0g01.png", OUTCOME_WARNED },
  { "pngsuite-xd3n2c08.png", OUTCOME_REFUSED },
  { "sharp-65536-uint32-limit.png", OUTCOME_REFUSED },
  { "sharp-corrupt-header.jpg", OUTCOME_REFUSED },
  { "sharp-truncated.jpg", OUTCOME_WARNED },
  { "zune-huge_sof_number.jpg", OUTCOME_OPENED },
};

static gboolean
is_as_expected (const char *name, Outcome outcome)
{
  for (gsize i = 0; i < G_N_ELEMENTS (outcomes); i++)
    if (strcmp (outcomes[i].name, name) == 0)
      return outcome == outcomes[i].outcome;
  return outcome <= OUTCOME_REFUSED;
}

static void
test_broken (void)
{
  if (!have_data ("broken"))
    return;
  g_autofree char *folder = data_path ("broken");
  GDir *dir = g_dir_open (folder, 0, NULL);
  const char *name;
  int n = 0, counts[OUTCOME_DIED + 1] = { 0 };
  double worst_seconds = 0;
  gint64 worst_bytes = 0;
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    const Cost cost = photo_child_open (path, NULL);
    if (!is_as_expected (name, cost.outcome) || cost.seconds > MAX_SECONDS * photo_child_slowness
        || cost.peak_bytes > MAX_BYTES + photo_child_overhead_bytes)
      g_error ("%s: outcome %d, %.2f s, %.0f MB", name, cost.outcome, cost.seconds,
               (double)cost.peak_bytes / (double)MIB);
    worst_seconds = MAX (worst_seconds, cost.seconds);
    worst_bytes = MAX (worst_bytes, cost.peak_bytes);
    counts[cost.outcome]++;
    n++;
  }
  g_dir_close (dir);
  g_test_message ("%d files: %d opened, %d with a warning, %d refused; at most %.3f s, %.0f MB", n,
                  counts[OUTCOME_OPENED], counts[OUTCOME_WARNED], counts[OUTCOME_REFUSED],
                  worst_seconds, (double)worst_bytes / (double)MIB);
  g_assert_cmpint (n, >, 100);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/photo/data/broken", test_broken);
  g_test_add_func ("/photo/data/known-sizes", test_known_sizes);
  g_test_add_func ("/photo/data/orientations", test_orientations);
  g_test_add_func ("/photo/data/pngsuite-pairs", test_pngsuite_pairs);
  g_test_add_func ("/photo/data/pngsuite-all-open", test_pngsuite_all_open);
  return g_test_run ();
}
