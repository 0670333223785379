/* SPDX-License-Identifier: MIT */
#include "app/export/parts/label_colour.h"

#include "energy/image/seed_map.h"

uint32_t
fs_label_colour (uint8_t label)
{
  static const uint32_t colours[] = { 0xdeddda, 0xff7800, 0x3584e4, 0x2ec27e, 0xf6d32d, 0x9141ac,
                                      0x4ad6e8, 0xf472b6, 0x865e3c, 0xc01c28, 0x3d3846 };
  const uint8_t n_objects = G_N_ELEMENTS (colours) - FS_SEED_OBJECT;
  return colours[label < FS_SEED_OBJECT ? label
                                        : FS_SEED_OBJECT + (label - FS_SEED_OBJECT) % n_objects];
}
