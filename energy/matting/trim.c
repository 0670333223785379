/* SPDX-License-Identifier: MIT */
#include "energy/matting/trim.h"

#include "energy/image/row_threads.h"
#include "energy/matting/trimap.h"
#include "solver/system/checked_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { R = FS_TRIM_RADIUS_PX, OFFSETS_MAX = (2 * R + 1) * (2 * R + 1) };
/* The largest distance of colours, of 255, at a distance of 0 px. */
#define COLOUR_DISTANCE 8.0

/* A neighbour, and the largest squared distance of its colour. */
typedef struct {
  int dx, dy;
  int distance2;
  int colour2;
} Neighbour;

typedef struct {
  FsZone *zone;
  uint8_t *label;                   /* of the trimmed zone */
  Neighbour neighbour[OFFSETS_MAX]; /* nearest first */
  int n;
} Trim;

static int
compare (const void *a, const void *b)
{
  const Neighbour *p = a, *q = b;
  if (p->distance2 != q->distance2)
    return p->distance2 - q->distance2;
  return p->dy != q->dy ? p->dy - q->dy : p->dx - q->dx;
}

static void
list_neighbours (Trim *trim)
{
  for (int dy = -R; dy <= R; dy++)
    for (int dx = -R; dx <= R; dx++) {
      const int distance2 = dx * dx + dy * dy;
      const double colour = COLOUR_DISTANCE * (1 - sqrt (distance2) / (R + 1));
      if (distance2 > 0 && distance2 <= R * R)
        trim->neighbour[trim->n++] = (Neighbour){ dx, dy, distance2, (int)(colour * colour) };
    }
  qsort (trim->neighbour, (size_t)trim->n, sizeof *trim->neighbour, compare);
}

static int
colour_distance2 (uint32_t a, uint32_t b)
{
  const int red = FS_PIXEL_R (a) - FS_PIXEL_R (b), green = FS_PIXEL_G (a) - FS_PIXEL_G (b),
            blue = FS_PIXEL_B (a) - FS_PIXEL_B (b);
  return red * red + green * green + blue * blue;
}

static uint8_t
label_of (const Trim *trim, int x, int y)
{
  const FsZone *zone = trim->zone;
  const uint32_t colour = fs_zone_colour (zone, x, y);
  for (int k = 0; k < trim->n; k++) {
    const Neighbour *neighbour = &trim->neighbour[k];
    const int i = x + neighbour->dx, j = y + neighbour->dy;
    if (i < 0 || j < 0 || i >= zone->width || j >= zone->height)
      continue;
    const uint8_t label = zone->label[fs_zone_pixel (zone, i, j)];
    if (label != FS_TRIMAP_UNKNOWN
        && colour_distance2 (colour, fs_zone_colour (zone, i, j)) <= neighbour->colour2)
      return label;
  }
  return FS_TRIMAP_UNKNOWN;
}

static void
trim_rows (int y0, int y1, gpointer data)
{
  const Trim *trim = data;
  for (int y = y0; y < y1 && !fs_progress_is_cancelled (trim->zone->progress); y++)
    for (int x = 0; x < trim->zone->width; x++) {
      const size_t p = fs_zone_pixel (trim->zone, x, y);
      if (trim->zone->label[p] == FS_TRIMAP_UNKNOWN)
        trim->label[p] = label_of (trim, x, y);
    }
}

gboolean
fs_zone_trim (FsZone *zone)
{
  const size_t n = (size_t)zone->width * (size_t)zone->height;
  Trim trim = { .zone = zone, .label = fs_memory_new (n, 1) };
  if (trim.label == NULL)
    return FALSE;
  memcpy (trim.label, zone->label, n);
  list_neighbours (&trim);
  fs_row_threads_run (zone->height, zone->width * 8, trim_rows, &trim);
  fs_memory_free (zone->label);
  zone->label = trim.label;
  return TRUE;
}
