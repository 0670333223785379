/* SPDX-License-Identifier: MIT */
/* Several objects: one of them is the binary cut, seeds hold, and a stroke changes what it must. */
#include "energy/energy.h"
#include "energy/labels/labels_objects.h"
#include "solver/expansion/expansion.h"
#include "tests/faults/faults.h"

#include <string.h>

enum { W = 60, H = 44 };

/* Blocks of a few colours with noise, so that models have something to find. */
static FsImage *
blocks (GRand *rand)
{
  FsImage *image = fs_image_new (W, H);
  uint32_t colours[4];
  for (int i = 0; i < 4; i++)
    colours[i] = (g_rand_int (rand) & 0x7f7f7f) | 0xff000000u;
  for (int p = 0; p < W * H; p++)
    image->pixels[p] = colours[(p % W / 30) + 2 * (p / W / 22)] + (g_rand_int (rand) & 0x1f1f1f);
  return image;
}

static FsSeedMap *
strokes (GRand *rand, int n_numbers)
{
  FsSeedMap *seeds = fs_seed_map_new (W, H);
  for (int number = 1; number <= n_numbers; number++) {
    double x = g_rand_double_range (rand, 2, W - 2), y = g_rand_double_range (rand, 2, H - 2);
    const FsCapsule capsule = { x, y, x + 3, y + 3, 2.5 };
    fs_seed_map_paint (seeds, &capsule, (uint8_t)number, NULL, NULL);
  }
  return seeds;
}

static void
expand (FsExpansion *expansion, uint8_t *labels)
{
  g_autoptr (GError) error = NULL;
  g_auto (FsExpansionResult) result = { 0 };
  g_assert_true (fs_expansion_run (expansion, labels, NULL, &result, &error));
  g_assert_no_error (error);
  g_assert_true (result.converged);
  g_assert_cmpint (result.truncation.n, ==, 0);
}

/* Background, then each other label, the one first that is cheapest for fewest pixels. */
static void
check_order (const FsObjects *objects, const uint8_t *order)
{
  const FsLabelProblem *problem = fs_objects_get_problem (objects);
  int n_pixels[FS_LABELS_MAX] = { 0 };
  gboolean is_there[FS_LABELS_MAX] = { FALSE };
  for (int p = 0; p < W * H; p++) {
    int cheapest = 1;
    for (int label = 2; label < problem->n_labels; label++)
      if (problem->data[label * W * H + p] < problem->data[cheapest * W * H + p])
        cheapest = label;
    n_pixels[cheapest]++;
  }
  g_assert_cmpint (order[0], ==, 0);
  for (int i = 0; i < problem->n_labels; i++) {
    g_assert_false (is_there[order[i]]);
    is_there[order[i]] = TRUE;
    if (i > 1)
      g_assert_cmpint (n_pixels[order[i]], >=, n_pixels[order[i - 1]]);
  }
}

static FsExpansion *
begin (const FsObjects *objects, uint8_t *labels, uint8_t *order)
{
  const FsExpansionOptions options = { .order = order, .verify = TRUE };
  fs_objects_start (objects, labels, order);
  check_order (objects, order);
  return fs_expansion_new (&fs_backend_cpu, fs_objects_get_problem (objects), &options, NULL);
}

static void
check_one_object (GRand *rand, FsModelKind model, FsNeighbours neighbours)
{
  g_autoptr (FsImage) image = blocks (rand);
  g_autoptr (FsSeedMap) seeds = strokes (rand, 2);
  const FsSettings settings = { .model = model, .neighbours = neighbours, .smoothness = 1 };
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
  fs_energy_fit (energy, seeds);
  fs_energy_fill_grid (energy, seeds);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, fs_energy_get_grid (energy), NULL);
  FsSolution solution;
  uint8_t mask[W * H], labels[W * H];
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  fs_solver_read_mask (solver, 0, 0, W, H, mask, W);

  g_autoptr (FsObjects) objects = fs_objects_new (image, &settings, seeds, NULL);
  g_assert_cmpint (fs_objects_get_problem (objects)->n_labels, ==, 2);
  uint8_t order[FS_LABELS_MAX];
  g_autoptr (FsExpansion) expansion = begin (objects, labels, order);
  expand (expansion, labels);
  g_assert_cmpmem (labels, sizeof labels, mask, sizeof mask);
}

