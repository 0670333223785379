/* SPDX-License-Identifier: MIT */
#include "energy/colour/far_samples.h"

#include <string.h>

enum { MAX_CELLS_A_SIDE = 192, SAMPLES_A_SIDE = 8, STRAIGHT = 5, DIAGONAL = 7 };

typedef struct {
  int cell_px;
  int columns;
  int rows;
  int32_t *distance; /* [rows · columns], 5 per straight step and 7 per diagonal one */
} Cells;

static gboolean
cell_has_seed (const FsSeedMap *seeds, const Cells *cells, int cx, int cy)
{
  int x0 = cx * cells->cell_px, x1 = MIN (x0 + cells->cell_px, seeds->width);
  int y0 = cy * cells->cell_px, y1 = MIN (y0 + cells->cell_px, seeds->height);
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      if (seeds->label[(size_t)y * seeds->width + x] != FS_SEED_NONE)
        return TRUE;
  return FALSE;
}

static void
relax (Cells *cells, int cx, int cy, int dx, int dy)
{
  int nx = cx + dx, ny = cy + dy;
  if (nx < 0 || nx >= cells->columns || ny < 0 || ny >= cells->rows)
    return;
  int32_t step = dx != 0 && dy != 0 ? DIAGONAL : STRAIGHT;
  int32_t *d = &cells->distance[cy * cells->columns + cx];
  *d = MIN (*d, cells->distance[ny * cells->columns + nx] + step);
}

/* Borgefors' two passes (1986): forward with the neighbours above, backward with those below. */
static void
sweep_cells (Cells *cells, int sign)
{
  int n = cells->rows * cells->columns;
  for (int k = 0; k < n; k++) {
    int i = sign < 0 ? k : n - 1 - k;
    int cx = i % cells->columns, cy = i / cells->columns;
    relax (cells, cx, cy, sign, 0);
    for (int dx = -1; dx <= 1; dx++)
      relax (cells, cx, cy, dx, sign);
  }
}

static void
measure_distances (Cells *cells, const FsSeedMap *seeds)
{
  for (int cy = 0; cy < cells->rows; cy++)
    for (int cx = 0; cx < cells->columns; cx++)
      cells->distance[cy * cells->columns + cx] =
          cell_has_seed (seeds, cells, cx, cy) ? 0 : G_MAXINT32 / 2;
  sweep_cells (cells, -1);
  sweep_cells (cells, +1);
}

static int
compare_distances (const void *a, const void *b)
{
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* The smallest distance that still belongs to the farthest third. */
static int32_t
far_threshold (const Cells *cells)
{
  size_t n = (size_t)cells->rows * (size_t)cells->columns;
  g_autofree int32_t *sorted = g_memdup2 (cells->distance, n * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, compare_distances);
  return sorted[n - 1 - n / 3];
}

static void
add_cell (const FsImage *image, const FsSeedMap *seeds, const Cells *cells, int cx, int cy,
          FsColourHistogram *histogram)
{
  int x0 = cx * cells->cell_px, x1 = MIN (x0 + cells->cell_px, image->width);
  int y0 = cy * cells->cell_px, y1 = MIN (y0 + cells->cell_px, image->height);
  int step = MAX (1, cells->cell_px / SAMPLES_A_SIDE);
  for (int y = y0; y < y1; y += step)
    for (int x = x0; x < x1; x += step) {
      size_t i = (size_t)y * image->width + x;
      if (seeds->label[i] == FS_SEED_NONE)
        fs_colour_histogram_add (histogram, image->pixels[i]);
    }
}

void
fs_far_samples_add (const FsImage *image, const FsSeedMap *seeds, FsColourHistogram *histogram)
{
  Cells cells = { .cell_px = (MAX (image->width, image->height) + MAX_CELLS_A_SIDE - 1)
                             / MAX_CELLS_A_SIDE };
  cells.columns = (image->width + cells.cell_px - 1) / cells.cell_px;
  cells.rows = (image->height + cells.cell_px - 1) / cells.cell_px;
  g_autofree int32_t *distance = g_new (int32_t, (gsize)cells.columns * (gsize)cells.rows);
  cells.distance = distance;

  measure_distances (&cells, seeds);
  int32_t threshold = far_threshold (&cells);
  for (int cy = 0; cy < cells.rows; cy++)
    for (int cx = 0; cx < cells.columns; cx++)
      if (distance[cy * cells.columns + cx] >= threshold)
        add_cell (image, seeds, &cells, cx, cy, histogram);
}
