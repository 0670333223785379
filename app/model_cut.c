/* SPDX-License-Identifier: MIT */
#include "app/model_cut.h"

static FsModelCut *
cut_for_energy (FsEnergy *energy, const FsBackend *backend, GError **error)
{
  if (!energy)
    return NULL;
  g_autoptr (FsModelCut) cut = g_new0 (FsModelCut, 1);
  cut->energy = energy;
  cut->changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  cut->solver = fs_solver_new (backend, fs_energy_get_grid (energy), error);
  return cut->solver ? g_steal_pointer (&cut) : NULL;
}

FsModelCut *
fs_model_cut_new (FsImage *image, const FsSettings *settings, const FsProgress *progress,
                  GError **error)
{
  const FsBackend *backend = fs_backend_find ("auto", error);
  if (!backend)
    return NULL;
  return cut_for_energy (fs_energy_new (image, settings, progress, error), backend, error);
}

FsModelCut *
fs_model_cut_new_sibling (FsModelCut *cut, GError **error)
{
  return cut_for_energy (fs_energy_new_sibling (cut->energy, error), cut->solver->backend, error);
}

void
fs_model_cut_free (FsModelCut *cut)
{
  if (!cut)
    return;
  fs_solver_free (cut->solver);
  fs_energy_free (cut->energy);
  g_array_unref (cut->changes);
  g_free (cut);
}

gboolean
fs_model_cut_fit (FsModelCut *cut, const FsSeedMap *seeds, GError **error)
{
  size_t n = fs_grid_n_pixels (fs_energy_get_grid (cut->energy));
  g_autofree int32_t *tlinks = g_try_new (int32_t, n);
  if (!tlinks) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the t-links of %zu pixels", n);
    return FALSE;
  }
  fs_energy_fit (cut->energy, seeds);
  fs_energy_fill_tlinks (cut->energy, seeds, tlinks);
  return fs_solver_replace_tlinks (cut->solver, tlinks, error);
}

gboolean
fs_model_cut_change (FsModelCut *cut, const FsPixelList *pixels, const FsSeedMap *seeds,
                     GError **error)
{
  g_array_set_size (cut->changes, pixels->len);
  FsTlinkChange *changes = (FsTlinkChange *)(gpointer)cut->changes->data;
  for (guint i = 0; i < pixels->len; i++) {
    uint32_t pixel = g_array_index (pixels, uint32_t, i);
    changes[i] =
        (FsTlinkChange){ pixel, fs_energy_tlink (cut->energy, pixel, seeds->label[pixel]) };
  }
  return fs_solver_change_tlinks (cut->solver, changes, pixels->len, error);
}

gboolean
fs_model_cut_solve (FsModelCut *cut, const FsProgress *progress, GError **error)
{
  gint64 start = g_get_monotonic_time ();
  if (!fs_solver_solve (cut->solver, progress, &cut->solution, error))
    return FALSE;
  cut->solve_us = g_get_monotonic_time () - start;
  return TRUE;
}
