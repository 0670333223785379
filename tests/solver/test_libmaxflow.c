/* SPDX-License-Identifier: MIT */
/* The same value and the same canonical mask as Boykov & Kolmogorov's own code. Where their package
 * is missing, each test counts as skipped. */
#include "tests/solver/problem.h"

#ifdef FS_WITH_LIBMAXFLOW
#include "tests/solver/bk.h"

#include <math.h>

static void
compare (Problem *problem)
{
  FsGrid *grid = &problem->grid;
  size_t n = fs_grid_n_pixels (grid);
  g_autoptr (Bk) bk = bk_new (grid);
  g_autofree uint8_t *expected = g_malloc (n);
  bk_solve (bk, FALSE);
  bk_read_mask (bk, expected);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
  FsSolution solution = solve_and_check (solver);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  g_assert_cmpint (solution.energy, ==, fs_grid_energy (grid, expected));
  g_assert_cmpmem (mask, n, expected, n);
}

static void
compare_random (int count, int max_side, uint32_t seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  for (int i = 0; i < count; i++) {
    g_autoptr (Problem) problem = problem_new_random (rand, max_side, max_side);
    /* Maximal t-links would overflow the other code's 32-bit sum of all of them. */
    Shape shape = g_rand_int_range (rand, 0, N_SHAPES);
    problem_fill (problem, rand, shape == SHAPE_MAXIMUM ? SHAPE_UNIFORM : shape);
    compare (problem);
  }
}

static void
test_tiny (void)
{
  compare_random (scaled (3000), 8, 21);
}

static void
test_small (void)
{
  compare_random (scaled (300), 40, 22);
}

static void
test_medium (void)
{
  compare_random (scaled (6), 300, 23);
}

/* Contrast n-links from a made-up picture of soft discs under noise, t-links from its brightness.
 */
static void
fill_like_photo (Problem *problem, GRand *rand)
{
  FsGrid *grid = &problem->grid;
  size_t n = fs_grid_n_pixels (grid);
  g_autofree int *grey = g_new (int, n);
  for (size_t p = 0; p < n; p++) {
    int x = (int)(p % grid->width);
    int y = (int)(p / grid->width);
    double pass = sin (x * 0.05) * cos (y * 0.07) + 0.6 * sin ((x + 2 * y) * 0.013);
    grey[p] = (int)(128 + 60 * pass) + g_rand_int_range (rand, -12, 13);
    grid->tlink[p] = grey[p] - 128 + g_rand_int_range (rand, -40, 41);
  }
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    for (size_t p = 0; p < n; p++) {
      int x = (int)(p % grid->width);
      int y = (int)(p / grid->width);
      if (!fs_grid_has_neighbour (grid, x, y, d))
        continue;
      int there = grey[p + fs_direction_dx (d) + fs_direction_dy (d) * grid->width];
      problem->plane[d][p] = 4000 / (10 + (grey[p] - there) * (grey[p] - there));
    }
}

static void
test_photo_like (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (24);
  for (int i = 0; i < scaled (2); i++) {
    g_autoptr (Problem) problem =
        problem_new (333, 251, i & 1 ? FS_NEIGHBOURS_4 : FS_NEIGHBOURS_8, FALSE);
    fill_like_photo (problem, rand);
    compare (problem);
  }
}
#else
static void
skip (void)
{
  g_test_skip ("libmaxflow-dev or a C++ compiler is missing");
}
#define test_tiny       skip
#define test_small      skip
#define test_medium     skip
#define test_photo_like skip
#endif

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/libmaxflow/tiny", test_tiny);
  g_test_add_func ("/solver/libmaxflow/small", test_small);
  g_test_add_func ("/solver/libmaxflow/medium", test_medium);
  g_test_add_func ("/solver/libmaxflow/photo-like", test_photo_like);
  return g_test_run ();
}
