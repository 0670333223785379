/* SPDX-License-Identifier: MIT */
/* Grids through fretsaw.h, beside the engine's own solver. */
#include "library/fretsaw.h"
#include "solver/solver.h"

#include <string.h>

typedef struct {
  int width, height, neighbours;
  int32_t *tlink;
  uint16_t *forth[4], *back[4];
} Problem;

static Problem
make_problem (GRand *rand, int neighbours)
{
  Problem problem = { g_rand_int_range (rand, 1, 90),
                      g_rand_int_range (rand, 1, 70),
                      neighbours,
                      NULL,
                      { NULL },
                      { NULL } };
  size_t n = (size_t)problem.width * (size_t)problem.height;
  problem.tlink = g_new (int32_t, n);
  for (size_t p = 0; p < n; p++)
    problem.tlink[p] = g_rand_int_range (rand, -300, 300);
  for (int d = 0; d < 4; d++) {
    problem.forth[d] = g_new (uint16_t, n);
    problem.back[d] = g_new (uint16_t, n);
    for (size_t p = 0; p < n; p++) {
      problem.forth[d][p] = (uint16_t)g_rand_int_range (rand, 0, 200);
      problem.back[d][p] = (uint16_t)g_rand_int_range (rand, 0, 200);
    }
  }
  return problem;
}

static void
problem_clear (Problem *problem)
{
  g_free (problem->tlink);
  for (int d = 0; d < 4; d++) {
    g_free (problem->forth[d]);
    g_free (problem->back[d]);
  }
}

/* The engine wants links that leave the grid to be 0. */
static void
zero_leaving (Problem *problem)
{
  FsGrid grid = { .width = problem->width, .height = problem->height, .neighbours = 8 };
  for (int d = 0; d < 4; d++)
    for (int y = 0; y < problem->height; y++)
      for (int x = 0; x < problem->width; x++)
        if (!fs_grid_has_neighbour (&grid, x, y, (FsDirection)d))
          problem->forth[d][y * problem->width + x] = problem->back[d][y * problem->width + x] = 0;
}

static fretsaw_grid_options
describe (const Problem *problem, gboolean is_directed)
{
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  options.width = problem->width;
  options.height = problem->height;
  options.neighbours = problem->neighbours;
  options.tlink = problem->tlink;
  for (int d = 0; d < problem->neighbours / 2; d++) {
    options.nlink[d] = problem->forth[d];
    options.nlink_back[d] = is_directed ? problem->back[d] : NULL;
  }
  return options;
}

static void
ok (fretsaw_status status, const fretsaw_error *error)
{
  if (status)
    g_error ("status %d: %s", (int)status, error->text);
}

/* The mask and energy of the engine's own solver. */
static int64_t
solve_by_engine (Problem *problem, gboolean is_directed, uint8_t *mask)
{
  FsGrid grid = { .width = problem->width,
                  .height = problem->height,
                  .neighbours = (FsNeighbours)problem->neighbours,
                  .tlink = problem->tlink };
  zero_leaving (problem);
  for (int d = 0; d < problem->neighbours / 2; d++) {
    grid.nlink[d] = problem->forth[d];
    grid.nlink_back[d] = is_directed ? problem->back[d] : NULL;
  }
  FsSolution solution;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &grid, NULL);
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  fs_solver_read_mask (solver, 0, 0, grid.width, grid.height, mask, (size_t)grid.width);
  return solution.energy;
}

static void
compare (fretsaw_grid *grid, Problem *problem, gboolean is_directed)
{
  size_t n = (size_t)problem->width * (size_t)problem->height;
  g_autofree uint8_t *mask = g_malloc (n), *expected = g_malloc (n);
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  fretsaw_error error;
  int64_t energy;
  ok (fretsaw_grid_solve (grid, NULL, &solution, &error), &error);
  ok (fretsaw_grid_get_mask (grid, mask, 0, &error), &error);
  g_assert_cmpint (solution.energy, ==, solve_by_engine (problem, is_directed, expected));
  g_assert_true (solution.exact);
  g_assert_cmpmem (mask, n, expected, n);
  ok (fretsaw_grid_get_energy (grid, mask, 0, &energy, &error), &error);
  g_assert_cmpint (energy, ==, solution.energy);
  ok (fretsaw_grid_certify (grid, &certificate, &error), &error);
  g_assert_true (certificate.holds);
  /* From below to above. */
  ok (fretsaw_grid_get_mask (grid, expected + n - (size_t)problem->width, -problem->width, &error),
      &error);
  for (int y = 0; y < problem->height; y++)
    g_assert_cmpmem (mask + y * problem->width, problem->width,
                     expected + (problem->height - 1 - y) * problem->width, problem->width);
}

