/* SPDX-License-Identifier: MIT */
#include "cut/refine_cut.h"

#include "energy/energy_extras.h"
#include "energy/refine/add_components.h"
#include "energy/refine/refine_box.h"
#include "energy/refine/refine_islands.h"
#include "energy/refine/remove_components.h"
#include "solver/backend.h"
#include "solver/multilevel/band_solve.h"
#include "solver/system/checked_memory.h"
#include "solver/system/thread_limit.h"

#include <string.h>

void
fs_refine_cut_clear (FsRefineCut *cut)
{
  g_clear_pointer (&cut->solver, fs_solver_free);
  g_clear_pointer (&cut->detail, fs_border_detail_free);
  g_clear_pointer (&cut->refinement, fs_refinement_free);
}

static void *
allocate_plane (const FsRefineCut *cut, size_t size_bytes, GError **error)
{
  size_t n = fs_grid_n_pixels (cut->solver->grid);
  void *plane = g_try_malloc_n (n, size_bytes);
  if (!plane)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to refine a border of %zu pixels", n);
  return plane;
}

/* `changed` becomes TRUE if the mask did. */
static gboolean
solve (FsRefineCut *cut, uint8_t *mask, const FsProgress *progress, gboolean *changed,
       GError **error)
{
  if (!fs_solver_solve (cut->solver, progress, &cut->solution, error))
    return FALSE;
  g_autofree uint8_t *pixels = allocate_plane (cut, 1, error);
  if (!pixels)
    return FALSE;
  int width = cut->solver->grid->width, height = cut->solver->grid->height;
  fs_solver_read_mask (cut->solver, 0, 0, width, height, pixels, (size_t)width);
  *changed = fs_refinement_write (cut->refinement, pixels, mask);
  cut->n_rounds++;
  return TRUE;
}

static gboolean
learn (FsRefineCut *cut, const uint8_t *mask, GError **error)
{
  g_autofree int32_t *tlinks = allocate_plane (cut, sizeof *tlinks, error);
  if (!tlinks)
    return FALSE;
  fs_refinement_learn (cut->refinement, mask, tlinks);
  return fs_solver_replace_tlinks (cut->solver, tlinks, error);
}

/* A solver for the grid as it is now, and its first cut. */
static gboolean
begin_cut (FsRefineCut *cut, const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
           gboolean *changed, GError **error)
{
  if (!fs_progress_goes_on (progress, error))
    return FALSE;
  cut->solver = fs_solver_new (backend, fs_refinement_get_grid (cut->refinement), error);
  return cut->solver && solve (cut, mask, progress, changed, error);
}

static gboolean
widen (FsRefineCut *cut, const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
       gboolean *changed, GError **error)
{
  g_clear_pointer (&cut->solver, fs_solver_free);
  return fs_refinement_widen (cut->refinement, mask, error)
         && begin_cut (cut, backend, mask, progress, changed, error);
}

/* Runs rounds until the mask no longer changes or their limit is reached. The round of a widened
 * band does not count. */
static gboolean
run_rounds (FsRefineCut *cut, const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
            GArray *clamped, GError **error)
{
  gboolean changed = TRUE;
  if (!begin_cut (cut, backend, mask, progress, &changed, error))
    return FALSE;
  for (int round = 1;;) {
    if (fs_refinement_wants_wider_band (cut->refinement, mask)) {
      if (!widen (cut, backend, mask, progress, &changed, error))
        return FALSE;
      continue;
    }
    if (round++ >= fs_refinement_get_rounds (cut->refinement))
      return TRUE;
    changed |= fs_refinement_refuse (cut->refinement, mask, clamped);
    if (!changed && !fs_refinement_is_short (cut->refinement, mask))
      return TRUE;
    if (!learn (cut, mask, error) || !solve (cut, mask, progress, &changed, error))
      return FALSE;
  }
}

