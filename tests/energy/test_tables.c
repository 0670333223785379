/* SPDX-License-Identifier: MIT */
/* What models are made of: exponentials, densities and mixtures of colours, n-links by contrast. */
#include "energy/colour/colour_density.h"
#include "energy/colour/gmm.h"
#include "energy/energy.h"
#include "energy/image/exact_math.h"
#include "energy/models/geodesic_photo.h"
#include "energy/models/registry.h"
#include "energy/terms/contrast.h"
#include "energy/terms/lab_contrast.h"
#include "energy/terms/nlinks.h"
#include "tests/energy/recipe.h"

#include <math.h>
#include <string.h>

static FsPhotoTerms *
new_photo_terms (FsImage *image, const FsSettings *settings)
{
  return fs_photo_terms_new (image, settings, fs_model_class (settings->model), NULL, NULL);
}

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
  /* Many at once have the same bits, wherever they stand. */
  for (int n = 0; n <= 9; n++) {
    double one[9], many[9];
    for (int i = 0; i < n; i++)
      many[i] = one[i] = ldexp (1 + g_rand_double (rand), g_rand_int_range (rand, -1022, 1024));
    fs_exact_logs (many, n);
    for (int i = 0; i < n; i++)
      g_assert_cmpfloat (many[i], ==, fs_exact_log (one[i]));
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

/* The share of a sample that a node so many steps away gets along one axis. */
static double
weight_of_node (int steps)
{
  double sum = 0;
  for (int k = -2; k <= 2; k++)
    sum += exp (-k * k / (2 * 0.1225));
  return exp (-steps * steps / (2 * 0.1225)) / sum;
}

/* A single sample is a Gaussian about its place, as coarse as the nodes. */
static void
test_one_sample (void)
{
  g_autofree FsColourTable *table = g_new (FsColourTable, 1);
  fs_colour_table_clear (table);
  FsColourPlace place = { .node = (16 * 32 + 16) * 32 + 16 };
  fs_colour_table_add (table, place, FS_COLOUR_WEIGHT);
  fs_colour_table_smooth (table);
  for (int steps = 0; steps <= 2; steps++) {
    FsColourPlace there = { .node = (uint16_t)((16 * 32 + 16) * 32 + 16 + steps) };
    double expected = weight_of_node (0) * weight_of_node (0) * weight_of_node (steps);
    g_assert_cmpfloat (fabs (fs_colour_table_look_up (table, there) / expected - 1), <=, 1e-3);
  }
}

/* --- the whole table, smoothed axis by axis as the formula says --- */

static int
mirrored (int i)
{
  return i < 0 ? -1 - i : i >= 32 ? 63 - i : i;
}

static void
smooth_axis (const double *tap, float *density, int stride)
{
  g_autofree float *from = g_memdup2 (density, FS_COLOUR_TABLE_NODES * sizeof *density);
  for (int node = 0; node < FS_COLOUR_TABLE_NODES; node++) {
    int i = node / stride % 32, first = node - i * stride;
    density[node] = (float)tap[0] * from[node];
    for (int k = 1; k <= 2; k++)
      density[node] +=
          (float)tap[k]
          * (from[first + mirrored (i - k) * stride] + from[first + mirrored (i + k) * stride]);
  }
}

static void
smooth_slowly (const FsColourTable *table, float *density)
{
  double tap[3], sum = 0;
  for (int k = 0; k <= 2; k++)
    tap[k] = fs_exact_exp (-0.5 * k * k / (0.35 * 0.35));
  for (int k = 0; k <= 2; k++)
    sum += k > 0 ? 2 * tap[k] : tap[k];
  for (int k = 0; k <= 2; k++)
    tap[k] /= sum;
  for (int i = 0; i < FS_COLOUR_TABLE_NODES; i++)
    density[i] = (float)((double)table->sum[i] / ((double)table->total * (1 << 24)));
  for (int stride = 32 * 32; stride > 0; stride /= 32)
    smooth_axis (tap, density, stride);
}

/* Samples about one colour, anywhere, the corners of the table too. */
static void
test_smoothing_to_the_bit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  g_autofree FsColourTable *table = g_new (FsColourTable, 1);
  g_autofree float *expected = g_new (float, FS_COLOUR_TABLE_NODES);
  for (int round = 0; round < 30; round++) {
    int middle[3], noise = g_rand_int_range (rand, 1, 16);
    for (int axis = 0; axis < 3; axis++)
      middle[axis] = round < 8 ? (round >> axis & 1) * 31 : g_rand_int_range (rand, 0, 32);
    fs_colour_table_clear (table);
    for (int i = g_rand_int_range (rand, 1, 60); i > 0; i--) {
      FsColourPlace place = { .node = 0 };
      for (int axis = 0; axis < 3; axis++) {
        int node = middle[axis] + g_rand_int_range (rand, -noise, noise + 1);
        place.node = (uint16_t)(place.node * 32 + CLAMP (node, 0, 30));
        place.fraction[axis] = (uint16_t)g_rand_int_range (rand, 0, 257);
      }
      fs_colour_table_add (table, place, (uint64_t)g_rand_int_range (rand, 1, FS_COLOUR_WEIGHT));
    }
    fs_colour_table_smooth (table);
    smooth_slowly (table, expected);
    g_assert_cmpmem (table->density, sizeof table->density, expected, sizeof table->density);
  }
}

