/* SPDX-License-Identifier: MIT */
/* Tables that models are made of: exponentials, densities of colours, n-links by contrast. */
#include "energy/colour_table.h"
#include "energy/exact_math.h"
#include "energy/lab_contrast.h"
#include "tests/energy/recipe.h"

#include <math.h>

static void
test_exact_math (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int i = 0; i < 200000; i++) {
    double x = g_rand_double_range (rand, -700, 700);
    g_assert_cmpfloat (fabs (fs_exact_exp (x) / exp (x) - 1), <=, 1e-14);
    double y = exp (i % 2 ? x : x / 1e4);
    g_assert_cmpfloat (fabs (fs_exact_log (y) - log (y)), <=, 1e-14 * fabs (log (y)));
  }
  g_assert_cmpfloat (fs_exact_exp (0), ==, 1);
  g_assert_cmpfloat (fs_exact_log (1), ==, 0);
}

static FsLab
random_lab (GRand *rand)
{
  return (FsLab){ (int16_t)g_rand_int_range (rand, 0, FS_LAB_L_MAX + 1),
                  (int16_t)g_rand_int_range (rand, -FS_LAB_AB_MAX, FS_LAB_AB_MAX + 1),
                  (int16_t)g_rand_int_range (rand, -FS_LAB_AB_MAX, FS_LAB_AB_MAX + 1) };
}

/* Every place lies among the nodes, and as far along as its colour. */
static void
test_places (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (int i = 0; i < 20000; i++) {
    FsLab lab = random_lab (rand);
    FsColourPlace place = fs_colour_place (lab);
    int node[3] = { place.node >> 10, place.node >> 5 & 31, place.node & 31 };
    double at[3] = { lab.l / 1600.0, (lab.a + 1024) / 2048.0, (lab.b + 1024) / 2048.0 };
    for (int k = 0; k < 3; k++) {
      g_assert_cmpint (node[k], <=, 30);
      g_assert_cmpint (place.fraction[k], <=, 256);
      double expected = CLAMP (at[k], 0, 1) * 31;
      g_assert_cmpfloat (fabs (node[k] + place.fraction[k] / 256.0 - expected), <=, 0.5 / 256);
    }
  }
}

/* Nothing is lost by spreading and smoothing, wherever samples lie, and order does not matter. */
static void
test_densities_sum_to_one (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree FsColourTable *table = g_new (FsColourTable, 1);
  g_autofree FsColourTable *other = g_new (FsColourTable, 1);
  for (int n = 0; n < 40; n++) {
    g_autofree FsColourPlace *places = g_new (FsColourPlace, MAX (1, n));
    fs_colour_table_clear (table);
    fs_colour_table_clear (other);
    for (int i = 0; i < n; i++)
      places[i] = fs_colour_place (random_lab (rand));
    for (int i = 0; i < n; i++) {
      fs_colour_table_add (table, places[i], (uint64_t)i * 999 + 1);
      fs_colour_table_add (other, places[n - 1 - i], (uint64_t)(n - 1 - i) * 999 + 1);
    }
    fs_colour_table_smooth (table);
    fs_colour_table_smooth (other);
    double sum = 0;
    for (int i = 0; i < FS_COLOUR_TABLE_NODES; i++)
      sum += (double)table->density[i];
    g_assert_cmpfloat (fabs (sum - (n > 0)), <=, 1e-4);
    g_assert_cmpmem (table, sizeof *table, other, sizeof *other);
  }
}

/* A single sample is a Gaussian about its place. */
static void
test_one_sample (void)
{
  g_autofree FsColourTable *table = g_new (FsColourTable, 1);
  fs_colour_table_clear (table);
  FsColourPlace place = { .node = (16 * 32 + 16) * 32 + 16 };
  fs_colour_table_add (table, place, FS_COLOUR_WEIGHT);
  fs_colour_table_smooth (table);
  for (int steps = 0; steps <= 4; steps++) {
    FsColourPlace there = { .node = (uint16_t)((16 * 32 + 16) * 32 + 16 + steps) };
    double expected = pow (2 * G_PI, -1.5) * exp (-steps * steps / 2.0);
    g_assert_cmpfloat (fabs (fs_colour_table_look_up (table, there) / expected - 1), <=, 1e-3);
  }
}

