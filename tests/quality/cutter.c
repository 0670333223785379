/* SPDX-License-Identifier: MIT */
#include "tests/quality/cutter.h"

#include "energy/energy.h"
#include "solver/solver.h"
#include "tests/quality/opencv_start.h"
#include "tests/quality/stability.h"

#include <gio/gio.h>
#include <time.h>

static double
processor_ms (void)
{
  struct timespec now;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

gboolean
quality_method_check (const char *method, GError **error)
{
  FsModelKind model;
  if (fs_model_from_name (method, &model) || quality_opencv_knows (method))
    return TRUE;
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, "no method “%s” in this program",
               method);
  return FALSE;
}

static int64_t
count_star_violations (const FsGrid *grid, const uint8_t *mask)
{
  int64_t n_violations = 0;
  size_t n = fs_grid_n_pixels (grid);
  for (size_t i = 0; grid->star && i < n; i++)
    if (mask[i] && grid->star[i] != FS_STAR_NONE)
      n_violations += !mask[(ptrdiff_t)i + fs_grid_step (grid, grid->star[i])];
  return n_violations;
}

static gboolean
cut_by_model (FsModelKind model, const QualityRequest *request, uint8_t *mask, QualityCut *cut,
              GError **error)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.model = model;
  FsImage *image = request->image;
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, error);
  if (!energy)
    return FALSE;
  FsGrid *grid = fs_energy_get_grid (energy);
  fs_energy_fit (energy, request->start->samples);
  fs_energy_fill_tlinks (energy, request->start->seeds, grid->tlink);
  if (request->previous)
    quality_stability_pull (image, request->start->seeds, request->stroke, request->previous,
                            fs_energy_get_soft_tlink (energy), grid->tlink);

  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, error);
  FsSolution solution;
  if (!solver || !fs_solver_solve (solver, NULL, &solution, error))
    return FALSE;
  fs_solver_read_mask (solver, 0, 0, image->width, image->height, mask, (size_t)image->width);
  cut->exact = solution.exact;
  cut->n_star_violations = count_star_violations (grid, mask);
  if (request->previous)
    quality_stability_accept (request->stroke, request->previous, image->width, image->height,
                              mask);
  return TRUE;
}

gboolean
quality_cut (const QualityRequest *request, uint8_t *mask, QualityCut *cut, GError **error)
{
  *cut = (QualityCut){ 0 };
  double start = processor_ms ();
  FsModelKind model;
  if (!quality_method_check (request->method, error))
    return FALSE;
  if (!fs_model_from_name (request->method, &model))
    quality_opencv_cut (request, mask);
  else if (!cut_by_model (model, request, mask, cut, error))
    return FALSE;
  cut->ms = processor_ms () - start;
  return TRUE;
}
