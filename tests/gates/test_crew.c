/* SPDX-License-Identifier: MIT */
/* The gates' own machinery: that it counts, and that a gate can fail. */
#include "tests/gates/crew.h"

#include <stdlib.h>

static GateResult
check_some (GRand *rand, const GateWork *work, int64_t number)
{
  return number % 350 == 0 ? GATE_WRONG : number % 7 == 1 ? GATE_SKIPPED : GATE_RIGHT;
}

static GateResult
check_crashes (GRand *rand, const GateWork *work, int64_t number)
{
  if (number == work->size)
    _Exit (3);
  return GATE_RIGHT;
}

/* Right where the number is the very one that follows from the seed. */
static GateResult
check_seed (GRand *rand, const GateWork *work, int64_t number)
{
  guint32 seed[] = { g_str_hash ("T"), 0, (guint32)number };
  g_autoptr (GRand) again = g_rand_new_with_seed_array (seed, G_N_ELEMENTS (seed));
  return gate_result (g_rand_int (rand) == g_rand_int (again));
}

/* A cut that the solver was made to misjudge: t-links change behind its back, once it has read them
 * all. */
static GateResult
check_spoilt (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (Problem) problem = problem_new (6, 6, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  FsSolution solution;
  fs_solver_solve (solver, NULL, &solution, NULL);
  for (size_t p = 0; number == 1 && p < fs_grid_n_pixels (&problem->grid); p++)
    problem->grid.tlink[p] = -problem->grid.tlink[p];
  return gate_result (crew_solve (solver, &solution));
}

static CrewTally
run (const GateWork *work, int jobs, int64_t only)
{
  Gate gate = { .id = "T", .works = work, .n_works = 1 };
  CrewOptions options = { .jobs = jobs, .scale = 1, .only = only };
  return crew_run (&gate, &options);
}

static void
test_counts (void)
{
  GateWork work = { "some", check_some, .n = 700, .fixed = TRUE };
  for (int jobs = 1; jobs <= 3; jobs++) {
    CrewTally tally = run (&work, jobs, -1);
    g_assert_cmpint (tally.n_expected, ==, 700);
    g_assert_cmpint (tally.n_wrong, ==, 2);
    g_assert_cmpint (tally.n_skipped, ==, 100);
  }
  work.alone = TRUE;
  g_assert_cmpint (run (&work, 3, -1).n_wrong, ==, 2);
  work.holds = 10;
  CrewTally tally = run (&work, 3, -1);
  g_assert_cmpint (tally.n_expected, ==, 7000);
  g_assert_cmpint (tally.n_wrong, ==, 20);
  g_assert_cmpint (tally.n_skipped, ==, 1000);
}

static void
test_only (void)
{
  GateWork work = { "some", check_some, .n = 700, .fixed = TRUE };
  CrewTally tally = run (&work, 3, 350);
  g_assert_cmpint (tally.n_expected, ==, 1);
  g_assert_cmpint (tally.n_wrong, ==, 1);
  g_assert_cmpint (run (&work, 3, 15).n_skipped, ==, 1);
  g_assert_cmpint (run (&work, 3, 14).n_wrong, ==, 0);
  g_assert_cmpint (run (&work, 3, 700).n_expected, ==, 0);
}

static void
test_seeds (void)
{
  GateWork work = { "seeds", check_seed, .n = 500, .fixed = TRUE };
  g_assert_cmpint (run (&work, 3, -1).n_wrong, ==, 0);
}

static void
test_crash_is_wrong (void)
{
  GateWork work = { "crash", check_crashes, .n = 90, .size = 89, .fixed = TRUE };
  g_assert_cmpint (run (&work, 2, -1).n_wrong, >=, 1);
}

static void
test_unproven (void)
{
  GateWork work = { "spoilt", check_spoilt, .n = 4, .fixed = TRUE };
  CrewTally tally = run (&work, 2, -1);
  g_assert_cmpint (tally.n_proven, ==, 3);
  g_assert_cmpint (tally.n_unproven, ==, 1);
  g_assert_cmpint (tally.n_wrong, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/gates/crew/counts", test_counts);
  g_test_add_func ("/gates/crew/only", test_only);
  g_test_add_func ("/gates/crew/seeds", test_seeds);
  g_test_add_func ("/gates/crew/crash-is-wrong", test_crash_is_wrong);
  g_test_add_func ("/gates/crew/unproven", test_unproven);
  return g_test_run ();
}