static void
change_tlinks (fretsaw_grid *grid, Problem *problem, GRand *rand)
{
  fretsaw_error error;
  uint32_t n = (uint32_t)(problem->width * problem->height);
  fretsaw_tlink_change changes[20];
  for (int i = 0; i < 20; i++) {
    changes[i] = (fretsaw_tlink_change){ (uint32_t)g_rand_int_range (rand, 0, (int)n),
                                         g_rand_int_range (rand, -2000, 2000) };
    problem->tlink[changes[i].pixel] = changes[i].tlink;
  }
  ok (fretsaw_grid_change_tlinks (grid, changes, 20, &error), &error);
}

static void
change_nlinks (fretsaw_grid *grid, Problem *problem, GRand *rand)
{
  fretsaw_error error;
  zero_leaving (problem);
  FsGrid shape = { .width = problem->width,
                   .height = problem->height,
                   .neighbours = (FsNeighbours)problem->neighbours };
  for (int i = 0; i < 20; i++) {
    int x = g_rand_int_range (rand, 0, problem->width),
        y = g_rand_int_range (rand, 0, problem->height),
        d = g_rand_int_range (rand, 0, problem->neighbours / 2);
    fretsaw_nlink_change change = { (uint32_t)(y * problem->width + x), d,
                                    (uint16_t)g_rand_int_range (rand, 0, 900),
                                    (uint16_t)g_rand_int_range (rand, 0, 900) };
    fretsaw_status status = fretsaw_grid_change_nlinks (grid, &change, 1, &error);
    if (!fs_grid_has_neighbour (&shape, x, y, (FsDirection)d)) {
      g_assert_cmpint (status, ==, FRETSAW_INVALID);
      continue;
    }
    ok (status, &error);
    problem->forth[d][change.pixel] = change.forth;
    problem->back[d][change.pixel] = change.back;
  }
}

static void
test_equals_engine (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  fretsaw_error error;
  for (int i = 0; i < 60; i++) {
    Problem problem = make_problem (rand, i % 2 ? 8 : 4);
    gboolean is_directed = i % 3 != 0;
    fretsaw_grid_options options = describe (&problem, is_directed);
    fretsaw_context_options threads = FRETSAW_CONTEXT_OPTIONS_INIT;
    threads.n_threads = 1 + i % 3;
    fretsaw_context *context;
    fretsaw_grid *grid;
    options.changes_nlinks = is_directed && i % 2;
    ok (fretsaw_context_new (&threads, &context, &error), &error);
    ok (fretsaw_grid_new (context, &options, &grid, &error), &error);
    fretsaw_context_free (context); /* the grid keeps it */
    compare (grid, &problem, is_directed);
    change_tlinks (grid, &problem, rand);
    compare (grid, &problem, is_directed);
    if (options.changes_nlinks) {
      change_nlinks (grid, &problem, rand);
      compare (grid, &problem, is_directed);
    }
    for (int p = 0; p < problem.width * problem.height; p++)
      problem.tlink[p] = g_rand_int_range (rand, -100, 100);
    ok (fretsaw_grid_set_tlinks (grid, problem.tlink, 0, &error), &error);
    compare (grid, &problem, is_directed);
    fretsaw_grid_free (grid);
    problem_clear (&problem);
  }
}

