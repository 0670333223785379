/* SPDX-License-Identifier: MIT */
#include "tests/quality/cutter.h"

#include "cut/refine_cut.h"
#include "energy/energy.h"
#include "solver/backend.h"
#include "solver/solver.h"
#include "tests/quality/opencv_start.h"

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

/* What stood before the stroke, and where the stroke is. */
static gboolean
keep_previous (FsEnergy *energy, const QualityRequest *request, GError **error)
{
  if (!request->previous)
    return TRUE;
  size_t n = fs_grid_n_pixels (fs_energy_get_grid (energy));
  g_autoptr (GArray) painted = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (uint32_t i = 0; i < n; i++)
    if (request->stroke[i])
      g_array_append_val (painted, i);
  return fs_energy_set_mask_prior (energy, request->previous,
                                   (const uint32_t *)(gpointer)painted->data, painted->len, error);
}

static gboolean
solve (FsSolver *solver, uint8_t *mask, QualityCut *cut, GError **error)
{
  FsSolution solution;
  if (!fs_solver_solve (solver, NULL, &solution, error))
    return FALSE;
  int w = solver->grid->width, h = solver->grid->height;
  fs_solver_read_mask (solver, 0, 0, w, h, mask, (size_t)w);
  cut->exact = solution.exact;
  return TRUE;
}

/* Cuts once more where the first cut changed what lies far from the stroke. */
static gboolean
solve_and_filter (FsEnergy *energy, FsSolver *solver, const QualityRequest *request, uint8_t *mask,
                  QualityCut *cut, GError **error)
{
  if (!solve (solver, mask, cut, error))
    return FALSE;
  if (!request->previous)
    return TRUE;
  g_autoptr (GArray) clamped = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  return fs_energy_filter_changes (energy, mask, clamped, error)
         && fs_solver_change_tlinks (solver, (const FsTlinkChange *)(gpointer)clamped->data,
                                     clamped->len, error)
         && solve (solver, mask, cut, error);
}

static gboolean
refine_border (FsEnergy *energy, const FsSeedMap *seeds, uint8_t *mask, QualityCut *cut,
               GError **error)
{
  g_auto (FsRefineCut) second = { 0 };
  if (!fs_refine_cut_run (&second, energy, seeds, &fs_backend_cpu, mask, NULL, error))
    return FALSE;
  cut->exact = cut->exact && (!second.solver || second.solution.exact);
  return TRUE;
}

static gboolean
cut_by_model (FsModelKind model, const QualityRequest *request, uint8_t *mask, QualityCut *cut,
              GError **error)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.model = model;
  settings.star = request->start->kind != QUALITY_TRIMAP;
  g_autoptr (FsEnergy) energy = fs_energy_new (request->image, &settings, NULL, error);
  if (!energy || !fs_energy_set_guess (energy, request->guess, error))
    return FALSE;
  fs_energy_fit (energy, request->start->samples);
  if (!keep_previous (energy, request, error))
    return FALSE;
  fs_energy_fill_grid (energy, request->start->seeds);

  FsGrid *grid = fs_energy_get_grid (energy);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, error);
  if (!solver || !solve_and_filter (energy, solver, request, mask, cut, error))
    return FALSE;
  cut->n_star_violations = count_star_violations (grid, mask);
  return !fs_energy_wants_refinement (energy)
         || refine_border (energy, request->start->seeds, mask, cut, error);
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
