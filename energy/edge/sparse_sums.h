/* SPDX-License-Identifier: MIT */
/* Sums over the squares around some of an area's cells, by running sums.   Layer: energy.
 *
 * As box_sums.h, but columns are summed only where a wanted cell's square has them: the cost goes
 * with the wanted cells, not with the area. Sums are whole numbers, so that no bit depends on where
 * an area begins.
 *
 * Threads: plain functions.
 */
#ifndef FS_ENERGY_EDGE_SPARSE_SUMS_H
#define FS_ENERGY_EDGE_SPARSE_SUMS_H

#include "energy/image/rect.h"

#include <stdint.h>
#include <string.h>

G_BEGIN_DECLS

enum { FS_SPARSE_SUMS_BYTES = 64 };

/* Up to FS_SPARSE_SUMS_BYTES of numbers. */
typedef union {
  int32_t narrow[FS_SPARSE_SUMS_BYTES / 4];
  int64_t wide[FS_SPARSE_SUMS_BYTES / 8];
} FsSparseSum;

typedef struct {
  FsRect of;             /* the cells that may be wanted                          */
  FsRect all;            /* those that count                                      */
  int radius;            /* squares have 2 · radius + 1 cells a side              */
  const uint8_t *wanted; /* a byte for each cell of `of`                          */
  uint8_t value;         /* of the bytes of cells that are wanted                 */
  FsSparseSum *columns;  /* scratch: sums of each column of the squares           */
  int *rows;             /* scratch: the row that each column's sum is centred at */
} FsSparseSums;

/* Adds cell (x, y), `sign` times, to the sums of a column. */
typedef void (*FsSparseAdd) (gpointer data, int x, int y, int sign, FsSparseSum *column);
/* Adds a column, `sign` times. */
typedef void (*FsSparseMove) (FsSparseSum *sums, const FsSparseSum *column, int sign);
/* Gets the sums over the square around cell (x, y), and the number of its cells. */
typedef void (*FsSparseTake) (gpointer data, int x, int y, const FsSparseSum *sums, int n_cells);

/* The sums of column x around row y. */
static inline __attribute__ ((always_inline)) const FsSparseSum *
fs_sparse_column (const FsSparseSums *s, int x, int y, FsSparseAdd add, gpointer data)
{
  const int i = x - (s->of.x0 - s->radius);
  FsSparseSum *column = &s->columns[i];
  if (s->rows[i] == y - 1) {
    if (y + s->radius < s->all.y1)
      add (data, x, y + s->radius, 1, column);
    if (y - s->radius > s->all.y0)
      add (data, x, y - s->radius - 1, -1, column);
  } else if (s->rows[i] != y) {
    memset (column, 0, sizeof *column);
    for (int j = MAX (y - s->radius, s->all.y0); j < MIN (y + s->radius + 1, s->all.y1); j++)
      add (data, x, j, 1, column);
  }
  s->rows[i] = y;
  return column;
}

/* For the wanted cells x0 ≤ x < x1 of row y. */
static inline __attribute__ ((always_inline)) void
fs_sparse_sum_run (const FsSparseSums *s, int y, int x0, int x1, FsSparseAdd add, FsSparseMove move,
                   FsSparseTake take, gpointer data)
{
  const FsRect all = s->all;
  const int radius = s->radius;
  const int n_rows = MIN (y + radius + 1, all.y1) - MAX (y - radius, all.y0);
  FsSparseSum sums;
  memset (&sums, 0, sizeof sums);
  for (int x = MAX (x0 - radius, all.x0); x < MIN (x0 + radius, all.x1); x++)
    move (&sums, fs_sparse_column (s, x, y, add, data), 1);
  for (int x = x0; x < x1; x++) {
    if (x + radius < all.x1)
      move (&sums, fs_sparse_column (s, x + radius, y, add, data), 1);
    if (x > x0 && x - radius > all.x0)
      move (&sums, fs_sparse_column (s, x - radius - 1, y, add, data), -1);
    take (data, x, y, &sums, n_rows * (MIN (x + radius + 1, all.x1) - MAX (x - radius, all.x0)));
  }
}

/* For each wanted cell. */
static inline __attribute__ ((always_inline)) void
fs_sparse_sums (const FsSparseSums *s, FsSparseAdd add, FsSparseMove move, FsSparseTake take,
                gpointer data)
{
  const int width = s->of.x1 - s->of.x0;
  for (int i = 0; i < width + 2 * s->radius; i++)
    s->rows[i] = G_MININT;
  for (int y = s->of.y0; y < s->of.y1; y++) {
    const uint8_t *row = s->wanted + (gsize)(y - s->of.y0) * (gsize)width, *next;
    for (int x = 0; x < width && (next = memchr (row + x, s->value, (gsize)(width - x)));) {
      const int x0 = (int)(next - row);
      for (x = x0 + 1; x < width && row[x] == s->value;)
        x++;
      fs_sparse_sum_run (s, y, s->of.x0 + x0, s->of.x0 + x, add, move, take, data);
    }
  }
}

G_END_DECLS

#endif
