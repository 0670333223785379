/* SPDX-License-Identifier: MIT */
/* Photos from anywhere: opened or refused in one sentence, within the limits, and what is opened
 * can be read to its last pixel. */
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#include <unistd.h>

#define MAX_PIXELS (512 * 512)

static void
check_photo (const FsPhoto *photo, const char *path)
{
  const FsImage *image = photo->image;
  g_assert_cmpint (image->width, >, 0);
  g_assert_cmpint (image->height, >, 0);
  g_assert_cmpint ((gint64)image->width * image->height, <=, MAX_PIXELS);
  if (photo->warning)
    g_assert_true (photo_message_is_sound (photo->warning, path));
  guint32 all = 0xffffffff;
  for (int i = 0; i < image->width * image->height; i++)
    all &= image->pixels[i];
  if (!image->has_alpha)
    g_assert_cmpint (FS_PIXEL_A (all), ==, 255);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  const FsPhotoLimits limits = { .max_pixels = MAX_PIXELS, .max_memory_bytes = 64 << 20 };
  char path[64];
  const int fd = fuzz_file (bytes, n_bytes, path);
  GError *error = NULL;
  FsPhoto *photo = fs_photo_load (path, &limits, NULL, &error);
  g_assert_true ((photo != NULL) == (error == NULL));
  if (photo)
    check_photo (photo, path);
  else if (!photo_message_is_sound (error->message, path))
    g_error ("%s", error->message);
  g_clear_error (&error);
  fs_photo_free (photo);
  close (fd);
  return 0;
}

static void
add_jpegs (GPtrArray *corpus)
{
  g_autoptr (GByteArray) exif = made_exif (6, TRUE, TRUE);
  for (int kind = MADE_JPEG_GREY; kind <= MADE_JPEG_YCCK; kind++)
    for (int progressive = 0; progressive < 2; progressive++) {
      MadeJpeg spec = { 19, 13, kind, .progressive = progressive };
      g_ptr_array_add (corpus, made_jpeg (&spec));
      spec.h_sampling = 2;
      spec.v_sampling = 1 + progressive;
      spec.app1 = exif->data;
      spec.n_app1 = exif->len;
      g_ptr_array_add (corpus, made_jpeg (&spec));
    }
}

static void
add_pngs (GPtrArray *corpus)
{
  static const uint8_t types[] = { 0, 2, 3, 4, 6 };
  static const uint8_t rows[64] = { 0 };
  for (gsize i = 0; i < sizeof types; i++)
    for (int bits = 1; bits <= 16; bits *= 2) {
      GByteArray *png = made_png_begin (2, 2, bits, types[i], bits == 16);
      g_autoptr (GByteArray) exif = made_exif (5, FALSE, FALSE);
      if (types[i] == 3)
        made_png_chunk (png, "PLTE", "\1\2\3\4\5\6", 6);
      made_png_chunk (png, "tRNS", "\0\1\0\2\0\3", types[i] == 2 ? 6 : 2);
      made_png_chunk (png, "eXIf", exif->data, exif->len);
      made_png_pixels (png, rows, sizeof rows);
      made_png_end (png);
      g_ptr_array_add (corpus, png);
    }
  g_ptr_array_add (corpus, made_png (17, 11, TRUE));
}

static void
add_tiffs (GPtrArray *corpus)
{
  for (int i = 0; i < 16; i++) {
    const MadeTiff spec = { 19,
                            13,
                            .bits = i & 1 ? 16 : 8,
                            .n_samples = 1 + i / 4,
                            .extra = i % 3,
                            .big_endian = i & 2,
                            .tiled = i % 3 == 1,
                            .planar = i % 5 == 4,
                            .rows = 4,
                            .orientation = 1 + i % 8 };
    g_ptr_array_add (corpus, made_tiff (&spec));
  }
}

static void
add_webps (GPtrArray *corpus)
{
#ifdef HAVE_WEBP
  for (int i = 0; i < 8; i++) {
    const MadeWebp spec = { 19,
                            13,
                            .lossy = i & 1,
                            .with_alpha = i & 2,
                            .orientation = i,
                            .canvas_width = i & 4 ? 40 : 0,
                            .canvas_height = i & 4 ? 30 : 0 };
    g_ptr_array_add (corpus, made_webp (&spec));
  }
#endif
}

static void
add_heifs (GPtrArray *corpus)
{
#ifdef HAVE_HEIF
  for (int i = 0; i < 24; i++) {
    const MadeHeif spec = { 64,
                            64,
                            .av1 = i & 1,
                            .bits = 8 + 2 * (i / 2 % 3),
                            .grey = i % 5 == 4,
                            .with_alpha = i % 4 > 1,
                            .multiplied = i % 8 > 5,
                            .columns = i % 3 == 2 ? 2 : 0,
                            .rows = i % 3 == 2 ? 1 : 0,
                            .turns = i % 4,
                            .mirror = i % 3,
                            .crop_left = i % 7,
                            .orientation = i % 9 };
    if (made_heif_can (&spec))
      g_ptr_array_add (corpus, made_heif (&spec));
  }
#endif
}

GPtrArray *
fuzz_corpus (void)
{
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  add_jpegs (corpus);
  add_pngs (corpus);
  g_ptr_array_add (corpus, made_bmp (7, 5, FALSE));
  g_ptr_array_add (corpus, made_bmp (7, 5, TRUE));
  add_tiffs (corpus);
  add_webps (corpus);
  add_heifs (corpus);
  return corpus;
}
