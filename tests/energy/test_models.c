/* SPDX-License-Identifier: MIT */
/* Models as the energy shows them: against their formulas, and against themselves. */
#include "energy/energy.h"
#include "energy/geodesic/level.h"
#include "solver/solver.h"
#include "tests/energy/geodesic/geodesic_cases.h"
#include "tests/energy/recipe.h"

#include <math.h>

static FsSettings
settings_of (FsModelKind model, gboolean star)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.model = model;
  settings.star = star;
  return settings;
}

/* Blots of colours on a shaded ground. Every value is the middle of its bin (colour_histogram.h),
 * so that the bins lose nothing. */
static FsImage *
blotted_image (GRand *rand, int w, int h)
{
  FsImage *image = fs_image_new (w, h);
  int base[3][3];
  for (int i = 0; i < 9; i++)
    base[i / 3][i % 3] = g_rand_int_range (rand, 30, 226);
  for (int i = 0; i < w * h; i++) {
    double u = (double)(i % w) / w - 0.5, v = (double)(i / w) / h - 0.5;
    int blot = hypot (u, v) < 0.25 ? 1 : u > 0.3 ? 2 : 0;
    uint32_t c[3];
    for (int k = 0; k < 3; k++)
      c[k] = (uint32_t)CLAMP (base[blot][k] + (int)(30 * v) + g_rand_int_range (rand, -12, 13), 0,
                              255);
    image->pixels[i] = (FS_PIXEL (255, c[0], c[1], c[2]) & 0xfffcfcfc) | 0x020202;
  }
  return image;
}

static void
paint_strokes (GRand *rand, FsSeedMap *seeds, gboolean with_background, double radius)
{
  double w = seeds->width, h = seeds->height;
  FsCapsule object = { 0.45 * w, 0.4 * h, 0.55 * w, 0.6 * h, radius };
  FsCapsule background = { 0.1 * w, g_rand_double_range (rand, 0.1, 0.9) * h, 0.15 * w, 0.5 * h,
                           radius };
  fs_seed_map_paint (seeds, &object, FS_SEED_OBJECT, NULL, NULL);
  if (with_background)
    fs_seed_map_paint (seeds, &background, FS_SEED_BACKGROUND, NULL, NULL);
}

/* Largest difference of any pixel, and their mean, in nats. */
typedef struct {
  double max, mean;
} Difference;

static Difference
difference_from_recipe (FsEnergy *energy, const FsImage *image, const FsSeedMap *seeds,
                        RecipeKind kind)
{
  Difference difference = { 0, 0 };
  g_autofree RecipeTerm *terms = recipe_terms (image, seeds, kind);
  int n = image->width * image->height, n_free = 0;
  for (int i = 0; i < n; i++) {
    if (seeds->label[i] != FS_SEED_NONE)
      continue;
    double t = (double)fs_energy_tlink (energy, (uint32_t)i, 0) / FS_NAT_SCALE;
    double off = fabs (t - terms[i].ratio - terms[i].place);
    difference.max = fmax (difference.max, off);
    difference.mean += off;
    n_free++;
  }
  difference.mean /= n_free;
  return difference;
}

static void
test_recipe (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  double mean = 0;
  for (int trial = 0; trial < 40; trial++) {
    int w = g_rand_int_range (rand, 12, 48), h = g_rand_int_range (rand, 12, 48);
    g_autoptr (FsImage) image = blotted_image (rand, w, h);
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (w, h);
    /* From dots to lines: different shares of the photo. */
    paint_strokes (rand, seeds, trial % 4 > 0, 0.1 + 0.035 * trial);
    FsSettings settings = settings_of (FS_MODEL_GEODESIC, TRUE);
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    fs_energy_fit (energy, seeds);
    Difference difference = difference_from_recipe (energy, image, seeds, RECIPE_STROKES);
    g_assert_cmpfloat (difference.mean, <=, 0.1);
    g_assert_cmpfloat (difference.max, <=, 0.6);
    mean += difference.mean / 40;
  }
  g_assert_cmpfloat (mean, <=, 0.03);
}

