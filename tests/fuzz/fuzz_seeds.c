/* SPDX-License-Identifier: MIT */
/* Seed maps from anywhere: all labels or a refusal. The first two bytes are the photo's size. */
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#include <unistd.h>

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  if (n_bytes < 2)
    return 0;
  const int width = bytes[0] + 1, height = bytes[1] + 1;
  char path[64];
  const int fd = fuzz_file (bytes + 2, n_bytes - 2, path);
  GError *error = NULL;
  uint8_t *labels = fs_seeds_load (path, width, height, NULL, &error);
  g_assert_true ((labels != NULL) == (error == NULL));
  guint64 sum = 0;
  for (int i = 0; labels && i < width * height; i++)
    sum += labels[i];
  g_assert_cmpuint (sum, <=, G_GUINT64_CONSTANT (255) * 256 * 256);
  if (error && !photo_message_is_sound (error->message, path))
    g_error ("%s", error->message);
  g_clear_error (&error);
  g_free (labels);
  close (fd);
  return 0;
}

static GByteArray *
make_seeds (int bits, int colour_type, gboolean interlaced)
{
  static const uint8_t rows[64] = { 0, 1, 2, 0, 0, 1, 2 };
  g_autoptr (GByteArray) png = made_png_begin (4, 3, bits, colour_type, interlaced);
  if (colour_type == 3)
    made_png_chunk (png, "PLTE", "\1\2\3\4\5\6\7\x8\x9", 9);
  made_png_pixels (png, rows, sizeof rows);
  made_png_end (png);
  GByteArray *input = g_byte_array_new ();
  g_byte_array_append (input, (const guint8 *)"\3\2", 2);
  g_byte_array_append (input, png->data, png->len);
  return input;
}

GPtrArray *
fuzz_corpus (void)
{
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  for (int interlaced = 0; interlaced < 2; interlaced++) {
    g_ptr_array_add (corpus, make_seeds (8, 0, interlaced));
    for (int bits = 1; bits <= 8; bits *= 2)
      g_ptr_array_add (corpus, make_seeds (bits, 3, interlaced));
  }
  return corpus;
}