static void
test_one_object (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (91);
  for (int i = 0; i < 24; i++)
    check_one_object (rand, (FsModelKind)(i % FS_N_MODELS), i % 2 ? 8 : 4);
}

static void
check_seeds_hold (const FsObjects *objects, const FsSeedMap *seeds, const uint8_t *labels)
{
  for (int p = 0; p < W * H; p++)
    if (seeds->label[p] != FS_SEED_NONE)
      g_assert_cmpint (fs_objects_get_number (objects, labels[p]), ==, seeds->label[p]);
}

/* Numbers need not follow on one another. */
static void
test_numbers (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (92);
  g_autoptr (FsImage) image = blocks (rand);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
  static const uint8_t numbers[] = { 3, 9, 255 };
  for (int i = 0; i < 3; i++) {
    const FsCapsule capsule = { 5 + 15 * i, 5, 5 + 15 * i, 9, 2 };
    fs_seed_map_paint (seeds, &capsule, numbers[i], NULL, NULL);
  }
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  g_autoptr (FsObjects) objects = fs_objects_new (image, &settings, seeds, NULL);
  g_assert_cmpint (fs_objects_get_problem (objects)->n_labels, ==, 4);
  g_assert_cmpint (fs_objects_get_number (objects, 0), ==, 1);
  g_assert_cmpint (fs_objects_get_number (objects, 3), ==, 255);
  g_assert_true (fs_label_problem_validate (fs_objects_get_problem (objects), NULL));
  uint8_t labels[W * H];
  uint8_t order[FS_LABELS_MAX];
  g_autoptr (FsExpansion) expansion = begin (objects, labels, order);
  expand (expansion, labels);
  check_seeds_hold (objects, seeds, labels);
}

enum { OPEN_W = 4, OPEN_H = 3, N_OPEN = OPEN_W * OPEN_H };

/* Background, and in its midst two objects with pixels between them that may be either's. */
static void
draw_bounds (int x0, int y0, uint8_t *bounds, int *open)
{
  memset (bounds, FS_SEED_BACKGROUND, W * H);
  for (int y = 0; y < OPEN_H; y++)
    for (int x = -2; x < OPEN_W + 2; x++) {
      int p = (y0 + y) * W + x0 + x;
      bounds[p] = x < 0 ? FS_SEED_OBJECT : x < OPEN_W ? FS_SEED_NONE : FS_SEED_OBJECT + 1;
      if (bounds[p] == FS_SEED_NONE)
        *open++ = p;
    }
}

/* The least energy of all ways to share the open pixels out. */
static int64_t
share_best (const FsLabelProblem *problem, const int *open, uint8_t *labels)
{
  int64_t best = G_MAXINT64;
  for (int way = 0; way < 1 << N_OPEN; way++) {
    for (int i = 0; i < N_OPEN; i++)
      labels[open[i]] = (uint8_t)(1 + (way >> i & 1));
    best = MIN (best, fs_label_problem_energy (problem, labels).total);
  }
  return best;
}

static void
check_within (GRand *rand, FsModelKind model)
{
  g_autoptr (FsImage) image = blocks (rand);
  g_autoptr (FsSeedMap) seeds = strokes (rand, 3);
  const FsSettings settings = { .model = model, .neighbours = 8, .smoothness = 1 };
  uint8_t bounds[W * H], labels[W * H], order[FS_LABELS_MAX];
  int open[N_OPEN];
  draw_bounds (g_rand_int_range (rand, 2, W - 6), g_rand_int_range (rand, 0, H - 3), bounds, open);
  g_autoptr (FsObjects) objects =
      fs_objects_new_within (image, &settings, seeds, bounds, NULL, NULL);
  const FsLabelProblem *problem = fs_objects_get_problem (objects);
  g_assert_true (fs_label_problem_validate (problem, NULL));
  g_autoptr (FsExpansion) expansion = begin (objects, labels, order);
  expand (expansion, labels);
  for (int p = 0; p < W * H; p++)
    if (bounds[p] == FS_SEED_NONE)
      g_assert_cmpint (labels[p], !=, 0);
    else
      g_assert_cmpint (fs_objects_get_number (objects, labels[p]), ==, bounds[p]);
  int64_t energy = fs_label_problem_energy (problem, labels).total;
  g_assert_cmpint (energy, ==, share_best (problem, open, labels));
}

