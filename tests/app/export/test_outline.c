/* SPDX-License-Identifier: MIT */
/* Outlines against the labels that they are of: filled again, they are these to the pixel; borders
 * are shared, never cross, and stay near; and as SVG. */
#include "app/export/export.h"
#include "app/export/outline/contour.h"
#include "energy/image/seed_map.h"
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static const double tolerances[] = { 0, 0.05, 0.25, 0.5 };

typedef struct {
  FsContourPoint a, b;
  int label; /* as wide as the points: without padding, which comparisons would see */
} Segment;

typedef struct {
  GArray *segments; /* of Segment */
  uint8_t label;
} Outline;

static gboolean
take_segments (gpointer user_data, const FsContourPoint *points, gsize n)
{
  Outline *outline = user_data;
  g_assert_cmpuint (n, >=, 3);
  for (gsize i = 0; i < n; i++) {
    const Segment segment = { points[i], points[(i + 1) % n], outline->label };
    g_assert_true (segment.a.x2 != segment.b.x2 || segment.a.y2 != segment.b.y2);
    g_array_append_val (outline->segments, segment);
  }
  return TRUE;
}

/* Of all labels. g_array_unref. */
static GArray *
trace_all (const FsContourMap *map, double tolerance_px)
{
  Outline outline = { g_array_new (FALSE, FALSE, sizeof (Segment)), 0 };
  const int height = map->area.y1 - map->area.y0;
  for (int label = map->max_ground + 1; label < 256; label++) {
    outline.label = (uint8_t)label;
    g_assert_true (
        fs_contour_trace (map, outline.label, 0, height, tolerance_px, take_segments, &outline));
  }
  return outline.segments;
}

/* By the even-odd rule at the pixel's centre. */
static gboolean
is_inside (const GArray *segments, uint8_t label, int x, int y)
{
  gboolean inside = FALSE;
  const int cx = 2 * x + 1, cy = 2 * y + 1;
  for (guint i = 0; i < segments->len; i++) {
    const Segment *s = &g_array_index (segments, Segment, i);
    if (s->label != label || (s->a.y2 > cy) == (s->b.y2 > cy))
      continue;
    const double at =
        s->a.x2 + (double)(cy - s->a.y2) * (s->b.x2 - s->a.x2) / (double)(s->b.y2 - s->a.y2);
    g_assert_cmpfloat (fabs (at - cx), >, 1e-9); /* no centre is on an outline */
    inside ^= at > cx;
  }
  return inside;
}

static void
assert_filled (const FsContourMap *map, const GArray *segments)
{
  for (int y = map->area.y0; y < map->area.y1; y++)
    for (int x = map->area.x0; x < map->area.x1; x++) {
      const uint8_t own = map->labels[y * map->width + x];
      for (int label = map->max_ground + 1; label < 8; label++)
        g_assert_true (is_inside (segments, (uint8_t)label, x, y) == (own == label));
    }
}

static gint64
orientation (FsContourPoint a, FsContourPoint b, FsContourPoint c)
{
  return (gint64)(b.x2 - a.x2) * (c.y2 - a.y2) - (gint64)(b.y2 - a.y2) * (c.x2 - a.x2);
}

static gboolean
is_same (FsContourPoint a, FsContourPoint b)
{
  return a.x2 == b.x2 && a.y2 == b.y2;
}

/* c, which is no end, lies on the segment. */
static gboolean
is_on (const Segment *s, FsContourPoint c)
{
  return orientation (s->a, s->b, c) == 0 && !is_same (s->a, c) && !is_same (s->b, c)
         && MIN (s->a.x2, s->b.x2) <= c.x2 && c.x2 <= MAX (s->a.x2, s->b.x2)
         && MIN (s->a.y2, s->b.y2) <= c.y2 && c.y2 <= MAX (s->a.y2, s->b.y2);
}

static int
sign (gint64 n)
{
  return (n > 0) - (n < 0);
}

