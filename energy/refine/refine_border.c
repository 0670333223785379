/* SPDX-License-Identifier: MIT */
#include "energy/refine/refine_internal.h"

void
fs_second_look_draw_row (const FsSecondLook *look, const uint8_t *mask, int y, int32_t *tlinks)
{
  const FsGeodesicLevel *level = look->level;
  int photo_y = y + look->area.y0, x0 = look->area.x0;
  size_t begin = (size_t)photo_y * (size_t)level->photo_width + (size_t)x0;
  const uint32_t *pixels = look->scene->image->pixels + begin;
  const uint8_t *state = look->state + (size_t)y * (size_t)look->grid.width;
  for (int x = 0; x < look->grid.width; x++) {
    if (state[x] != FS_LOOK_FREE)
      continue;
    if (fs_local_colours_reach (look->local, level, x + x0, photo_y))
      tlinks[x] += fs_local_colours_weigh (look->local, level, x + x0, photo_y, pixels[x]);
    else
      tlinks[x] = mask[begin + (size_t)x] ? FS_LOOK_FIXED : -FS_LOOK_FIXED;
  }
}
