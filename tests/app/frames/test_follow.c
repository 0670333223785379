/* SPDX-License-Identifier: MIT */
/* An object from a frame to the next: how far it moved, what is sure of it, and its new mask. */
#include "app/files/report_numbers.h"
#include "app/frames/follow/motion.h"
#include "app/frames/moved_zones.h"
#include "energy/edge/edge_settings.h"

#include <math.h>
#include <string.h>

enum { WIDTH = 160, HEIGHT = 120 };

static gboolean
is_inside (int x, int y, FsShift at)
{
  int dx = x - 70 - at.dx, dy = y - 60 - at.dy;
  return dx * dx + 2 * dy * dy < 900;
}

/* 0 to 30, in waves as long as a photo's. */
static uint8_t
wave (int x, int y)
{
  return (uint8_t)(15 + 7 * sin (x * 0.13 + y * 0.05) + 8 * cos (y * 0.17 - x * 0.03));
}

/* A textured ellipse over a textured ground that stands still. */
static FsImage *
make_frame (FsShift at)
{
  FsImage *image = fs_image_new (WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      uint8_t own = wave (x - at.dx, y - at.dy), ground = wave (2 * x, y);
      image->pixels[y * WIDTH + x] =
          is_inside (x, y, at)
              ? FS_PIXEL (255, (uint8_t)(190 + own), (uint8_t)(90 + own), 50)
              : FS_PIXEL (255, 40, (uint8_t)(80 + ground), (uint8_t)(120 + ground));
    }
  return image;
}

static uint8_t *
make_mask (FsShift at)
{
  uint8_t *mask = g_malloc (WIDTH * HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    mask[i] = is_inside (i % WIDTH, i / WIDTH, at);
  return mask;
}

static const FsShift shifts[] = {
  { 0, 0 }, { 1, 0 }, { -3, 2 }, { 13, -7 }, { -20, 19 }, { 26, 3 }
};
static const FsShift origin = { 0, 0 };

static void
test_measure (void)
{
  g_autoptr (FsImage) previous = make_frame (origin);
  g_autofree uint8_t *mask = make_mask (origin);
  for (guint i = 0; i < G_N_ELEMENTS (shifts); i++) {
    g_autoptr (FsImage) next = make_frame (shifts[i]);
    FsShift found = fs_follow_measure (previous, mask, next);
    g_assert_cmpint (found.dx, ==, shifts[i].dx);
    g_assert_cmpint (found.dy, ==, shifts[i].dy);
  }
  memset (mask, 0, WIDTH * HEIGHT);
  FsShift none = fs_follow_measure (previous, mask, previous);
  g_assert_true (none.dx == 0 && none.dy == 0);
}

/* Sums of bytes in words, against one by one: lengths about the words, and masks that are full. */
static void
test_count (void)
{
  enum { MOST = 5000 };
  g_autofree uint8_t *mask = g_malloc (MOST);
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  for (int i = 0; i < 300; i++) {
    int n = i < 40 ? i : g_rand_int_range (rand, 0, MOST), share = g_rand_int_range (rand, 0, 4);
    int64_t expected = 0;
    for (int p = 0; p < n; p++)
      expected += mask[p] = g_rand_int_range (rand, 0, 3) < share;
    g_assert_cmpint (fs_report_count_object (mask, n, 1), ==, expected);
  }
}

/* At the object's right end. */
static uint8_t
zone_at (int x, int y, FsShift at)
{
  x -= at.dx;
  y -= at.dy;
  if (x < 90 || x >= 108 || y < 45 || y >= 75)
    return FS_EDGE_ZONE_NONE;
  return y < 60 ? FS_EDGE_ZONE_REFINE : FS_EDGE_ZONE_HARD;
}

static FsMovedZones *
make_zones (void)
{
  g_autoptr (FsImage) image = make_frame (origin);
  g_autofree uint8_t *mask = make_mask (origin);
  uint8_t zones[WIDTH * HEIGHT];
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    zones[i] = zone_at (i % WIDTH, i / WIDTH, origin);
  return fs_moved_zones_new (image, mask, zones);
}

/* Also where the mask lacks a strip at the object's left, which moves its centre. */
static void
test_zones (void)
{
  g_autoptr (FsMovedZones) zones = make_zones ();
  for (guint i = 0; i < 2 * G_N_ELEMENTS (shifts); i++) {
    const FsShift at = shifts[i / 2];
    g_autoptr (FsImage) image = make_frame (at);
    g_autofree uint8_t *mask = make_mask (at);
    for (int p = 0; i % 2 && p < WIDTH * HEIGHT; p++)
      if (p % WIDTH - at.dx < 46)
        mask[p] = 0;
    g_autofree uint8_t *placed = fs_moved_zones_place (zones, image, mask);
    for (int p = 0; p < WIDTH * HEIGHT; p++)
      g_assert_cmpint (placed[p], ==, zone_at (p % WIDTH, p / WIDTH, at));
  }
}

static void
test_no_zones (void)
{
  g_autoptr (FsMovedZones) zones = make_zones ();
  g_autoptr (FsImage) image = make_frame (origin);
  g_autoptr (FsImage) small = fs_image_new (WIDTH / 2, HEIGHT);
  memset (small->pixels, 0, WIDTH / 2 * HEIGHT * sizeof *small->pixels);
  g_autofree uint8_t *empty = g_malloc0 (WIDTH * HEIGHT), *mask = make_mask (origin);
  g_autofree uint8_t *without = fs_moved_zones_place (zones, image, empty);
  g_autofree uint8_t *other = fs_moved_zones_place (zones, small, mask);
  g_assert_cmpmem (without, WIDTH * HEIGHT, empty, WIDTH * HEIGHT);
  g_assert_cmpmem (other, WIDTH / 2 * HEIGHT, empty, WIDTH / 2 * HEIGHT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/follow/measure", test_measure);
  g_test_add_func ("/app/follow/count", test_count);
  g_test_add_func ("/app/follow/zones", test_zones);
  g_test_add_func ("/app/follow/no-zones", test_no_zones);
  return g_test_run ();
}
