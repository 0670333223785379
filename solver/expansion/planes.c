/* SPDX-License-Identifier: MIT */
#include "solver/expansion/planes.h"

#include "solver/expansion/sweep.h"

#include <string.h>

enum { DUAL_MAX = 1 << 28 };

/* --- Filling --- */

/* As fill_pairs, of a plain table: the same numbers, for a fraction of the work. */
static inline void
fill_table_pairs (const FsSweep *sweep, int y, int d, FsShares shares, FsTruncation *truncation)
{
  FsMove *move = sweep->move;
  const uint8_t *labels = sweep->labels;
  const uint16_t *weight = move->problem->weight[d];
  uint16_t *forth = move->nlink[d], *back = move->nlink_back[d];
  int32_t *tlink = move->grid.tlink;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  fs_row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    int a = labels[p], b = labels[p + step];
    FsPairTerms terms = fs_table_terms (&sweep->costs, weight != NULL ? weight[p] : 1, a, b);
    if (G_UNLIKELY (terms.truncated))
      fs_truncation_note (move, p, d, a, b, truncation);
    int32_t of_a = shares.of != NULL ? fs_share (shares, a, p) : 0;
    int32_t of_b = shares.of != NULL ? fs_share (shares, b, p) : 0;
    int32_t both_keep = terms.p_keeps + terms.q_keeps - terms.sum + of_a - of_b;
    int32_t flow = terms.p_keeps + of_a - (both_keep >> 1);
    if (shares.of != NULL)
      flow -= fs_share (shares, move->alpha, p);
    flow = CLAMP (flow, 0, terms.sum);
    forth[p] = (uint16_t)flow;
    back[p] = (uint16_t)(terms.sum - flow);
    tlink[p] -= terms.p_keeps - flow;
    tlink[p + step] -= terms.q_keeps - (terms.sum - flow);
  }
}

/* Each by itself, so that no duals cost nothing. */
static void
fill_table_cold (const FsSweep *sweep, int y, int d, FsTruncation *truncation)
{
  const FsShares none = { NULL, 0 };
  fill_table_pairs (sweep, y, d, none, truncation);
}

/* The pairs of a row that lead to the row `step` further on, where different labels cost the same.
 * With neither of them the label, equal ones have twice the weight as their sum, others once. */
typedef struct {
  size_t n;
  uint8_t alpha;
  int32_t cost;
  const uint8_t *a, *b; /* labels here and there */
  uint16_t *forth, *back;
} PottsRow;

/* The arcs, and their share of the t-links here. This and the next can be done for many pixels at
 * once; together they could not, for both write t-links. */
static inline void
fill_potts_arcs (const PottsRow *row, const uint16_t *restrict weight, int32_t *restrict here)
{
  const uint8_t *restrict a = row->a, *restrict b = row->b;
  uint16_t *restrict forth = row->forth, *restrict back = row->back;
  for (size_t i = 0; i < row->n; i++) {
    int32_t cost = weight != NULL ? row->cost * weight[i] : row->cost;
    int32_t whole = a[i] != row->alpha && b[i] != row->alpha ? cost : 0;
    int32_t half = a[i] == b[i] ? 0 : whole >> 1;
    forth[i] = (uint16_t)(whole - half);
    back[i] = (uint16_t)(a[i] == b[i] ? whole : half);
    here[i] -= (a[i] != row->alpha ? cost : 0) - (whole - half);
  }
}

/* The arcs' share of the t-links there. */
static inline void
fill_potts_ends (const PottsRow *row, const uint16_t *restrict weight, int32_t *restrict there)
{
  const uint8_t *restrict b = row->b;
  const uint16_t *restrict back = row->back;
  for (size_t i = 0; i < row->n; i++) {
    int32_t cost = weight != NULL ? row->cost * weight[i] : row->cost;
    there[i] -= (b[i] != row->alpha ? cost : 0) - back[i];
  }
}

