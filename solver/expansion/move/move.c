/* SPDX-License-Identifier: MIT */
#include "solver/expansion/move/move.h"

#include "solver/backend.h"
#include "solver/certificate.h"
#include "solver/expansion/move/arcs.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static gboolean
refuse_size (const FsLabelProblem *problem, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory for the cut of %d × %d pixels", problem->width, problem->height);
  return FALSE;
}

/* --- Memory --- */

void
fs_duals_clear (FsDuals *duals)
{
  for (int label = 0; label < FS_LABELS_MAX; label++)
    if (duals->of[label] != NULL)
      fs_reused_memory_free (&duals->reused, g_steal_pointer (&duals->of[label]));
  fs_reused_memory_clear (&duals->reused);
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
  size_t bytes = sizeof *duals + fs_reused_memory_left_bytes (&duals->reused);
  for (int label = 0; label < FS_LABELS_MAX; label++)
    if (duals->of[label] != NULL)
      bytes += n_duals (duals) * sizeof (int32_t);
  return bytes;
}

static gboolean
make_duals (FsDuals *duals, int label, GError **error)
{
  duals->of[label] = fs_reused_memory_new (&duals->reused, n_duals (duals), sizeof (int32_t));
  return duals->of[label] != NULL || refuse_size (duals->problem, error);
}

gboolean
fs_duals_make (FsDuals *duals, int label, GError **error)
{
  if (duals->of[label] != NULL)
    return TRUE;
  if (!make_duals (duals, label, error))
    return FALSE;
  memset (duals->of[label], 0, n_duals (duals) * sizeof (int32_t));
  return TRUE;
}

gboolean
fs_duals_make_all (FsDuals *duals, GError **error)
{
  for (int label = 0; label < duals->problem->n_labels; label++)
    if (!make_duals (duals, label, error)) {
      fs_duals_clear (duals);
      return FALSE;
    }
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

static gboolean
is_wide (const FsLabelProblem *problem)
{
  return 2 * fs_label_problem_largest_pair (problem) > FS_NLINK_PAIR_MAX;
}

static int32_t
potts_of (const FsLabelProblem *problem)
{
  int n = problem->n_labels;
  int32_t cost = problem->table != NULL && n > 1 ? problem->table[1] : 0;
  for (int a = 0; a < n && cost != 0; a++)
    for (int b = 0; b < n; b++)
      if (problem->table[a * n + b] != (a == b ? 0 : cost))
        return 0;
  return cost;
}

/* Pairs that would leave the grid have no arcs, and no fill writes any; it writes all the others.
 */
static void
clear_outside (FsMove *move)
{
  const FsGrid *grid = &move->grid;
  const FsArcs none = { 0 };
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    for (int y = 0; y < grid->height; y++) {
      size_t begin = (size_t)y * (size_t)grid->width, end = begin + (size_t)grid->width, first,
             last;
      fs_row_of_pairs (grid, y, d, &first, &last);
      for (size_t p = begin; p < first; p++)
        fs_arcs_write (move, d, p, none);
      for (size_t p = last; p < end; p++)
        fs_arcs_write (move, d, p, none);
    }
}

FsMove *
fs_move_new (const FsLabelProblem *problem, FsReusedMemory *reused, GError **error)
{
  FsMove *move = g_new0 (FsMove, 1);
  move->problem = problem;
  move->reused = reused;
  move->grid = (FsGrid){ .width = problem->width,
                         .height = problem->height,
                         .neighbours = problem->neighbours };
  move->is_wide = is_wide (problem);
  move->potts = potts_of (problem);
  move->candidates = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  uint8_t origin;
  size_t n_bytes = place_planes (move, &origin);
  move->block = fs_reused_memory_new (reused, n_bytes, 1);
  if (move->block == NULL) {
    refuse_size (problem, error);
    fs_move_free (move);
    return NULL;
  }
  place_planes (move, move->block);
  clear_outside (move);
  return move;
}

void
fs_move_free (FsMove *move)
{
  if (move == NULL)
    return;
  fs_solver_free (move->solver);
  fs_reused_memory_free (move->reused, move->block);
  g_array_unref (move->candidates);
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
        FsArcs left = { move->forth[d][p] - flow, move->back[d][p] + flow };
        is_used_up |= (forth == 0 && left.forth > 0) || (back == 0 && left.back > 0);
        fs_arcs_write (move, d, p, left);
      }
    memcpy (move->grid.tlink + (size_t)y * width, row.excess, width * sizeof *row.excess);
  }
  return is_used_up;
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
    FsPairTerms terms = fs_move_pair_terms (move, pair.p, pair.q, pair.d, labels);
    if (terms.truncated)
      fs_truncation_note (move, pair.p, pair.d, labels[pair.p], labels[pair.q], run->truncation);
    FsArcs old = fs_arcs_read (move, pair.d, pair.p);
    if (old.forth + old.back == terms.sum)
      continue;
    FsArcs arcs = fs_share_anew (old, terms.sum);
    FsNlinkChange change = { .pixel = (uint32_t)pair.p,
                             .direction = (uint8_t)pair.d,
                             .forth = (uint16_t)arcs.forth,
                             .back = (uint16_t)arcs.back };
    g_array_append_val (nlinks, change);
  }
}

