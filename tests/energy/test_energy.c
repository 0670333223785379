/* SPDX-License-Identifier: MIT */
#include "energy/colour/colour_clusters.h"
#include "energy/energy.h"
#include "energy/terms/contrast.h"
#include "solver/certificate.h"
#include "solver/solver.h"

#include <math.h>
#include <stdbool.h>

static const FsSettings lazy_snapping = { .neighbours = FS_NEIGHBOURS_8,
                                          .smoothness = 1.0,
                                          .model = FS_MODEL_KMEANS };

static FsImage *
random_image (GRand *rand, int w, int h, int n_colours)
{
  FsImage *image = fs_image_new (w, h);
  g_autofree uint32_t *palette = g_new (uint32_t, n_colours);
  for (int i = 0; i < n_colours; i++)
    palette[i] = g_rand_int (rand) | 0xff000000u;
  for (int i = 0; i < w * h; i++)
    image->pixels[i] = palette[g_rand_int_range (rand, 0, n_colours)];
  return image;
}

static double
colour_distance2 (uint32_t p, uint32_t q)
{
  double r = FS_PIXEL_R (p) - FS_PIXEL_R (q), g = FS_PIXEL_G (p) - FS_PIXEL_G (q);
  double b = FS_PIXEL_B (p) - FS_PIXEL_B (q);
  return r * r + g * g + b * b;
}

/* The n-links straight from the formula, pixel by pixel. */
static void
check_nlink (const FsImage *image, const FsGrid *grid, int x, int y, FsDirection d, double lambda)
{
  size_t p = (size_t)y * image->width + x;
  if (!fs_grid_has_neighbour (grid, x, y, d)) {
    g_assert_cmpint (grid->nlink[d][p], ==, 0);
    return;
  }
  size_t q = p + (size_t)fs_direction_dy (d) * image->width + fs_direction_dx (d);
  double length = d >= FS_DIRECTION_SE ? sqrt (2) : 1;
  double w =
      lambda * FS_DATA_SCALE / (1 + colour_distance2 (image->pixels[p], image->pixels[q])) / length;
  g_assert_cmpfloat (fabs (grid->nlink[d][p] - fmin (w, FS_NLINK_MAX)), <=, 0.5001);
}

static void
test_nlinks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int trial = 0; trial < 60; trial++) {
    int w = g_rand_int_range (rand, 1, trial % 7 ? 20 : 2000), h = g_rand_int_range (rand, 1, 20);
    g_autoptr (FsImage) image = random_image (rand, w, h, 1 + trial);
    FsSettings settings = { .neighbours = trial % 2 ? 8 : 4,
                            .smoothness = trial % 3,
                            .model = FS_MODEL_KMEANS };
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    const FsGrid *grid = fs_energy_get_grid (energy);
    g_assert_true (fs_grid_validate (grid, NULL));
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++)
        for (int d = 0; d < fs_grid_n_directions (grid); d++)
          check_nlink (image, grid, x, y, (FsDirection)d, FS_LAMBDA * settings.smoothness);
  }
}

static void
test_cancel (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  g_autoptr (FsImage) image = random_image (rand, 9, 9, 4);
  const atomic_bool cancel = true;
  FsProgress progress = { .cancel = &cancel };
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_energy_new (image, &lazy_snapping, &progress, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
}

/* With at most 64 colours every colour is its own cluster, so the data term has a closed form. */
static void
test_data_term_of_few_colours (void)
{
  g_autoptr (FsImage) image = fs_image_new (4, 1);
  const uint32_t colours[] = { 0xff102030, 0xffe0d0c0, 0xff405060, 0xffb0a090 };
  memcpy (image->pixels, colours, sizeof colours);
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &lazy_snapping, NULL, NULL);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (4, 1);
  fs_seed_map_set (seeds, (const uint8_t[]){ FS_SEED_BACKGROUND, FS_SEED_OBJECT, 0, 0 });
  fs_energy_fit (energy, seeds);

  g_assert_cmpint (fs_energy_tlink (energy, 0, 0), ==, -FS_DATA_SCALE);
  g_assert_cmpint (fs_energy_tlink (energy, 1, 0), ==, FS_DATA_SCALE);
  for (uint32_t p = 2; p < 4; p++) {
    double to_b = sqrt (colour_distance2 (colours[p], colours[0]));
    double to_o = sqrt (colour_distance2 (colours[p], colours[1]));
    double t = FS_DATA_SCALE * (to_b - to_o) / (to_b + to_o);
    g_assert_cmpfloat (fabs (fs_energy_tlink (energy, p, 0) - t), <=, 1.0);
  }
}

