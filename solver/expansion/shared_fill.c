/* SPDX-License-Identifier: MIT */
#include "solver/expansion/shared_fill.h"

#include "solver/cpu/search/search.h"
#include "solver/expansion/shared_fill_pairs.h"
#include "solver/system/checked_memory.h"
#include "solver/system/threads.h"

#include <string.h>

enum { LABELS_AT_ONCE = sizeof (uint64_t) };

/* --- What it is for --- */

gboolean
fs_base_is_for (const FsMove *move)
{
  const FsLabelProblem *problem = move->problem;
  if (problem->table == NULL || problem->present != NULL || move->is_wide)
    return FALSE;
  for (int label = 0; label < problem->n_labels; label++)
    if (problem->table[label * problem->n_labels + label] != 0)
      return FALSE;
  return TRUE;
}

/* --- Memory --- */

static size_t
pixel_bytes (const FsLabelProblem *problem)
{
  return sizeof (int32_t) + sizeof (uint8_t)
         + (size_t)fs_label_problem_n_directions (problem) * (sizeof (int32_t) + sizeof (uint16_t));
}

static gboolean
make (FsBase *base, const FsLabelProblem *problem, GError **error)
{
  size_t n = fs_label_problem_n_pixels (problem);
  int n_directions = fs_label_problem_n_directions (problem);
  base->data = fs_memory_new_whole (n, pixel_bytes (problem));
  if (base->data == NULL) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the cuts of %d × %d pixels", problem->width,
                 problem->height);
    return FALSE;
  }
  for (int d = 0; d < n_directions; d++)
    base->base[d] = base->data + (size_t)(d + 1) * n;
  for (int d = 0; d < n_directions; d++)
    base->cost[d] =
        (uint16_t *)(void *)(base->data + (size_t)(n_directions + 1) * n) + (size_t)d * n;
  base->labels = (uint8_t *)(base->cost[0] + (size_t)n_directions * n);
  return TRUE;
}

void
fs_base_clear (FsBase *base)
{
  fs_memory_free (base->data);
  *base = (FsBase){ 0 };
}

size_t
fs_base_size_bytes (const FsBase *base, const FsLabelProblem *problem)
{
  return base->labels != NULL ? fs_label_problem_n_pixels (problem) * pixel_bytes (problem) : 0;
}

/* --- Seeing labels --- */

typedef struct {
  FsBase *base;
  const FsDuals *duals;
  const uint8_t *labels, *seen; /* NULL: none were seen yet */
  FsGrid grid;
} Look;

static inline gboolean
is_new (const Look *look, size_t p)
{
  return look->seen == NULL || look->seen[p] != look->labels[p];
}

/* Returns whether the next eight pixels have the labels that were seen. */
static inline gboolean
are_known (const Look *look, size_t p)
{
  return look->seen != NULL && memcmp (look->seen + p, look->labels + p, LABELS_AT_ONCE) == 0;
}

static inline void
look_at_pair (const Look *look, size_t p, size_t q, int d)
{
  const FsLabelProblem *problem = look->duals->problem;
  size_t at = (size_t)d * fs_label_problem_n_pixels (problem) + p;
  int a = look->labels[p], b = look->labels[q];
  int32_t of_a = look->duals->of[a][at], of_b = look->duals->of[b][at];
  int32_t cost =
      fs_label_problem_weight (problem, p, d) * problem->table[a * problem->n_labels + b];
  look->base->base[d][p] = of_a - ((cost + of_a - of_b) >> 1);
  look->base->cost[d][p] = (uint16_t)cost;
}

static void
look_at_row (int y, int worker G_GNUC_UNUSED, gpointer data)
{
  const Look *look = data;
  const FsLabelProblem *problem = look->duals->problem;
  size_t n = fs_label_problem_n_pixels (problem), width = (size_t)problem->width, first, last;
  size_t row = (size_t)y * width;
  for (size_t p = row; p < row + width; p++)
    if (p + LABELS_AT_ONCE <= row + width && are_known (look, p))
      p += LABELS_AT_ONCE - 1;
    else if (is_new (look, p))
      look->base->data[p] = problem->data[look->labels[p] * n + p];
  for (int d = 0; d < fs_label_problem_n_directions (problem); d++) {
    size_t step = (size_t)fs_grid_step (&look->grid, d);
    fs_row_of_pairs (&look->grid, y, d, &first, &last);
    for (size_t p = first; p < last; p++)
      if (p + LABELS_AT_ONCE <= last && are_known (look, p) && are_known (look, p + step))
        p += LABELS_AT_ONCE - 1;
      else if (is_new (look, p) || is_new (look, p + step))
        look_at_pair (look, p, p + step, d);
  }
}

static gboolean
see (FsBase *base, const FsDuals *duals, const uint8_t *labels, GError **error)
{
  const FsLabelProblem *problem = duals->problem;
  size_t n = fs_label_problem_n_pixels (problem);
  Look look = { .base = base,
                .duals = duals,
                .labels = labels,
                .seen = base->labels,
                .grid = { .width = problem->width,
                          .height = problem->height,
                          .neighbours = problem->neighbours } };
  if (base->labels != NULL && memcmp (base->labels, labels, n) == 0)
    return TRUE;
  if (base->labels == NULL && !make (base, problem, error))
    return FALSE;
  fs_threads_run (fs_solver_get_threads (), problem->height, look_at_row, &look);
  memcpy (base->labels, labels, n);
  return TRUE;
}

/* --- Filling --- */

static void
fill_data (const FsSweep *sweep, int y)
{
  const FsMove *move = sweep->move;
  size_t width = (size_t)move->grid.width, row = (size_t)y * width;
  const int32_t *of_alpha =
      move->problem->data + (size_t)move->alpha * fs_grid_n_pixels (&move->grid) + row;
  const int32_t *now = sweep->base->data + row;
  int32_t *tlink = move->grid.tlink + row;
  for (size_t x = 0; x < width; x++)
    tlink[x] = of_alpha[x] - now[x];
  memcpy (move->seen + row, sweep->labels + row, width);
}

gboolean
fs_base_fill (FsBase *base, FsMove *move, int alpha, const uint8_t *labels, const FsDuals *duals,
              FsMoveRun *run, GError **error)
{
  if (!see (base, duals, labels, error))
    return FALSE;
  fs_move_return_solver (move, run);
  move->alpha = alpha;
  move->is_cold = FALSE;
  move->are_candidates_known = FALSE;
  FsSweep sweep;
  fs_sweep_init (&sweep, move, labels, duals);
  sweep.base = base;
  sweep.row = fill_data;
  sweep.pairs = fill_pairs;
#ifdef FS_WITH_AVX2
  if (fs_cpu_search_uses_avx2 ())
    sweep.pairs = fs_base_pairs_avx2;
#endif
  fs_sweep_all (&sweep, run->truncation);
  return TRUE;
}
