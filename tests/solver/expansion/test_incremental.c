/* SPDX-License-Identifier: MIT */
/* Any history of edits, interruptions included, ends in the mask of a fresh solve. */
#include "solver/backend.h"
#include "tests/solver/problem.h"

#include <string.h>

/* A brush: t-links of one sign, or zero for an eraser, in a small rectangle. */
static void
paint (FsSolver *solver, GRand *rand, Shape shape)
{
  const FsGrid *grid = solver->grid;
  int side = g_rand_int_range (rand, 1, 12);
  int x0 = g_rand_int_range (rand, 0, grid->width);
  int y0 = g_rand_int_range (rand, 0, grid->height);
  int32_t tlink = random_tlink (rand, shape);
  gboolean even = g_rand_boolean (rand);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (int y = y0; y < MIN (y0 + side, grid->height); y++)
    for (int x = x0; x < MIN (x0 + side, grid->width); x++) {
      FsTlinkChange change = { (uint32_t)(y * grid->width + x),
                               even ? tlink : random_tlink (rand, shape) };
      g_array_append_val (changes, change);
      /* A pixel may come twice: the last one wins. */
      if (g_rand_int_range (rand, 0, 10) == 0) {
        change.tlink = tlink;
        g_array_append_val (changes, change);
      }
    }
  g_assert_true (fs_solver_change_tlinks (solver, (void *)changes->data, changes->len, NULL));
}

static void
refit (FsSolver *solver, GRand *rand, Shape shape)
{
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autofree int32_t *tlinks = g_new (int32_t, n);
  int share = g_rand_int_range (rand, 1, 20);
  for (size_t p = 0; p < n; p++)
    tlinks[p] = g_rand_int_range (rand, 0, share) == 0 ? random_tlink (rand, shape)
                                                       : solver->grid->tlink[p];
  g_assert_true (fs_solver_replace_tlinks (solver, tlinks, NULL));
  g_assert_cmpmem (tlinks, n * sizeof *tlinks, solver->grid->tlink, n * sizeof *tlinks);
}

static void
check_history (GRand *rand, int max_side, int n_edits)
{
  g_autoptr (Problem) problem = problem_new_random (rand, max_side, max_side);
  Shape shape = g_rand_int_range (rand, 0, N_SHAPES);
  problem_fill (problem, rand, shape);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  for (int i = 0; i < n_edits; i++) {
    FsSolution solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
    int n_paints = g_rand_int_range (rand, 0, 4);
    for (int j = 0; j < n_paints; j++)
      paint (solver, rand, g_rand_boolean (rand) ? shape : SHAPE_UNIFORM);
    if (n_paints == 0)
      refit (solver, rand, shape);
  }
}

static void
test_small_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (int i = 0; i < scaled (500); i++)
    check_history (rand, 20, 10);
}

static void
test_large_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int i = 0; i < scaled_few (6, 2); i++)
    check_history (rand, 200, 20);
}

/* The greatest t-links there are, up to `n_changed` of them others than before. */
static void
replace_extremes (FsSolver *solver, GRand *rand, size_t n_changed)
{
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autofree int32_t *tlinks = g_memdup2 (solver->grid->tlink, n * sizeof *tlinks);
  for (size_t i = 0; i < n_changed; i++) {
    size_t p = (size_t)g_rand_int_range (rand, 0, (gint32)n);
    tlinks[p] = tlinks[p] > 0 ? -FS_TLINK_MAX : FS_TLINK_MAX;
  }
  g_assert_true (fs_solver_replace_tlinks (solver, tlinks, NULL));
  g_assert_cmpmem (tlinks, n * sizeof *tlinks, solver->grid->tlink, n * sizeof *tlinks);
  FsSolution solution = solve_and_check (solver);
  check_against_fresh (solver, &solution);
}

