/* SPDX-License-Identifier: MIT */
#include "app/strokes/mask_runs.h"

#include <string.h>

enum { PAYLOAD_BITS = 7, MORE = 1 << PAYLOAD_BITS };

static void
append_length (GByteArray *runs, size_t length)
{
  guint8 bytes[10];
  guint n = 0;
  for (; length >= MORE; length >>= PAYLOAD_BITS)
    bytes[n++] = (guint8)(length | MORE);
  bytes[n++] = (guint8)length;
  g_byte_array_append (runs, bytes, n);
}

static size_t
read_length (const guint8 **at)
{
  size_t length = 0;
  int shift = 0;
  for (; **at & MORE; shift += PAYLOAD_BITS)
    length |= (size_t)(*(*at)++ & (MORE - 1)) << shift;
  return length | (size_t) * (*at)++ << shift;
}

GBytes *
fs_mask_runs_pack (const uint8_t *mask, size_t n)
{
  g_return_val_if_fail (mask, NULL);

  GByteArray *runs = g_byte_array_new ();
  uint8_t side = 0;
  for (size_t i = 0; i < n; side ^= 1) {
    const uint8_t *end = memchr (mask + i, !side, n - i);
    size_t length = end ? (size_t)(end - (mask + i)) : n - i;
    append_length (runs, length);
    i += length;
  }
  return g_byte_array_free_to_bytes (runs);
}

void
fs_mask_runs_unpack (GBytes *runs, uint8_t *mask, size_t n)
{
  g_return_if_fail (runs && mask);

  gsize size;
  const guint8 *at = g_bytes_get_data (runs, &size), *end = at + size;
  uint8_t side = 0;
  for (size_t i = 0; at < end; side ^= 1) {
    size_t length = read_length (&at);
    g_return_if_fail (length <= n - i);
    memset (mask + i, side, length);
    i += length;
  }
}