/* Segments meet at common ends, or are the same one seen from both sides. */
static void
assert_apart (const GArray *segments)
{
  for (guint i = 0; i < segments->len; i++)
    for (guint k = i + 1; k < segments->len; k++) {
      const Segment *s = &g_array_index (segments, Segment, i);
      const Segment *t = &g_array_index (segments, Segment, k);
      if (is_same (s->a, t->b) && is_same (s->b, t->a)) {
        g_assert_cmpint (s->label, !=, t->label);
        continue;
      }
      g_assert_false (is_on (s, t->a) || is_on (s, t->b) || is_on (t, s->a) || is_on (t, s->b));
      const int over =
          sign (orientation (s->a, s->b, t->a)) * sign (orientation (s->a, s->b, t->b));
      const int under =
          sign (orientation (t->a, t->b, s->a)) * sign (orientation (t->a, t->b, s->b));
      g_assert_false (over < 0 && under < 0);
    }
}

/* Without background every segment inside the area is that of two neighbours. */
static void
assert_shared (const FsContourMap *map, const GArray *segments)
{
  for (guint i = 0; i < segments->len; i++) {
    const Segment *s = &g_array_index (segments, Segment, i);
    const gboolean is_frame =
        (s->a.x2 == s->b.x2 && (s->a.x2 == 2 * map->area.x0 || s->a.x2 == 2 * map->area.x1))
        || (s->a.y2 == s->b.y2 && (s->a.y2 == 2 * map->area.y0 || s->a.y2 == 2 * map->area.y1));
    int n_same = 0;
    for (guint k = 0; k < segments->len; k++) {
      const Segment *t = &g_array_index (segments, Segment, k);
      n_same += is_same (s->a, t->b) && is_same (s->b, t->a);
    }
    g_assert_cmpint (n_same, ==, is_frame ? 0 : 1);
  }
}

static double
distance_to (const Segment *s, double x, double y)
{
  const double dx = s->b.x2 - s->a.x2, dy = s->b.y2 - s->a.y2;
  const double along = ((x - s->a.x2) * dx + (y - s->a.y2) * dy) / (dx * dx + dy * dy);
  const double at = CLAMP (along, 0, 1);
  return hypot (s->a.x2 + at * dx - x, s->a.y2 + at * dy - y) / 2; /* in pixels */
}

/* Each corner of a pixel on the exact outline, from the simplified one. */
static void
assert_near (const GArray *exact, const GArray *simple, double tolerance_px)
{
  for (guint i = 0; i < exact->len; i++) {
    const Segment *s = &g_array_index (exact, Segment, i);
    const int n = MAX (abs (s->b.x2 - s->a.x2), abs (s->b.y2 - s->a.y2));
    for (int step = 0; step < n; step++) {
      const double x = s->a.x2 + (double)(s->b.x2 - s->a.x2) * step / n;
      const double y = s->a.y2 + (double)(s->b.y2 - s->a.y2) * step / n;
      double nearest = G_MAXDOUBLE;
      for (guint k = 0; k < simple->len; k++) {
        const Segment *t = &g_array_index (simple, Segment, k);
        if (t->label == s->label)
          nearest = MIN (nearest, distance_to (t, x, y));
      }
      g_assert_cmpfloat (nearest, <=, tolerance_px + 0.5);
    }
  }
}

static void
check_map (const FsContourMap *map)
{
  g_autoptr (GArray) exact = trace_all (map, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (tolerances); i++) {
    g_autoptr (GArray) segments = trace_all (map, tolerances[i]);
    g_autoptr (GArray) again = trace_all (map, tolerances[i]);
    g_assert_cmpmem (segments->data, segments->len * sizeof (Segment), again->data,
                     again->len * sizeof (Segment));
    assert_filled (map, segments);
    if (tolerances[i] > 0)
      assert_apart (segments);
    if (tolerances[i] > 0)
      assert_near (exact, segments, tolerances[i]);
  }
}

#define SIDE 14

