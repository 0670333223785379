/* SPDX-License-Identifier: MIT */
/* Sets of pixels, one bit a pixel: bit i % 64 of word i / 64.   Layer: energy.
 *
 * Threads: plain data.
 */
#ifndef FS_ENERGY_IMAGE_PIXEL_BITS_H
#define FS_ENERGY_IMAGE_PIXEL_BITS_H

#include <glib.h>
#include <stdint.h>

static inline gboolean
fs_pixel_bits_has (const uint64_t *bits, size_t i)
{
  return bits[i / 64] >> (i % 64) & 1;
}

static inline void
fs_pixel_bits_add (uint64_t *bits, size_t i)
{
  bits[i / 64] |= UINT64_C (1) << (i % 64);
}

#endif
