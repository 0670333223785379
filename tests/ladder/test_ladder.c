/* SPDX-License-Identifier: MIT */
/* The ladder's rungs in plain C against the CPU backend, in several orders of blocks and threads.
 */
#include "tests/ladder/atomic.h"
#include "tests/ladder/heights.h"
#include "tests/ladder/ladder.h"
#include "tests/bench/ladder_problem.h"
#include "tests/solver/problem.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

static const uint32_t orders[] = { 0, 1, 77, 4711 };

/* The last two are lists of neighbours: of the whole grid, where there are no levels. */
enum { RUNG_PUSH_PULL, RUNG_LOCK_FREE = FS_LADDER_N_RUNGS - 2, RUNG_BAND };

static FsLadderProblem
ladder_problem (const FsGrid *grid)
{
  FsLadderProblem problem = { grid->width, grid->height, grid->neighbours, { NULL }, grid->tlink };
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    problem.nlink[d] = grid->nlink[d];
  return problem;
}

/* The mask; g_free. */
static uint8_t *
run_rung (int rung, const FsGrid *grid, const FsLadderOptions *options, FsLadderResult *result)
{
  FsLadderProblem problem = ladder_problem (grid);
  result->mask = g_malloc (fs_grid_n_pixels (grid));
  int error = fs_ladder_host_rungs[rung].run (&problem, options, result);
  g_assert_cmpstr (fs_ladder_error_text (error), ==, fs_ladder_error_text (FS_LADDER_OK));
  return result->mask;
}

static uint8_t *
exact_mask (FsGrid *grid)
{
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
  solve_and_check (solver);
  return read_whole_mask (solver);
}

static Problem *
random_problem (GRand *rand, int i)
{
  int width = g_rand_int_range (rand, 1, 70);
  int height = g_rand_int_range (rand, 1, 20);
  Problem *problem = problem_new (width, height, i & 1 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, FALSE);
  problem_fill (problem, rand, i / 2 % N_SHAPES);
  return problem;
}

static FsLadderOptions
random_options (GRand *rand, FsLadderStop stop)
{
  FsLadderOptions options = { .stop = stop };
  options.pushes = g_rand_int_range (rand, 0, 4);
  options.heights_every = g_rand_int_range (rand, 0, 30);
  options.period = g_rand_boolean (rand) ? 0 : g_rand_int_range (rand, 1, 15);
  return options;
}

static int
count_wrong (const uint8_t *mask, const uint8_t *exact, size_t n)
{
  int wrong = 0;
  for (size_t p = 0; p < n; p++)
    wrong += mask[p] != exact[p];
  return wrong;
}

static void
check_exact (const FsGrid *grid, const uint8_t *exact, const FsLadderOptions *options)
{
  size_t n = fs_grid_n_pixels (grid);
  for (int rung = 0; rung < FS_LADDER_N_RUNGS; rung++)
    for (size_t i = 0; i < G_N_ELEMENTS (orders); i++) {
      FsLadderResult result;
      fs_ladder_host_set_order (orders[i]);
      g_autofree uint8_t *mask = run_rung (rung, grid, options, &result);
      g_assert_cmpmem (mask, n, exact, n);
      g_assert_true (result.finished);
      g_assert_cmpint (result.heights, >, 0);
      /* Excess, height and two residuals a pixel at least. */
      g_assert_cmpint (result.bytes, >=, (int64_t)n * 16);
    }
}

static void
test_exact (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (31);
  for (int i = 0; i < scaled (4 * N_SHAPES); i++) {
    g_autoptr (Problem) problem = random_problem (rand, i);
    g_autofree uint8_t *exact = exact_mask (&problem->grid);
    FsLadderOptions options = random_options (rand, FS_LADDER_STOP_EXACT);
    check_exact (&problem->grid, exact, &options);
  }
}

