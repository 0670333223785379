/* SPDX-License-Identifier: MIT */
/* The certificate accepts what is right and refuses everything that is wrong: a backend of its own
 * shows it damaged states. Also the reference energy, by hand. */
#include "solver/backend.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

#include <string.h>

enum { SIDE = 6, N = SIDE * SIDE };

/* What the damaged backend shows. */
static struct {
  int32_t excess[N];
  uint16_t residual[FS_N_DIRECTIONS][N];
  uint8_t mask[N];
} shown;

static void
show_mask (FsSolver *solver, int x, int y, int width, int height, uint8_t *mask,
           size_t stride_bytes)
{
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      mask[j * stride_bytes + i] = shown.mask[(y + j) * SIDE + x + i];
}

static void
show_state (FsSolver *solver, int y, int n_rows, int32_t *excess,
            uint16_t *residual[FS_N_DIRECTIONS])
{
  for (int i = 0; i < n_rows * SIDE; i++) {
    excess[i] = shown.excess[y * SIDE + i];
    for (int d = 0; d < fs_grid_n_directions (solver->grid); d++)
      residual[d][i] = shown.residual[d][y * SIDE + i];
  }
}

static const FsBackend damaged = {
  .name = "damaged",
  .read_mask = show_mask,
  .read_state = show_state,
};

static FsCertificate
certify_shown (FsGrid *grid)
{
  FsSolver solver = { &damaged, grid };
  FsCertificate certificate;
  g_assert_true (fs_solver_certify (&solver, &certificate, NULL));
  return certificate;
}

static Problem *
solved_problem (uint32_t seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  Problem *problem = problem_new (SIDE, SIDE, FS_NEIGHBOURS_8, seed & 1);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  FsSolution solution;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  fs_solver_read_mask (solver, 0, 0, SIDE, SIDE, shown.mask, SIDE);
  uint16_t *residual[FS_N_DIRECTIONS];
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    residual[d] = shown.residual[d];
  fs_solver_read_state (solver, 0, SIDE, shown.excess, residual);
  g_assert_true (certify_shown (&problem->grid).holds);
  return problem;
}

static void
test_excess (void)
{
  for (int i = 0; i < 2 * N; i++) {
    g_autoptr (Problem) problem = solved_problem (i / 2);
    shown.excess[i / 2] += i % 2 ? 1 : -1;
    FsCertificate certificate = certify_shown (&problem->grid);
    g_assert_false (certificate.conserved);
    g_assert_false (certificate.holds);
  }
}

static void
test_residual (void)
{
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    for (int p = 0; p < N; p++) {
      g_autoptr (Problem) problem = solved_problem (p);
      shown.residual[d][p]++;
      FsCertificate certificate = certify_shown (&problem->grid);
      g_assert_false (certificate.feasible && certificate.conserved);
      g_assert_false (certificate.holds);
      shown.residual[d][p] = UINT16_MAX;
      certificate = certify_shown (&problem->grid);
      g_assert_false (certificate.feasible || certificate.canonical || certificate.holds);
    }
}

static void
test_mask (void)
{
  for (int p = 0; p < N; p++) {
    g_autoptr (Problem) problem = solved_problem (p);
    shown.mask[p] ^= 1;
    FsCertificate certificate = certify_shown (&problem->grid);
    g_assert_true (certificate.feasible && certificate.conserved);
    g_assert_false (certificate.canonical);
    g_assert_false (certificate.holds);
  }
}

/* A feasible flow that is not a maximum: none at all. */
static void
test_zero_flow (void)
{
  g_autoptr (Problem) problem = solved_problem (3);
  for (int p = 0; p < N; p++) {
    shown.excess[p] = problem->grid.tlink[p];
    for (int d = 0; d < FS_N_DIRECTIONS; d++)
      shown.residual[d][p] = problem->grid.nlink[d][p];
  }
  FsCertificate certificate = certify_shown (&problem->grid);
  g_assert_true (certificate.feasible && certificate.conserved);
  g_assert_false (certificate.holds);
  g_assert_cmpint (certificate.bound, <, certificate.energy);
}

