/* SPDX-License-Identifier: MIT */
#include "tests/solver/problem.h"

#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Problem *
problem_new (int width, int height, FsNeighbours neighbours, gboolean directed)
{
  Problem *problem = g_new0 (Problem, 1);
  FsGrid *grid = &problem->grid;
  size_t n = (size_t)width * height;
  grid->width = width;
  grid->height = height;
  grid->neighbours = neighbours;
  grid->tlink = g_new0 (int32_t, n);
  for (int d = 0; d < fs_grid_n_directions (grid); d++) {
    grid->nlink[d] = problem->plane[d] = g_new0 (uint16_t, n);
    if (directed)
      grid->nlink_back[d] = problem->plane[FS_N_DIRECTIONS + d] = g_new0 (uint16_t, n);
  }
  return problem;
}

void
problem_free (Problem *problem)
{
  for (int i = 0; i < 2 * FS_N_DIRECTIONS; i++)
    g_free (problem->plane[i]);
  g_free (problem->grid.star);
  g_free (problem->grid.tlink);
  g_free (problem);
}

void
problem_add_star (Problem *problem)
{
  size_t n = fs_grid_n_pixels (&problem->grid);
  problem->grid.star = g_malloc (n);
  memset (problem->grid.star, FS_STAR_NONE, n);
}

/* The neighbour of least rank below the pixel's own, or any of them. */
static uint8_t
random_parent (GRand *rand, const FsGrid *grid, const double *rank, size_t p, gboolean least)
{
  uint8_t found = FS_STAR_NONE;
  double bound = rank[p];
  for (int i = 0, d = g_rand_int_range (rand, 0, FS_N_ARCS); i < FS_N_ARCS; i++, d++) {
    int arc = d % FS_N_ARCS;
    if (!fs_grid_has_arc (grid, (int)(p % grid->width), (int)(p / grid->width), arc))
      continue;
    double there = rank[(ptrdiff_t)p + fs_grid_step (grid, arc)];
    if (there >= bound)
      continue;
    found = (uint8_t)arc;
    bound = least ? there : bound;
  }
  return found;
}

void
random_star (GRand *rand, const FsGrid *grid, uint8_t *star)
{
  size_t n = fs_grid_n_pixels (grid);
  g_autofree double *rank = g_new (double, n);
  double x0 = g_rand_double_range (rand, 0, grid->width);
  double y0 = g_rand_double_range (rand, 0, grid->height);
  double noise = g_rand_boolean (rand) ? 0.1 : 1e6;
  int roots = g_rand_int_range (rand, 2, 30);
  for (size_t p = 0; p < n; p++) {
    double dx = (double)(p % grid->width) - x0;
    double dy = (double)(p / grid->width) - y0;
    rank[p] = dx * dx + dy * dy + g_rand_double_range (rand, 0, noise);
  }
  gboolean least = g_rand_boolean (rand);
  for (size_t p = 0; p < n; p++)
    star[p] = g_rand_int_range (rand, 0, roots) == 0 ? FS_STAR_NONE
                                                     : random_parent (rand, grid, rank, p, least);
}

Problem *
problem_new_random (GRand *rand, int max_width, int max_height)
{
  int width = g_rand_int_range (rand, 1, max_width + 1);
  int height = g_rand_int_range (rand, 1, max_height + 1);
  FsNeighbours neighbours = g_rand_boolean (rand) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
  Problem *problem = problem_new (width, height, neighbours, g_rand_boolean (rand));
  if (g_rand_int_range (rand, 0, 3) == 0)
    problem_add_star (problem);
  return problem;
}

int32_t
random_tlink (GRand *rand, Shape shape)
{
  int sign = g_rand_boolean (rand) ? 1 : -1;
  switch (shape) {
  case SHAPE_TIES:
    return g_rand_int_range (rand, -3, 4);
  case SHAPE_SPARSE:
    return g_rand_int_range (rand, 0, 4) == 0 ? g_rand_int_range (rand, -50, 51) : 0;
  case SHAPE_MAXIMUM:
    return sign * FS_TLINK_MAX;
  case SHAPE_SEEDS:
    return g_rand_int_range (rand, 0, 25) == 0 ? sign * g_rand_int_range (rand, 1, 100000) : 0;
  case SHAPE_ONE_SIDE:
    return g_rand_int_range (rand, 0, 10);
  default:
    return g_rand_int_range (rand, -200, 201);
  }
}

