/* SPDX-License-Identifier: MIT */
/* A binary energy on some pixels of a photo, all others held.   Layer: solver (value header).
 *
 * The free pixels are runs in row order and are numbered in the same order; the others have the
 * labels of a mask. T-links are the free pixels' own; the n-links are those of a photo's planes,
 * which may count as something else, by a table.
 */
#ifndef FS_SOLVER_BAND_PROBLEM_H
#define FS_SOLVER_BAND_PROBLEM_H

#include "solver/grid.h"

G_BEGIN_DECLS

/* Pixels x0 ≤ x < x1 of a row. */
typedef struct {
  int32_t x0, x1;
} FsBandRun;

/* Everything is borrowed. */
typedef struct {
  int width, height; /* of the photo */
  FsNeighbours neighbours;
  size_t n_pixels, n_runs;
  const FsBandRun *runs; /* in a row from left to right, with a pixel at least between two */
  const uint32_t
      *row_start; /* [height + 1]: runs of row y are row_start[y] … row_start[y + 1] − 1 */
  const int32_t *tlinks;                  /* [n_pixels] */
  const uint16_t *nlink[FS_N_DIRECTIONS]; /* [height · width], the same both ways (grid.h); those
                                             without a free end may hold anything */
  const uint16_t *straight, *diagonal;    /* what a plane's capacity counts as */
} FsBandProblem;

G_END_DECLS

#endif
