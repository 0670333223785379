/* SPDX-License-Identifier: MIT */
/* Expansion moves on a device, from the device's own source on the host, each of its threads a
 * fibre: the processor's labels in every schedule, and whichever call of the CUDA library fails. */
#include "solver/cuda/cuda_backend.h"
#include "solver/cuda/cuda_module.h"
#include "solver/expansion/expansion.h"
#include "solver/kernels/cuda/engine_host.h"
#include "tests/kernels/fibre_calls.h"
#include "tests/solver/expansion/labels_problem.h"
#include "tests/solver/problem.h"

#include <string.h>

const FsMovesTable *fs_moves_cuda (void);

static void
use_fibres (guint32 schedule, int n_blocks)
{
  fs_cuda_module_use_moves (fs_moves_cuda ());
  fibre_begin (fs_engine_host (), schedule, n_blocks);
}

static FsExpansion *
new_expansion (const FsBackend *backend, const Labels *labels, const FsExpansionOptions *options)
{
  g_autoptr (GError) error = NULL;
  FsExpansion *expansion = fs_expansion_new (backend, &labels->problem, options, &error);
  g_assert_no_error (error);
  return expansion;
}

/* Runs both to the end, and demands the same of them. */
static void
run_both (FsExpansion *there, FsExpansion *here, const Labels *labels, uint8_t *labelling)
{
  size_t n = fs_label_problem_n_pixels (&labels->problem);
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *expected = g_memdup2 (labelling, n);
  g_auto (FsExpansionResult) result = { 0 }, wanted = { 0 };
  g_assert_true (fs_expansion_run (there, labelling, NULL, &result, &error));
  g_assert_no_error (error);
  g_assert_true (fs_expansion_run (here, expected, NULL, &wanted, NULL));
  g_assert_cmpmem (labelling, n, expected, n);
  FsLabelEnergy energy = fs_label_problem_energy (&labels->problem, labelling);
  g_assert_cmpint (result.energy.total, ==, energy.total);
  g_assert_cmpint (result.energy.data, ==, energy.data);
  g_assert_true (result.converged);
  g_assert_cmpint (result.n_cycles, ==, wanted.n_cycles);
  g_assert_cmpint (result.n_moves, ==, wanted.n_moves);
  for (guint i = 0; i < result.cycles->len; i++) {
    const FsExpansionCycle *cycle = &g_array_index (result.cycles, FsExpansionCycle, i);
    const FsExpansionCycle *other = &g_array_index (wanted.cycles, FsExpansionCycle, i);
    g_assert_cmpint (cycle->energy, ==, other->energy);
    g_assert_cmpint (cycle->n_changed, ==, other->n_changed);
  }
  g_assert_true ((result.truncation.n > 0) == (wanted.truncation.n > 0));
  g_assert_cmpuint (result.truncation.pixel, ==, wanted.truncation.pixel);
  g_assert_cmpint (result.truncation.alpha, ==, wanted.truncation.alpha);
}

static void
change_data (GRand *rand, Labels *labels, FsExpansion *there, FsExpansion *here)
{
  uint32_t pixels[12];
  size_t n = fs_label_problem_n_pixels (&labels->problem);
  for (guint i = 0; i < G_N_ELEMENTS (pixels); i++) {
    int label = g_rand_int_range (rand, 0, labels->problem.n_labels);
    pixels[i] = (uint32_t)g_rand_int_range (rand, 0, (int)n);
    labels->data[(size_t)label * n + pixels[i]] = g_rand_int_range (rand, 0, 60);
  }
  fs_expansion_change_data (there, pixels, G_N_ELEMENTS (pixels));
  fs_expansion_change_data (here, pixels, G_N_ELEMENTS (pixels));
}

/* A history: a run, other data costs, other labels. */
static void
check_history (GRand *rand, Labels *labels, const FsExpansionOptions *options)
{
  const FsLabelProblem *problem = &labels->problem;
  const FsExpansionOptions plain = { .no_cycle_reuse = TRUE,
                                     .order = options->order,
                                     .shuffle = options->shuffle,
                                     .coarse_first = options->coarse_first };
  g_autoptr (FsExpansion) there = new_expansion (&fs_backend_cuda, labels, options);
  g_autoptr (FsExpansion) here = new_expansion (&fs_backend_cpu, labels, &plain);
  g_autofree uint8_t *labelling = random_labelling (rand, problem);
  run_both (there, here, labels, labelling);
  run_both (there, here, labels, labelling); /* nothing is new */
  change_data (rand, labels, there, here);
  run_both (there, here, labels, labelling);
  g_autofree uint8_t *other = random_labelling (rand, problem);
  run_both (there, here, labels, other);
  g_assert_cmpuint (fs_expansion_size_bytes (there), >, fs_label_problem_n_pixels (problem));
}

static FsExpansionOptions
options_of (int i)
{
  return (FsExpansionOptions){ .no_cycle_reuse = i % 3 == 1,
                               .label_reuse = i % 5 == 2,
                               .verify = i % 7 == 3,
                               .shuffle = i % 4 == 3 ? 9 : 0,
                               .coarse_first = i % 6 == 5 };
}