/* Photos that end within a tile and between two; few and many t-links; sums beyond 32 bits. */
static void
test_refits_of_every_shape (void)
{
  static const int sides[] = { 1, 7, 8, 9, 16, 33, 65 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  for (size_t i = 0; i < G_N_ELEMENTS (sides); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (sides); j++) {
      g_autoptr (Problem) problem = problem_new (sides[i], sides[j], FS_NEIGHBOURS_8, i % 2 == 1);
      problem_fill (problem, rand, SHAPE_UNIFORM);
      g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
      size_t n = fs_grid_n_pixels (&problem->grid);
      solve_and_check (solver);
      replace_extremes (solver, rand, n);
      replace_extremes (solver, rand, 0);
      replace_extremes (solver, rand, n / 8);
      replace_extremes (solver, rand, 2 * n);
    }
}

static void
test_flow_through_a_tile (void)
{
  g_autoptr (Problem) problem = problem_new_passage ();
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  FsSolution first = solve_and_check (solver);
  replace_ends_of_passage (solver);
  FsSolution second = solve_and_check (solver);
  check_against_fresh (solver, &second);
  g_assert_cmpint (second.energy, >, first.energy);
}

/* Cancels after a number of reports; reports come at most every few milliseconds, so the number of
 * polls is what the test counts on a busy machine. */
typedef struct {
  atomic_bool cancel;
  double last;
} Stop;

static void
stop_at_report (double fraction, gpointer user_data)
{
  Stop *stop = user_data;
  g_assert_cmpfloat (fraction, >=, stop->last);
  g_assert_cmpfloat (fraction, <=, 1);
  stop->last = fraction;
  atomic_store (&stop->cancel, TRUE);
}

/* A field of noise with few seeds: paths are long and the search is not over at once. */
static Problem *
slow_problem (GRand *rand)
{
  int side = test_backend_is_slow () ? 150 : 500;
  Problem *problem = problem_new (side, side, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_SEEDS);
  return problem;
}

static void
test_cancel_and_continue (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (Problem) problem = slow_problem (rand);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  int n_cancelled = 0;
  for (;;) {
    Stop stop = { 0 };
    /* A slow machine would be cancelled for ever: in the end it may finish. */
    FsProgress progress = { &stop.cancel, n_cancelled < 40 ? stop_at_report : NULL, &stop };
    FsSolution solution;
    g_autoptr (GError) error = NULL;
    if (fs_solver_solve (solver, &progress, &solution, &error))
      break;
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
    /* What is there is a flow, though not yet a maximum one. */
    FsCertificate certificate;
    g_assert_true (fs_solver_certify (solver, &certificate, NULL));
    g_assert_true (certificate.feasible && certificate.conserved && !certificate.holds);
    if (n_cancelled++ < 10)
      paint (solver, rand, SHAPE_SEEDS);
  }
  g_assert_cmpint (n_cancelled, >, 0);
  FsSolution solution = solve_and_check (solver);
  check_against_fresh (solver, &solution);
}

/* One side of a square, or what it was before where `tlink` is 0. */
static void
change_square (FsSolver *solver, const int32_t *before, int x0, int y0, int32_t tlink)
{
  enum { SIDE = 40 };
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (int y = y0; y < y0 + SIDE; y++)
    for (int x = x0; x < x0 + SIDE; x++) {
      uint32_t p = (uint32_t)(y * solver->grid->width + x);
      FsTlinkChange change = { p, tlink != 0 ? tlink : before[p] };
      g_array_append_val (changes, change);
    }
  g_assert_true (fs_solver_change_tlinks (solver, (void *)changes->data, changes->len, NULL));
}

/* Strokes of either side amid few seeds, and their undoing: regions of thousands of pixels change
 * sides, lose their roots and are set free, so that both sides' trees grow in a repair. */
static void
test_regions_change_sides (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (Problem) problem = slow_problem (rand);
  int side = problem->grid.width;
  g_autofree int32_t *before =
      g_memdup2 (problem->grid.tlink, (size_t)side * side * sizeof *before);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  for (int i = 0; i < scaled_few (8, 4); i++) {
    solve_and_check (solver);
    int x = g_rand_int_range (rand, 0, side - 40), y = g_rand_int_range (rand, 0, side - 40);
    change_square (solver, before, x, y, i % 2 == 0 ? FS_TLINK_MAX : -FS_TLINK_MAX);
    FsSolution solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
    if (i % 4 < 2)
      change_square (solver, before, x, y, 0);
  }
}

/* Solves with a cancellation at every poll, at most n_max times. */
static void
solve_with_interrupts (FsSolver *solver, int n_max)
{
  for (int i = 0; i < n_max; i++) {
    Stop stop = { .cancel = TRUE };
    FsProgress progress = { .cancel = &stop.cancel };
    solve_or_stop (solver, &progress);
  }
}

/* A row of deficits on which everything hangs goes, but for its end: more nodes lose their parents
 * at once, step by step, than are listed. */
static void
check_wide_row (FsNeighbours neighbours, int n_interrupts)
{
  const int width = test_backend_is_slow () ? 200 : 20000, height = 12;
  g_autoptr (Problem) problem = problem_new (width, height, neighbours, FALSE);
  size_t n = fs_grid_n_pixels (&problem->grid), last_row = n - (size_t)width;
  for (int d = 0; d < fs_grid_n_directions (&problem->grid); d++)
    for (size_t p = 0; p < n; p++)
      if (fs_grid_has_neighbour (&problem->grid, (int)p % width, (int)p / width, (FsDirection)d))
        problem->plane[d][p] = 3;
  for (size_t p = 0; p < n; p++)
    problem->grid.tlink[p] = p == 0 ? 7 : p < last_row ? 0 : -2;
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  solve_and_check (solver);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (size_t p = last_row + 1; p < n; p++) {
    FsTlinkChange change = { (uint32_t)p, p % 64 == 0 ? 1 : 0 };
    g_array_append_val (changes, change);
  }
  g_assert_true (fs_solver_change_tlinks (solver, (void *)changes->data, changes->len, NULL));
  solve_with_interrupts (solver, n_interrupts);
  FsSolution solution = solve_and_check (solver);
  check_against_fresh (solver, &solution);
}

static void
test_wide_row (void)
{
  check_wide_row (FS_NEIGHBOURS_8, 0);
  check_wide_row (FS_NEIGHBOURS_4, 10);
}

/* Cancelled before it begins: returns at the first poll, and the old mask still stands. */
static void
test_cancelled_solves_keep_the_mask (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (Problem) problem = slow_problem (rand);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  solve_and_check (solver);
  g_autofree uint8_t *before = read_whole_mask (solver);
  refit (solver, rand, SHAPE_UNIFORM);
  atomic_bool cancel = TRUE;
  FsProgress progress = { .cancel = &cancel };
  FsSolution solution;
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_solver_solve (solver, &progress, &solution, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  g_autofree uint8_t *after = read_whole_mask (solver);
  size_t n = fs_grid_n_pixels (&problem->grid);
  g_assert_cmpmem (before, n, after, n);
  cancel = FALSE;
  fs_solver_solve (solver, &progress, &solution, NULL);
  check_against_fresh (solver, &solution);
}

/* The tiles that take_changed_tiles names are those whose pixels differ, no more and no fewer. */
static void
check_changed_tiles (FsSolver *solver, const uint8_t *before)
{
  const FsGrid *grid = solver->grid;
  int cols = (grid->width - 1) / FS_MASK_TILE + 1;
  int rows = (grid->height - 1) / FS_MASK_TILE + 1;
  g_autofree uint8_t *expected = g_malloc0 (cols * rows);
  g_autofree uint8_t *tiles = g_malloc (cols * rows);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++)
      if (mask[y * grid->width + x] != before[y * grid->width + x])
        expected[y / FS_MASK_TILE * cols + x / FS_MASK_TILE] = 1;
  fs_solver_take_changed_tiles (solver, tiles);
  g_assert_cmpmem (tiles, cols * rows, expected, cols * rows);
}

static void
test_changed_tiles (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autoptr (Problem) problem = problem_new (200, 150, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  g_autofree uint8_t *before = g_malloc0 (200 * 150);
  for (int i = 0; i < scaled (50); i++) {
    solve_and_check (solver);
    /* Now and then two solves between two looks. */
    if (g_rand_boolean (rand)) {
      check_changed_tiles (solver, before);
      g_free (before);
      before = read_whole_mask (solver);
    }
    paint (solver, rand, SHAPE_MAXIMUM);
  }
}

static void
test_part_of_the_mask (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (Problem) problem = problem_new (70, 45, FS_NEIGHBOURS_4, TRUE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
  solve_and_check (solver);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  for (int i = 0; i < 100; i++) {
    int x = g_rand_int_range (rand, 0, 70);
    int y = g_rand_int_range (rand, 0, 45);
    int width = g_rand_int_range (rand, 0, 71 - x);
    int height = g_rand_int_range (rand, 0, 46 - y);
    uint8_t part[45 * 80];
    memset (part, 7, sizeof part);
    fs_solver_read_mask (solver, x, y, width, height, part, 80);
    for (int j = 0; j < 45; j++)
      for (int k = 0; k < 80; k++)
        g_assert_cmpint (part[j * 80 + k], ==,
                         j < height && k < width ? mask[(y + j) * 70 + x + k] : 7);
  }
}

/* A solver of another grid's: what it did before does not show. */
static void
check_rebuilt (GRand *rand)
{
  int width = g_rand_int_range (rand, 1, 60), height = g_rand_int_range (rand, 1, 60);
  FsNeighbours neighbours = g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
  g_autoptr (Problem) first = problem_new (width, height, neighbours, g_rand_boolean (rand));
  problem_fill (first, rand, g_rand_int_range (rand, 0, N_SHAPES));
  g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &first->grid, NULL);
  if (solver->backend->rebuild == NULL) {
    g_assert_false (fs_solver_rebuild (solver, &first->grid));
    return;
  }
  if (g_rand_boolean (rand))
    solve_and_check (solver);
  else
    paint (solver, rand, SHAPE_UNIFORM);
  g_autoptr (Problem) second = problem_new (width, height, neighbours, g_rand_boolean (rand));
  problem_fill (second, rand, g_rand_int_range (rand, 0, N_SHAPES));
  g_assert_true (fs_solver_rebuild (solver, &second->grid));
  for (int edit = 0; edit < 3; edit++) {
    FsSolution solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
    paint (solver, rand, SHAPE_UNIFORM);
  }
  g_autoptr (FsSolver) fresh = fs_solver_new (test_backend (), &second->grid, NULL);
  FsSolution solution = solve_and_check (solver), expected = solve_and_check (fresh);
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_cmpint (solution.bound, ==, expected.bound);
  uint8_t tiles[1], expected_tiles[1];
  fs_solver_take_changed_tiles (solver, tiles);
  fs_solver_take_changed_tiles (fresh, expected_tiles);
  g_assert_cmpint (tiles[0], ==, expected_tiles[0]);
}

static void
test_rebuilt (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (38);
  for (int i = 0; i < scaled (300); i++)
    check_rebuilt (rand);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* More than most machines have processors: regions must be tried on several everywhere. */
  fs_solver_set_threads (3);
  g_test_add_func ("/solver/incremental/small-histories", test_small_histories);
  g_test_add_func ("/solver/incremental/large-histories", test_large_histories);
  g_test_add_func ("/solver/incremental/refits-of-every-shape", test_refits_of_every_shape);
  g_test_add_func ("/solver/incremental/flow-through-a-tile", test_flow_through_a_tile);
  g_test_add_func ("/solver/incremental/cancel-and-continue", test_cancel_and_continue);
  g_test_add_func ("/solver/incremental/regions-change-sides", test_regions_change_sides);
  g_test_add_func ("/solver/incremental/wide-row", test_wide_row);
  g_test_add_func ("/solver/incremental/cancelled-keeps-mask", test_cancelled_solves_keep_the_mask);
  g_test_add_func ("/solver/incremental/changed-tiles", test_changed_tiles);
  g_test_add_func ("/solver/incremental/rebuilt", test_rebuilt);
  g_test_add_func ("/solver/incremental/part-of-the-mask", test_part_of_the_mask);
  return g_test_run ();
}