static void
test_two_at_once (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autofree FsColourTable *first = g_new (FsColourTable, 1), *second = g_new (FsColourTable, 1);
  FsColourTable *const both[2] = { first, second };
  for (int side = 0; side < 2; side++) {
    fs_colour_table_clear (both[side]);
    for (int i = 0; i < 500; i++)
      fs_colour_table_add (both[side], fs_colour_place (random_lab (rand)), FS_COLOUR_WEIGHT);
    fs_colour_table_smooth (both[side]);
  }
  for (int i = 0; i < 2000; i++) {
    double density[2];
    FsColourPlace place = fs_colour_place (random_lab (rand));
    fs_colour_tables_look_up (both, place, density);
    for (int side = 0; side < 2; side++) {
      double alone = fs_colour_table_look_up (both[side], place);
      g_assert_cmpmem (&density[side], sizeof alone, &alone, sizeof alone);
    }
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
random_image (GRand *rand, int w, int h, int noise)
{
  FsImage *image = fs_image_new (w, h);
  uint32_t c[3] = { 120, 130, 100 };
  for (int i = 0; i < w * h; i++) {
    for (int k = 0; k < 3; k++)
      c[k] = (uint32_t)CLAMP ((int)c[k] + g_rand_int_range (rand, -noise, noise + 1), 0, 255);
    image->pixels[i] = FS_PIXEL (255, c[0], c[1], c[2]);
  }
  return image;
}

static double
expected_nlink (const FsPhotoTerms *terms, uint32_t p, uint32_t q, FsDirection d, double mean)
{
  double length = d >= FS_DIRECTION_SE ? sqrt (2) : 1;
  if (terms->settings.model == FS_MODEL_GEODESIC)
    return FS_NAT_SCALE * recipe_nlink (p, q, length, mean);
  double r = FS_PIXEL_R (p) - FS_PIXEL_R (q), g = FS_PIXEL_G (p) - FS_PIXEL_G (q);
  double b = FS_PIXEL_B (p) - FS_PIXEL_B (q);
  return FS_NAT_SCALE * 50 * exp (-(r * r + g * g + b * b) / (2 * mean)) / length;
}

/* Lab is rounded, RGB is not. */
static void
check_nlinks (const FsPhotoTerms *terms)
{
  const FsImage *image = terms->image;
  FsGrid grid = { image->width, image->height, terms->settings.neighbours };
  gboolean is_lab = terms->settings.model == FS_MODEL_GEODESIC;
  double mean = is_lab ? recipe_mean_difference2 (image, (int)terms->settings.neighbours)
                       : fs_contrast_mean (image, fs_photo_terms_n_directions (terms));
  for (int i = 0; i < image->width * image->height; i++)
    for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
      int x = i % image->width, y = i / image->width;
      if (!fs_grid_has_neighbour (&grid, x, y, (FsDirection)d)) {
        g_assert_cmpint (terms->nlink[d][i], ==, 0);
        continue;
      }
      double w = expected_nlink (terms, image->pixels[i],
                                 image->pixels[i + fs_grid_step (&grid, d)], (FsDirection)d, mean);
      g_assert_cmpfloat (fabs (terms->nlink[d][i] - w), <=, is_lab ? 1 + 0.04 * w : 0.5001);
    }
}

/* What is read without planes, pieces of rows, is what the planes hold; what was there before is
 * gone. */
static void
check_reads (GRand *rand, FsPhotoTerms *terms)
{
  g_autoptr (FsPhotoTerms) implicit =
      fs_photo_terms_new_implicit (terms->image, &terms->settings, terms->model, NULL, NULL);
  int w = terms->image->width, h = terms->image->height;
  uint16_t read[FS_N_DIRECTIONS][30];
  uint16_t *out[FS_N_DIRECTIONS] = { read[0], read[1], read[2], read[3] };
  for (int i = 0; i < 20; i++) {
    int y = g_rand_int_range (rand, 0, h), x0 = g_rand_int_range (rand, 0, w);
    int n = g_rand_int_range (rand, 1, MIN (30, w - x0) + 1);
    memset (read, 0xff, sizeof read);
    fs_nlinks_read (implicit, y, x0, n, out);
    for (int d = 0; d < fs_photo_terms_n_directions (terms); d++)
      g_assert_cmpmem (read[d], (size_t)n * sizeof read[d][0], terms->nlink[d] + y * w + x0,
                       (size_t)n * sizeof read[d][0]);
  }
}

/* The same of rectangles: links that leave them are 0. */
static void
check_reads_among (GRand *rand, FsPhotoTerms *terms)
{
  g_autoptr (FsPhotoTerms) implicit =
      fs_photo_terms_new_implicit (terms->image, &terms->settings, terms->model, NULL, NULL);
  const FsGrid grid = { terms->image->width, terms->image->height, terms->settings.neighbours };
  uint16_t read[FS_N_DIRECTIONS][FS_GRID_LINKS_MAX];
  uint16_t *out[FS_N_DIRECTIONS] = { read[0], read[1], read[2], read[3] };
  for (int i = 0; i < 20; i++) {
    int x0 = g_rand_int_range (rand, 0, grid.width), y0 = g_rand_int_range (rand, 0, grid.height);
    int w = g_rand_int_range (rand, 1, MIN (11, grid.width - x0) + 1);
    int h = g_rand_int_range (rand, 1, MIN (11, grid.height - y0) + 1);
    memset (read, 0xff, sizeof read);
    fs_nlinks_read_among (implicit, x0, y0, w, h, out);
    for (int p = 0; p < w * h; p++)
      for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
        int x = p % w + fs_direction_dx ((FsDirection)d),
            y = p / w + fs_direction_dy ((FsDirection)d);
        gboolean stays = x >= 0 && x < w && y < h;
        g_assert_cmpint (read[d][p], ==,
                         stays ? terms->nlink[d][(y0 + p / w) * grid.width + x0 + p % w] : 0);
      }
  }
}

