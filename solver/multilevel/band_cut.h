/* SPDX-License-Identifier: MIT */
/* The minimum cut of a band in compact storage.   Layer: solver.
 *
 * A band is cut one subproblem after another (band_components.h), with the search of search.h. A
 * node per pixel of the subproblem, in the band's order; pixels outside have the labels of a mask,
 * and what they cost or save a neighbour inside is added to its t-link:
 *
 *   a neighbour of label 1 adds c(q,p), one of label 0 takes away c(p,q).
 *
 * There is no array of neighbours: the three in the row above have consecutive numbers, so the
 * index that the upper left one has, or would have, is enough (FsCpuRows); likewise below. So that
 * this also holds without a middle one, a gap of one pixel between two runs takes a number too. A
 * node takes 38 bytes.
 *
 * Exact on the restricted problem, and canonical: the sink's trees are closed when the search ends.
 *
 * Threads: one at a time.
 */
#ifndef FS_SOLVER_MULTILEVEL_BAND_CUT_H
#define FS_SOLVER_MULTILEVEL_BAND_CUT_H

#include "solver/cpu/search/search.h"
#include "solver/multilevel/band_components.h"
#include "solver/multilevel/band_flow.h"

G_BEGIN_DECLS

/* T-links and capacities in place of those of a grid. */
typedef struct {
  const int32_t *tlinks;               /* of the band's pixels, in its order */
  const uint32_t *first;               /* per run: the number of its first pixel */
  const FsBandSpans *spans;            /* where the grid's links lie; NULL: planes   */
  const uint16_t *straight, *diagonal; /* [capacity] to the one that is used */
} FsBandTerms;

typedef struct {
  FsBandSubproblems subproblems;
  FsCpuLayout layout; /* of the subproblem that is cut now; no tiles */
  FsCpuSearch search;
  size_t capacity; /* nodes */
  int32_t *rows;   /* three rows of indices, width + 2 each; −1 outside the subproblem */
  size_t rows_capacity;
  size_t max_subproblem_pixels; /* unless a component has more */
  gboolean is_ready;            /* the search is initialised */
  const FsBandTerms *terms;     /* borrowed; NULL: the grid's own */
  /* Borrowed; NULL: every cut begins without flow. The grid has eight neighbours, no star, n-links
   * that are the same both ways, and there are no terms. */
  FsBandFlow *flow;
  int64_t bound; /* of the last run: a lower bound of every labelling's energy */
} FsBandCut;

void fs_band_cut_init (FsBandCut *cut);
void fs_band_cut_clear (FsBandCut *cut);
size_t fs_band_cut_size_bytes (const FsBandCut *cut);

/* Cuts a band of the grid. `mask` has the grid's size: its values outside the band are read, those
 * inside are written. Of `progress`, which may be NULL, only `cancel` is used. Buffers are reused.
 * Unless the outcome is FS_SEARCH_DONE, the mask is undefined inside the band; FS_SEARCH_NO_MEMORY
 * also where a band has 2³¹ pixels or more. */
FsSearchOutcome fs_band_cut_run (FsBandCut *cut, const FsGrid *grid, const FsBand *band,
                                 uint8_t *mask, const FsProgress *progress);

G_END_DECLS

#endif
