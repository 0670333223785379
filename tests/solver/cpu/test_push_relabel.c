/* SPDX-License-Identifier: MIT */
/* Strokes that change whole regions, which the CPU backend repairs by push-relabel: whatever their
 * deficits take up, wherever a repair is stopped and whichever of its allocations fails, the flow
 * is one, and the end is a fresh solve's. */
#include "solver/backend.h"
#include "solver/cpu/search/search.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

#include <string.h>

enum { SIDE = 230 };

/* An object of faint excess, with stronger seeds in places, and no background. Its links let
 * through what comes from far away. */
static Problem *
problem_new_faint (GRand *rand, FsNeighbours neighbours)
{
  Problem *problem = problem_new (SIDE, SIDE, neighbours, FALSE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  for (int d = 0; d < fs_grid_n_directions (&problem->grid); d++)
    for (size_t p = 0; p < fs_grid_n_pixels (&problem->grid); p++)
      problem->plane[d][p] *= 40;
  int most = g_rand_boolean (rand) ? 3 : 40;
  for (size_t p = 0; p < fs_grid_n_pixels (&problem->grid); p++) {
    gboolean is_seed = g_rand_int_range (rand, 0, 5000) == 0;
    problem->grid.tlink[p] = is_seed ? FS_TLINK_MAX : g_rand_int_range (rand, 0, most);
  }
  return problem;
}

/* A square of one t-link, anywhere. */
static void
stamp (FsSolver *solver, GRand *rand, int32_t tlink)
{
  const FsGrid *grid = solver->grid;
  int side = g_rand_int_range (rand, 1, 25);
  int x0 = g_rand_int_range (rand, 0, SIDE - side), y0 = g_rand_int_range (rand, 0, SIDE - side);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (int y = y0; y < y0 + side; y++)
    for (int x = x0; x < x0 + side; x++) {
      FsTlinkChange change = { (uint32_t)(y * grid->width + x), tlink };
      g_array_append_val (changes, change);
    }
  g_assert_true (fs_solver_change_tlinks (solver, (void *)changes->data, changes->len, NULL));
}

/* What is there is a flow, and solved it is what a fresh solve finds, as it is after one more edit.
 */
static void
check_goes_on (FsSolver *solver, GRand *rand)
{
  FsCertificate certificate;
  g_assert_true (fs_solver_certify (solver, &certificate, NULL));
  g_assert_true (certificate.feasible && certificate.conserved);
  if (g_rand_boolean (rand))
    stamp (solver, rand, g_rand_boolean (rand) ? -FS_TLINK_MAX : 1000);
  FsSolution solution = solve_and_check (solver);
  check_against_fresh (solver, &solution);
}

/* Deficits that end before the excess does, and others. */
static void
test_deficits_of_every_size (void)
{
  static const int32_t tlinks[] = { -1, -30, -400, -20000, -FS_TLINK_MAX, 0, 900 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (91);
  for (int i = 0; i < scaled_few (6, 2); i++) {
    g_autoptr (Problem) problem =
        problem_new_faint (rand, i % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4);
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
    for (int j = 0; j < 12; j++) {
      solve_and_check (solver);
      stamp (solver, rand, tlinks[g_rand_int_range (rand, 0, G_N_ELEMENTS (tlinks))]);
      FsSolution solution = solve_and_check (solver);
      check_against_fresh (solver, &solution);
    }
  }
}

/* Solves a stroke that is stopped the n-th time it asks. Whether it asked so often. */
static gboolean
check_stopped (Problem *problem, GRand *rand, int n)
{
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  FsSolution solution;
  solve_and_check (solver);
  stamp (solver, rand, -FS_TLINK_MAX);
  fault_cancel_after (n);
  gboolean solved = fs_solver_solve (solver, NULL, &solution, NULL);
  fault_cancel_after (-1);
  check_goes_on (solver, rand);
  return !solved;
}

static void
test_stopped_anywhere (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (92);
  int n_stopped = 0, n_checks = scaled_few (60, 15);
  for (int i = 0; i < n_checks; i++) {
    g_autoptr (Problem) problem = problem_new_faint (rand, FS_NEIGHBOURS_8);
    n_stopped += check_stopped (problem, rand, 1 + i * 250 / n_checks);
  }
  g_assert_cmpint (n_stopped, >, n_checks / 3);
}

/* A stroke whose n-th allocation and all further ones fail. Whether one did. */
static gboolean
check_without_memory (Problem *problem, GRand *rand, int n)
{
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  solve_and_check (solver);
  stamp (solver, rand, -FS_TLINK_MAX);
  fault_memory_after (n, TRUE);
  gboolean solved = fs_solver_solve (solver, NULL, &solution, &error);
  fault_memory_after (-1, FALSE);
  if (!solved)
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  check_goes_on (solver, rand);
  return !solved;
}

static void
test_without_memory (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (93);
  int n_failed = 0;
  for (int n = 0; n < 24; n++) {
    g_autoptr (Problem) problem = problem_new_faint (rand, FS_NEIGHBOURS_8);
    n_failed += check_without_memory (problem, rand, n);
  }
  g_assert_cmpint (n_failed, >, 8);
}

/* A corridor that turns at the end of each row, with some excess all along it. Of `n` pixels. */
static Problem *
problem_new_corridor (int width, int n_rows, int *n)
{
  Problem *problem = problem_new (width, 2 * n_rows - 1, FS_NEIGHBOURS_4, FALSE);
  memset (problem->grid.tlink, 0, fs_grid_n_pixels (&problem->grid) * sizeof (int32_t));
  for (int d = 0; d < 2; d++)
    memset (problem->plane[d], 0, fs_grid_n_pixels (&problem->grid) * sizeof (uint16_t));
  *n = n_rows * (width + 1) - 1;
  for (int y = 0; y < 2 * n_rows - 1; y++) {
    int end = y % 4 < 2 ? width - 1 : 0;
    uint16_t *right = problem->plane[FS_DIRECTION_E] + (size_t)y * (size_t)width;
    uint16_t *down = problem->plane[FS_DIRECTION_S] + (size_t)y * (size_t)width;
    for (int x = 0; x < width - 1 && y % 2 == 0; x++)
      right[x] = FS_NLINK_MAX;
    if (y < 2 * n_rows - 2)
      down[end] = FS_NLINK_MAX;
    for (int x = 0; x < width; x += 16)
      problem->grid.tlink[(size_t)y * (size_t)width + (size_t)x] = y % 2 == 0;
  }
  return problem;
}

/* Deeper than passes go: the rest is left to the search. */
static void
test_too_deep (void)
{
  int n = 0;
  g_autoptr (Problem) problem = problem_new_corridor (400, 200, &n);
  g_assert_cmpint (n, >, UINT16_MAX + 10000);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  solve_and_check (solver);
  FsTlinkChange change = { 0, -FS_TLINK_MAX };
  g_assert_true (fs_solver_change_tlinks (solver, &change, 1, NULL));
  FsSolution solution = solve_and_check (solver);
  check_against_fresh (solver, &solution);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fs_solver_set_threads (1);
  g_test_add_func ("/solver/push-relabel/deficits-of-every-size", test_deficits_of_every_size);
  g_test_add_func ("/solver/push-relabel/stopped-anywhere", test_stopped_anywhere);
  g_test_add_func ("/solver/push-relabel/without-memory", test_without_memory);
  g_test_add_func ("/solver/push-relabel/too-deep", test_too_deep);
  return g_test_run ();
}
