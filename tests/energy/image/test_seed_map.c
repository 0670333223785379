/* SPDX-License-Identifier: MIT */
#include "energy/image/seed_map.h"

#include <math.h>
#include <string.h>

static double
distance_to_segment (const FsCapsule *c, double x, double y)
{
  double dx = c->x1 - c->x0, dy = c->y1 - c->y0, l2 = dx * dx + dy * dy;
  double t = l2 > 0 ? ((x - c->x0) * dx + (y - c->y0) * dy) / l2 : 0;
  t = CLAMP (t, 0, 1);
  return hypot (x - c->x0 - t * dx, y - c->y0 - t * dy);
}

static FsCapsule
random_capsule (GRand *rand, int w, int h)
{
  FsCapsule c = { g_rand_double_range (rand, -20, w + 20), g_rand_double_range (rand, -20, h + 20),
                  0, 0, g_rand_double_range (rand, 0.2, 14) };
  gboolean dot = g_rand_int_range (rand, 0, 5) == 0;
  c.x1 = dot ? c.x0 : g_rand_double_range (rand, -20, w + 20);
  c.y1 = dot ? c.y0 : g_rand_boolean (rand) ? c.y0 : g_rand_double_range (rand, -20, h + 20);
  return c;
}

static gboolean
is_end_pixel (const FsCapsule *c, int x, int y)
{
  return (x == floor (c->x0) && y == floor (c->y0)) || (x == floor (c->x1) && y == floor (c->y1));
}

/* Every pixel against the distance from the segment, undecided within rounding of the radius. */
static void
test_capsule_is_distance (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  for (int trial = 0; trial < 400; trial++) {
    int w = g_rand_int_range (rand, 1, 60), h = g_rand_int_range (rand, 1, 60);
    g_autoptr (FsSeedMap) map = fs_seed_map_new (w, h);
    FsCapsule c = random_capsule (rand, w, h);
    fs_seed_map_paint (map, &c, FS_SEED_OBJECT, NULL, NULL);
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        double d = distance_to_segment (&c, x + 0.5, y + 0.5);
        gboolean painted = map->label[y * w + x] == FS_SEED_OBJECT;
        gboolean may_be_line = c.radius_px < 0.5 && d <= 0.5;
        if (fabs (d - c.radius_px) > 1e-9 && !(may_be_line && painted))
          g_assert_cmpint (painted, ==, d < c.radius_px || is_end_pixel (&c, x, y));
      }
  }
}

/* How many pixels there are of a label that one of them reaches, corners included. */
static int
count_reached (const FsSeedMap *map, int x, int y, uint8_t label)
{
  if (x < 0 || y < 0 || x >= map->width || y >= map->height
      || map->label[y * map->width + x] != label)
    return 0;
  int n = 1;
  map->label[y * map->width + x] = FS_SEED_MAX;
  for (int i = 0; i < 9; i++)
    n += count_reached (map, x + i % 3 - 1, y + i / 3 - 1, label);
  return n;
}

/* However thin it is, a stroke inside the map is one piece from sample to sample, and no wider than
 * a line of pixels. */
static void
test_thin_strokes (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  for (int trial = 0; trial < 300; trial++) {
    const double radius = trial % 3 == 0 ? 0 : g_rand_double_range (rand, 0, 0.71);
    g_autoptr (FsSeedMap) map = fs_seed_map_new (50, 40);
    double x = g_rand_double_range (rand, 1, 49), y = g_rand_double_range (rand, 1, 39);
    int first_x = (int)x, first_y = (int)y;
    double length = 0;
    for (int i = 0; i < 4; i++) {
      FsCapsule c = { x, y, trial % 5 == 0 ? x : g_rand_double_range (rand, 1, 49),
                      trial % 7 == 0 ? y : g_rand_double_range (rand, 1, 39), radius };
      fs_seed_map_paint (map, &c, FS_SEED_OBJECT, NULL, NULL);
      length += MAX (fabs (c.x1 - x), fabs (c.y1 - y)) + 1;
      x = c.x1;
      y = c.y1;
    }
    int64_t n = map->n_seeds[FS_SEED_OBJECT];
    if (radius < 0.3)
      g_assert_cmpint (n, <=, (int64_t)length + 4);
    g_assert_cmpint (count_reached (map, first_x, first_y, FS_SEED_OBJECT), ==, n);
  }
}

static void
test_changed_and_counts (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (8);
  g_autoptr (FsSeedMap) map = fs_seed_map_new (50, 40);
  g_autofree uint8_t *before = g_malloc (50 * 40);
  for (int trial = 0; trial < 300; trial++) {
    memcpy (before, map->label, 50 * 40);
    g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    FsCapsule c = random_capsule (rand, 50, 40);
    FsRect looked_at =
        fs_seed_map_paint (map, &c, (uint8_t)g_rand_int_range (rand, 0, 4), NULL, changed);
    int64_t counts[FS_SEED_MAX + 1] = { 0 };
    guint n_changed = 0;
    for (uint32_t i = 0; i < 50 * 40; i++) {
      counts[map->label[i]]++;
      if (map->label[i] == before[i])
        continue;
      n_changed++;
      int x = (int)i % 50, y = (int)i / 50;
      g_assert_true (x >= looked_at.x0 && x < looked_at.x1 && y >= looked_at.y0
                     && y < looked_at.y1);
    }
    g_assert_cmpuint (n_changed, ==, changed->len);
    for (guint i = 0; i < changed->len; i++) {
      uint32_t p = g_array_index (changed, uint32_t, i);
      g_assert_cmpint (map->label[p], !=, before[p]);
    }
    g_assert_cmpmem (counts, sizeof counts, map->n_seeds, sizeof map->n_seeds);
  }
}

