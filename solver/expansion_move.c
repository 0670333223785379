/* SPDX-License-Identifier: MIT */
#include "solver/expansion_move.h"

#include "solver/certificate.h"
#include "solver/checked_memory.h"
#include "solver/expansion_pairs.h"

#include <string.h>

static gboolean
refuse_size (const FsLabelProblem *problem, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the cut of %d × %d pixels", problem->width, problem->height);
  return FALSE;
}

enum { SHOWN_MAX = FS_NLINK_MAX, DUAL_MAX = 1 << 28 };

/* --- Memory --- */

void
fs_duals_clear (FsDuals *duals)
{
  for (int label = 0; label < FS_LABELS_MAX; label++)
    g_clear_pointer (&duals->of[label], fs_memory_free);
}

static size_t
n_duals (const FsDuals *duals)
{
  return fs_label_problem_n_pixels (duals->problem)
         * (size_t)fs_label_problem_n_directions (duals->problem);
}

size_t
fs_duals_size_bytes (const FsDuals *duals)
{
  size_t bytes = sizeof *duals;
  for (int label = 0; label < FS_LABELS_MAX; label++)
    if (duals->of[label] != NULL)
      bytes += n_duals (duals) * sizeof (int32_t);
  return bytes;
}

static gboolean
make_duals (FsDuals *duals, int label, GError **error)
{
  if (duals->of[label] != NULL)
    return TRUE;
  duals->of[label] = fs_memory_new (n_duals (duals), sizeof (int32_t));
  if (duals->of[label] == NULL)
    return refuse_size (duals->problem, error);
  memset (duals->of[label], 0, n_duals (duals) * sizeof (int32_t));
  return TRUE;
}

/* Cuts one block into planes; with `block` NULL, only measures it. */
static size_t
place_planes (FsMove *move, uint8_t *block)
{
  size_t n = fs_grid_n_pixels (&move->grid);
  size_t at = 0;
  move->grid.tlink = (int32_t *)(void *)(block + at);
  at += n * sizeof (int32_t);
  for (int d = 0; move->is_wide && d < fs_grid_n_directions (&move->grid); d++) {
    move->forth[d] = (int32_t *)(void *)(block + at);
    move->back[d] = move->forth[d] + n;
    at += 2 * n * sizeof (int32_t);
  }
  for (int d = 0; d < fs_grid_n_directions (&move->grid); d++) {
    move->grid.nlink[d] = move->nlink[d] = (uint16_t *)(void *)(block + at);
    move->grid.nlink_back[d] = move->nlink_back[d] = move->nlink[d] + n;
    at += 2 * n * sizeof (uint16_t);
  }
  move->seen = block + at;
  return at + n;
}

FsMove *
fs_move_new (const FsLabelProblem *problem, GError **error)
{
  FsMove *move = g_new0 (FsMove, 1);
  move->problem = problem;
  move->grid = (FsGrid){ .width = problem->width,
                         .height = problem->height,
                         .neighbours = problem->neighbours };
  move->is_wide = 2 * fs_label_problem_largest_pair (problem) > FS_NLINK_PAIR_MAX;
  uint8_t origin;
  size_t n_bytes = place_planes (move, &origin);
  move->block = fs_memory_new (n_bytes, 1);
  if (move->block == NULL) {
    refuse_size (problem, error);
    fs_move_free (move);
    return NULL;
  }
  memset (move->block, 0, n_bytes);
  place_planes (move, move->block);
  return move;
}

void
fs_move_free (FsMove *move)
{
  if (move == NULL)
    return;
  fs_solver_free (move->solver);
  fs_memory_free (move->block);
  g_free (move);
}

size_t
fs_move_size_bytes (FsMove *move)
{
  FsMove measured = { .grid = move->grid, .is_wide = move->is_wide };
  uint8_t origin;
  return sizeof *move + place_planes (&measured, &origin)
         + (move->solver != NULL ? fs_solver_size_bytes (move->solver) : 0);
}

/* --- A pair's two arcs --- */

typedef struct {
  int32_t forth, back;
} Arcs;

static inline Arcs
read_arcs (const FsMove *move, int d, size_t p)
{
  if (move->is_wide)
    return (Arcs){ move->forth[d][p], move->back[d][p] };
  return (Arcs){ move->nlink[d][p], move->nlink_back[d][p] };
}

