/* SPDX-License-Identifier: MIT */
/* The colours of each place of a border against their definition, two passes over the cells for
 * each tile; and what they say of pixels that are mixed. */
#include "energy/refine/local_colours.h"

#include "energy/energy.h"

#include <math.h>
#include <string.h>

/* A photo on a level of its own, with a border somewhere down the middle. */
typedef struct {
  FsImage *image;
  FsGeodesicLevel *level;
  uint8_t *side;
  int32_t *distance;
  int n_cells;
} Case;

static const FsImage *
fill_image (FsImage *image, GRand *rand)
{
  for (int i = 0; i < image->width * image->height; i++) {
    int x = i % image->width;
    uint32_t noise = (uint32_t)g_rand_int_range (rand, 0, 30);
    uint32_t ground = 60 + (uint32_t)(i / image->width * 100 / image->height);
    image->pixels[i] = 2 * x < image->width ? FS_PIXEL (255, 200, 90 + noise, 70)
                                            : FS_PIXEL (255, 60 + noise, ground, ground + noise);
  }
  return image;
}

static void
case_init (Case *c, GRand *rand, int w, int h, int shift)
{
  *c = (Case){ .image = fs_image_new (w, h) };
  fill_image (c->image, rand);
  c->level = fs_geodesic_level_new (c->image, shift);
  c->n_cells = c->level->width * c->level->height;
  c->side = g_malloc ((gsize)c->n_cells);
  c->distance = g_new (int32_t, c->n_cells);
  int middle = c->level->width / 2;
  for (int i = 0; i < c->n_cells; i++) {
    int x = i % c->level->width;
    c->side[i] = x == middle ? 2 : x < middle;
    c->distance[i] = ABS (x - middle) * FS_GEODESIC_UNIT;
  }
}

static void
case_clear (Case *c)
{
  fs_image_unref (c->image);
  fs_geodesic_level_unref (c->level);
  g_free (c->side);
  g_free (c->distance);
}

static int32_t
weigh (const Case *c, const FsLocalColours *colours, int x, int y)
{
  return fs_local_colours_weigh (colours, c->level, x, y,
                                 c->image->pixels[y * c->image->width + x]);
}

/* --- the definition --- */

typedef struct {
  double weight, mean[3], covariance[3][3];
} RelabelStep;

static double
weight_of_cell (const Case *c, int cell, int side, int size, int tx, int ty)
{
  int x = cell % c->level->width / size, y = cell / c->level->width / size;
  gboolean far = c->distance[cell] > (int32_t)floor (0.005 * c->level->diagonal)
                 && c->distance[cell] > FS_GEODESIC_UNIT / 2;
  return c->side[cell] != side || !far || ABS (x - tx) > 1 || ABS (y - ty) > 1
             ? 0
             : (2 - ABS (x - tx)) * (2 - ABS (y - ty));
}

static void
colour_of_cell (const Case *c, int cell, double v[3])
{
  FsLab lab =
      c->level->lab[fs_geodesic_cell (c->level, cell % c->level->width, cell / c->level->width)];
  v[0] = lab.l / 16.0;
  v[1] = lab.a / 16.0;
  v[2] = lab.b / 16.0;
}

static RelabelStep
relabel_tile (const Case *c, int side, int size, int tx, int ty)
{
  RelabelStep s = { 0 };
  double v[3];
  for (int pass = 0; pass < 2; pass++)
    for (int cell = 0; cell < c->n_cells; cell++) {
      double w = weight_of_cell (c, cell, side, size, tx, ty);
      colour_of_cell (c, cell, v);
      s.weight += pass == 0 ? w : 0;
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3 && pass == 1; j++)
          s.covariance[i][j] += w * (v[i] - s.mean[i]) * (v[j] - s.mean[j]) / s.weight;
      for (int i = 0; i < 3 && pass == 0; i++)
        s.mean[i] += s.weight > 0 ? w * (v[i] - s.mean[i]) / s.weight : 0;
    }
  for (int i = 0; i < 3; i++)
    s.covariance[i][i] += 1;
  return s;
}

/* By elimination. */
static double
half_distance2 (const RelabelStep *s, const double v[3])
{
  double a[3][4], sum = 0;
  for (int i = 0; i < 3; i++) {
    memcpy (a[i], s->covariance[i], sizeof s->covariance[i]);
    a[i][3] = v[i] - s->mean[i];
  }
  for (int i = 0; i < 3; i++) {
    sum += a[i][3] * a[i][3] / a[i][i];
    for (int k = i + 1; k < 3; k++)
      for (int j = 3; j >= i; j--)
        a[k][j] -= a[k][i] / a[i][i] * a[i][j];
  }
  return 0.5 * sum;
}

