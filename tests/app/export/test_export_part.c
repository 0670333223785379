/* SPDX-License-Identifier: MIT */
/* Exports of a part of the photo, and into memory. */
#include "app/export/export.h"
#include "app/export/export_rows.h"
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"

#include <glib/gstdio.h>
#include <string.h>

#define WIDTH  61
#define HEIGHT 43

static const FsRect object = { 7, 5, 50, 31 };

static FsImage *
make_image (void)
{
  FsImage *image = fs_image_new (WIDTH, HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    image->pixels[i] = 0xff000000u | (uint32_t)i * 2654435761u >> 8;
  return image;
}

/* Two opposite corners of the rectangle. */
static void
fill_mask (uint8_t *mask)
{
  memset (mask, 0, WIDTH * HEIGHT);
  mask[object.y0 * WIDTH + object.x1 - 1] = 1;
  mask[(object.y1 - 1) * WIDTH + object.x0] = 1;
}

static void
assert_part (const char *path, const FsImage *image, const uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (photo->image->width, ==, object.x1 - object.x0);
  g_assert_cmpint (photo->image->height, ==, object.y1 - object.y0);
  for (int y = object.y0; y < object.y1; y++)
    for (int x = object.x0; x < object.x1; x++) {
      uint32_t got =
          photo->image->pixels[(y - object.y0) * (object.x1 - object.x0) + x - object.x0];
      uint32_t pixel = image->pixels[y * WIDTH + x];
      g_assert_cmphex (got, ==, mask[y * WIDTH + x] ? pixel : 0);
    }
}

static void
on_encoded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **)user_data = g_object_ref (result);
}

static GBytes *
encode (const FsExport *what, GCancellable *cancellable, GError **error)
{
  GAsyncResult *result = NULL;
  fs_export_encode_async (what, cancellable, on_encoded, &result);
  while (!result)
    g_main_context_iteration (NULL, TRUE);
  GBytes *bytes = fs_export_encode_finish (result, error);
  g_object_unref (result);
  return bytes;
}

/* The same bytes in memory as in the file. */
static void
test_part (void)
{
  g_autofree char *folder = made_folder ();
  g_autofree char *path = g_build_filename (folder, "part.png", NULL);
  g_autoptr (FsImage) image = make_image ();
  g_autoptr (GError) error = NULL;
  uint8_t mask[WIDTH * HEIGHT];
  fill_mask (mask);
  FsExport what = { image, mask, FS_EXPORT_CUTOUT, object };
  g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  assert_part (path, image, mask);

  g_autoptr (GBytes) bytes = encode (&what, NULL, &error);
  g_assert_no_error (error);
  g_autofree char *file = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (path, &file, &n_bytes, NULL));
  g_assert_cmpmem (file, n_bytes, g_bytes_get_data (bytes, NULL), g_bytes_get_size (bytes));
  made_folder_remove (folder);
}

/* A soft one keeps the photo's own alpha, of the same pixels. */
static void
test_soft_part (void)
{
  g_autofree char *folder = made_folder ();
  g_autofree char *path = g_build_filename (folder, "soft.png", NULL);
  g_autoptr (FsImage) image = make_image ();
  g_autoptr (GError) error = NULL;
  uint8_t mask[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    image->pixels[i] = (image->pixels[i] & 0xffffff) | (uint32_t)(i % 200 + 55) << 24;
    mask[i] = i % WIDTH > 20 && i / WIDTH > 12;
  }
  FsExport what = { image, mask, FS_EXPORT_CUTOUT, object,
                    .edge = { .width_px = 4, .clean = 100 } };
  g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_autoptr (FsImage) expected = fs_export_edge_render (&what, object);
  g_assert_cmpint (photo->image->width, ==, expected->width);
  g_assert_cmpint (photo->image->height, ==, expected->height);
  const size_t n_bytes = (size_t)expected->width * (size_t)expected->height * 4;
  g_assert_cmpmem (photo->image->pixels, n_bytes, expected->pixels, n_bytes);
  made_folder_remove (folder);
}

/* The PNG library's own limit of a million a side is not ours. */
static void
test_wide (void)
{
  enum { VERY_WIDE = 1000001 };
  g_autofree char *folder = made_folder ();
  g_autofree char *path = g_build_filename (folder, "wide.png", NULL);
  g_autoptr (FsImage) image = fs_image_new (VERY_WIDE, 1);
  g_autofree uint8_t *mask = g_malloc0 (VERY_WIDE);
  g_autoptr (GError) error = NULL;
  FsExport what = { image, mask, FS_EXPORT_MASK };
  fs_export_write (&what, path, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  made_folder_remove (folder);
}

static void
test_cancel (void)
{
  g_autoptr (FsImage) image = make_image ();
  g_autoptr (GError) error = NULL;
  uint8_t mask[WIDTH * HEIGHT];
  fill_mask (mask);
  FsExport what = { image, mask, FS_EXPORT_MASK, object };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_cancellable_cancel (cancellable);
  g_assert_null (encode (&what, cancellable, &error));
  g_assert_nonnull (error);
}

/* Alone an object is cut out of the others, whose strokes say so. */
static void
test_picked (void)
{
  const uint8_t numbers[] = { 1, 2, 3, 3, 1, 4 };
  const uint8_t marks[] = { 1, 2, 0, 3, 0, 4 };
  const uint8_t expected_mask[] = { 0, 0, 1, 1, 0, 0 };
  const uint8_t expected_marks[] = { 1, 1, 0, 2, 0, 1 };
  uint8_t mask[6], own_marks[6];
  fs_export_pick_object (numbers, marks, 6, 3, mask, own_marks);
  g_assert_cmpmem (mask, 6, expected_mask, 6);
  g_assert_cmpmem (own_marks, 6, expected_marks, 6);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export-part/part", test_part);
  g_test_add_func ("/export-part/soft-part", test_soft_part);
  g_test_add_func ("/export-part/wide", test_wide);
  g_test_add_func ("/export-part/cancel", test_cancel);
  g_test_add_func ("/export-part/picked", test_picked);
  return g_test_run ();
}
