/* SPDX-License-Identifier: MIT */
/* What the figures of quality are made of: distances, scores, clicks. */
#include "tests/quality/clicks.h"
#include "energy/image/distance.h"
#include "tests/quality/scores.h"

#include <string.h>

enum { W = 24, H = 18, N = W * H };

static void
fill (uint8_t *plane, int x0, int y0, int x1, int y1, uint8_t value)
{
  for (int y = y0; y < y1; y++)
    memset (plane + y * W + x0, value, (size_t)(x1 - x0));
}

static int64_t
nearest2 (const uint8_t *plane, int width, int height, int x, int y)
{
  int64_t best = G_MAXINT64;
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      if (plane[j * width + i])
        best = MIN (best, (int64_t)(i - x) * (i - x) + (int64_t)(j - y) * (j - y));
  return best;
}

static void
test_distances (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  for (int trial = 0; trial < 300; trial++) {
    int w = g_rand_int_range (rand, 1, 20), h = g_rand_int_range (rand, 1, 20);
    g_autofree uint8_t *plane = g_malloc0 ((gsize)(w * h));
    int rarity = g_rand_int_range (rand, 1, 40);
    for (int i = 0; i < w * h; i++)
      plane[i] = g_rand_int_range (rand, 0, rarity) == 0;
    g_autofree int64_t *distance2 = fs_distance2 (plane, w, h);
    for (int i = 0; i < w * h; i++) {
      int64_t wanted = nearest2 (plane, w, h, i % w, i / w);
      if (wanted == G_MAXINT64)
        g_assert_cmpint (distance2[i], >=, (w + h) * (w + h));
      else
        g_assert_cmpint (distance2[i], ==, wanted);
    }
  }
}

/* An object of 8 × 6 pixels with two ignored ones; the mask lacks two rows of it. */
static void
test_error_and_iou (void)
{
  uint8_t truth[N] = { 0 }, mask[N] = { 0 }, unknown[N];
  memset (unknown, 1, N);
  fill (truth, 4, 4, 12, 10, QUALITY_TRUTH_OBJECT);
  fill (truth, 4, 4, 6, 5, QUALITY_TRUTH_IGNORED);
  fill (mask, 4, 4, 12, 8, 1);
  QualityScores scores = quality_scores (mask, truth, unknown, W, H);
  g_assert_cmpfloat_with_epsilon (scores.iou, 30.0 / 46, 1e-12);
  g_assert_cmpfloat_with_epsilon (scores.error, 16.0 / (N - 2), 1e-12);

  fill (unknown, 0, 9, W, H, 0);
  scores = quality_scores (mask, truth, unknown, W, H);
  g_assert_cmpfloat_with_epsilon (scores.error, 8.0 / (9 * W - 2), 1e-12);
}

/* A border 2 px away is near, one 3 px away is not. */
static void
test_boundary (void)
{
  uint8_t truth[N] = { 0 }, mask[N] = { 0 }, unknown[N] = { 0 };
  fill (truth, 0, 0, W, 8, QUALITY_TRUTH_OBJECT);
  for (int shift = 0; shift <= 3; shift++) {
    memset (mask, 0, N);
    fill (mask, 0, 0, W, 8 + shift, 1);
    QualityScores scores = quality_scores (mask, truth, unknown, W, H);
    g_assert_cmpfloat (scores.boundary, ==, shift <= 2 ? 1 : 0);
  }
  /* Half of the mask's border is right, all of the truth's is found. */
  memset (mask, 0, N);
  fill (mask, 0, 0, W, 8, 1);
  fill (mask, 0, 13, W, 14, 1);
  QualityScores scores = quality_scores (mask, truth, unknown, W, H);
  g_assert_cmpfloat_with_epsilon (scores.boundary, 2 * (1.0 / 3) / (1 + 1.0 / 3), 1e-12);
}

static void
test_click_in_the_middle (void)
{
  uint8_t truth[N] = { 0 }, mask[N] = { 0 };
  QualityClick click;
  g_assert_false (quality_click_next (mask, truth, W, H, &click));

  fill (truth, 2, 3, 9, 12, QUALITY_TRUTH_OBJECT);
  fill (mask, 14, 3, 19, 8, 1);
  g_assert_true (quality_click_next (mask, truth, W, H, &click));
  g_assert_cmpint (click.label, ==, FS_SEED_OBJECT);
  g_assert_cmpint (click.x, ==, 5);
  g_assert_cmpint (click.y, ==, 6);
  g_assert_cmpfloat (click.radius_px, <, 4);
  g_assert_cmpfloat (click.radius_px, >, 3.9);

  /* What is larger is clicked first, whichever side lacks it. */
  fill (mask, 2, 3, 9, 12, 1);
  g_assert_true (quality_click_next (mask, truth, W, H, &click));
  g_assert_cmpint (click.label, ==, FS_SEED_BACKGROUND);
  g_assert_cmpint (click.x, ==, 16);
  g_assert_cmpint (click.y, ==, 5);
}

/* The photo's edge is outside: the middle of a corner's error is not its corner. */
static void
test_click_beside_the_edge (void)
{
  uint8_t truth[N] = { 0 }, mask[N] = { 0 };
  fill (truth, 0, 0, 7, 7, QUALITY_TRUTH_OBJECT);
  QualityClick click;
  g_assert_true (quality_click_next (mask, truth, W, H, &click));
  g_assert_cmpint (click.x, ==, 3);
  g_assert_cmpint (click.y, ==, 3);
}

/* A painted click stays on the truth's side and marks the stroke. */
static void
test_click_paints (void)
{
  uint8_t truth[N] = { 0 }, mask[N] = { 0 }, stroke[N];
  fill (truth, 4, 4, 16, 7, QUALITY_TRUTH_OBJECT);
  QualityClick click;
  g_assert_true (quality_click_next (mask, truth, W, H, &click));
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (W, H);
  quality_click_paint (&click, seeds, stroke);
  int n_painted = 0;
  for (int i = 0; i < N; i++) {
    g_assert_cmpint (stroke[i], ==, seeds->label[i] == FS_SEED_OBJECT);
    g_assert_true (!stroke[i] || truth[i]);
    n_painted += stroke[i];
  }
  g_assert_cmpint (n_painted, >=, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/quality/distances", test_distances);
  g_test_add_func ("/quality/error-and-iou", test_error_and_iou);
  g_test_add_func ("/quality/boundary", test_boundary);
  g_test_add_func ("/quality/click-in-the-middle", test_click_in_the_middle);
  g_test_add_func ("/quality/click-beside-the-edge", test_click_beside_the_edge);
  g_test_add_func ("/quality/click-paints", test_click_paints);
  return g_test_run ();
}