/* As fill_table_cold: the same numbers. */
static void
fill_potts_cold (const FsSweep *sweep, int y, int d, FsTruncation *truncation G_GNUC_UNUSED)
{
  FsMove *move = sweep->move;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  fs_row_of_pairs (&move->grid, y, d, &first, &last);
  const uint16_t *weights = move->problem->weight[d];
  const PottsRow row = { .n = last - first,
                         .alpha = (uint8_t)move->alpha,
                         .cost = move->potts,
                         .a = sweep->labels + first,
                         .b = sweep->labels + first + step,
                         .forth = move->nlink[d] + first,
                         .back = move->nlink_back[d] + first };
  int32_t *here = move->grid.tlink + first;
  if (weights != NULL) {
    fill_potts_arcs (&row, weights + first, here);
    fill_potts_ends (&row, weights + first, here + step);
  } else {
    fill_potts_arcs (&row, NULL, here);
    fill_potts_ends (&row, NULL, here + step);
  }
}

static void
fill_table_warm (const FsSweep *sweep, int y, int d, FsTruncation *truncation)
{
  fill_table_pairs (sweep, y, d, fs_shares_of (sweep->move, sweep->duals, d), truncation);
}

static void
fill_pairs (const FsSweep *sweep, int y, int d, FsTruncation *truncation)
{
  FsMove *move = sweep->move;
  const uint8_t *labels = sweep->labels;
  int32_t *tlink = move->grid.tlink;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  FsShares shares = fs_shares_of (move, sweep->duals, d);
  fs_row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    size_t q = p + step;
    FsPairTerms terms = fs_move_pair_terms (move, p, q, d, labels);
    if (G_UNLIKELY (terms.truncated))
      fs_truncation_note (move, p, d, labels[p], labels[q], truncation);
    FsArcs arcs = fs_share_out (terms, shares, p, labels[p], labels[q], move->alpha);
    fs_arcs_write (move, d, p, arcs);
    tlink[p] -= terms.p_keeps - arcs.forth;
    tlink[q] -= terms.q_keeps - arcs.back;
  }
}

static void
fill_data (const FsSweep *sweep, int y)
{
  FsMove *move = sweep->move;
  size_t width = (size_t)move->grid.width, begin = (size_t)y * width;
  for (size_t p = begin; p < begin + width; p++)
    move->grid.tlink[p] = fs_move_data_tlink (move, p, sweep->labels);
  memcpy (move->seen + begin, sweep->labels + begin, width);
}

void
fs_move_fill (FsMove *move, int alpha, const uint8_t *labels, const FsDuals *duals, FsMoveRun *run)
{
  fs_move_return_solver (move, run);
  move->alpha = alpha;
  move->is_cold = duals == NULL;
  move->are_candidates_known = FALSE;
  FsSweep sweep;
  fs_sweep_init (&sweep, move, labels, duals);
  sweep.row = fill_data;
  sweep.pairs = !sweep.is_plain    ? fill_pairs
                : duals != NULL    ? fill_table_warm
                : move->potts != 0 ? fill_potts_cold
                                   : fill_table_cold;
  fs_sweep_all (&sweep, run->truncation);
}

/* --- Following --- */

enum { PIXELS_AT_ONCE = sizeof (uint64_t) };

/* Returns whether the labels of the next eight pixels are those that the move was made for. */
static inline gboolean
are_known (const FsSweep *sweep, size_t p)
{
  uint64_t now, seen;
  memcpy (&now, sweep->labels + p, sizeof now);
  memcpy (&seen, sweep->move->seen + p, sizeof seen);
  return now == seen;
}

static inline gboolean
is_known (const FsSweep *sweep, size_t p)
{
  return sweep->labels[p] == sweep->move->seen[p];
}

static inline FsPairTerms
terms_of (const FsSweep *sweep, size_t p, size_t q, int d, const uint8_t *labels)
{
  const FsMove *move = sweep->move;
  if (!sweep->is_plain)
    return fs_move_pair_terms (move, p, q, d, labels);
  const uint16_t *weight = move->problem->weight[d];
  return fs_table_terms (&sweep->costs, weight != NULL ? weight[p] : 1, labels[p], labels[q]);
}

