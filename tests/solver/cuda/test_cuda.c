/* SPDX-License-Identifier: MIT */
/* The CUDA backend without a device, over the kernels' twin on the host: whatever call fails, the
 * cut goes on with the same mask, and what starts or schedule it has makes no difference. */
#include "solver/backend.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/graph/graph_cuda.h"
#include "solver/graph/graph_backend.h"
#include "solver/kernels/cuda/engine_host.h"
#include "tests/faults/faults.h"
#include "tests/solver/problem.h"

#include <dlfcn.h>
#include <string.h>

/* A solver under test and the CPU's beside it, each on a problem of its own: what one loses cannot
 * be lost to the other. */
typedef struct {
  Problem *problem, *twin;
  FsSolver *solver, *cpu;
  uint8_t *seen; /* the mask when changed tiles were taken last */
} Pair;

/* `has_star`: else the n-links can change. */
static void
pair_init (Pair *pair, guint32 seed, int width, int height, FsNeighbours neighbours, Shape shape,
           gboolean has_star)
{
  Problem **problems[] = { &pair->problem, &pair->twin };
  for (int i = 0; i < 2; i++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
    *problems[i] =
        problem_new (width, height, neighbours, !has_star || neighbours == FS_NEIGHBOURS_4);
    if (has_star)
      problem_add_star (*problems[i]);
    problem_fill (*problems[i], rand, shape);
  }
  g_autoptr (GError) error = NULL;
  pair->solver = fs_solver_new (&fs_backend_cuda, &pair->problem->grid, &error);
  g_assert_no_error (error);
  pair->cpu = fs_solver_new (&fs_backend_cpu, &pair->twin->grid, NULL);
  pair->seen = g_malloc0 ((size_t)width * height);
}

static void
pair_clear (Pair *pair)
{
  fs_solver_free (pair->solver);
  fs_solver_free (pair->cpu);
  problem_free (pair->problem);
  problem_free (pair->twin);
  g_free (pair->seen);
}

static void
stroke (Pair *pair, GRand *rand)
{
  const FsGrid *grid = &pair->twin->grid;
  FsTlinkChange changes[60];
  int first = g_rand_int_range (rand, 0, (int)fs_grid_n_pixels (grid) - 60);
  int32_t tlink = random_tlink (rand, SHAPE_UNIFORM);
  for (int i = 0; i < 60; i++)
    changes[i] = (FsTlinkChange){ (uint32_t)(first + i * 37 % 60), tlink };
  g_assert_true (fs_solver_change_tlinks (pair->solver, changes, 60, NULL));
  g_assert_true (fs_solver_change_tlinks (pair->cpu, changes, 60, NULL));
}

static void
refit (Pair *pair, GRand *rand)
{
  size_t n = fs_grid_n_pixels (&pair->twin->grid);
  g_autofree int32_t *tlinks = g_new (int32_t, n);
  for (size_t p = 0; p < n; p++)
    tlinks[p] = random_tlink (rand, SHAPE_UNIFORM);
  g_assert_true (fs_solver_replace_tlinks (pair->solver, tlinks, NULL));
  g_assert_true (fs_solver_replace_tlinks (pair->cpu, tlinks, NULL));
}

static void
replace_star (Pair *pair, GRand *rand)
{
  g_autofree uint8_t *star = g_malloc (fs_grid_n_pixels (&pair->twin->grid));
  random_star (rand, &pair->twin->grid, star);
  g_assert_true (fs_solver_replace_star (pair->solver, star, NULL));
  g_assert_true (fs_solver_replace_star (pair->cpu, star, NULL));
}

/* A third of the pixels lose their parents: any part of a forest is one. */
static void
change_star (Pair *pair, GRand *rand)
{
  g_autoptr (GArray) changes = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  for (size_t p = 0; p < fs_grid_n_pixels (&pair->twin->grid); p++) {
    FsStarChange change = { (uint32_t)p, FS_STAR_NONE };
    if (g_rand_int_range (rand, 0, 3) == 0)
      g_array_append_val (changes, change);
  }
  g_assert_true (fs_solver_change_star (pair->solver, (void *)changes->data, changes->len, NULL));
  g_assert_true (fs_solver_change_star (pair->cpu, (void *)changes->data, changes->len, NULL));
}

static void
change_nlinks (Pair *pair, GRand *rand)
{
  g_autoptr (GArray) changes = random_nlink_changes (rand, &pair->twin->grid, 200);
  g_assert_true (fs_solver_change_nlinks (pair->solver, (void *)changes->data, changes->len, NULL));
  g_assert_true (fs_solver_change_nlinks (pair->cpu, (void *)changes->data, changes->len, NULL));
}

