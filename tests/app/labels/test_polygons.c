/* SPDX-License-Identifier: MIT */
/* Masks as polygons: filled by the centres of pixels, they are the masks to the pixel, by the
 * even-odd rule and by the non-zero one, each part for itself and all joined.
 */
#include "app/labels/mask_parts.h"
#include "app/labels/polygons.h"

#include <string.h>

enum { MAX_SIDE = 24 };

/* In how many turns the polygon goes around a pixel's centre, by the crossings of a ray to the
 * left; coordinates are half pixels, so a centre is at odd ones. */
static void
count_turns (const GArray *polygon, int x, int y, int *n_crossings, int *turns)
{
  const gint64 cx = 2 * x + 1, cy = 2 * y + 1;
  for (guint i = 0; i < polygon->len; i++) {
    const FsContourPoint *p = &g_array_index (polygon, FsContourPoint, i);
    const FsContourPoint *q = &g_array_index (polygon, FsContourPoint, (i + 1) % polygon->len);
    if ((p->y2 <= cy) == (q->y2 <= cy))
      continue;
    const gint64 side = (q->x2 - p->x2) * (cy - p->y2) - (cx - p->x2) * (gint64)(q->y2 - p->y2);
    const gboolean is_down = q->y2 > p->y2;
    if (is_down ? side < 0 : side > 0) {
      ++*n_crossings;
      *turns += is_down ? 1 : -1;
    }
  }
}

static void
assert_filled (const GPtrArray *polygons, const uint8_t *mask, int width, int height)
{
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int n_inside = 0;
      for (guint i = 0; i < polygons->len; i++) {
        int n_crossings = 0, turns = 0;
        count_turns (polygons->pdata[i], x, y, &n_crossings, &turns);
        g_assert_cmpint (n_crossings % 2, ==, turns != 0);
        n_inside += n_crossings % 2;
      }
      g_assert_cmpint (n_inside, ==, mask[y * width + x]);
    }
}

static FsLabelPhoto *
new_photo (const uint8_t *mask, int width, int height)
{
  static const guint class_of[256] = { 0 };
  FsLabelPhoto *photo = fs_label_photo_new ("p.png", width, height);
  fs_label_photo_add_map (photo, mask, 1, class_of);
  return photo;
}

static void
check_mask (const uint8_t *mask, int width, int height, double tolerance_px)
{
  g_autoptr (FsLabelPhoto) photo = new_photo (mask, width, height);
  if (photo->objects->len == 0)
    return;
  g_autoptr (GPtrArray) polygons =
      fs_polygons_new (photo->objects->pdata[0], width, height, tolerance_px);
  assert_filled (polygons, mask, width, height);
  g_autoptr (GPtrArray) joined = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
  g_ptr_array_add (joined, fs_polygons_join (polygons));
  assert_filled (joined, mask, width, height);
  for (guint i = 0; i < polygons->len; i++)
    g_assert_cmpuint (((GArray *)polygons->pdata[i])->len, >=, 3);
}

static void
test_random (void)
{
  const int n_rounds = 10000;
  g_autoptr (GRand) rand = g_rand_new_with_seed (45);
  uint8_t mask[MAX_SIDE * MAX_SIDE];
  for (int round = 0; round < n_rounds; round++) {
    const int width = g_rand_int_range (rand, 1, round % 5 == 0 ? 3 : MAX_SIDE);
    const int height = g_rand_int_range (rand, 1, round % 5 == 1 ? 3 : MAX_SIDE);
    const int share = g_rand_int_range (rand, 0, 11);
    for (int i = 0; i < width * height; i++)
      mask[i] = g_rand_int_range (rand, 0, 10) < share ? 1 : 0;
    if (round % 2 == 0) /* larger pieces */
      for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
          mask[y * width + x] = mask[y / 3 * 3 * width + x / 3 * 3];
    check_mask (mask, width, height, round % 3 * 0.25);
  }
}

static void
test_shapes (void)
{
  enum { SIDE = 30, N = SIDE * SIDE };
  uint8_t mask[N];
  memset (mask, 1, N);
  check_mask (mask, SIDE, SIDE, 0.5); /* the whole photo */
  check_mask (mask, 1, 1, 0.5);
  for (int corner = 0; corner < 4; corner++) {
    memset (mask, 0, N);
    mask[(corner / 2) * (N - SIDE) + corner % 2 * (SIDE - 1)] = 1;
    check_mask (mask, SIDE, SIDE, 0.5);
  }
  /* Rings in rings. */
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      const int dx = 2 * x - SIDE + 1, dy = 2 * y - SIDE + 1;
      mask[y * SIDE + x] = (dx * dx + dy * dy) / 120 % 2 == 0;
    }
  check_mask (mask, SIDE, SIDE, 0.5);
  check_mask (mask, SIDE, SIDE, 0);
}

/* A mask of noise, with as many holes and parts as there can be, is done in a moment. */
static void
test_noise (void)
{
  enum { SIDE = 600 };
  g_autoptr (GRand) rand = g_rand_new_with_seed (3);
  g_autofree uint8_t *mask = g_malloc (SIDE * SIDE);
  for (int i = 0; i < SIDE * SIDE; i++)
    mask[i] = g_rand_int_range (rand, 0, 3) > 0;
  g_autoptr (FsLabelPhoto) photo = new_photo (mask, SIDE, SIDE);
  g_autoptr (GPtrArray) polygons = fs_polygons_new (photo->objects->pdata[0], SIDE, SIDE, 0);
  g_autoptr (GArray) joined = fs_polygons_join (polygons);
  g_assert_cmpuint (polygons->len, >, 1000);
  g_assert_cmpuint (joined->len, >, 100000);
}

/* Parts by their first pixels; those that touch at a corner only are two. */
static void
test_parts (void)
{
  static const uint8_t mask[] = { 0, 1, 0, 1, 1, /**/ 0, 1, 0, 0, 1, /**/ 1, 1, 0, 1, 0 };
  g_autoptr (FsLabelPhoto) photo = new_photo (mask, 5, 3);
  g_autoptr (GPtrArray) parts = fs_mask_parts_new (photo->objects->pdata[0]);
  static const int n_pixels[] = { 4, 3, 1 };
  g_assert_cmpuint (parts->len, ==, G_N_ELEMENTS (n_pixels));
  for (guint i = 0; i < parts->len; i++)
    g_assert_cmpint (((const FsLabelObject *)parts->pdata[i])->n_pixels, ==, n_pixels[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/polygons/parts", test_parts);
  g_test_add_func ("/polygons/shapes", test_shapes);
  g_test_add_func ("/polygons/random", test_random);
  g_test_add_func ("/polygons/noise", test_noise);
  return g_test_run ();
}
