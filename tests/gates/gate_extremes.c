/* SPDX-License-Identifier: MIT */
#include "tests/gates/gates.h"

#include <stdio.h>

static void
check (GateResult *result, GRand *rand, int width, int height, FsNeighbours neighbours, Shape shape)
{
  g_autoptr (Problem) problem = problem_new (width, height, neighbours, FALSE);
  problem_fill (problem, rand, shape);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, &error);
  if (!solver)
    g_error ("%s", error->message);
  FsSolution solution;
  result->n_checked++;
  result->n_wrong += !gate_solve (solver, &solution);
}

void
gate_extremes (GateResult *result)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  int n = gate_scale () >= 20 ? 20000000 : 400000;
  int side = gate_scale () >= 20 ? 10000 : 1000;
  for (int k = 0; k < 2; k++) {
    FsNeighbours neighbours = k ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
    check (result, rand, n, 1, neighbours, SHAPE_UNIFORM);
    check (result, rand, 1, n, neighbours, SHAPE_UNIFORM);
    check (result, rand, 700, 500, neighbours, SHAPE_MAXIMUM);
    check (result, rand, 700, 500, neighbours, SHAPE_TIES);
    check (result, rand, side, side, neighbours, SHAPE_SPARSE);
  }
}
