/* SPDX-License-Identifier: MIT */
/* The picture to look a mask over. */
#include "app/export/parts/overlay.h"

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
  g_test_add_func ("/app/overlay", test_overlay);
  return g_test_run ();
}
