/* SPDX-License-Identifier: MIT */
#include "energy/contrast.h"

#include <math.h>
#include <string.h>

static uint16_t
quantise (double w)
{
  return (uint16_t)lround (CLAMP (w, 0.0, (double)FS_NLINK_MAX));
}

FsContrastTable *
fs_contrast_table_new (double weight)
{
  FsContrastTable *table = g_new (FsContrastTable, 1);
  for (int d2 = 0; d2 <= FS_CONTRAST_D2_MAX; d2++) {
    double w = weight / (1.0 + d2);
    table->straight[d2] = quantise (w);
    table->diagonal[d2] = quantise (w / G_SQRT2);
  }
  return table;
}

static inline int
squared_difference (uint32_t p, uint32_t q)
{
  int r = FS_PIXEL_R (p) - FS_PIXEL_R (q);
  int g = FS_PIXEL_G (p) - FS_PIXEL_G (q);
  int b = FS_PIXEL_B (p) - FS_PIXEL_B (q);
  return r * r + g * g + b * b;
}

/* One row of one direction: pixels [x0, x1) have a neighbour at offset dx in `other`. */
static void
fill_row (const uint16_t *weights, const uint32_t *row, const uint32_t *other, int dx, int x0,
          int x1, uint16_t *out)
{
  for (int x = x0; x < x1; x++)
    out[x] = weights[squared_difference (row[x], other[x + dx])];
}

static void
fill_direction (const FsContrastTable *table, const FsImage *image, FsDirection d, int y,
                uint16_t *out)
{
  int w = image->width;
  int dx = fs_direction_dx (d), dy = fs_direction_dy (d);
  memset (out, 0, (size_t)w * sizeof *out);
  if (y + dy >= image->height)
    return;

  const uint16_t *weights = dx != 0 && dy != 0 ? table->diagonal : table->straight;
  const uint32_t *row = image->pixels + (size_t)y * w;
  fill_row (weights, row, row + (size_t)dy * w, dx, MAX (0, -dx), w - MAX (0, dx), out);
}

gboolean
fs_contrast_fill (const FsContrastTable *table, const FsImage *image, int n_directions,
                  uint16_t *nlink[FS_N_DIRECTIONS], const FsProgress *progress, GError **error)
{
  for (int y = 0; y < image->height; y++) {
    if (progress && progress->cancel
        && atomic_load_explicit (progress->cancel, memory_order_relaxed)) {
      g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "cancelled");
      return FALSE;
    }
    for (int d = 0; d < n_directions; d++)
      fill_direction (table, image, d, y, nlink[d] + (size_t)y * image->width);
  }
  return TRUE;
}
