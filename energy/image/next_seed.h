/* SPDX-License-Identifier: MIT */
/* The next seed of a row of labels.   Layer: energy (value header). */
#ifndef FS_ENERGY_IMAGE_NEXT_SEED_H
#define FS_ENERGY_IMAGE_NEXT_SEED_H

#include "energy/image/seed_map.h"

#include <string.h>

/* At or after x, or `width`. Most pixels have none: eight at a time. */
static inline size_t
fs_next_seed (const uint8_t *labels, size_t x, size_t width)
{
  G_STATIC_ASSERT (FS_SEED_NONE == 0);
  uint64_t eight = 0;
  for (; x + sizeof eight <= width; x += sizeof eight) {
    memcpy (&eight, labels + x, sizeof eight);
    if (eight != 0)
      break;
  }
  while (x < width && labels[x] == FS_SEED_NONE)
    x++;
  return x;
}

#endif
