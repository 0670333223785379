/* SPDX-License-Identifier: MIT */
/* Exif data that lies: an orientation comes out, and nothing beyond the bytes is read. */
#include "app/exif.h"
#include "tests/app/made_files.h"
#include "tests/fuzz/fuzz.h"

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  const int orientation = fs_exif_orientation (bytes, n_bytes);
  g_assert_true (orientation >= 1 && orientation <= 8);
  return 0;
}

GPtrArray *
fuzz_corpus (void)
{
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  for (int orientation = 0; orientation <= 9; orientation++)
    for (int big_endian = 0; big_endian < 2; big_endian++)
      g_ptr_array_add (corpus, made_exif (orientation, big_endian, FALSE));
  return corpus;
}
