/* SPDX-License-Identifier: MIT */
#include "tests/gui/scene.h"

#include <gdk-pixbuf/gdk-pixbuf.h>

static void
paint_pixel (guchar *pixel, int x, int y, GRand *rand)
{
  double dx = x - 170, dy = y - 118;
  gboolean inside = dx * dx + dy * dy < 70 * 70;
  int base[3] = { inside ? 214 : 40, inside ? 160 : 70, inside ? 70 : 96 };
  for (int c = 0; c < 3; c++)
    pixel[c] = (guchar)CLAMP (base[c] + g_rand_int_range (rand, -24, 25), 0, 255);
}

char *
scene_write (const char *folder, const char *name)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkPixbuf) pixbuf =
      gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, SCENE_WIDTH, SCENE_HEIGHT);
  for (int y = 0; y < SCENE_HEIGHT; y++)
    for (int x = 0; x < SCENE_WIDTH; x++)
      paint_pixel (gdk_pixbuf_get_pixels (pixbuf) + y * gdk_pixbuf_get_rowstride (pixbuf) + 3 * x,
                   x, y, rand);
  char *path = g_build_filename (folder, name, NULL);
  gdk_pixbuf_save (pixbuf, path, "png", &error, NULL);
  g_assert_no_error (error);
  return path;
}