static void
test_contrast_entries (void)
{
  uint32_t last = 0;
  for (int32_t d2 = 0; d2 < 40000000; d2 += 1 + d2 / 3000) {
    uint32_t entry = fs_lab_contrast_entry (d2);
    g_assert_cmpuint (entry, <, FS_LAB_CONTRAST_ENTRIES);
    g_assert_cmpuint (entry, >=, last);
    if (d2 < 256)
      g_assert_cmpuint (entry, ==, d2);
    last = entry;
  }
  g_assert_cmpuint (fs_lab_contrast_entry (G_MAXINT32), ==, FS_LAB_CONTRAST_ENTRIES - 1);
}

static FsImage *
random_image (GRand *rand, int w, int h, int spread)
{
  FsImage *image = fs_image_new (w, h);
  uint32_t c[3] = { 120, 130, 100 };
  for (int i = 0; i < w * h; i++) {
    for (int k = 0; k < 3; k++)
      c[k] = (uint32_t)CLAMP ((int)c[k] + g_rand_int_range (rand, -spread, spread + 1), 0, 255);
    image->pixels[i] = FS_PIXEL (255, c[0], c[1], c[2]);
  }
  return image;
}

static void
check_nlinks (const FsScene *scene)
{
  const FsImage *image = scene->image;
  FsGrid grid = { image->width, image->height, scene->settings.neighbours };
  double mean = recipe_mean_difference2 (image, (int)scene->settings.neighbours);
  for (int i = 0; i < image->width * image->height; i++)
    for (int d = 0; d < fs_scene_n_directions (scene); d++) {
      int x = i % image->width, y = i / image->width;
      if (!fs_grid_has_neighbour (&grid, x, y, (FsDirection)d)) {
        g_assert_cmpint (scene->nlink[d][i], ==, 0);
        continue;
      }
      double w = 64
                 * recipe_nlink (image->pixels[i], image->pixels[i + fs_grid_step (&grid, d)],
                                 d >= FS_DIRECTION_SE ? sqrt (2) : 1, mean);
      g_assert_cmpfloat (fabs (scene->nlink[d][i] - w), <=, 1 + 0.04 * w);
    }
}

static void
test_nlinks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (int trial = 0; trial < 60; trial++) {
    int w = g_rand_int_range (rand, 1, 30), h = g_rand_int_range (rand, 1, 30);
    g_autoptr (FsImage) image = random_image (rand, w, h, 8 + trial);
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.neighbours = trial % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
    settings.model = FS_MODEL_GEODESIC;
    g_autoptr (FsScene) scene = fs_scene_new (image, &settings, NULL, NULL);
    check_nlinks (scene);
  }
}

/* Without contrast every link is as strong as links get. */
static void
test_nlinks_of_one_colour (void)
{
  g_autoptr (FsImage) image = fs_image_new (9, 7);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.model = FS_MODEL_GEODESIC;
  g_autoptr (FsScene) scene = fs_scene_new (image, &settings, NULL, NULL);
  g_assert_cmpint (scene->nlink[FS_DIRECTION_E][0], ==, 40 * 64);
  g_assert_cmpint (scene->nlink[FS_DIRECTION_SE][0], ==, lround (40 * 64 / sqrt (2)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tables/exact-math", test_exact_math);
  g_test_add_func ("/tables/places", test_places);
  g_test_add_func ("/tables/densities-sum-to-one", test_densities_sum_to_one);
  g_test_add_func ("/tables/one-sample", test_one_sample);
  g_test_add_func ("/tables/contrast-entries", test_contrast_entries);
  g_test_add_func ("/tables/nlinks", test_nlinks);
  g_test_add_func ("/tables/nlinks-of-one-colour", test_nlinks_of_one_colour);
  return g_test_run ();
}
