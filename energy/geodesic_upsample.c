/* SPDX-License-Identifier: MIT */
#include "energy/geodesic_upsample.h"

#include "energy/clones.h"

#include <string.h>

/* Where a pixel lies between the middles of two cells, in one dimension: `near` and `far` weigh
 * 2^(k+1) − weight and weight. Both are the same cell outside the outermost middles. */
typedef struct {
  int near, far;
  int weight;
} Between;

static inline Between
between (int pixel, int shift, int n_cells)
{
  int u = 2 * pixel + 1 - (1 << shift);
  int cell = u >> (shift + 1);
  return (Between){ MAX (cell, 0), MIN (cell + 1, n_cells - 1), u & ((2 << shift) - 1) };
}

/* (a·(s − weight) + b·weight) / s with s = 2^(shift + 1), a half rounded up. */
static inline int32_t
mix (int32_t a, int32_t b, int weight, int shift)
{
  return a + (int32_t)(((int64_t)(b - a) * weight + (1 << shift)) >> (shift + 1));
}

/* Two rows of cells, and how much the second weighs. */
typedef struct {
  const int32_t *row[2];
  int weight;
  int shift;
} MixedRows;

static inline int32_t
mixed_cell (const MixedRows *rows, int x)
{
  return mix (rows->row[0][x], rows->row[1][x], rows->weight, rows->shift);
}

static MixedRows
mixed_rows (const FsGeodesicLevel *level, const int32_t *plane, int y)
{
  Between b = between (y, level->shift, level->height);
  return (MixedRows){ { plane + fs_geodesic_cell (level, 0, b.near),
                        plane + fs_geodesic_cell (level, 0, b.far) },
                      b.weight,
                      level->shift };
}

static inline void
fill_near (int32_t a, int32_t step, int32_t sum, int shift, int32_t *out, int n)
{
  for (int i = 0; i < n; i++)
    out[i] = a + ((sum + 2 * i * step) >> (shift + 1));
}

/* Differences from the first pixel on need no product, and fit 32 bits where neighbouring cells
 * hold values as near as distances are. Eight, the usual number, are two vectors. */
static inline void
fill_segment (int32_t a, int32_t b, int weight, int shift, int32_t *out, int n)
{
  int32_t step = b - a;
  if (ABS (step) < 1 << 20) {
    int32_t sum = step * weight + (1 << shift);
    if (n == 8)
      fill_near (a, step, sum, shift, out, 8);
    else
      fill_near (a, step, sum, shift, out, n);
  } else {
    for (int i = 0; i < n; i++)
      out[i] = mix (a, b, weight + 2 * i, shift);
  }
}

FS_CLONES static void
upsample_row (const FsGeodesicLevel *level, const int32_t *plane, int y, int x0, int x1,
              int32_t *out)
{
  MixedRows rows = mixed_rows (level, plane, y);
  Between between_cells = between (x0, level->shift, level->width);
  int weight = between_cells.weight;
  int32_t a = mixed_cell (&rows, between_cells.near);
  for (int x = x0, far = between_cells.far; x < x1;) {
    int32_t b = mixed_cell (&rows, far);
    int n = MIN (((2 << level->shift) - weight + 1) / 2, x1 - x);
    fill_segment (a, b, weight, level->shift, out, n);
    out += n;
    x += n;
    a = b;
    far = MIN (far + 1, level->width - 1);
    weight = 1; /* of the first pixel behind the middle of a cell */
  }
}

void
fs_geodesic_upsample_row (const FsGeodesicLevel *level, const int32_t *plane, int y, int x0, int x1,
                          int32_t *out)
{
  if (level->shift == 0)
    memcpy (out, plane + fs_geodesic_cell (level, x0, y), (size_t)(x1 - x0) * sizeof *out);
  else
    upsample_row (level, plane, y, x0, x1, out);
}

int32_t
fs_geodesic_upsample (const FsGeodesicLevel *level, const int32_t *plane, uint32_t pixel)
{
  int x = (int)(pixel % (uint32_t)level->photo_width);
  int y = (int)(pixel / (uint32_t)level->photo_width);
  if (level->shift == 0)
    return plane[fs_geodesic_cell (level, x, y)];
  MixedRows rows = mixed_rows (level, plane, y);
  Between b = between (x, level->shift, level->width);
  return mix (mixed_cell (&rows, b.near), mixed_cell (&rows, b.far), b.weight, level->shift);
}

FsCoarsePlane
fs_geodesic_tell (const FsGeodesicLevel *level, const int32_t *plane)
{
  return (FsCoarsePlane){ .values = plane + fs_geodesic_cell (level, 0, 0),
                          .shift = level->shift,
                          .width = level->width,
                          .height = level->height,
                          .stride = level->stride };
}

/* --- Touched pixels --------------------------------------------------------------------------- */

static FsRect
cells_bounds (const FsGeodesicLevel *level, const uint32_t *cells, size_t n)
{
  FsRect bounds = { 0, 0, 0, 0 };
  for (size_t i = 0; i < n; i++) {
    int x = fs_geodesic_cell_x (level, cells[i]), y = fs_geodesic_cell_y (level, cells[i]);
    bounds = fs_rect_union (bounds, (FsRect){ x - 1, y - 1, x + 2, y + 2 });
  }
  return fs_rect_intersect (bounds, (FsRect){ 0, 0, level->width, level->height });
}

/* Marks the cells and their neighbours in a plane of one byte a cell of `bounds`. */
static void
mark_around (const FsGeodesicLevel *level, const uint32_t *cells, size_t n, FsRect bounds,
             uint8_t *marks)
{
  size_t stride = (size_t)(bounds.x1 - bounds.x0);
  for (size_t i = 0; i < n; i++) {
    int x = fs_geodesic_cell_x (level, cells[i]), y = fs_geodesic_cell_y (level, cells[i]);
    FsRect around = fs_rect_intersect ((FsRect){ x - 1, y - 1, x + 2, y + 2 }, bounds);
    for (int v = around.y0; v < around.y1; v++)
      memset (marks + (size_t)(v - bounds.y0) * stride + (size_t)(around.x0 - bounds.x0), 1,
              (size_t)(around.x1 - around.x0));
  }
}

static void
append_run (const FsGeodesicLevel *level, int x0, int x1, int y, GArray *rects)
{
  int side = 1 << level->shift;
  FsRect rect = { x0 * side, y * side, MIN (x1 * side, level->photo_width),
                  MIN ((y + 1) * side, level->photo_height) };
  g_array_append_val (rects, rect);
}

void
fs_geodesic_touched_pixels (const FsGeodesicLevel *level, const uint32_t *cells, size_t n,
                            GArray *rects)
{
  FsRect bounds = cells_bounds (level, cells, n);
  if (fs_rect_is_empty (bounds))
    return;
  int width = bounds.x1 - bounds.x0;
  g_autofree uint8_t *marks = g_malloc0 ((size_t)width * (size_t)(bounds.y1 - bounds.y0));
  mark_around (level, cells, n, bounds, marks);
  for (int y = bounds.y0; y < bounds.y1; y++) {
    const uint8_t *row = marks + (size_t)(y - bounds.y0) * (size_t)width;
    for (int x = 0; x < width;) {
      int end = x;
      while (end < width && row[end])
        end++;
      if (end > x)
        append_run (level, bounds.x0 + x, bounds.x0 + end, y, rects);
      x = end + 1;
    }
  }
}