static void
test_schedules (void)
{
  static const int SIDES[][2] = { { 1, 1 }, { 33, 1 }, { 20, 31 }, { 40, 36 }, { 70, 33 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  for (int i = 0; i < scaled_few (4 * N_COSTS, 2 * N_COSTS); i++) {
    const int *sides = SIDES[i % (int)G_N_ELEMENTS (SIDES)];
    Costs costs = (Costs)(i / 2 % N_COSTS);
    g_autoptr (Labels) labels =
        labels_new (rand, sides[0], sides[1], g_rand_int_range (rand, 1, 9), costs);
    FsExpansionOptions options = options_of (i);
    uint8_t order[FS_LABELS_MAX];
    for (int k = 0, n_labels = labels->problem.n_labels; k < n_labels; k++)
      order[k] = (uint8_t)((k + i) % n_labels);
    options.order = order;
    use_fibres ((guint32)i, 1 + i % 4);
    check_history (rand, labels, &options);
    g_assert_null (fs_cuda_notice ());
  }
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* A stroke: data costs that pull at one label, or push it away, in a small place. */
static void
stroke (GRand *rand, Labels *labels, FsExpansion *there, FsExpansion *here)
{
  const FsLabelProblem *problem = &labels->problem;
  int x0 = g_rand_int_range (rand, 0, problem->width - 4);
  int y0 = g_rand_int_range (rand, 0, problem->height - 4);
  int label = g_rand_int_range (rand, 0, problem->n_labels);
  int cost = g_rand_boolean (rand) ? 0 : g_rand_int_range (rand, 40, 4000);
  uint32_t pixels[16];
  for (int i = 0; i < 16; i++) {
    pixels[i] = (uint32_t)((y0 + i / 4) * problem->width + x0 + i % 4);
    labels->data[(size_t)label * fs_label_problem_n_pixels (problem) + pixels[i]] = cost;
  }
  fs_expansion_change_data (there, pixels, 16);
  fs_expansion_change_data (here, pixels, 16);
}

/* Strokes on grids of many tiles, of which a move looks at a few: some run into the rim. */
static void
test_regions (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (15);
  for (int i = 0; i < scaled (2); i++) {
    const FsExpansionOptions options = { 0 };
    g_autoptr (Labels) labels = labels_new (rand, 340, 36, 3, i % 2 ? COSTS_POTTS : COSTS_LINEAR);
    size_t n = fs_label_problem_n_pixels (&labels->problem);
    for (size_t p = 0; i % 2 && p < 3 * n; p++)
      labels->data[p] = 20; /* nothing holds the others back where some change */
    use_fibres ((guint32)i, 3);
    g_autoptr (FsExpansion) there = new_expansion (&fs_backend_cuda, labels, &options);
    g_autoptr (FsExpansion) here = new_expansion (&fs_backend_cpu, labels, &options);
    g_autofree uint8_t *labelling = random_labelling (rand, &labels->problem);
    run_both (there, here, labels, labelling);
    for (int k = 0; k < 6; k++) {
      stroke (rand, labels, there, here);
      run_both (there, here, labels, labelling);
    }
    g_assert_null (fs_cuda_notice ());
  }
}

/* Chains are for 4 neighbours and costs by distance. */
static Labels *
labels_for_dual_start (GRand *rand, int width, int height, int n_labels, int i)
{
  Labels *labels = labels_new (rand, width, height, n_labels, i % 2 ? COSTS_POTTS : COSTS_LINEAR);
  labels->problem.neighbours = FS_NEIGHBOURS_4;
  return labels;
}

/* A dual start, which is the processor's, and a history from there. */
static void
check_dual_start (GRand *rand, Labels *labels, const FsExpansionOptions *options)
{
  size_t n = fs_label_problem_n_pixels (&labels->problem);
  const FsExpansionOptions plain = { .no_cycle_reuse = TRUE };
  int64_t bound = -1, wanted = -2;
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *labelling = g_malloc (n), *expected = g_malloc (n);
  g_autoptr (FsExpansion) there = new_expansion (&fs_backend_cuda, labels, options);
  g_autoptr (FsExpansion) here = new_expansion (&fs_backend_cpu, labels, &plain);
  change_data (rand, labels, there, here);
  g_assert_true (fs_expansion_dual_start (there, labelling, &bound, &error));
  g_assert_no_error (error);
  g_assert_true (fs_expansion_dual_start (here, expected, &wanted, &error));
  g_assert_cmpmem (labelling, n, expected, n);
  g_assert_cmpint (bound, ==, wanted);
  run_both (there, here, labels, labelling);
  g_assert_cmpint (bound, <=, fs_label_problem_energy (&labels->problem, labelling).total);
  change_data (rand, labels, there, here);
  run_both (there, here, labels, labelling);
}

static void
test_dual_start (void)
{
  static const int SIDES[][2] = { { 1, 1 }, { 33, 1 }, { 20, 31 }, { 70, 33 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (16);
  for (int i = 0; i < scaled_few (16, 8); i++) {
    const int *sides = SIDES[i / 2 % (int)G_N_ELEMENTS (SIDES)];
    g_autoptr (Labels) labels =
        labels_for_dual_start (rand, sides[0], sides[1], g_rand_int_range (rand, 1, 9), i);
    FsExpansionOptions options = options_of (i);
    options.shuffle = 0;
    options.coarse_first = FALSE;
    use_fibres ((guint32)i, 1 + i % 4);
    check_dual_start (rand, labels, &options);
    g_assert_null (fs_cuda_notice ());
  }
  g_assert_cmpint (fibre_n_allocated (), ==, 0);
}

/* Small, for builds in which every touch of memory counts (fibres/touch.h). */
static void
test_races (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  for (int i = 0; i < scaled (2); i++) {
    g_autoptr (Labels) labels =
        labels_new (rand, i % 2 ? 33 : 20, i % 2 ? 20 : 33, 3, i % 2 ? COSTS_POTTS : COSTS_TABLE);
    const FsExpansionOptions options = { 0 };
    use_fibres ((guint32)i + 2, 1 + i % 3);
    check_history (rand, labels, &options);
  }
}

/* --- Cancelling --- */

/* A cancelled run leaves labels that are no worse, and the next one ends where a run from these
 * does. */
static void
check_cancelled (GRand *rand, Costs costs)
{
  g_autoptr (Labels) labels = labels_new (rand, 40, 40, 5, costs);
  const FsExpansionOptions options = { 0 };
  g_autofree uint8_t *labelling = random_labelling (rand, &labels->problem);
  int64_t before = fs_label_problem_energy (&labels->problem, labelling).total;
  g_autoptr (FsExpansion) there = new_expansion (&fs_backend_cuda, labels, &options);
  g_autoptr (FsExpansion) here = new_expansion (&fs_backend_cpu, labels, &options);
  atomic_bool cancel = TRUE;
  const FsProgress progress = { .cancel = &cancel };
  g_autoptr (GError) error = NULL;
  g_auto (FsExpansionResult) stopped = { 0 };
  g_assert_false (fs_expansion_run (there, labelling, &progress, &stopped, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  g_assert_false (stopped.converged);
  g_assert_cmpint (fs_label_problem_energy (&labels->problem, labelling).total, <=, before);
  run_both (there, here, labels, labelling);
}

static void
test_cancelling (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (13);
  for (guint32 i = 0; i < 4; i++) {
    use_fibres (i, 2);
    check_cancelled (rand, i % 2 ? COSTS_LINEAR : COSTS_TABLE);
    g_assert_null (fs_cuda_notice ());
  }
}

/* --- Every call of the CUDA library failing --- */

/* Returns how many calls it made, those that destroy not counted. */
static int
check_small (gconstpointer data)
{
  Costs costs = (Costs)GPOINTER_TO_INT (data);
  int before = fibre_n_calls ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (14);
  g_autoptr (Labels) labels = labels_new (rand, 14, 10, 3, costs);
  const FsExpansionOptions options = { 0 };
  check_history (rand, labels, &options);
  return fibre_n_calls () - before;
}

static int
check_small_dual_start (gconstpointer data)
{
  int before = fibre_n_calls ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  g_autoptr (Labels) labels = labels_for_dual_start (rand, 14, 10, 3, GPOINTER_TO_INT (data));
  const FsExpansionOptions options = { 0 };
  check_dual_start (rand, labels, &options);
  return fibre_n_calls () - before;
}

enum { N_DESTROYING = 9, STRIDE = 15 };

/* The labels are the processor's, whichever call fails. Only those that destroy the engine may fail
 * unheard. */
static void
check_failures (FibreError code, gboolean for_ever, FibreHistory play, int data, int n_rounds)
{
  const FibreCalls calls = { .table = fs_engine_host (),
                             .n_blocks = 2,
                             .play = play,
                             .data = GINT_TO_POINTER (data),
                             .least = 60,
                             .stride = STRIDE,
                             .n_rounds = n_rounds };
  use_fibres (0, 2);
  g_assert_cmpint (fibre_fail_each (&calls, code, for_ever), <=, N_DESTROYING);
}

static void
test_every_call_failing (void)
{
  check_failures (FIBRE_NO_MEMORY, FALSE, check_small, COSTS_TABLE, 2);
  check_failures (FIBRE_LAUNCH_FAILED, TRUE, check_small, COSTS_TABLE, 2);
  check_failures (FIBRE_LAUNCH_FAILED, FALSE, check_small_dual_start, 0, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  fs_solver_set_threads (1);
  g_test_add_func ("/kernels/fibre-moves/schedules", test_schedules);
  g_test_add_func ("/kernels/fibre-moves/regions", test_regions);
  g_test_add_func ("/kernels/fibre-moves/dual-start", test_dual_start);
  g_test_add_func ("/kernels/fibre-moves/races", test_races);
  g_test_add_func ("/kernels/fibre-moves/cancelling", test_cancelling);
  g_test_add_func ("/kernels/fibre-moves/every-call-failing", test_every_call_failing);
  return g_test_run ();
}
