/* SPDX-License-Identifier: MIT */
/* The pixels of a narrow band.   Layer: solver.
 *
 * Lombaert et al. 2005: the coarse pixels on either side of the coarse cut are projected to their
 * blocks, and the blocks are dilated by d pixels in all eight directions. Two more kinds of block
 * belong to the band although no cut is near, because their coarse label contradicts pixels whose
 * label is certain (pyramid.h): blocks with seeds of the other label, which are dilated too, and
 * blocks with sure pixels of the other label, which are not.
 *
 * So every pair of neighbours with different projected labels lies in the band, and every pixel
 * outside has the label of its block.
 *
 * A band is stored as runs of pixels in row order: memory follows its size. Its pixels are numbered
 * in the same order. Buffers are reused and only grow.
 */
#ifndef FS_SOLVER_MULTILEVEL_BAND_H
#define FS_SOLVER_MULTILEVEL_BAND_H

#include "solver/multilevel/band_problem.h"

G_BEGIN_DECLS

typedef struct {
  int width; /* of the finer level */
  int height;
  size_t n_pixels;
  size_t n_runs;
  FsBandRun *runs;
  uint32_t *row_start; /* [height + 1]: runs of row y are row_start[y] … row_start[y + 1] − 1 */
  size_t runs_capacity;
  size_t rows_capacity;
  void *scratch; /* some rows */
  size_t scratch_bytes;
} FsBand;

void fs_band_init (FsBand *band);
void fs_band_clear (FsBand *band);

/* Makes the band of a level of width × height pixels from the next coarser level's mask (0 or 1)
 * and blocks (FS_BLOCK_ bits; pyramid.h), both of half the size, rounded up. dilation_px ≥ 0. FALSE
 * when memory ends. Cost O(width · height), a few operations a byte. */
gboolean fs_band_project (FsBand *band, int width, int height, const uint8_t *mask,
                          const uint8_t *blocks, int dilation_px);

size_t fs_band_size_bytes (const FsBand *band);

G_END_DECLS

#endif
