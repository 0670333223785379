/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/upsample.h"
#include "energy/image/reduced_image.h"
#include "tests/energy/geodesic/geodesic_cases.h"

#include <math.h>
#include <string.h>

static FsRect
block_of (const FsGeodesicLevel *level, int x, int y)
{
  int side = 1 << level->shift;
  return (FsRect){ x * side, y * side, MIN ((x + 1) * side, level->photo_width),
                   MIN ((y + 1) * side, level->photo_height) };
}

/* --- Colours and costs ------------------------------------------------------------------------ */

static void
check_colour (const FsCase *c, int x, int y)
{
  FsRect r = block_of (c->level, x, y);
  double sum[3] = { 0, 0, 0 };
  for (int v = r.y0; v < r.y1; v++)
    for (int u = r.x0; u < r.x1; u++) {
      uint32_t pixel = c->image->pixels[v * c->image->width + u];
      sum[0] += FS_PIXEL_R (pixel);
      sum[1] += FS_PIXEL_G (pixel);
      sum[2] += FS_PIXEL_B (pixel);
    }
  int n = (r.x1 - r.x0) * (r.y1 - r.y0);
  uint32_t mean = FS_PIXEL (255, (uint32_t)floor (sum[0] / n + 0.5),
                            (uint32_t)floor (sum[1] / n + 0.5), (uint32_t)floor (sum[2] / n + 0.5));
  FsLab lab;
  fs_lab_from_pixels (&mean, 1, &lab);
  g_assert_cmpmem (&lab, sizeof lab, &c->level->lab[fs_geodesic_cell (c->level, x, y)], sizeof lab);
}

static gboolean
has_cell (const FsGeodesicLevel *level, int x, int y)
{
  return x >= 0 && y >= 0 && x < level->width && y < level->height;
}

static double
difference2 (const FsGeodesicLevel *level, int x, int y, int d)
{
  return fs_lab_distance2 (
      level->lab[fs_geodesic_cell (level, x, y)],
      level->lab[fs_geodesic_cell (level, x + fs_arc_dx (d), y + fs_arc_dy (d))]);
}

static double
mean_difference2 (const FsGeodesicLevel *level)
{
  double sum = 0, n = 0;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++)
      for (int d = 0; d < FS_N_ARCS; d++)
        if (has_cell (level, x + fs_arc_dx (d), y + fs_arc_dy (d))) {
          sum += difference2 (level, x, y, d);
          n++;
        }
  return n > 0 ? sum / n : 0;
}

/* The cost straight from the formula. */
static void
check_cost (const FsGeodesicLevel *level, int x, int y, int d, double mean)
{
  static const double mus[FS_GEODESIC_N_MUS] = { 0.5, 0.4 };
  for (int i = 0; i < FS_GEODESIC_N_MUS; i++) {
    int cost = level->costs[i][fs_geodesic_cell (level, x, y)].to[d];
    if (!has_cell (level, x + fs_arc_dx (d), y + fs_arc_dy (d))) {
      g_assert_cmpint (cost, ==, 0);
      continue;
    }
    double length2 = fs_arc_dx (d) != 0 && fs_arc_dy (d) != 0 ? 2 : 1;
    double contrast = mean > 0 ? difference2 (level, x, y, d) / mean : 0;
    double exact = FS_GEODESIC_UNIT * sqrt ((1 - mus[i]) * length2 + mus[i] * contrast);
    g_assert_cmpfloat (fabs (cost - fmin (exact, FS_GEODESIC_COST_MAX)), <=, 0.51);
  }
}

static void
test_level (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (21);
  for (int trial = 0; trial < 150; trial++) {
    FsCase c;
    fs_case_init (&c, rand, trial % 10 ? 40 : 200, FS_GEODESIC_SHIFT_MAX);
    double mean = mean_difference2 (c.level);
    for (int y = 0; y < c.level->height; y++)
      for (int x = 0; x < c.level->width; x++) {
        uint32_t cell = fs_geodesic_cell (c.level, x, y);
        g_assert_cmpint (fs_geodesic_cell_x (c.level, cell), ==, x);
        g_assert_cmpint (fs_geodesic_cell_y (c.level, cell), ==, y);
        check_colour (&c, x, y);
        for (int d = 0; d < FS_N_ARCS; d++)
          check_cost (c.level, x, y, d, mean);
      }
    fs_case_clear (&c);
  }
}

