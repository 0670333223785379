/* SPDX-License-Identifier: MIT */
/* Zoom and pan as arithmetic: what stays where, and what never gets out of range. */
#include "ui/view/view_transform.h"

#include <math.h>

static void
assert_near (double a, double b, double tolerance)
{
  g_assert_true (fabs (a - b) <= tolerance);
}

static void
test_fit (void)
{
  FsViewTransform t;
  fs_view_transform_init (&t, 400, 200, 800, 600, 1);
  assert_near (t.zoom, 2, 0);
  assert_near (t.x, 0, 0);
  assert_near (t.y, 100, 0);
  g_assert_true (t.fits);

  fs_view_transform_set_view (&t, 400, 600, 1);
  assert_near (t.zoom, 1, 0);
  assert_near (t.y, 200, 0);

  fs_view_transform_init (&t, 400, 200, 800, 600, 2);
  assert_near (t.zoom, 4, 0);
}

static void
test_round_trip (void)
{
  FsViewTransform t;
  fs_view_transform_init (&t, 4032, 3024, 1127, 769, 2);
  fs_view_transform_zoom_to (&t, 1.37, 400, 300);
  for (int i = 0; i < 100; i++) {
    double x = i * 11.3, y = i * 7.7, image_x, image_y, back_x, back_y;
    fs_view_transform_to_image (&t, x, y, &image_x, &image_y);
    fs_view_transform_to_widget (&t, image_x, image_y, &back_x, &back_y);
    assert_near (x, back_x, 1e-9);
    assert_near (y, back_y, 1e-9);
  }
  assert_near (fs_view_transform_length_to_image (&t, 10), 20 / 1.37, 1e-9);
}

/* The image point under the pointer stays there, to the half device pixel that whole offsets cost,
 * for as long as the photo is larger than the view. */
static void
test_zoom_at_pointer (void)
{
  for (int scale = 1; scale <= 2; scale++) {
    FsViewTransform t;
    fs_view_transform_init (&t, 3000, 2000, 1000, 700, scale);
    fs_view_transform_zoom_to (&t, 1, 500, 350);
    for (int step = 0; step < 12; step++) {
      double pointer_x = 430 + 13 * step, pointer_y = 300 + 9 * step, x0, y0, x1, y1;
      fs_view_transform_to_image (&t, pointer_x, pointer_y, &x0, &y0);
      fs_view_transform_zoom_to (&t, t.zoom * FS_ZOOM_STEP, pointer_x, pointer_y);
      fs_view_transform_to_image (&t, pointer_x, pointer_y, &x1, &y1);
      assert_near (x0, x1, 0.5 / t.zoom + 1e-9);
      assert_near (y0, y1, 0.5 / t.zoom + 1e-9);
      g_assert_false (t.fits);
    }
  }
}

static void
test_zoom_range (void)
{
  FsViewTransform t;
  fs_view_transform_init (&t, 3000, 2000, 1000, 700, 1);
  fs_view_transform_zoom_to (&t, 1e9, 10, 10);
  assert_near (t.zoom, FS_ZOOM_MAX, 0);
  fs_view_transform_zoom_to (&t, 0, 10, 10);
  assert_near (t.zoom, fs_view_transform_fit_zoom (&t) / 2, 0);
  assert_near (t.x, floor ((1000 - t.zoom * 3000) / 2), 0);

  fs_view_transform_init (&t, 1, 1, 1000, 700, 1);
  assert_near (t.zoom, FS_ZOOM_MAX, 0);
  fs_view_transform_init (&t, 65500, 1, 10, 700, 1);
  g_assert_cmpfloat (t.zoom, >, 0);
}

static void
test_pan (void)
{
  FsViewTransform t;
  fs_view_transform_init (&t, 3000, 2000, 1000, 700, 1);
  g_assert_false (fs_view_transform_pan (&t, 50, 50));
  g_assert_true (t.fits);

  fs_view_transform_zoom_to (&t, 1, 500, 350);
  double x = t.x, y = t.y;
  g_assert_true (fs_view_transform_pan (&t, 20.4, -10.2));
  assert_near (t.x, round (x + 20.4), 0);
  assert_near (t.y, round (y - 10.2), 0);

  fs_view_transform_pan (&t, 1e6, 1e6);
  assert_near (t.x, 500, 0);
  assert_near (t.y, 350, 0);
  fs_view_transform_pan (&t, -1e6, -1e6);
  assert_near (t.x, 500 - 3000, 0);
  assert_near (t.y, 350 - 2000, 0);
}

static void
test_view_keeps_middle (void)
{
  FsViewTransform t;
  fs_view_transform_init (&t, 3000, 2000, 1000, 700, 1);
  fs_view_transform_zoom_to (&t, 1, 500, 350);
  double x0, y0, x1, y1;
  fs_view_transform_to_image (&t, 500, 350, &x0, &y0);
  fs_view_transform_set_view (&t, 1200, 500, 2);
  fs_view_transform_to_image (&t, 600, 250, &x1, &y1);
  assert_near (t.zoom, 2, 0);
  assert_near (x0, x1, 0.5);
  assert_near (y0, y1, 0.5);
}

static void
test_damage_covers (void)
{
  FsViewTransform t;
  fs_view_transform_init (&t, 3000, 2000, 1000, 700, 1);
  double zooms[] = { 0.34, 1, 3.3, 40 };
  for (gsize i = 0; i < G_N_ELEMENTS (zooms); i++) {
    fs_view_transform_zoom_to (&t, zooms[i], 500, 350);
    FsRect image = { 1490, 990, 1510, 1011 };
    FsRect damage = fs_view_transform_damage (&t, &image);
    double x0, y0, x1, y1;
    fs_view_transform_to_widget (&t, image.x0, image.y0, &x0, &y0);
    fs_view_transform_to_widget (&t, image.x1, image.y1, &x1, &y1);
    g_assert_cmpfloat (damage.x0, <=, fmax (x0 - 1, 0));
    g_assert_cmpfloat (damage.y0, <=, fmax (y0 - 1, 0));
    g_assert_cmpfloat (damage.x1, >=, fmin (x1 + 1, 1000));
    g_assert_cmpfloat (damage.y1, >=, fmin (y1 + 1, 700));
  }
  FsRect outside = { 0, 0, 3, 3 };
  g_assert_true (fs_rect_is_empty (fs_view_transform_damage (&t, &outside)));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/view-transform/fit", test_fit);
  g_test_add_func ("/view-transform/round-trip", test_round_trip);
  g_test_add_func ("/view-transform/zoom-at-pointer", test_zoom_at_pointer);
  g_test_add_func ("/view-transform/zoom-range", test_zoom_range);
  g_test_add_func ("/view-transform/pan", test_pan);
  g_test_add_func ("/view-transform/view-keeps-middle", test_view_keeps_middle);
  g_test_add_func ("/view-transform/damage-covers", test_damage_covers);
  return g_test_run ();
}
