/* SPDX-License-Identifier: MIT */
/* Previews by the CUDA engine's own source, each of its threads a fibre: the processor's mask in
 * every schedule, and whichever call of the CUDA library fails. */
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/multilevel/preview.h"
#include "tests/kernels/fibre_calls.h"
#include "tests/solver/problem.h"

#include <string.h>

/* As whoever wants one: the device's, or else the processor's. Returns whether it is the device's.
 */
static gboolean
make_preview (FsSolver *solver, const FsPreviewOptions *options, uint8_t *mask,
              FsPreviewStats *stats)
{
  gboolean done;
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_solver_preview (solver, options, NULL, mask, stats, &done, &error));
  if (done)
    return TRUE;
  g_autoptr (FsPreview) preview = fs_preview_new (solver->grid, options, NULL, &error);
  g_assert_no_error (error);
  g_assert_true (fs_preview_solve (preview, NULL, mask, stats, &error));
  return FALSE;
}

/* In a mask of the caller's, as it is. */
static void
check_preview_in (FsSolver *solver, const FsPreviewOptions *options, gboolean by_device,
                  uint8_t *mask)
{
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autofree uint8_t *expected = g_malloc (n);
  FsPreviewStats stats, expected_stats;
  gboolean is_devices = make_preview (solver, options, mask, &stats);
  if (by_device)
    g_assert_true (is_devices);
  g_autoptr (FsSolver) cpu = fs_solver_new (&fs_backend_cpu, solver->grid, NULL);
  make_preview (cpu, options, expected, &expected_stats);
  g_assert_cmpmem (mask, n, expected, n);
  g_assert_cmpint (stats.energy, ==, expected_stats.energy);
  g_assert_cmpmem (stats.n_solved, sizeof stats.n_solved, expected_stats.n_solved,
                   sizeof stats.n_solved);
}

static void
check_preview (FsSolver *solver, const FsPreviewOptions *options, gboolean by_device)
{
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autofree uint8_t *mask = g_malloc (n);
  memset (mask, 77, n);
  check_preview_in (solver, options, by_device, mask);
}

static void
check_exact (FsSolver *solver)
{
  FsSolution solution, expected;
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autoptr (FsSolver) cpu = fs_solver_new (&fs_backend_cpu, solver->grid, NULL);
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (fs_solver_solve (cpu, NULL, &expected, NULL));
  g_autofree uint8_t *mask = read_whole_mask (solver);
  g_autofree uint8_t *expected_mask = read_whole_mask (cpu);
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_cmpmem (mask, n, expected_mask, n);
}

static void
change (FsSolver *solver, GRand *rand)
{
  FsTlinkChange changes[20];
  int n = (int)fs_grid_n_pixels (solver->grid);
  for (int i = 0; i < 20; i++)
    changes[i] = (FsTlinkChange){ (uint32_t)g_rand_int_range (rand, 0, n),
                                  random_tlink (rand, SHAPE_UNIFORM) };
  g_assert_true (fs_solver_change_tlinks (solver, changes, 20, NULL));
  if (solver->grid->star == NULL && solver->grid->nlink_back[0] != NULL) {
    g_autoptr (GArray) nlinks = random_nlink_changes (rand, solver->grid, 60);
    g_assert_true (fs_solver_change_nlinks (solver, (void *)nlinks->data, nlinks->len, NULL));
  }
}

/* Previews before a cut, after it, after changes, and with other levels. */
static void
check_problem (GRand *rand, int width, int height, FsNeighbours neighbours, gboolean has_star)
{
  g_autoptr (Problem) problem = problem_new (width, height, neighbours, !has_star);
  if (has_star)
    problem_add_star (problem);
  problem_fill (problem, rand, (Shape)g_rand_int_range (rand, 0, N_SHAPES));
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, &error);
  g_assert_no_error (error);
  FsPreviewOptions options = { .n_levels = g_rand_int_range (rand, 1, 4),
                               .band_px = g_rand_int_range (rand, 0, 3),
                               .soft_tlink = 64 };
  g_autofree uint8_t *mask = g_malloc (fs_grid_n_pixels (&problem->grid));
  check_preview_in (solver, &options, TRUE, mask);
  check_exact (solver);
  change (solver, rand);
  options.goes_on = TRUE;
  check_preview_in (solver, &options, TRUE, mask);
  options = (FsPreviewOptions){ .n_levels = 2, .band_px = 1, .n_unrefined = 1 };
  check_preview (solver, &options, TRUE);
  check_exact (solver);
}

/* So wide a band that a tile's comes of more rows of the coarser level than a warp has lanes; the
 * mask's border lies beyond those that the first ones see. */
