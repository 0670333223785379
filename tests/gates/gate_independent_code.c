/* SPDX-License-Identifier: MIT */
#include "tests/gates/crew.h"

#ifdef FS_WITH_LIBMAXFLOW
#include "tests/solver/bk.h"

enum { MAX_VARIED = 8 }; /* grids of any size up to this one; larger ones are squares */

static Problem *
make_problem (GRand *rand, const GateWork *work)
{
  Problem *problem;
  if (work->size <= MAX_VARIED)
    problem = problem_new_random (rand, work->size, work->size);
  else
    problem = problem_new (work->size, work->size,
                           g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4,
                           g_rand_boolean (rand));
  problem_fill (problem, rand, (Shape)g_rand_int_range (rand, 0, N_SHAPES));
  return problem;
}

static GateResult
check (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (Problem) problem = make_problem (rand, work);
  size_t n = fs_grid_n_pixels (&problem->grid);
  g_autoptr (Bk) bk = bk_new (&problem->grid);
  bk_solve (bk, FALSE);
  g_autofree uint8_t *expected = g_malloc (n);
  bk_read_mask (bk, expected);

  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  FsSolution solution;
  gboolean proven = crew_solve (solver, &solution);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  return gate_result (proven && solution.energy == fs_grid_energy (&problem->grid, expected)
                      && memcmp (mask, expected, n) == 0);
}

static const GateWork WORKS[] = {
  { .name = "256×256", .check = check, .n = 2, .size = 256 },
  { .name = "64×64", .check = check, .n = 50, .size = 64 },
  { .name = "16×16", .check = check, .n = 1000, .size = 16 },
  { .name = "up to 8×8", .check = check, .n = 50000, .size = MAX_VARIED },
};

const Gate gate_independent_code = {
  .id = "S3",
  .works = WORKS,
  .n_works = G_N_ELEMENTS (WORKS),
};

#else

const Gate gate_independent_code = { .id = "S3", .missing = "libmaxflow is not installed" };

#endif
