/* SPDX-License-Identifier: MIT */
#include "energy/band_changes.h"

#include "energy/row_threads.h"

#include <string.h>

typedef struct {
  const FsBandChanges *changes;
  uint8_t *changed; /* [cells] 1 << side: has a pixel that changed to it */
  uint8_t *marks;
  GArray *queue; /* of uint32_t: cells */
} Work;

static FsRect
pixels_of_cell (const FsGeodesicLevel *level, int x, int y)
{
  int shift = level->shift;
  return (FsRect){ x << shift, y << shift, MIN ((x + 1) << shift, level->photo_width),
                   MIN ((y + 1) << shift, level->photo_height) };
}

static uint8_t
changes_of_cell (const FsBandChanges *changes, int x, int y)
{
  FsRect r = pixels_of_cell (changes->level, x, y);
  uint8_t to[2] = { 0, 0 };
  for (int j = r.y0; j < r.y1; j++) {
    size_t row = (size_t)j * (size_t)changes->level->photo_width;
    const uint8_t *before = changes->before + row, *after = changes->after + row;
    for (int i = r.x0; i < r.x1; i++) {
      to[0] |= (uint8_t)(before[i] & ~after[i]);
      to[1] |= (uint8_t)(after[i] & ~before[i]);
    }
  }
  return (uint8_t)((to[0] & 1) | (to[1] & 1) << 1);
}

static void
find_changed_rows (int y0, int y1, gpointer data)
{
  const Work *work = data;
  const FsBandChanges *changes = work->changes;
  size_t width = (size_t)changes->level->width;
  for (int y = y0; y < y1; y++)
    for (int x = 0; x < changes->level->width; x++) {
      size_t cell = (size_t)y * width + (size_t)x;
      work->changed[cell] = changes->is_open[cell] ? changes_of_cell (changes, x, y) : 0;
    }
}

static gboolean
is_wholly (const FsBandChanges *changes, int x, int y, int side)
{
  FsRect r = pixels_of_cell (changes->level, x, y);
  for (int j = r.y0; j < r.y1; j++)
    if (memchr (changes->after + (size_t)j * (size_t)changes->level->photo_width + r.x0, !side,
                (size_t)(r.x1 - r.x0)))
      return FALSE;
  return TRUE;
}

static FsRect
cells_around (const FsGeodesicLevel *level, int x, int y)
{
  return fs_rect_intersect ((FsRect){ x - 1, y - 1, x + 2, y + 2 },
                            (FsRect){ 0, 0, level->width, level->height });
}

static gboolean
ends_at (const FsBandChanges *changes, int x, int y, int side)
{
  FsRect r = cells_around (changes->level, x, y);
  for (int j = r.y0; j < r.y1; j++)
    for (int i = r.x0; i < r.x1; i++)
      if (!changes->is_open[(size_t)j * (size_t)changes->level->width + (size_t)i]
          && !is_wholly (changes, i, j, side))
        return TRUE;
  return FALSE;
}

static void
spread (Work *work, uint32_t cell, uint8_t bit)
{
  const FsGeodesicLevel *level = work->changes->level;
  uint32_t width = (uint32_t)level->width;
  FsRect r = cells_around (level, (int)(cell % width), (int)(cell / width));
  for (int j = r.y0; j < r.y1; j++)
    for (int i = r.x0; i < r.x1; i++) {
      uint32_t other = (uint32_t)j * width + (uint32_t)i;
      if (!(work->changed[other] & bit) || work->marks[other] & bit)
        continue;
      work->marks[other] |= bit;
      g_array_append_val (work->queue, other);
    }
}

static gboolean
mark_side (Work *work, int side)
{
  const FsBandChanges *changes = work->changes;
  int width = changes->level->width;
  uint8_t bit = (uint8_t)(1 << side);
  g_array_set_size (work->queue, 0);
  for (int y = 0; y < changes->level->height; y++)
    for (int x = 0; x < width; x++) {
      uint32_t cell = (uint32_t)y * (uint32_t)width + (uint32_t)x;
      if (!(work->changed[cell] & bit) || !ends_at (changes, x, y, side))
        continue;
      work->marks[cell] |= bit | FS_BAND_ENDS_HERE;
      g_array_append_val (work->queue, cell);
    }
  for (guint i = 0; i < work->queue->len; i++)
    spread (work, g_array_index (work->queue, uint32_t, i), bit);
  return work->queue->len > 0;
}

gboolean
fs_band_changes_mark (const FsBandChanges *changes, uint8_t *marks)
{
  const FsGeodesicLevel *level = changes->level;
  size_t n = (size_t)level->width * (size_t)level->height;
  g_autofree uint8_t *changed = g_malloc (n);
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  Work work = { changes, changed, marks, queue };
  memset (marks, 0, n);
  fs_row_threads_run (level->height, level->width << level->shift << level->shift,
                      find_changed_rows, &work);
  gboolean to_background = mark_side (&work, 0);
  return mark_side (&work, 1) || to_background;
}