/* Object from the middle of what the outline surrounds, to the share of its area. */
static void
paint_lasso (FsSeedMap *seeds, double share)
{
  double w = seeds->width, h = seeds->height, side = sqrt (share);
  g_autofree uint8_t *labels = g_malloc ((gsize)seeds->width * (gsize)seeds->height);
  for (int i = 0; i < seeds->width * seeds->height; i++) {
    double u = fabs ((i % seeds->width + 0.5) / w - 0.5),
           v = fabs ((i / seeds->width + 0.5) / h - 0.5);
    double out = fmax (u, v) / 0.4;
    labels[i] = out > 1 ? FS_SEED_BACKGROUND : out < side ? FS_SEED_OBJECT : FS_SEED_NONE;
  }
  fs_seed_map_set (seeds, labels);
}

/* The narrower what is left open, the less the place has to say. */
static void
test_recipe_within_a_lasso (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (int trial = 0; trial < 20; trial++) {
    int w = g_rand_int_range (rand, 24, 48), h = g_rand_int_range (rand, 24, 48);
    g_autoptr (FsImage) image = blotted_image (rand, w, h);
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (w, h);
    paint_lasso (seeds, 0.1 + 0.035 * trial);
    FsSettings settings = settings_of (FS_MODEL_GEODESIC, FALSE);
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    fs_energy_fit (energy, seeds);
    Difference difference = difference_from_recipe (energy, image, seeds, RECIPE_LASSO);
    g_assert_cmpfloat (difference.mean, <=, 0.1);
    g_assert_cmpfloat (difference.max, <=, 0.6);
  }
}

/* --- threads --- */

typedef struct {
  FsEnergy *energy;
  int32_t *tlinks;
  uint8_t *star;
} Planes;

static Planes
make_planes (FsImage *image, const FsSeedMap *seeds, FsModelKind model, int n_threads)
{
  FsSettings settings = settings_of (model, TRUE);
  size_t n = (size_t)image->width * (size_t)image->height;
  fs_energy_set_threads (n_threads);
  Planes planes = { fs_energy_new (image, &settings, NULL, NULL), g_new (int32_t, n),
                    g_malloc0 (n) };
  fs_energy_fit (planes.energy, seeds);
  fs_energy_fill_tlinks (planes.energy, seeds, planes.tlinks);
  if (fs_energy_has_star (planes.energy))
    fs_energy_fill_star (planes.energy, seeds, planes.star);
  fs_energy_set_threads (0);
  return planes;
}

static void
planes_clear (Planes *planes)
{
  fs_energy_free (planes->energy);
  g_free (planes->tlinks);
  g_free (planes->star);
}

static void
assert_same_planes (const Planes *a, const Planes *b)
{
  const FsGrid *p = fs_energy_get_grid (a->energy), *q = fs_energy_get_grid (b->energy);
  size_t n = fs_grid_n_pixels (p);
  g_assert_cmpmem (a->tlinks, n * sizeof *a->tlinks, b->tlinks, n * sizeof *b->tlinks);
  g_assert_cmpmem (a->star, n, b->star, n);
  for (int d = 0; d < 4; d++)
    g_assert_cmpmem (p->nlink[d], 2 * n, q->nlink[d], 2 * n);
}

static void
test_threads_do_not_matter (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (FsImage) image = blotted_image (rand, 901, 677);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (901, 677);
  paint_strokes (rand, seeds, TRUE, 1.5);
  for (FsModelKind model = 0; model < FS_N_MODELS; model++) {
    Planes alone = make_planes (image, seeds, model, 1);
    for (int n_threads = 2; n_threads <= 4; n_threads++) {
      Planes shared = make_planes (image, seeds, model, n_threads);
      assert_same_planes (&alone, &shared);
      planes_clear (&shared);
    }
    planes_clear (&alone);
  }
}

/* One pixel at a time gives what whole planes give. */
static void
test_single_pixels (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autoptr (FsImage) image = blotted_image (rand, 801, 603);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (801, 603);
  paint_strokes (rand, seeds, TRUE, 1.5);
  for (FsModelKind model = 0; model < FS_N_MODELS; model++) {
    Planes planes = make_planes (image, seeds, model, 2);
    for (uint32_t i = 0; i < 801 * 603; i += 7)
      g_assert_cmpint (fs_energy_tlink (planes.energy, i, seeds->label[i]), ==, planes.tlinks[i]);
    planes_clear (&planes);
  }
}

