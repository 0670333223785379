/* SPDX-License-Identifier: MIT */
/* Lines of pixels, one after another, all labels of each at once.   Layer: solver (expansion
 * moves); for dual_start.c, which says what it is good for.
 *
 * Numbers of all labels of a pixel lie side by side, label 0 first, and fill whole vectors:
 * after the last label they are too large for any minimum. They have 16 bits where all sums fit,
 * and else 32; both give the same results, and so do the files with and without AVX2, all made from
 * scanlines_impl.h.
 *
 * Threads: lines that are no neighbours may be worked on at once, of a sweep any.
 */
#ifndef FS_SOLVER_EXPANSION_START_SCANLINES_H
#define FS_SOLVER_EXPANSION_START_SCANLINES_H

#include "solver/expansion/move/label_problem.h"

G_BEGIN_DECLS

enum {
  FS_LINES_AT_ONCE = 4,
  FS_LINES_RETAINED_SHIFT = 4, /* a pixel retains 1 / 2^k of its rests */
  FS_LINES_SUM_MAX = 10000     /* of D and six V: what 16 bits may be used for */
};

/* V(a, b) = cost[|a − b|], which is `max` beyond `truncation`. */
typedef struct {
  int32_t cost[FS_LABELS_MAX], max;
  int truncation;
} FsLineCosts;

/* All planes: [at · n_padded + label], with `at` = y · pitch + x. */
typedef struct {
  const FsLabelProblem *problem;
  int n_padded;
  size_t pitch;
  FsLineCosts real;   /* V                                                     */
  FsLineCosts metric; /* the largest metric below: min (k · V(0, 1), most)     */
  void *table;        /* V: [label · n_padded + label]                         */
  void *data;         /* D                                                     */
  void *rest;         /* D less what the pixel's pairs have of it; then scratch */
  void *dual[2];      /* of the pairs to the right and down, as FsDuals        */
  uint8_t *labels;    /* [y · width + x]                                       */
} FsLinesProblem;

/* Rows (direction 0) or columns (1): first, first + apart, … */
typedef struct {
  int direction, first, apart, n;
  gboolean is_fresh; /* the duals of this direction were not written yet: they are 0 */
  gboolean takes;    /* labels are chosen on the way back */
} FsLines;

typedef struct {
  int lanes; /* n_padded is a multiple of it */
  size_t size;
  /* Copies what a row costs. */
  void (*begin) (FsLinesProblem *problem, int y);
  /* Sums the least of what is left over at the pixels of a row. */
  int64_t (*bound) (const FsLinesProblem *problem, int y);
  /* Passes what the pixels of lines have left over along them, and back. */
  void (*sweep) (FsLinesProblem *problem, const FsLines *lines);
  /* Gives lines the best labels that there are beside those of the lines next to them. */
  void (*mend) (FsLinesProblem *problem, const FsLines *lines);
  /* Copies a row's duals: [label][x]. */
  void (*read) (const FsLinesProblem *problem, int y, int direction, int32_t *const *duals);
} FsLinesWork;

extern const FsLinesWork fs_lines_16, fs_lines_32, fs_lines_16_avx2, fs_lines_32_avx2;

G_END_DECLS

#endif
