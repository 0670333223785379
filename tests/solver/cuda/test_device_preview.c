/* SPDX-License-Identifier: MIT */
/* Previews by the solver's device: the mask of the processor's pyramid and bands, to the bit, with
 * its pixels and its energy, whatever the levels, the dilation and the problem; after changes; and
 * by the processor after a failure. */
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"
#include "solver/multilevel/preview.h"
#include "tests/solver/problem.h"

#include <string.h>

static FsSolver *
solver_of (Problem *problem)
{
  g_autoptr (GError) error = NULL;
  FsSolver *solver = fs_solver_new (test_backend (), &problem->grid, &error);
  g_assert_no_error (error);
  return solver;
}

static uint8_t *
processors_mask (const FsGrid *grid, const FsPreviewOptions *options, FsPreviewStats *stats)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPreview) preview = fs_preview_new (grid, options, NULL, &error);
  g_assert_no_error (error);
  uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  g_assert_true (fs_preview_solve (preview, NULL, mask, stats, &error));
  return mask;
}

/* In a mask of the caller's, as it is. */
static void
check_preview_in (FsSolver *solver, const FsPreviewOptions *options, uint8_t *mask)
{
  const FsGrid *grid = solver->grid;
  size_t n = fs_grid_n_pixels (grid);
  g_autoptr (GError) error = NULL;
  FsPreviewStats stats, expected_stats;
  gboolean done = FALSE;
  g_assert_true (fs_solver_preview (solver, options, NULL, mask, &stats, &done, &error));
  g_assert_no_error (error);
  g_assert_true (done);
  g_autofree uint8_t *expected = processors_mask (grid, options, &expected_stats);
  g_assert_cmpmem (mask, n, expected, n);
  g_assert_cmpint (stats.energy, ==, expected_stats.energy);
  g_assert_cmpint (stats.n_levels, ==, expected_stats.n_levels);
  for (int k = 0; k <= stats.n_levels; k++) {
    g_assert_cmpuint (stats.n_pixels[k], ==, expected_stats.n_pixels[k]);
    g_assert_cmpuint (stats.n_solved[k], ==, expected_stats.n_solved[k]);
  }
  g_assert_cmpuint (stats.size_bytes, >, 0);
}

static void
check_preview (FsSolver *solver, const FsPreviewOptions *options)
{
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autofree uint8_t *mask = g_malloc (n);
  memset (mask, 77, n);
  check_preview_in (solver, options, mask);
}

static FsPreviewOptions
random_options (GRand *rand)
{
  int band_px = g_rand_int_range (rand, 0, 4), n_unrefined = g_rand_int_range (rand, -4, 4);
  return (FsPreviewOptions){ .n_levels = g_rand_int_range (rand, 0, 6),
                             .band_px = band_px < 3 ? band_px : g_rand_int_range (rand, 3, 60),
                             .soft_tlink = g_rand_boolean (rand) ? 64 : 0,
                             .n_unrefined = MAX (n_unrefined, 0) };
}

static void
test_any_problem (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int round = 0; round < scaled (400); round++) {
    int most = round % 4 == 0 ? 140 : 70;
    g_autoptr (Problem) problem = problem_new_random (rand, most, most);
    problem_fill (problem, rand, round % N_SHAPES);
    g_autoptr (FsSolver) solver = solver_of (problem);
    FsPreviewOptions options = random_options (rand);
    check_preview (solver, &options);
  }
  g_assert_null (fs_cuda_notice ());
}

/* Objects with a border, so that bands are thin, cross tiles and leave most of them out. */
static void
fill_with_discs (Problem *problem, GRand *rand)
{
  const FsGrid *grid = &problem->grid;
  problem_fill (problem, rand, SHAPE_SEEDS);
  for (size_t p = 0; p < fs_grid_n_pixels (grid); p++)
    grid->tlink[p] = g_rand_int_range (rand, -60, -20);
  for (int disc = 0; disc < 3; disc++) {
    int x0 = g_rand_int_range (rand, 0, grid->width), y0 = g_rand_int_range (rand, 0, grid->height);
    int radius = g_rand_int_range (rand, 1, 60);
    for (int y = MAX (y0 - radius, 0); y < MIN (y0 + radius, grid->height); y++)
      for (int x = MAX (x0 - radius, 0); x < MIN (x0 + radius, grid->width); x++)
        if ((x - x0) * (x - x0) + (y - y0) * (y - y0) < radius * radius)
          grid->tlink[(size_t)y * grid->width + x] = g_rand_int_range (rand, 20, 60);
  }
}

static void
test_thin_bands (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (int round = 0; round < scaled (40); round++) {
    FsNeighbours neighbours = round % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
    g_autoptr (Problem) problem = problem_new (330 + round, 290 - round, neighbours, FALSE);
    fill_with_discs (problem, rand);
    g_autoptr (FsSolver) solver = solver_of (problem);
    FsPreviewOptions options = FS_PREVIEW_DEFAULT;
    options.n_levels = 1 + round % 4;
    check_preview (solver, &options);
  }
}

/* --- Changes --- */

static void
change (FsSolver *solver, GRand *rand, int number)
{
  const FsGrid *grid = solver->grid;
  size_t n = fs_grid_n_pixels (grid);
  FsTlinkChange changes[40];
  for (int i = 0; i < 40; i++)
    changes[i] = (FsTlinkChange){ (uint32_t)g_rand_int_range (rand, 0, (int)n),
                                  random_tlink (rand, SHAPE_UNIFORM) };
  g_assert_true (fs_solver_change_tlinks (solver, changes, 40, NULL));
  if (grid->star != NULL && number % 2 == 0) {
    g_autofree uint8_t *star = g_malloc (n);
    random_star (rand, grid, star);
    g_assert_true (fs_solver_replace_star (solver, star, NULL));
  }
  if (grid->star == NULL && grid->nlink_back[0] != NULL) {
    g_autoptr (GArray) nlinks = random_nlink_changes (rand, grid, 200);
    g_assert_true (fs_solver_change_nlinks (solver, (void *)nlinks->data, nlinks->len, NULL));
  }
}