/* The pair's arcs keep what they can of the flow; the t-links have what the arcs do not. */
static void
follow_pair (const FsSweep *sweep, size_t p, size_t q, int d, FsTruncation *truncation)
{
  FsMove *move = sweep->move;
  int32_t *tlink = move->grid.tlink;
  FsPairTerms old = terms_of (sweep, p, q, d, move->seen);
  FsPairTerms terms = terms_of (sweep, p, q, d, sweep->labels);
  if (terms.truncated)
    fs_truncation_note (move, p, d, sweep->labels[p], sweep->labels[q], truncation);
  FsArcs before = fs_arcs_read (move, d, p), arcs = fs_share_anew (before, terms.sum);
  fs_arcs_write (move, d, p, arcs);
  tlink[p] += old.p_keeps - before.forth - (terms.p_keeps - arcs.forth);
  tlink[q] += old.q_keeps - before.back - (terms.q_keeps - arcs.back);
}

typedef void (*PairWork) (const FsSweep *sweep, size_t p, size_t q, int d,
                          FsTruncation *truncation);

/* The pairs of a row in direction d of which an end has another label. */
static inline void
work_on_news (const FsSweep *sweep, int y, int d, PairWork work, FsTruncation *truncation)
{
  const FsGrid *grid = &sweep->move->grid;
  size_t step = (size_t)fs_grid_step (grid, d), first, last;
  fs_row_of_pairs (grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    if (p + PIXELS_AT_ONCE <= last && are_known (sweep, p) && are_known (sweep, p + step))
      p += PIXELS_AT_ONCE - 1;
    else if (!is_known (sweep, p) || !is_known (sweep, p + step))
      work (sweep, p, p + step, d, truncation);
  }
}

static void
follow_pairs (const FsSweep *sweep, int y, int d, FsTruncation *truncation)
{
  work_on_news (sweep, y, d, follow_pair, truncation);
}

static void
follow_data (const FsSweep *sweep, int y)
{
  FsMove *move = sweep->move;
  size_t begin = (size_t)y * (size_t)move->grid.width, end = begin + (size_t)move->grid.width;
  for (size_t p = begin; p < end; p++)
    if (p + PIXELS_AT_ONCE <= end && are_known (sweep, p))
      p += PIXELS_AT_ONCE - 1;
    else if (!is_known (sweep, p))
      move->grid.tlink[p] +=
          fs_move_data_tlink (move, p, sweep->labels) - fs_move_data_tlink (move, p, move->seen);
}

/* Sets a pair's dual to what sharing `terms` out has to begin with for p → q to get `forth`. */
static inline void
set_dual (const FsSweep *sweep, FsPairTerms terms, FsShares shares, size_t p, int a, int b,
          int32_t forth)
{
  int64_t dual = fs_even_share (terms, fs_share (shares, a, p), fs_share (shares, b, p)) - forth;
  sweep->folded[shares.first + p] = (int32_t)CLAMP (dual, -DUAL_MAX, DUAL_MAX);
}

/* The same of a plain table, whose sums fit 32 bits. */
static inline int32_t
table_dual (FsPairTerms terms, FsShares shares, size_t p, int a, int b, int32_t forth)
{
  int32_t of_a = fs_share (shares, a, p), of_b = fs_share (shares, b, p);
  int32_t both_keep = terms.p_keeps + terms.q_keeps - terms.sum + of_a - of_b;
  int32_t dual = terms.p_keeps + of_a - (both_keep >> 1) - forth;
  return CLAMP (dual, -DUAL_MAX, DUAL_MAX);
}

/* As follow_pair, but the pair's flow is put into the label's duals, and its arcs begin with all
 * labels' duals. */
static inline void
renew_pair (const FsSweep *sweep, size_t p, size_t q, int d, FsTruncation *truncation)
{
  FsMove *move = sweep->move;
  const uint8_t *seen = move->seen, *labels = sweep->labels;
  int32_t *tlink = move->grid.tlink;
  FsShares shares = fs_shares_of (move, sweep->duals, d);
  FsPairTerms old = terms_of (sweep, p, q, d, seen), terms = terms_of (sweep, p, q, d, labels);
  FsArcs before = fs_arcs_read (move, d, p);
  if (terms.truncated)
    fs_truncation_note (move, p, d, labels[p], labels[q], truncation);
  if (old.sum != 0)
    set_dual (sweep, old, shares, p, seen[p], seen[q], before.forth);
  FsArcs arcs = fs_share_out (terms, shares, p, labels[p], labels[q], move->alpha);
  fs_arcs_write (move, d, p, arcs);
  tlink[p] += old.p_keeps - before.forth - (terms.p_keeps - arcs.forth);
  tlink[q] += old.q_keeps - before.back - (terms.q_keeps - arcs.back);
}

