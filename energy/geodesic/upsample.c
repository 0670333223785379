/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/upsample.h"

#include "energy/image/target_clones.h"

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

/* TRUE if the products of differences and weights fit 32 bits, as they do in planes as smooth as
 * those of distances. */
static inline gboolean
are_near (const int32_t *a, const int32_t *b, int n)
{
  uint32_t any = 0;
  for (int i = 0; i < n; i++)
    any |= (uint32_t)ABS (b[i] - a[i]);
  return any < 1 << 20;
}

static inline void
mix_cells (const MixedRows *rows, int first, int n, int32_t *out)
{
  const int32_t *a = rows->row[0] + first, *b = rows->row[1] + first;
  const int weight = rows->weight, shift = rows->shift;
  if (are_near (a, b, n))
    for (int i = 0; i < n; i++)
      out[i] = a[i] + (((b[i] - a[i]) * weight + (1 << shift)) >> (shift + 1));
  else
    for (int i = 0; i < n; i++)
      out[i] = mix (a[i], b[i], weight, shift);
}

/* The pixels between the middles of each two of n + 1 cells. */
static inline void
fill_near (const int32_t *cells, int n, int shift, int32_t *out)
{
  for (int k = 0; k < n; k++, out += 1 << shift) {
    int32_t step = cells[k + 1] - cells[k];
    for (int i = 0; i < 1 << shift; i++)
      out[i] = cells[k] + ((step * (2 * i + 1) + (1 << shift)) >> (shift + 1));
  }
}

static inline void
fill_far (const int32_t *cells, int n, int shift, int32_t *out)
{
  for (int k = 0; k < n; k++, out += 1 << shift)
    for (int i = 0; i < 1 << shift; i++)
      out[i] = mix (cells[k], cells[k + 1], 2 * i + 1, shift);
}

/* Eight, the usual number, are two vectors. */
static inline void
fill_between (const int32_t *cells, int n, int shift, int32_t *out)
{
  if (!are_near (cells, cells + 1, n))
    fill_far (cells, n, shift, out);
  else if (shift == 3)
    fill_near (cells, n, 3, out);
  else
    fill_near (cells, n, shift, out);
}

enum { CELLS_AT_ONCE = 64 };

/* Pixels [x0, x1) up to some middle of a cell; returns how many. */
FS_TARGET_CLONES static int
fill_some (const MixedRows *rows, int n_cells, int x0, int x1, int32_t *out)
{
  const int shift = rows->shift;
  const Between b = between (x0, shift, n_cells);
  int32_t cells[CELLS_AT_ONCE + 1];
  const int whole = MIN ((x1 - x0) >> shift, CELLS_AT_ONCE);
  if (b.weight == 1 && whole > 0) {
    mix_cells (rows, b.near, whole + 1, cells);
    fill_between (cells, whole, shift, out);
    return whole << shift;
  }
  int n = MIN (((2 << shift) - b.weight + 1) / 2, x1 - x0);
  int32_t near = mixed_cell (rows, b.near), far = mixed_cell (rows, b.far);
  for (int i = 0; i < n; i++)
    out[i] = mix (near, far, b.weight + 2 * i, shift);
  return n;
}

void
fs_geodesic_upsample_row (const FsGeodesicLevel *level, const int32_t *plane, int y, int x0, int x1,
                          int32_t *out)
{
  if (level->shift == 0) {
    memcpy (out, plane + fs_geodesic_cell (level, x0, y), (size_t)(x1 - x0) * sizeof *out);
    return;
  }
  const MixedRows rows = mixed_rows (level, plane, y);
  for (int n; x0 < x1; x0 += n, out += n)
    n = fill_some (&rows, level->width, x0, x1, out);
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
fs_geodesic_coarse_plane (const FsGeodesicLevel *level, const int32_t *plane)
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
mark_neighbours (const FsGeodesicLevel *level, const uint32_t *cells, size_t n, FsRect bounds,
                 uint8_t *marks)
{
  size_t stride = (size_t)(bounds.x1 - bounds.x0);
  for (size_t i = 0; i < n; i++) {
    int x = fs_geodesic_cell_x (level, cells[i]), y = fs_geodesic_cell_y (level, cells[i]);
    FsRect square = fs_rect_intersect ((FsRect){ x - 1, y - 1, x + 2, y + 2 }, bounds);
    for (int v = square.y0; v < square.y1; v++)
      memset (marks + (size_t)(v - bounds.y0) * stride + (size_t)(square.x0 - bounds.x0), 1,
              (size_t)(square.x1 - square.x0));
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
  mark_neighbours (level, cells, n, bounds, marks);
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
