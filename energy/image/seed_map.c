/* SPDX-License-Identifier: MIT */
#include "energy/image/seed_map.h"

#include "solver/system/checked_memory.h"

#include <math.h>
#include <string.h>

FsSeedMap *
fs_seed_map_new (int width, int height)
{
  g_return_val_if_fail (width > 0 && height > 0, NULL);

  size_t n = (size_t)width * (size_t)height;
  if (n > UINT32_MAX) /* pixels have 32-bit numbers */
    return NULL;
  uint8_t *label = fs_memory_new_whole (n, 1);
  if (!label)
    return NULL;
  memset (label, FS_SEED_NONE, n);

  FsSeedMap *map = g_new0 (FsSeedMap, 1);
  map->width = width;
  map->height = height;
  map->label = label;
  map->n_seeds[FS_SEED_NONE] = (int64_t)width * height;
  return map;
}

void
fs_seed_map_free (FsSeedMap *map)
{
  if (!map)
    return;
  fs_memory_free (map->label);
  g_free (map);
}

enum { EIGHT = 8 };

/* Eight labels are nearly always the same, and are counted by one addition: eight to the same
 * counter would each wait for the one before. */
static void
count_eight (FsSeedMap *map, const uint8_t labels[EIGHT])
{
  uint64_t all;
  memcpy (&all, labels, EIGHT);
  if (all == labels[0] * UINT64_C (0x0101010101010101)) {
    map->n_seeds[labels[0]] += EIGHT;
    return;
  }
  for (int i = 0; i < EIGHT; i++)
    map->n_seeds[labels[i]]++;
}

void
fs_seed_map_set (FsSeedMap *map, const uint8_t *labels)
{
  g_return_if_fail (map && labels);
  size_t n = (size_t)map->width * (size_t)map->height;
  memset (map->n_seeds, 0, sizeof map->n_seeds);
  memcpy (map->label, labels, n);
  size_t i = 0;
  for (; i + EIGHT <= n; i += EIGHT)
    count_eight (map, labels + i);
  for (; i < n; i++)
    map->n_seeds[labels[i]]++;
}

void
fs_seed_map_copy (FsSeedMap *map, const FsSeedMap *from)
{
  g_return_if_fail (map && from);
  g_return_if_fail (map->width == from->width && map->height == from->height);
  memcpy (map->label, from->label, (size_t)map->width * (size_t)map->height);
  memcpy (map->n_seeds, from->n_seeds, sizeof map->n_seeds);
}

/* The end, at most x1, of the run of equal labels that starts at x. */
static int
end_of_stretch (const uint8_t *row, int x, int x1)
{
  uint64_t all = row[x] * UINT64_C (0x0101010101010101), eight;
  uint8_t label = row[x];
  for (; x + EIGHT <= x1; x += EIGHT) {
    memcpy (&eight, row + x, EIGHT);
    if (eight != all)
      break;
  }
  while (x < x1 && row[x] == label)
    x++;
  return x;
}

void
fs_seed_map_set_run (FsSeedMap *map, int y, int x0, int x1, uint8_t label)
{
  g_return_if_fail (map && y >= 0 && y < map->height && x0 >= 0 && x1 <= map->width);
  uint8_t *row = map->label + (size_t)y * (size_t)map->width;
  for (int x = x0; x < x1;) {
    int start = x;
    uint8_t old = row[x];
    x = end_of_stretch (row, x, x1);
    map->n_seeds[old] -= x - start;
    map->n_seeds[label] += x - start;
  }
  if (x0 < x1)
    memset (row + x0, label, (size_t)(x1 - x0));
}

gboolean
fs_rect_is_empty (FsRect r)
{
  return r.x0 >= r.x1 || r.y0 >= r.y1;
}

FsRect
fs_rect_union (FsRect a, FsRect b)
{
  if (fs_rect_is_empty (a))
    return b;
  if (fs_rect_is_empty (b))
    return a;
  return (FsRect){ MIN (a.x0, b.x0), MIN (a.y0, b.y0), MAX (a.x1, b.x1), MAX (a.y1, b.y1) };
}

