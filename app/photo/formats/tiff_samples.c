/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/tiff_samples.h"

#include <string.h>

gboolean
fs_tiff_packing_takes (guint bits)
{
  return (bits >= 1 && bits <= 16) || bits == 24 || bits == 32;
}

guint
fs_tiff_packing_count (const FsTiffPacking *packing)
{
  return packing->map[0] ? 3 : packing->n_samples;
}

/* libtiff has turned whole bytes into the machine's order; other samples are in the file's, the
 * greatest bit first. */
static guint32
read_sample (const FsTiffPacking *packing, const guint8 *row, gsize i)
{
  const guint bits = packing->bits;
  if (bits == 8)
    return row[i];
  if (bits == 16) {
    guint16 value;
    memcpy (&value, row + 2 * i, sizeof value);
    return value;
  }
  if (bits == 32) {
    guint32 value;
    memcpy (&value, row + 4 * i, sizeof value);
    return value;
  }
  if (bits == 24) {
    const guint8 *at = row + 3 * i;
    return G_BYTE_ORDER == G_LITTLE_ENDIAN ? (guint32)at[2] << 16 | (guint32)at[1] << 8 | at[0]
                                           : (guint32)at[0] << 16 | (guint32)at[1] << 8 | at[2];
  }
  guint32 value = 0;
  for (gsize bit = i * bits; bit < (i + 1) * bits; bit++)
    value = value << 1 | (row[bit / 8] >> (7 - bit % 8) & 1u);
  return value;
}

static void
put_sample (const FsTiffPacking *packing, guint8 *to, gsize i, guint32 value, guint32 max)
{
  const guint64 full = packing->to_bits == 8 ? 255 : 65535;
  const guint64 scaled = (value * full + max / 2) / max;
  const guint16 wide = (guint16)scaled;
  if (packing->to_bits == 8)
    to[i] = (guint8)scaled;
  else
    memcpy (to + 2 * i, &wide, sizeof wide);
}

void
fs_tiff_packing_spread (const FsTiffPacking *packing, const guint8 *row, gsize n_pixels, guint8 *to)
{
  const guint32 max = (guint32)((G_GUINT64_CONSTANT (1) << packing->bits) - 1);
  const guint n = packing->n_samples;
  for (gsize x = 0; x < n_pixels; x++) {
    if (packing->map[0]) {
      const guint32 index = read_sample (packing, row, x * n);
      for (gsize k = 0; k < 3; k++)
        put_sample (packing, to, 3 * x + k, packing->map[k][index],
                    packing->is_map_brief ? 255 : 65535);
      continue;
    }
    for (gsize k = 0; k < n; k++) {
      const guint32 value = read_sample (packing, row, x * n + k);
      put_sample (packing, to, x * n + k, packing->is_inverted && k == 0 ? max - value : value,
                  max);
    }
  }
}
