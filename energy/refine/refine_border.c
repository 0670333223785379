/* SPDX-License-Identifier: MIT */
#include "energy/refine/refine_internal.h"

void
fs_refinement_draw_row (const FsRefinement *refinement, const uint8_t *mask, int y, int32_t *tlinks)
{
  const FsGeodesicLevel *level = refinement->level;
  int photo_y = y + refinement->area.y0, x0 = refinement->area.x0;
  size_t begin = (size_t)photo_y * (size_t)level->photo_width + (size_t)x0;
  const uint32_t *pixels = refinement->terms->image->pixels + begin;
  const uint8_t *state = refinement->state + (size_t)y * (size_t)refinement->grid.width;
  for (int x = 0; x < refinement->grid.width; x++) {
    if (state[x] != FS_REFINE_FREE)
      continue;
    if (fs_local_colours_has_pixel (refinement->local, level, x + x0, photo_y))
      tlinks[x] += fs_local_colours_weigh (refinement->local, level, x + x0, photo_y, pixels[x]);
    else
      tlinks[x] = mask[begin + (size_t)x] ? FS_REFINE_FIXED : -FS_REFINE_FIXED;
  }
}
