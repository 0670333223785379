/* SPDX-License-Identifier: MIT */
/* Lazy initialisation of tiles by the CPU backend, and its search by regions. A tile is initialised
 * when an edit or a search comes near, which most tiles of some problems never see; large problems
 * are first searched region by region on several threads. Each history must end with the mask of a
 * fresh solve with another number of threads, and the certificate, which reads uninitialised tiles
 * too, must hold. */
#include "solver/backend.h"
#include "solver/cpu/search/search.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

#include <string.h>

typedef struct {
  FsSolver *solver;
  GRand *rand;
  Shape shape; /* of links and of what strokes say */
} History;

/* T-links of one sign in large patches, with some noise in a few places. */
static void
fill_patches (FsGrid *grid, GRand *rand, int32_t *tlinks)
{
  int width = grid->width, height = grid->height;
  int sign = g_rand_boolean (rand) ? 1 : -1;
  int strength = g_rand_boolean (rand) ? 3 : 300;
  for (int p = 0; p < width * height; p++)
    tlinks[p] = sign * g_rand_int_range (rand, 1, strength);
  for (int patch = g_rand_int_range (rand, 0, 5); patch > 0; patch--) {
    int cx = g_rand_int_range (rand, 0, width), cy = g_rand_int_range (rand, 0, height);
    int radius = g_rand_int_range (rand, 1, 50);
    int kind = g_rand_int_range (rand, -1, 2); /* 0: noise, with zeros in it */
    for (int y = MAX (cy - radius, 0); y < MIN (cy + radius, height); y++)
      for (int x = MAX (cx - radius, 0); x < MIN (cx + radius, width); x++)
        if ((x - cx) * (x - cx) + (y - cy) * (y - cy) < radius * radius)
          tlinks[y * width + x] = kind != 0 ? kind * g_rand_int_range (rand, 1, strength)
                                            : g_rand_int_range (rand, -strength, strength + 1);
  }
}

/* A blot in the midst of whatever is there; one of eight says nothing, where something was said. */
static void
paint (History *history)
{
  GRand *rand = history->rand;
  const FsGrid *grid = history->solver->grid;
  int side = g_rand_int_range (rand, 1, 20);
  int x0 = g_rand_int_range (rand, 0, grid->width), y0 = g_rand_int_range (rand, 0, grid->height);
  int32_t tlink = g_rand_int_range (rand, 0, 8) == 0 ? 0 : random_tlink (rand, history->shape);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (int y = y0; y < MIN (y0 + side, grid->height); y++)
    for (int x = x0; x < MIN (x0 + side, grid->width); x++) {
      FsTlinkChange change = { (uint32_t)(y * grid->width + x), tlink };
      g_array_append_val (changes, change);
    }
  g_assert_true (
      fs_solver_change_tlinks (history->solver, (void *)changes->data, changes->len, NULL));
}

static void
change_star (History *history)
{
  const FsGrid *grid = history->solver->grid;
  if (grid->star == NULL)
    return;
  size_t n = fs_grid_n_pixels (grid);
  g_autofree uint8_t *star = g_malloc (n);
  random_star (history->rand, grid, star);
  int first = g_rand_int_range (history->rand, 0, (int)n);
  size_t n_changed = (size_t)g_rand_int_range (history->rand, 0, 200);
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  for (size_t p = (size_t)first; p < MIN (n, (size_t)first + n_changed); p++) {
    FsStarChange change = { (uint32_t)p, star[p] };
    g_array_append_val (changes, change);
  }
  g_assert_true (
      fs_solver_change_star (history->solver, (void *)changes->data, changes->len, NULL));
}

static void
change_nlinks (History *history)
{
  const FsGrid *grid = history->solver->grid;
  if (grid->star != NULL || grid->nlink_back[0] == NULL
      || !fs_solver_changes_nlinks (history->solver))
    return;
  g_autoptr (GArray) changes = random_nlink_changes (history->rand, grid, 30);
  g_assert_true (
      fs_solver_change_nlinks (history->solver, (void *)changes->data, changes->len, NULL));
}

/* New patches, or the old ones with a few changes. */
static void
refit (History *history)
{
  FsGrid *grid = history->solver->grid;
  size_t n = fs_grid_n_pixels (grid);
  g_autofree int32_t *tlinks = g_memdup2 (grid->tlink, n * sizeof *tlinks);
  if (g_rand_boolean (history->rand))
    fill_patches (grid, history->rand, tlinks);
  else
    tlinks[g_rand_int_range (history->rand, 0, (int)n)] = g_rand_int_range (history->rand, -99, 99);
  g_assert_true (fs_solver_replace_tlinks (history->solver, tlinks, NULL));
}

