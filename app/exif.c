/* SPDX-License-Identifier: MIT */
#include "app/exif.h"

#include <string.h>

#define TAG_ORIENTATION 0x0112
#define TYPE_SHORT      3
#define ENTRY_BYTES     12

static unsigned
read_u16 (const uint8_t *at, gboolean big_endian)
{
  return big_endian ? (unsigned)at[0] << 8 | at[1] : (unsigned)at[1] << 8 | at[0];
}

static guint32
read_u32 (const uint8_t *at, gboolean big_endian)
{
  const guint32 first = read_u16 (at, big_endian), second = read_u16 (at + 2, big_endian);
  return big_endian ? first << 16 | second : second << 16 | first;
}

static int
entry_orientation (const uint8_t *entry, gboolean big_endian)
{
  if (read_u16 (entry + 2, big_endian) != TYPE_SHORT || read_u32 (entry + 4, big_endian) != 1)
    return 1;
  const unsigned value = read_u16 (entry + 8, big_endian);
  return value >= 1 && value <= 8 ? (int)value : 1;
}

int
fs_exif_orientation (const uint8_t *tiff, gsize n_bytes)
{
  if (n_bytes < 8 || (memcmp (tiff, "II*\0", 4) != 0 && memcmp (tiff, "MM\0*", 4) != 0))
    return 1;

  const gboolean big_endian = tiff[0] == 'M';
  const gsize directory = read_u32 (tiff + 4, big_endian);
  if (directory > n_bytes - 2)
    return 1;

  const gsize n_entries = read_u16 (tiff + directory, big_endian);
  const gsize n_whole = (n_bytes - directory - 2) / ENTRY_BYTES;
  const uint8_t *entry = tiff + directory + 2;
  for (gsize i = 0; i < MIN (n_entries, n_whole); i++, entry += ENTRY_BYTES)
    if (read_u16 (entry, big_endian) == TAG_ORIENTATION)
      return entry_orientation (entry, big_endian);
  return 1;
}
