/* SPDX-License-Identifier: MIT */
#include "solver/expansion_move.h"

#include "solver/certificate.h"
#include "solver/checked_memory.h"
#include "solver/expansion_pairs.h"

#include <string.h>

/* Above this share of changed pixels a new solver is cheaper than a mended one. */
enum { PIXELS_PER_UPDATE = 8, SHOWN_MAX = FS_NLINK_MAX };

/* --- Memory --- */

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
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the cut of %d × %d pixels", problem->width,
                 problem->height);
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

/* The arcs with another sum: what they differ by is flow, and stays as far as it fits. */
static inline Arcs
share_out (Arcs old, int32_t sum)
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

static void
fill_row (FsMove *move, int y, int d, const uint8_t *labels, FsMoveRun *run)
{
  const FsGrid *grid = &move->grid;
  int32_t *tlink = move->grid.tlink;
  int dx = fs_direction_dx ((FsDirection)d);
  int first = dx < 0 ? 1 : 0;
  int last = dx > 0 ? grid->width - 1 : grid->width;
  size_t row = (size_t)y * (size_t)grid->width;
  size_t step = (size_t)fs_grid_step (grid, d);
  for (size_t p = row + (size_t)first; p < row + (size_t)last; p++) {
    size_t q = p + step;
    FsPairTerms terms = pair_terms (move, p, q, d, labels);
    if (G_UNLIKELY (terms.truncated))
      note_truncation (move, p, q, d, labels, run->truncation);
    Arcs arcs = share_out (read_arcs (move, d, p), terms.sum);
    write_arcs (move, d, p, arcs);
    tlink[p] -= terms.p_keeps - arcs.forth;
    tlink[q] -= terms.q_keeps - arcs.back;
  }
}

/* Makes everything anew but for the flow that the arcs hold. */
static void
fill (FsMove *move, int alpha, const uint8_t *labels, FsMoveRun *run)
{
  FsGrid *grid = &move->grid;
  size_t n = fs_grid_n_pixels (grid);
  g_clear_pointer (&move->solver, fs_solver_free);
  move->alpha = alpha;
  for (size_t p = 0; p < n; p++)
    grid->tlink[p] = data_tlink (move, p, labels);
  for (int y = 0; y < grid->height; y++)
    for (int d = 0; d < fs_grid_n_directions (grid); d++)
      if (y + fs_direction_dy ((FsDirection)d) < grid->height)
        fill_row (move, y, d, labels, run);
  memcpy (move->seen, labels, n);
  move->is_filled = TRUE;
}

void
fs_move_fill (FsMove *move, int alpha, const uint8_t *labels, FsMoveRun *run)
{
  size_t n = fs_grid_n_pixels (&move->grid);
  for (int d = 0; d < fs_grid_n_directions (&move->grid); d++) {
    memset (move->nlink[d], 0, 2 * n * sizeof (uint16_t));
    if (move->is_wide)
      memset (move->forth[d], 0, 2 * n * sizeof (int32_t));
  }
  fill (move, alpha, labels, run);
}

/* Reads the arcs of `from` with the flow of its solver in them. */
static void
absorb (FsMove *move, FsMove *from)
{
  const FsGrid *grid = &from->grid;
  size_t width = (size_t)grid->width;
  g_autofree int32_t *excess = g_new (int32_t, width);
  g_autofree uint16_t *rows = g_new (uint16_t, FS_N_DIRECTIONS * width);
  uint16_t *residual[FS_N_DIRECTIONS] = { rows, rows + width, rows + 2 * width, rows + 3 * width };
  for (int y = 0; y < grid->height; y++) {
    fs_solver_read_state (from->solver, y, 1, excess, residual);
    for (int d = 0; d < fs_grid_n_directions (grid); d++)
      for (size_t x = 0; x < width; x++) {
        size_t p = (size_t)y * width + x;
        int32_t flow = from->nlink[d][p] - residual[d][x];
        Arcs arcs = read_arcs (from, d, p);
        write_arcs (move, d, p, (Arcs){ arcs.forth - flow, arcs.back + flow });
      }
  }
}

static void
copy_arcs (FsMove *move, const FsMove *from)
{
  size_t n = fs_grid_n_pixels (&move->grid);
  for (int d = 0; d < fs_grid_n_directions (&move->grid); d++) {
    memcpy (move->nlink[d], from->nlink[d], 2 * n * sizeof (uint16_t));
    if (move->is_wide)
      memcpy (move->forth[d], from->forth[d], 2 * n * sizeof (int32_t));
  }
}

void
fs_move_refill (FsMove *move, FsMove *from, int alpha, const uint8_t *labels, FsMoveRun *run)
{
  if (from->solver != NULL)
    absorb (move, from);
  else if (from != move)
    copy_arcs (move, from);
  fill (move, alpha, labels, run);
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
    Arcs arcs = share_out (old, terms.sum);
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

static gboolean
follow (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n, FsMoveRun *run,
        GError **error)
{
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

/* Else the flow goes into the arcs when a cut has been solved. */
static gboolean
keeps_solver (const FsMove *move)
{
  return !move->is_wide && fs_solver_changes_nlinks (move->solver);
}

gboolean
fs_move_update (FsMove *move, const uint8_t *labels, const uint32_t *pixels, size_t n,
                FsMoveRun *run, GError **error)
{
  g_return_val_if_fail (move->is_filled, FALSE);
  size_t most = fs_grid_n_pixels (&move->grid) / PIXELS_PER_UPDATE;
  if (move->solver != NULL && keeps_solver (move) && n <= most)
    return follow (move, labels, pixels, n, run, error);
  fs_move_refill (move, move, move->alpha, labels, run);
  return TRUE;
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

/* Whether an arc is full in the solver that has more than it showed. */
static gboolean
is_used_up (FsMove *move)
{
  const FsGrid *grid = &move->grid;
  size_t width = (size_t)grid->width;
  g_autofree int32_t *excess = g_new (int32_t, width);
  g_autofree uint16_t *rows = g_new (uint16_t, FS_N_DIRECTIONS * width);
  uint16_t *residual[FS_N_DIRECTIONS] = { rows, rows + width, rows + 2 * width, rows + 3 * width };
  for (int y = 0; y < grid->height; y++) {
    fs_solver_read_state (move->solver, y, 1, excess, residual);
    for (int d = 0; d < fs_grid_n_directions (grid); d++)
      for (size_t x = 0; x < width; x++) {
        size_t p = (size_t)y * width + x;
        int32_t forth = residual[d][x];
        int32_t back = move->nlink[d][p] + move->nlink_back[d][p] - forth;
        int32_t flow = move->nlink[d][p] - forth;
        if ((forth == 0 && move->forth[d][p] > flow) || (back == 0 && move->back[d][p] > -flow))
          return TRUE;
      }
  }
  return FALSE;
}

gboolean
fs_move_solve (FsMove *move, uint8_t *mask, FsMoveRun *run, GError **error)
{
  g_return_val_if_fail (move->is_filled, FALSE);
  const FsGrid *grid = &move->grid;
  if (!solve_shown (move, run, error))
    return FALSE;
  while (move->is_wide && is_used_up (move)) {
    FsTruncation known = *run->truncation;
    fs_move_refill (move, move, move->alpha, move->seen, run);
    *run->truncation = known;
    if (!solve_shown (move, run, error))
      return FALSE;
  }
  fs_solver_read_mask (move->solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  if (!keeps_solver (move)) {
    absorb (move, move);
    g_clear_pointer (&move->solver, fs_solver_free);
  }
  return TRUE;
}
