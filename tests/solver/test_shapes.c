/* SPDX-License-Identifier: MIT */
/* Cold solves of every size and shape that hurts: lines, one more and one less than a tile, photo
 * tiles, extremes of capacity. The certificate is the judge. */
#include "tests/solver/problem.h"

static const int sizes[][2] = {
  { 1, 1 },   { 1, 2 },   { 2, 1 },   { 1, 7 },   { 7, 1 },    { 1, 300 },  { 300, 1 }, { 7, 7 },
  { 8, 8 },   { 9, 9 },   { 8, 9 },   { 9, 8 },   { 15, 17 },  { 16, 16 },  { 17, 15 }, { 63, 65 },
  { 64, 64 }, { 65, 63 }, { 1, 129 }, { 129, 2 }, { 100, 37 }, { 33, 200 },
};

static void
check_shape (int width, int height, Shape shape, GRand *rand)
{
  for (int kind = 0; kind < 8; kind++) {
    g_autoptr (Problem) problem =
        problem_new (width, height, kind & 1 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, kind & 2);
    if (kind & 4)
      problem_add_star (problem);
    problem_fill (problem, rand, shape);
    g_assert_true (fs_grid_validate (&problem->grid, NULL));
    g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
    solve_and_check (solver);
    FsSolution again = solve_and_check (solver);
    check_against_fresh (solver, &again);
  }
}

static void
test_sizes (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int round = 0; round < scaled (2); round++)
    for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++)
      for (int shape = 0; shape < N_SHAPES; shape++)
        check_shape (sizes[i][0], sizes[i][1], shape, rand);
}

/* The number of threads must not show, the first n_numbers of these. */
static void
check_threads (int width, int height, int i, size_t n_numbers, GRand *rand)
{
  static const int n_threads[] = { 1, 8, 2, 3 };
  g_autoptr (Problem) problem =
      problem_new (width, height, i & 1 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, g_rand_boolean (rand));
  if (g_rand_boolean (rand))
    problem_add_star (problem);
  problem_fill (problem, rand, i / 2 % N_SHAPES);
  for (size_t j = 0; j < n_numbers; j++) {
    fs_solver_set_threads (n_threads[j]);
    g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
    FsSolution solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
  }
  fs_solver_set_threads (0);
}

/* Tall or wide enough for regions (regions.h), down to lines. */
static void
test_threads (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  for (int i = 0; i < scaled (2 * N_SHAPES); i++) {
    int size[2] = { g_rand_int_range (rand, 1, i % 3 == 0 ? 20 : 60),
                    g_rand_int_range (rand, 321, 900) };
    gboolean is_wide = g_rand_boolean (rand);
    check_threads (size[is_wide], size[!is_wide], i, 4, rand);
  }
}

/* Regions below each other and side by side; half the widths are those of whole tiles, where what
 * lies at the right edge has the left edge beside it in memory. */
static void
test_regions (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);
  for (int i = 0; i < scaled (N_SHAPES); i++) {
    int width = g_rand_int_range (rand, 340, 370), height = g_rand_int_range (rand, 321, 350);
    check_threads (i & 2 ? width / 8 * 8 + 8 : width, height, 2 * i + 1, 2, rand);
  }
}

/* Columns of excess and deficit, 128 steps apart, in weak links of every size: regions make orphans
 * over and over, and leave long ways (regions.h). */
static Problem *
hard_problem (GRand *rand, int height, gboolean is_directed)
{
  enum { WIDTH = 260, APART = 128, EXCESS = 1 << 16 };
  Problem *problem = problem_new (WIDTH, height, FS_NEIGHBOURS_8, is_directed);
  for (int p = 0; p < WIDTH * height; p++) {
    int x = p % WIDTH;
    problem->grid.tlink[p] = x % APART > 0         ? g_rand_int_range (rand, -9, 10)
                             : x % (2 * APART) > 0 ? -EXCESS
                                                   : EXCESS;
    for (int d = 0; d < (is_directed ? 2 : 1) * FS_N_DIRECTIONS; d++)
      if (fs_grid_has_neighbour (&problem->grid, x, p / WIDTH, d % FS_N_DIRECTIONS))
        problem->plane[d][p] = (uint16_t)(1 << g_rand_int_range (rand, 0, 8));
  }
  return problem;
}

static void
test_hard_regions (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  for (int i = 0; i < scaled (3); i++) {
    g_autoptr (Problem) problem = hard_problem (rand, 330 + 50 * i, i & 1);
    for (int n_threads = 2; n_threads < 6; n_threads += 3) {
      fs_solver_set_threads (n_threads);
      g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
      FsSolution solution = solve_and_check (solver);
      check_against_fresh (solver, &solution);
    }
  }
  fs_solver_set_threads (0);
}

/* One path through the whole grid, from the only excess to the only deficit. */
static void
check_long_path (int width, int height)
{
  g_autoptr (Problem) problem = problem_new (width, height, FS_NEIGHBOURS_4, FALSE);
  int n = width * height;
  for (int p = 0; p + 1 < n; p++)
    problem->plane[width > 1 ? FS_DIRECTION_E : FS_DIRECTION_S][p] = (uint16_t)(5 + p % 7);
  problem->grid.tlink[0] = 100;
  problem->grid.tlink[n - 1] = -100;
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  FsSolution solution = solve_and_check (solver);
  g_assert_cmpint (solution.energy, ==, 5);
}