/* As renew_pair, of a plain table: the same numbers, for a fraction of the work. */
static inline void
renew_table_pair (const FsSweep *sweep, size_t p, size_t q, int d, FsShares shares,
                  FsTruncation *truncation)
{
  FsMove *move = sweep->move;
  const uint16_t *weights = move->problem->weight[d];
  int32_t *tlink = move->grid.tlink, *dual = sweep->folded + shares.first + p;
  int32_t weight = weights != NULL ? weights[p] : 1;
  int was_a = move->seen[p], was_b = move->seen[q], a = sweep->labels[p], b = sweep->labels[q];
  FsPairTerms old = fs_table_terms (&sweep->costs, weight, was_a, was_b);
  FsPairTerms terms = fs_table_terms (&sweep->costs, weight, a, b);
  int32_t forth = move->nlink[d][p], back = move->nlink_back[d][p];
  if (G_UNLIKELY (terms.truncated))
    fs_truncation_note (move, p, d, a, b, truncation);
  int32_t known = *dual, found = table_dual (old, shares, p, was_a, was_b, forth);
  *dual = found = old.sum != 0 ? found : known;
  int32_t flow = table_dual (terms, shares, p, a, b, found);
  flow = CLAMP (flow, 0, terms.sum);
  move->nlink[d][p] = (uint16_t)flow;
  move->nlink_back[d][p] = (uint16_t)(terms.sum - flow);
  tlink[p] += old.p_keeps - forth - (terms.p_keeps - flow);
  tlink[q] += old.q_keeps - back - (terms.q_keeps - (terms.sum - flow));
}

static void
renew_table_pairs (const FsSweep *sweep, int y, int d, FsTruncation *truncation)
{
  const FsGrid *grid = &sweep->move->grid;
  size_t step = (size_t)fs_grid_step (grid, d), first, last;
  FsShares shares = fs_shares_of (sweep->move, sweep->duals, d);
  fs_row_of_pairs (grid, y, d, &first, &last);
  for (size_t p = first, end; p < last; p = end) {
    end = MIN (p + PIXELS_AT_ONCE, last);
    if (end < last && are_known (sweep, p) && are_known (sweep, p + step))
      continue;
    for (; p < end; p++)
      renew_table_pair (sweep, p, p + step, d, shares, truncation);
  }
}

static void
renew_pairs (const FsSweep *sweep, int y, int d, FsTruncation *truncation)
{
  work_on_news (sweep, y, d, renew_pair, truncation);
}

/* Follows all pixels; `pixels` are those whose data costs have changed. */
static void
follow_all (FsSweep *sweep, const uint32_t *pixels, size_t n, FsMoveRun *run)
{
  FsMove *move = sweep->move;
  sweep->row = follow_data;
  fs_sweep_all (sweep, run->truncation);
  memcpy (move->seen, sweep->labels, fs_grid_n_pixels (&move->grid));
  /* The former costs of these pixels are unknown. */
  for (size_t i = 0; i < n; i++)
    move->grid.tlink[pixels[i]] = fs_move_whole_tlink (move, pixels[i], sweep->labels);
  move->is_cold = FALSE;
  move->are_candidates_known = FALSE;
}

void
fs_move_follow (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                FsMoveRun *run)
{
  g_return_if_fail (move->solver == NULL);
  FsSweep sweep;
  fs_sweep_init (&sweep, move, labels, NULL);
  sweep.pairs = follow_pairs;
  follow_all (&sweep, pixels, n, run);
}

gboolean
fs_move_renew (FsMove *move, const uint8_t *labels, FsDuals *duals, const uint32_t *pixels,
               size_t n, FsMoveRun *run, GError **error)
{
  g_return_val_if_fail (move->solver == NULL, FALSE);
  if (!fs_duals_make (duals, move->alpha, error))
    return FALSE;
  FsSweep sweep;
  fs_sweep_init (&sweep, move, labels, duals);
  sweep.folded = duals->of[move->alpha];
  sweep.pairs = sweep.is_plain ? renew_table_pairs : renew_pairs;
  follow_all (&sweep, pixels, n, run);
  return TRUE;
}

