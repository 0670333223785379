/* SPDX-License-Identifier: MIT */
/* The shape of edges: automatic width, antialiasing, shift, contrast, corners, specks, zones. */
#include "energy/edge/edge.h"
#include "energy/energy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = 320, H = 240 };
#define OBJECT 0xffd08020u
#define GROUND 0xff205080u

typedef struct {
  FsImage *image;
  uint8_t *mask, *marks, *zones;
} Case;

static uint32_t
mix (double alpha)
{
  uint32_t pixel = 0xff000000u;
  for (int shift = 0; shift < 24; shift += 8) {
    const double a = OBJECT >> shift & 0xff, b = GROUND >> shift & 0xff;
    pixel |= (uint32_t)(alpha * a + (1 - alpha) * b + 0.5) << shift;
  }
  return pixel;
}

/* A disc in the middle whose border is `soft_px` wide to each side. */
static double
alpha_of_disc (int p, double soft_px)
{
  const double inside = 80 - hypot (p % W - W / 2, p / W - H / 2);
  return CLAMP (0.5 + inside / (2 * soft_px), 0, 1);
}

static void
case_init (Case *c, double soft_px)
{
  c->image = fs_image_new (W, H);
  c->mask = g_malloc0 (W * H);
  c->marks = g_malloc0 (W * H);
  c->zones = g_malloc0 (W * H);
  for (int p = 0; p < W * H; p++) {
    const double alpha = alpha_of_disc (p, soft_px);
    c->image->pixels[p] = mix (alpha);
    c->mask[p] = alpha > 0.5;
  }
}

