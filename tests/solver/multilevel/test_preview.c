/* SPDX-License-Identifier: MIT */
/* Previews: exact where they must be, valid and true to the seeds everywhere, the same by changes
 * as afresh, stoppable, and small. */
#include "solver/multilevel/preview.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

#include <stdlib.h>
#include <string.h>

static FsPreview *
preview_of (const Problem *problem, int n_levels, int band_px)
{
  g_autoptr (GError) error = NULL;
  FsPreviewOptions options = { .n_levels = n_levels, .band_px = band_px, .soft_tlink = 64 };
  FsPreview *preview = fs_preview_new (&problem->grid, &options, NULL, &error);
  g_assert_no_error (error);
  return preview;
}

static uint8_t *
mask_of (FsPreview *preview, const Problem *problem, FsPreviewStats *stats)
{
  g_autoptr (GError) error = NULL;
  uint8_t *mask = g_malloc (fs_grid_n_pixels (&problem->grid));
  memset (mask, 77, fs_grid_n_pixels (&problem->grid));
  fs_preview_solve (preview, NULL, mask, stats, &error);
  g_assert_no_error (error);
  return mask;
}

static int64_t
exact_energy (Problem *problem, uint8_t **mask)
{
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  FsSolution solution;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (solution.exact);
  if (mask != NULL)
    *mask = read_whole_mask (solver);
  return solution.energy;
}

/* Labels are 0 and 1, sure pixels have theirs, and the statistics are true. */
static void
check_valid (Problem *problem, const uint8_t *mask, const FsPreviewStats *stats)
{
  const FsGrid *grid = &problem->grid;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++) {
      size_t p = (size_t)y * grid->width + x;
      g_assert_cmpuint (mask[p], <=, 1);
      if (grid->tlink[p] > fs_grid_links_out (grid, x, y))
        g_assert_cmpuint (mask[p], ==, 1);
      if (-grid->tlink[p] > fs_grid_links_in (grid, x, y))
        g_assert_cmpuint (mask[p], ==, 0);
    }
  g_assert_cmpint (stats->energy, ==, fs_grid_energy (grid, mask));
  g_assert_cmpint (stats->energy, >=, exact_energy (problem, NULL));
  g_assert_cmpuint (stats->n_pixels[0], ==, fs_grid_n_pixels (grid));
  for (int k = 0; k <= stats->n_levels; k++)
    g_assert_cmpuint (stats->n_solved[k], <=, stats->n_pixels[k]);
}

static void
test_exact_where_the_band_is_everything (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int round = 0; round < scaled (150); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 50, 50);
    problem_fill (problem, rand, round % N_SHAPES);
    int side = MAX (problem->grid.width, problem->grid.height);
    g_autoptr (FsPreview) preview =
        round % 2 ? preview_of (problem, 0, 2) : preview_of (problem, round % 13, side);
    FsPreviewStats stats;
    g_autofree uint8_t *mask = mask_of (preview, problem, &stats);
    g_autofree uint8_t *expected = NULL;
    g_assert_cmpint (stats.energy, ==, exact_energy (problem, &expected));
    g_assert_cmpmem (mask, stats.n_pixels[0], expected, stats.n_pixels[0]);
    g_assert_cmpint (stats.n_levels, ==, 0);
  }
}

static void
test_valid_at_any_setting (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (int round = 0; round < scaled (400); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 60, 60);
    problem_fill (problem, rand, round % N_SHAPES);
    g_autoptr (FsPreview) preview = preview_of (problem, round % 13, g_rand_int_range (rand, 0, 7));
    FsPreviewStats stats;
    g_autofree uint8_t *mask = mask_of (preview, problem, &stats);
    check_valid (problem, mask, &stats);
  }
}

/* Levels that are only filled: coarser by blocks, as true to the seeds. */
static void
test_valid_without_the_finest_levels (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  for (int round = 0; round < scaled (200); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 60, 60);
    problem_fill (problem, rand, round % N_SHAPES);
    FsPreviewOptions options = { .n_levels = 1 + round % 5,
                                 .band_px = round % 4,
                                 .n_unrefined = g_rand_int_range (rand, 0, 6) };
    g_autoptr (FsPreview) preview = fs_preview_new (&problem->grid, &options, NULL, NULL);
    FsPreviewStats stats;
    g_autofree uint8_t *mask = mask_of (preview, problem, &stats);
    check_valid (problem, mask, &stats);
    for (int k = 0; k < MIN (options.n_unrefined, stats.n_levels - 1); k++)
      g_assert_cmpuint (stats.n_solved[k], ==, 0);
  }
}

