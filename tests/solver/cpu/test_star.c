/* SPDX-License-Identifier: MIT */
/* Star links: what they mean, what is refused, and that any history of them and of t-links ends in
 * the mask of a fresh solve. */
#include "solver/backend.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

#include <string.h>

static Problem *
star_problem (GRand *rand, int width, int height, Shape shape)
{
  FsNeighbours neighbours = g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
  Problem *problem = problem_new (width, height, neighbours, g_rand_boolean (rand));
  problem_add_star (problem);
  problem_fill (problem, rand, shape);
  return problem;
}

/* --- meaning --- */

static int
plane_at (const FsGrid *grid, int x, int y, int d)
{
  if (d < 4)
    return grid->nlink[d][y * grid->width + x];
  int qx = x - fs_direction_dx (d - 4);
  int qy = y - fs_direction_dy (d - 4);
  const uint16_t *back = grid->nlink_back[d - 4];
  return (back != NULL ? back : grid->nlink[d - 4])[qy * grid->width + qx];
}

/* Every arc's capacity, written out with coordinates. */
static void
test_capacities (void)
{
  static const int dx[] = { 1, 0, 1, -1, -1, 0, -1, 1 };
  static const int dy[] = { 0, 1, 1, 1, 0, -1, -1, -1 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (31);
  for (int round = 0; round < 50; round++) {
    g_autoptr (Problem) problem = star_problem (rand, 1 + round % 9, 1 + round % 7, round % 5);
    const FsGrid *grid = &problem->grid;
    for (int p = 0; p < grid->width * grid->height; p++)
      for (int d = 0; d < 8; d++) {
        int x = p % grid->width, y = p / grid->width;
        int qx = x + dx[d], qy = y + dy[d];
        gboolean inside = qx >= 0 && qy >= 0 && qx < grid->width && qy < grid->height
                          && (d % 4 < 2 || grid->neighbours == FS_NEIGHBOURS_8);
        g_assert_cmpint (fs_grid_has_arc (grid, x, y, d), ==, inside);
        if (!inside)
          continue;
        int expected =
            grid->star[p] == d ? 65535 - plane_at (grid, qx, qy, d ^ 4) : plane_at (grid, x, y, d);
        g_assert_cmpint (fs_grid_capacity (grid, p, d), ==, expected);
      }
  }
}

/* Object at the left end, background at the right, and a gap in the middle that wants to be
 * background: without a star it is, with one what lies behind it follows. */
static void
test_no_island (void)
{
  g_autoptr (Problem) problem = problem_new (9, 1, FS_NEIGHBOURS_4, FALSE);
  static const int32_t tlinks[] = { 9000, 5, 5, -20, -20, 5, 15, -9000, -1 };
  memcpy (problem->grid.tlink, tlinks, sizeof tlinks);
  for (int x = 0; x < 8; x++)
    problem->plane[FS_DIRECTION_E][x] = 1;
  g_autoptr (FsSolver) plain = fs_solver_new (test_backend (), &problem->grid, NULL);
  solve_and_check (plain);
  g_autofree uint8_t *mask = read_whole_mask (plain);
  g_assert_cmpmem (mask, 9, ((uint8_t[]){ 1, 1, 1, 0, 0, 1, 1, 0, 0 }), 9);

  problem_add_star (problem);
  memset (problem->grid.star + 1, FS_DIRECTION_E ^ FS_DIRECTION_OPPOSITE, 8);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  solve_and_check (solver);
  g_autofree uint8_t *starred = read_whole_mask (solver);
  g_assert_cmpmem (starred, 9, ((uint8_t[]){ 1, 1, 1, 0, 0, 0, 0, 0, 0 }), 9);

  FsTlinkChange change = { 6, 60 };
  fs_solver_change_tlinks (solver, &change, 1, NULL);
  solve_and_check (solver);
  g_autofree uint8_t *bridged = read_whole_mask (solver);
  g_assert_cmpmem (bridged, 9, ((uint8_t[]){ 1, 1, 1, 1, 1, 1, 1, 0, 0 }), 9);
}

/* --- refusals --- */

static void
refuse (const Problem *problem, const char *word)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_grid_validate (&problem->grid, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_refused_stars (void)
{
  g_autoptr (Problem) problem = problem_new (5, 4, FS_NEIGHBOURS_8, FALSE);
  problem_add_star (problem);
  uint8_t *star = problem->grid.star;
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  star[4] = FS_DIRECTION_E;
  refuse (problem, "(4, 0) leads to no neighbour");
  star[4] = FS_N_ARCS;
  refuse (problem, "no neighbour");
  star[4] = FS_STAR_NONE - 1;
  refuse (problem, "no neighbour");
  star[4] = FS_DIRECTION_SW;
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  star[8] = FS_DIRECTION_SW ^ FS_DIRECTION_OPPOSITE;
  refuse (problem, "cycle");
  star[8] = FS_DIRECTION_E ^ FS_DIRECTION_OPPOSITE;
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  star[7] = FS_DIRECTION_S ^ FS_DIRECTION_OPPOSITE;
  star[2] = FS_DIRECTION_E;
  star[3] = FS_DIRECTION_E;
  refuse (problem, "cycle");
  star[3] = FS_DIRECTION_E ^ FS_DIRECTION_OPPOSITE;
  refuse (problem, "cycle");
  star[2] = FS_STAR_NONE;
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  problem->grid.neighbours = FS_NEIGHBOURS_4;
  refuse (problem, "(4, 0) leads to no neighbour");
}

static void
test_refused_memory (void)
{
  g_autoptr (Problem) problem = problem_new (5, 4, FS_NEIGHBOURS_8, FALSE);
  problem_add_star (problem);
  g_autoptr (GError) error = NULL;
  fault_memory_after (0, TRUE);
  g_assert_false (fs_grid_validate (&problem->grid, &error));
  fault_memory_after (-1, FALSE);
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
}

static void
test_misuse (void)
{
  if (!g_test_undefined ())
    return;
  g_autoptr (Problem) problem = problem_new (5, 4, FS_NEIGHBOURS_4, FALSE);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  static const FsStarChange out = { 4, FS_DIRECTION_E }, diagonal = { 0, FS_DIRECTION_SE };
  uint8_t plane[20];
  memset (plane, FS_STAR_NONE, sizeof plane);
  for (int with_star = 0; with_star < 2; with_star++) {
    g_test_expect_message (NULL, G_LOG_LEVEL_CRITICAL, "*star*");
    g_assert_false (fs_solver_change_star (solver, &out, 1, NULL));
    g_test_assert_expected_messages ();
    g_test_expect_message (NULL, G_LOG_LEVEL_CRITICAL, "*star*");
    g_assert_false (fs_solver_change_star (solver, &diagonal, 1, NULL));
    g_test_assert_expected_messages ();
    plane[19] = FS_DIRECTION_S;
    g_test_expect_message (NULL, G_LOG_LEVEL_CRITICAL, "*star*");
    g_assert_false (fs_solver_replace_star (solver, plane, NULL));
    g_test_assert_expected_messages ();
    if (!with_star)
      problem_add_star (problem);
  }
}

/* --- histories --- */

/* Some pixels of a rectangle go over to another forest, or lose their parents. The mixture may have
 * cycles, which no forest has: the solver must be exact all the same. */
static void
change_rectangle (FsSolver *solver, GRand *rand, const uint8_t *target)
{
  const FsGrid *grid = solver->grid;
  int side = g_rand_int_range (rand, 1, 14);
  int x0 = g_rand_int_range (rand, 0, grid->width);
  int y0 = g_rand_int_range (rand, 0, grid->height);
  int keep = g_rand_int_range (rand, 1, 4);
  gboolean clear = g_rand_int_range (rand, 0, 3) == 0;
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  for (int y = y0; y < MIN (y0 + side, grid->height); y++)
    for (int x = x0; x < MIN (x0 + side, grid->width); x++) {
      uint32_t p = (uint32_t)(y * grid->width + x);
      FsStarChange change = { p, clear ? FS_STAR_NONE : target[p] };
      FsStarChange before = { p, grid->star[p] };
      if (g_rand_int_range (rand, 0, keep) > 0)
        continue;
      g_array_append_val (changes, change);
      /* A pixel may come twice: the last one wins. */
      if (g_rand_int_range (rand, 0, 10) == 0)
        g_array_append_val (changes, before);
    }
  g_assert_true (fs_solver_change_star (solver, (void *)changes->data, changes->len, NULL));
}

static void
replace_star (FsSolver *solver, GRand *rand)
{
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autofree uint8_t *star = g_malloc (n);
  random_star (rand, solver->grid, star);
  int share = g_rand_int_range (rand, 1, 20);
  for (size_t p = 0; p < n; p++)
    if (g_rand_int_range (rand, 0, share) != 0)
      star[p] = solver->grid->star[p];
  g_assert_true (fs_solver_replace_star (solver, star, NULL));
  g_assert_cmpmem (star, n, solver->grid->star, n);
}

static void
paint (FsSolver *solver, GRand *rand, Shape shape)
{
  FsTlinkChange changes[40];
  uint32_t n = (uint32_t)fs_grid_n_pixels (solver->grid);
  uint32_t first = (uint32_t)g_rand_int_range (rand, 0, (int)n);
  for (uint32_t i = 0; i < G_N_ELEMENTS (changes); i++)
    changes[i] = (FsTlinkChange){ (first + i) % n, random_tlink (rand, shape) };
  int n_changes = g_rand_int_range (rand, 0, G_N_ELEMENTS (changes) + 1);
  g_assert_true (fs_solver_change_tlinks (solver, changes, n_changes, NULL));
}

static void
edit (FsSolver *solver, GRand *rand, Shape shape, const uint8_t *target)
{
  for (int i = g_rand_int_range (rand, 1, 5); i > 0; i--)
    switch (g_rand_int_range (rand, 0, 8)) {
    case 0:
      replace_star (solver, rand);
      break;
    case 1:
    case 2:
      paint (solver, rand, g_rand_boolean (rand) ? shape : SHAPE_UNIFORM);
      break;
    default:
      change_rectangle (solver, rand, target);
    }
}

static void
solve_cancelled (FsSolver *solver)
{
  atomic_bool cancel = TRUE;
  solve_or_stop (solver, &(FsProgress){ .cancel = &cancel });
}

static void
check_history (GRand *rand, int width, int height, int n_edits)
{
  Shape shape = g_rand_int_range (rand, 0, N_SHAPES);
  g_autoptr (Problem) problem = star_problem (rand, width, height, shape);
  g_autofree uint8_t *target = g_malloc (fs_grid_n_pixels (&problem->grid));
  fs_solver_set_threads (g_rand_int_range (rand, 1, 4));
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  for (int i = 0; i < n_edits; i++) {
    if (g_rand_int_range (rand, 0, 4) == 0)
      solve_cancelled (solver);
    else {
      FsSolution solution = solve_and_check (solver);
      check_against_fresh (solver, &solution);
    }
    if (i % 4 == 0)
      random_star (rand, &problem->grid, target);
    edit (solver, rand, shape, target);
  }
  FsSolution solution = solve_and_check (solver);
  check_against_fresh (solver, &solution);
}

static void
test_small_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (32);
  for (int i = 0; i < scaled (700); i++)
    check_history (rand, g_rand_int_range (rand, 1, 24), g_rand_int_range (rand, 1, 24), 10);
}

static void
test_lines (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (33);
  for (int i = 0; i < scaled (100); i++) {
    int length = g_rand_int_range (rand, 1, 300);
    check_history (rand, i % 2 ? length : 1, i % 2 ? 1 : length, 8);
  }
}

/* High enough for regions, slow enough for a solve to be stopped in its midst. */
static void
test_large_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (34);
  for (int i = 0; i < scaled_few (6, 2); i++)
    check_history (rand, g_rand_int_range (rand, 100, 300), g_rand_int_range (rand, 330, 500), 12);
}

