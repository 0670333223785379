/* SPDX-License-Identifier: MIT */
/* Strokes laid over the seeds of an object that is followed, and the picture to look a mask over.
 */
#include "app/frame_strokes.h"
#include "app/overlay.h"

#include <string.h>

enum { WIDTH = 160, HEIGHT = 80, REACH = 10 };

static FsSeedMap *
make_map (uint8_t label)
{
  FsSeedMap *map = fs_seed_map_new (WIDTH, HEIGHT);
  g_autofree uint8_t *labels = g_malloc (WIDTH * HEIGHT);
  memset (labels, label, WIDTH * HEIGHT);
  fs_seed_map_set (map, labels);
  return map;
}

static void
put (FsSeedMap *map, int x, int y, uint8_t label)
{
  fs_seed_map_set_run (map, y, x, x + 1, label);
}

/* Of the other side all that is near goes, of the own side nothing, and what is far stays. */
static void
check_mend (uint8_t before, uint8_t stroke)
{
  g_autoptr (FsSeedMap) strokes = make_map (FS_SEED_NONE), seeds = make_map (before);
  put (strokes, 50, 40, stroke);
  put (seeds, 52, 40, stroke);
  put (seeds, 50, 42, FS_SEED_NONE);
  fs_frame_strokes_mend (strokes, seeds);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      int dx = x - 50, dy = y - 40;
      gboolean is_near = dx * dx + dy * dy <= REACH * REACH;
      uint8_t expected = (dx == 0 && dy == 0) || (dx == 2 && dy == 0) ? stroke
                         : is_near && before != stroke                ? FS_SEED_NONE
                         : dx == 0 && dy == 2                         ? FS_SEED_NONE
                                                                      : before;
      g_assert_cmpint (seeds->label[y * WIDTH + x], ==, expected);
    }
}

static void
test_mend (void)
{
  check_mend (FS_SEED_BACKGROUND, FS_SEED_OBJECT);
  check_mend (FS_SEED_OBJECT, FS_SEED_BACKGROUND);
  check_mend (FS_SEED_OBJECT, FS_SEED_OBJECT);
  check_mend (FS_SEED_NONE, FS_SEED_OBJECT);
}

static void
test_mend_by_nothing (void)
{
  g_autoptr (FsSeedMap) strokes = make_map (FS_SEED_NONE), seeds = make_map (FS_SEED_OBJECT);
  fs_frame_strokes_mend (strokes, seeds);
  g_assert_cmpint (seeds->n_seeds[FS_SEED_OBJECT], ==, WIDTH * HEIGHT);
}

/* The object as it is but for the line along its border, which the photo's own border is none of;
 * all else darker. */
static void
test_overlay (void)
{
  enum { SIDE = 5 };
  static const uint8_t mask[SIDE * SIDE] = {
    0, 0, 0, 0, 0, /* */
    1, 1, 1, 1, 0, /* */
    1, 1, 1, 1, 0, /* */
    1, 1, 1, 1, 0, /* */
    1, 1, 1, 1, 0,
  };
  g_autoptr (FsImage) image = fs_image_new (SIDE, SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    image->pixels[i] = FS_PIXEL (255, 200, 100, (uint8_t)(50 + i));
  g_autoptr (FsImage) overlay = fs_overlay_new (image, mask);
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      uint32_t from = image->pixels[y * SIDE + x], to = overlay->pixels[y * SIDE + x];
      gboolean is_line = mask[y * SIDE + x] && (y == 1 || x == 3);
      g_assert_cmpint (FS_PIXEL_A (to), ==, 255);
      if (is_line)
        g_assert_cmphex (to, ==, 0xffff7800u);
      else if (mask[y * SIDE + x])
        g_assert_cmphex (to, ==, from);
      else
        g_assert_cmpint (FS_PIXEL_R (to), <, FS_PIXEL_R (from) / 2);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/frame-strokes/mend", test_mend);
  g_test_add_func ("/app/frame-strokes/mend-by-nothing", test_mend_by_nothing);
  g_test_add_func ("/app/frame-strokes/overlay", test_overlay);
  return g_test_run ();
}