static void
test_long_path (void)
{
  check_long_path (20000, 1);
  check_long_path (1, 20000);
}

/* The seam in the middle of a line (regions.h), with a deficit so far to its left that the tree
 * is deeper than what searches have room for at first, and excess to its right. Who searches both
 * halves together may be another thread than who has made that tree, which grows for the sake of
 * excess too far to the left. Near the line's begin lie excess and a deficit, farther apart than
 * what flows along rows beforehand (scanline_preflow.h): its orphans make the source's trees grow
 * first.
 */
static void
test_deep_tree (void)
{
  enum { WIDTH = 72000, SEAM = WIDTH / 2, DEPTH = 268, ROUNDS = 8 };
  g_autoptr (Problem) problem = problem_new (WIDTH, 1, FS_NEIGHBOURS_4, FALSE);
  for (int x = 0; x + 1 < WIDTH; x++)
    problem->plane[FS_DIRECTION_E][x] = (uint16_t)(5 + x % 7);
  problem->grid.tlink[SEAM - DEPTH] = -100;
  problem->grid.tlink[SEAM + 20] = problem->grid.tlink[SEAM - DEPTH - 3000] = 100;
  problem->grid.tlink[10] = 100;
  problem->grid.tlink[100] = -2;
  fs_solver_set_threads (3);
  for (int i = 0; i < ROUNDS; i++) {
    g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
    FsSolution solution = solve_and_check (solver);
    g_assert_cmpint (solution.energy, ==, 12);
  }
  fs_solver_set_threads (0);
}

/* Links a pixel of a grid so many pixels wide with one of its four neighbours. */
static void
join (Problem *problem, int from, int to, int width)
{
  int first = MIN (from, to);
  problem->plane[ABS (to - from) == width ? FS_DIRECTION_S : FS_DIRECTION_E][first] = 1000;
}

/* One path that turns at every pixel, to and fro over pairs of rows: far more turns of a search
 * than are noted (kernels/runs.h), in a tile of its own. Excess lies all along it. */
static void
test_path_of_turns (void)
{
  enum { WIDTH = 31, BANDS = 10, EVERY = 50 };
  g_autoptr (Problem) problem = problem_new (WIDTH, 3 * BANDS, FS_NEIGHBOURS_4, FALSE);
  int at = 0, n = 0, excess = 0;
  for (int band = 0; band < BANDS; band++) {
    int way = band % 2 == 0 ? 1 : -1;
    for (int i = 0; i < WIDTH; i++) {
      int across = at + (i % 2 == 0 ? WIDTH : -WIDTH), next = i + 1 < WIDTH ? across + way : across;
      if (n++ % EVERY == 0)
        problem->grid.tlink[at] = 1 + n % 3;
      excess += problem->grid.tlink[at];
      join (problem, at, across, WIDTH);
      if (next != across)
        join (problem, across, next, WIDTH);
      at = next;
    }
    for (int i = 0; i < 2 && band + 1 < BANDS; i++, at += WIDTH)
      join (problem, at, at + WIDTH, WIDTH);
  }
  problem->grid.tlink[at] = -2 * excess;
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  FsSolution solution = solve_and_check (solver);
  g_assert_cmpint (solution.energy, ==, excess);
  check_against_fresh (solver, &solution);
}

/* The t-links sum to 2^39: more than 32 bits hold. */
static void
test_sums_have_64_bits (void)
{
  enum { SIDE = 64 };
  g_autoptr (Problem) problem = problem_new (SIDE, SIDE, FS_NEIGHBOURS_8, FALSE);
  for (int p = 0; p < SIDE * SIDE; p++)
    problem->grid.tlink[p] = p % SIDE < SIDE / 2 ? FS_TLINK_MAX : -FS_TLINK_MAX;
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    for (int p = 0; p < SIDE * SIDE; p++)
      if (fs_grid_has_neighbour (&problem->grid, p % SIDE, p / SIDE, d))
        problem->plane[d][p] = FS_NLINK_MAX;
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  FsSolution solution = solve_and_check (solver);
  g_assert_cmpint (solution.energy, ==, (int64_t)FS_NLINK_MAX * (SIDE + 2 * (SIDE - 1)));
  for (int p = 0; p < SIDE * SIDE; p++) {
    FsTlinkChange change = { p, -problem->grid.tlink[p] };
    fs_solver_change_tlinks (solver, &change, 1, NULL);
  }
  FsSolution turned = solve_and_check (solver);
  g_assert_cmpint (turned.energy, ==, solution.energy);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/shapes/sizes", test_sizes);
  g_test_add_func ("/solver/shapes/threads", test_threads);
  if (test_backend () == &fs_backend_cpu)
    g_test_add_func ("/solver/shapes/regions", test_regions);
  g_test_add_func ("/solver/shapes/hard-regions", test_hard_regions);
  g_test_add_func ("/solver/shapes/long-path", test_long_path);
  if (test_backend () == &fs_backend_cpu)
    g_test_add_func ("/solver/shapes/deep-tree", test_deep_tree);
  g_test_add_func ("/solver/shapes/path-of-turns", test_path_of_turns);
  g_test_add_func ("/solver/shapes/sums-have-64-bits", test_sums_have_64_bits);
  return g_test_run ();
}