/* All that occur, in order; there may be others. */
static void
check_bins (const FsPhotoTerms *terms)
{
  for (int p = 0; p < terms->image->width * terms->image->height; p++) {
    uint32_t bin = fs_colour_bin (terms->image->pixels[p]), i = 0;
    while (i < terms->n_bins && terms->bins[i] < bin)
      i++;
    g_assert_true (i < terms->n_bins && terms->bins[i] == bin);
  }
  for (uint32_t i = 1; i < terms->n_bins; i++)
    g_assert_cmpuint (terms->bins[i - 1], <, terms->bins[i]);
}

static void
test_nlinks (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  for (int trial = 0; trial < 60; trial++) {
    int w = g_rand_int_range (rand, 1, 30), h = g_rand_int_range (rand, 1, 30);
    g_autoptr (FsImage) image = random_image (rand, w, h, 8 + trial);
    image->pixels[w * h - 1] = trial % 7 ? image->pixels[0] : 0xffffffffu;
    FsSettings settings = FS_SETTINGS_DEFAULT;
    settings.neighbours = trial % 2 ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4;
    settings.model = trial % 3 ? FS_MODEL_GEODESIC : FS_MODEL_GMM;
    g_autoptr (FsPhotoTerms) terms = new_photo_terms (image, &settings);
    check_nlinks (terms);
    check_reads (rand, terms);
    check_reads_among (rand, terms);
    check_bins (terms);
  }
}