/* Out of time, all levels but the coarsest are filled; with time again the mask is the one it was.
 */
static void
test_valid_in_haste (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  for (int round = 0; round < scaled (200); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 60, 60);
    problem_fill (problem, rand, round % N_SHAPES);
    g_autoptr (FsPreview) preview = preview_of (problem, round % 6, round % 4);
    FsPreviewStats stats;
    g_autofree uint8_t *mask = mask_of (preview, problem, &stats);
    g_assert_false (fs_preview_is_hasty (preview));
    fs_preview_set_deadline (preview, 1);
    g_autofree uint8_t *hasty = mask_of (preview, problem, &stats);
    check_valid (problem, hasty, &stats);
    g_assert_cmpint (fs_preview_is_hasty (preview), ==, stats.n_levels > 0);
    for (int k = 0; k < stats.n_levels; k++)
      g_assert_cmpuint (stats.n_solved[k], ==, 0);
    fs_preview_set_deadline (preview, 0);
    g_autofree uint8_t *again = mask_of (preview, problem, &stats);
    g_assert_false (fs_preview_is_hasty (preview));
    g_assert_cmpmem (again, stats.n_pixels[0], mask, stats.n_pixels[0]);
  }
}

static void
change_star (Problem *problem, GRand *rand, const uint32_t pixels[30])
{
  g_autofree uint8_t *target = g_malloc (fs_grid_n_pixels (&problem->grid));
  random_star (rand, &problem->grid, target);
  for (int i = 0; i < 30; i++)
    problem->grid.star[pixels[i]] = target[pixels[i]];
}

/* Any history of changes gives the mask of a preview made afresh. */
static void
test_changes_as_fresh (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int round = 0; round < scaled (60); round++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 60, 60);
    Shape shape = round % N_SHAPES;
    problem_fill (problem, rand, shape);
    int n = (int)fs_grid_n_pixels (&problem->grid);
    g_autoptr (FsPreview) preview = preview_of (problem, round % 6, round % 4);
    for (int edit = 0; edit < 5; edit++) {
      uint32_t pixels[30];
      for (int i = 0; i < 30; i++) {
        pixels[i] = (uint32_t)g_rand_int_range (rand, 0, n);
        problem->grid.tlink[pixels[i]] = random_tlink (rand, shape);
      }
      if (problem->grid.star != NULL)
        change_star (problem, rand, pixels);
      if (edit % 2 == 0)
        fs_preview_change (preview, pixels, 30);
      if (edit % 2 == 0 && problem->grid.star != NULL)
        fs_preview_change_star (preview, pixels, 30);
      if (edit % 2 == 1)
        fs_preview_change_all (preview);
      g_autoptr (FsPreview) fresh = preview_of (problem, round % 6, round % 4);
      FsPreviewStats stats, expected_stats;
      g_autofree uint8_t *mask = mask_of (preview, problem, &stats);
      g_autofree uint8_t *expected = mask_of (fresh, problem, &expected_stats);
      g_assert_cmpmem (mask, n, expected, n);
      g_assert_cmpint (stats.energy, ==, expected_stats.energy);
    }
  }
}

/* A disc of object colours, as smooth as photos are, and noise. */
static Problem *
disc_problem (int width, int height, GRand *rand)
{
  Problem *problem = problem_new (width, height, FS_NEIGHBOURS_8, FALSE);
  int radius = MIN (width, height) / 3;
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      size_t p = (size_t)y * width + x;
      int64_t dx = x - width / 2, dy = y - height / 2;
      int64_t far = dx * dx + dy * dy - (int64_t)radius * radius;
      problem->grid.tlink[p] = (far < 0 ? 30 : -30) + g_rand_int_range (rand, -40, 41);
      for (int d = 0; d < FS_N_DIRECTIONS; d++)
        if (fs_grid_has_neighbour (&problem->grid, x, y, d))
          problem->plane[d][p] = llabs (far) < 3 * radius ? 20 : 500;
    }
  return problem;
}

static void
test_finds_a_disc (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (Problem) problem = disc_problem (300, 260, rand);
  g_autofree uint8_t *expected = NULL;
  exact_energy (problem, &expected);
  g_autoptr (FsPreview) preview = preview_of (problem, 3, 2);
  FsPreviewStats stats;
  g_autofree uint8_t *mask = mask_of (preview, problem, &stats);
  check_valid (problem, mask, &stats);
  int wrong = 0;
  for (int p = 0; p < 300 * 260; p++)
    wrong += mask[p] != expected[p];
  g_assert_cmpint (wrong, <, 300 * 260 / 200);
  g_assert_cmpuint (stats.n_solved[0], <, stats.n_pixels[0] / 8);
}

