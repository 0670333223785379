/* SPDX-License-Identifier: MIT */
/* The capacities of a move's arcs; see move.h.   Layer: solver (expansion moves). */
#ifndef FS_SOLVER_EXPANSION_MOVE_ARCS_H
#define FS_SOLVER_EXPANSION_MOVE_ARCS_H

#include "solver/expansion/move/move_state.h"
#include "solver/expansion/move/pairs.h"

G_BEGIN_DECLS

/* The most that an instalment shows of an arc's capacity. */
enum { FS_SHOWN_MAX = FS_NLINK_MAX };

typedef struct {
  int32_t forth, back;
} FsArcs;

static inline FsArcs
fs_arcs_read (const FsMove *move, int d, size_t p)
{
  if (move->is_wide)
    return (FsArcs){ move->forth[d][p], move->back[d][p] };
  return (FsArcs){ move->nlink[d][p], move->nlink_back[d][p] };
}

static inline void
fs_arcs_write (FsMove *move, int d, size_t p, FsArcs arcs)
{
  if (move->is_wide) {
    move->forth[d][p] = arcs.forth;
    move->back[d][p] = arcs.back;
  }
  int32_t max = move->is_wide ? FS_SHOWN_MAX : FS_NLINK_PAIR_MAX;
  move->nlink[d][p] = (uint16_t)MIN (arcs.forth, max);
  move->nlink_back[d][p] = (uint16_t)MIN (arcs.back, max);
}

/* The duals of one direction, of all labels. */
typedef struct {
  const int32_t *const *of; /* of all labels, or NULL */
  size_t first;             /* where the direction's begin */
} FsShares;

static inline FsShares
fs_shares_of (const FsMove *move, const FsDuals *duals, int d)
{
  size_t n = fs_grid_n_pixels (&move->grid);
  return (FsShares){ duals != NULL ? (const int32_t *const *)duals->of : NULL, (size_t)d * n };
}

static inline int32_t
fs_share (FsShares shares, int label, size_t p)
{
  return shares.of[label] != NULL ? shares.of[label][shares.first + p] : 0;
}

/* The capacity of the arc p → q when Y_α is 0: A − B is divided evenly between both pixels. */
static inline int64_t
fs_even_share (FsPairTerms terms, int32_t of_a, int32_t of_b)
{
  int64_t both_keep = (int64_t)terms.p_keeps + terms.q_keeps - terms.sum + of_a - of_b;
  return terms.p_keeps + of_a - (both_keep >> 1);
}

static inline FsArcs
fs_share_out (FsPairTerms terms, FsShares shares, size_t p, int a, int b, int alpha)
{
  int64_t forth = shares.of == NULL
                      ? fs_even_share (terms, 0, 0)
                      : fs_even_share (terms, fs_share (shares, a, p), fs_share (shares, b, p))
                            - fs_share (shares, alpha, p);
  forth = CLAMP (forth, 0, terms.sum);
  return (FsArcs){ (int32_t)forth, terms.sum - (int32_t)forth };
}

/* Arcs with a new sum: their difference is retained as far as it fits. */
static inline FsArcs
fs_share_anew (FsArcs old, int32_t sum)
{
  int32_t forth = old.forth + (sum - old.forth - old.back) / 2;
  forth = CLAMP (forth, 0, sum);
  return (FsArcs){ forth, sum - forth };
}

static inline FsPairTerms
fs_move_pair_terms (const FsMove *move, size_t p, size_t q, int d, const uint8_t *labels)
{
  const FsLabelProblem *problem = move->problem;
  if (problem->present != NULL && (problem->present[p] == 0 || problem->present[q] == 0))
    return (FsPairTerms){ 0 };
  return fs_pair_terms (problem, p, d, labels[p], labels[q], move->alpha);
}

static inline void
fs_truncation_note (const FsMove *move, size_t p, int d, int a, int b, FsTruncation *truncation)
{
  if (truncation->n++ == 0)
    *truncation = (FsTruncation){ .n = 1,
                                  .pixel = p,
                                  .direction = (FsDirection)d,
                                  .a = (uint8_t)a,
                                  .b = (uint8_t)b,
                                  .alpha = (uint8_t)move->alpha };
}

/* The t-link of a pixel by data costs alone. */
static inline int32_t
fs_move_data_tlink (const FsMove *move, size_t p, const uint8_t *labels)
{
  const FsLabelProblem *problem = move->problem;
  size_t n = fs_label_problem_n_pixels (problem);
  if (!fs_label_problem_has (problem, p))
    return 0;
  return problem->data[(size_t)move->alpha * n + p] - problem->data[labels[p] * n + p];
}

/* The pixels of a row that have a neighbour in a direction: [first, last). */
static inline void
fs_row_of_pairs (const FsGrid *grid, int y, int d, size_t *first, size_t *last)
{
  int dx = fs_direction_dx ((FsDirection)d);
  size_t row = (size_t)y * (size_t)grid->width;
  *first = row + (dx < 0 ? 1 : 0);
  *last = row + (size_t)grid->width - (dx > 0 ? 1 : 0);
  if (y + fs_direction_dy ((FsDirection)d) >= grid->height)
    *last = *first;
}

/* The costs of a table's pairs in the move, without their weights. With 16-bit arcs all sums below,
 * duals included, fit in 32 bits. */
typedef struct {
  int n_labels;
  const int32_t *table;
  int32_t both_take;
  int32_t p_keeps[FS_LABELS_MAX], q_keeps[FS_LABELS_MAX]; /* [a], [b] */
} FsTableMove;

/* As fs_pair_terms, of a table. */
static inline FsPairTerms
fs_table_terms (const FsTableMove *costs, int32_t weight, int a, int b)
{
  int32_t p_keeps = weight * costs->p_keeps[a], q_keeps = weight * costs->q_keeps[b];
  int32_t sum =
      p_keeps + q_keeps + weight * (costs->both_take - costs->table[a * costs->n_labels + b]);
  if (G_LIKELY (sum >= 0))
    return (FsPairTerms){ sum, p_keeps, q_keeps, FALSE };
  return (FsPairTerms){ 0, p_keeps - sum, q_keeps - sum, TRUE };
}

G_END_DECLS

#endif
