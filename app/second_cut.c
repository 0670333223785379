/* SPDX-License-Identifier: MIT */
#include "app/second_cut.h"

void
fs_second_cut_clear (FsSecondCut *cut)
{
  g_clear_pointer (&cut->solver, fs_solver_free);
  g_clear_pointer (&cut->look, fs_second_look_free);
}

/* Whether the mask changed. */
static gboolean
solve (FsSecondCut *cut, uint8_t *mask, const FsProgress *progress, gboolean *changed,
       GError **error)
{
  if (!fs_solver_solve (cut->solver, progress, &cut->solution, error))
    return FALSE;
  const FsGrid *grid = cut->solver->grid;
  g_autofree uint8_t *pixels = g_try_malloc (fs_grid_n_pixels (grid));
  if (!pixels) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the mask of %zu pixels", fs_grid_n_pixels (grid));
    return FALSE;
  }
  fs_solver_read_mask (cut->solver, 0, 0, grid->width, grid->height, pixels, (size_t)grid->width);
  *changed = fs_second_look_write (cut->look, pixels, mask);
  return TRUE;
}

static gboolean
look (FsSecondCut *cut, const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
      gboolean *changed, GError **error)
{
  FsGrid *grid;
  *changed = FALSE;
  if (!fs_second_look_learn (cut->look, mask, &grid, error))
    return FALSE;
  if (!grid)
    return TRUE;
  g_clear_pointer (&cut->solver, fs_solver_free);
  cut->n_rounds++;
  cut->solver = fs_solver_new (backend, grid, error);
  return cut->solver && solve (cut, mask, progress, changed, error);
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
  *cut = (FsSecondCut){ .look = fs_second_look_new (energy, seeds, error) };
  gboolean changed = TRUE;
  while (cut->look && changed && cut->n_rounds < FS_SECOND_LOOK_ROUNDS)
    if (!look (cut, backend, mask, progress, &changed, error))
      return FALSE;
  if (!cut->look)
    return FALSE;
  return !cut->solver || !fs_energy_keeps (energy) || judge (cut, mask, progress, error);
}