/* Two discs, and a star that grows from the middle of the left one: the right one is not reached
 * through the land between them, and the preview knows it. */
static void
test_star_keeps_islands_away (void)
{
  enum { WIDTH = 400, HEIGHT = 200, ROOT_X = 100, ROOT_Y = 100, RADIUS = 60 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (10);
  g_autoptr (Problem) problem = problem_new (WIDTH, HEIGHT, FS_NEIGHBOURS_8, FALSE);
  problem_add_star (problem);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      int p = y * WIDTH + x;
      int dx = x % 200 - 100, dy = y - ROOT_Y;
      gboolean inside = dx * dx + dy * dy < RADIUS * RADIUS;
      problem->grid.tlink[p] = (inside ? 30 : -30) + g_rand_int_range (rand, -40, 41);
      for (int d = 0; d < FS_N_DIRECTIONS; d++)
        problem->plane[d][p] = fs_grid_has_neighbour (&problem->grid, x, y, d) ? 50 : 0;
      /* Straight towards the root, along a row where that is nearer. */
      int towards = x > ROOT_X ? 4 : 0;
      if (abs (y - ROOT_Y) > abs (x - ROOT_X))
        towards = y > ROOT_Y ? 5 : 1;
      problem->grid.star[p] = x == ROOT_X && y == ROOT_Y ? FS_STAR_NONE : (uint8_t)towards;
    }
  problem->grid.tlink[ROOT_Y * WIDTH + ROOT_X] = FS_TLINK_MAX;
  g_assert_true (fs_grid_validate (&problem->grid, NULL));
  g_autofree uint8_t *expected = NULL;
  exact_energy (problem, &expected);
  g_assert_cmpuint (expected[ROOT_Y * WIDTH + 300], ==, 0);
  for (int n_levels = 1; n_levels <= 5; n_levels++) {
    g_autoptr (FsPreview) preview = preview_of (problem, n_levels, 2);
    FsPreviewStats stats;
    g_autofree uint8_t *mask = mask_of (preview, problem, &stats);
    check_valid (problem, mask, &stats);
    int wrong = 0;
    for (int p = 0; p < WIDTH * HEIGHT; p++)
      wrong += mask[p] != expected[p];
    g_assert_cmpint (wrong, <, WIDTH * HEIGHT / 200);
  }
}

/* One painted pixel in the other side's land. */
static void
test_one_pixel_objects (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  for (int n_levels = 1; n_levels <= 6; n_levels++)
    for (int round = 0; round < 24; round++) {
      int sign = round % 2 ? 1 : -1;
      g_autoptr (Problem) problem = problem_new (150, 131, FS_NEIGHBOURS_8, round % 4 > 1);
      problem_fill (problem, rand, SHAPE_UNIFORM);
      for (int p = 0; p < 150 * 131; p++)
        problem->grid.tlink[p] = -sign * 30;
      int x = g_rand_int_range (rand, 0, 150);
      int y = g_rand_int_range (rand, 0, 131);
      int64_t links = sign > 0 ? fs_grid_links_out (&problem->grid, x, y)
                               : fs_grid_links_in (&problem->grid, x, y);
      problem->grid.tlink[y * 150 + x] = sign * (int32_t)(links + 1);
      g_autoptr (FsPreview) preview = preview_of (problem, n_levels, round % 3);
      FsPreviewStats stats;
      g_autofree uint8_t *mask = mask_of (preview, problem, &stats);
      g_assert_cmpuint (mask[y * 150 + x], ==, sign > 0);
      check_valid (problem, mask, &stats);
    }
}

/* --- long calls --- */

typedef struct {
  atomic_bool cancel;
  double last;
  double cancel_at;
} Watch;

static void
watch (double fraction, gpointer user_data)
{
  Watch *seen = user_data;
  g_assert_cmpfloat (fraction, >=, seen->last);
  g_assert_cmpfloat (fraction, <=, 1);
  seen->last = fraction;
  if (fraction >= seen->cancel_at)
    atomic_store (&seen->cancel, TRUE);
}

