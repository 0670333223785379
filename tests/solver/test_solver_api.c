/* SPDX-License-Identifier: MIT */
/* The function table's edges: names, refusals, memory that ends. */
#include "solver/backend.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

static void
test_backends (void)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_backend_find ("cpu", &error) == &fs_backend_cpu);
  g_assert_true (fs_backend_find ("auto", &error) != NULL);
  g_assert_no_error (error);
  g_assert_nonnull (fs_backend_cpu.device ());
  /* Also where the module is installed, and a device there. */
  g_setenv ("FRETSAW_CUDA_MODULE", "/nowhere/fretsaw-cuda.so", TRUE);
  g_assert_null (fs_backend_find ("cuda", &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND);
  g_assert_nonnull (g_strstr_len (error->message, -1, "CUDA"));
  g_clear_error (&error);
  g_assert_null (fs_backend_find ("abacus", &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND);
  g_assert_nonnull (g_strstr_len (error->message, -1, "abacus"));
}

static void
refuse (const FsGrid *grid, gboolean by_new)
{
  g_autoptr (GError) error = NULL;
  FsGrid copy = *grid;
  if (by_new)
    g_assert_null (fs_solver_new (&fs_backend_cpu, &copy, &error));
  else
    g_assert_false (fs_grid_validate (&copy, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
}

static void
test_invalid_shapes (void)
{
  g_autoptr (Problem) problem = problem_new (5, 4, FS_NEIGHBOURS_8, TRUE);
  for (int by_new = 0; by_new < 2; by_new++) {
    FsGrid grid = problem->grid;
    grid.width = 0;
    refuse (&grid, by_new);
    grid = problem->grid;
    grid.height = -1;
    refuse (&grid, by_new);
    grid = problem->grid;
    grid.neighbours = 6;
    refuse (&grid, by_new);
    grid = problem->grid;
    grid.nlink[FS_DIRECTION_SW] = NULL;
    refuse (&grid, by_new);
    grid = problem->grid;
    grid.nlink_back[FS_DIRECTION_S] = NULL;
    refuse (&grid, by_new);
    grid = problem->grid;
    grid.tlink = NULL;
    refuse (&grid, by_new);
  }
}

static void
test_invalid_capacities (void)
{
  g_autoptr (Problem) problem = problem_new (5, 4, FS_NEIGHBOURS_8, TRUE);
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  problem->grid.tlink[7] = FS_TLINK_MAX + 1;
  refuse (&problem->grid, FALSE);
  problem->grid.tlink[7] = -FS_TLINK_MAX - 1;
  refuse (&problem->grid, FALSE);
  problem->grid.tlink[7] = -FS_TLINK_MAX;
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  problem->plane[FS_DIRECTION_E][4] = 1;
  refuse (&problem->grid, FALSE);
  problem->plane[FS_DIRECTION_E][4] = 0;
  problem->plane[FS_DIRECTION_S][3] = 65535;
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  problem->plane[FS_N_DIRECTIONS + FS_DIRECTION_S][3] = 1;
  refuse (&problem->grid, FALSE);
}

/* Every allocation of create, edit and solve, refused once and refused for ever. */
static void
check_refusal (Problem *problem, int n_before, gboolean for_ever, gboolean *was_refused)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  fault_memory_after (n_before, for_ever);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, &error);
  gboolean solved = solver != NULL && fs_solver_solve (solver, NULL, &solution, &error);
  fault_memory_after (-1, FALSE);
  *was_refused = !solved;
  if (!solved)
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
  if (solver != NULL) {
    solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
  }
}

static void
test_refused_memory (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (Problem) problem = problem_new (200, 100, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_SEEDS);
  for (int for_ever = 0; for_ever < 2; for_ever++) {
    gboolean was_refused = TRUE;
    int n = 0;
    while (was_refused)
      check_refusal (problem, n++, for_ever, &was_refused);
    g_assert_cmpint (n, >, 5);
  }
}

/* Refused while an edit is being solved: the flow is kept, the next solve is right. */
static void
test_refused_memory_in_an_edit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (Problem) problem = problem_new (100, 100, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_SEEDS);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  for (int i = 0; i < 20; i++) {
    fault_memory_after (i % 4, TRUE);
    for (uint32_t j = 0; j < 1000; j++) {
      FsTlinkChange change = { (uint32_t)g_rand_int_range (rand, 0, 10000),
                               random_tlink (rand, SHAPE_UNIFORM) };
      g_assert_true (fs_solver_change_tlinks (solver, &change, 1, NULL));
    }
    g_autoptr (GError) error = NULL;
    FsSolution solution;
    if (!fs_solver_solve (solver, NULL, &solution, &error))
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    fault_memory_after (-1, FALSE);
    solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
  }
}

static void
test_size_is_reported (void)
{
  g_autoptr (Problem) problem = problem_new (640, 480, FS_NEIGHBOURS_8, FALSE);
  g_autoptr (GRand) rand = g_rand_new_with_seed (10);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  solve_and_check (solver);
  double per_pixel = (double)fs_solver_size_bytes (solver) / (640 * 480);
  g_test_message ("8 neighbours: %.1f bytes a pixel", per_pixel);
  g_assert_cmpfloat (per_pixel, >, 20);
  g_assert_cmpfloat (per_pixel, <=, 44);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/api/backends", test_backends);
  g_test_add_func ("/solver/api/invalid-shapes", test_invalid_shapes);
  g_test_add_func ("/solver/api/invalid-capacities", test_invalid_capacities);
  g_test_add_func ("/solver/api/refused-memory", test_refused_memory);
  g_test_add_func ("/solver/api/refused-memory-in-an-edit", test_refused_memory_in_an_edit);
  g_test_add_func ("/solver/api/size-is-reported", test_size_is_reported);
  return g_test_run ();
}
