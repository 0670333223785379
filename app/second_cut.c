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

/* A solver for the grid as it is now, and its first cut. */
static gboolean
begin (FsSecondCut *cut, const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
       gboolean *changed, GError **error)
{
  if (!goes_on (progress, error))
    return FALSE;
  cut->solver = fs_solver_new (backend, fs_second_look_get_grid (cut->look), error);
  return cut->solver && solve (cut, mask, progress, changed, error);
}

static gboolean
widen (FsSecondCut *cut, const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
       gboolean *changed, GError **error)
{
  g_clear_pointer (&cut->solver, fs_solver_free);
  return fs_second_look_widen (cut->look, mask, error)
         && begin (cut, backend, mask, progress, changed, error);
}

/* Until the mask stands still or has been learnt from often enough. A widened band is a round of
 * its own that does not count. */
static gboolean
run_rounds (FsSecondCut *cut, const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
            GArray *held, GError **error)
{
  gboolean changed = TRUE;
  if (!begin (cut, backend, mask, progress, &changed, error))
    return FALSE;
  for (int round = 1;;) {
    if (fs_second_look_wants_room (cut->look, mask)) {
      if (!widen (cut, backend, mask, progress, &changed, error))
        return FALSE;
      continue;
    }
    if (round++ >= FS_SECOND_LOOK_ROUNDS)
      return TRUE;
    changed |= fs_second_look_refuse (cut->look, mask, held);
    if (!changed)
      return TRUE;
    if (!learn (cut, mask, error) || !solve (cut, mask, progress, &changed, error))
      return FALSE;
  }
}

static gboolean
change_and_solve (FsSecondCut *cut, const GArray *tlinks, uint8_t *mask, const FsProgress *progress,
                  GError **error)
{
  gboolean changed;
  return fs_solver_change_tlinks (cut->solver, (const FsTlinkChange *)(gpointer)tlinks->data,
                                  tlinks->len, error)
         && solve (cut, mask, progress, &changed, error);
}

/* Every turn fixes some pixels more. */
static gboolean
refuse (FsSecondCut *cut, uint8_t *mask, const FsProgress *progress, GArray *held, GError **error)
{
  while (fs_second_look_refuse (cut->look, mask, held))
    if (!change_and_solve (cut, held, mask, progress, error))
      return FALSE;
  return TRUE;
}

/* What a stroke may not change the second look may not change either. */
static gboolean
judge (FsSecondCut *cut, uint8_t *mask, const FsProgress *progress, GArray *held, GError **error)
{
  g_array_set_size (held, 0);
  return fs_second_look_judge (cut->look, mask, held, error)
         && (held->len == 0
             || (change_and_solve (cut, held, mask, progress, error)
                 && refuse (cut, mask, progress, held, error)));
}

gboolean
fs_second_cut_run (FsSecondCut *cut, FsEnergy *energy, const FsSeedMap *seeds,
                   const FsBackend *backend, uint8_t *mask, const FsProgress *progress,
                   GError **error)
{
  *cut = (FsSecondCut){ .look = fs_second_look_new (energy, seeds, mask, error) };
  if (!cut->look)
    return FALSE;
  if (!fs_second_look_get_grid (cut->look))
    return TRUE;
  g_autoptr (GArray) held = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  return run_rounds (cut, backend, mask, progress, held, error)
         && refuse (cut, mask, progress, held, error)
         && (!fs_energy_keeps (energy) || judge (cut, mask, progress, held, error));
}