static inline void
write_arcs (FsMove *move, int d, size_t p, Arcs arcs)
{
  if (move->is_wide) {
    move->forth[d][p] = arcs.forth;
    move->back[d][p] = arcs.back;
  }
  move->nlink[d][p] = (uint16_t)MIN (arcs.forth, move->is_wide ? SHOWN_MAX : FS_NLINK_PAIR_MAX);
  move->nlink_back[d][p] = (uint16_t)MIN (arcs.back, move->is_wide ? SHOWN_MAX : FS_NLINK_PAIR_MAX);
}

/* The duals of one direction, which the labels of a pair have a share in. */
typedef struct {
  const int32_t *const *of; /* of all labels, or NULL */
  size_t first;             /* where the direction's begin */
} Shares;

static inline Shares
shares_of (const FsMove *move, const FsDuals *duals, int d)
{
  size_t n = fs_grid_n_pixels (&move->grid);
  return (Shares){ duals != NULL ? (const int32_t *const *)duals->of : NULL, (size_t)d * n };
}

static inline int32_t
share (Shares shares, int label, size_t p)
{
  return shares.of[label] != NULL ? shares.of[label][shares.first + p] : 0;
}

/* What goes to the arc p → q when Y_α is 0: each pixel is pulled by half of A − B. */
static inline int64_t
even_share (FsPairTerms terms, int32_t of_a, int32_t of_b)
{
  int64_t both_keep = (int64_t)terms.p_keeps + terms.q_keeps - terms.sum + of_a - of_b;
  return terms.p_keeps + of_a - (both_keep >> 1);
}

static inline Arcs
share_out (FsPairTerms terms, Shares shares, size_t p, int a, int b, int alpha)
{
  int64_t forth = shares.of == NULL ? even_share (terms, 0, 0)
                                    : even_share (terms, share (shares, a, p), share (shares, b, p))
                                          - share (shares, alpha, p);
  forth = CLAMP (forth, 0, terms.sum);
  return (Arcs){ (int32_t)forth, terms.sum - (int32_t)forth };
}

/* Arcs that have another sum now: what they differ by stays as far as it fits. */
static inline Arcs
share_anew (Arcs old, int32_t sum)
{
  int32_t forth = old.forth + (sum - old.forth - old.back) / 2;
  forth = CLAMP (forth, 0, sum);
  return (Arcs){ forth, sum - forth };
}

static inline FsPairTerms
pair_terms (const FsMove *move, size_t p, size_t q, int d, const uint8_t *labels)
{
  const FsLabelProblem *problem = move->problem;
  if (problem->present != NULL && (problem->present[p] == 0 || problem->present[q] == 0))
    return (FsPairTerms){ 0 };
  return fs_pair_terms (problem, p, d, labels[p], labels[q], move->alpha);
}

static void
note_truncation (const FsMove *move, size_t p, size_t q, int d, const uint8_t *labels,
                 FsTruncation *truncation)
{
  if (truncation->n++ == 0)
    *truncation = (FsTruncation){ .n = 1,
                                  .pixel = p,
                                  .direction = (FsDirection)d,
                                  .a = labels[p],
                                  .b = labels[q],
                                  .alpha = (uint8_t)move->alpha };
}

/* What the data costs alone make of a t-link. */
static inline int32_t
data_tlink (const FsMove *move, size_t p, const uint8_t *labels)
{
  const FsLabelProblem *problem = move->problem;
  size_t n = fs_label_problem_n_pixels (problem);
  if (!fs_label_problem_has (problem, p))
    return 0;
  return problem->data[(size_t)move->alpha * n + p] - problem->data[labels[p] * n + p];
}

/* --- Whole planes --- */

/* The pixels of a row that have a neighbour in a direction: [first, last). */
static void
row_of_pairs (const FsGrid *grid, int y, int d, size_t *first, size_t *last)
{
  int dx = fs_direction_dx ((FsDirection)d);
  size_t row = (size_t)y * (size_t)grid->width;
  *first = row + (dx < 0 ? 1 : 0);
  *last = row + (size_t)grid->width - (dx > 0 ? 1 : 0);
  if (y + fs_direction_dy ((FsDirection)d) >= grid->height)
    *last = *first;
}

/* What the pairs of a table cost in the move, but for their weight. Of arcs of 16 bits all sums
 * below fit 32 bits, duals and all. */
typedef struct {
  int n_labels;
  const int32_t *table;
  int32_t both_take;
  int32_t p_keeps[FS_LABELS_MAX], q_keeps[FS_LABELS_MAX]; /* [a], [b] */
} TableMove;

static gboolean
has_plain_table (const FsMove *move)
{
  return !move->is_wide && move->problem->table != NULL && move->problem->present == NULL;
}