/* One speck on a plain ground: its edges would cost hundreds of cells. At this size an uncut square
 * of such a cost would just exceed 64 bits, and come out small. */
static void
test_cost_is_cut (void)
{
  g_autoptr (FsImage) image = fs_image_new (513, 513);
  image->pixels[200 * 513 + 200] = 0xffffffff;
  g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new (image, 0);
  uint32_t speck = fs_geodesic_cell (level, 200, 200);
  for (int d = 0; d < FS_N_ARCS; d++)
    g_assert_cmpint (level->costs[FS_GEODESIC_MU_DISTANCES][speck].to[d], ==, FS_GEODESIC_COST_MAX);
  uint32_t ground = fs_geodesic_cell (level, 10, 10);
  g_assert_cmpint (level->costs[FS_GEODESIC_MU_DISTANCES][ground].to[FS_DIRECTION_E], ==, 181);
  g_assert_cmpint (level->costs[FS_GEODESIC_MU_STAR][ground].to[FS_DIRECTION_SE], ==, 280);
}

static void
test_shift (void)
{
  g_assert_cmpint (fs_geodesic_shift (640, 480, FS_GEODESIC_CELLS), ==, 1);
  g_assert_cmpint (fs_geodesic_shift (1024, 768, FS_GEODESIC_CELLS), ==, 2);
  g_assert_cmpint (fs_geodesic_shift (4000, 3000, FS_GEODESIC_CELLS), ==, 4);
  g_assert_cmpint (fs_geodesic_shift (100, 100, 10000), ==, 0);
  g_assert_cmpint (fs_geodesic_shift (100, 101, 10000), ==, 1);
  g_assert_cmpint (fs_geodesic_shift (1 << 20, 1, 1), ==, FS_GEODESIC_SHIFT_MAX);
  g_autoptr (FsImage) ribbon = fs_image_new (600000, 1);
  g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new (ribbon, 0);
  g_assert_cmpint (level->shift, ==, 2);
  g_assert_cmpint (level->width, ==, 150000);
}

static FsImage *
random_image (GRand *rand, int max)
{
  int w = g_rand_int_range (rand, 1, max), h = g_rand_int_range (rand, 1, max);
  FsImage *image = fs_image_new (w, h);
  for (int i = 0; i < w * h; i++)
    image->pixels[i] = 0xff000000 | g_rand_int (rand);
  return image;
}

/* A larger photo's level has the geometry of its own and the planes of the other, even when that is
 * given back first. */
static void
test_like (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (22);
  for (int trial = 0; trial < 200; trial++) {
    g_autoptr (FsImage) image = random_image (rand, 90);
    int more = g_rand_int_range (rand, 0, 4), shift = g_rand_int_range (rand, 0, 4);
    g_autoptr (FsImage) reduced = fs_image_reduce (image, more);
    FsGeodesicLevel *other = fs_geodesic_level_new (reduced, shift);
    FsLab *lab = other->lab;
    FsGeodesicCosts *costs = other->costs[FS_GEODESIC_MU_STAR];
    FsLab last = lab[other->n_plane / 2];
    g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new_like (image, other, more);
    fs_geodesic_level_unref (other);
    g_autoptr (FsGeodesicLevel) own = fs_geodesic_level_new (image, shift + more);
    g_assert_true (level->lab == lab && level->costs[FS_GEODESIC_MU_STAR] == costs);
    g_assert_cmpmem (&lab[level->n_plane / 2], sizeof last, &last, sizeof last);
    g_assert_cmpint (level->photo_width, ==, image->width);
    g_assert_cmpint (level->photo_height, ==, image->height);
    g_assert_cmpint (level->shift, ==, own->shift);
    g_assert_cmpint (level->width, ==, own->width);
    g_assert_cmpint (level->height, ==, own->height);
    g_assert_cmpint (level->stride, ==, own->stride);
    g_assert_cmpuint (level->n_plane, ==, own->n_plane);
    g_assert_cmpint (level->diagonal, ==, own->diagonal);
    g_assert_cmpuint (level->n_edges, ==, own->n_edges);
  }
}

static void
test_like_refuses_other_cells (void)
{
  g_autoptr (FsImage) image = fs_image_new (33, 16);
  g_autoptr (FsImage) half = fs_image_new (16, 8); /* 17 × 8 would be */
  g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new (half, 0);
  g_assert_null (fs_geodesic_level_new_like (image, level, 1));
  g_autoptr (FsImage) large = fs_image_new (128, 128);
  g_autoptr (FsImage) reduced = fs_image_reduce (large, 1);
  g_autoptr (FsGeodesicLevel) coarsest = fs_geodesic_level_new (reduced, FS_GEODESIC_SHIFT_MAX);
  g_assert_null (fs_geodesic_level_new_like (large, coarsest, 1));
}