static void
test_seeds_are_hard (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int trial = 0; trial < 200; trial++) {
    int w = g_rand_int_range (rand, 1, 12), h = g_rand_int_range (rand, 1, 12);
    g_autoptr (FsImage) image = random_image (rand, w, h, 6);
    FsSettings settings = { .neighbours = trial % 2 ? 8 : 4,
                            .smoothness = 100,
                            .model = (FsModelKind)(trial % FS_N_MODELS),
                            .star = trial % 4 > 1 };
    g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
    g_autoptr (FsSeedMap) seeds = fs_seed_map_new (w, h);
    g_autofree uint8_t *labels = g_malloc ((gsize)w * (gsize)h);
    for (int i = 0; i < w * h; i++) {
      int label = g_rand_int_range (rand, -3, 3);
      labels[i] = (uint8_t)MAX (0, label);
    }
    fs_seed_map_set (seeds, labels);

    FsGrid *grid = fs_energy_get_grid (energy);
    fs_energy_fit (energy, seeds);
    fs_energy_fill_grid (energy, seeds);
    g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, NULL);
    FsSolution solution;
    g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL));
    FsCertificate certificate;
    g_assert_true (fs_solver_certify (solver, &certificate, NULL));
    g_assert_true (certificate.holds && solution.exact);
    g_autofree uint8_t *mask = g_malloc ((gsize)w * (gsize)h);
    fs_solver_read_mask (solver, 0, 0, w, h, mask, (size_t)w);
    for (int i = 0; i < w * h; i++)
      if (seeds->label[i] != FS_SEED_NONE)
        g_assert_cmpint (mask[i], ==, seeds->label[i] == FS_SEED_OBJECT);
    if (fs_energy_has_star (energy)) /* whose links may be as dear as links get */
      g_assert_cmpint (fs_energy_tlink (energy, 0, FS_SEED_OBJECT), >,
                       FS_N_ARCS * FS_NLINK_PAIR_MAX);
  }
}

/* A bright square on a dark ground: one stroke of either kind alone must find it. */
static void
check_one_kind (uint8_t label)
{
  g_autoptr (FsImage) image = fs_image_new (120, 90);
  for (int y = 0; y < 90; y++)
    for (int x = 0; x < 120; x++)
      image->pixels[y * 120 + x] = x >= 40 && x < 70 && y >= 30 && y < 60
                                       ? 0xfff0d8c0u + (uint32_t)(x % 7)
                                       : 0xff203040u + (uint32_t)(y % 5);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (120, 90);
  FsCapsule stroke =
      label == FS_SEED_OBJECT ? (FsCapsule){ 50, 40, 60, 50, 3 } : (FsCapsule){ 5, 5, 110, 5, 3 };
  fs_seed_map_paint (seeds, &stroke, label, NULL, NULL);

  g_autoptr (FsEnergy) energy = fs_energy_new (image, &lazy_snapping, NULL, NULL);
  FsGrid *grid = fs_energy_get_grid (energy);
  fs_energy_fit (energy, seeds);
  g_assert_cmpint (fs_energy_knows (energy, FS_SEED_OBJECT), ==, label == FS_SEED_OBJECT);
  g_assert_cmpint (fs_energy_knows (energy, FS_SEED_BACKGROUND), ==, label == FS_SEED_BACKGROUND);
  fs_energy_fill_tlinks (energy, seeds, grid->tlink);
  if (label == FS_SEED_BACKGROUND)
    return;
  for (int i = 0; i < 120 * 90; i++) {
    int x = i % 120, y = i / 120;
    gboolean inside = x >= 40 && x < 70 && y >= 30 && y < 60;
    g_assert_cmpint (grid->tlink[i] > 0, ==, inside);
  }
}

static void
test_one_kind_of_seeds (void)
{
  check_one_kind (FS_SEED_OBJECT);
  check_one_kind (FS_SEED_BACKGROUND);
}

static void
test_no_seeds (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autoptr (FsImage) image = random_image (rand, 20, 10, 50);
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &lazy_snapping, NULL, NULL);
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (20, 10);
  fs_energy_fit (energy, seeds);
  for (uint32_t i = 0; i < 200; i++)
    g_assert_cmpint (fs_energy_tlink (energy, i, 0), ==, 0);
}