static TableMove
table_move (const FsMove *move)
{
  int n = move->problem->n_labels, alpha = move->alpha;
  const int32_t *table = move->problem->table;
  TableMove costs = { .n_labels = n, .table = table, .both_take = table[alpha * n + alpha] };
  for (int a = 0; a < n; a++) {
    costs.p_keeps[a] = table[a * n + alpha] - costs.both_take;
    costs.q_keeps[a] = table[alpha * n + a] - costs.both_take;
  }
  return costs;
}

/* As fs_pair_terms, of a table. */
static inline FsPairTerms
table_terms (const TableMove *costs, int32_t weight, int a, int b)
{
  int32_t p_keeps = weight * costs->p_keeps[a], q_keeps = weight * costs->q_keeps[b];
  int32_t sum =
      p_keeps + q_keeps + weight * (costs->both_take - costs->table[a * costs->n_labels + b]);
  if (G_LIKELY (sum >= 0))
    return (FsPairTerms){ sum, p_keeps, q_keeps, FALSE };
  return (FsPairTerms){ 0, p_keeps - sum, q_keeps - sum, TRUE };
}

/* As fill_row, of a plain table: the same numbers, for a fraction of the work. */
static inline void
fill_table_row (FsMove *move, int y, int d, const uint8_t *labels, const TableMove *costs,
                Shares shares, FsMoveRun *run)
{
  const uint16_t *weight = move->problem->weight[d];
  uint16_t *forth = move->nlink[d], *back = move->nlink_back[d];
  int32_t *tlink = move->grid.tlink;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    int a = labels[p], b = labels[p + step];
    FsPairTerms terms = table_terms (costs, weight != NULL ? weight[p] : 1, a, b);
    if (G_UNLIKELY (terms.truncated))
      note_truncation (move, p, p + step, d, labels, run->truncation);
    int32_t of_a = shares.of != NULL ? share (shares, a, p) : 0;
    int32_t of_b = shares.of != NULL ? share (shares, b, p) : 0;
    int32_t both_keep = terms.p_keeps + terms.q_keeps - terms.sum + of_a - of_b;
    int32_t flow = terms.p_keeps + of_a - (both_keep >> 1);
    if (shares.of != NULL)
      flow -= share (shares, move->alpha, p);
    flow = CLAMP (flow, 0, terms.sum);
    forth[p] = (uint16_t)flow;
    back[p] = (uint16_t)(terms.sum - flow);
    tlink[p] -= terms.p_keeps - flow;
    tlink[p + step] -= terms.q_keeps - (terms.sum - flow);
  }
}

static void
fill_table (FsMove *move, const uint8_t *labels, const FsDuals *duals, FsMoveRun *run)
{
  const FsGrid *grid = &move->grid;
  const Shares none = { NULL, 0 };
  TableMove costs = table_move (move);
  for (int y = 0; y < grid->height; y++)
    for (int d = 0; d < fs_grid_n_directions (grid); d++)
      if (duals == NULL)
        fill_table_row (move, y, d, labels, &costs, none, run);
      else
        fill_table_row (move, y, d, labels, &costs, shares_of (move, duals, d), run);
}

static void
fill_row (FsMove *move, int y, int d, const uint8_t *labels, const FsDuals *duals, FsMoveRun *run)
{
  int32_t *tlink = move->grid.tlink;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  Shares shares = shares_of (move, duals, d);
  row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    size_t q = p + step;
    FsPairTerms terms = pair_terms (move, p, q, d, labels);
    if (G_UNLIKELY (terms.truncated))
      note_truncation (move, p, q, d, labels, run->truncation);
    Arcs arcs = share_out (terms, shares, p, labels[p], labels[q], move->alpha);
    write_arcs (move, d, p, arcs);
    tlink[p] -= terms.p_keeps - arcs.forth;
    tlink[q] -= terms.q_keeps - arcs.back;
  }
}

void
fs_move_fill (FsMove *move, int alpha, const uint8_t *labels, const FsDuals *duals, FsMoveRun *run)
{
  FsGrid *grid = &move->grid;
  size_t n = fs_grid_n_pixels (grid);
  g_clear_pointer (&move->solver, fs_solver_free);
  move->alpha = alpha;
  for (size_t p = 0; p < n; p++)
    grid->tlink[p] = data_tlink (move, p, labels);
  if (has_plain_table (move))
    fill_table (move, labels, duals, run);
  for (int y = 0; y < grid->height && !has_plain_table (move); y++)
    for (int d = 0; d < fs_grid_n_directions (grid); d++)
      fill_row (move, y, d, labels, duals, run);
  memcpy (move->seen, labels, n);
}