static void
test_progress_and_cancel (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autoptr (Problem) problem = disc_problem (200, 200, rand);
  g_autoptr (FsPreview) preview = preview_of (problem, 3, 2);
  g_autoptr (FsPreview) fresh = preview_of (problem, 3, 2);
  FsPreviewStats stats;
  g_autofree uint8_t *expected = mask_of (fresh, problem, &stats);
  g_autofree uint8_t *mask = g_malloc (200 * 200);
  static const double cancel_at[] = { 0, 0.1, 0.4, 0.7, 2 };
  for (size_t i = 0; i < G_N_ELEMENTS (cancel_at); i++) {
    g_autoptr (GError) error = NULL;
    Watch seen = { .cancel_at = cancel_at[i], .cancel = cancel_at[i] == 0 };
    FsProgress progress = { &seen.cancel, watch, &seen };
    fs_preview_change_all (preview);
    gboolean done = fs_preview_solve (preview, &progress, mask, NULL, &error);
    g_assert_cmpint (done, ==, cancel_at[i] > 1);
    if (!done)
      g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
    else
      g_assert_cmpfloat (seen.last, ==, 1);
  }
  g_assert_cmpmem (mask, 200 * 200, expected, 200 * 200);
}

static void
test_refusals (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (Problem) problem = disc_problem (100, 80, rand);
  g_autofree uint8_t *mask = g_malloc (100 * 80);
  FsPreviewOptions options = FS_PREVIEW_DEFAULT;
  for (int i = 0;; i++) {
    g_autoptr (GError) error = NULL;
    fault_memory_after (i, FALSE);
    g_autoptr (FsPreview) preview = fs_preview_new (&problem->grid, &options, NULL, &error);
    gboolean made = preview != NULL;
    gboolean done = made && fs_preview_solve (preview, NULL, mask, NULL, &error);
    fault_memory_after (-1, FALSE);
    if (done) {
      g_assert_cmpint (i, >, 20);
      break;
    }
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    if (made)
      g_assert_true (fs_preview_solve (preview, NULL, mask, NULL, NULL));
  }
  g_autoptr (GError) error = NULL;
  FsGrid broken = problem->grid;
  broken.nlink[1] = NULL;
  g_assert_null (fs_preview_new (&broken, &options, NULL, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID);
}

/* Once the workspace is there, no memory is asked for. */
static void
test_nothing_allocated_later (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (Problem) problem = disc_problem (400, 300, rand);
  g_autoptr (FsPreview) preview = preview_of (problem, 3, 2);
  g_autofree uint8_t *mask = mask_of (preview, problem, NULL);
  for (uint32_t p = 150 * 400; p < 150 * 400 + 5; p++) {
    problem->grid.tlink[p] = 4001;
    fs_preview_change (preview, &p, 1);
    g_autoptr (GError) error = NULL;
    fault_memory_after (0, TRUE);
    fs_preview_solve (preview, NULL, mask, NULL, &error);
    fault_memory_after (-1, FALSE);
    g_assert_no_error (error);
    g_assert_cmpuint (mask[p], ==, 1);
  }
}

/* A fifth of the exact problem's memory, of which 4 bytes in 44 are its t-links. */
static void
test_memory_follows_the_band (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  g_autoptr (Problem) problem = disc_problem (1600, 1200, rand);
  g_autoptr (FsPreview) preview = preview_of (problem, 3, 2);
  FsPreviewStats stats;
  g_free (mask_of (preview, problem, &stats));
  g_assert_cmpuint (stats.size_bytes, ==, fs_preview_size_bytes (preview));
  g_assert_cmpuint (stats.size_bytes, <, 1600 * 1200 * 44 / 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/preview/exact-where-the-band-is-everything",
                   test_exact_where_the_band_is_everything);
  g_test_add_func ("/solver/preview/valid-at-any-setting", test_valid_at_any_setting);
  g_test_add_func ("/solver/preview/valid-without-the-finest-levels",
                   test_valid_without_the_finest_levels);
  g_test_add_func ("/solver/preview/valid-in-haste", test_valid_in_haste);
  g_test_add_func ("/solver/preview/changes-as-fresh", test_changes_as_fresh);
  g_test_add_func ("/solver/preview/finds-a-disc", test_finds_a_disc);
  g_test_add_func ("/solver/preview/star-keeps-islands-away", test_star_keeps_islands_away);
  g_test_add_func ("/solver/preview/one-pixel-objects", test_one_pixel_objects);
  g_test_add_func ("/solver/preview/progress-and-cancel", test_progress_and_cancel);
  g_test_add_func ("/solver/preview/refusals", test_refusals);
  g_test_add_func ("/solver/preview/nothing-allocated-later", test_nothing_allocated_later);
  g_test_add_func ("/solver/preview/memory-follows-the-band", test_memory_follows_the_band);
  return g_test_run ();
}
