/* SPDX-License-Identifier: MIT */
/* Masks of one bit a pixel, as devices return them.   Layer: solver (value header).
 *
 * Threads: any.
 */
#ifndef FS_SOLVER_MASK_WORDS_H
#define FS_SOLVER_MASK_WORDS_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

G_BEGIN_DECLS

/* Unpacks the 32 bits of a word, the lowest first, into bytes 0 or 1, eight at a time. */
static inline void
fs_mask_unpack_word (uint32_t word, uint8_t pixels[32])
{
  for (int i = 0; i < 4; i++, word >>= 8) {
    uint64_t bits = (word & 0xff) * G_GUINT64_CONSTANT (0x0101010101010101)
                    & G_GUINT64_CONSTANT (0x8040201008040201);
    uint64_t bytes = (bits + G_GUINT64_CONSTANT (0x7f7f7f7f7f7f7f7f)) >> 7
                     & G_GUINT64_CONSTANT (0x0101010101010101);
    bytes = GUINT64_TO_LE (bytes);
    memcpy (pixels + (ptrdiff_t)i * 8, &bytes, 8);
  }
}

/* Unpacks n bits of a word, from `first` on. */
static inline void
fs_mask_unpack_bits (uint32_t word, int first, int n, uint8_t *pixels)
{
  uint8_t all[32];
  fs_mask_unpack_word (word, all);
  memcpy (pixels, all + first, (size_t)n);
}

/* The number of leading words, out of n with a stride of 32, that equal the first one, if its bits
 * are all 0 or all 1; else 0. */
static inline int
fs_mask_count_equal (const uint32_t *words, int n)
{
  int i = 0;
  if (*words != 0 && *words != G_MAXUINT32)
    return 0;
  while (i < n && words[(size_t)i * 32] == *words)
    i++;
  return i;
}

/* Unpacks pixels [x, x + width) of a row, whose words have a stride of 32, as in tiles of 32 × 32.
 * Most words are all object or all background, many in a row: memset() takes a third of the time of
 * unpacking, and less for several words at once. */
static inline void
fs_mask_unpack_row (const uint32_t *words, int x, int width, uint8_t *pixels)
{
  for (int i = 0; i < width;) {
    const uint32_t *word = words + (size_t)((x + i) / 32) * 32;
    int first = (x + i) % 32, n = MIN (32 - first, width - i);
    int n_equal = n == 32 ? fs_mask_count_equal (word, (width - i) / 32) : 0;
    if (n_equal > 0) {
      n = n_equal * 32;
      memset (pixels + i, (int)(*word & 1), (size_t)n);
    } else
      fs_mask_unpack_bits (*word, first, n, pixels + i);
    i += n;
  }
}

G_END_DECLS

#endif
