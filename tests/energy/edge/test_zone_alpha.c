/* SPDX-License-Identifier: MIT */
/* Alpha of refine zones: near ones are solved together, far ones alone, unchanged ones once. */
#include "energy/edge/zone_alpha.h"
#include "energy/matting/matting.h"

#include <math.h>
#include <string.h>

enum { W = 400, H = 70, N = W * H };

typedef struct {
  FsImage *image;
  uint8_t mask[N], zones[N];
  FsEdgeInput input;
} Case;

static void
paint (Case *c, FsRect rect)
{
  for (int y = rect.y0; y < rect.y1; y++)
    memset (c->zones + y * W + rect.x0, FS_EDGE_ZONE_REFINE, (gsize)(rect.x1 - rect.x0));
}

/* An object below a blurred, wavy border, in noise. */
static void
case_init (Case *c)
{
  uint32_t random = 3;
  *c = (Case){ .image = fs_image_new (W, H) };
  for (int p = 0; p < N; p++) {
    const double alpha = CLAMP ((p / W - 35 + 4 * sin (p % W / 9.0)) / 8 + 0.5, 0, 1);
    random = random * 1664525u + 1013904223u;
    const int grain = (int)(random >> 20) % 17;
    c->image->pixels[p] = FS_PIXEL (255, (uint8_t)(40 + 160 * alpha + grain),
                                    (uint8_t)(120 - 60 * alpha + grain), (uint8_t)(80 + grain));
    c->mask[p] = alpha > 0.5;
  }
  c->input = (FsEdgeInput){
    .image = c->image, .mask = c->mask, .zones = c->zones, .settings = FS_EDGE_SETTINGS_DEFAULT
  };
}

static void
case_clear (Case *c)
{
  fs_image_unref (c->image);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static FsZoneAlpha *
solve (const Case *c, const FsZoneAlpha *previous, const FsRect *changed, guint n_changed)
{
  g_autoptr (GError) error = NULL;
  FsZoneAlpha *alpha = fs_zone_alpha_new (&c->input, previous, changed, n_changed, NULL, &error);
  g_assert_no_error (error);
  g_assert_nonnull (alpha);
  return alpha;
}

/* What matting gives for the painted pixels of a rectangle, whose surroundings are known. */
static void
assert_solved_together (const Case *c, const FsZoneAlpha *alpha, FsRect rect)
{
  const FsRect all = { 0, 0, W, H },
               area = { MAX (rect.x0 - FS_ZONE_MARGIN_PX, 0), MAX (rect.y0 - FS_ZONE_MARGIN_PX, 0),
                        MIN (rect.x1 + FS_ZONE_MARGIN_PX, W),
                        MIN (rect.y1 + FS_ZONE_MARGIN_PX, H) };
  const int width = area.x1 - area.x0;
  g_autofree uint8_t *trimap = g_malloc (N), *plane = g_malloc0 (N);
  g_autofree uint8_t *expected = g_malloc ((gsize)width * (gsize)(area.y1 - area.y0));
  for (int p = 0; p < N; p++)
    trimap[p] = c->zones[p]  ? FS_TRIMAP_UNKNOWN
                : c->mask[p] ? FS_TRIMAP_OBJECT
                             : FS_TRIMAP_BACKGROUND;
  g_assert_true (fs_matting_solve (c->image, trimap, area, expected, NULL, NULL));
  fs_zone_alpha_fill (alpha, all, plane);
  for (int y = rect.y0; y < rect.y1; y++)
    for (int x = rect.x0; x < rect.x1; x++)
      if (c->zones[y * W + x])
        g_assert_cmpint (plane[y * W + x], ==, expected[(y - area.y0) * width + x - area.x0]);
}

static void
solves_near_zones_together (void)
{
  g_auto (Case) c;
  case_init (&c);
  paint (&c, (FsRect){ 20, 20, 50, 50 });
  paint (&c, (FsRect){ 60, 22, 95, 48 });
  paint (&c, (FsRect){ 300, 18, 330, 52 });
  g_autoptr (FsZoneAlpha) alpha = solve (&c, NULL, NULL, 0);
  assert_solved_together (&c, alpha, (FsRect){ 20, 20, 95, 50 });
  assert_solved_together (&c, alpha, (FsRect){ 300, 18, 330, 52 });
}

/* A component between two others joins them. */
static void
joins_what_lies_between (void)
{
  g_auto (Case) c;
  case_init (&c);
  paint (&c, (FsRect){ 20, 20, 50, 40 });
  paint (&c, (FsRect){ 120, 22, 150, 40 });
  paint (&c, (FsRect){ 80, 30, 90, 48 });
  g_autoptr (FsZoneAlpha) alpha = solve (&c, NULL, NULL, 0);
  assert_solved_together (&c, alpha, (FsRect){ 20, 20, 150, 48 });
}

static void
solves_only_what_changed (void)
{
  g_auto (Case) c;
  case_init (&c);
  paint (&c, (FsRect){ 20, 20, 50, 50 });
  paint (&c, (FsRect){ 300, 18, 330, 52 });
  g_autoptr (FsZoneAlpha) before = solve (&c, NULL, NULL, 0);
  const FsRect changed = { 340, 30, 350, 34 };
  for (int y = changed.y0; y < changed.y1; y++)
    memset (c.mask + y * W + changed.x0, 1, (gsize)(changed.x1 - changed.x0));
  g_autoptr (FsZoneAlpha) after = solve (&c, before, &changed, 1);
  g_autoptr (GArray) rects = fs_zone_alpha_list_changed (after, before);
  g_assert_cmpuint (rects->len, >, 0);
  for (guint i = 0; i < rects->len; i++)
    g_assert_cmpint (g_array_index (rects, FsRect, i).x0, ==, 300);
  assert_solved_together (&c, after, (FsRect){ 300, 18, 330, 52 });
  paint (&c, (FsRect){ 70, 20, 80, 50 });
  g_autoptr (FsZoneAlpha) joined = solve (&c, after, &(FsRect){ 70, 20, 80, 50 }, 1);
  assert_solved_together (&c, joined, (FsRect){ 20, 20, 80, 50 });
}

typedef struct {
  double fraction;
  guint n;
} Reported;

static void
take_report (double fraction, gpointer data)
{
  Reported *reported = data;
  g_assert_cmpfloat (fraction, >=, reported->fraction);
  g_assert_cmpfloat (fraction, <=, 1);
  reported->fraction = fraction;
  reported->n++;
}

/* One fraction for all zones: it never falls, and is past the half with the second one. */
static void
reports_all_zones (void)
{
  g_auto (Case) c = { 0 };
  Reported reported = { 0 };
  const FsProgress progress = { .report = take_report, .user_data = &reported };
  case_init (&c);
  paint (&c, (FsRect){ 20, 20, 50, 50 });
  paint (&c, (FsRect){ 300, 20, 330, 50 });
  g_autoptr (FsZoneAlpha) alpha = fs_zone_alpha_new (&c.input, NULL, NULL, 0, &progress, NULL);
  g_assert_nonnull (alpha);
  g_assert_cmpuint (reported.n, >=, 8);
  g_assert_cmpfloat (reported.fraction, >, 0.5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/zone-alpha/solves-near-zones-together", solves_near_zones_together);
  g_test_add_func ("/zone-alpha/joins-what-lies-between", joins_what_lies_between);
  g_test_add_func ("/zone-alpha/solves-only-what-changed", solves_only_what_changed);
  g_test_add_func ("/zone-alpha/reports-all-zones", reports_all_zones);
  return g_test_run ();
}
