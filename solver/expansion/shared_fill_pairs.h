/* SPDX-License-Identifier: MIT */
/* The pairs of a row in shared_fill.h's fill: plain loops, for files with and without AVX2.
 * Layer: solver (expansion moves). */
#ifndef FS_SOLVER_EXPANSION_SHARED_FILL_PAIRS_H
#define FS_SOLVER_EXPANSION_SHARED_FILL_PAIRS_H

#include "solver/expansion/sweep.h"

void fs_base_pairs_avx2 (const FsSweep *sweep, int y, int d, FsTruncation *truncation);

enum { PIXELS_AT_ONCE = 128 };

static inline void
note_truncated (const FsSweep *sweep, size_t first, size_t n, int d, FsTruncation *truncation)
{
  size_t step = (size_t)fs_grid_step (&sweep->move->grid, d);
  for (size_t p = first; p < first + n; p++)
    if (fs_move_pair_terms (sweep->move, p, p + step, d, sweep->labels).truncated)
      fs_truncation_note (sweep->move, p, d, sweep->labels[p], sweep->labels[p + step], truncation);
}

/* Some pairs of a row: the costs of their ends next to the label, then the flows of their arcs. */
typedef struct {
  int32_t here[PIXELS_AT_ONCE], there[PIXELS_AT_ONCE];
} Keeps;

static inline void
look_up (const FsSweep *sweep, size_t p, size_t n, int d, Keeps *keeps)
{
  const uint8_t *a = sweep->labels + p, *b = a + fs_grid_step (&sweep->move->grid, d);
  const uint16_t *weight = sweep->move->problem->weight[d];
  for (size_t i = 0; i < n; i++) {
    keeps->here[i] = sweep->costs.p_keeps[a[i]];
    keeps->there[i] = sweep->costs.q_keeps[b[i]];
  }
  for (size_t i = 0; i < n && weight != NULL; i++) {
    keeps->here[i] *= weight[p + i];
    keeps->there[i] *= weight[p + i];
  }
}

/* Returns whether a sum is truncated. `there` becomes the pairs' shares of the other ends'
 * t-links. */
static inline gboolean
fill_arcs (const FsSweep *sweep, size_t p, size_t n, int d, Keeps *keeps)
{
  FsMove *move = sweep->move;
  const int32_t *restrict base = sweep->base->base[d] + p;
  const int32_t *restrict dual =
      sweep->duals->of[move->alpha] + (size_t)d * fs_grid_n_pixels (&move->grid) + p;
  const uint16_t *restrict cost = sweep->base->cost[d] + p;
  uint16_t *restrict forth = move->nlink[d] + p, *restrict back = move->nlink_back[d] + p;
  int32_t *restrict tlink = move->grid.tlink + p;
  int32_t min = 0;
  for (size_t i = 0; i < n; i++) {
    int32_t here = keeps->here[i], there = keeps->there[i], sum = here + there - cost[i];
    int32_t missing = MIN (sum, 0), whole = MAX (sum, 0), flow = here + base[i] - dual[i];
    flow = MAX (MIN (flow, whole), 0);
    forth[i] = (uint16_t)flow;
    back[i] = (uint16_t)(whole - flow);
    tlink[i] -= here - missing - flow;
    keeps->there[i] = there - missing - (whole - flow);
    min = MIN (min, missing);
  }
  return min < 0;
}

static inline void
fill_pairs (const FsSweep *sweep, int y, int d, FsTruncation *truncation)
{
  FsMove *move = sweep->move;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  fs_row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first, n; p < last; p += n) {
    Keeps keeps;
    n = MIN (PIXELS_AT_ONCE, last - p);
    look_up (sweep, p, n, d, &keeps);
    if (G_UNLIKELY (fill_arcs (sweep, p, n, d, &keeps)))
      note_truncated (sweep, p, n, d, truncation);
    int32_t *restrict there = move->grid.tlink + p + step;
    for (size_t i = 0; i < n; i++)
      there[i] -= keeps.there[i];
  }
}

#endif