/* --- Flow --- */

/* A row of a solver's state. */
typedef struct {
  int32_t *excess;
  uint16_t *residual[FS_N_DIRECTIONS];
} Row;

static void
row_init (Row *row, const FsGrid *grid)
{
  size_t width = (size_t)grid->width;
  row->excess = g_new (int32_t, width);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    row->residual[d] = d < fs_grid_n_directions (grid) ? g_new (uint16_t, width) : NULL;
}

static void
row_clear (Row *row)
{
  g_free (row->excess);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    g_free (row->residual[d]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Row, row_clear)

/* Takes the flow out of the whole arcs, and into the t-links. Whether an arc is full in the solver
 * then that has more than it showed. */
static gboolean
absorb (FsMove *move)
{
  const FsGrid *grid = &move->grid;
  size_t width = (size_t)grid->width;
  gboolean is_used_up = FALSE;
  g_auto (Row) row;
  row_init (&row, grid);
  for (int y = 0; y < grid->height; y++) {
    fs_solver_read_state (move->solver, y, 1, row.excess, row.residual);
    for (int d = 0; d < fs_grid_n_directions (grid); d++)
      for (size_t x = 0, p = (size_t)y * width; x < width; x++, p++) {
        int32_t forth = row.residual[d][x];
        int32_t flow = move->nlink[d][p] - forth;
        int32_t back = move->nlink_back[d][p] + flow;
        Arcs left = { move->forth[d][p] - flow, move->back[d][p] + flow };
        is_used_up |= (forth == 0 && left.forth > 0) || (back == 0 && left.back > 0);
        write_arcs (move, d, p, left);
      }
    memcpy (move->grid.tlink + (size_t)y * width, row.excess, width * sizeof *row.excess);
  }
  return is_used_up;
}

/* Sets the duals of a row from what is left of its arcs p → q, in the solver or, without its
 * residuals, in the planes. Pairs without a sum have no flow. */
static void
fold_row (const FsMove *move, int y, int d, const uint16_t *residual, FsDuals *duals)
{
  const uint8_t *labels = move->seen;
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  size_t begin = (size_t)y * (size_t)move->grid.width;
  Shares shares = shares_of (move, duals, d);
  int32_t *of_alpha = duals->of[move->alpha] + shares.first;
  row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    FsPairTerms terms = pair_terms (move, p, p + step, d, labels);
    if (terms.sum == 0)
      continue;
    int32_t left = residual != NULL ? residual[p - begin] : read_arcs (move, d, p).forth;
    int64_t dual =
        even_share (terms, share (shares, labels[p], p), share (shares, labels[p + step], p))
        - left;
    of_alpha[p] = (int32_t)CLAMP (dual, -DUAL_MAX, DUAL_MAX);
  }
}

/* As fold_row, of a plain table. */
static void
fold_table_row (const FsMove *move, int y, int d, const TableMove *costs, const uint16_t *residual,
                FsDuals *duals)
{
  const uint8_t *labels = move->seen;
  const uint16_t *weight = move->problem->weight[d];
  size_t step = (size_t)fs_grid_step (&move->grid, d), first, last;
  size_t begin = (size_t)y * (size_t)move->grid.width;
  const uint16_t *left = residual != NULL ? residual : move->nlink[d] + begin;
  Shares shares = shares_of (move, duals, d);
  int32_t *of_alpha = duals->of[move->alpha] + shares.first;
  row_of_pairs (&move->grid, y, d, &first, &last);
  for (size_t p = first; p < last; p++) {
    int a = labels[p], b = labels[p + step];
    FsPairTerms terms = table_terms (costs, weight != NULL ? weight[p] : 1, a, b);
    if (terms.sum == 0)
      continue;
    int32_t of_a = share (shares, a, p), of_b = share (shares, b, p);
    int32_t both_keep = terms.p_keeps + terms.q_keeps - terms.sum + of_a - of_b;
    int32_t dual = terms.p_keeps + of_a - (both_keep >> 1) - left[p - begin];
    of_alpha[p] = CLAMP (dual, -DUAL_MAX, DUAL_MAX);
  }
}