static void
test_strides_and_borrowing (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  fretsaw_error error;
  for (int i = 0; i < 20; i++) {
    Problem problem = make_problem (rand, 8);
    zero_leaving (&problem);
    fretsaw_grid_options options = describe (&problem, TRUE);
    fretsaw_grid *grid;
    options.borrow = true;
    ok (fretsaw_grid_new (NULL, &options, &grid, &error), &error);
    compare (grid, &problem, TRUE);
    fretsaw_grid_free (grid);
    /* The same rows apart, and from below to above. */
    int wide = problem.width + 5;
    size_t n = (size_t)wide * (size_t)problem.height;
    g_autofree int32_t *tlink = g_new0 (int32_t, n);
    g_autofree uint16_t *planes = g_new0 (uint16_t, 8 * n);
    ptrdiff_t last = (ptrdiff_t)wide * (problem.height - 1);
    for (int y = 0; y < problem.height; y++)
      for (int x = 0; x < problem.width; x++) {
        ptrdiff_t to = last - (ptrdiff_t)y * wide + x, from = (ptrdiff_t)y * problem.width + x;
        tlink[to] = problem.tlink[from];
        for (int d = 0; d < 4; d++) {
          planes[(size_t)d * n + (size_t)to] = problem.forth[d][from];
          planes[(size_t)(4 + d) * n + (size_t)to] = problem.back[d][from];
        }
      }
    options.borrow = false;
    options.stride = -wide;
    options.tlink = tlink + last;
    for (int d = 0; d < 4; d++) {
      options.nlink[d] = planes + (size_t)d * n + last;
      options.nlink_back[d] = planes + (size_t)(4 + d) * n + last;
    }
    ok (fretsaw_grid_new (NULL, &options, &grid, &error), &error);
    compare (grid, &problem, TRUE);
    fretsaw_grid_free (grid);
    problem_clear (&problem);
  }
}

/* Returns what is said of options that are wrong in one place. */
static const char *
refuse (const fretsaw_grid_options *options, fretsaw_status expected)
{
  static fretsaw_error error;
  fretsaw_grid *grid = (fretsaw_grid *)&error;
  g_assert_cmpint (fretsaw_grid_new (NULL, options, &grid, &error), ==, expected);
  g_assert_cmpint (error.status, ==, expected);
  g_assert_true (grid == (fretsaw_grid *)&error);
  return error.text;
}

static void
test_refuses (void)
{
  int32_t tlink[4] = { 0 };
  uint16_t nlink[4] = { 1, 1, 1, 1 };
  fretsaw_grid_options good = FRETSAW_GRID_OPTIONS_INIT;
  good.width = good.height = 2;
  good.tlink = tlink;
  good.nlink[0] = good.nlink[1] = nlink;

  fretsaw_grid_options bad = good;
  bad.size = 8;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "fretsaw_grid_options.size is 8"));
  bad = good;
  bad.width = 0;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "width"));
  bad = good;
  bad.width = bad.height = 1 << 20;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "pixels"));
  bad = good;
  bad.neighbours = 6;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "neighbours is 6"));
  bad = good;
  bad.nlink[1] = NULL;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "nlink[1] is NULL"));
  bad = good;
  bad.nlink_back[1] = nlink;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "nlink_back"));
  bad = good;
  bad.stride = 1;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "stride"));
  bad.stride = PTRDIFF_MAX;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "stride"));
  bad.stride = PTRDIFF_MIN;
  g_assert_nonnull (strstr (refuse (&bad, FRETSAW_INVALID), "stride"));
  bad = good;
  bad.borrow = bad.changes_nlinks = true;
  refuse (&bad, FRETSAW_INVALID);
  bad = good;
  bad.borrow = true; /* links that leave the grid */
  refuse (&bad, FRETSAW_INVALID);
  tlink[3] = FRETSAW_TLINK_MAX + 1;
  g_assert_nonnull (strstr (refuse (&good, FRETSAW_INVALID), "(1, 1)"));
  tlink[3] = 0;
  nlink[0] = FRETSAW_NLINK_MAX + 1;
  refuse (&good, FRETSAW_INVALID);
  refuse (NULL, FRETSAW_INVALID);

  /* A struct of a later version: zeros are the default, all else is not. */
  struct {
    fretsaw_grid_options options;
    int64_t later;
  } later = { good, 0 };
  nlink[0] = 1;
  later.options.size = sizeof later;
  fretsaw_grid *grid;
  g_assert_cmpint (fretsaw_grid_new (NULL, &later.options, &grid, NULL), ==, FRETSAW_OK);
  later.later = 1;
  refuse (&later.options, FRETSAW_UNSUPPORTED);

  fretsaw_error error;
  fretsaw_certificate certificate = FRETSAW_CERTIFICATE_INIT;
  uint8_t mask[4];
  fretsaw_tlink_change change = { 4, 0 };
  g_assert_cmpint (fretsaw_grid_get_mask (grid, mask, 0, &error), ==, FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_grid_certify (grid, &certificate, &error), ==, FRETSAW_INVALID);
  g_assert_cmpint (fretsaw_grid_change_tlinks (grid, &change, 1, &error), ==, FRETSAW_INVALID);
  g_assert_cmpstr (error.text, ==, "change 0 is of pixel 4; the grid has 4 pixels");
  change = (fretsaw_tlink_change){ 0, -FRETSAW_TLINK_MAX - 1 };
  g_assert_cmpint (fretsaw_grid_change_tlinks (grid, &change, 1, &error), ==, FRETSAW_INVALID);
  fretsaw_grid_free (grid);
  fretsaw_grid_free (NULL);
}