/* --- Upsampling ------------------------------------------------------------------------------- */

static int32_t *
random_plane (GRand *rand, const FsGeodesicLevel *level)
{
  int bits = g_rand_int_range (rand, 2, 30);
  int32_t *plane = g_new (int32_t, level->n_plane);
  for (size_t i = 0; i < level->n_plane; i++)
    plane[i] = g_rand_int_range (rand, -(1 << bits) + 1, 1 << bits);
  return plane;
}

/* In real numbers, cell middles at (X + ½)·2^k. */
static double
exact_upsample (const FsGeodesicLevel *level, const int32_t *plane, int x, int y)
{
  double side = 1 << level->shift;
  double u = CLAMP ((x + 0.5) / side - 0.5, 0, level->width - 1.0);
  double v = CLAMP ((y + 0.5) / side - 0.5, 0, level->height - 1.0);
  int cx = MIN ((int)u, MAX (0, level->width - 2)), cy = MIN ((int)v, MAX (0, level->height - 2));
  double row[2];
  for (int i = 0; i < 2; i++) {
    int at_y = MIN (cy + i, level->height - 1);
    double a = plane[fs_geodesic_cell (level, cx, at_y)];
    double b = plane[fs_geodesic_cell (level, MIN (cx + 1, level->width - 1), at_y)];
    row[i] = a + (b - a) * (u - cx);
  }
  return row[0] + (row[1] - row[0]) * (v - cy);
}

static void
check_upsampled_row (GRand *rand, const FsGeodesicLevel *level, const int32_t *plane, int y)
{
  int w = level->photo_width;
  g_autofree int32_t *row = g_new (int32_t, w);
  int middle = g_rand_int_range (rand, 0, w + 1);
  fs_geodesic_upsample_row (level, plane, y, 0, middle, row);
  fs_geodesic_upsample_row (level, plane, y, middle, w, row + middle);
  for (int x = 0; x < w; x++) {
    g_assert_cmpint (row[x], ==, fs_geodesic_upsample (level, plane, (uint32_t)(y * w + x)));
    g_assert_cmpfloat (fabs (row[x] - exact_upsample (level, plane, x, y)), <=, 1.001);
  }
}

static void
test_upsample (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (22);
  for (int trial = 0; trial < 200; trial++) {
    FsCase c;
    fs_case_init (&c, rand, 60, 5);
    g_autofree int32_t *plane = random_plane (rand, c.level);
    for (int y = 0; y < c.level->photo_height; y++)
      check_upsampled_row (rand, c.level, plane, y);
    fs_case_clear (&c);
  }
}

/* Covers pixels by rectangles; each may lie in one only. */
static uint8_t *
cover (const FsGeodesicLevel *level, const GArray *rects)
{
  int w = level->photo_width;
  uint8_t *covered = g_malloc0 ((gsize)w * (gsize)level->photo_height);
  for (guint i = 0; i < rects->len; i++) {
    FsRect r = g_array_index (rects, FsRect, i);
    g_assert_true (r.x0 >= 0 && r.y0 >= 0 && r.x1 <= w && r.y1 <= level->photo_height);
    g_assert_false (fs_rect_is_empty (r));
    for (int y = r.y0; y < r.y1; y++)
      for (int x = r.x0; x < r.x1; x++)
        g_assert_cmpint (covered[y * w + x]++, ==, 0);
  }
  return covered;
}

static void
test_touched_pixels (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (23);
  for (int trial = 0; trial < 400; trial++) {
    FsCase c;
    fs_case_init (&c, rand, 70, 4);
    g_autofree int32_t *before = random_plane (rand, c.level);
    g_autofree int32_t *after = g_memdup2 (before, c.level->n_plane * sizeof *before);
    g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    for (int i = g_rand_int_range (rand, 0, 7); i > 0; i--) {
      uint32_t cell = fs_geodesic_cell (c.level, g_rand_int_range (rand, 0, c.level->width),
                                        g_rand_int_range (rand, 0, c.level->height));
      after[cell] = g_rand_int_range (rand, -(1 << 29), 1 << 29);
      g_array_append_val (cells, cell);
    }
    g_autoptr (GArray) rects = g_array_new (FALSE, FALSE, sizeof (FsRect));
    fs_geodesic_touched_pixels (c.level, (const uint32_t *)(gpointer)cells->data, cells->len,
                                rects);
    g_autofree uint8_t *covered = cover (c.level, rects);
    for (int p = 0; p < c.image->width * c.image->height; p++)
      if (fs_geodesic_upsample (c.level, before, (uint32_t)p)
          != fs_geodesic_upsample (c.level, after, (uint32_t)p))
        g_assert_true (covered[p]);
    fs_case_clear (&c);
  }
}

