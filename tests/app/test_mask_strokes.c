/* SPDX-License-Identifier: MIT */
/* Strokes of a mask: they say nothing that the mask does not, and say it nearly everywhere. */
#include "app/history.h"
#include "app/mask_strokes.h"
#include "app/photo.h"
#include "app/export.h"
#include "tests/app/made_files.h"

#include <math.h>
#include <string.h>

typedef struct {
  int width, height;
  uint8_t *labels;
} Mask;

static void
mask_clear (Mask *mask)
{
  g_free (mask->labels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Mask, mask_clear)

/* A disc with a hole, and a second disc. */
static Mask
make_mask (int width, int height)
{
  Mask mask = { width, height, g_malloc ((gsize)width * (gsize)height) };
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double u = (double)x / width, v = (double)y / height;
      double d = hypot (u - 0.35, v - 0.5), e = hypot (u - 0.8, v - 0.3);
      gboolean object = (d < 0.3 && d > 0.12) || e < 0.12;
      mask.labels[(gsize)y * (gsize)width + (gsize)x] =
          object ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
    }
  return mask;
}

static FsHistory *
paint (const Mask *mask, const GPtrArray *strokes)
{
  FsHistory *history = fs_history_new (mask->width, mask->height, NULL);
  for (guint i = 0; i < strokes->len; i++) {
    const FsStroke *stroke = strokes->pdata[i];
    fs_history_begin (history, stroke->label, stroke->radius_px);
    fs_history_extend (history, (const FsSample *)(gpointer)stroke->samples->data,
                       stroke->samples->len, NULL);
    fs_history_end (history);
  }
  return history;
}

static void
test_says_the_same (void)
{
  static const int sizes[][2] = { { 320, 240 }, { 241, 317 }, { 1000, 60 }, { 1500, 1100 } };
  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_auto (Mask) mask = make_mask (sizes[s][0], sizes[s][1]);
    g_autoptr (GPtrArray) strokes = fs_mask_strokes_new (mask.labels, mask.width, mask.height);
    g_autoptr (FsHistory) history = paint (&mask, strokes);
    const FsSeedMap *seeds = fs_history_get_seeds (history);
    int n = mask.width * mask.height, n_said = 0, n_object = 0;
    for (int i = 0; i < n; i++) {
      if (seeds->label[i] == FS_SEED_NONE)
        continue;
      g_assert_cmpint (seeds->label[i], ==, mask.labels[i]);
      n_said++;
      n_object += seeds->label[i] == FS_SEED_OBJECT;
    }
    g_assert_cmpint (n_said, >, n / 2);
    g_assert_cmpint (n_object, >, 0);
    g_assert_cmpuint (strokes->len, >=, 3);
  }
}

/* Every label on its own, and masks that say nothing. */
static void
test_extremes (void)
{
  uint8_t labels[64 * 48];
  memset (labels, FS_SEED_OBJECT, sizeof labels);
  g_autoptr (GPtrArray) all = fs_mask_strokes_new (labels, 64, 48);
  g_assert_cmpuint (all->len, ==, 1);
  memset (labels, FS_SEED_NONE, sizeof labels);
  g_autoptr (GPtrArray) none = fs_mask_strokes_new (labels, 64, 48);
  g_assert_cmpuint (none->len, ==, 0);
  for (gsize i = 0; i < sizeof labels; i++)
    labels[i] = 1 + (i + i / 64) % 2;
  g_autoptr (GPtrArray) chess = fs_mask_strokes_new (labels, 64, 48);
  g_assert_cmpuint (chess->len, ==, 2 * FS_MASK_STROKES_MAX);
  g_assert_cmpuint (fs_mask_strokes_count_missing (chess, labels, 64, 48), ==,
                    64 * 48 - 2 * FS_MASK_STROKES_MAX);
  g_autoptr (GPtrArray) pixel = fs_mask_strokes_new (labels, 1, 1);
  g_assert_cmpuint (pixel->len, ==, 1);
}