static void
edit (Pair *pair, GRand *rand, int number)
{
  if (number % 2 == 1 && pair->twin->grid.star == NULL) {
    change_nlinks (pair, rand);
    return;
  }
  switch (number % 4) {
  case 0:
    stroke (pair, rand);
    break;
  case 1:
    change_star (pair, rand);
    break;
  case 2:
    refit (pair, rand);
    break;
  default:
    replace_star (pair, rand);
    break;
  }
}

/* Whether the mask is that of the CPU. */
static void
check_mask (Pair *pair)
{
  size_t n = fs_grid_n_pixels (&pair->twin->grid);
  g_autofree uint8_t *mask = read_whole_mask (pair->solver);
  g_autofree uint8_t *expected = read_whole_mask (pair->cpu);
  g_assert_cmpmem (mask, n, expected, n);
}

static void
check_solve (Pair *pair)
{
  g_autoptr (GError) error = NULL;
  FsSolution solution, expected;
  g_assert_true (fs_solver_solve (pair->solver, NULL, &solution, &error));
  g_assert_no_error (error);
  g_assert_true (fs_solver_solve (pair->cpu, NULL, &expected, NULL));
  g_assert_true (solution.exact);
  g_assert_cmpint (solution.energy, ==, expected.energy);
  g_assert_cmpint (solution.bound, ==, expected.bound);
  check_mask (pair);
}

/* The tiles are those in which the mask is not what it was when they were taken last. */
static void
check_changed_tiles (Pair *pair)
{
  const FsGrid *grid = &pair->twin->grid;
  int cols = (grid->width - 1) / FS_MASK_TILE + 1, rows = (grid->height - 1) / FS_MASK_TILE + 1;
  g_autofree uint8_t *expected = g_malloc0 ((size_t)cols * rows);
  g_autofree uint8_t *tiles = g_malloc ((size_t)cols * rows);
  g_autofree uint8_t *mask = read_whole_mask (pair->solver);
  for (int i = 0; i < grid->width * grid->height; i++)
    if (mask[i] != pair->seen[i])
      expected[i / grid->width / FS_MASK_TILE * cols + i % grid->width / FS_MASK_TILE] = 1;
  fs_solver_take_changed_tiles (pair->solver, tiles);
  g_assert_cmpmem (tiles, cols * rows, expected, cols * rows);
  g_free (pair->seen);
  pair->seen = g_steal_pointer (&mask);
}

static void
check_certificate (Pair *pair)
{
  FsCertificate certificate;
  g_assert_true (fs_solver_certify (pair->solver, &certificate, NULL));
  g_assert_true (certificate.holds);
}

/* A solve that is cancelled at once leaves the mask of the last one. */
static void
check_cancelled (Pair *pair)
{
  atomic_bool cancel = TRUE;
  FsProgress progress = { .cancel = &cancel };
  FsSolution solution;
  g_autoptr (GError) error = NULL;
  if (!fs_solver_solve (pair->solver, &progress, &solution, &error)) {
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
    check_mask (pair);
  }
}

enum { N_EDITS = 5, CERTIFIED = 2 };

/* Every kind of call, and what others read between them. */
static void
check_history (guint32 seed, FsNeighbours neighbours, gboolean has_star)
{
  Pair pair;
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  pair_init (&pair, seed, 70, 20, neighbours, SHAPE_UNIFORM, has_star);
  for (int i = 0; i < N_EDITS; i++) {
    check_solve (&pair);
    if (i == CERTIFIED)
      check_certificate (&pair);
    if (i % 2 == 0)
      check_changed_tiles (&pair);
    edit (&pair, rand, i);
    check_mask (&pair);
    check_cancelled (&pair);
  }
  check_solve (&pair);
  check_changed_tiles (&pair);
  pair_clear (&pair);
}

static void
use_host (void)
{
  g_autoptr (GError) error = NULL;
  fs_engine_host_fail_after (-1, FALSE, FS_ENGINE_DONE);
  fs_cuda_use_table (fs_engine_host ());
  g_assert_true (fs_cuda_is_available (&error));
  g_assert_null (fs_cuda_notice ());
}

/* Runs histories in which call 0, 1, 2, … fails, until there is no such call. Where the environment
 * wants a share, every third, from another one each time: in six rounds each call fails twice. */
