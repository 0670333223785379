/* SPDX-License-Identifier: MIT */
#include "tests/energy/geodesic/geodesic_cases.h"

static uint32_t
pixel_of_kind (int kind, GRand *rand, const uint32_t palette[3], int x, int y)
{
  switch (kind) {
  case 0:
    return g_rand_int (rand) | 0xff000000u;
  case 1:
    return palette[g_rand_int_range (rand, 0, 3)];
  case 2:
    return palette[(x + y) % 2];
  case 3:
    return FS_PIXEL (255, (uint32_t)(x * 3 % 256), (uint32_t)(y * 5 % 256),
                     (uint32_t)g_rand_int_range (rand, 0, 9));
  default:
    return palette[0];
  }
}

FsImage *
fs_case_image (GRand *rand, int width, int height)
{
  FsImage *image = fs_image_new (width, height);
  uint32_t palette[3];
  for (int i = 0; i < 3; i++)
    palette[i] = g_rand_int (rand) | 0xff000000u;
  int kind = g_rand_int_range (rand, 0, 5);
  for (int i = 0; i < width * height; i++)
    image->pixels[i] = pixel_of_kind (kind, rand, palette, i % width, i / width);
  return image;
}

static FsCapsule
random_capsule (GRand *rand, int width, int height)
{
  FsCapsule c = { g_rand_double_range (rand, -4, width + 4),
                  g_rand_double_range (rand, -4, height + 4), 0, 0,
                  g_rand_double_range (rand, 0.2, 2 + (width + height) / 24.0) };
  gboolean dot = g_rand_boolean (rand);
  c.x1 = dot ? c.x0 : c.x0 + g_rand_double_range (rand, -width / 3.0 - 1, width / 3.0 + 1);
  c.y1 = dot ? c.y0 : c.y0 + g_rand_double_range (rand, -height / 3.0 - 1, height / 3.0 + 1);
  return c;
}

void
fs_case_edit (GRand *rand, FsSeedMap *seeds, GArray *pixels)
{
  int w = seeds->width, h = seeds->height;
  int choice = g_rand_int_range (rand, 0, 24);
  uint8_t label = choice < 10 ? FS_SEED_NONE : choice < 16 ? 2 : choice < 18 ? 3 : 1;
  FsCapsule capsule =
      choice == 0 ? (FsCapsule){ 0, 0, w, h, 2.0 * (w + h) } : random_capsule (rand, w, h);
  fs_seed_map_paint (seeds, &capsule, label, NULL, pixels);
}

void
fs_case_init (FsCase *c, GRand *rand, int side_px, int max_shift)
{
  int width = g_rand_int_range (rand, 1, side_px + 1);
  int height = g_rand_int_range (rand, 1, side_px + 1);
  c->image = fs_case_image (rand, width, height);
  c->level = fs_geodesic_level_new (c->image, g_rand_int_range (rand, 0, max_shift + 1));
  c->seeds = fs_seed_map_new (width, height);
  c->sources = fs_geodesic_sources_new (c->level);
  c->pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  c->cells = g_array_new (FALSE, FALSE, sizeof (uint32_t));
}

void
fs_case_clear (FsCase *c)
{
  g_array_unref (c->pixels);
  g_array_unref (c->cells);
  fs_geodesic_sources_free (c->sources);
  fs_seed_map_free (c->seeds);
  fs_geodesic_level_unref (c->level);
  fs_image_unref (c->image);
}

void
fs_case_play (FsCase *c, GRand *rand)
{
  g_array_set_size (c->pixels, 0);
  g_array_set_size (c->cells, 0);
  fs_case_edit (rand, c->seeds, c->pixels);
  fs_geodesic_sources_update (c->sources, c->seeds, (const uint32_t *)(gpointer)c->pixels->data,
                              c->pixels->len, c->cells);
}
