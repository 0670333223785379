/* SPDX-License-Identifier: MIT */
/* Layers of parts of a photo, of photos with an alpha of their own, and of no object; and the
 * archive when its bytes are refused. */
#include "app/export/export.h"
#include "app/export/ora_write.h"

#include <glib/gstdio.h>
#include <string.h>

#define WIDTH  40
#define HEIGHT 30

static FsImage *
new_image (gboolean has_alpha)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  FsImage *image = fs_image_new (WIDTH, HEIGHT);
  image->has_alpha = has_alpha;
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    image->pixels[i] = g_rand_int (random) | (has_alpha ? 0 : 0xff000000u);
  return image;
}

typedef struct {
  GByteArray *bytes;
  guint max_bytes;
} Taken;

static gboolean
take (gpointer user_data, const void *bytes, gsize n_bytes, GError **error)
{
  Taken *taken = user_data;
  if (taken->bytes->len + n_bytes > taken->max_bytes) {
    g_set_error_literal (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, "full");
    return FALSE;
  }
  g_byte_array_append (taken->bytes, bytes, (guint)n_bytes);
  return TRUE;
}

static gboolean
rows_done (gpointer user_data, int n_rows, int n_all, GError **error)
{
  g_assert_cmpint (n_rows, >=, 0);
  g_assert_cmpint (n_rows, <=, n_all);
  return TRUE;
}

/* The bytes of an archive; its stack.xml is stored, and so is text in them. */
static GByteArray *
write_layers (const FsExport *what)
{
  Taken taken = { g_byte_array_new (), G_MAXUINT };
  const FsExportSink sink = { take, rows_done, &taken };
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_ora_write (what, "x.ora", &sink, &error));
  g_assert_no_error (error);
  return taken.bytes;
}

static gboolean
has_text (const GByteArray *bytes, const char *text)
{
  return memmem (bytes->data, bytes->len, text, strlen (text)) != NULL;
}

/* A part has the layers' places in it, and a layer is what the object needs. */
static void
test_part (void)
{
  g_autoptr (FsImage) image = new_image (FALSE);
  uint8_t numbers[WIDTH * HEIGHT];
  memset (numbers, FS_SEED_BACKGROUND, sizeof numbers);
  for (int y = 10; y < 14; y++)
    for (int x = 20; x < 29; x++)
      numbers[y * WIDTH + x] = x < 24 ? 2 : 4;
  const char *names[FS_SEED_MAX + 1] = { [4] = "\"A\" & <B>" };
  const FsExport what = { .image = image,
                          .mask = numbers,
                          .kind = FS_EXPORT_LABELS,
                          .area = { 16, 9, 30, 13 },
                          .object_names = names };
  g_autoptr (GByteArray) bytes = write_layers (&what);
  g_assert_true (has_text (bytes, "<image version=\"0.0.3\" w=\"14\" h=\"4\">"));
  g_assert_true (has_text (bytes, "src=\"data/object-1.png\" x=\"4\" y=\"1\""));
  g_assert_true (has_text (
      bytes, "name=\"&quot;A&quot; &amp; &lt;B&gt;\" src=\"data/object-3.png\" x=\"8\" y=\"1\""));
  g_assert_true (has_text (bytes, "src=\"data/photo.png\" x=\"0\" y=\"0\""));

  const FsExport soft = { .image = image,
                          .mask = numbers,
                          .kind = FS_EXPORT_LABELS,
                          .area = { 16, 9, 30, 13 },
                          .edge = { .width_px = 3, .clean = 100 } };
  g_autoptr (GByteArray) wide = write_layers (&soft);
  g_assert_true (has_text (wide, "src=\"data/object-1.png\" x=\"1\" y=\"0\""));
}

static void
test_alpha_and_nothing (void)
{
  g_autoptr (FsImage) image = new_image (TRUE);
  uint8_t mask[WIDTH * HEIGHT] = { 0 };
  const FsExport what = { .image = image, .mask = mask, .kind = FS_EXPORT_CUTOUT };
  g_autoptr (GByteArray) nothing = write_layers (&what);
  g_assert_false (has_text (nothing, "object-1"));
  g_assert_true (has_text (nothing, "data/photo.png"));
  mask[5 * WIDTH + 7] = 1;
  g_autoptr (GByteArray) pixel = write_layers (&what);
  g_assert_true (has_text (pixel, "src=\"data/object-1.png\" x=\"7\" y=\"5\""));
}

/* Wherever the disk is full: one error, and no file. */
static void
test_full (void)
{
  g_autoptr (FsImage) image = new_image (FALSE);
  uint8_t mask[WIDTH * HEIGHT];
  memset (mask, 1, sizeof mask);
  const FsExport what = {
    .image = image, .mask = mask, .kind = FS_EXPORT_CUTOUT, .edge = { .width_px = 2, .clean = 100 }
  };
  g_autoptr (GByteArray) whole = write_layers (&what);
  for (guint max = 0; max < whole->len; max += max < 200 ? 7 : 613) {
    Taken taken = { g_byte_array_new (), max };
    const FsExportSink sink = { take, rows_done, &taken };
    g_autoptr (GError) error = NULL;
    g_assert_false (fs_ora_write (&what, "x.ora", &sink, &error));
    g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE);
    g_byte_array_unref (taken.bytes);
  }
}

static void
test_cancelled (void)
{
  g_autofree char *folder = g_dir_make_tmp ("layers-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "x.ora", NULL);
  g_autoptr (FsImage) image = new_image (FALSE);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  const uint8_t mask[WIDTH * HEIGHT] = { 1 };
  const FsExport what = { .image = image, .mask = mask, .kind = FS_EXPORT_CUTOUT };
  g_cancellable_cancel (cancellable);
  g_assert_false (fs_export_write (&what, path, cancellable, NULL, NULL, &error));
  g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_rmdir (folder);
}

/* A picture of grey values, or a mask, is no layer and no outline. */
static void
test_other_kinds (void)
{
  static const char *const names[] = { "x.ora", "x.psd", "x.svg" };
  g_autofree char *folder = g_dir_make_tmp ("layers-XXXXXX", NULL);
  g_autoptr (FsImage) image = new_image (FALSE);
  const uint8_t mask[WIDTH * HEIGHT] = { 1 };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_build_filename (folder, names[i], NULL);
    const FsExport what = { .image = image, .mask = mask, .kind = FS_EXPORT_GREY };
    g_assert_false (fs_export_write (&what, path, NULL, NULL, NULL, &error));
    g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE);
    g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  }
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/layers/part", test_part);
  g_test_add_func ("/app/layers/alpha-and-nothing", test_alpha_and_nothing);
  g_test_add_func ("/app/layers/full", test_full);
  g_test_add_func ("/app/layers/cancelled", test_cancelled);
  g_test_add_func ("/app/layers/other-kinds", test_other_kinds);
  return g_test_run ();
}