static void
case_clear (Case *c)
{
  fs_image_unref (c->image);
  g_free (c->mask);
  g_free (c->marks);
  g_free (c->zones);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static FsEdgeInput
input_of (const Case *c, FsEdgeSettings settings)
{
  return (FsEdgeInput){ c->image, c->mask, c->marks, c->zones, settings };
}

/* The words of all pixels. g_free. */
static uint32_t *
words_of (const Case *c, FsEdgeSettings settings)
{
  const FsEdgeInput input = input_of (c, settings);
  g_autoptr (FsZoneAlpha) zones = fs_zone_alpha_new (&input, NULL, NULL, 0, NULL, NULL);
  g_autoptr (FsEdge) edge = fs_edge_new (&input, zones, (FsRect){ 0, 0, W, H });
  uint32_t *words = g_new (uint32_t, W * H);
  for (int y = 0; y < H; y++)
    memcpy (words + y * W, fs_edge_get_row (edge, y), W * sizeof *words);
  return words;
}

static double
total (const uint32_t *words)
{
  double sum = 0;
  for (int p = 0; p < W * H; p++)
    sum += FS_PIXEL_A (words[p]) / 255.0;
  return sum;
}

static int
count_soft (const uint32_t *words)
{
  int n = 0;
  for (int p = 0; p < W * H; p++)
    n += FS_PIXEL_A (words[p]) > 0 && FS_PIXEL_A (words[p]) < 255;
  return n;
}

/* A sharp border gets pixels, a blurred one as many as it is wide. */
static void
measures_width (void)
{
  const double circumference = 2 * G_PI * 80;
  static const double widths[] = { 0.5, 4, 8 };
  for (guint k = 0; k < G_N_ELEMENTS (widths); k++) {
    g_auto (Case) c;
    case_init (&c, widths[k]);
    g_autofree uint32_t *words = words_of (&c, FS_EDGE_SETTINGS_DEFAULT);
    const double width = count_soft (words) / circumference;
    double error = 0;
    for (int p = 0; p < W * H; p++)
      error += fabs (FS_PIXEL_A (words[p]) / 255.0 - alpha_of_disc (p, widths[k]));
    g_test_message ("%g px: %.1f px are soft, mean error %.4f of them", widths[k], width,
                    error / (2 * widths[k] * circumference));
    g_assert_cmpfloat (width, >, 1.2 * widths[k]);
    g_assert_cmpfloat (width, <, 2 * widths[k] + 2);
    g_assert_cmpfloat (error, <, 0.1 * (2 * widths[k] + 1) * circumference);
  }
}

/* Where both sides look the same, the mask's border is antialiased: no steps, no wide haze. */
static void
antialiases (void)
{
  g_auto (Case) c;
  case_init (&c, 0.5);
  for (int p = 0; p < W * H; p++)
    c.image->pixels[p] = 0xff808080u;
  g_autofree uint32_t *words = words_of (&c, FS_EDGE_SETTINGS_DEFAULT);
  const double width = count_soft (words) / (2 * G_PI * 80);
  g_test_message ("%.2f px are soft", width);
  g_assert_cmpfloat (width, >, 0.8);
  g_assert_cmpfloat (width, <, 3.5);
  g_assert_cmpfloat (fabs (total (words) - G_PI * 80 * 80), <, 150);
}

static void
shifts (void)
{
  static const int tenths[] = { -100, -35, -10, 4, 20, 100 };
  g_auto (Case) c;
  case_init (&c, 2);
  g_autofree uint32_t *plain = words_of (&c, FS_EDGE_SETTINGS_DEFAULT);
  for (guint k = 0; k < G_N_ELEMENTS (tenths); k++) {
    FsEdgeSettings settings = FS_EDGE_SETTINGS_DEFAULT;
    settings.shift_tenths = tenths[k];
    g_autofree uint32_t *words = words_of (&c, settings);
    const double moved = (total (words) - total (plain)) / (2 * G_PI * (80 + tenths[k] / 20.0));
    g_test_message ("%+.1f px moves by %+.2f px", tenths[k] / 10.0, moved);
    g_assert_cmpfloat (fabs (moved - tenths[k] / 10.0), <, 0.2 + 0.05 * abs (tenths[k]) / 10.0);
    for (int p = 0; p < W * H; p++)
      if (tenths[k] < 0)
        g_assert_cmpint (FS_PIXEL_A (words[p]), <=, FS_PIXEL_A (plain[p]));
      else
        g_assert_cmpint (FS_PIXEL_A (words[p]), >=, FS_PIXEL_A (plain[p]));
  }
}

static void
raises_contrast (void)
{
  g_auto (Case) c;
  case_init (&c, 6);
  g_autofree uint32_t *plain = words_of (&c, FS_EDGE_SETTINGS_DEFAULT);
  int last = count_soft (plain);
  for (int contrast = 25; contrast <= 100; contrast += 25) {
    FsEdgeSettings settings = FS_EDGE_SETTINGS_DEFAULT;
    settings.contrast = contrast;
    g_autofree uint32_t *words = words_of (&c, settings);
    const int n = count_soft (words);
    g_assert_cmpint (n, <, last);
    last = n;
    for (int p = 0; p < W * H; p++)
      g_assert_cmpint (FS_PIXEL_A (words[p]) > 127, ==, FS_PIXEL_A (plain[p]) > 127);
  }
  g_assert_cmpint (last, ==, 0);
}

/* A comb of teeth, 4 px wide, vanishes; a straight border stays, and so does what is painted. */
static void
rounds_corners (void)
{
  g_auto (Case) c;
  case_init (&c, 1);
  for (int p = 0; p < W * H; p++)
    c.mask[p] = p / W >= 120 || (p / W >= 100 && p % W % 12 < 4);
  c.marks[110 * W + 1] = FS_SEED_OBJECT;
  FsEdgeSettings settings = { .width_px = 0, .smooth_px = 8 };
  g_autofree uint32_t *words = words_of (&c, settings);
  int n_teeth = 0;
  for (int p = 100 * W; p < 112 * W; p++)
    n_teeth += FS_PIXEL_A (words[p]) == 255;
  g_assert_cmpint (n_teeth, ==, 1);
  g_assert_cmpint (FS_PIXEL_A (words[110 * W + 1]), ==, 255);
  for (int p = 128 * W; p < W * H; p++)
    g_assert_cmpint (FS_PIXEL_A (words[p]), ==, 255);
}

/* Of the sizes named, with corners for pieces and without for holes. */
static void
tidies (void)
{
  g_auto (Case) c;
  case_init (&c, 1);
  memset (c.mask, 0, W * H);
  for (int p = 0; p < W * H; p++)
    c.mask[p] = p % W >= 100;
  c.mask[5 * W + 5] = c.mask[6 * W + 6] = 1; /* one piece of two pixels */
  c.mask[9 * W + 9] = c.mask[20 * W + 20] = 1;
  c.marks[20 * W + 20] = FS_SEED_OBJECT;
  c.mask[50 * W + 150] = c.mask[51 * W + 151] = 0; /* two holes of one pixel */
  c.mask[60 * W + 200] = c.mask[60 * W + 201] = 0;
  FsEdgeInput input = input_of (&c, (FsEdgeSettings){ .specks_px = 1, .holes_px = 1 });
  g_autofree uint8_t *tidy = g_malloc (W * H);
  fs_edge_tidy_mask (&input, tidy);
  int n_changed = 0;
  for (int p = 0; p < W * H; p++)
    n_changed += tidy[p] != c.mask[p];
  g_assert_cmpint (n_changed, ==, 3);
  g_assert_cmpint (tidy[9 * W + 9], ==, 0);
  g_assert_cmpint (tidy[50 * W + 150], ==, 1);
  g_assert_cmpint (tidy[51 * W + 151], ==, 1);
  input.settings = (FsEdgeSettings){ .specks_px = 2, .holes_px = 2 };
  fs_edge_tidy_mask (&input, tidy);
  for (int p = 0; p < W * H; p++)
    g_assert_cmpint (tidy[p], ==, p % W >= 100 || p == 20 * W + 20);
}

/* Any part, at any number of threads, has what the whole has. */
static void
does_not_know_areas (void)
{
  static const FsRect parts[] = { { 100, 30, 101, 200 },
                                  { 63, 64, 130, 66 },
                                  { 150, 20, 310, 140 } };
  g_auto (Case) c;
  case_init (&c, 9);
  for (int p = 0; p < W * H; p++)
    c.zones[p] = p / W > 150 ? FS_EDGE_ZONE_REFINE : p % W > 220 ? FS_EDGE_ZONE_HARD : 0;
  FsEdgeSettings settings = FS_EDGE_SETTINGS_DEFAULT;
  settings.shift_tenths = -13;
  settings.smooth_px = 3;
  fs_energy_set_threads (1);
  g_autofree uint32_t *all = words_of (&c, settings);
  const FsEdgeInput input = input_of (&c, settings);
  fs_energy_set_threads (3);
  g_autoptr (FsZoneAlpha) zones = fs_zone_alpha_new (&input, NULL, NULL, 0, NULL, NULL);
  for (guint k = 0; k < G_N_ELEMENTS (parts); k++) {
    g_autoptr (FsEdge) edge = fs_edge_new (&input, zones, parts[k]);
    for (int y = parts[k].y0; y < parts[k].y1; y++)
      g_assert_cmpmem (fs_edge_get_row (edge, y), (gsize)(parts[k].x1 - parts[k].x0) * sizeof *all,
                       all + y * W + parts[k].x0, (gsize)(parts[k].x1 - parts[k].x0) * sizeof *all);
  }
  fs_energy_set_threads (0);
}

/* A change further away than the reach has no effect. */
static void
keeps_within_reach (void)
{
  static const FsEdgeSettings all[] = {
    { .width_px = FS_EDGE_WIDTH_AUTO, .clean = 100 },
    { .width_px = 5, .clean = 100, .shift_tenths = 25 },
    { .width_px = 0, .clean = 100, .smooth_px = 2 },
  };
  g_auto (Case) c;
  case_init (&c, 9);
  for (guint k = 0; k < G_N_ELEMENTS (all); k++) {
    const int reach = fs_edge_get_radius (&all[k]), x = W / 2 + 84, y = H / 2;
    g_autofree uint32_t *before = words_of (&c, all[k]);
    c.mask[y * W + x] ^= 1;
    g_autofree uint32_t *after = words_of (&c, all[k]);
    c.mask[y * W + x] ^= 1;
    int furthest = 0;
    for (int p = 0; p < W * H; p++)
      if (before[p] != after[p])
        furthest = MAX (furthest, MAX (abs (p % W - x), abs (p / W - y)));
    g_test_message ("reach %d, furthest change %d", reach, furthest);
    g_assert_cmpint (furthest, <=, reach);
  }
}

/* A strand far outside the mask comes in where a refine zone is painted, and a hard zone is hard.
 */
static void
follows_zones (void)
{
  g_auto (Case) c;
  case_init (&c, 6);
  for (int p = 0; p < W * H; p++)
    if (p % W > 225 && p % W < 290 && abs (p / W - 120) < 2)
      c.image->pixels[p] = OBJECT;
  g_autofree uint32_t *plain = words_of (&c, FS_EDGE_SETTINGS_DEFAULT);
  for (int p = 0; p < W * H; p++)
    c.zones[p] = p % W > 215 && p % W < 300 && abs (p / W - 120) < 15 ? FS_EDGE_ZONE_REFINE
                 : p % W < 130                                        ? FS_EDGE_ZONE_HARD
                                                                      : FS_EDGE_ZONE_NONE;
  g_autofree uint32_t *words = words_of (&c, FS_EDGE_SETTINGS_DEFAULT);
  g_assert_cmpint (FS_PIXEL_A (plain[120 * W + 280]), <, 30);
  g_assert_cmpint (FS_PIXEL_A (words[120 * W + 280]), >, 220);
  g_assert_cmpint (FS_PIXEL_A (words[110 * W + 280]), <, 30);
  int n_hard = 0, n_soft = 0;
  for (int p = 0; p < W * H; p++)
    if (p % W < 130) {
      n_hard += FS_PIXEL_A (words[p]) > 0 && FS_PIXEL_A (words[p]) < 255;
      n_soft += FS_PIXEL_A (plain[p]) > 0 && FS_PIXEL_A (plain[p]) < 255;
    }
  g_test_message ("%d soft pixels in a hard zone, %d without", n_hard, n_soft);
  g_assert_cmpint (3 * n_hard, <, n_soft);
}

/* Zones that nothing came near are taken over; others are solved again. */
static void
reuses_zones (void)
{
  g_auto (Case) c;
  case_init (&c, 6);
  for (int p = 0; p < W * H; p++)
    c.zones[p] = abs (p / W - 120) < 10 && (p % W < 100 || p % W > 220) ? FS_EDGE_ZONE_REFINE : 0;
  const FsEdgeInput input = input_of (&c, FS_EDGE_SETTINGS_DEFAULT);
  g_autoptr (FsZoneAlpha) first = fs_zone_alpha_new (&input, NULL, NULL, 0, NULL, NULL);
  const FsRect at = { 250, 120, 251, 121 };
  c.mask[120 * W + 250] ^= 1;
  c.zones[120 * W + 250] = FS_EDGE_ZONE_NONE;
  g_autoptr (FsZoneAlpha) second = fs_zone_alpha_new (&input, first, &at, 1, NULL, NULL);
  g_autoptr (FsZoneAlpha) fresh = fs_zone_alpha_new (&input, NULL, NULL, 0, NULL, NULL);
  g_autoptr (GArray) changed = fs_zone_alpha_list_changed (second, first);
  g_assert_cmpint (changed->len, ==, 2); /* the one zone as it was, and as it is */
  for (guint i = 0; i < changed->len; i++)
    g_assert_cmpint (g_array_index (changed, FsRect, i).x0, >, 200);
  g_autofree uint8_t *a = g_malloc0 (W * H), *b = g_malloc0 (W * H);
  fs_zone_alpha_fill (second, (FsRect){ 0, 0, W, H }, a);
  fs_zone_alpha_fill (fresh, (FsRect){ 0, 0, W, H }, b);
  g_assert_cmpmem (a, W * H, b, W * H);
}

/* A zone larger than a block has no seams. */
static void
solves_large_zones (void)
{
  enum { SIDE = 1300 };
  FsImage *image = fs_image_new (SIDE, SIDE);
  g_autofree uint8_t *mask = g_malloc0 (SIDE * SIDE), *zones = g_malloc0 (SIDE * SIDE);
  for (int p = 0; p < SIDE * SIDE; p++) {
    const double alpha = CLAMP ((p / SIDE - 60) / 12.0, 0, 1);
    image->pixels[p] = mix (alpha);
    mask[p] = alpha > 0.5;
    zones[p] = p / SIDE > 45 && p / SIDE < 80 ? FS_EDGE_ZONE_REFINE : FS_EDGE_ZONE_NONE;
  }
  const FsEdgeInput input = { image, mask, NULL, zones, FS_EDGE_SETTINGS_DEFAULT };
  g_autoptr (FsZoneAlpha) strip = fs_zone_alpha_new (&input, NULL, NULL, 0, NULL, NULL);
  g_autofree uint8_t *alpha = g_malloc0 (SIDE * SIDE);
  fs_zone_alpha_fill (strip, (FsRect){ 0, 0, SIDE, SIDE }, alpha);
  for (int y = 46; y < 80; y++)
    for (int x = 1000; x < 1050; x++)
      g_assert_cmpint (abs (alpha[y * SIDE + x] - alpha[y * SIDE + 500]), <=, 3);
  fs_image_unref (image);
}

static void
stops (void)
{
  g_auto (Case) c;
  case_init (&c, 6);
  memset (c.zones, FS_EDGE_ZONE_REFINE, W * H);
  const FsEdgeInput input = input_of (&c, FS_EDGE_SETTINGS_DEFAULT);
  FsCancelFlag cancel = TRUE;
  const FsProgress progress = { .cancel = &cancel };
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_zone_alpha_new (&input, NULL, NULL, 0, &progress, &error));
  g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED);
}