FsRect
fs_rect_intersect (FsRect a, FsRect b)
{
  FsRect r = { MAX (a.x0, b.x0), MAX (a.y0, b.y0), MIN (a.x1, b.x1), MIN (a.y1, b.y1) };
  return fs_rect_is_empty (r) ? (FsRect){ 0, 0, 0, 0 } : r;
}

/* A coordinate as a pixel index that is safe to convert: strokes may leave the photo by any
 * distance. */
static int
clamp_index (double v, int size)
{
  return (int)CLAMP (v, -1.0, (double)size);
}

static gboolean
is_capsule (const FsCapsule *c)
{
  return isfinite (c->x0) && isfinite (c->y0) && isfinite (c->x1) && isfinite (c->y1)
         && isfinite (c->radius_px);
}

FsRect
fs_capsule_bounds (const FsCapsule *c, int width, int height)
{
  const FsRect empty = { 0, 0, 0, 0 };
  g_return_val_if_fail (c && is_capsule (c), empty);
  double r = MAX (c->radius_px, 0) + 1;
  FsRect bounds = { clamp_index (floor (fmin (c->x0, c->x1) - r), width),
                    clamp_index (floor (fmin (c->y0, c->y1) - r), height),
                    clamp_index (floor (fmax (c->x0, c->x1) + r), width) + 1,
                    clamp_index (floor (fmax (c->y0, c->y1) + r), height) + 1 };
  return fs_rect_intersect (bounds, (FsRect){ 0, 0, width, height });
}

typedef struct {
  double lo, hi; /* empty when lo > hi */
} Interval;

static const Interval EMPTY = { INFINITY, -INFINITY };

static Interval
disc_row (double cx, double cy, double r, double y)
{
  double h2 = r * r - (y - cy) * (y - cy);
  if (h2 < 0)
    return EMPTY;
  double h = sqrt (h2);
  return (Interval){ cx - h, cx + h };
}

/* The x for which lo ≤ a·x + b ≤ hi. */
static Interval
slab_row (double a, double b, double lo, double hi)
{
  if (a == 0)
    return b >= lo && b <= hi ? (Interval){ -INFINITY, INFINITY } : EMPTY;
  double u = (lo - b) / a, v = (hi - b) / a;
  return (Interval){ fmin (u, v), fmax (u, v) };
}

static Interval
rectangle_row (const FsCapsule *c, double length, double y)
{
  double ux = (c->x1 - c->x0) / length, uy = (c->y1 - c->y0) / length;
  Interval along = slab_row (ux, (y - c->y0) * uy - c->x0 * ux, 0, length);
  Interval across = slab_row (-uy, (y - c->y0) * ux + c->x0 * uy, -c->radius_px, c->radius_px);
  return (Interval){ fmax (along.lo, across.lo), fmin (along.hi, across.hi) };
}

/* A capsule is convex, so a row meets it in one interval: the hull of those of its three parts. */
static Interval
capsule_row (const FsCapsule *c, double length, double y)
{
  Interval a = disc_row (c->x0, c->y0, c->radius_px, y);
  Interval b = disc_row (c->x1, c->y1, c->radius_px, y);
  Interval hull = { fmin (a.lo, b.lo), fmax (a.hi, b.hi) };
  if (length > 0) {
    Interval r = rectangle_row (c, length, y);
    if (r.lo <= r.hi)
      hull = (Interval){ fmin (hull.lo, r.lo), fmax (hull.hi, r.hi) };
  }
  return hull;
}

static void
list_run (FsPixelList *list, uint32_t first, int n)
{
  guint before = list->len;
  g_array_set_size (list, before + (guint)n);
  uint32_t *pixels = &g_array_index (list, uint32_t, before);
  for (int i = 0; i < n; i++)
    pixels[i] = first + (uint32_t)i;
}

