/* SPDX-License-Identifier: MIT */
/* A binary energy on some pixels of a photo, all others fixed.   Layer: solver (value header).
 *
 * The free pixels are runs in row order and are numbered in the same order; the others have the
 * labels of a mask. T-links are given for the free pixels alone; n-links are those of a photo's
 * planes, mapped by a table.
 */
#ifndef FS_SOLVER_MULTILEVEL_BAND_PROBLEM_H
#define FS_SOLVER_MULTILEVEL_BAND_PROBLEM_H

#include "solver/grid.h"

G_BEGIN_DECLS

/* Pixels x0 ≤ x < x1 of a row. */
typedef struct {
  int32_t x0, x1;
} FsBandRun;

/* Compact n-links: the pixels that have links, row by row, instead of whole planes. Everything is
 * borrowed. */
typedef struct {
  const FsBandRun *runs; /* in a row from left to right; a free pixel and its neighbours in a row
                            lie in one run, and so do those in the row above */
  const uint32_t *row_start; /* [height + 1] as a problem's */
  const uint32_t *first;     /* per run: the index of its first pixel's links */
} FsBandSpans;

/* Everything is borrowed. */
typedef struct {
  int width, height; /* of the photo */
  FsNeighbours neighbours;
  size_t n_pixels, n_runs;
  const FsBandRun *runs; /* in a row from left to right, with a pixel at least between two */
  const uint32_t
      *row_start; /* [height + 1]: runs of row y are row_start[y] … row_start[y + 1] − 1 */
  const int32_t *tlinks;                  /* [n_pixels] */
  const uint16_t *nlink[FS_N_DIRECTIONS]; /* [height · width], or as spans say; the same both ways
                                             (grid.h); those without a free end may hold anything */
  const FsBandSpans *spans;               /* NULL: planes */
  const uint16_t *straight, *diagonal;    /* [capacity] to the capacity that is used */
} FsBandProblem;

/* The index of pixel (x, y) in `nlink`. Where there are spans, the pixel must lie in one. */
static inline size_t
fs_band_spans_find (const FsBandSpans *spans, int width, int x, int y)
{
  if (spans == NULL)
    return (size_t)y * (size_t)width + (size_t)x;
  uint32_t low = spans->row_start[y], high = spans->row_start[y + 1];
  while (low + 1 < high) {
    uint32_t middle = low + (high - low) / 2;
    if (spans->runs[middle].x0 <= x)
      low = middle;
    else
      high = middle;
  }
  return (size_t)spans->first[low] + (size_t)(x - spans->runs[low].x0);
}

G_END_DECLS

#endif