/* --- seeds of all kinds --- */

static uint8_t *
cut (FsEnergy *energy)
{
  FsGrid *grid = fs_energy_get_grid (energy);
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
  FsSolution solution;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
  g_assert_true (solution.exact);
  uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  return mask;
}

static gboolean
is_inside (int x, int y)
{
  return x >= 40 && x < 70 && y >= 30 && y < 60;
}

/* A bright square on a dark ground: one stroke of either kind alone must find it. */
static void
test_one_kind_of_seeds (void)
{
  g_autoptr (FsImage) image = fs_image_new (120, 90);
  for (int i = 0; i < 120 * 90; i++)
    image->pixels[i] = is_inside (i % 120, i / 120) ? 0xfff0d8c0u + (uint32_t)(i % 7)
                                                    : 0xff203040u + (uint32_t)(i / 120 % 5);
  for (uint8_t label = FS_SEED_BACKGROUND; label <= FS_SEED_OBJECT; label++) {
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (120, 90);
    FsCapsule stroke =
        label == FS_SEED_OBJECT ? (FsCapsule){ 50, 40, 60, 50, 3 } : (FsCapsule){ 5, 5, 110, 5, 3 };
    fs_seed_map_paint (seeds, &stroke, label, NULL, NULL);
    FsSettings settings = settings_of (FS_MODEL_GEODESIC, TRUE);
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    fs_energy_fit (energy, seeds);
    fs_energy_fill_grid (energy, seeds);
    g_assert_cmpint (fs_energy_knows (energy, FS_SEED_OBJECT), ==, label == FS_SEED_OBJECT);
    g_assert_cmpint (fs_energy_knows (energy, FS_SEED_BACKGROUND), ==, label != FS_SEED_OBJECT);
    g_autofree uint8_t *mask = cut (energy);
    for (int i = 0; i < 120 * 90; i++)
      g_assert_cmpint (mask[i], ==, is_inside (i % 120, i / 120));
  }
}

static void
test_no_seeds (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (FsImage) image = blotted_image (rand, 40, 30);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (40, 30);
  g_autoptr (FsSeedMap) none = fs_seed_map_new (40, 30);
  paint_strokes (rand, seeds, TRUE, 1.5);
  for (FsModelKind model = 0; model < FS_N_MODELS; model++) {
    FsSettings settings = settings_of (model, TRUE);
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    fs_energy_fit (energy, seeds);
    fs_energy_fill_grid (energy, seeds);
    fs_energy_fit (energy, none);
    fs_energy_fill_grid (energy, none);
    FsGrid *grid = fs_energy_get_grid (energy);
    for (int i = 0; i < 40 * 30; i++) {
      g_assert_cmpint (grid->tlink[i], ==, 0);
      g_assert_true (!grid->star || grid->star[i] == FS_STAR_NONE);
    }
  }
}

/* --- strokes --- */

static void
apply (FsGrid *grid, GArray *tlinks, GArray *star)
{
  for (guint i = 0; i < tlinks->len; i++) {
    FsTlinkChange change = g_array_index (tlinks, FsTlinkChange, i);
    grid->tlink[change.pixel] = change.tlink;
  }
  for (guint i = 0; i < star->len; i++) {
    FsStarChange change = g_array_index (star, FsStarChange, i);
    grid->star[change.pixel] = change.star;
  }
}

static void
check_extended (FsEnergy *energy, FsEnergy *fresh, const FsSeedMap *seeds)
{
  const FsGrid *grid = fs_energy_get_grid (energy), *other = fs_energy_get_grid (fresh);
  fs_energy_fit (fresh, seeds);
  fs_energy_fill_grid (fresh, seeds);
  for (uint32_t i = 0; i < fs_grid_n_pixels (grid); i++)
    g_assert_cmpint (grid->tlink[i], ==, fs_energy_tlink (energy, i, seeds->label[i]));
  if (grid->star)
    g_assert_cmpmem (grid->star, fs_grid_n_pixels (grid), other->star, fs_grid_n_pixels (other));
  g_assert_true (fs_grid_validate (grid, NULL));
}

