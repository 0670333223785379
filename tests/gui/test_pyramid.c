/* SPDX-License-Identifier: MIT */
/* Each level of the pyramid against a slow twin, whole and after many small updates. */
#include "ui/view/pyramid.h"

#include <string.h>

static FsImage *
noise_image (int width, int height, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  FsImage *image = fs_image_new (width, height);
  for (int i = 0; i < width * height; i++)
    image->pixels[i] = 0xff000000u | (g_rand_int (rand) & 0xffffff);
  return image;
}

static int
average (const int v[4])
{
  return (v[0] + v[1] + v[2] + v[3] + 2) / 4;
}

/* Values of the four pixels under (x, y), sides clamped. */
#define FOUR(plane, w, h, x, y, of)                                                                \
  (int[4])                                                                                         \
  {                                                                                                \
    of ((plane)[(size_t)(2 * (y)) * (w) + 2 * (x)]),                                               \
        of ((plane)[(size_t)(2 * (y)) * (w) + MIN (2 * (x) + 1, (w)-1)]),                          \
        of ((plane)[(size_t)MIN (2 * (y) + 1, (h)-1) * (w) + 2 * (x)]),                            \
        of ((plane)[(size_t)MIN (2 * (y) + 1, (h)-1) * (w) + MIN (2 * (x) + 1, (w)-1)])            \
  }

#define TIMES_255(v) (255 * (v))
#define SAME(v)      (v)

static void
check_level (const FsPyramidLevel *fine, const FsPyramidLevel *coarse)
{
  int w = fine->width, h = fine->height;
  g_assert_cmpint (coarse->width, ==, (w + 1) / 2);
  g_assert_cmpint (coarse->height, ==, (h + 1) / 2);
  for (int y = 0; y < coarse->height; y++)
    for (int x = 0; x < coarse->width; x++) {
      size_t at = (size_t)y * coarse->width + x;
      g_assert_cmphex (coarse->photo[at], ==,
                       FS_PIXEL (255, average (FOUR (fine->photo, w, h, x, y, FS_PIXEL_R)),
                                 average (FOUR (fine->photo, w, h, x, y, FS_PIXEL_G)),
                                 average (FOUR (fine->photo, w, h, x, y, FS_PIXEL_B))));
      int mask = fine->mask_unit == 1 ? average (FOUR (fine->mask, w, h, x, y, TIMES_255))
                                      : average (FOUR (fine->mask, w, h, x, y, SAME));
      g_assert_cmpint (coarse->mask[at], ==, mask);
    }
}

static void
random_planes (GRand *rand, uint8_t *mask, uint8_t *marks, int width, const FsRect *r)
{
  for (int y = r->y0; y < r->y1; y++)
    for (int x = r->x0; x < r->x1; x++) {
      mask[y * width + x] = (uint8_t)g_rand_int_range (rand, 0, 2);
      marks[y * width + x] = (uint8_t)g_rand_int_range (rand, 0, 3);
    }
}

static void
assert_same_levels (const FsPyramid *a, const FsPyramid *b)
{
  for (guint k = 1; k < fs_pyramid_get_n_levels (a); k++) {
    FsPyramidLevel p = fs_pyramid_get_level (a, k);
    FsPyramidLevel q = fs_pyramid_get_level (b, k);
    size_t n = (size_t)p.width * p.height;
    g_assert_cmpmem (p.mask, n, q.mask, n);
    g_assert_cmpmem (p.mark, n, q.mark, n);
    g_assert_cmpmem (p.mark_coverage, n, q.mark_coverage, n);
  }
}