static void
edit (History *history)
{
  for (int i = g_rand_int_range (history->rand, 1, 4); i > 0; i--)
    switch (g_rand_int_range (history->rand, 0, 8)) {
    case 0:
      refit (history);
      break;
    case 1:
      change_star (history);
      break;
    case 2:
      change_nlinks (history);
      break;
    default:
      paint (history);
    }
}

/* Reports come every few milliseconds. */
typedef struct {
  atomic_bool cancel;
  int reports_left;
} Stop;

static void
count_report (double fraction, gpointer user_data)
{
  Stop *stop = user_data;
  if (--stop->reports_left == 0)
    atomic_store (&stop->cancel, TRUE);
}

/* At its beginning, or after so many reports. */
static void
solve_cancelled (FsSolver *solver, int n_reports)
{
  Stop stop = { n_reports == 0, n_reports };
  solve_or_stop (solver, &(FsProgress){ &stop.cancel, n_reports > 0 ? count_report : NULL, &stop });
}

/* Against a solver that goes other ways. */
static void
check_solved (FsSolver *solver)
{
  FsSolution solution = solve_and_check (solver);
  int n_threads = fs_solver_get_threads ();
  fs_solver_set_threads (n_threads == 1 ? 3 : 1);
  g_autoptr (FsSolver) whole = fs_solver_new (&fs_backend_cpu, solver->grid, NULL);
  fs_solver_set_threads (n_threads);
  FsSolution expected = solve_and_check (whole);
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_cmpint (solution.bound, ==, expected.bound);
  size_t n = fs_grid_n_pixels (solver->grid);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  g_autofree uint8_t *expected_mask = read_whole_mask (whole);
  g_assert_cmpmem (mask, n, expected_mask, n);
}

static void
check_history (GRand *rand, Problem *problem, gboolean patches, int n_edits)
{
  Shape shape = g_rand_int_range (rand, 0, N_SHAPES);
  problem_fill (problem, rand, shape);
  if (patches)
    fill_patches (&problem->grid, rand, problem->grid.tlink);
  fs_solver_set_threads (g_rand_boolean (rand) ? 1 : 2);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  History history = { solver, rand, shape };
  for (int i = 0; i < n_edits; i++) {
    if (g_rand_int_range (rand, 0, 4) == 0)
      solve_cancelled (solver, 0);
    else if (g_rand_int_range (rand, 0, 8) > 0)
      check_solved (solver);
    edit (&history);
  }
  check_solved (solver);
}

static void
test_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (61);
  for (int i = 0; i < scaled (150); i++) {
    g_autoptr (Problem) problem = problem_new_random (rand, 160, 120);
    check_history (rand, problem, TRUE, 8);
  }
}

/* FsGridLinks.read of a problem with planes. Nothing that leaves the rectangle can be seen. */
static void
read_links (gconstpointer data, int x0, int y0, int width, int height,
            uint16_t *const out[FS_N_DIRECTIONS])
{
  const FsGrid *grid = data;
  const FsGrid rectangle = { .width = width, .height = height, .neighbours = grid->neighbours };
  g_assert_cmpint (width * height, <=, FS_GRID_LINKS_MAX);
  g_assert_true (x0 >= 0 && y0 >= 0 && width > 0 && height > 0);
  g_assert_true (x0 + width <= grid->width && y0 + height <= grid->height);
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    for (int y = 0; y < height; y++)
      for (int x = 0; x < width; x++)
        out[d][y * width + x] = fs_grid_has_neighbour (&rectangle, x, y, d)
                                    ? grid->nlink[d][(y0 + y) * grid->width + x0 + x]
                                    : 0;
}

/* Against the planes, on another number of threads. */
static void
check_read (FsSolver *solver, FsGrid *planes)
{
  FsSolution solution, expected;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  int n_threads = fs_solver_get_threads ();
  fs_solver_set_threads (3 - n_threads);
  g_autoptr (FsSolver) whole = fs_solver_new (&fs_backend_cpu, planes, NULL);
  fs_solver_set_threads (n_threads);
  expected = solve_and_check (whole);
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_cmpint (solution.bound, ==, expected.bound);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  g_autofree uint8_t *expected_mask = read_whole_mask (whole);
  size_t n = fs_grid_n_pixels (planes);
  g_assert_cmpmem (mask, n, expected_mask, n);
}

/* Links that are in no planes are read for the initialised tiles, at the edge of the photo
 * too. */