static int
random_nlink (GRand *rand, Shape shape)
{
  switch (shape) {
  case SHAPE_TIES:
    return g_rand_int_range (rand, 0, 3);
  case SHAPE_SPARSE:
    return g_rand_int_range (rand, 0, 4) == 0 ? g_rand_int_range (rand, 0, 60) : 0;
  case SHAPE_MAXIMUM:
    return FS_NLINK_MAX;
  case SHAPE_SEEDS:
    return 500 / g_rand_int_range (rand, 1, 20);
  case SHAPE_NO_LINKS:
    return 0;
  default:
    return g_rand_int_range (rand, 0, 80);
  }
}

void
problem_fill (Problem *problem, GRand *rand, Shape shape)
{
  FsGrid *grid = &problem->grid;
  size_t p = 0;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++, p++) {
      grid->tlink[p] = random_tlink (rand, shape);
      for (int d = 0; d < fs_grid_n_directions (grid); d++) {
        gboolean inside = fs_grid_has_neighbour (grid, x, y, d);
        problem->plane[d][p] = inside ? random_nlink (rand, shape) : 0;
        if (grid->nlink_back[d] == NULL)
          continue;
        int back = random_nlink (rand, shape);
        /* Star convexity's arcs: never one way, little the other. */
        if (shape == SHAPE_MAXIMUM)
          back = FS_NLINK_PAIR_MAX - FS_NLINK_MAX;
        problem->plane[FS_N_DIRECTIONS + d][p] = inside ? back : 0;
      }
    }
  if (grid->star != NULL)
    random_star (rand, grid, grid->star);
}

/* --- Flow that passes through a tile --- */

enum { PASSAGE_ROW = 10, PASSAGE_ARC = 40, PASSAGE_WIDE = 100, PASSAGE_BACK = 20 };

static void
put_both_ways (Problem *problem, int pixel, FsDirection direction)
{
  problem->plane[direction][pixel] = PASSAGE_WIDE;
  problem->plane[FS_N_DIRECTIONS + direction][pixel] = PASSAGE_WIDE;
}

Problem *
problem_new_passage (void)
{
  Problem *problem = problem_new (96, 32, FS_NEIGHBOURS_4, TRUE);
  FsGrid *grid = &problem->grid;
  int row = PASSAGE_ROW * grid->width, above = row - grid->width + PASSAGE_ARC;
  for (int x = 0; x < grid->width - 1; x++)
    put_both_ways (problem, row + x, FS_DIRECTION_E);
  problem->plane[FS_DIRECTION_E][row + PASSAGE_ARC] = 0;
  problem->plane[FS_N_DIRECTIONS + FS_DIRECTION_E][row + PASSAGE_ARC] = PASSAGE_BACK;
  put_both_ways (problem, above, FS_DIRECTION_S);
  put_both_ways (problem, row + PASSAGE_ARC + 1, FS_DIRECTION_S);
  grid->tlink[above] = PASSAGE_WIDE;
  grid->tlink[row + grid->width + PASSAGE_ARC + 1] = -PASSAGE_WIDE;
  return problem;
}

void
replace_ends_of_passage (FsSolver *solver)
{
  const FsGrid *grid = solver->grid;
  size_t n = fs_grid_n_pixels (grid), row = (size_t)PASSAGE_ROW * (size_t)grid->width;
  g_autofree int32_t *tlinks = g_memdup2 (grid->tlink, n * sizeof *tlinks);
  tlinks[row] = -PASSAGE_BACK;
  tlinks[row + (size_t)grid->width - 1] = -tlinks[row];
  g_assert_true (fs_solver_replace_tlinks (solver, tlinks, NULL));
}

GArray *
random_nlink_changes (GRand *rand, const FsGrid *grid, int n)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (FsNlinkChange));
  for (int i = 0; i < n; i++) {
    int x = g_rand_int_range (rand, 0, grid->width), y = g_rand_int_range (rand, 0, grid->height);
    int d = g_rand_int_range (rand, 0, fs_grid_n_directions (grid));
    if (!fs_grid_has_neighbour (grid, x, y, (FsDirection)d))
      continue;
    int forth = g_rand_int_range (rand, 0, g_rand_boolean (rand) ? 200 : FS_NLINK_PAIR_MAX + 1);
    FsNlinkChange change = { .pixel = (uint32_t)(y * grid->width + x),
                             .direction = (uint8_t)d,
                             .forth = (uint16_t)forth };
    change.back = (uint16_t)g_rand_int_range (rand, 0, FS_NLINK_PAIR_MAX + 1 - forth);
    g_array_append_val (changes, change);
    if (i % 7 == 0)
      g_array_append_val (changes, change);
  }
  return changes;
}