static void
test_updates (gconstpointer data)
{
  const int *size = data;
  int width = size[0], height = size[1];
  g_autoptr (GRand) rand = g_rand_new_with_seed (7);
  g_autoptr (FsImage) image = noise_image (width, height, 5);
  g_autoptr (FsPyramid) pyramid = fs_pyramid_new (image);
  g_autofree uint8_t *mask = g_malloc0 ((size_t)width * height);
  g_autofree uint8_t *marks = g_malloc0 ((size_t)width * height);
  FsRect all = { 0, 0, width, height }, none = { 0 };
  fs_pyramid_update_mask (pyramid, mask, &all);
  fs_pyramid_update_marks (pyramid, marks, &none);

  for (int i = 0; i < 50; i++) {
    FsRect r = { g_rand_int_range (rand, 0, width), g_rand_int_range (rand, 0, height) };
    r.x1 = g_rand_int_range (rand, r.x0, width) + 1;
    r.y1 = g_rand_int_range (rand, r.y0, height) + 1;
    random_planes (rand, mask, marks, width, &r);
    fs_pyramid_update_mask (pyramid, mask, &r);
    fs_pyramid_update_marks (pyramid, marks, &r);
  }
  for (guint k = 0; k + 1 < fs_pyramid_get_n_levels (pyramid); k++) {
    FsPyramidLevel fine = fs_pyramid_get_level (pyramid, k);
    FsPyramidLevel coarse = fs_pyramid_get_level (pyramid, k + 1);
    check_level (&fine, &coarse);
  }
  g_autoptr (FsPyramid) fresh = fs_pyramid_new (image);
  fs_pyramid_update_mask (fresh, mask, &all);
  fs_pyramid_update_marks (fresh, marks, &all);
  assert_same_levels (pyramid, fresh);
}

static void
test_marks_survive (void)
{
  g_autoptr (FsImage) image = noise_image (64, 64, 1);
  g_autoptr (FsPyramid) pyramid = fs_pyramid_new (image);
  uint8_t marks[64 * 64] = { 0 };
  marks[0] = FS_SEED_OBJECT;
  marks[1] = marks[64] = FS_SEED_BACKGROUND;
  fs_pyramid_update_marks (pyramid, marks, &(FsRect){ 0, 0, 2, 2 });
  FsPyramidLevel one = fs_pyramid_get_level (pyramid, 1);
  g_assert_cmpint (one.mark[0], ==, FS_SEED_BACKGROUND);
  g_assert_cmpint (one.mark_coverage[0], ==, (3 * 255 + 2) / 4);
  FsPyramidLevel two = fs_pyramid_get_level (pyramid, 2);
  g_assert_cmpint (two.mark[0], ==, FS_SEED_BACKGROUND);
  g_assert_cmpint (two.mark_coverage[0], >, 40);
}

static void
test_transparent_colours_do_not_bleed (void)
{
  g_autoptr (FsImage) image = fs_image_new (2, 2);
  image->has_alpha = TRUE;
  image->pixels[0] = FS_PIXEL (255, 10, 20, 30);
  image->pixels[1] = image->pixels[2] = image->pixels[3] = FS_PIXEL (0, 255, 255, 255);
  g_autoptr (FsPyramid) pyramid = fs_pyramid_new (image);
  g_assert_cmphex (fs_pyramid_get_level (pyramid, 1).photo[0], ==, FS_PIXEL (64, 10, 20, 30));
}

static void
test_choice (void)
{
  g_autoptr (FsImage) image = noise_image (1024, 300, 1);
  g_autoptr (FsPyramid) pyramid = fs_pyramid_new (image);
  g_assert_cmpuint (fs_pyramid_get_n_levels (pyramid), ==, 11);
  g_assert_cmpuint (fs_pyramid_choose_level (pyramid, 8), ==, 0);
  g_assert_cmpuint (fs_pyramid_choose_level (pyramid, 1), ==, 0);
  g_assert_cmpuint (fs_pyramid_choose_level (pyramid, 0.5), ==, 1);
  g_assert_cmpuint (fs_pyramid_choose_level (pyramid, 0.26), ==, 2);
  g_assert_cmpuint (fs_pyramid_choose_level (pyramid, 1e-9), ==, 10);
}

int
main (int argc, char **argv)
{
  static const int sizes[][2] = { { 1, 1 }, { 2, 3 }, { 33, 1 }, { 64, 64 }, { 97, 61 } };
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree char *path = g_strdup_printf ("/pyramid/updates/%dx%d", sizes[i][0], sizes[i][1]);
    g_test_add_data_func (path, sizes[i], test_updates);
  }
  g_test_add_func ("/pyramid/marks-survive", test_marks_survive);
  g_test_add_func ("/pyramid/transparent", test_transparent_colours_do_not_bleed);
  g_test_add_func ("/pyramid/choice", test_choice);
  return g_test_run ();
}
