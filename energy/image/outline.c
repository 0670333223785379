/* SPDX-License-Identifier: MIT */
#include "energy/image/outline.h"

#include <math.h>
#include <string.h>

enum { BAND_ROWS = 64 };

/* The first index whose centre is not before v, cut to [lo, hi]. */
static int
first_centre (double v, int lo, int hi)
{
  return (int)CLAMP (ceil (v - 0.5), (double)lo, (double)hi);
}

/* Where a row crosses an edge, the winding number changes for all pixels to the right. */
static void
add_edge (int32_t *crossings, FsRect band, FsPoint a, FsPoint b)
{
  gboolean down = a.y < b.y;
  double top = down ? a.y : b.y, low = down ? b.y : a.y;
  double slope = ((double)b.x - a.x) / ((double)b.y - a.y);
  size_t stride = (size_t)(band.x1 - band.x0) + 1;
  int y1 = first_centre (low, band.y0, band.y1);
  for (int y = first_centre (top, band.y0, band.y1); y < y1; y++) {
    double x = a.x + (y + 0.5 - a.y) * slope;
    size_t column = (size_t)(first_centre (x, band.x0, band.x1) - band.x0);
    crossings[(size_t)(y - band.y0) * stride + column] += down ? 1 : -1;
  }
}

static void
add_edges (int32_t *crossings, FsRect band, const FsPoint *points, guint n_points)
{
  for (guint i = 0; i < n_points; i++) {
    FsPoint a = points[i > 0 ? i - 1 : n_points - 1], b = points[i];
    if (a.y != b.y && fmin (a.y, b.y) <= band.y1 && fmax (a.y, b.y) >= band.y0)
      add_edge (crossings, band, a, b);
  }
}

static void
paint_row (FsSeedMap *map, int y, int x0, int x1, const int32_t *crossings, uint8_t label)
{
  int32_t winding = 0;
  int start = x0;
  for (int x = x0; x < x1; x++) {
    if (crossings[x - x0] == 0)
      continue;
    if (winding == 0)
      fs_seed_map_set_run (map, y, start, x, label);
    winding += crossings[x - x0];
    start = x;
  }
  if (winding == 0)
    fs_seed_map_set_run (map, y, start, x1, label);
}

void
fs_seed_map_paint_outside (FsSeedMap *map, const FsPoint *points, guint n_points, uint8_t label,
                           FsRect clip)
{
  if (fs_rect_is_empty (clip))
    return;
  size_t stride = (size_t)(clip.x1 - clip.x0) + 1;
  g_autofree int32_t *crossings = g_new (int32_t, stride * BAND_ROWS);
  for (int y0 = clip.y0; y0 < clip.y1; y0 += BAND_ROWS) {
    FsRect band = { clip.x0, y0, clip.x1, MIN (y0 + BAND_ROWS, clip.y1) };
    memset (crossings, 0, stride * BAND_ROWS * sizeof *crossings);
    add_edges (crossings, band, points, n_points);
    for (int y = band.y0; y < band.y1; y++)
      paint_row (map, y, clip.x0, clip.x1, crossings + (size_t)(y - y0) * stride, label);
  }
}
