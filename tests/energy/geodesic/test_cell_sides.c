/* SPDX-License-Identifier: MIT */
/* The sides of cells against their definition. */
#include "energy/geodesic/cell_sides.h"

/* Rectangles, so that some cells are of one side. */
static uint8_t *
random_mask (GRand *rand, int w, int h)
{
  uint8_t *mask = g_malloc0 ((gsize)w * (gsize)h);
  for (int k = g_rand_int_range (rand, 0, 8); k > 0; k--) {
    int x0 = g_rand_int_range (rand, 0, w), y0 = g_rand_int_range (rand, 0, h);
    int x1 = g_rand_int_range (rand, x0, w) + 1, y1 = g_rand_int_range (rand, y0, h) + 1;
    uint8_t value = g_rand_boolean (rand);
    for (int y = y0; y < y1; y++)
      for (int x = x0; x < x1; x++)
        mask[y * w + x] = value;
  }
  for (int k = g_rand_int_range (rand, 0, 5); k > 0; k--)
    mask[g_rand_int_range (rand, 0, w * h)] ^= 1;
  return mask;
}

static void
check (const FsGeodesicLevel *level, const uint8_t *mask)
{
  size_t n = (size_t)level->width * (size_t)level->height;
  g_autofree uint8_t *side = g_malloc (n);
  g_autofree uint8_t *has = g_malloc0 (n); /* 1: a pixel of the background, 2: one of the object */
  for (int y = 0; y < level->photo_height; y++)
    for (int x = 0; x < level->photo_width; x++)
      has[(y >> level->shift) * level->width + (x >> level->shift)] |=
          (uint8_t)(1 << mask[y * level->photo_width + x]);
  fs_cell_sides_find (level, mask, side);
  for (size_t i = 0; i < n; i++)
    g_assert_cmpint (side[i], ==,
                     has[i] == 1   ? FS_CELL_ALL_BACKGROUND
                     : has[i] == 2 ? FS_CELL_ALL_OBJECT
                                   : FS_CELL_MIXED);
}

static void
test_definition (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (51);
  for (int round = 0; round < 400; round++) {
    int w = g_rand_int_range (rand, 1, 90), h = g_rand_int_range (rand, 1, 90);
    g_autoptr (FsImage) image = fs_image_new (w, h);
    for (int p = 0; p < w * h; p++)
      image->pixels[p] = 0xff000000u;
    g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new (image, round % 6);
    g_autofree uint8_t *mask = random_mask (rand, w, h);
    check (level, mask);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cell-sides/definition", test_definition);
  return g_test_run ();
}