/* A clipped painting is the whole painting inside the clip and nothing outside: undo relies on it.
 */
static void
test_clip (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  for (int trial = 0; trial < 300; trial++) {
    g_autoptr (FsSeedMap) whole = fs_seed_map_new (40, 40);
    g_autoptr (FsSeedMap) part = fs_seed_map_new (40, 40);
    FsCapsule c = random_capsule (rand, 40, 40);
    FsRect clip = { g_rand_int_range (rand, 0, 40), g_rand_int_range (rand, 0, 40),
                    g_rand_int_range (rand, 0, 41), g_rand_int_range (rand, 0, 41) };
    fs_seed_map_paint (whole, &c, 1, NULL, NULL);
    fs_seed_map_paint (part, &c, 1, &clip, NULL);
    for (int y = 0; y < 40; y++)
      for (int x = 0; x < 40; x++) {
        gboolean inside = x >= clip.x0 && x < clip.x1 && y >= clip.y0 && y < clip.y1;
        g_assert_cmpint (part->label[y * 40 + x], ==, inside ? whole->label[y * 40 + x] : 0);
      }
  }
}

static void
test_far_away (void)
{
  g_autoptr (FsSeedMap) map = fs_seed_map_new (8, 8);
  const FsCapsule far[] = { { 1e30, 1e30, 1e30, 1e30, 5 },
                            { -1e30, 4, -1e29, 4, 5 },
                            { 1e18, -1e18, 2e18, -1e18, 1e3 } };
  for (guint i = 0; i < G_N_ELEMENTS (far); i++) {
    fs_seed_map_paint (map, &far[i], 1, NULL, NULL);
    g_assert_cmpint (map->n_seeds[0], ==, 64);
  }
  FsCapsule across = { -1e6, 4.5, 1e6, 4.5, 0.1 };
  fs_seed_map_paint (map, &across, 1, NULL, NULL);
  g_assert_cmpint (map->n_seeds[1], ==, 8);
}

static void
check_counts (const FsSeedMap *map, const uint8_t *labels)
{
  int64_t counts[FS_SEED_MAX + 1] = { 0 };
  for (int i = 0; i < map->width * map->height; i++)
    counts[labels[i]]++;
  g_assert_cmpmem (map->label, (size_t)(map->width * map->height), labels,
                   (size_t)(map->width * map->height));
  g_assert_cmpmem (map->n_seeds, sizeof counts, counts, sizeof counts);
}

/* Planes and runs as a whole: stretches of all lengths, told apart at any place of eight. */
static void
test_whole_planes (void)
{
  enum { W = 37, H = 9 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (9);
  for (int longest = 1; longest < 60; longest++) {
    uint8_t labels[W * H];
    for (int i = 0, left = 0, label = 0; i < W * H; i++, left--) {
      if (left == 0) {
        left = g_rand_int_range (rand, 1, longest + 1);
        label = g_rand_int_range (rand, 0, FS_SEED_MAX + 1);
      }
      labels[i] = (uint8_t)label;
    }
    g_autoptr (FsSeedMap) map = fs_seed_map_new (W, H), copy = fs_seed_map_new (W, H);
    fs_seed_map_set (map, labels);
    check_counts (map, labels);
    int x0 = g_rand_int_range (rand, 0, W), x1 = g_rand_int_range (rand, x0, W + 1);
    fs_seed_map_set_run (map, 4, x0, x1, 3);
    memset (labels + 4 * W + x0, 3, (size_t)(x1 - x0));
    check_counts (map, labels);
    fs_seed_map_copy (copy, map);
    check_counts (copy, labels);
  }
}

static void
test_rectangles (void)
{
  const FsRect a = { 2, 3, 7, 9 }, b = { 5, 1, 11, 4 }, far = { 20, 20, 30, 30 };
  const FsRect none = { 9, 9, 9, 12 }, both = { 2, 1, 11, 9 }, common = { 5, 3, 7, 4 };
  FsRect r = fs_rect_union (a, b);
  g_assert_cmpmem (&r, sizeof r, &both, sizeof both);
  r = fs_rect_union (a, none);
  g_assert_cmpmem (&r, sizeof r, &a, sizeof a);
  r = fs_rect_union (none, a);
  g_assert_cmpmem (&r, sizeof r, &a, sizeof a);
  r = fs_rect_intersect (a, b);
  g_assert_cmpmem (&r, sizeof r, &common, sizeof common);
  g_assert_true (fs_rect_is_empty (fs_rect_intersect (a, far)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/seed-map/capsule-is-distance", test_capsule_is_distance);
  g_test_add_func ("/seed-map/thin-strokes", test_thin_strokes);
  g_test_add_func ("/seed-map/changed-and-counts", test_changed_and_counts);
  g_test_add_func ("/seed-map/clip", test_clip);
  g_test_add_func ("/seed-map/far-away", test_far_away);
  g_test_add_func ("/seed-map/whole-planes", test_whole_planes);
  g_test_add_func ("/seed-map/rectangles", test_rectangles);
  return g_test_run ();
}
