/* SPDX-License-Identifier: MIT */
/* Pictures of classes from anywhere: a plane of values, or one sentence. */
#include "app/labels/parse/indexed_png.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#define NAME "some.png"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  static const uint8_t none[1];
  g_autoptr (GError) error = NULL;
  g_autoptr (FsIndexedPng) png =
      fs_indexed_png_parse (NAME, n_bytes > 0 ? bytes : none, n_bytes, &error);
  g_assert_true ((png != NULL) == (error == NULL));
  guint64 sum = 0;
  for (gsize p = 0; png && p < (gsize)png->width * (gsize)png->height; p++)
    sum += png->values[p];
  if (png)
    g_assert_true (sum > 0 || !fs_indexed_png_is_of_classes (png));
  else if (!photo_message_is_sound (error->message, NAME))
    g_error ("%s", error->message);
  return 0;
}

/* --- corpus ----------------------------------------------------------------------------------- */

GPtrArray *
fuzz_corpus (void)
{
  static const uint8_t rows[64] = { 0, 1, 2, 0, 0, 1, 2 };
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  for (int kind = 0; kind <= 3; kind += 3)
    for (int bits = 1; bits <= 8; bits *= 2) {
      GByteArray *png = made_png_begin (4, 3, bits, kind, FALSE);
      if (kind == 3)
        made_png_chunk (png, "PLTE", "\0\0\0\x80\0\0\0\x80\0", 9);
      made_png_pixels (png, rows, (gsize)(4 * bits + 7) / 8 * 3 + 3);
      made_png_end (png);
      g_ptr_array_add (corpus, png);
    }
  return corpus;
}