/* Lloyd's iteration must not end worse than it began, and must never lose a sample. */
static double
mean_distance2 (const FsColourModel *model, const FsColourHistogram *histogram)
{
  double sum = 0;
  for (uint32_t bin = 0; bin < FS_COLOUR_BINS; bin++)
    if (histogram->count[bin])
      sum += (double)histogram->count[bin] * fs_colour_model_distance2 (model, bin);
  return sum / (double)histogram->n_pixels;
}

static int32_t
slow_distance2 (const FsColourModel *model, uint32_t bin)
{
  int32_t best = G_MAXINT32;
  for (int j = 0; j < model->n_clusters; j++) {
    int r = model->red_green[j][0] - fs_colour_bin_centre (bin, 0);
    int g = model->red_green[j][1] - fs_colour_bin_centre (bin, 1);
    int b = model->blue[j][0] - fs_colour_bin_centre (bin, 2);
    best = MIN (best, r * r + g * g + b * b);
  }
  return best;
}

/* A slot that is not used is never the nearest, wherever the only cluster lies. */
static void
test_nearest_cluster (void)
{
  const uint32_t all[] = { 0, 63 << 6, FS_COLOUR_BINS / 2 + 1234, FS_COLOUR_BINS - 1 };
  FsColourHistogram histogram;
  fs_colour_histogram_init (&histogram, all, G_N_ELEMENTS (all));
  for (size_t n = 1; n <= G_N_ELEMENTS (all); n++) {
    histogram.count[all[n - 1]] = 1 + (uint32_t)n;
    histogram.n_pixels += 1 + n;
    FsColourModel model;
    fs_colour_model_fit (&model, &histogram, FS_N_CLUSTERS);
    g_assert_cmpint (model.n_clusters, ==, n);
    for (uint32_t bin = 0; bin < FS_COLOUR_BINS; bin++)
      if (fs_colour_model_distance2 (&model, bin) != slow_distance2 (&model, bin))
        g_error ("%zu clusters, bin %u: not the nearest", n, bin);
  }
  fs_colour_histogram_clear (&histogram);
}

static void
test_colour_model (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree uint32_t *bins = g_new (uint32_t, FS_COLOUR_BINS);
  for (uint32_t bin = 0; bin < FS_COLOUR_BINS; bin++)
    bins[bin] = bin;
  FsColourHistogram histogram;
  fs_colour_histogram_init (&histogram, bins, FS_COLOUR_BINS);
  for (int blob = 0; blob < 40; blob++) {
    uint32_t centre[3];
    for (int k = 0; k < 3; k++)
      centre[k] = (uint32_t)g_rand_int_range (rand, 20, 236);
    for (int i = 0; i < 500; i++)
      fs_colour_histogram_add (&histogram,
                               FS_PIXEL (255, centre[0] + (uint32_t)g_rand_int_range (rand, -8, 9),
                                         centre[1] + (uint32_t)g_rand_int_range (rand, -8, 9),
                                         centre[2] + (uint32_t)g_rand_int_range (rand, -8, 9)));
  }
  FsColourModel model, again;
  fs_colour_model_fit (&model, &histogram, FS_N_CLUSTERS);
  fs_colour_model_fit (&again, &histogram, FS_N_CLUSTERS);
  g_assert_cmpint (model.n_clusters, ==, FS_N_CLUSTERS);
  for (uint32_t bin = 0; bin < FS_COLOUR_BINS; bin += 7)
    g_assert_cmpint (fs_colour_model_distance2 (&model, bin), ==, slow_distance2 (&model, bin));
  g_assert_cmpmem (&model, sizeof model, &again, sizeof again);
  /* A blob's own variance is 3 · 24 grey levels², in sixteenths. */
  g_assert_cmpfloat (mean_distance2 (&model, &histogram), <, 3 * 24 * 16 * 1.2);
  fs_colour_histogram_clear (&histogram);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/energy/nlinks", test_nlinks);
  g_test_add_func ("/energy/cancel", test_cancel);
  g_test_add_func ("/energy/data-term-of-few-colours", test_data_term_of_few_colours);
  g_test_add_func ("/energy/seeds-are-hard", test_seeds_are_hard);
  g_test_add_func ("/energy/one-kind-of-seeds", test_one_kind_of_seeds);
  g_test_add_func ("/energy/no-seeds", test_no_seeds);
  g_test_add_func ("/energy/nearest-cluster", test_nearest_cluster);
  g_test_add_func ("/energy/colour-model", test_colour_model);
  return g_test_run ();
}