static void
test_links_read (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (66);
  for (int i = 0; i < scaled (150); i++) {
    g_autoptr (Problem) problem =
        problem_new (g_rand_int_range (rand, 1, 90), g_rand_int_range (rand, 1, 90),
                     i % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, FALSE);
    if (i % 3 == 0)
      problem_add_star (problem);
    Shape shape = g_rand_int_range (rand, 0, N_SHAPES);
    problem_fill (problem, rand, shape);
    if (g_rand_boolean (rand))
      fill_patches (&problem->grid, rand, problem->grid.tlink);
    const FsGridLinks links = { read_links, &problem->grid };
    FsGrid grid = problem->grid;
    grid.links = &links;
    memset (grid.nlink, 0, sizeof grid.nlink);
    fs_solver_set_threads (g_rand_int_range (rand, 1, 3));
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &grid, NULL);
    g_assert_nonnull (solver);
    History history = { solver, rand, shape };
    for (int j = 0; j < 3; j++) {
      check_read (solver, &problem->grid);
      if (g_rand_boolean (rand))
        refit (&history);
      else
        paint (&history);
    }
    check_read (solver, &problem->grid);
  }
}

/* Of a region and a margin, of two regions and more (regions.h), which end within a tile. */
static void
test_regions (void)
{
  static const int sides[][2] = { { 345, 9 }, { 5, 600 }, { 330, 280 }, { 520, 270 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (63);
  for (int i = 0; i < scaled_few (48, 8); i++) {
    const int *side = sides[i % (int)G_N_ELEMENTS (sides)];
    g_autoptr (Problem) problem =
        problem_new (side[0], side[1], i % 8 < 4 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4,
                     g_rand_boolean (rand));
    if (g_rand_int_range (rand, 0, 3) == 0)
      problem_add_star (problem);
    check_history (rand, problem, g_rand_boolean (rand), 3);
  }
}

/* Few seeds of each side and long ways between them, across regions; cancelled again and again. */
static void
test_regions_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (64);
  g_autoptr (Problem) problem = problem_new (400, 400, FS_NEIGHBOURS_8, FALSE);
  fs_solver_set_threads (1);
  for (int i = 0; i < scaled_few (4, 2); i++) {
    problem_fill (problem, rand, SHAPE_SEEDS);
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
    History history = { solver, rand, SHAPE_SEEDS };
    for (int j = 0; j < 5; j++) {
      solve_cancelled (solver, g_rand_int_range (rand, 0, 12));
      refit (&history);
    }
    check_solved (solver);
  }
}

/* Solves until it asks for the n-th time whether to stop. Whether it asked so often. */
static gboolean
solve_stopped_at (FsSolver *solver, int n)
{
  FsSolution solution;
  fault_cancel_after (n);
  gboolean solved = fs_solver_solve (solver, NULL, &solution, NULL);
  fault_cancel_after (-1);
  return !solved;
}

/* Every t-link of the other sign: no sign that was found before is true. */
static void
negate_tlinks (FsSolver *solver)
{
  const FsGrid *grid = solver->grid;
  size_t n = fs_grid_n_pixels (grid);
  g_autofree int32_t *tlinks = g_new (int32_t, n);
  for (size_t p = 0; p < n; p++)
    tlinks[p] = -grid->tlink[p];
  g_assert_true (fs_solver_replace_tlinks (solver, tlinks, NULL));
}

/* Cancelled at each poll, while most tiles are not initialised, and then with all t-links negated.
 */
static void
check_stopped_anywhere (Problem *problem, int n_threads)
{
  gboolean stopped = TRUE;
  int n = 0;
  fs_solver_set_threads (n_threads);
  while (stopped) {
    n++;
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
    stopped = solve_stopped_at (solver, n);
    negate_tlinks (solver);
    check_solved (solver);
  }
  g_assert_cmpint (n, >, 5); /* three of them while it prepares, and one in each region */
}

static void
test_stopped_anywhere (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (65);
  g_autoptr (Problem) problem = problem_new (360, 200, FS_NEIGHBOURS_8, FALSE);
  for (int i = 0; i < scaled_few (8, 2); i++) {
    problem_fill (problem, rand, SHAPE_UNIFORM);
    fill_patches (&problem->grid, rand, problem->grid.tlink);
    check_stopped_anywhere (problem, 1);
    check_stopped_anywhere (problem, 2);
  }
}

enum { LOST_SIDE = 360, LOST_WALL = 200, LOST_SINK = 10, LOST_NEW = 20 };

/* Deficits at the left, then nothing, then a line that nothing passes, then nothing. */
static Problem *
problem_new_walled (void)
{
  Problem *problem = problem_new (LOST_SIDE, LOST_SIDE, FS_NEIGHBOURS_4, FALSE);
  for (int p = 0; p < LOST_SIDE * LOST_SIDE; p++) {
    int x = p % LOST_SIDE, y = p / LOST_SIDE;
    problem->grid.tlink[p] = x < LOST_SINK ? -50 : 0;
    problem->plane[0][p] = x != LOST_WALL && x + 1 < LOST_SIDE ? 9 : 0;
    problem->plane[1][p] = y + 1 < LOST_SIDE ? 9 : 0;
  }
  return problem;
}

static GArray *
left_and_right_change (void)
{
  GArray *changes = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  for (int p = 0; p < LOST_SIDE * LOST_SIDE; p++) {
    int x = p % LOST_SIDE;
    FsTlinkChange change = { (uint32_t)p, x < LOST_SINK ? 50 : -1 };
    if (x < LOST_SINK || x >= LOST_SIDE - LOST_NEW)
      g_array_append_val (changes, change);
  }
  return changes;
}

/* The trees are lost for want of memory while pixels change: the middle, which nobody tells of it,
 * leaves the background all the same. */
static void
test_trees_lost (void)
{
  g_autoptr (Problem) problem = problem_new_walled ();
  g_autoptr (GArray) changes = left_and_right_change ();
  for (int n_threads = 1; n_threads < 3; n_threads++) {
    fs_solver_set_threads (n_threads);
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
    check_solved (solver);
    fault_memory_after (0, TRUE);
    g_assert_true (fs_solver_change_tlinks (solver, (void *)changes->data, changes->len, NULL));
    fault_memory_after (-1, FALSE);
    check_solved (solver);
    g_autoptr (Problem) again = problem_new_walled ();
    memcpy (problem->grid.tlink, again->grid.tlink,
            fs_grid_n_pixels (&problem->grid) * sizeof *problem->grid.tlink);
  }
}

/* A pixel that nothing flows to or from, deep among deficits or sources, says nothing any more: its
 * tile, which no search has met, is no longer of one sign. Only a deficit is background. */
static void
test_becomes_zero (void)
{
  enum { SIDE = 64, ROW = 44 };
  static const int columns[] = { 12, 52 };
  fs_solver_set_threads (1);
  for (size_t i = 0; i < G_N_ELEMENTS (columns); i++) {
    g_autoptr (Problem) problem = problem_new (SIDE, SIDE, FS_NEIGHBOURS_4, FALSE);
    for (int p = 0; p < SIDE * SIDE; p++) {
      problem->grid.tlink[p] = p % SIDE < SIDE / 2 ? 50 : -50;
      problem->plane[0][p] = p % SIDE < SIDE - 1 ? 9 : 0;
      problem->plane[1][p] = p / SIDE < SIDE - 1 ? 9 : 0;
    }
    const int p = ROW * SIDE + columns[i];
    problem->plane[0][p] = problem->plane[0][p - 1] = 0;
    problem->plane[1][p] = problem->plane[1][p - SIDE] = 0;
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
    check_solved (solver);
    const FsTlinkChange change = { (uint32_t)p, 0 };
    g_assert_true (fs_solver_change_tlinks (solver, &change, 1, NULL));
    check_solved (solver);
    g_autofree uint8_t *mask = read_whole_mask (solver);
    g_assert_true (mask[p]);
  }
}

/* The memory of another problem's solver. */
static void
test_rebuilt (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (62);
  g_autoptr (Problem) first = problem_new (150, 90, FS_NEIGHBOURS_8, FALSE);
  g_autoptr (Problem) second = problem_new (150, 90, FS_NEIGHBOURS_8, TRUE);
  fs_solver_set_threads (1);
  for (int i = 0; i < scaled (20); i++) {
    problem_fill (first, rand, SHAPE_UNIFORM);
    problem_fill (second, rand, SHAPE_UNIFORM);
    fill_patches (&first->grid, rand, first->grid.tlink);
    fill_patches (&second->grid, rand, second->grid.tlink);
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, &first->grid, NULL);
    check_solved (solver);
    g_assert_true (fs_solver_rebuild (solver, &second->grid));
    check_solved (solver);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/solver/lazy-tiles/histories", test_histories);
  g_test_add_func ("/solver/lazy-tiles/links-read", test_links_read);
  g_test_add_func ("/solver/lazy-tiles/becomes-zero", test_becomes_zero);
  g_test_add_func ("/solver/lazy-tiles/rebuilt", test_rebuilt);
  g_test_add_func ("/solver/lazy-tiles/regions", test_regions);
  g_test_add_func ("/solver/lazy-tiles/regions-cancelled", test_regions_cancelled);
  g_test_add_func ("/solver/lazy-tiles/stopped-anywhere", test_stopped_anywhere);
  g_test_add_func ("/solver/lazy-tiles/trees-lost", test_trees_lost);
  return g_test_run ();
}