/* The same, with the mask that such a flow has: all of it can reach the deficit. */
static void
test_canonical_of_zero_flow (void)
{
  g_autoptr (Problem) problem = problem_new (SIDE, SIDE, FS_NEIGHBOURS_4, FALSE);
  memset (&shown, 0, sizeof shown);
  for (int p = 0; p < N; p++) {
    problem->plane[FS_DIRECTION_E][p] = shown.residual[FS_DIRECTION_E][p] = p % SIDE < SIDE - 1;
    problem->plane[FS_DIRECTION_S][p] = shown.residual[FS_DIRECTION_S][p] = p < N - SIDE;
  }
  shown.excess[0] = problem->grid.tlink[0] = 5;
  shown.excess[N - 1] = problem->grid.tlink[N - 1] = -5;
  FsCertificate certificate = certify_shown (&problem->grid);
  g_assert_true (certificate.feasible && certificate.conserved && certificate.canonical);
  g_assert_cmpint (certificate.energy, ==, 5);
  g_assert_cmpint (certificate.bound, ==, 0);
  g_assert_false (certificate.holds);
}

/* Another minimum cut than the canonical one: the same energy, and still refused. */
static void
test_other_minimum (void)
{
  g_autoptr (Problem) problem = problem_new (SIDE, SIDE, FS_NEIGHBOURS_8, FALSE);
  memset (&shown, 0, sizeof shown);
  memset (shown.mask, 1, sizeof shown.mask);
  g_assert_true (certify_shown (&problem->grid).holds);
  for (int p = 0; p < N; p++) {
    shown.mask[p] = 0;
    FsCertificate certificate = certify_shown (&problem->grid);
    g_assert_true (certificate.feasible && certificate.conserved);
    g_assert_cmpint (certificate.energy, ==, certificate.bound);
    g_assert_false (certificate.canonical || certificate.holds);
  }
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  solve_and_check (solver);
  fs_solver_read_mask (solver, 0, 0, SIDE, SIDE, shown.mask, SIDE);
  for (int p = 0; p < N; p++)
    g_assert_cmpint (shown.mask[p], ==, 1);
}

static void
test_memory (void)
{
  g_autoptr (Problem) problem = solved_problem (4);
  FsSolver solver = { &damaged, &problem->grid };
  int n_refused = 0;
  for (;;) {
    g_autoptr (GError) error = NULL;
    FsCertificate certificate;
    fault_memory_after (n_refused, TRUE);
    gboolean done = fs_solver_certify (&solver, &certificate, &error);
    fault_memory_after (-1, FALSE);
    if (done)
      break;
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    n_refused++;
  }
  g_assert_cmpint (n_refused, >=, 6);
}

/* 2×2, directed, all by hand: object at (0,0) and (1,1). */
static void
test_energy_by_hand (void)
{
  int32_t tlink[4] = { 5, -7, 11, -13 };
  uint16_t e[4] = { 1, 0, 2, 0 };
  uint16_t s[4] = { 4, 8, 0, 0 };
  uint16_t se[4] = { 16, 0, 0, 0 };
  uint16_t sw[4] = { 0, 32, 0, 0 };
  uint16_t e_back[4] = { 100, 0, 200, 0 };
  uint16_t s_back[4] = { 400, 800, 0, 0 };
  uint16_t se_back[4] = { 1600, 0, 0, 0 };
  uint16_t sw_back[4] = { 0, 3200, 0, 0 };
  FsGrid grid = { 2, 2, FS_NEIGHBOURS_8, { e, s, se, sw }, { 0 }, tlink };
  uint8_t mask[4] = { 1, 0, 0, 1 };
  g_assert_cmpint (fs_grid_energy (&grid, mask), ==, 11 + 13 + 1 + 4 + 2 + 8);
  FsGrid directed = {
    2, 2, FS_NEIGHBOURS_8, { e, s, se, sw }, { e_back, s_back, se_back, sw_back }, tlink
  };
  g_assert_cmpint (fs_grid_energy (&directed, mask), ==, 11 + 13 + 1 + 4 + 200 + 800);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/certificate/excess", test_excess);
  g_test_add_func ("/solver/certificate/residual", test_residual);
  g_test_add_func ("/solver/certificate/mask", test_mask);
  g_test_add_func ("/solver/certificate/zero-flow", test_zero_flow);
  g_test_add_func ("/solver/certificate/canonical-of-zero-flow", test_canonical_of_zero_flow);
  g_test_add_func ("/solver/certificate/other-minimum", test_other_minimum);
  g_test_add_func ("/solver/certificate/memory", test_memory);
  g_test_add_func ("/solver/certificate/energy-by-hand", test_energy_by_hand);
  return g_test_run ();
}
