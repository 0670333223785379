/* SPDX-License-Identifier: MIT */
#include "energy/refine/refine_islands.h"

#include "energy/image/components.h"
#include "energy/refine/refine_internal.h"

static size_t
in_photo (const FsSecondLook *look, uint32_t pixel)
{
  size_t width = (size_t)look->grid.width;
  return (pixel / width + (size_t)look->area.y0) * (size_t)look->level->photo_width + pixel % width
         + (size_t)look->area.x0;
}

static void
mark_what_is_new (const FsSecondLook *look, const uint8_t *mask, FsCellPieces *pieces)
{
  for (uint32_t i = 0; i < fs_grid_n_pixels (&look->grid); i++) {
    size_t p = in_photo (look, i);
    gboolean is_new = look->state[i] == FS_LOOK_FREE && mask[p] && !look->first[p];
    pieces->marks[i] = is_new ? FS_CELL_WAITS : FS_CELL_OTHER;
  }
}

/* Beside what was and is object, within the grid: a band's pixel has all its neighbours there. */
static gboolean
touches_first (const FsSecondLook *look, const uint8_t *mask, uint32_t pixel)
{
  FsRect around = { (int)(pixel % (uint32_t)look->grid.width) - 1,
                    (int)(pixel / (uint32_t)look->grid.width) - 1, 0, 0 };
  around.x1 = around.x0 + 3;
  around.y1 = around.y0 + 3;
  around = fs_rect_intersect (around, (FsRect){ 0, 0, look->grid.width, look->grid.height });
  for (int y = around.y0; y < around.y1; y++)
    for (int x = around.x0; x < around.x1; x++) {
      size_t p = in_photo (look, (uint32_t)y * (uint32_t)look->grid.width + (uint32_t)x);
      if (mask[p] && look->first[p])
        return TRUE;
    }
  return FALSE;
}

static gboolean
is_island (const FsSecondLook *look, const uint8_t *mask, const FsCellPieces *pieces)
{
  for (guint k = 0; k < pieces->cells->len; k++)
    if (touches_first (look, mask, fs_cell_pieces_get (pieces, k)))
      return FALSE;
  return TRUE;
}

static void
hold_in_background (FsSecondLook *look, const FsCellPieces *pieces, uint8_t *mask, GArray *tlinks)
{
  for (guint k = 0; k < pieces->cells->len; k++) {
    FsTlinkChange change = { fs_cell_pieces_get (pieces, k), -FS_LOOK_FIXED };
    mask[in_photo (look, change.pixel)] = 0;
    look->state[change.pixel] = FS_LOOK_BACKGROUND;
    g_array_append_val (tlinks, change);
  }
}

gboolean
fs_second_look_refuse_islands (FsSecondLook *look, uint8_t *mask, GArray *tlinks)
{
  g_array_set_size (tlinks, 0);
  if (look->is_whole)
    return FALSE;
  g_auto (FsCellPieces) pieces = { 0 };
  fs_cell_pieces_init (&pieces, look->grid.width, look->grid.height);
  pieces.neighbours = 8;
  mark_what_is_new (look, mask, &pieces);
  for (uint32_t i = 0; i < fs_grid_n_pixels (&look->grid); i++)
    if (fs_cell_pieces_collect (&pieces, i) && is_island (look, mask, &pieces))
      hold_in_background (look, &pieces, mask, tlinks);
  return tlinks->len > 0;
}