/* Blocks of eight rows, as JPEG leaves them: what lies across their borders differs most. */
static FsImage *
blocky_image (GRand *rand, int w, int h)
{
  FsImage *image = fs_image_new (w, h);
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      image->pixels[y * w + x] =
          (uint32_t)(y / 8 % 2 * 40 + g_rand_int_range (rand, 0, 8)) * 0x10101;
  return image;
}

/* Over all rows, as lab.h has colours. */
static double
mean_difference2 (const FsImage *image)
{
  int w = image->width, h = image->height;
  FsGrid grid = { w, h, FS_NEIGHBOURS_8 };
  g_autofree FsLab *lab = g_new (FsLab, w * h);
  fs_lab_from_pixels (image->pixels, (size_t)w * (size_t)h, lab);
  double sum = 0, n = 0;
  for (int i = 0; i < w * h; i++)
    for (int d = 0; d < FS_N_DIRECTIONS; d++)
      if (fs_grid_has_neighbour (&grid, i % w, i / w, (FsDirection)d)) {
        sum += fs_lab_distance2 (lab[i], lab[i + fs_grid_step (&grid, d)]);
        n++;
      }
  return sum / n;
}

/* The mean that a table was made with. */
static double
mean_of_table (const FsPhotoTerms *terms, double nlink_max)
{
  double root = log (nlink_max / terms->tables.straight[64]) / 2;
  return fs_lab_contrast_middle (64) / (root * root);
}

/* Of a large photo a few rows say what the mean is, those across blocks' borders among them, and
 * with planes or without it is the same. */
static void
test_sampled_mean (void)
{
  static const int sizes[][2] = { { 400, 300 }, { 700, 800 }, { 1000, 1100 }, { 1500, 1200 } };
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  for (size_t i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (FsImage) image = blocky_image (rand, sizes[i][0], sizes[i][1]);
    FsSettings settings = FS_SETTINGS_DEFAULT;
    g_autoptr (FsPhotoTerms) terms = new_photo_terms (image, &settings);
    const FsGeodesicPhoto *photo = terms->model_photo;
    double mean = mean_of_table (terms, photo->nlink_max);
    g_assert_cmpfloat (fabs (mean / mean_difference2 (image) - 1), <=, 0.03);
    g_autoptr (FsPhotoTerms) implicit =
        fs_photo_terms_new_implicit (image, &settings, terms->model, NULL, NULL);
    size_t bytes = FS_LAB_CONTRAST_ENTRIES * sizeof *implicit->tables.straight;
    g_assert_cmpmem (implicit->tables.straight, bytes, terms->tables.straight, bytes);
    check_reads (rand, terms);
    check_reads_among (rand, terms);
    check_bins (terms);
  }
}

/* A photo, the photo reduced and the photo as one pixel a cell have the same cells, made once. */
static void
test_cells_are_shared (void)
{
  static const int sizes[][2] = { { 200, 100 }, { 400, 300 }, { 901, 700 } };
  for (int i = 0; i < (int)G_N_ELEMENTS (sizes); i++) {
    g_autoptr (FsImage) image = fs_image_new (sizes[i][0], sizes[i][1]);
    FsSettings settings = FS_SETTINGS_DEFAULT;
    g_autoptr (FsPhotoTerms) terms = new_photo_terms (image, &settings);
    const FsGeodesicPhoto *photo = terms->model_photo;
    int n_scenes = 1;
    for (const FsPhotoTerms *below = terms; below;) {
      const FsGeodesicPhoto *other = below->model_photo;
      below = other->reduced ? other->reduced : other->cells;
      g_assert_true (other->level->lab == photo->level->lab && other->of_cell == photo->of_cell);
      g_assert_cmpint (other->own_of_cell != NULL, ==, below == NULL);
      n_scenes += below != NULL;
    }
    g_assert_cmpint (n_scenes, ==, i + 1);
  }
}