/* In nats, before the weight; NAN where no tile knows. */
static double
plain_ratio (const Case *c, int x, int y)
{
  int size = MAX (2, (int)floor (0.0345 * c->level->diagonal / FS_GEODESIC_UNIT + 0.5));
  int n_x = (c->level->width + size - 1) / size, n_y = (c->level->height + size - 1) / size;
  double per = 1.0 / (size << c->level->shift), u = (x + 0.5) * per - 0.5,
         v = (y + 0.5) * per - 0.5;
  double sum = 0, weights = 0, colour[3];
  FsLab lab;
  fs_lab_from_pixels (&c->image->pixels[y * c->image->width + x], 1, &lab);
  colour[0] = lab.l / 16.0;
  colour[1] = lab.a / 16.0;
  colour[2] = lab.b / 16.0;
  for (int k = 0; k < 4; k++) {
    double du = fabs (floor (u) + k % 2 - u), dv = fabs (floor (v) + k / 2 - v);
    int tx = CLAMP ((int)floor (u) + k % 2, 0, n_x - 1),
        ty = CLAMP ((int)floor (v) + k / 2, 0, n_y - 1);
    RelabelStep object = relabel_tile (c, 1, size, tx, ty),
                ground = relabel_tile (c, 0, size, tx, ty);
    if (object.weight < 16 || ground.weight < 16)
      continue;
    double r = half_distance2 (&ground, colour) - half_distance2 (&object, colour);
    sum += (1 - du) * (1 - dv) * CLAMP (r, -6, 6);
    weights += (1 - du) * (1 - dv);
  }
  return weights > 0 ? sum / weights : NAN;
}

static void
test_definition (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  int n_near = 0, n_far = 0;
  for (int trial = 0; trial < 4; trial++) {
    Case c;
    case_init (&c, rand, g_rand_int_range (rand, 180, 220), g_rand_int_range (rand, 90, 130),
               trial % 2);
    g_autoptr (FsLocalColours) colours = fs_local_colours_new (c.level);
    fs_local_colours_learn (colours, c.side, c.distance);
    for (int y = trial; y < c.image->height; y += 17)
      for (int x = 0; x < c.image->width; x++) {
        int cell = (y >> c.level->shift) * c.level->width + (x >> c.level->shift);
        double part = c.distance[cell] / floor (0.008 * c.level->diagonal);
        double r = part < 1 ? plain_ratio (&c, x, y) : 0;
        double t = weigh (&c, colours, x, y) / (double)FS_NAT_SCALE;
        g_assert_true (isfinite (r) && fabs (t - 1.5 * MIN (1, 2 * (1 - part)) * r) <= 0.01);
        g_assert_cmpint (fs_local_colours_has_pixel (colours, c.level, x, y), ==, part < 1);
        part < 1 ? n_near++ : n_far++;
      }
    case_clear (&c);
  }
  g_assert_cmpint (n_near, >, 50);
  g_assert_cmpint (n_far, >, 1000);
}

/* What holds more of one of two plain colours is that one's; where one spreads, what is in between
 * is. */
static void
test_mixtures (void)
{
  enum { W = 200, H = 90, X = W / 2, Y = H / 2 };
  for (int spreads = 0; spreads < 2; spreads++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (3);
    Case c;
    case_init (&c, rand, W, H, 0);
    fs_geodesic_level_unref (c.level);
    for (int i = 0; i < W * H; i++) {
      uint32_t noise = spreads && i % W < X ? (uint32_t)g_rand_int_range (rand, 0, 60) : 30;
      uint32_t grey = i % W < X ? 120 + noise : 90;
      c.image->pixels[i] = FS_PIXEL (255, grey, grey, grey);
    }
    c.level = fs_geodesic_level_new (c.image, 0);
    g_autoptr (FsLocalColours) colours = fs_local_colours_new (c.level);
    fs_local_colours_learn (colours, c.side, c.distance);
    int32_t of_grey[256] = { [90] = INT32_MIN };
    for (uint32_t grey = 91; grey < 150; grey++) {
      c.image->pixels[Y * W + X] = FS_PIXEL (255, grey, grey, grey);
      of_grey[grey] = weigh (&c, colours, X, Y);
      g_assert_cmpint (of_grey[grey], >=, of_grey[grey - 1]);
    }
    g_assert_cmpint (of_grey[spreads ? 93 : 115], <, 0);
    g_assert_cmpint (of_grey[spreads ? 105 : 125], >, 0);
    case_clear (&c);
  }
}

/* Of a side that has too few samples nothing is said, wherever; of one that has them far away, near
 * them alone. */
static void
test_few_samples (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (4);
  Case c;
  case_init (&c, rand, 200, 90, 0);
  for (int i = 0; i < c.n_cells; i++)
    if (c.side[i] == 1 && i / 200 >= 10)
      c.side[i] = 2;
  g_autoptr (FsLocalColours) colours = fs_local_colours_new (c.level);
  fs_local_colours_learn (colours, c.side, c.distance);
  for (int y = 0; y < 90; y++) {
    int32_t tlink = weigh (&c, colours, 100, y);
    g_assert_true (tlink != 0 || y >= 20);
    g_assert_true (tlink == 0 || y < 32);
  }
  memset (c.side, 0, (gsize)c.n_cells);
  fs_local_colours_learn (colours, c.side, c.distance);
  for (int x = 0; x < 200; x++)
    g_assert_cmpint (weigh (&c, colours, x, 5), ==, 0);
  case_clear (&c);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/local-colours/definition", test_definition);
  g_test_add_func ("/local-colours/mixtures", test_mixtures);
  g_test_add_func ("/local-colours/few-samples", test_few_samples);
  return g_test_run ();
}