int32_t
fs_move_whole_tlink (const FsMove *move, size_t pixel, const uint8_t *labels)
{
  int32_t tlink = fs_move_data_tlink (move, pixel, labels);
  Pair pair;
  for (int arc = 0; arc < FS_N_ARCS; arc++)
    if (pair_of (&move->grid, pixel, arc, &pair)) {
      FsPairTerms terms = fs_move_pair_terms (move, pair.p, pair.q, pair.d, labels);
      FsArcs arcs = fs_arcs_read (move, pair.d, pair.p);
      tlink -= pair.p == pixel ? terms.p_keeps - arcs.forth : terms.q_keeps - arcs.back;
    }
  return tlink;
}

/* A pixel's t-link and its neighbours', for their pairs are other ones. */
static void
list_tlinks (FsMove *move, size_t pixel, const uint8_t *labels, GArray *tlinks)
{
  FsTlinkChange change = { (uint32_t)pixel, fs_move_whole_tlink (move, pixel, labels) };
  g_array_append_val (tlinks, change);
  for (int arc = 0; arc < FS_N_ARCS; arc++) {
    Pair pair;
    if (!pair_of (&move->grid, pixel, arc, &pair))
      continue;
    size_t there = pair.p == pixel ? pair.q : pair.p;
    change = (FsTlinkChange){ (uint32_t)there, fs_move_whole_tlink (move, there, labels) };
    if (change.tlink != move->grid.tlink[there])
      g_array_append_val (tlinks, change);
  }
}

gboolean
fs_move_can_update (const FsBackend *backend)
{
  return backend->change_nlinks != NULL;
}

gboolean
fs_move_update (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                FsMoveRun *run, GError **error)
{
  g_return_val_if_fail (!move->is_wide && move->solver != NULL, FALSE);
  g_autoptr (GArray) nlinks = g_array_new (FALSE, FALSE, sizeof (FsNlinkChange));
  g_autoptr (GArray) tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (size_t i = 0; i < n; i++)
    list_nlinks (move, pixels[i], labels, nlinks, run);
  if (!fs_solver_change_nlinks (move->solver, (const void *)nlinks->data, nlinks->len, error))
    return FALSE;
  for (size_t i = 0; i < n; i++) {
    list_tlinks (move, pixels[i], labels, tlinks);
    move->seen[pixels[i]] = labels[pixels[i]];
  }
  return fs_solver_change_tlinks (move->solver, (const void *)tlinks->data, tlinks->len, error);
}

/* --- Solving --- */