/* Noise, and noise that was smoothed: few and many corners where labels meet. */
static void
fill_at_random (GRand *random, uint8_t *labels, int n_labels, int n_smooth)
{
  for (int p = 0; p < SIDE * SIDE; p++)
    labels[p] = (uint8_t)g_rand_int_range (random, 0, n_labels);
  for (int k = 0; k < n_smooth; k++) {
    const int x = g_rand_int_range (random, -3, SIDE), y = g_rand_int_range (random, -3, SIDE);
    const int r = g_rand_int_range (random, 1, 6);
    const uint8_t label = (uint8_t)g_rand_int_range (random, 0, n_labels);
    for (int v = MAX (y - r, 0); v < MIN (y + r, SIDE); v++)
      for (int u = MAX (x - r, 0); u < MIN (x + r, SIDE); u++)
        if ((u - x) * (u - x) + (v - y) * (v - y) < r * r)
          labels[v * SIDE + u] = label;
  }
}

static void
test_random (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  for (int round = 0; round < 60; round++) {
    uint8_t labels[SIDE * SIDE];
    fill_at_random (random, labels, 2 + round % 4, round % 3 * 20);
    FsContourMap map = { labels, SIDE, { 0, 0, SIDE, SIDE }, 0 };
    check_map (&map);
    map.area = (FsRect){ 2, 3, SIDE - 1, SIDE - 4 };
    check_map (&map);
    map.max_ground = 1;
    check_map (&map);
  }
}

static void
test_shared (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (6);
  for (int round = 0; round < 60; round++) {
    uint8_t labels[SIDE * SIDE];
    fill_at_random (random, labels, 3, round % 3 * 20);
    for (int p = 0; p < SIDE * SIDE; p++)
      labels[p]++;
    const FsContourMap map = { labels, SIDE, { 0, 0, SIDE, SIDE }, 0 };
    for (gsize i = 1; i < G_N_ELEMENTS (tolerances); i++) {
      g_autoptr (GArray) segments = trace_all (&map, tolerances[i]);
      assert_shared (&map, segments);
    }
  }
}

/* Lines and corners stay what they are; a circle gets few corners. */
static void
test_shapes (void)
{
  enum { N = 101 };
  g_autofree uint8_t *labels = g_malloc0 (N * N);
  const FsContourMap map = { labels, N, { 0, 0, N, N }, 0 };
  for (int y = 20; y < 60; y++)
    memset (labels + y * N + 10, 1, 70);
  g_autoptr (GArray) box = trace_all (&map, 0.5);
  g_assert_cmpuint (box->len, ==, 4);
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++)
      labels[y * N + x] = 3 * y < x + 70;
  g_autoptr (GArray) half = trace_all (&map, 0.5);
  g_assert_cmpuint (half->len, <=, 6);
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++)
      labels[y * N + x] = (x - 50) * (x - 50) + (y - 50) * (y - 50) < 1600;
  g_autoptr (GArray) disc = trace_all (&map, 0.5), exact = trace_all (&map, 0);
  g_test_message ("a circle of 40 pixels: %u corners of %u", disc->len, exact->len);
  g_assert_cmpuint (disc->len, <, 50);
  assert_near (exact, disc, 0.5);
}

/* Long straight diagonals, on which each node sees MAX_SPAN others: not all are tried, and the
 * segments are as few as can be, shared, and on the right side of all pixels. */
static void
test_diagonals (void)
{
  enum { N = 1200, PERIOD = 4, LONGEST = 512 };
  g_autofree uint8_t *labels = g_malloc (N * N);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  const FsContourMap map = { labels, N, { 0, 0, N, N }, 0 };
  for (int y = 0; y < N; y++)
    for (int x = 0; x < N; x++)
      labels[y * N + x] = (uint8_t)(1 + (x + y) / PERIOD % 2);
  const gint64 start = g_get_monotonic_time ();
  g_autoptr (GArray) segments = trace_all (&map, 0.3);
  g_test_message ("hatching of 1.4 megapixels, %u segments: %.0f ms", segments->len,
                  (double)(g_get_monotonic_time () - start) / 1000);
  guint fewest = 0;
  for (int k = 1; k < 2 * N / PERIOD; k++) {
    const int n_steps = 2 * MIN (k * PERIOD, 2 * N - k * PERIOD);
    fewest += 2 * (guint)((n_steps + LONGEST - 1) / LONGEST + 1);
  }
  g_assert_cmpuint (segments->len, <=, fewest + 4 * 2 * N / PERIOD);
  assert_shared (&map, segments);
  for (int k = 0; k < 400; k++) {
    const int x = g_rand_int_range (random, 0, N), y = g_rand_int_range (random, 0, N);
    for (uint8_t label = 1; label <= 2; label++)
      g_assert_true (is_inside (segments, label, x, y) == (labels[y * N + x] == label));
  }
}