/* However it came about, the star is that of the present seeds, and t-links are the model's. */
static void
test_extensions (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (GArray) tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  g_autoptr (GArray) star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
  for (int trial = 0; trial < 60; trial++) {
    int w = g_rand_int_range (rand, 1, 60), h = g_rand_int_range (rand, 1, 60);
    g_autoptr (FsImage) image = fs_case_image (rand, w, h);
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (w, h);
    FsSettings settings = settings_of ((FsModelKind)(trial % FS_N_MODELS), trial % 5 > 0);
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    g_autoptr (FsEnergy) fresh = fs_energy_new_sibling (energy, NULL);
    for (int i = 0; i < 12; i++) {
      g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
      fs_case_edit (rand, seeds, pixels);
      if (i % 4 == 0) {
        fs_energy_fit (energy, seeds);
        fs_energy_fill_grid (energy, seeds);
      } else {
        fs_energy_extend (energy, seeds, (const uint32_t *)(gpointer)pixels->data, pixels->len,
                          tlinks, star);
        apply (fs_energy_get_grid (energy), tlinks, star);
      }
      check_extended (energy, fresh, seeds);
    }
  }
}

/* Object in so many corners of a plain ground, a dab on each, and one on the ground. */
static void
check_corners (int width, int height, int n_corners, int side, int dab)
{
  g_autoptr (FsImage) image = fs_image_new (width, height);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (width, height);
  g_autofree uint8_t *truth = g_malloc0 ((gsize)width * (gsize)height);
  for (int i = 0; i < width * height; i++)
    image->pixels[i] = 0xff006400u;
  for (int corner = 0; corner < n_corners; corner++) {
    int x0 = corner % 2 ? width - side : 0, y0 = corner / 2 ? height - side : 0;
    int dab_x = corner % 2 ? width - dab : 0, dab_y = corner / 2 ? height - dab : 0;
    for (int i = 0; i < side * side; i++) {
      int p = (y0 + i / side) * width + x0 + i % side;
      image->pixels[p] = 0xffdc7828u;
      truth[p] = 1;
    }
    for (int y = dab_y; y < dab_y + dab; y++)
      fs_seed_map_set_run (seeds, y, dab_x, dab_x + dab, FS_SEED_OBJECT);
  }
  fs_seed_map_set_run (seeds, height / 2, width / 2, width / 2 + dab, FS_SEED_BACKGROUND);
  for (int model = 0; model < FS_N_MODELS; model++) {
    FsSettings settings = settings_of ((FsModelKind)model, TRUE);
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    fs_energy_fit (energy, seeds);
    fs_energy_fill_grid (energy, seeds);
    g_autoptr (FsSolver) solver =
        fs_solver_new (&fs_backend_cpu, fs_energy_get_grid (energy), NULL);
    FsSolution solution;
    g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
    g_autofree uint8_t *mask = g_malloc ((gsize)width * (gsize)height);
    fs_solver_read_mask (solver, 0, 0, width, height, mask, (size_t)width);
    g_assert_cmpmem (mask, (gsize)width * (gsize)height, truth, (gsize)width * (gsize)height);
  }
}

static void
test_corners (void)
{
  for (int n = 1; n <= 4; n++)
    for (int dab = 1; dab <= 5; dab += 4) {
      check_corners (97, 89, n, 19, dab);
      check_corners (310, 290, n, 60, dab);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/models/recipe", test_recipe);
  g_test_add_func ("/models/recipe-within-a-lasso", test_recipe_within_a_lasso);
  g_test_add_func ("/models/threads-do-not-matter", test_threads_do_not_matter);
  g_test_add_func ("/models/single-pixels", test_single_pixels);
  g_test_add_func ("/models/one-kind-of-seeds", test_one_kind_of_seeds);
  g_test_add_func ("/models/corners", test_corners);
  g_test_add_func ("/models/no-seeds", test_no_seeds);
  g_test_add_func ("/models/extensions", test_extensions);
  return g_test_run ();
}