static int
check_failures (FsNeighbours neighbours, gboolean has_star, FsEngineStatus status,
                gboolean for_ever)
{
  static int round;
  int stride = MIN (test_share (), 3);
  for (int n = round++ % stride;; n += stride) {
    use_host ();
    fs_engine_host_set_seed ((guint32)n + 1);
    fs_engine_host_fail_after (n, for_ever, status);
    check_history (1, neighbours, has_star);
    if (fs_cuda_notice () == NULL)
      return n;
    g_assert_nonnull (strstr (fs_cuda_notice (), "made to fail"));
    const char *notice = fs_cuda_notice ();
    /* The next photo fails or not, but nothing new is told. */
    if (n % 4 == 0)
      check_history (2, neighbours, has_star);
    g_assert_true (fs_cuda_notice () == notice);
  }
}

static void
test_every_call_failing (void)
{
  static const FsEngineStatus STATUSES[] = { FS_ENGINE_NO_DEVICE, FS_ENGINE_NO_MEMORY,
                                             FS_ENGINE_FAILED };
  for (size_t i = 0; i < G_N_ELEMENTS (STATUSES); i++)
    for (int for_ever = 0; for_ever < 2; for_ever++) {
      FsNeighbours neighbours = (i + for_ever) % 2 == 0 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
      int n_calls = check_failures (neighbours, i != 1, STATUSES[i], for_ever);
      /* To create, an edit each, a solve each and those that are cancelled, and some readings. */
      g_assert_cmpint (n_calls, >=, 1 + N_EDITS + 2 * N_EDITS + 1 + 1);
    }
  use_host ();
}

/* Where memory ends as the device fails, changes are kept and the cut says so until there is memory
 * again; then the CPU goes on with every edit that came in between. */
static void
test_memory_ends_as_well (void)
{
  Pair pair;
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  use_host ();
  pair_init (&pair, 7, 70, 40, FS_NEIGHBOURS_8, SHAPE_UNIFORM, TRUE);
  check_solve (&pair);
  fs_engine_host_fail_after (0, TRUE, FS_ENGINE_FAILED);
  for (int i = 0; i < 3; i++) {
    FsTlinkChange change = { (uint32_t)(100 + i), FS_TLINK_MAX };
    uint8_t tiles[4];
    FsSolution solution;
    g_autoptr (GError) error = NULL;
    fault_memory_after (0, TRUE);
    g_assert_true (fs_solver_change_tlinks (pair.solver, &change, 1, &error));
    g_assert_false (fs_solver_solve (pair.solver, NULL, &solution, &error));
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    g_assert_cmpuint (fs_solver_size_bytes (pair.solver), >, 0);
    g_free (read_whole_mask (pair.solver));
    fs_solver_take_changed_tiles (pair.solver, tiles);
    fault_memory_after (-1, FALSE);
    g_assert_true (fs_solver_change_tlinks (pair.cpu, &change, 1, NULL));
  }
  stroke (&pair, rand);
  check_solve (&pair);
  check_certificate (&pair);
  pair_clear (&pair);
  use_host ();
}

/* Where there is no memory to tell the device of a change, the CPU goes on with the change made. */
static void
test_lists_refused (void)
{
  for (int number = 0; number < 5; number++)
    for (int n_more = 0; n_more < 3; n_more++) {
      Pair pair;
      g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32)number);
      use_host ();
      /* The last one changes n-links. */
      pair_init (&pair, 11, 70, 20, FS_NEIGHBOURS_8, SHAPE_UNIFORM, number < 4);
      check_solve (&pair);
      fault_memory_after (n_more, FALSE);
      edit (&pair, rand, number < 4 ? number : 1);
      fault_memory_after (-1, FALSE);
      gboolean has_list = number != 2; /* a refit sends its plane as it is */
      if (n_more == 0)
        g_assert_true ((fs_cuda_notice () != NULL) == has_list);
      check_solve (&pair);
      check_certificate (&pair);
      pair_clear (&pair);
    }
  use_host ();
}

/* --- Without a module, or with a wrong one --- */

