/* SPDX-License-Identifier: MIT */
/* Sums over squares of cells, by running sums of columns and rows.   Layer: energy.
 *
 * Sums are whole numbers, so that no bit depends on where an area begins.
 *
 * Threads: plain functions.
 */
#ifndef FS_ENERGY_EDGE_BOX_SUMS_H
#define FS_ENERGY_EDGE_BOX_SUMS_H

#include "energy/image/rect.h"

#include <stdint.h>
#include <string.h>

G_BEGIN_DECLS

enum { FS_BOX_SUMS_MAX = 2 };

/* Adds, `sign` times, the n numbers of each cell [x0, x1) of row y to its column, n sums each. */
typedef void (*FsBoxAdd) (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns);
/* Gets the sums over the square around cell (x, y), and the number of its cells. */
typedef void (*FsBoxTake) (gpointer data, int x, int y, const int64_t *sums, int n_cells);

static inline __attribute__ ((always_inline)) void
fs_box_add (int64_t *sums, const int64_t *column, int n, int sign)
{
  for (int k = 0; k < n; k++)
    sums[k] += sign * column[k];
}

/* Row y of `of`, from the sums of columns [x0, x1), each over n_rows rows. */
static inline __attribute__ ((always_inline)) void
fs_box_sum_row (FsRect of, int y, int radius, int x0, int x1, int n_rows, int n,
                const int64_t *columns, FsBoxTake take, gpointer data)
{
  int64_t sums[FS_BOX_SUMS_MAX] = { 0 };
  for (int x = x0; x < MIN (of.x0 + radius, x1); x++)
    fs_box_add (sums, columns + (x - x0) * n, n, 1);
  for (int x = of.x0; x < of.x1; x++) {
    if (x + radius < x1)
      fs_box_add (sums, columns + (x + radius - x0) * n, n, 1);
    if (x - radius > x0)
      fs_box_add (sums, columns + (x - radius - 1 - x0) * n, n, -1);
    take (data, x, y, sums, n_rows * (MIN (x + radius + 1, x1) - MAX (x - radius, x0)));
  }
}

/* For each cell of `of`, over what `all` has of the square of 2 · radius + 1 cells a side.
 * `columns` is scratch of n sums for each column of the squares. */
static inline __attribute__ ((always_inline)) void
fs_box_sums (FsRect of, FsRect all, int radius, int n, int64_t *columns, FsBoxAdd add,
             FsBoxTake take, gpointer data)
{
  const int x0 = MAX (of.x0 - radius, all.x0), x1 = MIN (of.x1 + radius, all.x1);
  const int y0 = MAX (of.y0 - radius, all.y0), y1 = MIN (of.y1 + radius, all.y1);
  if (of.x0 >= of.x1 || of.y0 >= of.y1)
    return;
  memset (columns, 0, (gsize)((x1 - x0) * n) * sizeof *columns);
  for (int y = y0; y < MIN (of.y0 + radius, y1); y++)
    add (data, y, x0, x1, 1, columns);
  for (int y = of.y0; y < of.y1; y++) {
    if (y + radius < y1)
      add (data, y + radius, x0, x1, 1, columns);
    if (y - radius > y0)
      add (data, y - radius - 1, x0, x1, -1, columns);
    fs_box_sum_row (of, y, radius, x0, x1, MIN (y + radius + 1, y1) - MAX (y - radius, y0), n,
                    columns, take, data);
  }
}

G_END_DECLS

#endif
