/* SPDX-License-Identifier: MIT */
#include "energy/image/components.h"

gboolean
fs_components_try_init (FsComponents *components, int width, int height)
{
  *components = (FsComponents){ .width = width,
                                .height = height,
                                .neighbours = 4,
                                .marks = g_try_malloc0 ((size_t)width * (size_t)height),
                                .cells = g_array_new (FALSE, FALSE, sizeof (uint32_t)) };
  return components->marks != NULL;
}

void
fs_components_init (FsComponents *components, int width, int height)
{
  if (!fs_components_try_init (components, width, height))
    g_error ("out of memory for the components of %d × %d cells", width, height);
}

void
fs_components_clear (FsComponents *components)
{
  g_clear_pointer (&components->marks, g_free);
  g_clear_pointer (&components->cells, g_array_unref);
}

static void
visit_pixel (FsComponents *components, int x, int y)
{
  if (x < 0 || y < 0 || x >= components->width || y >= components->height)
    return;
  uint32_t cell = (uint32_t)y * (uint32_t)components->width + (uint32_t)x;
  if (components->marks[cell] != FS_CELL_WAITS)
    return;
  components->marks[cell] = FS_CELL_IN_COMPONENT;
  g_array_append_val (components->cells, cell);
}

gboolean
fs_components_collect (FsComponents *components, uint32_t cell)
{
  uint32_t width = (uint32_t)components->width;
  if (components->marks[cell] != FS_CELL_WAITS)
    return FALSE;
  g_array_set_size (components->cells, 0);
  visit_pixel (components, (int)(cell % width), (int)(cell / width));
  for (guint k = 0; k < components->cells->len; k++) {
    int x = (int)(fs_components_get (components, k) % width);
    int y = (int)(fs_components_get (components, k) / width);
    for (int j = -1; j <= 1; j++)
      for (int i = -1; i <= 1; i++)
        if (components->neighbours == 8 || i == 0 || j == 0)
          visit_pixel (components, x + i, y + j);
  }
  return components->cells->len > 0;
}

void
fs_components_mark (FsComponents *components, uint8_t mark)
{
  for (guint k = 0; k < components->cells->len; k++)
    components->marks[fs_components_get (components, k)] = mark;
}