static void
knows_ranges (void)
{
  FsEdgeSettings settings = FS_EDGE_SETTINGS_UNSET;
  fs_edge_settings_complete (&settings, &FS_EDGE_SETTINGS_DEFAULT);
  g_assert_true (fs_edge_settings_equal (&settings, &FS_EDGE_SETTINGS_DEFAULT));
  g_assert_true (fs_edge_settings_are_valid (&settings));
  g_assert_false (fs_edge_settings_are_hard (&settings));
  g_assert_true (fs_edge_settings_are_hard (&FS_EDGE_SETTINGS_HARD));
  int *fields = (int *)(gpointer)&settings;
  for (gsize i = 0; i < sizeof settings / sizeof *fields; i++) {
    const int value = fields[i];
    for (int sign = -1; sign <= 1; sign += 2) {
      fields[i] = sign * (FS_EDGE_MAX_AREA_PX + 1);
      g_assert_false (fs_edge_settings_are_valid (&settings));
    }
    fields[i] = value;
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edge-shape/measures-width", measures_width);
  g_test_add_func ("/edge-shape/antialiases", antialiases);
  g_test_add_func ("/edge-shape/shifts", shifts);
  g_test_add_func ("/edge-shape/raises-contrast", raises_contrast);
  g_test_add_func ("/edge-shape/rounds-corners", rounds_corners);
  g_test_add_func ("/edge-shape/tidies", tidies);
  g_test_add_func ("/edge-shape/does-not-know-areas", does_not_know_areas);
  g_test_add_func ("/edge-shape/keeps-within-reach", keeps_within_reach);
  g_test_add_func ("/edge-shape/follows-zones", follows_zones);
  g_test_add_func ("/edge-shape/reuses-zones", reuses_zones);
  g_test_add_func ("/edge-shape/solves-large-zones", solves_large_zones);
  g_test_add_func ("/edge-shape/stops", stops);
  g_test_add_func ("/edge-shape/knows-ranges", knows_ranges);
  return g_test_run ();
}