/* Both tables of RGB, entry by entry: to the nearest, halves up. */
static void
test_contrast_tables (void)
{
  const double weight = 64000, beta = 1e-3;
  g_autofree FsContrastTable *lazy = fs_contrast_table_new (weight);
  g_autofree FsContrastTable *gaussian = fs_contrast_table_new_gaussian (weight, beta);
  for (int d2 = 0; d2 <= FS_CONTRAST_D2_MAX; d2++) {
    double l = weight / (1 + d2), g = weight * exp (-beta * d2);
    g_assert_cmpint (lazy->straight[d2], ==, lround (fmin (l, FS_NLINK_MAX)));
    g_assert_cmpint (lazy->diagonal[d2], ==, lround (fmin (l / sqrt (2), FS_NLINK_MAX)));
    g_assert_cmpfloat (fabs (gaussian->straight[d2] - fmin (g, FS_NLINK_MAX)), <=, 0.5001);
    g_assert_cmpfloat (fabs (gaussian->diagonal[d2] - fmin (g / sqrt (2), FS_NLINK_MAX)), <=,
                       0.5001);
  }
  g_assert_cmpint (lazy->straight[25599], ==, 3); /* of 2.5 */
}

/* The mean of squared RGB differences, pair by pair. */
static void
test_mean_contrast (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  for (int trial = 0; trial < 30; trial++) {
    int w = g_rand_int_range (rand, 1, 20), h = g_rand_int_range (rand, 1, 20);
    g_autoptr (FsImage) image = random_image (rand, w, h, trial % 5 == 0 ? 0 : 40);
    FsGrid grid = { w, h, FS_NEIGHBOURS_8 };
    double sum = 0, n = 0;
    for (int i = 0; i < w * h; i++)
      for (int d = 0; d < 4; d++) {
        if (!fs_grid_has_neighbour (&grid, i % w, i / w, (FsDirection)d))
          continue;
        uint32_t p = image->pixels[i], q = image->pixels[i + fs_grid_step (&grid, d)];
        sum += pow (FS_PIXEL_R (p) - FS_PIXEL_R (q), 2) + pow (FS_PIXEL_G (p) - FS_PIXEL_G (q), 2)
               + pow (FS_PIXEL_B (p) - FS_PIXEL_B (q), 2);
        n++;
      }
    double expected = n > 0 ? fmax (sum / n, 1.0 / 3) : 1.0 / 3;
    g_assert_cmpfloat (fabs (fs_contrast_mean (image, 4) - expected), <=, 1e-9 * expected);
  }
}

/* --- mixtures --- */

static void
histogram_of_all_bins (FsColourHistogram *histogram, uint32_t **bins)
{
  *bins = g_new (uint32_t, FS_COLOUR_BINS);
  for (uint32_t bin = 0; bin < FS_COLOUR_BINS; bin++)
    (*bins)[bin] = bin;
  fs_colour_histogram_init (histogram, *bins, FS_COLOUR_BINS);
}

/* One colour alone is a Gaussian as wide as its bin. */
static void
test_mixture_of_one_colour (void)
{
  g_autofree uint32_t *bins = NULL;
  FsColourHistogram histogram;
  histogram_of_all_bins (&histogram, &bins);
  for (int i = 0; i < 7; i++)
    fs_colour_histogram_add (&histogram, 0xff408020);
  FsGmm gmm;
  fs_gmm_fit (&gmm, &histogram, 3);
  g_assert_cmpint (gmm.n_components, ==, 1);
  double variance = 16.0 / 12, peak = -1.5 * log (2 * G_PI * variance);
  uint32_t bin = fs_colour_bin (0xff408020);
  g_assert_cmpfloat (fabs (fs_gmm_log_density (&gmm, bin) - peak), <=, 1e-9);
  g_assert_cmpfloat (fabs (fs_gmm_log_density (&gmm, bin + 2) - (peak - 64 / (2 * variance))), <=,
                     1e-9);
  fs_colour_histogram_clear (&histogram);
}

