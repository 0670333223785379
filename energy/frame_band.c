/* SPDX-License-Identifier: MIT */
#include "energy/frame_band.h"

#include "solver/checked_memory.h"

#include <string.h>

/* The reach in thousandths of the frame's shorter side, and the least. */
enum { REACH_PER_MILLE = 20, LEAST_REACH_PX = 5 };
/* Steps of the distance: to a neighbour, to a diagonal one, and across a border. */
enum { STRAIGHT = FS_FRAME_BAND_UNIT, DIAGONAL = 7, FAR = G_MAXUINT16 - DIAGONAL };

void
fs_frame_band_init (FsFrameBand *band)
{
  *band = (FsFrameBand){ 0 };
}

void
fs_frame_band_clear (FsFrameBand *band)
{
  fs_memory_free (band->label);
  fs_memory_free (band->distance);
  fs_memory_free (band->state);
  fs_frame_band_init (band);
}

static gboolean
make_room (FsFrameBand *band, size_t n)
{
  if (n <= band->capacity)
    return TRUE;
  fs_frame_band_clear (band);
  band->label = fs_memory_new (n, sizeof *band->label);
  band->distance = fs_memory_new (n, sizeof *band->distance);
  band->state = fs_memory_new (n, sizeof *band->state);
  if (!band->label || !band->distance || !band->state)
    return FALSE;
  band->capacity = n;
  return TRUE;
}

FsRect
fs_frame_band_find_object (const uint8_t *mask, int width, int height)
{
  FsRect found = { width, height, 0, 0 };
  for (int y = 0; y < height; y++) {
    const uint8_t *row = mask + (size_t)y * (size_t)width;
    const uint8_t *first = memchr (row, 1, (size_t)width);
    if (!first)
      continue;
    int last = width - 1;
    while (!row[last])
      last--;
    found = (FsRect){ MIN (found.x0, (int)(first - row)), MIN (found.y0, y),
                      MAX (found.x1, last + 1), y + 1 };
  }
  return found.x1 > 0 ? found : (FsRect){ 0, 0, 0, 0 };
}

int
fs_frame_band_reach_px (int width, int height)
{
  return MAX (LEAST_REACH_PX, MIN (width, height) * REACH_PER_MILLE / 1000);
}

/* --- labels ----------------------------------------------------------------------------------- */

static void
move_row (FsFrameBand *band, const FsMovedMask *moved, int j)
{
  int from_y = CLAMP (band->window.y0 + j - moved->dy, 0, moved->height - 1);
  const uint8_t *from = moved->mask + (size_t)from_y * (size_t)moved->width;
  uint8_t *label = band->label + (size_t)j * (size_t)band->width;
  int shift = band->window.x0 - moved->dx;
  int first = CLAMP (-shift, 0, band->width), last = CLAMP (moved->width - shift, 0, band->width);
  memset (label, from[0], (size_t)first);
  if (last > first)
    memcpy (label + first, from + first + shift, (size_t)(last - first));
  memset (label + MAX (first, last), from[moved->width - 1],
          (size_t)(band->width - MAX (first, last)));
}

/* --- distances -------------------------------------------------------------------------------- */

/* What a neighbour says of the distance. Half a step leads to a border that lies between. */
static inline int
by_way_of (const FsFrameBand *band, size_t p, size_t q, int step)
{
  return band->label[p] == band->label[q] ? band->distance[q] + step : step / 2;
}

static inline void
improve (FsFrameBand *band, size_t p, int x, ptrdiff_t side, ptrdiff_t row)
{
  int width = band->width, least = band->distance[p];
  gboolean has_side = x + side >= 0 && x + side < width;
  if (has_side)
    least = MIN (least, by_way_of (band, p, p + (size_t)side, STRAIGHT));
  if (row) {
    size_t q = p + (size_t)row;
    least = MIN (least, by_way_of (band, p, q, STRAIGHT));
    if (x > 0)
      least = MIN (least, by_way_of (band, p, q - 1, DIAGONAL));
    if (x + 1 < width)
      least = MIN (least, by_way_of (band, p, q + 1, DIAGONAL));
  }
  band->distance[p] = (uint16_t)MIN (least, FAR);
}

/* Two passes, each from pixels that are done (Borgefors 1986). */
static void
measure (FsFrameBand *band)
{
  int width = band->width, height = band->height;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      size_t p = (size_t)y * (size_t)width + (size_t)x;
      band->distance[p] = FAR;
      improve (band, p, x, -1, y > 0 ? -(ptrdiff_t)width : 0);
    }
  for (int y = height - 1; y >= 0; y--)
    for (int x = width - 1; x >= 0; x--)
      improve (band, (size_t)y * (size_t)width + (size_t)x, x, 1,
               y + 1 < height ? (ptrdiff_t)width : 0);
}

/* --- states ----------------------------------------------------------------------------------- */

/* Outside the frame the object is a guess, and the window may end anywhere. */
static int
inner_reach (const FsFrameBand *band, const FsMovedMask *moved)
{
  FsRect frame = { 0, 0, moved->width, moved->height };
  FsRect inside = fs_rect_intersect (band->window, frame);
  int most = 0;
  for (int y = inside.y0; y < inside.y1; y++)
    for (int x = inside.x0; x < inside.x1; x++) {
      size_t p =
          (size_t)(y - band->window.y0) * (size_t)band->width + (size_t)(x - band->window.x0);
      if (band->label[p])
        most = MAX (most, band->distance[p]);
    }
  return MIN (band->reach, most / 2);
}

static void
divide_row (FsFrameBand *band, const FsMovedMask *moved, int j, int inner)
{
  int y = band->window.y0 + j, from_y = y - moved->dy;
  size_t row = (size_t)j * (size_t)band->width;
  gboolean is_new_row = from_y < 0 || from_y >= moved->height;
  for (int i = 0; i < band->width; i++) {
    int x = band->window.x0 + i, from_x = x - moved->dx;
    gboolean is_object = band->label[row + (size_t)i];
    gboolean is_new = is_new_row || from_x < 0 || from_x >= moved->width;
    gboolean is_near = band->distance[row + (size_t)i] <= (is_object ? inner : band->reach);
    FsFrameState state = is_near || (is_new && is_object) ? FS_FRAME_FREE
                         : is_object                      ? FS_FRAME_OBJECT
                                                          : FS_FRAME_BACKGROUND;
    if (x < 0 || y < 0 || x >= moved->width || y >= moved->height)
      state = FS_FRAME_OUTSIDE;
    band->state[row + (size_t)i] = (uint8_t)state;
    if (is_new)
      band->distance[row + (size_t)i] = 0;
    band->n_free += state == FS_FRAME_FREE;
  }
}

gboolean
fs_frame_band_make (FsFrameBand *band, const FsMovedMask *moved, FsRect window, int reach_px)
{
  int width = window.x1 - window.x0, height = window.y1 - window.y0;
  g_return_val_if_fail (width > 0 && height > 0 && reach_px > 0, FALSE);
  if (!make_room (band, (size_t)width * (size_t)height))
    return FALSE;
  band->window = window;
  band->width = width;
  band->height = height;
  band->reach = reach_px * FS_FRAME_BAND_UNIT;
  band->n_free = 0;
  for (int j = 0; j < height; j++)
    move_row (band, moved, j);
  measure (band);
  int inner = inner_reach (band, moved);
  for (int j = 0; j < height; j++)
    divide_row (band, moved, j, inner);
  return TRUE;
}