static gboolean
change_and_solve (FsRefineCut *cut, const GArray *tlinks, uint8_t *mask, const FsProgress *progress,
                  GError **error)
{
  gboolean changed;
  return fs_solver_change_tlinks (cut->solver, (const FsTlinkChange *)(gpointer)tlinks->data,
                                  tlinks->len, error)
         && solve (cut, mask, progress, &changed, error);
}

/* Every turn fixes some pixels more. */
static gboolean
refuse_cut (FsRefineCut *cut, uint8_t *mask, const FsProgress *progress, GArray *clamped,
            GError **error)
{
  while (fs_refinement_refuse (cut->refinement, mask, clamped)
         || fs_refinement_refuse_islands (cut->refinement, mask, clamped))
    if (!change_and_solve (cut, clamped, mask, progress, error))
      return FALSE;
  return TRUE;
}

/* The last round, in which only pixels near the border may change. */
static gboolean
draw (FsRefineCut *cut, uint8_t *mask, const FsProgress *progress, GError **error)
{
  if (!fs_refinement_draws (cut->refinement))
    return TRUE;
  g_autofree int32_t *tlinks = allocate_plane (cut, sizeof *tlinks, error);
  if (!tlinks)
    return FALSE;
  gboolean changed;
  fs_refinement_draw (cut->refinement, mask, tlinks);
  return fs_solver_replace_tlinks (cut->solver, tlinks, error)
         && solve (cut, mask, progress, &changed, error);
}

/* The locality filter holds for refinement too: its changes far from the stroke are rejected. */
static gboolean
filter_changes (FsRefineCut *cut, uint8_t *mask, const FsProgress *progress, GArray *clamped,
                GError **error)
{
  g_array_set_size (clamped, 0);
  return fs_refinement_filter_changes (cut->refinement, mask, clamped, error)
         && (clamped->len == 0
             || (change_and_solve (cut, clamped, mask, progress, error)
                 && refuse_cut (cut, mask, progress, clamped, error)));
}

/* --- the border of a large photo --- */

static gboolean
solve_detail (FsRefineCut *cut, uint8_t *mask, const FsProgress *progress, GError **error)
{
  cut->n_rounds++;
  return fs_progress_goes_on (progress, error)
         && fs_band_solve (fs_border_detail_get_problem (cut->detail), mask, progress,
                           &cut->solution, error);
}

/* Draws the border at full resolution, from the result of the rounds. */
static gboolean
draw_detail (FsRefineCut *cut, const uint8_t *reduced, gboolean has_mask_prior, uint8_t *mask,
             const FsProgress *progress, GError **error)
{
  if (!fs_progress_goes_on (progress, error))
    return FALSE;
  cut->detail = fs_border_detail_new (cut->refinement, reduced, mask, error);
  if (!cut->detail || !solve_detail (cut, mask, progress, error))
    return FALSE;
  gboolean changed = FALSE;
  if (has_mask_prior && !fs_border_detail_filter_changes (cut->detail, mask, &changed, error))
    return FALSE;
  return !changed || solve_detail (cut, mask, progress, error);
}

/* A copy of the first mask as the rounds see it. */
static uint8_t *
copy_first (FsRefineCut *cut, const uint8_t *mask, GError **error)
{
  size_t n;
  const uint8_t *first = fs_refinement_get_reduced (cut->refinement, &n);
  uint8_t *copy = g_try_malloc (n);
  if (copy)
    memcpy (copy, first ? first : mask, n);
  else
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to refine a border of %zu pixels", n);
  return copy;
}

static gboolean
run_reduced (FsRefineCut *cut, gboolean has_mask_prior, const FsBackend *backend, uint8_t *mask,
             const FsProgress *progress, GArray *clamped, GError **error)
{
  g_autofree uint8_t *reduced = copy_first (cut, mask, error);
  if (!reduced || !run_rounds (cut, backend, reduced, progress, clamped, error)
      || !refuse_cut (cut, reduced, progress, clamped, error))
    return FALSE;
  if (fs_refinement_draws (cut->refinement))
    fs_refinement_draw (cut->refinement, reduced, NULL);
  return draw_detail (cut, reduced, has_mask_prior, mask, progress, error);
}

