/* SPDX-License-Identifier: MIT */
/* Colour profiles out of anything that calls itself a photo: none, or one whose header
 * holds. */
#include "app/photo/colour_profile.h"
#include "tests/app/photo/made_files.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { PROFILE_BYTES = 144 };

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  char path[64];
  const int fd = fuzz_file (bytes, n_bytes, path);
  g_autoptr (GBytes) profile = fs_colour_profile_read (path);
  gsize n_profile = 0;
  const uint8_t *data = profile ? g_bytes_get_data (profile, &n_profile) : NULL;
  if (data) {
    g_assert_cmpuint (n_profile, >=, 132);
    g_assert_cmpuint (n_profile, <=, 16 << 20);
    g_assert_cmpmem (data + 36, 4, "acsp", 4);
  }
  close (fd);
  return 0;
}

static void
make_profile (uint8_t *profile)
{
  memset (profile, 0, PROFILE_BYTES);
  profile[3] = PROFILE_BYTES;
  memcpy (profile + 16, "RGB ", 4);
  memcpy (profile + 36, "acsp", 4);
}

/* In two markers, after one of another kind. */
static GByteArray *
make_jpeg (const uint8_t *profile)
{
  static const uint8_t start[] = { 0xff, 0xd8, 0xff, 0xe1, 0, 4, 7, 7 }, end[] = { 0xff, 0xda };
  GByteArray *jpeg = g_byte_array_new ();
  g_byte_array_append (jpeg, start, sizeof start);
  for (uint8_t i = 0; i < 2; i++) {
    const uint8_t head[] = {
      0xff, 0xe2,  0, 16 + PROFILE_BYTES / 2, 'I', 'C', 'C', '_', 'P', 'R', 'O', 'F', 'I', 'L', 'E',
      0,    i + 1, 2
    };
    g_byte_array_append (jpeg, head, sizeof head);
    g_byte_array_append (jpeg, profile + i * (PROFILE_BYTES / 2), PROFILE_BYTES / 2);
  }
  g_byte_array_append (jpeg, end, sizeof end);
  return jpeg;
}

static GByteArray *
make_png (const uint8_t *profile)
{
  static const uint8_t rows[16] = { 0 };
  uint8_t chunk[512] = "name"; /* its 0, and the method */
  uLongf n = sizeof chunk - 6;
  g_assert_cmpint (compress (chunk + 6, &n, profile, PROFILE_BYTES), ==, Z_OK);
  GByteArray *png = made_png_begin (2, 2, 8, 2, FALSE);
  made_png_chunk (png, "iCCP", chunk, (gsize)n + 6);
  made_png_pixels (png, rows, sizeof rows);
  made_png_end (png);
  return png;
}

GPtrArray *
fuzz_corpus (void)
{
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  uint8_t profile[PROFILE_BYTES];
  make_profile (profile);
  g_ptr_array_add (corpus, make_jpeg (profile));
  g_ptr_array_add (corpus, make_png (profile));
  const MadeTiff tiff = {
    3, 2, .bits = 8, .n_samples = 3, .profile = profile, .n_profile = PROFILE_BYTES
  };
  g_ptr_array_add (corpus, made_tiff (&tiff));
#ifdef HAVE_WEBP
  const MadeWebp webp = { 3, 2, .profile = profile, .n_profile = PROFILE_BYTES };
  g_ptr_array_add (corpus, made_webp (&webp));
#endif
#ifdef HAVE_HEIF
  const MadeHeif heif = { 64, 64, .profile = profile, .n_profile = PROFILE_BYTES };
  if (made_heif_can (&heif))
    g_ptr_array_add (corpus, made_heif (&heif));
#endif
  return corpus;
}