gboolean
fs_move_fold (FsMove *move, FsDuals *duals, GError **error)
{
  const FsGrid *grid = &move->grid;
  gboolean has_state = move->solver != NULL && !move->is_wide;
  if (!make_duals (duals, move->alpha, error))
    return FALSE;
  gboolean is_plain = has_plain_table (move);
  TableMove costs = is_plain ? table_move (move) : (TableMove){ 0 };
  g_auto (Row) row;
  row_init (&row, grid);
  for (int y = 0; y < grid->height; y++) {
    if (has_state)
      fs_solver_read_state (move->solver, y, 1, row.excess, row.residual);
    for (int d = 0; d < fs_grid_n_directions (grid); d++)
      if (is_plain)
        fold_table_row (move, y, d, &costs, has_state ? row.residual[d] : NULL, duals);
      else
        fold_row (move, y, d, has_state ? row.residual[d] : NULL, duals);
  }
  return TRUE;
}

/* --- Single pixels --- */

/* Both ends of a pixel's arc, the one it starts from in a forward direction first. */
typedef struct {
  size_t p, q;
  int d;
} Pair;

static gboolean
pair_of (const FsGrid *grid, size_t pixel, int arc, Pair *pair)
{
  int x = (int)(pixel % (size_t)grid->width), y = (int)(pixel / (size_t)grid->width);
  if (!fs_grid_has_arc (grid, x, y, arc))
    return FALSE;
  size_t there = (size_t)((ptrdiff_t)pixel + fs_grid_step (grid, arc));
  gboolean is_forward = arc < FS_DIRECTION_OPPOSITE;
  *pair = (Pair){ is_forward ? pixel : there, is_forward ? there : pixel, arc % FS_N_DIRECTIONS };
  return TRUE;
}

static void
list_nlinks (FsMove *move, size_t pixel, const uint8_t *labels, GArray *nlinks, FsMoveRun *run)
{
  Pair pair;
  for (int arc = 0; arc < FS_N_ARCS; arc++) {
    if (!pair_of (&move->grid, pixel, arc, &pair))
      continue;
    FsPairTerms terms = pair_terms (move, pair.p, pair.q, pair.d, labels);
    if (terms.truncated)
      note_truncation (move, pair.p, pair.q, pair.d, labels, run->truncation);
    Arcs old = read_arcs (move, pair.d, pair.p);
    if (old.forth + old.back == terms.sum)
      continue;
    Arcs arcs = share_anew (old, terms.sum);
    FsNlinkChange change = { .pixel = (uint32_t)pair.p,
                             .direction = (uint8_t)pair.d,
                             .forth = (uint16_t)arcs.forth,
                             .back = (uint16_t)arcs.back };
    g_array_append_val (nlinks, change);
  }
}

static int32_t
whole_tlink (const FsMove *move, size_t pixel, const uint8_t *labels)
{
  int32_t tlink = data_tlink (move, pixel, labels);
  Pair pair;
  for (int arc = 0; arc < FS_N_ARCS; arc++)
    if (pair_of (&move->grid, pixel, arc, &pair)) {
      FsPairTerms terms = pair_terms (move, pair.p, pair.q, pair.d, labels);
      Arcs arcs = read_arcs (move, pair.d, pair.p);
      tlink -= pair.p == pixel ? terms.p_keeps - arcs.forth : terms.q_keeps - arcs.back;
    }
  return tlink;
}

/* A pixel's t-link and its neighbours', for their pairs are other ones. */
static void
list_tlinks (FsMove *move, size_t pixel, const uint8_t *labels, GArray *tlinks)
{
  FsTlinkChange change = { (uint32_t)pixel, whole_tlink (move, pixel, labels) };
  g_array_append_val (tlinks, change);
  for (int arc = 0; arc < FS_N_ARCS; arc++) {
    Pair pair;
    if (!pair_of (&move->grid, pixel, arc, &pair))
      continue;
    size_t there = pair.p == pixel ? pair.q : pair.p;
    change = (FsTlinkChange){ (uint32_t)there, whole_tlink (move, there, labels) };
    if (change.tlink != move->grid.tlink[there])
      g_array_append_val (tlinks, change);
  }
}

/* Without a solver there is no flow to keep: the planes are all. */
static gboolean
change_nlinks (FsMove *move, const GArray *changes, GError **error)
{
  if (move->solver != NULL)
    return fs_solver_change_nlinks (move->solver, (const void *)changes->data, changes->len, error);
  for (guint i = 0; i < changes->len; i++) {
    const FsNlinkChange *change = &g_array_index (changes, FsNlinkChange, i);
    move->nlink[change->direction][change->pixel] = change->forth;
    move->nlink_back[change->direction][change->pixel] = change->back;
  }
  return TRUE;
}

