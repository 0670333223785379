/* SPDX-License-Identifier: MIT */
/* An energy of many labels on the pixel grid.   Layer: solver (value header).
 *
 *   E(f) = Σ_p D_p(f_p) + Σ_{pq} V_pq(f_p, f_q)
 *
 * over a W×H grid with 4 or 8 neighbours, each pair once, p the one whose forward direction
 * (grid.h) leads to q. V is one of
 *
 *   a table, times a weight per pair:  V_pq(a, b) = weight[d][p] · table[a·L + b]
 *   a function of the pair:            V_pq(a, b) = cost (data, p, d, a, b)
 *
 * and need not be symmetric, nor zero where labels agree. An absent pixel has no terms.
 *
 * Threads: plain data; nobody may write it while an expansion that is bound to it runs.
 */
#ifndef FS_SOLVER_EXPANSION_MOVE_LABEL_PROBLEM_H
#define FS_SOLVER_EXPANSION_MOVE_LABEL_PROBLEM_H

#include "solver/grid.h"

G_BEGIN_DECLS

#define FS_LABELS_MAX     256
#define FS_LABEL_COST_MAX 100000000 /* D: with eight pair terms more it is still a t-link */
#define FS_PAIR_COST_MAX  10000000  /* V, weight and all                                  */

/* V of pixel p and its neighbour in the forward direction d: 0 … pair_cost_max. */
typedef int32_t (*FsPairCost) (const void *data, size_t p, FsDirection d, int a, int b);

typedef struct {
  int width, height;
  FsNeighbours neighbours;
  int n_labels;        /* 1 … FS_LABELS_MAX                                         */
  const int32_t *data; /* D: [label · W·H + y·W + x], 0 … FS_LABEL_COST_MAX         */
  /* [a · n_labels + b], ≥ 0; NULL where there is a function. */
  const int32_t *table;
  const uint16_t *weight[FS_N_DIRECTIONS]; /* [y·W + x]; all NULL: 1 */
  FsPairCost pair_cost;
  const void *pair_data;
  int32_t pair_cost_max;
  const uint8_t *present; /* [y·W + x]: 0 absent; NULL: all are present */
} FsLabelProblem;

typedef struct {
  int64_t total;
  int64_t data;
  int64_t smoothness;
} FsLabelEnergy;

static inline size_t
fs_label_problem_n_pixels (const FsLabelProblem *problem)
{
  return (size_t)problem->width * (size_t)problem->height;
}

static inline int
fs_label_problem_n_directions (const FsLabelProblem *problem)
{
  return problem->neighbours == FS_NEIGHBOURS_8 ? 4 : 2;
}

static inline gboolean
fs_label_problem_has (const FsLabelProblem *problem, size_t p)
{
  return problem->present == NULL || problem->present[p] != 0;
}

static inline ptrdiff_t
fs_label_problem_step (const FsLabelProblem *problem, int d)
{
  return fs_direction_dx ((FsDirection)d)
         + (ptrdiff_t)fs_direction_dy ((FsDirection)d) * problem->width;
}

static inline int32_t
fs_label_problem_weight (const FsLabelProblem *problem, size_t p, int d)
{
  return problem->weight[d] != NULL ? problem->weight[d][p] : 1;
}

/* V_pq(a, b) of a pair inside the grid whose pixels are present. */
static inline int32_t
fs_label_problem_pair (const FsLabelProblem *problem, size_t p, int d, int a, int b)
{
  if (problem->table == NULL)
    return problem->pair_cost (problem->pair_data, p, (FsDirection)d, a, b);
  return fs_label_problem_weight (problem, p, d) * problem->table[a * problem->n_labels + b];
}

/* Checks shape and ranges (O(N·L)); of a function's costs what pair_cost_max says. Errors:
 * FS_SOLVER_ERROR_INVALID, the message naming the term. */
gboolean fs_label_problem_validate (const FsLabelProblem *problem, GError **error);

/* The largest V that there can be. Cost O(N + L²). */
int64_t fs_label_problem_largest_pair (const FsLabelProblem *problem);

/* Gives every pixel its cheapest label by data costs alone, the lowest of equals. A usual start of
 * expansions; the other is label 0 everywhere. */
void fs_label_problem_choose_cheapest (const FsLabelProblem *problem, uint8_t *labels);

/* Σ D alone. */
int64_t fs_label_problem_data_energy (const FsLabelProblem *problem, const uint8_t *labels);

/* E of a labelling of W·H labels, each below n_labels. Plain loops: the reference for every other
 * sum. */
FsLabelEnergy fs_label_problem_energy (const FsLabelProblem *problem, const uint8_t *labels);

/* A lower bound of every labelling's E: Σ_p min D_p + Σ_pq min V_pq for a table; with a function,
 * the former sum alone. Cost: one read of every term. */
int64_t fs_label_problem_bound (const FsLabelProblem *problem);

G_END_DECLS

#endif