static void
paint_span (FsSeedMap *map, int y, int x0, int x1, uint8_t label, FsPixelList *changed)
{
  uint8_t *row = map->label + (size_t)y * map->width;
  for (int x = x0; x < x1;) {
    int start = x;
    x = end_of_stretch (row, x, x1);
    if (row[start] == label)
      continue;
    map->n_seeds[row[start]] -= x - start;
    map->n_seeds[label] += x - start;
    memset (row + start, label, (size_t)(x - start));
    if (changed)
      list_run (changed, (uint32_t)((size_t)y * map->width + start), x - start);
  }
}

static void
paint_point (FsSeedMap *map, double x, double y, FsRect area, uint8_t label, FsPixelList *changed)
{
  double px = floor (x), py = floor (y);
  if (px >= area.x0 && px < area.x1 && py >= area.y0 && py < area.y1)
    paint_span (map, (int)py, (int)px, (int)px + 1, label, changed);
}

/* A capsule at least so wide has the nearest pixel of every column, or row, that it crosses. */
#define RADIUS_WHOLE 0.5

/* The pixels under a line: one in each column that has its middle on it, or in each row where it is
 * steeper. With those under its ends they are one piece. */
static void
paint_line (FsSeedMap *map, const FsCapsule *c, FsRect area, uint8_t label, FsPixelList *changed)
{
  double dx = c->x1 - c->x0, dy = c->y1 - c->y0;
  gboolean is_steep = fabs (dy) > fabs (dx);
  double from = is_steep ? c->y0 : c->x0, to = is_steep ? c->y1 : c->x1;
  double aside = is_steep ? c->x0 : c->y0, slope = is_steep ? dx / dy : dy / dx;
  int begin = is_steep ? area.y0 : area.x0, end = is_steep ? area.y1 : area.x1;
  for (int i = begin; i < end; i++) {
    double middle = i + 0.5, other = aside + (middle - from) * slope;
    if (middle >= fmin (from, to) && middle <= fmax (from, to))
      paint_point (map, is_steep ? other : middle, is_steep ? middle : other, area, label, changed);
  }
}

/* Rows below the one that is painted: of a large photo each is a page of memory of its own. */
enum { AHEAD = 8 };

FsRect
fs_seed_map_paint (FsSeedMap *map, const FsCapsule *capsule, uint8_t label, const FsRect *clip,
                   FsPixelList *changed)
{
  g_return_val_if_fail (map && capsule, ((FsRect){ 0, 0, 0, 0 }));
  g_return_val_if_fail (!changed || g_array_get_element_size (changed) == sizeof (uint32_t),
                        ((FsRect){ 0, 0, 0, 0 }));
  FsRect area = fs_capsule_bounds (capsule, map->width, map->height);
  if (clip)
    area = fs_rect_intersect (area, *clip);
  if (fs_rect_is_empty (area))
    return area;

  double length = hypot (capsule->x1 - capsule->x0, capsule->y1 - capsule->y0);
  for (int y = area.y0; y < area.y1; y++) {
    Interval row = capsule_row (capsule, length, y + 0.5);
    if (row.lo > row.hi)
      continue;
    int x0 = MAX (area.x0, clamp_index (ceil (row.lo - 0.5), map->width));
    int x1 = MIN (area.x1, clamp_index (floor (row.hi - 0.5), map->width) + 1);
    if (y + AHEAD < map->height)
      __builtin_prefetch (map->label + (size_t)(y + AHEAD) * (size_t)map->width + MAX (x0, 0), 1);
    paint_span (map, y, x0, x1, label, changed);
  }
  if (capsule->radius_px < RADIUS_WHOLE && length > 0)
    paint_line (map, capsule, area, label, changed);
  paint_point (map, capsule->x0, capsule->y0, area, label, changed);
  paint_point (map, capsule->x1, capsule->y1, area, label, changed);
  return area;
}