/* The pairs of a pixel that has another label, each of them once, and its data cost. */
static void
follow_pixel (const FsSweep *sweep, size_t pixel, FsTruncation *truncation)
{
  FsMove *move = sweep->move;
  const FsGrid *grid = &move->grid;
  int x = (int)(pixel % (size_t)grid->width), y = (int)(pixel / (size_t)grid->width);
  for (int arc = 0; arc < FS_N_ARCS; arc++) {
    if (!fs_grid_has_arc (grid, x, y, arc))
      continue;
    uint32_t there = (uint32_t)((ptrdiff_t)pixel + fs_grid_step (grid, arc));
    g_array_append_val (move->candidates, there);
    if (arc < FS_DIRECTION_OPPOSITE)
      follow_pair (sweep, pixel, there, arc, truncation);
    else if (is_known (sweep, there))
      follow_pair (sweep, there, pixel, arc % FS_N_DIRECTIONS, truncation);
  }
  move->grid.tlink[pixel] += fs_move_data_tlink (move, pixel, sweep->labels)
                             - fs_move_data_tlink (move, pixel, move->seen);
}

void
fs_move_follow_few (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                    FsMoveRun *run)
{
  g_return_if_fail (move->solver == NULL);
  FsSweep sweep;
  fs_sweep_init (&sweep, move, labels, NULL);
  for (size_t i = 0; i < n; i++)
    if (!is_known (&sweep, pixels[i]))
      follow_pixel (&sweep, pixels[i], run->truncation);
  for (size_t i = 0; i < n; i++)
    move->seen[pixels[i]] = labels[pixels[i]];
  for (size_t i = 0; i < n; i++)
    move->grid.tlink[pixels[i]] = fs_move_whole_tlink (move, pixels[i], labels);
  g_array_append_vals (move->candidates, pixels, (guint)n);
  move->is_cold = FALSE;
}

/* --- Flow --- */

static void
read_flow_row (const FsSweep *sweep, int y)
{
  FsMove *move = sweep->move;
  const FsGrid *grid = &move->grid;
  size_t width = (size_t)grid->width, begin = (size_t)y * width;
  uint16_t *residual[FS_N_DIRECTIONS] = { NULL };
  /* The forward arcs give way to what is left of them, so the way back first gets the sum. */
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    residual[d] = move->nlink[d] + begin;
    for (size_t p = begin; p < begin + width; p++)
      move->nlink_back[d][p] = (uint16_t)(move->nlink_back[d][p] + move->nlink[d][p]);
  }
  fs_solver_read_state (move->solver, y, 1, move->grid.tlink + begin, residual);
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    for (size_t p = begin; p < begin + width; p++)
      move->nlink_back[d][p] = (uint16_t)(move->nlink_back[d][p] - move->nlink[d][p]);
}

void
fs_move_read_flow (FsMove *move, FsMoveRun *run)
{
  if (move->solver == NULL)
    return;
  FsSweep sweep = { .move = move, .row = read_flow_row };
  if (!move->is_wide)
    fs_sweep_all (&sweep, NULL);
  fs_move_return_solver (move, run);
}

/* --- Duals --- */

/* Sets the duals of a row from what is left of its arcs p → q. Pairs without a sum have no flow. */
static void
fold_pairs (const FsSweep *sweep, int y, int d)
{
  const FsMove *move = sweep->move;
  const uint8_t *labels = move->seen;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  FsShares shares = fs_shares_of (move, sweep->duals, d);
  int32_t *of_alpha = sweep->folded + shares.first;
  fs_row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    FsPairTerms terms = fs_move_pair_terms (move, p, p + step, d, labels);
    if (terms.sum == 0)
      continue;
    int32_t of_a = fs_share (shares, labels[p], p);
    int32_t of_b = fs_share (shares, labels[p + step], p);
    int64_t dual = fs_even_share (terms, of_a, of_b) - fs_arcs_read (move, d, p).forth;
    of_alpha[p] = (int32_t)CLAMP (dual, -DUAL_MAX, DUAL_MAX);
  }
}

