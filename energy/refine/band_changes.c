/* SPDX-License-Identifier: MIT */
#include "energy/refine/band_changes.h"

#include "energy/image/row_threads.h"

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

/* Notes the sides that the pixels [x0, x1) of a row have changed to. */
static void
note_changes (const Work *work, const uint8_t *before, const uint8_t *after, size_t x0, size_t x1,
              uint8_t *changed)
{
  int shift = work->changes->level->shift;
  for (size_t x = x0; x < x1; x++)
    if (before[x] != after[x])
      changed[x >> shift] |= (uint8_t)(1 << after[x]);
}

/* Unchanged pixels, which most are, are skipped eight at a time. */
static void
find_changes_of_row (const Work *work, size_t row, uint8_t *changed)
{
  const FsBandChanges *changes = work->changes;
  const uint8_t *before = changes->before + row, *after = changes->after + row;
  size_t width = (size_t)changes->level->photo_width, x = 0;
  for (; x + 8 <= width; x += 8) {
    uint64_t was, is;
    memcpy (&was, before + x, sizeof was);
    memcpy (&is, after + x, sizeof is);
    if (was != is)
      note_changes (work, before, after, x, x + 8, changed);
  }
  note_changes (work, before, after, x, width, changed);
}

static void
find_changed_rows (int y0, int y1, gpointer data)
{
  const Work *work = data;
  const FsGeodesicLevel *level = work->changes->level;
  size_t width = (size_t)level->width;
  for (int y = y0; y < y1; y++) {
    uint8_t *changed = work->changed + (size_t)y * width;
    const uint8_t *is_open = work->changes->is_open + (size_t)y * width;
    memset (changed, 0, width);
    for (int j = y << level->shift; j < MIN ((y + 1) << level->shift, level->photo_height); j++)
      find_changes_of_row (work, (size_t)j * (size_t)level->photo_width, changed);
    for (size_t x = 0; x < width; x++)
      changed[x] = is_open[x] ? changed[x] : 0;
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
neighbouring_cells (const FsGeodesicLevel *level, int x, int y)
{
  return fs_rect_intersect ((FsRect){ x - 1, y - 1, x + 2, y + 2 },
                            (FsRect){ 0, 0, level->width, level->height });
}

static gboolean
ends_at (const FsBandChanges *changes, int x, int y, int side)
{
  FsRect r = neighbouring_cells (changes->level, x, y);
  for (int j = r.y0; j < r.y1; j++)
    for (int i = r.x0; i < r.x1; i++)
      if (!changes->is_open[(size_t)j * (size_t)changes->level->width + (size_t)i]
          && !is_wholly (changes, i, j, side))
        return TRUE;
  return FALSE;
}

static void
mark_neighbours (Work *work, uint32_t cell, uint8_t bit)
{
  const FsGeodesicLevel *level = work->changes->level;
  uint32_t width = (uint32_t)level->width;
  FsRect r = neighbouring_cells (level, (int)(cell % width), (int)(cell / width));
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
    mark_neighbours (work, g_array_index (work->queue, uint32_t, i), bit);
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