static gboolean
change_tlinks (FsMove *move, const GArray *changes, GError **error)
{
  if (move->solver != NULL)
    return fs_solver_change_tlinks (move->solver, (const void *)changes->data, changes->len, error);
  for (guint i = 0; i < changes->len; i++) {
    const FsTlinkChange *change = &g_array_index (changes, FsTlinkChange, i);
    move->grid.tlink[change->pixel] = change->tlink;
  }
  return TRUE;
}

gboolean
fs_move_can_update (const FsMove *move, const FsBackend *backend)
{
  return !move->is_wide && backend->change_nlinks != NULL;
}

gboolean
fs_move_update (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                FsMoveRun *run, GError **error)
{
  g_return_val_if_fail (fs_move_can_update (move, run->backend), FALSE);
  g_autoptr (GArray) nlinks = g_array_new (FALSE, FALSE, sizeof (FsNlinkChange));
  g_autoptr (GArray) tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (size_t i = 0; i < n; i++)
    list_nlinks (move, pixels[i], labels, nlinks, run);
  if (!change_nlinks (move, nlinks, error))
    return FALSE;
  for (size_t i = 0; i < n; i++) {
    list_tlinks (move, pixels[i], labels, tlinks);
    move->seen[pixels[i]] = labels[pixels[i]];
  }
  return change_tlinks (move, tlinks, error);
}

/* --- Solving --- */

static gboolean
certify (FsMove *move, GError **error)
{
  FsCertificate certificate;
  if (!fs_grid_validate (&move->grid, error)
      || !fs_solver_certify (move->solver, &certificate, error))
    return FALSE;
  if (!certificate.holds)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND,
                 "the certificate of an expansion of label %d does not hold", move->alpha);
  return certificate.holds;
}

static gboolean
solve_shown (FsMove *move, FsMoveRun *run, GError **error)
{
  if (move->solver == NULL)
    move->solver = fs_solver_new (run->backend, &move->grid, error);
  FsSolution solution;
  run->n_solves++;
  return move->solver != NULL && fs_solver_solve (move->solver, run->progress, &solution, error)
         && (!run->verify || certify (move, error));
}

static FsPullOutcome
pull (FsMove *move, uint8_t *mask, FsMoveRun *run)
{
  const FsPullArcs arcs = { .grid = &move->grid,
                            .excess = move->grid.tlink,
                            .nlink = move->nlink,
                            .nlink_back = move->nlink_back,
                            .forth = move->is_wide ? move->forth : NULL,
                            .back = move->is_wide ? move->back : NULL };
  return fs_pull_run (run->pull, &arcs, mask);
}

static gboolean
refuse_cancelled (GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
  return FALSE;
}

/* The mask of a solver, made or mended for it. */
static gboolean
cut (FsMove *move, uint8_t *mask, FsMoveRun *run, GError **error)
{
  const FsGrid *grid = &move->grid;
  if (!solve_shown (move, run, error))
    return FALSE;
  while (move->is_wide && absorb (move)) {
    g_clear_pointer (&move->solver, fs_solver_free);
    if (!solve_shown (move, run, error))
      return FALSE;
  }
  fs_solver_read_mask (move->solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  return TRUE;
}

gboolean
fs_move_check (FsMove *move, const uint8_t *mask, FsMoveRun *run, GError **error)
{
  size_t n = fs_grid_n_pixels (&move->grid);
  g_autofree uint8_t *proven = g_malloc (n);
  if (!cut (move, proven, run, error))
    return FALSE;
  if (memcmp (mask, proven, n) == 0)
    return TRUE;
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND,
               "an expansion of label %d is not that of a certified cut", move->alpha);
  return FALSE;
}

gboolean
fs_move_solve (FsMove *move, uint8_t *mask, gboolean *takes_any, FsMoveRun *run, GError **error)
{
  FsPullOutcome outcome = FS_PULL_TOO_MUCH;
  *takes_any = TRUE;
  if (fs_progress_is_cancelled (run->progress))
    return refuse_cancelled (error);
  if (move->solver == NULL)
    outcome = pull (move, mask, run);
  if (outcome == FS_PULL_TOO_MUCH)
    return cut (move, mask, run, error);
  *takes_any = outcome == FS_PULL_MASK;
  if (!run->verify)
    return TRUE;
  if (!*takes_any)
    memset (mask, 1, fs_grid_n_pixels (&move->grid));
  return fs_move_check (move, mask, run, error);
}
