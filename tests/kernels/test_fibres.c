/* SPDX-License-Identifier: MIT */
/* The CUDA engine's own source on the host, each of its threads a fibre: the CPU's mask in every
 * schedule, and whichever call of the CUDA library fails. */
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "tests/kernels/fibre_calls.h"
#include "tests/solver/problem.h"

#include <string.h>

/* Every call of the backend that reaches the engine, whatever it needs to be. */
static void
change (FsSolver *solver, GRand *rand, int number)
{
  const FsGrid *grid = solver->grid;
  size_t n = fs_grid_n_pixels (grid);
  g_autofree int32_t *tlinks = g_memdup2 (grid->tlink, n * sizeof *tlinks);
  g_autofree uint8_t *star = g_malloc (n);
  FsTlinkChange changes[20];
  for (int i = 0; i < 20; i++)
    changes[i] = (FsTlinkChange){ (uint32_t)g_rand_int_range (rand, 0, (int)n),
                                  random_tlink (rand, SHAPE_UNIFORM) };
  if (number % 3 == 0)
    g_assert_true (fs_solver_change_tlinks (solver, changes, 20, NULL));
  for (size_t p = 0; p < n; p += 3)
    tlinks[p] = random_tlink (rand, SHAPE_UNIFORM);
  if (number % 3 == 1)
    g_assert_true (fs_solver_replace_tlinks (solver, tlinks, NULL));
  random_star (rand, grid, star);
  if (number % 3 == 2 && grid->star != NULL)
    g_assert_true (fs_solver_replace_star (solver, star, NULL));
  if (number % 3 == 2 && grid->star == NULL && grid->nlink_back[0] != NULL) {
    g_autoptr (GArray) nlinks = random_nlink_changes (rand, grid, 100);
    g_assert_true (fs_solver_change_nlinks (solver, (void *)nlinks->data, nlinks->len, NULL));
  }
}

/* Demands the mask of a CPU that knows the grid only as it is now. */
static void
check_mask (FsSolver *solver)
{
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSolver) cpu = fs_solver_new (&fs_backend_cpu, solver->grid, NULL);
  FsSolution solution, expected;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, &error));
  g_assert_no_error (error);
  g_assert_true (fs_solver_solve (cpu, NULL, &expected, NULL));
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_true (solution.exact);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  g_autofree uint8_t *expected_mask = read_whole_mask (cpu);
  g_assert_cmpmem (mask, n, expected_mask, n);
}

/* --- Schedules --- */

static void
check_problem (Problem *problem, GRand *rand, int n_changes)
{
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, NULL);
  check_mask (solver);
  for (int i = 0; i < n_changes; i++) {
    change (solver, rand, i);
    check_mask (solver);
  }
  solve_and_check (solver);
  g_assert_null (fs_cuda_notice ());
}

enum { N_SCHEDULES = 6, LARGEST = 4 };

