/* SPDX-License-Identifier: MIT */
#include "tests/app/photo/made_files.h"

#ifdef HAVE_WEBP
#include <string.h>
#include <webp/encode.h>

enum {
  HEADER_BYTES = 12,
  HAS_ANIMATION = 0x02,
  HAS_EXIF = 0x08,
  HAS_ALPHA = 0x10,
  HAS_PROFILE = 0x20
};

static void
append (GByteArray *bytes, guint32 value, int n_bytes)
{
  for (int i = 0; i < n_bytes; i++) {
    const uint8_t byte = (uint8_t)(value >> 8 * i);
    g_byte_array_append (bytes, &byte, 1);
  }
}

static void
append_chunk (GByteArray *bytes, const char *name, const void *data, gsize n_bytes)
{
  g_byte_array_append (bytes, (const guint8 *)name, 4);
  append (bytes, (guint32)n_bytes, 4);
  if (n_bytes > 0)
    g_byte_array_append (bytes, data, (guint)n_bytes);
  append (bytes, 0, (int)(n_bytes % 2));
}

/* The chunks of the picture alone. */
static GByteArray *
encode (const MadeWebp *spec)
{
  const gsize n = (gsize)spec->width * (gsize)spec->height;
  g_autofree uint8_t *rgba = g_malloc (4 * n);
  uint8_t *to = rgba, *packed = NULL;
  for (int y = 0; y < spec->height; y++)
    for (int x = 0; x < spec->width; x++, to += 4) {
      const uint32_t colour = made_colour (x, y, spec->width, spec->height);
      to[0] = (uint8_t)(colour >> 16);
      to[1] = (uint8_t)(colour >> 8);
      to[2] = (uint8_t)colour;
      to[3] = spec->with_alpha ? (uint8_t)(made_alpha (x, y) | 1) : 255;
    }
  const gsize n_packed =
      spec->lossy
          ? WebPEncodeRGBA (rgba, spec->width, spec->height, 4 * spec->width, 95, &packed)
          : WebPEncodeLosslessRGBA (rgba, spec->width, spec->height, 4 * spec->width, &packed);
  g_assert_cmpuint (n_packed, >, HEADER_BYTES);
  GByteArray *chunks = g_byte_array_new ();
  g_byte_array_append (chunks, packed + HEADER_BYTES, (guint)n_packed - HEADER_BYTES);
  WebPFree (packed);
  /* Where there is alpha beside a lossy picture, the encoder has begun with the header that is
   * written here. */
  if (memcmp (chunks->data, "VP8X", 4) == 0)
    g_byte_array_remove_range (chunks, 0, 18);
  if (spec->denies_alpha)
    chunks->data[12] &= (guint8)~0x10;
  return chunks;
}

static void
append_frame (GByteArray *bytes, const MadeWebp *spec, const GByteArray *picture)
{
  g_autoptr (GByteArray) frame = g_byte_array_new ();
  static const uint8_t no_background[6] = { 0 };
  append_chunk (bytes, "ANIM", no_background, sizeof no_background);
  append (frame, 2 / 2, 3);
  append (frame, 4 / 2, 3);
  append (frame, (guint32)spec->width - 1, 3);
  append (frame, (guint32)spec->height - 1, 3);
  append (frame, 100, 3);
  append (frame, 0, 1);
  g_byte_array_append (frame, picture->data, picture->len);
  append_chunk (bytes, "ANMF", frame->data, frame->len);
}

GByteArray *
made_webp (const MadeWebp *spec)
{
  GByteArray *bytes = g_byte_array_new ();
  g_autoptr (GByteArray) picture = encode (spec);
  const gboolean moves = spec->canvas_width > 0;
  g_byte_array_append (bytes, (const guint8 *)"RIFF\0\0\0\0WEBPVP8X\12\0\0\0", 20);
  append (bytes,
          (spec->with_alpha && !spec->denies_alpha ? HAS_ALPHA : 0u)
              | (spec->profile ? HAS_PROFILE : 0u) | (spec->orientation ? HAS_EXIF : 0u)
              | (moves ? HAS_ANIMATION : 0u),
          4);
  append (bytes, (guint32)(moves ? spec->canvas_width : spec->width) - 1, 3);
  append (bytes, (guint32)(moves ? spec->canvas_height : spec->height) - 1, 3);
  if (spec->profile)
    append_chunk (bytes, "ICCP", spec->profile, spec->n_profile);
  if (moves)
    append_frame (bytes, spec, picture);
  else
    g_byte_array_append (bytes, picture->data, picture->len);
  if (spec->orientation) {
    g_autoptr (GByteArray) exif = made_exif (spec->orientation, TRUE, FALSE);
    append_chunk (bytes, "EXIF", exif->data, exif->len);
  }
  const guint32 n_bytes = bytes->len - 8;
  for (int i = 0; i < 4; i++)
    bytes->data[4 + i] = (guint8)(n_bytes >> 8 * i);
  return bytes;
}
#endif
