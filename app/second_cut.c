/* SPDX-License-Identifier: MIT */
#include "app/second_cut.h"

void
fs_second_cut_clear (FsSecondCut *cut)
{
  g_clear_pointer (&cut->solver, fs_solver_free);
  g_clear_pointer (&cut->look, fs_second_look_free);
}

/* Solvers ask when they begin; what comes before them takes as long as a frame on a large photo. */
static gboolean
goes_on (const FsProgress *progress, GError **error)
{
  if (!fs_progress_is_cancelled (progress))
    return TRUE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "cancelled");
  return FALSE;
}

static void *
allocate (const FsSecondCut *cut, size_t size_bytes, GError **error)
{
  size_t n = fs_grid_n_pixels (cut->solver->grid);
  void *plane = g_try_malloc_n (n, size_bytes);
  if (!plane)
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for a second look at %zu pixels", n);
  return plane;
}

/* `changed` tells whether it made a difference to the mask. */
static gboolean
solve (FsSecondCut *cut, uint8_t *mask, const FsProgress *progress, gboolean *changed,
       GError **error)
{
  if (!fs_solver_solve (cut->solver, progress, &cut->solution, error))
    return FALSE;
  g_autofree uint8_t *pixels = allocate (cut, 1, error);
  if (!pixels)
    return FALSE;
  int width = cut->solver->grid->width, height = cut->solver->grid->height;
  fs_solver_read_mask (cut->solver, 0, 0, width, height, pixels, (size_t)width);
  *changed = fs_second_look_write (cut->look, pixels, mask);
  cut->n_rounds++;
  return TRUE;
}

static gboolean
learn (FsSecondCut *cut, const uint8_t *mask, GError **error)
{
  g_autofree int32_t *tlinks = allocate (cut, sizeof *tlinks, error);
  if (!tlinks)
    return FALSE;
  fs_second_look_learn (cut->look, mask, tlinks);
  return fs_solver_replace_tlinks (cut->solver, tlinks, error);
}

/* What a stroke may not change the second look may not change either. */
static gboolean
judge (FsSecondCut *cut, uint8_t *mask, const FsProgress *progress, GError **error)
{
  g_autoptr (GArray) held = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  if (!fs_second_look_judge (cut->look, mask, held, error))
    return FALSE;
  gboolean changed;
  return held->len == 0
         || (fs_solver_change_tlinks (cut->solver, (const FsTlinkChange *)(gpointer)held->data,
                                      held->len, error)
             && solve (cut, mask, progress, &changed, error));
}

gboolean
fs_second_cut_run (FsSecondCut *cut, FsEnergy *energy, const FsSeedMap *seeds,
                   const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
                   GError **error)
{
  *cut = (FsSecondCut){ .look = fs_second_look_new (energy, seeds, mask, error) };
  if (!cut->look)
    return FALSE;
  FsGrid *grid = fs_second_look_get_grid (cut->look);
  if (!grid)
    return TRUE;
  if (!goes_on (progress, error))
    return FALSE;
  cut->solver = fs_solver_new (backend, grid, error);
  gboolean changed;
  if (!cut->solver || !solve (cut, mask, progress, &changed, error))
    return FALSE;
  while (changed && cut->n_rounds < FS_SECOND_LOOK_ROUNDS)
    if (!learn (cut, mask, error) || !solve (cut, mask, progress, &changed, error))
      return FALSE;
  return !fs_energy_keeps (energy) || judge (cut, mask, progress, error);
}
