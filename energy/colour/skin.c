/* SPDX-License-Identifier: MIT */
#include "energy/colour/skin.h"

#include "energy/colour/skin_table.h"

/* From sixteenths of a nat to FS_NAT_SCALE. */
enum { TLINK_OF_UNIT = 4 };

int32_t
fs_skin_tlink (uint32_t pixel)
{
  unsigned red = FS_PIXEL_R (pixel) >> 4, green = FS_PIXEL_G (pixel) >> 4;
  return skin_table[(red << 8) + (green << 4) + (FS_PIXEL_B (pixel) >> 4)] * TLINK_OF_UNIT;
}

void
fs_skin_add_tlinks (const FsImage *image, const FsSeedMap *seeds, int32_t *tlinks)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  for (size_t p = 0; p < n; p++)
    if (seeds->label[p] == FS_SEED_NONE)
      tlinks[p] += fs_skin_tlink (image->pixels[p]);
}