static gboolean
certify_move (FsMove *move, GError **error)
{
  FsCertificate certificate;
  if (!fs_grid_validate (&move->grid, error)
      || !fs_solver_certify (move->solver, &certificate, error))
    return FALSE;
  if (!certificate.holds)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_UNPROVEN,
                 "the certificate of a move of label %d does not hold", move->alpha);
  return certificate.holds;
}

void
fs_move_return_solver (FsMove *move, FsMoveRun *run)
{
  FsSolver *solver = g_steal_pointer (&move->solver);
  if (solver != NULL && run->spare != NULL && *run->spare == NULL
      && solver->backend->rebuild != NULL)
    *run->spare = solver;
  else
    fs_solver_free (solver);
}

static FsSolver *
take_solver (FsMove *move, FsMoveRun *run, GError **error)
{
  if (run->spare == NULL || *run->spare == NULL)
    return fs_solver_new (run->backend, &move->grid, error);
  FsSolver *solver = g_steal_pointer (run->spare);
  fs_solver_rebuild (solver, &move->grid);
  return solver;
}

static gboolean
solve_shown (FsMove *move, FsMoveRun *run, GError **error)
{
  if (move->solver == NULL)
    move->solver = take_solver (move, run, error);
  move->are_candidates_known = FALSE;
  FsSolution solution;
  run->n_solves++;
  return move->solver != NULL && fs_solver_solve (move->solver, run->progress, &solution, error)
         && (!run->verify || certify_move (move, error));
}

static FsLocalMaxflowOutcome
maxflow (FsMove *move, uint8_t *mask, FsMoveRun *run)
{
  const FsLocalMaxflowArcs arcs = { .grid = &move->grid,
                                    .excess = move->grid.tlink,
                                    .nlink = move->nlink,
                                    .nlink_back = move->nlink_back,
                                    .forth = move->is_wide ? move->forth : NULL,
                                    .back = move->is_wide ? move->back : NULL,
                                    .candidates =
                                        move->are_candidates_known ? move->candidates : NULL };
  if (move->is_cold && fs_local_maxflow_is_needed (&arcs))
    return FS_LOCAL_MAXFLOW_TOO_MUCH;
  FsLocalMaxflowOutcome outcome = fs_local_maxflow_run (run->maxflow, &arcs, mask);
  move->are_candidates_known = outcome != FS_LOCAL_MAXFLOW_TOO_MUCH;
  if (move->are_candidates_known)
    fs_local_maxflow_list_deficits (run->maxflow, &arcs, move->candidates);
  return outcome;
}

static gboolean
refuse_cancelled (GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "the cut was cancelled");
  return FALSE;
}

/* The mask of a solver, made or mended for it. */
static gboolean
cut_move (FsMove *move, uint8_t *mask, FsMoveRun *run, GError **error)
{
  const FsGrid *grid = &move->grid;
  if (!solve_shown (move, run, error))
    return FALSE;
  while (move->is_wide && absorb (move)) {
    fs_move_return_solver (move, run);
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
  g_autofree uint8_t *proven = g_try_malloc (n);
  if (proven == NULL) {
    refuse_size (move->problem, error);
    return FALSE;
  }
  if (!cut_move (move, proven, run, error))
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
  FsLocalMaxflowOutcome outcome = FS_LOCAL_MAXFLOW_TOO_MUCH;
  *takes_any = TRUE;
  if (fs_progress_is_cancelled (run->progress))
    return refuse_cancelled (error);
  if (move->solver == NULL)
    outcome = maxflow (move, mask, run);
  if (outcome == FS_LOCAL_MAXFLOW_TOO_MUCH)
    return cut_move (move, mask, run, error);
  *takes_any = outcome == FS_LOCAL_MAXFLOW_MASK;
  if (!run->verify)
    return TRUE;
  if (!*takes_any)
    memset (mask, 1, fs_grid_n_pixels (&move->grid));
  return fs_move_check (move, mask, run, error);
}
