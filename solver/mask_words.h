/* SPDX-License-Identifier: MIT */
/* Masks of a bit a pixel, as devices give them.   Layer: solver (value header).
 *
 * Threads: any.
 */
#ifndef FS_SOLVER_MASK_WORDS_H
#define FS_SOLVER_MASK_WORDS_H

#include <glib.h>
#include <stdint.h>
#include <string.h>

G_BEGIN_DECLS

/* The 32 bits of a word, the lowest first, as bytes 0 or 1. Eight a step: each bit comes to stand
 * in a byte of its own. */
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

G_END_DECLS

#endif