static void
test_speed (void)
{
  enum { W = 4000, H = 3000 };
  g_autofree uint8_t *labels = g_malloc0 (W * H);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      labels[y * W + x] = sin (x * 0.02) + sin (y * 0.03 + x * 0.001) > 0.3;
  const FsContourMap map = { labels, W, { 0, 0, W, H }, 0 };
  const gint64 start = g_get_monotonic_time ();
  Outline outline = { g_array_new (FALSE, FALSE, sizeof (Segment)), 1 };
  g_autoptr (GArray) segments = outline.segments;
  g_assert_true (fs_contour_trace (&map, 1, 0, H, 0.5, take_segments, &outline));
  g_test_message ("12 megapixels, %u segments: %.0f ms", segments->len,
                  (double)(g_get_monotonic_time () - start) / 1000);
}

/* ---- SVG ---- */

static void
test_svg (void)
{
  g_autofree char *folder = g_dir_make_tmp ("outline-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "o.SVG", NULL);
  g_autofree char *text = NULL;
  g_autoptr (FsImage) image = fs_image_new (6, 4);
  const uint8_t labels[6 * 4] = { 1, 1, 1, 1, 1, 1, 1, 2, 2, 4, 4, 1,
                                  1, 2, 2, 4, 4, 1, 1, 1, 1, 1, 1, 1 };
  const char *names[FS_SEED_MAX + 1] = { [4] = "<Pot> & \"lid\"\x01" };
  const FsExport what = { .image = image,
                          .mask = labels,
                          .kind = FS_EXPORT_LABELS,
                          .area = { 1, 1, 6, 3 },
                          .object_names = names };
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (
      text, ==,
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"5\" "
      "height=\"2\" viewBox=\"1 1 5 2\">\n"
      "  <path id=\"object-1\" fill=\"#3584e4\" fill-rule=\"evenodd\" d=\"M1 1H3V3H1Z\n\"/>\n"
      "  <path id=\"object-3\" fill=\"#f6d32d\" fill-rule=\"evenodd\" d=\"M3 1H5V3H3Z\n\">"
      "<title>&lt;Pot&gt; &amp; &quot;lid&quot;</title></path>\n"
      "</svg>\n");
  g_unlink (path);
  g_rmdir (folder);
}

/* A mask without an object is a picture without a path. */
static void
test_empty (void)
{
  g_autofree char *folder = g_dir_make_tmp ("outline-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "o.svg", NULL);
  g_autofree char *text = NULL;
  g_autoptr (FsImage) image = fs_image_new (6, 4);
  const uint8_t mask[6 * 4] = { 0 };
  const FsExport what = { .image = image, .mask = mask, .kind = FS_EXPORT_MASK };
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, &error));
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_null (strstr (text, "<path"));
  g_assert_nonnull (strstr (text, "</svg>"));
  g_unlink (path);
  g_rmdir (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/outline/random", test_random);
  g_test_add_func ("/app/outline/shared", test_shared);
  g_test_add_func ("/app/outline/shapes", test_shapes);
  g_test_add_func ("/app/outline/diagonals", test_diagonals);
  g_test_add_func ("/app/outline/speed", test_speed);
  g_test_add_func ("/app/outline/svg", test_svg);
  g_test_add_func ("/app/outline/empty", test_empty);
  return g_test_run ();
}