static void
test_schedules (void)
{
  static const int SIDES[][2] = { { 1, 1 }, { 33, 1 }, { 20, 31 }, { 40, 36 }, { 97, 65 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (guint32 i = 0; i < (guint32)scaled (N_SCHEDULES); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (SIDES); j++) {
      /* Most of the time goes into the largest: where a share suffices, two, one of either
       * neighbourhood. */
      if (j == LARGEST && test_share () > 1 && i % 3 != 0)
        continue;
      FsNeighbours neighbours = (i + j) % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
      g_autoptr (Problem) problem = problem_new (SIDES[j][0], SIDES[j][1], neighbours, i % 3 == 0);
      if (i % 2 == 0)
        problem_add_star (problem);
      problem_fill (problem, rand, (Shape)g_rand_int_range (rand, 0, N_SHAPES));
      fibre_begin (fs_engine_cuda (), i, 1 + (int)(i % 4));
      check_problem (problem, rand, 3);
    }
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* Pre-flow through a tile whose t-links stay. */
static void
test_passage (void)
{
  for (guint32 i = 0; i < 4; i++) {
    g_autoptr (Problem) problem = problem_new_passage ();
    fibre_begin (fs_engine_cuda (), i, 1 + (int)i);
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, NULL);
    check_mask (solver);
    replace_ends_of_passage (solver);
    check_mask (solver);
    g_assert_null (fs_cuda_notice ());
  }
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* Small, for builds in which every touch of memory counts (fibres/touch.h). */
static void
test_races (void)
{
  static const int SIDES[][2] = { { 33, 20 }, { 20, 33 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (guint32 i = 0; i < (guint32)scaled (4); i++) {
    const int *sides = SIDES[i / 2 % 2];
    FsNeighbours neighbours = i % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
    g_autoptr (Problem) problem = problem_new (sides[0], sides[1], neighbours, i % 2 == 0);
    if (i < 2)
      problem_add_star (problem);
    problem_fill (problem, rand, i % 2 ? SHAPE_UNIFORM : SHAPE_SEEDS);
    fibre_begin (fs_engine_cuda (), i + 2, 1 + (int)(i % 3));
    check_problem (problem, rand, 3);
  }
}

/* --- Cancelling --- */

static void
stop (double fraction, gpointer cancel)
{
  atomic_store ((atomic_bool *)cancel, TRUE);
}

static void
test_cancelling (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (Problem) problem = problem_new (70, 70, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_SEEDS);
  fibre_begin (fs_engine_cuda (), 5, 2);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, NULL);
  atomic_bool cancel = TRUE;
  FsProgress progress = { &cancel, stop, &cancel };
  FsSolution solution;
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_solver_solve (solver, &progress, &solution, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  FsCertificate certificate;
  g_assert_true (fs_solver_certify (solver, &certificate, NULL));
  g_assert_true (certificate.feasible && certificate.conserved && !certificate.holds);
  solve_and_check (solver);
  check_mask (solver);
  g_assert_null (fs_cuda_notice ());
}

/* --- Every call of the CUDA library failing --- */

/* Returns how many calls it made, those that destroy not counted. */
static int
check_history (gconstpointer data)
{
  gboolean has_star = GPOINTER_TO_INT (data);
  int before = fibre_n_calls ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (Problem) problem = problem_new (20, 12, FS_NEIGHBOURS_4, !has_star);
  if (has_star)
    problem_add_star (problem);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, &error);
  g_assert_no_error (error);
  check_mask (solver);
  for (int i = 0; i < 3; i++) {
    change (solver, rand, i);
    check_mask (solver);
  }
  FsCertificate certificate;
  g_assert_true (fs_solver_certify (solver, &certificate, NULL));
  g_assert_true (certificate.holds);
  check_mask (solver);
  if (fs_cuda_notice () != NULL)
    g_assert_nonnull (strstr (fs_cuda_notice (), "the cut goes on with the processor"));
  return fibre_n_calls () - before;
}

enum { N_FAILURES = 4 };

/* Only what releases memory may fail unheard, and only once. */
static void
check_failures (FibreError code, gboolean for_ever, gboolean has_star)
{
  const FibreCalls calls = { .table = fs_engine_cuda (),
                             .n_blocks = 2,
                             .play = check_history,
                             .data = GINT_TO_POINTER (has_star),
                             .least = 60,
                             .stride = N_FAILURES };
  g_assert_cmpint (fibre_fail_each (&calls, code, for_ever), <=, for_ever ? 0 : 2);
}

/* Four times, so that each call fails in one of them at least. */
static void
test_every_call_failing (void)
{
  check_failures (FIBRE_NO_MEMORY, FALSE, TRUE);
  check_failures (FIBRE_NO_MEMORY, TRUE, FALSE);
  check_failures (FIBRE_LAUNCH_FAILED, FALSE, FALSE);
  check_failures (FIBRE_LAUNCH_FAILED, TRUE, TRUE);
}

/* Without a device that opens there is an error, and no solver. */
static void
test_opening (void)
{
  for (int n = 0; n < 3; n++) {
    fibre_begin (fs_engine_cuda (), 0, 2);
    fs_cuda_use_table (fs_engine_cuda ());
    fibre_fail_after (n, TRUE, FIBRE_NO_DEVICE);
    g_autoptr (GError) error = NULL;
    g_assert_false (fs_cuda_is_available (&error));
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND);
    g_assert_nonnull (strstr (error->message, "no CUDA-capable device is detected"));
  }
}

/* Without a driver, or with one too old, which it is. */
static void
test_drivers (void)
{
  static const struct {
    int driver;
    const char *words;
  } CASES[] = { { 0, "no NVIDIA driver is installed" },
                { 11080, "too old: it is for CUDA 11.8, and this needs 13.0" } };
  for (size_t i = 0; i < G_N_ELEMENTS (CASES); i++) {
    g_autoptr (GError) error = NULL;
    fibre_begin (fs_engine_cuda (), 0, 2);
    fs_cuda_use_table (fs_engine_cuda ());
    fibre_set_driver (CASES[i].driver);
    fibre_fail_after (0, TRUE, FIBRE_OLD_DRIVER);
    g_assert_false (fs_cuda_is_available (&error));
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND);
    g_assert_nonnull (strstr (error->message, CASES[i].words));
  }
  fibre_set_driver (13000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fs_solver_set_threads (1);
  g_test_add_func ("/kernels/fibres/schedules", test_schedules);
  g_test_add_func ("/kernels/fibres/passage", test_passage);
  g_test_add_func ("/kernels/fibres/races", test_races);
  g_test_add_func ("/kernels/fibres/cancelling", test_cancelling);
  g_test_add_func ("/kernels/fibres/every-call-failing", test_every_call_failing);
  g_test_add_func ("/kernels/fibres/opening", test_opening);
  g_test_add_func ("/kernels/fibres/drivers", test_drivers);
  return g_test_run ();
}