/* A chain turned round, link by link, in any order: on the way every pair names each other. */
static void
test_any_order (void)
{
  enum { LENGTH = 40 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (35);
  for (int round = 0; round < scaled (60); round++) {
    g_autoptr (Problem) problem = problem_new (LENGTH, 1, FS_NEIGHBOURS_4, round % 2);
    problem_add_star (problem);
    problem_fill (problem, rand, SHAPE_UNIFORM);
    memset (problem->grid.star, FS_DIRECTION_E, LENGTH - 1);
    problem->grid.star[LENGTH - 1] = FS_STAR_NONE;
    g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
    solve_and_check (solver);
    FsStarChange changes[LENGTH];
    for (uint32_t x = 0; x < LENGTH; x++) {
      uint32_t other = (uint32_t)g_rand_int_range (rand, 0, (int)x + 1);
      changes[x] = changes[other];
      changes[other] =
          (FsStarChange){ x, x > 0 ? FS_DIRECTION_E ^ FS_DIRECTION_OPPOSITE : FS_STAR_NONE };
    }
    for (int first = 0; first < LENGTH; first += 4)
      fs_solver_change_star (solver, changes + first, 4, NULL);
    g_assert_true (fs_grid_validate (&problem->grid, NULL));
    FsSolution solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
  }
}

/* Memory that ends in the midst of changes: the flow is kept. */
static void
test_refused_memory_in_an_edit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (36);
  g_autoptr (Problem) problem = star_problem (rand, 100, 100, SHAPE_SEEDS);
  g_autofree uint8_t *target = g_malloc (100 * 100);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  for (int i = 0; i < 20; i++) {
    random_star (rand, &problem->grid, target);
    fault_memory_after (i % 4, TRUE);
    for (int j = 0; j < 10; j++)
      change_rectangle (solver, rand, target);
    g_autoptr (GError) error = NULL;
    FsSolution solution;
    if (!fs_solver_solve (solver, NULL, &solution, &error))
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    fault_memory_after (-1, FALSE);
    solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/star/capacities", test_capacities);
  g_test_add_func ("/solver/star/no-island", test_no_island);
  g_test_add_func ("/solver/star/refused-stars", test_refused_stars);
  g_test_add_func ("/solver/star/refused-memory", test_refused_memory);
  g_test_add_func ("/solver/star/misuse", test_misuse);
  g_test_add_func ("/solver/star/small-histories", test_small_histories);
  g_test_add_func ("/solver/star/lines", test_lines);
  g_test_add_func ("/solver/star/large-histories", test_large_histories);
  g_test_add_func ("/solver/star/any-order", test_any_order);
  g_test_add_func ("/solver/star/refused-memory-in-an-edit", test_refused_memory_in_an_edit);
  return g_test_run ();
}
