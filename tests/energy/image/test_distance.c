/* SPDX-License-Identifier: MIT */
/* Squared distances to the nearest marked pixel, by looking at all of them. */
#include "energy/image/distance.h"

static int64_t
nearest (const uint8_t *plane, int width, int height, int x, int y)
{
  int64_t min = G_MAXINT64;
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      if (plane[j * width + i])
        min = MIN (min, (int64_t)(i - x) * (i - x) + (int64_t)(j - y) * (j - y));
  return min;
}

/* With none marked all are as far as width and height together. */
static int64_t
far (int width, int height)
{
  return (int64_t)(width + height) * (width + height);
}

static void
check (GRand *rand, int width, int height, int one_in)
{
  g_autofree uint8_t *plane = g_new0 (uint8_t, width * height);
  for (int p = 0; p < width * height; p++)
    plane[p] =
        g_rand_int_range (rand, 0, one_in) == 0 ? (uint8_t)g_rand_int_range (rand, 1, 256) : 0;
  g_autofree int64_t *distance2 = fs_distance2 (plane, width, height);
  for (int p = 0; p < width * height; p++)
    g_assert_cmpint (distance2[p], ==,
                     MIN (nearest (plane, width, height, p % width, p / width),
                          far (width, height)));
}

static void
test_all_pixels (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (41);
  for (int round = 0; round < 300; round++)
    check (rand, g_rand_int_range (rand, 1, 24), g_rand_int_range (rand, 1, 24),
           1 << g_rand_int_range (rand, 0, 9));
}

static void
test_lines (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (42);
  for (int round = 0; round < 40; round++) {
    int length = g_rand_int_range (rand, 1, 300);
    check (rand, round % 2 ? length : 1, round % 2 ? 1 : length, 40);
  }
}

/* The farthest that a photo may be, where quotients are largest. */
static void
test_far_apart (void)
{
  enum { LENGTH = 65535 };
  g_autofree uint8_t *plane = g_new0 (uint8_t, 2 * LENGTH);
  plane[0] = plane[2 * LENGTH - 1] = 1;
  g_autofree int64_t *distance2 = fs_distance2 (plane, LENGTH, 2);
  for (int64_t x = 0; x < LENGTH; x++) {
    int64_t to_end = LENGTH - 1 - x;
    g_assert_cmpint (distance2[x], ==, MIN (x * x, to_end * to_end + 1));
    g_assert_cmpint (distance2[LENGTH + x], ==, MIN (x * x + 1, to_end * to_end));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/distance/all-pixels", test_all_pixels);
  g_test_add_func ("/distance/lines", test_lines);
  g_test_add_func ("/distance/far-apart", test_far_apart);
  return g_test_run ();
}
