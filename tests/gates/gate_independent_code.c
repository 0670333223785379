/* SPDX-License-Identifier: MIT */
#include "tests/gates/gates.h"

#ifdef FS_WITH_LIBMAXFLOW
#include "tests/solver/bk.h"

static gboolean
check (GRand *rand, int side)
{
  g_autoptr (Problem) problem = problem_new_random (rand, side, side);
  problem_fill (problem, rand, (Shape)g_rand_int_range (rand, 0, N_SHAPES));
  size_t n = fs_grid_n_pixels (&problem->grid);
  g_autoptr (Bk) bk = bk_new (&problem->grid);
  bk_solve (bk, FALSE);
  g_autofree uint8_t *expected = g_malloc (n);
  bk_read_mask (bk, expected);

  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  FsSolution solution;
  gboolean proven = gate_solve (solver, &solution);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  return proven && solution.energy == fs_grid_energy (&problem->grid, expected)
         && memcmp (mask, expected, n) == 0;
}

void
gate_independent_code (GateResult *result)
{
  static const struct {
    int side, n;
  } SIZES[] = { { 8, 50000 }, { 16, 1000 }, { 64, 50 }, { 256, 2 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (guint k = 0; k < G_N_ELEMENTS (SIZES); k++)
    for (int64_t i = 0; i < gate_count (SIZES[k].n); i++) {
      result->n_checked++;
      result->n_wrong += !check (rand, SIZES[k].side);
    }
}

#else

void
gate_independent_code (GateResult *result)
{
  result->skipped = "libmaxflow is not installed";
}

#endif