/* Previews follow every kind of change, and leave the cut's own mask and flow alone. */
static void
test_changes (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int round = 0; round < scaled (60); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 90, 90);
    problem_fill (problem, rand, round % N_SHAPES);
    g_autoptr (FsSolver) solver = solver_of (problem);
    FsPreviewOptions options = random_options (rand);
    for (int edit = 0; edit < 3; edit++) {
      if (edit == round % 3)
        options = random_options (rand);
      check_preview (solver, &options);
      solve_and_check (solver);
      g_autofree uint8_t *before = read_whole_mask (solver);
      check_preview (solver, &options);
      g_autofree uint8_t *after = read_whole_mask (solver);
      g_assert_cmpmem (before, fs_grid_n_pixels (solver->grid), after,
                       fs_grid_n_pixels (solver->grid));
      change (solver, rand, edit);
    }
    FsSolution solution = solve_and_check (solver);
    check_against_fresh (solver, &solution);
  }
}

/* In a mask that the last preview has filled only what differs is written: the rest is trusted. */
static void
test_going_on (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (int round = 0; round < scaled (60); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 90, 90);
    problem_fill (problem, rand, round % N_SHAPES);
    g_autoptr (FsSolver) solver = solver_of (problem);
    size_t n = fs_grid_n_pixels (solver->grid);
    g_autofree uint8_t *mask = g_malloc (n);
    FsPreviewOptions options = random_options (rand);
    for (int edit = 0; edit < 5; edit++) {
      options.goes_on = edit > 0 && g_rand_boolean (rand);
      if (!options.goes_on)
        memset (mask, 77, n);
      check_preview_in (solver, &options, mask);
      if (g_rand_boolean (rand))
        change (solver, rand, edit);
      if (g_rand_int_range (rand, 0, 3) == 0)
        options = random_options (rand);
    }
  }
  g_assert_null (fs_cuda_notice ());
}

/* --- What is not to be had --- */

static void
test_nothing_by_others (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (Problem) problem = problem_new (20, 20, FS_NEIGHBOURS_4, FALSE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  uint8_t mask[400];
  FsPreviewOptions options = FS_PREVIEW_DEFAULT;
  gboolean done = TRUE;
  g_autoptr (FsSolver) cpu = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  g_assert_true (fs_solver_preview (cpu, &options, NULL, mask, NULL, &done, NULL));
  g_assert_false (done);
}

static void
test_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (Problem) problem = problem_new (120, 120, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_SEEDS);
  g_autoptr (FsSolver) solver = solver_of (problem);
  g_autofree uint8_t *mask = g_malloc (120 * 120);
  memset (mask, 77, 120 * 120);
  FsPreviewOptions options = FS_PREVIEW_DEFAULT;
  atomic_bool cancel = TRUE;
  FsProgress progress = { .cancel = &cancel };
  gboolean done = TRUE;
  g_autoptr (GError) error = NULL;
  gboolean is_whole = fs_solver_preview (solver, &options, &progress, mask, NULL, &done, &error);
  /* A device may be done before anybody looks; its twin asks first. */
  g_assert_false (is_whole && test_backend_is_slow ());
  if (!is_whole)
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  options.goes_on = TRUE;
  check_preview_in (solver, &options, mask);
  FsSolution solution = solve_and_check (solver);
  check_against_fresh (solver, &solution);
}

/* The twin alone can be made to fail. */
static void
test_failing (void)
{
  if (!test_backend_is_slow ()) {
    g_test_skip ("a device that works");
    return;
  }
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autoptr (Problem) problem = problem_new (90, 50, FS_NEIGHBOURS_8, FALSE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_autoptr (FsSolver) solver = solver_of (problem);
  g_autofree uint8_t *mask = g_malloc (90 * 50);
  FsPreviewOptions options = FS_PREVIEW_DEFAULT;
  fs_engine_host_fail_after (0, TRUE, FS_ENGINE_FAILED);
  for (int i = 0; i < 2; i++) {
    gboolean done = TRUE;
    g_assert_true (fs_solver_preview (solver, &options, NULL, mask, NULL, &done, NULL));
    g_assert_false (done);
  }
  g_assert_nonnull (fs_cuda_notice ());
  g_assert_true (fs_solver_get_backend (solver) == &fs_backend_cpu);
  FsSolution solution = solve_and_check (solver);
  check_against_fresh (solver, &solution);
  fs_engine_host_fail_after (-1, FALSE, FS_ENGINE_DONE);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (g_getenv ("FRETSAW_TEST_BACKEND") == NULL)
    g_setenv ("FRETSAW_TEST_BACKEND", "kernels", TRUE);
  fs_solver_set_threads (1);
  g_test_add_func ("/solver/device-preview/any-problem", test_any_problem);
  g_test_add_func ("/solver/device-preview/thin-bands", test_thin_bands);
  g_test_add_func ("/solver/device-preview/changes", test_changes);
  g_test_add_func ("/solver/device-preview/going-on", test_going_on);
  g_test_add_func ("/solver/device-preview/nothing-by-others", test_nothing_by_others);
  g_test_add_func ("/solver/device-preview/cancelled", test_cancelled);
  g_test_add_func ("/solver/device-preview/failing", test_failing);
  return g_test_run ();
}
