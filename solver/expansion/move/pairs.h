/* SPDX-License-Identifier: MIT */
/* The costs of a pair of pixels in a move; see move.h.   Layer: solver (value header). */
#ifndef FS_SOLVER_EXPANSION_MOVE_PAIRS_H
#define FS_SOLVER_EXPANSION_MOVE_PAIRS_H

#include "solver/expansion/move/label_problem.h"

G_BEGIN_DECLS

typedef struct {
  int32_t sum;     /* w_pq + w_qp, ≥ 0 */
  int32_t p_keeps; /* C − B            */
  int32_t q_keeps; /* D − B            */
  gboolean truncated;
} FsPairTerms;

static inline FsPairTerms
fs_pair_terms (const FsLabelProblem *problem, size_t p, int d, int a, int b, int alpha)
{
  int32_t both_keep, both_take, p_keeps, q_keeps;
  if (problem->table != NULL) {
    const int32_t *of_a = problem->table + a * problem->n_labels;
    const int32_t *of_alpha = problem->table + alpha * problem->n_labels;
    int32_t weight = fs_label_problem_weight (problem, p, d);
    both_keep = weight * of_a[b];
    both_take = weight * of_alpha[alpha];
    p_keeps = weight * of_a[alpha] - both_take;
    q_keeps = weight * of_alpha[b] - both_take;
  } else {
    both_keep = fs_label_problem_pair (problem, p, d, a, b);
    both_take = fs_label_problem_pair (problem, p, d, alpha, alpha);
    p_keeps = fs_label_problem_pair (problem, p, d, a, alpha) - both_take;
    q_keeps = fs_label_problem_pair (problem, p, d, alpha, b) - both_take;
  }
  int32_t sum = p_keeps + q_keeps + both_take - both_keep;
  if (G_LIKELY (sum >= 0))
    return (FsPairTerms){ sum, p_keeps, q_keeps, FALSE };
  return (FsPairTerms){ 0, p_keeps - sum, q_keeps - sum, TRUE };
}

G_END_DECLS

#endif