/* Three slanted blots: the mixture sums to 1 over all colours, its means are the blots', and it
 * does not depend on the order of the samples. */
static void
test_mixture_of_blots (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (6);
  g_autofree uint32_t *bins = NULL;
  FsColourHistogram histogram;
  histogram_of_all_bins (&histogram, &bins);
  static const int centre[3][3] = { { 60, 70, 190 }, { 180, 80, 60 }, { 120, 180, 120 } };
  for (int i = 0; i < 30000; i++) {
    int u = g_rand_int_range (rand, -18, 19), v = g_rand_int_range (rand, -9, 10);
    const int *c = centre[i % 3];
    fs_colour_histogram_add (&histogram,
                             FS_PIXEL (255, (uint32_t)(c[0] + u), (uint32_t)(c[1] + u / 2 + v),
                                       (uint32_t)(c[2] - v)));
  }
  FsGmm gmm, again;
  fs_gmm_fit (&gmm, &histogram, 5);
  fs_gmm_fit (&again, &histogram, 5);
  g_assert_cmpmem (&gmm, sizeof gmm, &again, sizeof again);
  double sum = 0, near = 0;
  for (uint32_t bin = 0; bin < FS_COLOUR_BINS; bin++) {
    double mass = 64 * exp (fs_gmm_log_density (&gmm, bin));
    sum += mass;
    for (int k = 0; k < 3; k++) {
      double d2 = 0;
      for (int j = 0; j < 3; j++)
        d2 += pow (fs_colour_bin_centre (bin, j) / 4.0 - centre[k][j], 2);
      near += d2 < 40 * 40 ? mass : 0;
    }
  }
  g_assert_cmpfloat (fabs (sum - 1), <=, 0.02);
  g_assert_cmpfloat (near, >=, 0.95);
  fs_colour_histogram_clear (&histogram);
}

/* Without contrast every link is as strong as links get. */
static void
test_nlinks_of_one_colour (void)
{
  g_autoptr (FsImage) image = fs_image_new (9, 7);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.model = FS_MODEL_GEODESIC;
  g_autoptr (FsPhotoTerms) terms = new_photo_terms (image, &settings);
  g_assert_cmpint (terms->nlink[FS_DIRECTION_E][0], ==, 55 * 64);
  g_assert_cmpint (terms->nlink[FS_DIRECTION_SE][0], ==, lround (55 * 64 / sqrt (2)));
  g_autoptr (FsImage) large = fs_image_new (1600, 1000);
  g_autoptr (FsPhotoTerms) other = new_photo_terms (large, &settings);
  g_assert_cmpint (other->nlink[FS_DIRECTION_E][0], ==, 2 * 55 * 64);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/tables/exact-math", test_exact_math);
  g_test_add_func ("/tables/places", test_places);
  g_test_add_func ("/tables/densities-sum-to-one", test_densities_sum_to_one);
  g_test_add_func ("/tables/one-sample", test_one_sample);
  g_test_add_func ("/tables/smoothing-to-the-bit", test_smoothing_to_the_bit);
  g_test_add_func ("/tables/two-at-once", test_two_at_once);
  g_test_add_func ("/tables/contrast-entries", test_contrast_entries);
  g_test_add_func ("/tables/nlinks", test_nlinks);
  g_test_add_func ("/tables/sampled-mean", test_sampled_mean);
  g_test_add_func ("/tables/cells-are-shared", test_cells_are_shared);
  g_test_add_func ("/tables/nlinks-of-one-colour", test_nlinks_of_one_colour);
  g_test_add_func ("/tables/contrast-tables", test_contrast_tables);
  g_test_add_func ("/tables/mean-contrast", test_mean_contrast);
  g_test_add_func ("/tables/mixture-of-one-colour", test_mixture_of_one_colour);
  g_test_add_func ("/tables/mixture-of-blots", test_mixture_of_blots);
  return g_test_run ();
}