/* Of many pieces the largest are kept, of each label as many. */
static void
test_many_pieces (void)
{
  enum { SIDE = 256 };
  g_autofree uint8_t *labels = g_malloc (SIDE * SIDE);
  for (int i = 0; i < SIDE * SIDE; i++) {
    int x = i % SIDE, y = i / SIDE;
    gboolean object = x % 8 < 4 && y % 8 < 4;
    labels[i] = object || (x < 100 && y < 100) ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
  }
  g_autoptr (GPtrArray) strokes = fs_mask_strokes_new (labels, SIDE, SIDE);
  guint n_object = 0;
  for (guint i = 0; i < strokes->len; i++)
    n_object += ((const FsStroke *)strokes->pdata[i])->label == FS_SEED_OBJECT;
  g_assert_cmpuint (n_object, ==, FS_MASK_STROKES_MAX);
  const FsStroke *largest = strokes->pdata[strokes->len - n_object];
  g_assert_cmpuint (largest->samples->len, >, 1000);
  g_assert_cmpuint (fs_mask_strokes_count_missing (strokes, labels, SIDE, SIDE), >, 100);
}

/* Parts that are small or narrow have their strokes, and so have their holes. */
static void
test_small_parts (void)
{
  static const int sizes[][2] = { { 320, 240 }, { 1600, 1200 } };
  for (gsize s = 0; s < G_N_ELEMENTS (sizes); s++) {
    int width = sizes[s][0], height = sizes[s][1], n_parts = 2, n = width * height;
    g_auto (Mask) mask = { width, height, g_malloc ((gsize)n) };
    memset (mask.labels, FS_SEED_BACKGROUND, (gsize)n);
    for (int i = 0; i < 60; i++) {
      int x0 = 10 + i % 10 * 30, y0 = 40 + i / 10 * 30, side = 1 + i % 11;
      for (int k = 0; k < side * side; k++)
        mask.labels[(y0 + k / side) * width + x0 + k % side] = FS_SEED_OBJECT;
      n_parts++;
      if (side >= 7) {
        mask.labels[(y0 + 3) * width + x0 + 3] = FS_SEED_BACKGROUND;
        n_parts++;
      }
    }
    for (int x = 5; x < width - 5; x++) /* a wire */
      for (int y = 0; y < 5; y++)
        mask.labels[(20 + y) * width + x] = FS_SEED_OBJECT;
    g_autoptr (GPtrArray) strokes = fs_mask_strokes_new (mask.labels, width, height);
    g_assert_cmpuint (fs_mask_strokes_count_missing (strokes, mask.labels, width, height), ==, 0);
    g_assert_cmpuint (strokes->len, >=, (guint)n_parts);
    g_autoptr (FsHistory) history = paint (&mask, strokes);
    const FsSeedMap *seeds = fs_history_get_seeds (history);
    for (int i = 0; i < n; i++)
      g_assert_true (seeds->label[i] == FS_SEED_NONE || seeds->label[i] == mask.labels[i]);
  }
}

static FsImage *
make_image (const Mask *mask)
{
  FsImage *image = fs_image_new (mask->width, mask->height);
  for (int i = 0; i < mask->width * mask->height; i++)
    image->pixels[i] = 0xff404040u + (uint32_t)(i % 5);
  return image;
}

/* What this program exports it also imports: masks by brightness, cut-outs by what is there. */
static void
test_reads_exports (void)
{
  g_auto (Mask) mask = make_mask (120, 90);
  g_autofree char *folder = made_folder ();
  g_autofree char *path = g_build_filename (folder, "m.png", NULL);
  g_autoptr (FsImage) image = make_image (&mask);
  g_autofree uint8_t *plane = g_malloc (120 * 90);
  for (int i = 0; i < 120 * 90; i++)
    plane[i] = mask.labels[i] == FS_SEED_OBJECT;
  for (int kind = FS_EXPORT_MASK; kind <= FS_EXPORT_CUTOUT; kind++) {
    g_autoptr (GError) error = NULL;
    FsExport what = { .image = image, .mask = plane, .kind = (FsExportKind)kind };
    g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, &error));
    g_autofree uint8_t *labels = fs_mask_strokes_load (path, 120, 90, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpmem (labels, 120 * 90, mask.labels, 120 * 90);
    g_assert_null (fs_mask_strokes_load (path, 90, 120, NULL, &error));
    g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT);
    g_assert_nonnull (strstr (error->message, "m.png: is 120 × 90 pixels"));
  }
  made_folder_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mask-strokes/says-the-same", test_says_the_same);
  g_test_add_func ("/mask-strokes/extremes", test_extremes);
  g_test_add_func ("/mask-strokes/many-pieces", test_many_pieces);
  g_test_add_func ("/mask-strokes/small-parts", test_small_parts);
  g_test_add_func ("/mask-strokes/reads-exports", test_reads_exports);
  return g_test_run ();
}