/* As fold_pairs, of a plain table. */
static void
fold_table_pairs (const FsSweep *sweep, int y, int d)
{
  const FsMove *move = sweep->move;
  const uint8_t *labels = move->seen;
  const uint16_t *weight = move->problem->weight[d], *left = move->nlink[d];
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  FsShares shares = fs_shares_of (move, sweep->duals, d);
  int32_t *of_alpha = sweep->folded + shares.first;
  fs_row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    int a = labels[p], b = labels[p + step];
    FsPairTerms terms = fs_table_terms (&sweep->costs, weight != NULL ? weight[p] : 1, a, b);
    if (terms.sum == 0)
      continue;
    int32_t of_a = fs_share (shares, a, p), of_b = fs_share (shares, b, p);
    int32_t both_keep = terms.p_keeps + terms.q_keeps - terms.sum + of_a - of_b;
    int32_t dual = terms.p_keeps + of_a - (both_keep >> 1) - left[p];
    of_alpha[p] = CLAMP (dual, -DUAL_MAX, DUAL_MAX);
  }
}

static void
fold_row (const FsSweep *sweep, int y)
{
  for (int d = 0; d < fs_grid_n_directions (&sweep->move->grid); d++)
    if (sweep->is_plain)
      fold_table_pairs (sweep, y, d);
    else
      fold_pairs (sweep, y, d);
}

/* Returns whether one of the next eight labels is `label`. */
static inline gboolean
has_label (const uint8_t *labels, uint8_t label)
{
  const uint64_t ones = UINT64_C (0x0101010101010101);
  uint64_t eight;
  memcpy (&eight, labels, sizeof eight);
  eight ^= ones * label;
  return ((eight - ones) & ~eight & ones << 7) != 0;
}

/* Sets the duals of those of a row's pairs of which an end took the label. */
static void
fold_taken_pairs (const FsSweep *sweep, int y, int d)
{
  const FsMove *move = sweep->move;
  const uint8_t *seen = move->seen, *after = sweep->after, alpha = (uint8_t)move->alpha;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  FsShares shares = fs_shares_of (move, sweep->duals, d);
  fs_row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    size_t q = p + step;
    if (p + PIXELS_AT_ONCE <= last && !has_label (after + p, alpha)
        && !has_label (after + q, alpha)) {
      p += PIXELS_AT_ONCE - 1;
      continue;
    }
    if (after[p] != alpha && after[q] != alpha)
      continue;
    FsPairTerms terms = terms_of (sweep, p, q, d, seen);
    if (terms.sum != 0 && sweep->is_plain)
      sweep->folded[shares.first + p] =
          table_dual (terms, shares, p, seen[p], seen[q], move->nlink[d][p]);
    else if (terms.sum != 0)
      set_dual (sweep, terms, shares, p, seen[p], seen[q], fs_arcs_read (move, d, p).forth);
  }
}

static void
fold_taken_row (const FsSweep *sweep, int y)
{
  for (int d = 0; d < fs_grid_n_directions (&sweep->move->grid); d++)
    fold_taken_pairs (sweep, y, d);
}

gboolean
fs_move_fold_taken (FsMove *move, const uint8_t *after, FsDuals *duals, GError **error)
{
  g_return_val_if_fail (move->solver == NULL || move->is_wide, FALSE);
  if (!fs_duals_make (duals, move->alpha, error))
    return FALSE;
  FsSweep sweep;
  fs_sweep_init (&sweep, move, NULL, duals);
  sweep.folded = duals->of[move->alpha];
  sweep.after = after;
  sweep.row = fold_taken_row;
  fs_sweep_all (&sweep, NULL);
  return TRUE;
}

gboolean
fs_move_fold (FsMove *move, FsDuals *duals, GError **error)
{
  g_return_val_if_fail (move->solver == NULL || move->is_wide, FALSE);
  if (!fs_duals_make (duals, move->alpha, error))
    return FALSE;
  FsSweep sweep;
  fs_sweep_init (&sweep, move, NULL, duals);
  sweep.folded = duals->of[move->alpha];
  sweep.row = fold_row;
  fs_sweep_all (&sweep, NULL);
  return TRUE;
}