static void
test_wide_band (void)
{
  enum { BORDER = 66, TLINK = 50 };
  for (guint32 i = 0; i < 3; i++) {
    g_autoptr (Problem) problem = problem_new (20, 150, FS_NEIGHBOURS_4, FALSE);
    for (int p = 0; p < 20 * 150; p++)
      problem->grid.tlink[p] = p / 20 < BORDER ? TLINK : -TLINK;
    fibre_begin_schedule (fs_engine_cuda (), i);
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, NULL);
    FsPreviewOptions options = { .n_levels = 1, .band_px = 34 + 6 * (int)i, .soft_tlink = 64 };
    check_preview (solver, &options, TRUE);
  }
  g_assert_null (fs_cuda_notice ());
}

static void
test_schedules (void)
{
  static const int SIDES[][2] = { { 1, 1 }, { 33, 1 }, { 20, 31 }, { 70, 40 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (guint32 i = 0; i < (guint32)scaled_few (3, 2); i++)
    for (size_t j = 0; j < G_N_ELEMENTS (SIDES); j++) {
      fibre_begin_schedule (fs_engine_cuda (), i);
      check_problem (rand, SIDES[j][0], SIDES[j][1],
                     (i + j) % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, i % 2 == 0);
    }
  g_assert_null (fs_cuda_notice ());
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* A band that has more tiles than any before gets its room, and is cut then; so are those after it.
 */
static void
test_growing_band (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (guint32 i = 0; i < 2; i++) {
    fibre_begin_schedule (fs_engine_cuda (), i);
    g_autoptr (Problem) problem = problem_new (70, 40, FS_NEIGHBOURS_4, TRUE);
    problem_fill (problem, rand, SHAPE_UNIFORM);
    size_t n = fs_grid_n_pixels (&problem->grid);
    g_autofree int32_t *mixed = g_memdup2 (problem->grid.tlink, n * sizeof *mixed);
    for (size_t p = 0; p < n; p++)
      problem->grid.tlink[p] = -5;
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, NULL);
    g_autofree uint8_t *mask = g_malloc (n);
    FsPreviewOptions options = { .n_levels = 1 + (int)i, .band_px = 1, .soft_tlink = 64 };
    check_preview_in (solver, &options, TRUE, mask);
    options.goes_on = TRUE;
    check_preview_in (solver, &options, TRUE, mask);
    g_assert_true (fs_solver_replace_tlinks (solver, mixed, NULL));
    check_preview_in (solver, &options, TRUE, mask);
    check_exact (solver);
    change (solver, rand);
    check_preview_in (solver, &options, TRUE, mask);
    options.goes_on = FALSE;
    change (solver, rand);
    check_preview (solver, &options, TRUE);
  }
  g_assert_null (fs_cuda_notice ());
}

/* Small, for builds in which every touch of memory counts (fibres/touch.h). */
static void
test_races (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (guint32 i = 0; i < 2; i++) {
    fibre_begin_schedule (fs_engine_cuda (), i + 1);
    check_problem (rand, 34, 14, i % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, i % 2);
  }
  g_assert_null (fs_cuda_notice ());
}

/* Returns how many calls of the CUDA library it made, those at the end not counted. */
static int
play (gconstpointer data G_GNUC_UNUSED)
{
  int before = fibre_n_calls ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (Problem) problem = problem_new (20, 12, FS_NEIGHBOURS_4, TRUE);
  problem_fill (problem, rand, SHAPE_UNIFORM);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, &error);
  g_assert_no_error (error);
  FsPreviewOptions options = { .n_levels = 2, .band_px = 1 };
  check_preview (solver, &options, FALSE);
  change (solver, rand);
  options.n_levels = 1;
  check_preview (solver, &options, FALSE);
  check_exact (solver);
  return fibre_n_calls () - before;
}

/* The eight that release what there was for other levels may fail unheard. */
static void
test_every_call_failing (void)
{
  const FibreCalls calls = {
    .table = fs_engine_cuda (), .n_blocks = 1, .play = play, .least = 100, .stride = 5
  };
  g_assert_cmpint (fibre_fail_each (&calls, FIBRE_NO_MEMORY, FALSE), <=, 8);
  g_assert_cmpint (fibre_fail_each (&calls, FIBRE_LAUNCH_FAILED, TRUE), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fs_solver_set_threads (1);
  g_test_add_func ("/kernels/fibre-preview/wide-band", test_wide_band);
  g_test_add_func ("/kernels/fibre-preview/schedules", test_schedules);
  g_test_add_func ("/kernels/fibre-preview/growing-band", test_growing_band);
  g_test_add_func ("/kernels/fibre-preview/races", test_races);
  g_test_add_func ("/kernels/fibre-preview/every-call-failing", test_every_call_failing);
  return g_test_run ();
}