/* Calls refuse a cancellation that was set before, however small the grid. */
static void
test_cancelled_before (void)
{
  const int32_t tlink[2] = { 3, -1 };
  const uint16_t link[2] = { 1, 1 };
  fretsaw_cancellation *cancellation = fretsaw_cancellation_new ();
  fretsaw_progress progress = FRETSAW_PROGRESS_INIT;
  fretsaw_grid_options options = FRETSAW_GRID_OPTIONS_INIT;
  fretsaw_solution solution = FRETSAW_SOLUTION_INIT;
  fretsaw_grid *grid;
  fretsaw_error error;
  progress.cancellation = cancellation;
  options.width = 2;
  options.height = 1;
  options.tlink = tlink;
  options.nlink[FRETSAW_EAST] = options.nlink[FRETSAW_SOUTH] = link;
  ok (fretsaw_grid_new (NULL, &options, &grid, &error), &error);
  fretsaw_cancellation_cancel (cancellation);
  g_assert_cmpint (fretsaw_grid_solve (grid, &progress, &solution, &error), ==, FRETSAW_CANCELLED);
  fretsaw_cancellation_reset (cancellation);
  ok (fretsaw_grid_solve (grid, &progress, &solution, &error), &error);
  g_assert_cmpint (solution.energy, ==, 1);
  fretsaw_grid_free (grid);
  fretsaw_cancellation_free (cancellation);
}

static void
test_cancellation (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  Problem problem = make_problem (rand, 4);
  fretsaw_grid_options options = describe (&problem, FALSE);
  fretsaw_cancellation *cancellation = fretsaw_cancellation_new ();
  fretsaw_progress progress = FRETSAW_PROGRESS_INIT;
  fretsaw_grid *grid;
  fretsaw_error error;
  progress.cancellation = cancellation;
  ok (fretsaw_grid_new (NULL, &options, &grid, &error), &error);
  fretsaw_cancellation_cancel (cancellation);
  g_assert_cmpint (fretsaw_grid_solve (grid, &progress, NULL, &error), ==, FRETSAW_CANCELLED);
  fretsaw_cancellation_reset (cancellation);
  ok (fretsaw_grid_solve (grid, &progress, NULL, &error), &error);
  compare (grid, &problem, FALSE);
  fretsaw_grid_free (grid);
  fretsaw_cancellation_free (cancellation);
  problem_clear (&problem);
}

static void
test_contexts (void)
{
  fretsaw_context_options options = FRETSAW_CONTEXT_OPTIONS_INIT;
  fretsaw_context *context = NULL;
  fretsaw_error error;
  options.device = "abacus";
  g_assert_cmpint (fretsaw_context_new (&options, &context, &error), ==, FRETSAW_INVALID);
  g_assert_nonnull (strstr (error.text, "abacus"));
  options.device = "cpu";
  options.n_threads = -1;
  g_assert_cmpint (fretsaw_context_new (&options, &context, &error), ==, FRETSAW_INVALID);
  g_assert_null (context);
  options.n_threads = 0;
  ok (fretsaw_context_new (&options, &context, &error), &error);
  g_assert_true (g_str_has_prefix (fretsaw_context_get_device (context), "CPU"));
  fretsaw_context_free (context);
  fretsaw_context_free (NULL);
  g_assert_cmpint (fretsaw_version (), ==, FRETSAW_VERSION);
  g_assert_cmpstr (fretsaw_status_text (FRETSAW_MEMORY), ==, "not enough memory");
  g_assert_cmpstr (fretsaw_status_text ((fretsaw_status)99), ==, "unknown status");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/library/grid/equals-engine", test_equals_engine);
  g_test_add_func ("/library/grid/strides-and-borrowing", test_strides_and_borrowing);
  g_test_add_func ("/library/grid/refuses", test_refuses);
  g_test_add_func ("/library/grid/cancellation", test_cancellation);
  g_test_add_func ("/library/grid/cancelled-before", test_cancelled_before);
  g_test_add_func ("/library/contexts", test_contexts);
  return g_test_run ();
}
