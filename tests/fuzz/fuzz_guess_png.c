/* SPDX-License-Identifier: MIT */
/* Guesses in sessions and journals from anywhere: refused, or a guess that fits to the photo and is
 * written and read as the same. */
#include "app/finder/guess_png.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <zlib.h>

enum { W = 300, H = 200, SIGNATURE = 8, CHUNK_OVERHEAD = 12 };

static guint32
be32 (const uint8_t *bytes)
{
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

/* Mutated chunks would all end at their sums. */
static void
mend_sums (uint8_t *bytes, size_t n_bytes)
{
  size_t at = SIGNATURE;
  while (at + CHUNK_OVERHEAD <= n_bytes && be32 (bytes + at) <= n_bytes - at - CHUNK_OVERHEAD) {
    size_t n = be32 (bytes + at);
    uLong crc = crc32 (0, bytes + at + 4, (uInt)(n + 4));
    for (int i = 0; i < 4; i++)
      bytes[at + 8 + n + (size_t)i] = (uint8_t)(crc >> (24 - 8 * i));
    at += CHUNK_OVERHEAD + n;
  }
}

static FsGuess *
read_png (const uint8_t *bytes, size_t n_bytes)
{
  const char *reason = NULL;
  FsGuess *guess = fs_guess_from_png (bytes, n_bytes, W, H, &reason);
  g_assert_true (guess || reason);
  return guess;
}

/* As the numbers of a small photo's objects. */
static void
try_objects (const uint8_t *bytes, size_t n_bytes)
{
  enum { SMALL_W = 17, SMALL_H = 9 };
  const char *reason = NULL;
  g_autoptr (FsGuess) guess = fs_guess_objects_from_png (bytes, n_bytes, SMALL_W, SMALL_H, &reason);
  g_assert_true (guess || reason);
  if (!guess)
    return;
  g_autoptr (GBytes) png = fs_guess_to_png (guess);
  gsize n;
  const uint8_t *written = g_bytes_get_data (png, &n);
  g_autoptr (FsGuess) again = fs_guess_objects_from_png (written, n, SMALL_W, SMALL_H, &reason);
  g_assert_cmpmem (fs_guess_get_numbers (guess), SMALL_W * SMALL_H, fs_guess_get_numbers (again),
                   SMALL_W * SMALL_H);
}

static void
try_png (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (FsGuess) guess = read_png (bytes, n_bytes);
  if (!guess)
    return;
  int width = fs_guess_get_width (guess), height = fs_guess_get_height (guess);
  g_assert_true (width >= 1 && width <= W && height >= 1 && height <= H);
  g_autoptr (GBytes) png = fs_guess_to_png (guess);
  gsize n;
  const uint8_t *written = g_bytes_get_data (png, &n);
  g_autoptr (FsGuess) again = read_png (written, n);
  gsize n_plane = (gsize)width * (gsize)height * sizeof (uint16_t);
  g_assert_cmpmem (fs_guess_get_probability (guess), n_plane, fs_guess_get_probability (again),
                   n_plane);
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  static const uint8_t none[1];
  try_png (n_bytes > 0 ? bytes : none, n_bytes);
  try_objects (n_bytes > 0 ? bytes : none, n_bytes);
  g_autofree uint8_t *mended = g_memdup2 (bytes, MAX (n_bytes, 1));
  if (n_bytes > SIGNATURE) {
    mend_sums (mended, n_bytes);
    try_png (mended, n_bytes);
    try_objects (mended, n_bytes);
  }
  return 0;
}

/* --- corpus ----------------------------------------------------------------------------------- */

GPtrArray *
fuzz_corpus (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 17, 9 }, { 40, 3 } };
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    int width = sizes[i / 2][0], height = sizes[i / 2][1];
    g_autofree uint16_t *plane = g_new (uint16_t, width * height);
    for (int p = 0; p < width * height; p++)
      plane[p] = (uint16_t)(p * 37 % 256 * 257 + (i % 2 == 1 && p == 0));
    g_autoptr (FsGuess) guess = fs_guess_new (plane, width, height, W, H);
    g_autoptr (GBytes) png = fs_guess_to_png (guess);
    GByteArray *bytes = g_byte_array_new ();
    g_byte_array_append (bytes, g_bytes_get_data (png, NULL), (guint)g_bytes_get_size (png));
    g_ptr_array_add (corpus, bytes);
  }
  return corpus;
}