/* Demands one clear sentence from every way in. */
static void
check_unavailable (const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *expected = g_strdup_printf ("the CUDA backend cannot be used: %s", reason);
  g_assert_false (fs_cuda_is_available (&error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND);
  g_assert_cmpstr (error->message, ==, expected);
  g_clear_error (&error);
  g_assert_null (fs_backend_find ("cuda", &error));
  g_assert_cmpstr (error->message, ==, expected);
  g_clear_error (&error);
  g_autoptr (Problem) problem = problem_new (3, 3, FS_NEIGHBOURS_4, FALSE);
  g_assert_null (fs_solver_new (&fs_backend_cuda, &problem->grid, &error));
  g_assert_cmpstr (error->message, ==, expected);
  g_assert_cmpstr (fs_backend_cuda.device (), ==, "no CUDA device");
  g_assert_null (fs_cuda_notice ());
  g_clear_error (&error);
  g_assert_nonnull (fs_backend_find ("auto", &error));
  g_assert_no_error (error);
  g_assert_true (fs_graph_backend_find ("auto", FS_GRAPH_NODES_MAX, 0, &error)
                 == &fs_graph_backend_cpu);
  g_assert_no_error (error);
  g_assert_null (fs_graph_backend_find ("cuda", 1, 0, &error));
  g_assert_cmpstr (error->message, ==, expected);
}

static void
use_module (const char *name)
{
  g_autofree char *path = g_strdup_printf ("%s/tests/solver/%s", g_getenv ("FRETSAW_BUILD"), name);
  g_setenv ("FRETSAW_CUDA_MODULE", path, TRUE);
  fs_cuda_use_table (NULL);
}

/* A file that is there, but no module: the linker says what is wrong with it. */
static void
check_no_module (const char *path)
{
  g_assert_null (dlopen (path, RTLD_NOW));
  g_autofree char *reason = g_strdup_printf ("its module cannot be loaded: %s", dlerror ());
  g_setenv ("FRETSAW_CUDA_MODULE", path, TRUE);
  fs_cuda_use_table (NULL);
  check_unavailable (reason);
}

static void
test_modules (void)
{
  g_autofree char *source = g_build_filename (g_getenv ("FRETSAW_SOURCE"), "meson.build", NULL);
  check_no_module (source);
  use_module ("no-such-module.so");
  check_unavailable ("its module is not installed");
  use_module ("cuda-module-nameless.so");
  check_unavailable ("its module is of another version");
  use_module ("cuda-module-old.so");
  check_unavailable ("its module is of another version");
  use_module ("cuda-module-driverless.so");
  check_unavailable ("there is no driver");
  use_module ("cuda-module-working.so");
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_backend_find ("cuda", &error) == &fs_backend_cuda);
  g_assert_no_error (error);
  g_assert_cmpstr (fs_backend_cuda.device (), ==, "a device of the test");
  g_assert_null (fs_graph_backend_find ("cuda", 1, 0, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_BACKEND);
  g_unsetenv ("FRETSAW_CUDA_MODULE");
  use_host ();
}

static void
test_device_that_does_not_open (void)
{
  fs_cuda_use_table (fs_engine_host ());
  fs_engine_host_fail_after (0, FALSE, FS_ENGINE_NO_DEVICE);
  check_unavailable ("made to fail");
  use_host ();
}

/* --- Any start, any schedule --- */

/* A feasible flow that no cut would leave behind: that of another problem on the same n-links,
 * given up half way or not. */
static void
leave_a_flow (Pair *pair, GRand *rand)
{
  refit (pair, rand);
  if (g_rand_boolean (rand))
    replace_star (pair, rand);
  if (g_rand_boolean (rand))
    check_cancelled (pair);
  else
    check_solve (pair);
}

static void
test_starting_flows (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  for (int i = 0; i < scaled_few (40, N_SHAPES); i++) {
    Pair pair;
    use_host ();
    fs_engine_host_set_seed (g_rand_int (rand));
    pair_init (&pair, g_rand_int (rand), g_rand_int_range (rand, 60, 100),
               g_rand_int_range (rand, 1, 100), i % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4,
               (Shape)(i % N_SHAPES), TRUE);
    for (int j = 0; j < 3; j++)
      leave_a_flow (&pair, rand);
    check_solve (&pair);
    check_certificate (&pair);
    pair_clear (&pair);
  }
}

/* Solves one problem with many seeds and tunings of the twin, drawn by test_backend(). */
static void
check_schedules (Problem *problem)
{
  size_t n = fs_grid_n_pixels (&problem->grid);
  g_autoptr (FsSolver) cpu = fs_solver_new (&fs_backend_cpu, &problem->grid, NULL);
  FsSolution expected = solve_and_check (cpu);
  g_autofree uint8_t *mask = read_whole_mask (cpu);
  for (int i = 0; i < scaled (12); i++) {
    g_autoptr (FsSolver) solver = fs_solver_new (test_backend (), &problem->grid, NULL);
    FsSolution solution = solve_and_check (solver);
    g_autofree uint8_t *other = read_whole_mask (solver);
    g_assert_cmpint (solution.energy, ==, expected.energy);
    g_assert_cmpmem (other, n, mask, n);
  }
}

static void
test_schedules (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  g_setenv ("FRETSAW_TEST_BACKEND", "kernels", TRUE);
  use_host ();
  for (int i = 0; i < 2 * N_SHAPES; i++) {
    FsNeighbours neighbours = i < N_SHAPES ? FS_NEIGHBOURS_4 : FS_NEIGHBOURS_8;
    g_autoptr (Problem) problem = problem_new (100, 70, neighbours, i % 2);
    problem_fill (problem, rand, (Shape)(i % N_SHAPES));
    check_schedules (problem);
  }
  g_unsetenv ("FRETSAW_TEST_BACKEND");
}

/* --- What hangs where only dirty tiles get labels --- */

enum { TRAP_SIDE = 160, TRAP_EDGE = 112 };

/* Everything is open but a wall, which no flow crosses, around the part above and left of
 * TRAP_EDGE: 4 × 4 tiles, the last ones cut in two. */
static Problem *
new_trap (FsNeighbours neighbours)
{
  Problem *problem = problem_new (TRAP_SIDE, TRAP_SIDE, neighbours, FALSE);
  for (int y = 0; y < TRAP_SIDE; y++)
    for (int x = 0; x < TRAP_SIDE; x++)
      for (int d = 0; d < fs_grid_n_directions (&problem->grid); d++) {
        int to_x = x + fs_direction_dx ((FsDirection)d),
            to_y = y + fs_direction_dy ((FsDirection)d);
        gboolean inside = x < TRAP_EDGE && y < TRAP_EDGE;
        if (fs_grid_has_neighbour (&problem->grid, x, y, (FsDirection)d)
            && inside == (to_x < TRAP_EDGE && to_y < TRAP_EDGE))
          problem->plane[d][y * TRAP_SIDE + x] = 100;
      }
  return problem;
}

static void
set_tlink (FsSolver *solver, int x, int y, int32_t tlink)
{
  FsTlinkChange change = { (uint32_t)(y * TRAP_SIDE + x), tlink };
  g_assert_true (fs_solver_change_tlinks (solver, &change, 1, NULL));
}

/* A deficit in the first tile gives labels to the tiles around; then it goes, and a surplus comes
 * far from it, which can flow nowhere. Only the two tiles are dirty. The labels of those between
 * say that a deficit is near, and each finds its own borne out by the next one: unless the old
 * labels fall first, the surplus goes round for ever. Behind the wall things flow as they should.
 */
static void
check_trap (FsNeighbours neighbours, guint32 seed)
{
  g_autoptr (Problem) problem = new_trap (neighbours);
  fs_engine_host_set_seed (seed);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cuda, &problem->grid, NULL);
  set_tlink (solver, 3, 5, -50);
  set_tlink (solver, TRAP_SIDE - 1, 0, -50);
  solve_and_check (solver);
  set_tlink (solver, 3, 5, 0);
  set_tlink (solver, 100, 90, 40);
  set_tlink (solver, TRAP_SIDE - 1, TRAP_SIDE - 1, 40);
  FsSolution solution = solve_and_check (solver);
  g_assert_cmpint (solution.energy, ==, 40);
  g_autofree uint8_t *mask = read_whole_mask (solver);
  for (int i = 0; i < TRAP_SIDE * TRAP_SIDE; i++)
    g_assert_cmpint (mask[i], ==, i % TRAP_SIDE < TRAP_EDGE && i / TRAP_SIDE < TRAP_EDGE);
  FsEngineResult result;
  fs_cuda_last_result (solver, &result);
  g_assert_cmpint (result.epochs, >, 0);
  g_assert_cmpint (result.epochs, <, 20);
  g_assert_null (fs_cuda_notice ());
}

static void
test_trap (void)
{
  use_host ();
  for (guint32 seed = 0; seed < 8; seed++)
    check_trap (seed % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4, seed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fs_solver_set_threads (1);
  g_test_add_func ("/solver/cuda/every-call-failing", test_every_call_failing);
  g_test_add_func ("/solver/cuda/memory-ends-as-well", test_memory_ends_as_well);
  g_test_add_func ("/solver/cuda/lists-refused", test_lists_refused);
  g_test_add_func ("/solver/cuda/modules", test_modules);
  g_test_add_func ("/solver/cuda/device-that-does-not-open", test_device_that_does_not_open);
  g_test_add_func ("/solver/cuda/starting-flows", test_starting_flows);
  g_test_add_func ("/solver/cuda/schedules", test_schedules);
  g_test_add_func ("/solver/cuda/trap", test_trap);
  return g_test_run ();
}