/* Lines, a pixel, and one more and one less than a tile of 32×8. */
static void
test_sizes (void)
{
  static const int sizes[][2] = { { 1, 1 },  { 1, 9 },  { 40, 1 }, { 31, 7 },
                                  { 32, 8 }, { 33, 9 }, { 32, 9 }, { 65, 2 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  FsLadderOptions options = { .stop = FS_LADDER_STOP_EXACT, .heights_every = 8 };
  for (size_t i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    g_autoptr (Problem) problem = problem_new (sizes[i / 2][0], sizes[i / 2][1],
                                               i & 1 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, FALSE);
    problem_fill (problem, rand, SHAPE_UNIFORM);
    g_autofree uint8_t *exact = exact_mask (&problem->grid);
    check_exact (&problem->grid, exact, &options);
  }
}

/* A line over many tiles, in all four directions: heights come from one end. */
static void
test_long_ways (void)
{
  enum { LENGTH = 150 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  for (int i = 0; i < 4; i++) {
    gboolean upright = i & 1;
    int sink = i & 2 ? LENGTH - 1 : 0;
    g_autoptr (Problem) problem =
        problem_new (upright ? 1 : LENGTH, upright ? LENGTH : 1, FS_NEIGHBOURS_4, FALSE);
    for (int p = 0; p + 1 < LENGTH; p++)
      problem->plane[upright ? FS_DIRECTION_S : FS_DIRECTION_E][p] = g_rand_int_range (rand, 3, 9);
    problem->grid.tlink[sink] = -100;
    problem->grid.tlink[LENGTH - 1 - sink] = 100;
    g_autofree uint8_t *exact = exact_mask (&problem->grid);
    FsLadderOptions options = { .stop = FS_LADDER_STOP_EXACT };
    check_exact (&problem->grid, exact, &options);
  }
}

/* A sweep reads what the sweep before wrote and nothing of its own. */
static void
test_sweep_has_no_order (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  FsLadderTile up = { .awake = 1 };
  for (int i = 0; i < FS_LADDER_HALO_PIXELS; i++)
    up.height[0][i] = up.height[1][i] = g_rand_int_range (rand, 0, 500);
  for (int i = 0; i < FS_LADDER_THREADS; i++)
    up.open[i] = (uint8_t)g_rand_int_range (rand, 0, 256);
  FsLadderTile down = up;
  for (int sweep = 0; sweep < 3; sweep++) {
    for (int i = 0; i < FS_LADDER_THREADS; i++) {
      fs_ladder_sweep (&up, i, sweep);
      fs_ladder_sweep (&down, FS_LADDER_THREADS - 1 - i, sweep);
    }
    g_assert_cmpmem (&up, sizeof up, &down, sizeof down);
  }
}

/* Three blocks in a row. The last pixel of the first pushes into the second; the third is inactive.
 */
static void
test_inactive_blocks (void)
{
  enum { N = 3 * FS_LADDER_TILE_W, LAST = FS_LADDER_TILE_W - 1, EAST = 0, WEST = 4 };
  int32_t excess[N] = { [LAST] = 9 }, sink[N] = { 0 }, height[N] = { [LAST] = 5 };
  int32_t residual[2][N] = { { [LAST] = 4 } };
  uint8_t active[3] = { 1, 1, 1 }, traded[3] = { 0 };
  FsLadderGrid grid = { .nodes = { .n = N,
                                   .n_forward = 1,
                                   .now = 1,
                                   .period = 10,
                                   .excess = excess,
                                   .sink = sink,
                                   .height = height,
                                   .residual = { [EAST] = residual[0], [WEST] = residual[1] } },
                        .width = N,
                        .height = 1,
                        .tile_cols = 3,
                        .tile_rows = 1,
                        .active = active,
                        .traded = traded };
  FsLadderTile tile;
  height[LAST + 1] = 4;
  for (int i = 0; i < FS_LADDER_THREADS; i++)
    fs_ladder_load_active (&grid, &tile, 0, i);
  for (int i = 0; i < FS_LADDER_THREADS; i++)
    fs_ladder_push_active (&grid, &tile, 0, i);
  g_assert_cmpint (excess[LAST], ==, 5);
  g_assert_cmpint (excess[LAST + 1], ==, 4);
  g_assert_cmpint (residual[1][LAST + 1], ==, 4);
  for (int block = 0; block < 4; block++)
    fs_ladder_activate (&grid, block);
  for (int block = 0; block < 3; block++) {
    g_assert_cmpint (traded[block], ==, 0);
    grid.nodes.now = 11;
    g_assert_cmpint (fs_ladder_is_inactive (&grid, block), ==, block == 2);
    grid.nodes.now = 20;
    g_assert_false (fs_ladder_is_inactive (&grid, block));
  }
}

/* Where no word has two writers, the way to the end must not depend on the order either. */
static void
test_order_does_not_show (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  static const int rungs[] = { RUNG_PUSH_PULL, RUNG_BAND };
  for (int i = 0; i < scaled (2 * N_SHAPES); i++) {
    g_autoptr (Problem) problem = random_problem (rand, i);
    FsLadderOptions options =
        random_options (rand, i % 3 ? FS_LADDER_STOP_PAPER : FS_LADDER_STOP_EXACT);
    for (size_t j = 0; j < G_N_ELEMENTS (rungs); j++) {
      FsLadderResult first, other;
      fs_ladder_host_set_order (0);
      g_autofree uint8_t *first_mask = run_rung (rungs[j], &problem->grid, &options, &first);
      fs_ladder_host_set_order (100 + i);
      g_autofree uint8_t *other_mask = run_rung (rungs[j], &problem->grid, &options, &other);
      size_t n = fs_grid_n_pixels (&problem->grid);
      g_assert_cmpmem (first_mask, n, other_mask, n);
      g_assert_cmpint (first.iterations, ==, other.iterations);
      g_assert_cmpint (first.heights, ==, other.heights);
    }
  }
}

/* The papers' rule always comes to an end, and not always to the minimum cut. */
static void
test_paper (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  int wrong[FS_LADDER_N_RUNGS] = { 0 };
  for (int i = 0; i < scaled (2 * N_SHAPES); i++) {
    g_autoptr (Problem) problem = random_problem (rand, i);
    size_t n = fs_grid_n_pixels (&problem->grid);
    g_autofree uint8_t *exact = exact_mask (&problem->grid);
    FsLadderOptions options = random_options (rand, FS_LADDER_STOP_PAPER);
    for (int rung = 0; rung < FS_LADDER_N_RUNGS; rung++) {
      FsLadderResult result;
      fs_ladder_host_set_order (orders[i % G_N_ELEMENTS (orders)]);
      g_autofree uint8_t *mask = run_rung (rung, &problem->grid, &options, &result);
      g_assert_true (result.finished);
      g_assert_cmpint (result.heights, ==, 1);
      wrong[rung] += count_wrong (mask, exact, n);
    }
  }
  for (int rung = 0; rung < FS_LADDER_N_RUNGS; rung++) {
    g_test_message ("%s: %d wrong", fs_ladder_host_rungs[rung].name, wrong[rung]);
    g_assert_cmpint (wrong[rung], >, 0);
  }
}

/* A line with excess at one end and a deficit at the other. Heights climb by one an iteration, so
 * that in the first ten no flow moves: "excess unchanged" is true at once, and half the line is
 * wrong. */
static void
test_paper_stops_too_early (void)
{
  enum { LENGTH = 60, WEAK = 29 };
  g_autoptr (Problem) problem = problem_new (LENGTH, 1, FS_NEIGHBOURS_4, FALSE);
  for (int x = 0; x + 1 < LENGTH; x++)
    problem->plane[FS_DIRECTION_E][x] = x == WEAK ? 3 : 5;
  problem->grid.tlink[0] = 100;
  problem->grid.tlink[LENGTH - 1] = -100;
  g_autofree uint8_t *exact = exact_mask (&problem->grid);
  for (int rung = 0; rung < FS_LADDER_N_RUNGS; rung++) {
    FsLadderOptions options = { .stop = FS_LADDER_STOP_PAPER };
    FsLadderResult result;
    g_autofree uint8_t *mask = run_rung (rung, &problem->grid, &options, &result);
    if (rung != RUNG_LOCK_FREE) {
      g_assert_cmpint (count_wrong (mask, exact, LENGTH), ==, WEAK + 1);
      g_assert_cmpint (result.iterations, ==, 10);
    }
    options.stop = FS_LADDER_STOP_EXACT;
    g_autofree uint8_t *right = run_rung (rung, &problem->grid, &options, &result);
    g_assert_cmpint (count_wrong (right, exact, LENGTH), ==, 0);
  }
}

static void
test_limit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (Problem) problem = problem_new (40, 12, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  for (int stop = FS_LADDER_STOP_PAPER; stop <= FS_LADDER_STOP_EXACT; stop++)
    for (int rung = 0; rung < FS_LADDER_N_RUNGS; rung++) {
      FsLadderOptions options = { .stop = stop, .limit = 3 };
      FsLadderResult result;
      g_free (run_rung (rung, &problem->grid, &options, &result));
      g_assert_false (result.finished);
      g_assert_cmpint (result.iterations, ==, 3);
    }
}

/* The thesis's smaller level, by plain loops. */
static Problem *
even_pixels (const FsGrid *fine)
{
  Problem *coarse =
      problem_new ((fine->width + 1) / 2, (fine->height + 1) / 2, fine->neighbours, FALSE);
  FsGrid *grid = &coarse->grid;
  size_t p = 0;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++, p++) {
      size_t kept = (size_t)2 * y * fine->width + 2 * x;
      grid->tlink[p] = fine->tlink[kept];
      for (int d = 0; d < fs_grid_n_directions (grid); d++)
        if (fs_grid_has_neighbour (grid, x, y, d))
          coarse->plane[d][p] =
              MIN (fine->nlink[d][kept], fine->nlink[d][kept + fs_grid_step (fine, d)]);
    }
  return coarse;
}

static gboolean
is_beside_cut (const FsGrid *grid, const uint8_t *mask, int x, int y)
{
  size_t p = (size_t)y * grid->width + x;
  for (int d = 0; d < FS_N_ARCS; d++)
    if (fs_grid_has_arc (grid, x, y, d) && mask[(ptrdiff_t)p + fs_grid_step (grid, d)] != mask[p])
      return TRUE;
  return FALSE;
}

static gboolean
is_in_band (const FsGrid *fine, const FsGrid *coarse, const uint8_t *coarse_mask, int x, int y,
            int dilation)
{
  for (int v = MAX (y - dilation, 0); v <= MIN (y + dilation, fine->height - 1); v++)
    for (int u = MAX (x - dilation, 0); u <= MIN (x + dilation, fine->width - 1); u++)
      if (is_beside_cut (coarse, coarse_mask, u / 2, v / 2))
        return TRUE;
  return FALSE;
}

/* What a band must give: a cut in which all pixels outside the band are hard seeds. */
static uint8_t *
band_mask (FsGrid *grid, int levels, int dilation)
{
  if (levels == 0 || fs_grid_n_pixels (grid) == 1)
    return exact_mask (grid);
  g_autoptr (Problem) coarse = even_pixels (grid);
  g_autofree uint8_t *coarse_mask = band_mask (&coarse->grid, levels - 1, dilation);
  g_autofree int32_t *seeded = g_memdup2 (grid->tlink, fs_grid_n_pixels (grid) * sizeof *seeded);
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++)
      if (!is_in_band (grid, &coarse->grid, coarse_mask, x, y, dilation))
        seeded[y * grid->width + x] =
            (coarse_mask[y / 2 * coarse->grid.width + x / 2] ? 1 : -1) * (1 << 20);
  FsGrid restricted = *grid;
  restricted.tlink = seeded;
  return exact_mask (&restricted);
}

static void
test_band (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (44);
  for (int i = 0; i < scaled (4 * N_SHAPES); i++) {
    g_autoptr (Problem) problem = random_problem (rand, i);
    size_t n = fs_grid_n_pixels (&problem->grid);
    FsLadderOptions options = random_options (rand, FS_LADDER_STOP_EXACT);
    options.levels = g_rand_int_range (rand, 1, 4);
    options.dilation_px = g_rand_int_range (rand, 0, 4);
    g_autofree uint8_t *expected = band_mask (&problem->grid, options.levels, options.dilation_px);
    for (size_t j = 0; j < G_N_ELEMENTS (orders); j++) {
      FsLadderResult result;
      fs_ladder_host_set_order (orders[j]);
      g_autofree uint8_t *mask = run_rung (RUNG_BAND, &problem->grid, &options, &result);
      g_assert_cmpmem (mask, n, expected, n);
    }
  }
}

static void
check_invalid (FsLadderProblem problem, FsLadderOptions options, uint8_t *mask)
{
  FsLadderResult result = { .mask = mask };
  int error = fs_ladder_host_rungs[0].run (&problem, &options, &result);
  g_assert_cmpint (error, ==, FS_LADDER_ERROR_INVALID);
}

static void
test_invalid (void)
{
  g_autoptr (Problem) grid = problem_new (3, 2, FS_NEIGHBOURS_4, FALSE);
  FsLadderProblem good = ladder_problem (&grid->grid);
  FsLadderOptions standard = { 0 };
  uint8_t mask[6];
  check_invalid (good, standard, NULL);
  FsLadderProblem bad = good;
  bad.width = 0;
  check_invalid (bad, standard, mask);
  bad.width = bad.height = 1 << 15;
  check_invalid (bad, standard, mask);
  bad = good;
  bad.neighbours = 6;
  check_invalid (bad, standard, mask);
  bad.neighbours = 8;
  check_invalid (bad, standard, mask);
  bad = good;
  bad.tlink = NULL;
  check_invalid (bad, standard, mask);
  check_invalid (good, (FsLadderOptions){ .pushes = -1 }, mask);
  check_invalid (good, (FsLadderOptions){ .levels = 13 }, mask);
  check_invalid (good, (FsLadderOptions){ .stop = 2 }, mask);
}

/* Whichever allocation fails, the run ends with its error and nothing leaks. */
static void
test_memory_ends (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (Problem) grid = problem_new (20, 10, FS_NEIGHBOURS_8, FALSE);
  problem_fill (grid, rand, SHAPE_UNIFORM);
  FsLadderProblem problem = ladder_problem (&grid->grid);
  for (int rung = 0; rung < FS_LADDER_N_RUNGS; rung++) {
    FsLadderOptions options = { .levels = rung == RUNG_BAND };
    uint8_t mask[200];
    FsLadderResult result = { .mask = mask };
    int n = 0;
    int error;
    do {
      fs_ladder_host_fail_allocation (++n);
      error = fs_ladder_host_rungs[rung].run (&problem, &options, &result);
      g_assert_true (error == FS_LADDER_ERROR_MEMORY || error == FS_LADDER_OK);
    } while (error != FS_LADDER_OK);
    fs_ladder_host_fail_allocation (0);
    g_assert_cmpint (n, >, 20);
  }
}

/* The benchmark's own reference. */
static void
test_plain_cut (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (15);
  for (int i = 0; i < scaled (20 * N_SHAPES); i++) {
    g_autoptr (Problem) problem = random_problem (rand, i);
    size_t n = fs_grid_n_pixels (&problem->grid);
    g_autofree uint8_t *exact = exact_mask (&problem->grid);
    g_autofree uint8_t *mask = g_malloc (n);
    FsLadderProblem plain = ladder_problem (&problem->grid);
    g_assert_true (plain_cut (&plain, mask));
    g_assert_cmpmem (mask, n, exact, n);
  }
}

static void
check_same (const LadderProblem *a, const LadderProblem *b)
{
  size_t n = ladder_problem_pixels (a);
  g_assert_cmpint (ladder_problem_pixels (b), ==, n);
  g_assert_cmpint (a->problem.width, ==, b->problem.width);
  g_assert_cmpint (a->problem.neighbours, ==, b->problem.neighbours);
  for (int d = 0; d < a->problem.neighbours / 2; d++)
    g_assert_cmpmem (a->nlink[d], n * sizeof (uint16_t), b->nlink[d], n * sizeof (uint16_t));
  g_assert_cmpmem (a->tlink, n * sizeof (int32_t), b->tlink, n * sizeof (int32_t));
  g_assert_cmpmem (a->exact, n, b->exact, n);
}

/* A problem that the benchmark makes is a proper one, and goes through a file unchanged; a file cut
 * short is refused. */
static void
test_problem_file (void)
{
  for (int neighbours = 4; neighbours <= 8; neighbours += 4) {
    g_autofree char *path = g_build_filename (g_get_tmp_dir (), "ladder-XXXXXX", NULL);
    g_close (g_mkstemp (path), NULL);
    LadderProblem *made = ladder_problem_make (37, 21, neighbours, 30, 50, 1);
    g_assert_true (plain_cut (&made->problem, made->exact));
    FsGrid grid = { 37, 21, neighbours, .tlink = made->tlink };
    for (int d = 0; d < neighbours / 2; d++)
      grid.nlink[d] = made->nlink[d];
    g_assert_true (fs_grid_validate (&grid, NULL));
    g_autofree uint8_t *exact = exact_mask (&grid);
    g_assert_cmpmem (made->exact, 37 * 21, exact, 37 * 21);
    g_assert_true (ladder_problem_write (made, path));
    LadderProblem *read = ladder_problem_read (path);
    g_assert_nonnull (read);
    check_same (made, read);
    GStatBuf status;
    g_assert_cmpint (g_stat (path, &status), ==, 0);
    g_assert_cmpint (truncate (path, status.st_size - 1), ==, 0);
    g_assert_null (ladder_problem_read (path));
    g_unlink (path);
    ladder_problem_free (made);
    ladder_problem_free (read);
  }
}

static void
test_texts (void)
{
  for (int a = FS_LADDER_OK; a <= FS_LADDER_ERROR_DEVICE + 1; a++)
    for (int b = FS_LADDER_OK; b < a; b++)
      g_assert_cmpstr (fs_ladder_error_text (a), !=, fs_ladder_error_text (b));
  for (int rung = 0; rung < FS_LADDER_N_RUNGS; rung++)
    g_assert_cmpuint (strlen (fs_ladder_host_rungs[rung].idea), >, 20);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/ladder/exact", test_exact);
  g_test_add_func ("/solver/ladder/sizes", test_sizes);
  g_test_add_func ("/solver/ladder/long-ways", test_long_ways);
  g_test_add_func ("/solver/ladder/sweep-has-no-order", test_sweep_has_no_order);
  g_test_add_func ("/solver/ladder/inactive-blocks", test_inactive_blocks);
  g_test_add_func ("/solver/ladder/order-does-not-show", test_order_does_not_show);
  g_test_add_func ("/solver/ladder/paper", test_paper);
  g_test_add_func ("/solver/ladder/paper-stops-too-early", test_paper_stops_too_early);
  g_test_add_func ("/solver/ladder/limit", test_limit);
  g_test_add_func ("/solver/ladder/band", test_band);
  g_test_add_func ("/solver/ladder/invalid", test_invalid);
  g_test_add_func ("/solver/ladder/memory-ends", test_memory_ends);
  g_test_add_func ("/solver/ladder/plain-cut", test_plain_cut);
  g_test_add_func ("/solver/ladder/problem-file", test_problem_file);
  g_test_add_func ("/solver/ladder/texts", test_texts);
  return g_test_run ();
}