/* Where it is known what is object, two share it out as well as can be. */
static void
test_within (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (95);
  for (int i = 0; i < 9; i++)
    check_within (rand, (FsModelKind)(i % FS_N_MODELS));
}

/* Who no longer wants the models is not made to wait for them. */
static void
test_cancelled (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (96);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsImage) image = blocks (rand);
  g_autoptr (FsSeedMap) seeds = strokes (rand, 3);
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  FsCancelFlag cancel = 1;
  const FsProgress progress = { .cancel = &cancel };
  g_assert_null (fs_objects_new_within (image, &settings, seeds, seeds->label, &progress, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
  g_clear_error (&error);
  g_assert_null (fs_objects_new_guessed (image, &settings, seeds, NULL, &progress, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
}

/* Every plane of the photo's size is asked for, not taken for granted. */
static void
test_memory (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (94);
  g_autoptr (FsImage) image = blocks (rand);
  g_autoptr (FsSeedMap) seeds = strokes (rand, 4);
  const FsSettings settings = FS_SETTINGS_DEFAULT;
  int n_for_seeds = 0;
  for (int n = 0;; n++) {
    g_autoptr (GError) error = NULL;
    fault_memory_after (n, FALSE);
    g_autoptr (FsObjects) objects = fs_objects_new (image, &settings, seeds, &error);
    fault_memory_after (-1, FALSE);
    if (objects != NULL)
      break;
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    n_for_seeds += g_str_has_suffix (error->message, "for seeds");
  }
  g_assert_cmpint (n_for_seeds, ==, 2);
}

/* A further stroke: as if all had been made anew with the same models, and seeds hold. */
static void
test_stroke (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (93);
  for (int trial = 0; trial < 12; trial++) {
    g_autoptr (FsImage) image = blocks (rand);
    g_autoptr (FsSeedMap) seeds = strokes (rand, 4);
    const FsSettings settings = { .model = (FsModelKind)(trial % FS_N_MODELS),
                                  .neighbours = 8,
                                  .smoothness = 1 };
    g_autoptr (FsObjects) objects = fs_objects_new (image, &settings, seeds, NULL);
    uint8_t labels[W * H], fresh[W * H];
    uint8_t order[FS_LABELS_MAX];
    g_autoptr (FsExpansion) expansion = begin (objects, labels, order);
    expand (expansion, labels);
    for (int stroke = 0; stroke < 3; stroke++) {
      g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
      double x = g_rand_double_range (rand, 0, W), y = g_rand_double_range (rand, 0, H);
      const FsCapsule capsule = { x, y, x - 4, y + 2, 2 };
      fs_seed_map_paint (seeds, &capsule, (uint8_t)g_rand_int_range (rand, 1, 5), NULL, changed);
      fs_objects_change (objects, seeds, (const void *)changed->data, changed->len);
      fs_expansion_change_data (expansion, (const void *)changed->data, changed->len);
      memcpy (fresh, labels, sizeof fresh);
      expand (expansion, labels);
      check_seeds_hold (objects, seeds, labels);
      const FsExpansionOptions plain = { .order = order, .no_cycle_reuse = TRUE };
      g_autoptr (FsExpansion) anew =
          fs_expansion_new (&fs_backend_cpu, fs_objects_get_problem (objects), &plain, NULL);
      expand (anew, fresh);
      g_assert_cmpmem (labels, sizeof labels, fresh, sizeof fresh);
    }
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/energy/objects/one", test_one_object);
  g_test_add_func ("/energy/objects/numbers", test_numbers);
  g_test_add_func ("/energy/objects/within", test_within);
  g_test_add_func ("/energy/objects/cancelled", test_cancelled);
  g_test_add_func ("/energy/objects/memory", test_memory);
  g_test_add_func ("/energy/objects/stroke", test_stroke);
  return g_test_run ();
}