/* --- components that the first cut lacks or ought not to have --- */

/* The whole photo by cells, and what the rounds make of it. */
typedef struct {
  FsRefineCut cut;
  uint8_t *cells;
} CellCut;

static void
cell_cut_clear (CellCut *cell_cut)
{
  fs_refine_cut_clear (&cell_cut->cut);
  g_clear_pointer (&cell_cut->cells, g_free);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (CellCut, cell_cut_clear)

/* All borrowed. */
typedef struct {
  FsEnergy *energy;
  const FsSeedMap *seeds;
  const FsBackend *backend;
  const uint8_t *mask;
  const FsProgress *progress;
} Wanted;

static gboolean
begin_cells (CellCut *cell_cut, const Wanted *wanted, GError **error)
{
  cell_cut->cut.refinement =
      fs_refinement_new_of_cells (wanted->energy, wanted->seeds, wanted->mask, error);
  return cell_cut->cut.refinement
         && (cell_cut->cells = copy_first (&cell_cut->cut, wanted->mask, error));
}

/* From the mask. */
static gboolean
cut_cells (CellCut *cell_cut, const Wanted *wanted, GError **error)
{
  g_autoptr (GArray) clamped = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  return begin_cells (cell_cut, wanted, error)
         && run_rounds (&cell_cut->cut, wanted->backend, cell_cut->cells, wanted->progress, clamped,
                        error);
}

/* Runs rounds from a guess by the strokes alone. After rounds from the mask their refinement learns
 * again, and the flow of their solver is reused. */
static gboolean
cut_cells_from_guess (CellCut *cell_cut, const Wanted *wanted, GError **error)
{
  FsRefineCut *cut = &cell_cut->cut;
  if (!cut->refinement && !begin_cells (cell_cut, wanted, error))
    return FALSE;
  if (!cut->solver)
    cut->solver = fs_solver_new (wanted->backend, fs_refinement_get_grid (cut->refinement), error);
  if (!cut->solver)
    return FALSE;
  fs_refinement_guess_cells (cut->refinement, cell_cut->cells);
  gboolean changed = TRUE;
  for (int round = 0; changed && round < fs_refinement_get_rounds (cut->refinement); round++)
    if (!learn (cut, cell_cut->cells, error)
        || !solve (cut, cell_cut->cells, wanted->progress, &changed, error))
      return FALSE;
  return TRUE;
}

/* The two starts are independent: each of two threads has one, and a refinement. */
typedef struct {
  CellCut cell_cut;
  Wanted wanted;
  FsProgress progress; /* reports come on the calling thread only */
  int thread_limit;    /* of the caller */
  gboolean is_found;
  GError *error;
} Guess;

static gpointer
guess_thread (gpointer data)
{
  Guess *guess = data;
  fs_thread_limit_set (guess->thread_limit);
  guess->is_found = cut_cells_from_guess (&guess->cell_cut, &guess->wanted, &guess->error);
  return NULL;
}

static void
guess_clear (Guess *guess)
{
  cell_cut_clear (&guess->cell_cut);
  g_clear_error (&guess->error);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Guess, guess_clear)

/* NULL where one thread runs both starts. A device runs them one after the other. */
static GThread *
start_guess_thread (Guess *guess, const Wanted *wanted)
{
  guess->wanted = *wanted;
  guess->thread_limit = fs_thread_limit_get ();
  guess->progress.cancel = wanted->progress ? wanted->progress->cancel : NULL;
  guess->wanted.progress = &guess->progress;
  if (wanted->backend != &fs_backend_cpu || fs_energy_get_threads () == 1)
    return NULL;
  return g_thread_try_new ("fretsaw-cells", guess_thread, guess, NULL);
}

/* Adds components to the first cut, `mask`, and removes others from it. */
static gboolean
change_components (FsEnergy *energy, const FsSeedMap *seeds, const FsBackend *backend,
                   uint8_t *mask, const FsProgress *progress, GError **error)
{
  if (!fs_energy_may_add_components (energy, seeds))
    return TRUE;
  g_auto (CellCut) cell_cut = { 0 };
  g_auto (Guess) guess = { 0 };
  const Wanted wanted = { energy, seeds, backend, mask, progress };
  GThread *thread = start_guess_thread (&guess, &wanted);
  const CellCut *guessed = thread ? &guess.cell_cut : &cell_cut;
  gboolean is_found = cut_cells (&cell_cut, &wanted, error);
  if (thread) {
    g_thread_join (thread);
    if (is_found && !guess.is_found)
      g_propagate_error (error, g_steal_pointer (&guess.error));
    is_found = is_found && guess.is_found;
  }
  return is_found
         && fs_refinement_remove_components (cell_cut.cut.refinement, cell_cut.cells, mask, error)
         && fs_refinement_add_components (cell_cut.cut.refinement, cell_cut.cells, mask, error)
         && (thread || cut_cells_from_guess (&cell_cut, &wanted, error))
         && fs_refinement_add_components (guessed->cut.refinement, guessed->cells, mask, error);
}

/* --- the whole --- */

gboolean
fs_refine_cut_run (FsRefineCut *cut, FsEnergy *energy, const FsSeedMap *seeds,
                   const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
                   GError **error)
{
  *cut = (FsRefineCut){ 0 };
  const FsSeedMap *strokes = seeds;
  seeds = fs_energy_get_all_seeds (energy, strokes);
  if (seeds != strokes && seeds->n_seeds[FS_SEED_NONE] == 0)
    return TRUE;
  if (!change_components (energy, seeds, backend, mask, progress, error))
    return FALSE;
  fs_refinement_open_box (energy, seeds, mask);
  cut->refinement = fs_refinement_new (energy, seeds, mask, error);
  if (!cut->refinement)
    return FALSE;
  if (!fs_refinement_get_grid (cut->refinement))
    return TRUE;
  g_autoptr (GArray) clamped = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  size_t n;
  if (fs_refinement_get_reduced (cut->refinement, &n))
    return run_reduced (cut, fs_energy_has_mask_prior (energy), backend, mask, progress, clamped,
                        error);
  return run_rounds (cut, backend, mask, progress, clamped, error)
         && refuse_cut (cut, mask, progress, clamped, error) && draw (cut, mask, progress, error)
         && (!fs_energy_has_mask_prior (energy)
             || filter_changes (cut, mask, progress, clamped, error));
}

/* --- the proof --- */

/* The whole photo as a grid, of which the free pixels alone have a choice. */
typedef struct {
  FsGrid grid;
  int32_t *tlink;
  uint16_t *nlink[FS_N_DIRECTIONS];
} WholeGrid;

static void
whole_grid_clear (WholeGrid *whole)
{
  fs_memory_free (whole->tlink);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (whole->nlink[d]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (WholeGrid, whole_grid_clear)

static gboolean
whole_grid_init (WholeGrid *whole, const FsBandProblem *problem, GError **error)
{
  whole->grid = (FsGrid){ .width = problem->width,
                          .height = problem->height,
                          .neighbours = problem->neighbours };
  size_t n = fs_grid_n_pixels (&whole->grid);
  whole->grid.tlink = whole->tlink = fs_memory_new (n, sizeof *whole->tlink);
  gboolean enough = whole->tlink != NULL;
  for (int d = 0; d < fs_grid_n_directions (&whole->grid); d++)
    enough = (whole->grid.nlink[d] = whole->nlink[d] = fs_memory_new (n, sizeof (uint16_t))) != NULL
             && enough;
  if (!enough)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory to prove the cut of %zu pixels", n);
  return enough;
}

/* The links between pixel (x, y) and all its neighbours. */
static void
whole_grid_add_links (WholeGrid *whole, const FsBandProblem *problem, int x, int y)
{
  for (int arc = 0; arc < FS_N_ARCS; arc++) {
    int d = arc % FS_N_DIRECTIONS;
    if (d >= fs_grid_n_directions (&whole->grid) || !fs_grid_has_arc (&whole->grid, x, y, arc))
      continue;
    gboolean is_back = arc >= FS_DIRECTION_OPPOSITE;
    int x0 = is_back ? x - fs_direction_dx ((FsDirection)d) : x;
    int y0 = is_back ? y - fs_direction_dy ((FsDirection)d) : y;
    size_t link = fs_band_spans_find (problem->spans, problem->width, x0, y0);
    const uint16_t *counts = d >= FS_DIRECTION_SE ? problem->diagonal : problem->straight;
    whole->nlink[d][(size_t)y0 * (size_t)problem->width + (size_t)x0] =
        counts[problem->nlink[d][link]];
  }
}

static void
whole_grid_fill (WholeGrid *whole, const FsBandProblem *problem, const uint8_t *mask)
{
  size_t n = fs_grid_n_pixels (&whole->grid), width = (size_t)problem->width;
  for (int d = 0; d < fs_grid_n_directions (&whole->grid); d++)
    memset (whole->nlink[d], 0, n * sizeof *whole->nlink[d]);
  for (size_t p = 0; p < n; p++)
    whole->tlink[p] = mask[p] ? FS_N_ARCS * FS_NLINK_MAX + 1 : -(FS_N_ARCS * FS_NLINK_MAX + 1);
  const int32_t *tlinks = problem->tlinks;
  for (size_t y = 0; y < (size_t)problem->height; y++)
    for (uint32_t i = problem->row_start[y]; i < problem->row_start[y + 1]; i++) {
      FsBandRun run = problem->runs[i];
      memcpy (whole->tlink + y * width + (size_t)run.x0, tlinks,
              (size_t)(run.x1 - run.x0) * sizeof *tlinks);
      tlinks += run.x1 - run.x0;
      for (int x = run.x0; x < run.x1; x++)
        whole_grid_add_links (whole, problem, x, (int)y);
    }
}

/* Cuts the border once more as a grid, which has a certificate; the canonical mask is the same. */
static gboolean
certify_detail (const FsRefineCut *cut, const uint8_t *mask, FsCertificate *certificate,
                GError **error)
{
  const FsBandProblem *problem = fs_border_detail_get_problem (cut->detail);
  g_auto (WholeGrid) whole = { 0 };
  if (!whole_grid_init (&whole, problem, error))
    return FALSE;
  whole_grid_fill (&whole, problem, mask);
  size_t n = fs_grid_n_pixels (&whole.grid);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &whole.grid, error);
  g_autofree uint8_t *again = g_try_malloc (n);
  FsSolution solution;
  if (!solver || !again || !fs_solver_solve (solver, NULL, &solution, error)
      || !fs_solver_certify (solver, certificate, error)) {
    if (error && !*error)
      g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                   "not enough memory to prove the cut of %zu pixels", n);
    return FALSE;
  }
  fs_solver_read_mask (solver, 0, 0, problem->width, problem->height, again,
                       (size_t)problem->width);
  certificate->canonical = certificate->canonical && memcmp (again, mask, n) == 0;
  certificate->holds = certificate->holds && certificate->canonical;
  return TRUE;
}

gboolean
fs_refine_cut_certify (const FsRefineCut *cut, const uint8_t *mask, FsCertificate *certificate,
                       GError **error)
{
  g_return_val_if_fail (cut->solver, FALSE);
  return cut->detail ? certify_detail (cut, mask, certificate, error)
                     : fs_solver_certify (cut->solver, certificate, error);
}
