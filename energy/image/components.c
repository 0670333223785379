/* SPDX-License-Identifier: MIT */
#include "energy/image/components.h"

void
fs_cell_pieces_init (FsCellPieces *pieces, int width, int height)
{
  *pieces = (FsCellPieces){ .width = width,
                            .height = height,
                            .neighbours = 4,
                            .marks = g_malloc0 ((size_t)width * (size_t)height),
                            .cells = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
}

void
fs_cell_pieces_clear (FsCellPieces *pieces)
{
  g_clear_pointer (&pieces->marks, g_free);
  g_clear_pointer (&pieces->cells, g_array_unref);
}

static void
visit (FsCellPieces *pieces, int x, int y)
{
  if (x < 0 || y < 0 || x >= pieces->width || y >= pieces->height)
    return;
  uint32_t cell = (uint32_t)y * (uint32_t)pieces->width + (uint32_t)x;
  if (pieces->marks[cell] != FS_CELL_WAITS)
    return;
  pieces->marks[cell] = FS_CELL_IN_PIECE;
  g_array_append_val (pieces->cells, cell);
}

gboolean
fs_cell_pieces_collect (FsCellPieces *pieces, uint32_t cell)
{
  uint32_t width = (uint32_t)pieces->width;
  if (pieces->marks[cell] != FS_CELL_WAITS)
    return FALSE;
  g_array_set_size (pieces->cells, 0);
  visit (pieces, (int)(cell % width), (int)(cell / width));
  for (guint k = 0; k < pieces->cells->len; k++) {
    int x = (int)(fs_cell_pieces_get (pieces, k) % width);
    int y = (int)(fs_cell_pieces_get (pieces, k) / width);
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++)
        if (pieces->neighbours == 8 || i == 0 || j == 0)
          visit (pieces, x + i, y + j);
  }
  return pieces->cells->len > 0;
}

void
fs_cell_pieces_mark (FsCellPieces *pieces, uint8_t mark)
{
  for (guint k = 0; k < pieces->cells->len; k++)
    pieces->marks[fs_cell_pieces_get (pieces, k)] = mark;
}
