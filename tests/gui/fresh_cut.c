/* SPDX-License-Identifier: MIT */
#include "tests/gui/fresh_cut.h"

#include "energy/energy.h"
#include "solver/solver.h"

uint8_t *
fresh_cut (FsImage *image, const FsSettings *settings, const uint8_t *labels)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (image->width, image->height);
  fs_seed_map_set (seeds, labels);
  g_autoptr (FsEnergy) energy = fs_energy_new (image, settings, NULL, &error);
  g_assert_no_error (error);
  FsGrid *grid = fs_energy_get_grid (energy);
  fs_energy_fit (energy, seeds);
  fs_energy_fill_grid (energy, seeds);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, &error);
  g_assert_no_error (error);
  FsSolution solution;
  fs_solver_solve (solver, NULL, &solution, &error);
  g_assert_no_error (error);
  g_assert_true (solution.exact);
  uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  fs_solver_read_mask (solver, 0, 0, image->width, image->height, mask, (size_t)image->width);
  return mask;
}
