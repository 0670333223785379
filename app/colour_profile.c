/* SPDX-License-Identifier: MIT */
#include "app/colour_profile.h"

#include "app/heif.h"
#include "app/photo_input.h"
#include "app/tiff.h"
#include "app/webp.h"

#include <string.h>
#include <zlib.h>

enum { MAX_BYTES = 1 << 20, MAX_BLOCKS = 1024, HEADER_BYTES = 132 };

static const char JPEG_NAME[12] = "ICC_PROFILE"; /* with its 0 */

static guint32
read_be32 (const guint8 *bytes)
{
  return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

static gboolean
read_all (FsPhotoInput *input, guint8 *bytes, gsize n_bytes)
{
  while (n_bytes > 0) {
    const gssize n = fs_photo_input_read (input, bytes, n_bytes, NULL);
    if (n <= 0)
      return FALSE;
    bytes += n;
    n_bytes -= (gsize)n;
  }
  return TRUE;
}

static gboolean
skip (FsPhotoInput *input, gsize n_bytes)
{
  guint8 buffer[4096];
  while (n_bytes > 0) {
    const gsize n = MIN (n_bytes, sizeof buffer);
    if (!read_all (input, buffer, n))
      return FALSE;
    n_bytes -= n;
  }
  return TRUE;
}

static gboolean
is_for_rgb (const guint8 *profile, gsize n_bytes)
{
  return n_bytes >= HEADER_BYTES && read_be32 (profile) == n_bytes && n_bytes % 4 == 0
         && memcmp (profile + 16, "RGB ", 4) == 0 && memcmp (profile + 36, "acsp", 4) == 0;
}

/* --- JPEG: APP2 markers, in order ------------------------------------------------------------- */

/* Takes a marker's n bytes. `*more` falls to 0 with the last part. FALSE: it is no profile. */
static gboolean
take_part (FsPhotoInput *input, gsize n_bytes, GByteArray *profile, guint *n_parts, gboolean *more)
{
  guint8 bytes[65536];
  const gsize n_name = sizeof JPEG_NAME;
  if (!read_all (input, bytes, n_bytes))
    return FALSE;
  if (n_bytes < n_name + 2 || memcmp (bytes, JPEG_NAME, n_name) != 0)
    return TRUE;
  if (bytes[n_name] != *n_parts + 1 || profile->len + n_bytes > MAX_BYTES)
    return FALSE;
  g_byte_array_append (profile, bytes + n_name + 2, (guint)(n_bytes - n_name - 2));
  *n_parts += 1;
  *more = bytes[n_name + 1] > *n_parts;
  return TRUE;
}

static void
read_jpeg (FsPhotoInput *input, GByteArray *profile)
{
  enum { APP2 = 0xe2, START_OF_SCAN = 0xda, END_OF_IMAGE = 0xd9 };
  guint n_parts = 0;
  gboolean more = TRUE;
  guint8 head[4];
  gboolean going = skip (input, 2);
  for (int i = 0; going && more && i < MAX_BLOCKS; i++) {
    if (!read_all (input, head, 4) || head[0] != 0xff || head[1] == START_OF_SCAN
        || head[1] == END_OF_IMAGE)
      break;
    const gsize n = (gsize)head[2] << 8 | head[3];
    going = n >= 2
            && (head[1] == APP2 ? take_part (input, n - 2, profile, &n_parts, &more)
                                : skip (input, n - 2));
  }
  if (more)
    g_byte_array_set_size (profile, 0);
}

/* --- PNG: the iCCP chunk, packed -------------------------------------------------------------- */

static void
unpack (const guint8 *chunk, gsize n_bytes, GByteArray *profile)
{
  const guint8 *end = memchr (chunk, 0, MIN (n_bytes, 80));
  const gsize n_name = end ? (gsize)(end - chunk) + 2 : n_bytes; /* the 0, and the method, 0 */
  uLongf n = MAX_BYTES;
  if (n_name >= n_bytes || end[1] != 0)
    return;
  g_byte_array_set_size (profile, MAX_BYTES);
  const gboolean done =
      uncompress (profile->data, &n, chunk + n_name, (uLong)(n_bytes - n_name)) == Z_OK;
  g_byte_array_set_size (profile, done ? (guint)n : 0);
}

static void
read_png (FsPhotoInput *input, GByteArray *profile)
{
  guint8 head[8];
  gboolean going = skip (input, 8);
  for (int i = 0; going && i < MAX_BLOCKS; i++) {
    if (!read_all (input, head, 8) || memcmp (head + 4, "IDAT", 4) == 0)
      return;
    const guint32 n = read_be32 (head);
    if (memcmp (head + 4, "iCCP", 4) != 0) {
      going = n <= MAX_BYTES && skip (input, (gsize)n + 4);
      continue;
    }
    g_autofree guint8 *chunk = n > 0 && n <= MAX_BYTES ? g_try_malloc (n) : NULL;
    if (chunk && read_all (input, chunk, n))
      unpack (chunk, n, profile);
    return;
  }
}

GBytes *
fs_colour_profile_read (const char *path)
{
  g_return_val_if_fail (path, NULL);

  static const guint8 png_name[] = { 0x89, 'P', 'N', 'G' }, jpeg_name[] = { 0xff, 0xd8 };
  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, NULL, NULL, NULL);
  g_autoptr (GByteArray) profile = g_byte_array_new ();
  if (!input || input->n_head < 8)
    return NULL;
  if (memcmp (input->head, png_name, sizeof png_name) == 0)
    read_png (input, profile);
  else if (memcmp (input->head, jpeg_name, sizeof jpeg_name) == 0)
    read_jpeg (input, profile);
#ifdef HAVE_TIFF
  else if (memcmp (input->head, "II", 2) == 0 || memcmp (input->head, "MM", 2) == 0)
    fs_tiff_read_profile (input, MAX_BYTES, profile);
#endif
#ifdef HAVE_WEBP
  else if (memcmp (input->head, "RIFF", 4) == 0)
    fs_webp_read_profile (input, MAX_BYTES, profile);
#endif
#ifdef HAVE_HEIF
  else if (memcmp (input->head + 4, "ftyp", 4) == 0)
    fs_heif_read_profile (input, MAX_BYTES, profile);
#endif
  return is_for_rgb (profile->data, profile->len)
             ? g_byte_array_free_to_bytes (g_steal_pointer (&profile))
             : NULL;
}