/* --- Sources ---------------------------------------------------------------------------------- */

static uint8_t
naive_bits (const FsCase *c, int x, int y)
{
  FsRect r = block_of (c->level, x, y);
  int w = c->level->photo_width, h = c->level->photo_height;
  uint8_t bits = 0;
  for (int v = r.y0; v < r.y1; v++)
    for (int u = r.x0; u < r.x1; u++) {
      uint8_t label = c->seeds->label[v * w + u];
      bits |= label == 0 ? 0 : label == FS_SEED_BACKGROUND ? FS_CELL_BACKGROUND : FS_CELL_OBJECT;
      if (u < 3 || v < 3 || u >= w - 3 || v >= h - 3)
        bits |= FS_CELL_FRAME;
    }
  return bits;
}

static void
check_bits (const FsCase *c)
{
  for (int y = 0; y < c->level->height; y++)
    for (int x = 0; x < c->level->width; x++)
      g_assert_cmpint (c->sources->bits[fs_geodesic_cell (c->level, x, y)], ==,
                       naive_bits (c, x, y));
}

static void
check_changed_bits (const FsCase *c, const uint8_t *before)
{
  size_t n_changed = 0;
  for (size_t i = 0; i < c->level->n_plane; i++)
    n_changed += before[i] != c->sources->bits[i];
  g_assert_cmpuint (n_changed, ==, c->cells->len);
  for (guint i = 0; i < c->cells->len; i++) {
    uint32_t cell = g_array_index (c->cells, uint32_t, i);
    g_assert_cmpint (before[cell], !=, c->sources->bits[cell]);
  }
}

static void
test_sources (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (24);
  for (int trial = 0; trial < 150; trial++) {
    FsCase c;
    fs_case_init (&c, rand, 60, 4);
    for (int edit = 0; edit < 12; edit++) {
      g_autofree uint8_t *before = g_memdup2 (c.sources->bits, c.level->n_plane);
      fs_case_play (&c, rand);
      check_bits (&c);
      check_changed_bits (&c, before);
    }
    for (int edit = 0; edit < 6; edit++) {
      fs_case_edit (rand, c.seeds, NULL);
      fs_geodesic_sources_set (c.sources, c.seeds);
      check_bits (&c);
    }
    fs_case_clear (&c);
  }
}

static void
test_stroke_bits (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (25);
  FsCase c;
  fs_case_init (&c, rand, 60, 2);
  const uint32_t pixels[] = { 0, 0, (uint32_t)(c.image->width * c.image->height - 1) };
  g_autoptr (GArray) marked = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  fs_geodesic_sources_mark_stroke (c.sources, pixels, G_N_ELEMENTS (pixels), marked);
  g_assert_cmpuint (marked->len, ==, c.level->width * c.level->height > 1 ? 2 : 1);
  g_assert_true (c.sources->bits[g_array_index (marked, uint32_t, 0)] & FS_CELL_STROKE);
  fs_case_play (&c, rand);
  g_assert_true (c.sources->bits[g_array_index (marked, uint32_t, 0)] & FS_CELL_STROKE);
  fs_geodesic_sources_clear_stroke (c.sources);
  check_bits (&c);
  fs_case_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/geodesic-level/colours-and-costs", test_level);
  g_test_add_func ("/geodesic-level/cost-is-cut", test_cost_is_cut);
  g_test_add_func ("/geodesic-level/shift", test_shift);
  g_test_add_func ("/geodesic-level/like", test_like);
  g_test_add_func ("/geodesic-level/like-refuses-other-cells", test_like_refuses_other_cells);
  g_test_add_func ("/geodesic-level/upsample", test_upsample);
  g_test_add_func ("/geodesic-level/touched-pixels", test_touched_pixels);
  g_test_add_func ("/geodesic-level/sources", test_sources);
  g_test_add_func ("/geodesic-level/stroke-bits", test_stroke_bits);
  return g_test_run ();
}
