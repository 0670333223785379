/* SPDX-License-Identifier: MIT */
#include "energy/refine/refine_islands.h"

#include "energy/image/components.h"
#include "energy/refine/refine_internal.h"

static size_t
in_photo (const FsRefinement *refinement, uint32_t pixel)
{
  size_t width = (size_t)refinement->grid.width;
  return (pixel / width + (size_t)refinement->area.y0) * (size_t)refinement->level->photo_width
         + pixel % width + (size_t)refinement->area.x0;
}

static void
mark_new_pixels (const FsRefinement *refinement, const uint8_t *mask, FsComponents *components)
{
  for (uint32_t i = 0; i < fs_grid_n_pixels (&refinement->grid); i++) {
    size_t p = in_photo (refinement, i);
    gboolean is_new = refinement->state[i] == FS_REFINE_FREE && mask[p] && !refinement->first[p];
    components->marks[i] = is_new ? FS_CELL_WAITS : FS_CELL_OTHER;
  }
}

/* TRUE if a pixel of the band, which has all its neighbours in the grid, is adjacent to one that
 * was object and still is. */
static gboolean
touches_first (const FsRefinement *refinement, const uint8_t *mask, uint32_t pixel)
{
  FsRect square = { (int)(pixel % (uint32_t)refinement->grid.width) - 1,
                    (int)(pixel / (uint32_t)refinement->grid.width) - 1, 0, 0 };
  square.x1 = square.x0 + 3;
  square.y1 = square.y0 + 3;
  square =
      fs_rect_intersect (square, (FsRect){ 0, 0, refinement->grid.width, refinement->grid.height });
  for (int y = square.y0; y < square.y1; y++)
    for (int x = square.x0; x < square.x1; x++) {
      size_t p =
          in_photo (refinement, (uint32_t)y * (uint32_t)refinement->grid.width + (uint32_t)x);
      if (mask[p] && refinement->first[p])
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_island (const FsRefinement *refinement, const uint8_t *mask, const FsComponents *components)
{
  for (guint k = 0; k < components->cells->len; k++)
    if (touches_first (refinement, mask, fs_components_get (components, k)))
      return FALSE;
  return TRUE;
}

static void
clamp_to_background (FsRefinement *refinement, const FsComponents *components, uint8_t *mask,
                     GArray *tlinks)
{
  for (guint k = 0; k < components->cells->len; k++) {
    FsTlinkChange change = { fs_components_get (components, k), -FS_REFINE_FIXED };
    mask[in_photo (refinement, change.pixel)] = 0;
    refinement->state[change.pixel] = FS_REFINE_BACKGROUND;
    g_array_append_val (tlinks, change);
  }
}

gboolean
fs_refinement_refuse_islands (FsRefinement *refinement, uint8_t *mask, GArray *tlinks)
{
  g_array_set_size (tlinks, 0);
  if (refinement->is_whole)
    return FALSE;
  g_auto (FsComponents) components = { 0 };
  fs_components_init (&components, refinement->grid.width, refinement->grid.height);
  components.neighbours = 8;
  mark_new_pixels (refinement, mask, &components);
  for (uint32_t i = 0; i < fs_grid_n_pixels (&refinement->grid); i++)
    if (fs_components_collect (&components, i) && is_island (refinement, mask, &components))
      clamp_to_background (refinement, &components, mask, tlinks);
  return tlinks->len > 0;
}
