/* SPDX-License-Identifier: MIT */
/* Every grid of up to 12 pixels against all 2ⁿ cuts: the value, and the canonical mask, which is
 * found here without any flow as the intersection of all minimum cuts' sink sides. */
#include "tests/solver/problem.h"

enum { MAX_PIXELS = 12 };

typedef struct {
  int64_t energy;
  unsigned sink_side; /* bit p: pixel p is background in every minimum cut */
} Truth;

static Truth
enumerate_cuts (const FsGrid *grid)
{
  int n = (int)fs_grid_n_pixels (grid);
  Truth truth = { .energy = INT64_MAX };
  for (unsigned cut = 0; cut < 1u << n; cut++) {
    uint8_t mask[MAX_PIXELS];
    for (int p = 0; p < n; p++)
      mask[p] = cut >> p & 1;
    int64_t energy = fs_grid_energy (grid, mask);
    unsigned sink_side = ~cut & ((1u << n) - 1);
    if (energy < truth.energy)
      truth = (Truth){ energy, sink_side };
    else if (energy == truth.energy)
      truth.sink_side &= sink_side;
  }
  return truth;
}

static void
check_one (GRand *rand)
{
  int width = g_rand_int_range (rand, 1, MAX_PIXELS + 1);
  int height = g_rand_int_range (rand, 1, MAX_PIXELS / width + 1);
  /* Few large ones: their 4,096 cuts cost the most. */
  if (width * height > 8 && g_rand_int_range (rand, 0, 8) != 0)
    height = MAX (1, 8 / width);
  FsNeighbours neighbours = g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
  g_autoptr (Problem) problem = problem_new (width, height, neighbours, g_rand_boolean (rand));
  if (g_rand_boolean (rand))
    problem_add_star (problem);
  problem_fill (problem, rand, g_rand_int_range (rand, 0, N_SHAPES));
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  FsSolution solution = solve_and_check (solver);
  Truth truth = enumerate_cuts (&problem->grid);
  g_assert_cmpint (solution.energy, ==, truth.energy);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  for (int p = 0; p < width * height; p++)
    g_assert_cmpuint (mask[p], ==, !(truth.sink_side >> p & 1));
}

static void
test_all_cuts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  int n = scaled (10000);
  for (int i = 0; i < n; i++)
    check_one (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/brute-force/all-cuts", test_all_cuts);
  return g_test_run ();
}