uint8_t *
read_whole_mask (FsSolver *solver)
{
  const FsGrid *grid = solver->grid;
  uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, grid->width);
  return mask;
}

FsSolution
solve_and_check (FsSolver *solver)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution;
  FsCertificate certificate;
  fs_solver_solve (solver, NULL, &solution, &error);
  g_assert_no_error (error);
  fs_solver_certify (solver, &certificate, &error);
  g_assert_no_error (error);
  g_assert_true (certificate.feasible);
  g_assert_true (certificate.conserved);
  g_assert_true (certificate.canonical);
  g_assert_true (certificate.holds);
  g_assert_cmpint (solution.energy, ==, certificate.energy);
  g_assert_cmpint (solution.bound, ==, certificate.bound);
  g_assert_true (solution.exact);
  return solution;
}

void
solve_or_stop (FsSolver *solver, const FsProgress *progress)
{
  FsSolution solution;
  FsCertificate certificate;
  if (fs_solver_solve (solver, progress, &solution, NULL))
    return;
  g_assert_true (fs_solver_certify (solver, &certificate, NULL));
  g_assert_true (certificate.feasible && certificate.conserved);
}

void
check_against_fresh (FsSolver *solver, const FsSolution *solution)
{
  g_autoptr (GError) error = NULL;
  int n_threads = fs_solver_get_threads ();
  fs_solver_set_threads (1);
  g_autoptr (FsSolver) fresh = fs_solver_new (&fs_backend_cpu, solver->grid, &error);
  g_assert_no_error (error);
  fs_solver_set_threads (n_threads);
  FsSolution expected;
  fs_solver_solve (fresh, NULL, &expected, &error);
  g_assert_no_error (error);
  g_assert_cmpint (solution->energy, ==, expected.energy);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  g_autofree uint8_t *expected_mask = read_whole_mask (fresh);
  size_t n = fs_grid_n_pixels (solver->grid);
  g_assert_cmpmem (mask, n, expected_mask, n);
}

gboolean
test_backend_is_slow (void)
{
  return g_strcmp0 (g_getenv ("FRETSAW_TEST_BACKEND"), "kernels") == 0;
}

/* Few checks are all of a kind, of which none may be left out. */
enum { MANY = 100 };

int
test_share (void)
{
  const char *share = g_getenv ("FRETSAW_TEST_SHARE");
  return share != NULL ? MAX (atoi (share), 1) : 1;
}

static int
share_of (int n)
{
  if (test_backend_is_slow ())
    return 10;
  return n >= MANY ? test_share () : 1;
}

int
scaled (int n)
{
  const char *scale = g_getenv ("SCALE");
  int factor = 1, divisor = 1;
  if (scale != NULL)
    sscanf (scale, "%d/%d", &factor, &divisor);
  int share = share_of (n) * MAX (divisor, 1);
  return (n + share - 1) / share * MAX (factor, 1);
}

int
scaled_few (int n, int least)
{
  return scaled (MIN (n, MAX ((n + test_share () - 1) / test_share (), least)));
}

static const FsBackend *
kernels_on_the_host (void)
{
  static uint32_t seed;
  if (seed++ == 0)
    fs_cuda_use_table (fs_engine_host ());
  fs_engine_host_set_seed (seed * 2654435761u);
  fs_engine_host_set_tuning (1 + (int)(seed % 9), 1 + (int)(seed % 40), (int)(seed % 8),
                             1 + (int)(seed % 7), (int)(seed % 6));
  return &fs_backend_cuda;
}

const FsBackend *
test_backend (void)
{
  const char *name = g_getenv ("FRETSAW_TEST_BACKEND");
  if (name == NULL || g_str_equal (name, "cpu"))
    return &fs_backend_cpu;
  if (g_str_equal (name, "kernels"))
    return kernels_on_the_host ();
  g_assert_cmpstr (name, ==, "cuda");
  g_autoptr (GError) error = NULL;
  if (fs_cuda_is_available (&error))
    return &fs_backend_cuda;
  g_printerr ("skipped: %s\n", error->message);
  exit (77);
}
