/* SPDX-License-Identifier: MIT */
/* Alpha and colours along a border, on pictures whose true ones are known. */
#include "energy/energy.h"
#include "energy/edge/edge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { W = 200, H = 150, RADIUS = 6, SOFT = 3 };
#define OBJECT 0xffd08020u
#define GROUND 0xff205080u

typedef struct {
  int w, h;
  FsImage *image;
  uint8_t *mask;
  uint8_t *alpha; /* the true one */
  const uint8_t *marks;
} Case;

static uint8_t
mix (uint32_t object, uint32_t ground, int shift, double alpha)
{
  double a = (object >> shift) & 0xff, b = (ground >> shift) & 0xff;
  return (uint8_t)(alpha * a + (1 - alpha) * b + 0.5);
}

/* A disc around (cx, cy) that fades over 2 · SOFT pixels into a ground. */
static void
case_init (Case *c, int w, int h, double cx, double cy)
{
  *c = (Case){ .w = w, .h = h };
  c->image = fs_image_new (w, h);
  c->mask = g_malloc ((gsize)(w * h));
  c->alpha = g_malloc ((gsize)(w * h));
  for (int p = 0; p < w * h; p++) {
    double x = p % w - cx, y = p / w - cy;
    double inside = (40 * 40 - x * x - y * y) / 80; /* about the distance to the rim */
    double alpha = CLAMP (0.5 + inside / (2 * SOFT), 0, 1);
    c->alpha[p] = (uint8_t)(alpha * 255 + 0.5);
    c->mask[p] = alpha > 0.5;
    c->image->pixels[p] = FS_PIXEL (255, mix (OBJECT, GROUND, 16, alpha),
                                    mix (OBJECT, GROUND, 8, alpha), mix (OBJECT, GROUND, 0, alpha));
  }
}

/* Grain that goes with the disc. */
static void
make_noisy (Case *c, int cx, int cy)
{
  for (int p = 0; p < c->w * c->h; p++) {
    guint32 hash = (guint32)(p % c->w - cx) * 2654435761u ^ (guint32)(p / c->w - cy) * 2246822519u;
    hash = (hash ^ hash >> 15) * 3266489917u;
    const uint32_t grain = hash >> 8 & 0x1f1f1f;
    c->image->pixels[p] = (c->image->pixels[p] & 0xffe0e0e0u) | grain;
  }
}

static void
case_clear (Case *c)
{
  fs_image_unref (c->image);
  g_free (c->mask);
  g_free (c->alpha);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

static FsEdgeInput
input_of (const Case *c, int radius)
{
  return (FsEdgeInput){ .image = c->image,
                        .mask = c->mask,
                        .marks = c->marks,
                        .settings = { .width_px = radius, .clean = 100 } };
}

static FsEdge *
edge_of (const Case *c, int radius)
{
  const FsEdgeInput input = input_of (c, radius);
  return fs_edge_new (&input, NULL, (FsRect){ 0, 0, c->w, c->h });
}

static uint32_t *
soften (const Case *c, int radius)
{
  g_autoptr (FsEdge) edge = edge_of (c, radius);
  uint32_t *all = g_new (uint32_t, c->w * c->h);
  for (int y = 0; y < c->h; y++)
    memcpy (all + y * c->w, fs_edge_get_row (edge, y), (gsize)c->w * sizeof *all);
  return all;
}

static int
colour_error (uint32_t a, uint32_t b)
{
  return MAX (MAX (abs (FS_PIXEL_R (a) - FS_PIXEL_R (b)), abs (FS_PIXEL_G (a) - FS_PIXEL_G (b))),
              abs (FS_PIXEL_B (a) - FS_PIXEL_B (b)));
}

static void
finds_alpha_and_colours (void)
{
  g_auto (Case) c;
  case_init (&c, W, H, 97.3, 71.8);
  g_autofree uint32_t *soft = soften (&c, RADIUS);
  int worst_alpha = 0, worst_colour = 0, n_soft = 0;
  for (int p = 0; p < W * H; p++) {
    int alpha = FS_PIXEL_A (soft[p]);
    worst_alpha = MAX (worst_alpha, abs (alpha - c.alpha[p]));
    if (alpha > 32) /* fainter ones have hardly a colour */
      worst_colour = MAX (worst_colour, colour_error (soft[p], OBJECT));
    n_soft += alpha > 0 && alpha < 255;
  }
  g_test_message ("worst alpha %d, worst colour %d, %d soft", worst_alpha, worst_colour, n_soft);
  g_assert_cmpint (n_soft, >, 1000);
  g_assert_cmpint (worst_alpha, <=, 24);
  g_assert_cmpint (worst_colour, <=, 40);
}

/* --- the definition, pixel by pixel --- */

typedef struct {
  int n;
  double mask, colour[3], with_mask[3], product[3][3]; /* means, channels from 0 to 1 */
} Means;

static double
channel (uint32_t pixel, int k)
{
  return (pixel >> (16 - 8 * k) & 0xff) / 255.0;
}

static FsRect
square (const Case *c, int x, int y, int r)
{
  return (FsRect){ MAX (0, x - r), MAX (0, y - r), MIN (c->w, x + r + 1), MIN (c->h, y + r + 1) };
}

static Means
means_around (const Case *c, int x, int y, int r)
{
  const FsRect s = square (c, x, y, r);
  Means m = { .n = (s.x1 - s.x0) * (s.y1 - s.y0) };
  for (int j = s.y0; j < s.y1; j++)
    for (int i = s.x0; i < s.x1; i++) {
      const uint32_t pixel = c->image->pixels[j * c->w + i];
      const double inside = c->mask[j * c->w + i] / (double)m.n;
      m.mask += inside;
      for (int k = 0; k < 3; k++) {
        m.colour[k] += channel (pixel, k) / m.n;
        m.with_mask[k] += channel (pixel, k) * inside;
        for (int l = 0; l < 3; l++)
          m.product[k][l] += channel (pixel, k) * channel (pixel, l) / m.n;
      }
    }
  return m;
}

/* Gauss's elimination. */
static void
solve_three (double a[3][4], double x[3])
{
  for (int i = 0; i < 3; i++)
    for (int j = i + 1; j < 3; j++) {
      const double by = a[j][i] / a[i][i];
      for (int k = i; k < 4; k++)
        a[j][k] -= by * a[i][k];
    }
  for (int i = 2; i >= 0; i--) {
    x[i] = a[i][3];
    for (int k = i + 1; k < 3; k++)
      x[i] -= a[i][k] * x[k];
    x[i] /= a[i][i];
  }
}

/* Offset and slopes of He et al.'s line around a pixel, with ε = 10⁻⁴. */
static void
line_at (const Case *c, int x, int y, int r, double line[4])
{
  const Means m = means_around (c, x, y, r);
  double a[3][4];
  for (int k = 0; k < 3; k++) {
    for (int l = 0; l < 3; l++)
      a[k][l] = m.product[k][l] - m.colour[k] * m.colour[l] + (k == l ? 1e-4 : 0);
    a[k][3] = m.with_mask[k] - m.colour[k] * m.mask;
  }
  solve_three (a, line + 1);
  line[0] = m.mask;
  for (int k = 0; k < 3; k++)
    line[0] -= line[1 + k] * m.colour[k];
}

/* [h · w · 4] */
static double *
all_lines (const Case *c, int r)
{
  double *lines = g_new (double, c->w * c->h * 4);
  for (int p = 0; p < c->w * c->h; p++)
    line_at (c, p % c->w, p / c->w, r, lines + 4 * p);
  return lines;
}

static double
naive_alpha (const Case *c, const double *lines, int x, int y, int r)
{
  const FsRect s = square (c, x, y, r);
  double sum = 0, n = (s.x1 - s.x0) * (s.y1 - s.y0), mask = means_around (c, x, y, r).mask;
  const uint32_t pixel = c->image->pixels[y * c->w + x];
  if (mask < 1e-9 || mask > 1 - 1e-9)
    return c->mask[y * c->w + x];
  for (int j = s.y0; j < s.y1; j++)
    for (int i = s.x0; i < s.x1; i++) {
      const double *line = lines + 4 * (j * c->w + i);
      sum += line[0];
      for (int k = 0; k < 3; k++)
        sum += line[1 + k] * channel (pixel, k);
    }
  return CLAMP (sum / n, 0, 1);
}

/* [h · w], from 0 to 255. */
static double *
all_alphas (const Case *c, int r)
{
  g_autofree double *lines = all_lines (c, r);
  double *alphas = g_new (double, c->w * c->h);
  for (int p = 0; p < c->w * c->h; p++)
    alphas[p] = 255 * naive_alpha (c, lines, p % c->w, p / c->w, r);
  return alphas;
}

/* An alpha that is hardly one, next to none of 32 or more, is none; so is one below 6. */
static int
without_haze (const Case *c, const double *alphas, int x, int y)
{
  const FsRect s = square (c, x, y, 1);
  const int alpha = (int)(alphas[y * c->w + x] + 0.5), end = alpha < 128 ? 0 : 255;
  int max = 0;
  for (int j = s.y0; j < s.y1; j++)
    for (int i = s.x0; i < s.x1; i++)
      max = MAX (max, abs ((int)(alphas[j * c->w + i] + 0.5) - end));
  return abs (alpha - end) < (max < 32 ? 20 : 6) ? end : alpha;
}

/* Sums in another order round another way. */
static gboolean
is_between (const Case *c, const double *alphas, int x, int y)
{
  const FsRect s = square (c, x, y, 1);
  for (int j = s.y0; j < s.y1; j++)
    for (int i = s.x0; i < s.x1; i++)
      if (fabs (fmod (alphas[j * c->w + i], 1) - 0.5) < 0.001)
        return TRUE;
  return FALSE;
}

/* Forte's colour of the object, from the alpha of the rows that were made. */
static double
naive_colour (const Case *c, const uint32_t *soft, int x, int y, int r, int k)
{
  const FsRect s = square (c, x, y, 2 * r);
  double object = 0, ground = 0, share = 0, n = (s.x1 - s.x0) * (s.y1 - s.y0);
  for (int j = s.y0; j < s.y1; j++)
    for (int i = s.x0; i < s.x1; i++) {
      const double alpha = FS_PIXEL_A (soft[j * c->w + i]) / 255.0;
      const double value = channel (c->image->pixels[j * c->w + i], k);
      object += alpha * value;
      ground += (1 - alpha) * value;
      share += alpha;
    }
  object /= share;
  ground /= n - share;
  const double alpha = FS_PIXEL_A (soft[y * c->w + x]) / 255.0;
  const double rest =
      channel (c->image->pixels[y * c->w + x], k) - alpha * object - (1 - alpha) * ground;
  return CLAMP (object + alpha * rest, 0, 1);
}

static void
check_by_definition (const Case *c, int r)
{
  g_autofree uint32_t *soft = soften (c, r);
  g_autofree double *alphas = all_alphas (c, r);
  int n_between = 0, n_cleared = 0;
  for (int p = 0; p < c->w * c->h; p++) {
    const int x = p % c->w, y = p / c->w, alpha = FS_PIXEL_A (soft[p]);
    if (is_between (c, alphas, x, y))
      n_between++;
    else
      g_assert_cmpint (alpha, ==, without_haze (c, alphas, x, y));
    n_cleared += alpha % 255 == 0 && fabs (alpha - alphas[p]) > 6;
    for (int k = 0; k < 3; k++) {
      const double value = alpha == 0 || alpha == 255 ? channel (c->image->pixels[p], k)
                                                      : naive_colour (c, soft, x, y, r, k);
      g_assert_cmpfloat (fabs (channel (soft[p], k) - value), <=, 0.501 / 255);
    }
  }
  g_assert_cmpint (n_between, <, c->w * c->h / 20);
  g_assert_cmpint (n_cleared, >, 0);
}

/* A disc across the photo's corner, and a border that runs along rows alone. */
static void
keeps_to_its_definition (void)
{
  g_auto (Case) disc, floor;
  case_init (&disc, 90, 70, 12.3, 61.8);
  make_noisy (&disc, 12, 61);
  check_by_definition (&disc, 3);
  check_by_definition (&disc, 7);
  case_init (&floor, 150, 40, 75, -20);
  make_noisy (&floor, 75, -20);
  for (int p = 0; p < floor.w * floor.h; p++)
    floor.mask[p] = p / floor.w >= 17;
  check_by_definition (&floor, 4);
}

/* A hard edge between noisy colours, of this distance from each other, gets next to no pixel that
 * is hardly transparent, or hardly there. */
static void
count_haze (int distance, int radius)
{
  g_auto (Case) c;
  int n_haze = 0, n_border = 0;
  case_init (&c, W, H, 97.3, 71.8);
  for (int p = 0; p < W * H; p++)
    c.image->pixels[p] = c.mask[p] ? FS_PIXEL (255, 128 + distance / 2, 128, 128 - distance / 2)
                                   : FS_PIXEL (255, 128 - distance / 2, 128, 128 + distance / 2);
  make_noisy (&c, 97, 71);
  for (int p = 0; p < W * H; p++) /* a quarter of the grain */
    c.image->pixels[p] &= 0xffe7e7e7u;
  g_autofree uint32_t *soft = soften (&c, radius);
  for (int p = 0; p < W * H; p++) {
    const int alpha = FS_PIXEL_A (soft[p]);
    n_haze += (alpha > 0 && alpha < 10) || (alpha > 245 && alpha < 255);
    n_border += p % W > 0 && c.mask[p] != c.mask[p - 1];
  }
  g_test_message ("%d of haze, border of %d rows, radius %d", n_haze, n_border, radius);
  g_assert_cmpint (n_border, >, 100);
  g_assert_cmpint (n_haze, <, n_border);
}

static void
leaves_no_haze (void)
{
  count_haze (160, 4);
  count_haze (160, 8);
  count_haze (160, 16);
  count_haze (96, 8);
}

static gboolean
is_far (const Case *c, int x, int y)
{
  for (int j = MAX (0, y - RADIUS); j <= MIN (c->h - 1, y + RADIUS); j++)
    for (int i = MAX (0, x - RADIUS); i <= MIN (c->w - 1, x + RADIUS); i++)
      if (c->mask[j * c->w + i] != c->mask[y * c->w + x])
        return FALSE;
  return TRUE;
}

static void
leaves_the_rest_alone (void)
{
  g_auto (Case) c;
  case_init (&c, W, H, 20, 140);
  make_noisy (&c, 20, 140);
  g_autofree uint32_t *soft = soften (&c, RADIUS);
  int n_far = 0;
  for (int p = 0; p < W * H; p++) {
    if (!is_far (&c, p % W, p / W))
      continue;
    n_far++;
    g_assert_cmphex (soft[p], ==, (c.image->pixels[p] & 0xffffffu) | (c.mask[p] ? 0xff000000u : 0));
  }
  g_assert_cmpint (n_far, >, W * H / 2);
  g_assert_cmpint (n_far, <, W * H);
}

/* A mask of one side alone, and pictures smaller than what is looked at. */
static void
has_no_border (void)
{
  static const int sizes[][2] = { { 1, 1 }, { 3, 1 }, { 1, 70 }, { 65, 2 } };
  for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
    g_auto (Case) c;
    case_init (&c, sizes[k][0], sizes[k][1], 0, 0);
    for (int all = 0; all <= 1; all++) {
      memset (c.mask, all, (gsize)(c.w * c.h));
      g_autofree uint32_t *soft = soften (&c, FS_EDGE_MAX_WIDTH_PX);
      for (int p = 0; p < c.w * c.h; p++)
        g_assert_cmphex (soft[p] >> 24, ==, all ? 255 : 0);
    }
    c.mask[0] = 0;
    g_autofree uint32_t *soft = soften (&c, FS_EDGE_MAX_WIDTH_PX);
    g_assert_cmphex (soft[c.w * c.h - 1] & 0xffffffu, !=, 0);
  }
}

/* A pixel that is painted keeps the mask and its colour; alpha elsewhere does not know of it. */
static void
spares_what_is_painted (void)
{
  g_auto (Case) c;
  case_init (&c, W, H, 97.3, 71.8);
  make_noisy (&c, 97, 71);
  g_autofree uint8_t *marks = g_malloc0 (W * H);
  for (int p = 0; p < W * H; p++)
    if (p % W % 16 < 5 && p / W % 16 < 5)
      marks[p] = c.mask[p] ? FS_SEED_OBJECT + (uint8_t)(p % 2) : FS_SEED_BACKGROUND;
  g_autofree uint32_t *free = soften (&c, RADIUS);
  c.marks = marks;
  g_autofree uint32_t *soft = soften (&c, RADIUS);
  int n_spared = 0, n_coloured = 0;
  for (int p = 0; p < W * H; p++) {
    const uint32_t hard = (c.image->pixels[p] & 0xffffffu) | (c.mask[p] ? 0xff000000u : 0);
    g_assert_cmphex ((marks[p] ? hard : free[p]) >> 24, ==, soft[p] >> 24);
    if (marks[p])
      g_assert_cmphex (soft[p], ==, hard);
    n_spared += marks[p] && free[p] != hard;
    n_coloured += !marks[p] && free[p] != soft[p];
  }
  g_assert_cmpint (n_spared, >, 50);
  g_assert_cmpint (n_coloured, >, 100); /* but means of colours do */
}

/* Moved in a larger picture, the disc looks the same to the bit, wherever tiles begin. */
static void
check_moved (int w, int h, int radius)
{
  enum { DX = 29, DY = 41 };
  g_auto (Case) here, there;
  case_init (&here, w, h, w / 2 + 0.25, h / 2 + 0.5);
  case_init (&there, w + 2 * DX, h + 2 * DY, w / 2 + 0.25 + DX, h / 2 + 0.5 + DY);
  make_noisy (&here, w / 2, h / 2);
  make_noisy (&there, w / 2 + DX, h / 2 + DY);
  g_autofree uint32_t *a = soften (&here, radius), *b = soften (&there, radius);
  for (int y = 0; y < h; y++)
    g_assert_cmpmem (a + y * w, (gsize)w * sizeof *a, b + (y + DY) * there.w + DX,
                     (gsize)w * sizeof *b);
}

/* Wide borders have larger tiles. */
static void
knows_no_tiles (void)
{
  check_moved (W, H, RADIUS);
  check_moved (260, 230, 16);
}

static void
knows_no_threads_or_order (void)
{
  g_auto (Case) c;
  case_init (&c, 3 * W, H, 97.3, 71.8);
  fs_energy_set_threads (1);
  g_autofree uint32_t *all = soften (&c, RADIUS);
  fs_energy_set_threads (3);
  g_autoptr (FsEdge) edge = edge_of (&c, RADIUS);
  for (int i = 0; i < c.h; i++) {
    int y = i * 67 % c.h;
    g_assert_cmpmem (fs_edge_get_row (edge, y), (gsize)c.w * 4, all + y * c.w, (gsize)c.w * 4);
  }
  fs_energy_set_threads (0);
}

/* A part holds what the whole has there, and its picture the photo's own alpha too. */
static void
makes_parts (void)
{
  static const FsRect parts[] = { { 60, 30, 61, 90 }, { 63, 64, 130, 65 }, { 50, 40, 130, 110 } };
  g_auto (Case) c;
  case_init (&c, W, H, 97.3, 71.8);
  make_noisy (&c, 97, 71);
  for (int p = 0; p < W * H; p++)
    c.image->pixels[p] = (c.image->pixels[p] & 0xffffffu) | (uint32_t)(p % 200 + 55) << 24;
  g_autofree uint32_t *all = soften (&c, RADIUS);
  for (guint k = 0; k < G_N_ELEMENTS (parts); k++) {
    const FsRect part = parts[k];
    const FsEdgeInput input = input_of (&c, RADIUS);
    g_autoptr (FsImage) picture = fs_edge_render (&input, NULL, part, NULL, NULL);
    g_assert_cmpint (picture->width, ==, part.x1 - part.x0);
    g_assert_cmpint (picture->height, ==, part.y1 - part.y0);
    for (int i = 0; i < picture->width * picture->height; i++) {
      const int p = (part.y0 + i / picture->width) * W + part.x0 + i % picture->width;
      const double alpha = (all[p] >> 24) * (p % 200 + 55) / 255.0;
      g_assert_cmphex (picture->pixels[i] & 0xffffffu, ==, all[p] & 0xffffffu);
      g_assert_cmpint (picture->pixels[i] >> 24, ==, (int)(alpha + 0.5));
    }
  }
}

/* --- areas --- */

enum { N_AREAS = 5 };
static const FsRect areas[N_AREAS] = {
  { 0, 0, 300, 10 }, { 60, 30, 61, 90 }, { 250, 1, 590, H }, { 0, 0, 600, H }, { 100, 80, 300, 120 }
};

typedef struct {
  const uint32_t *all;
  const Case *c;
  int n_taken[N_AREAS]; /* atomic */
  int n_hard;           /* atomic */
  FsCancelFlag *cancel; /* to be set; or NULL */
} Taken;

static void
take_area (gpointer data, int i, const uint32_t *words)
{
  Taken *taken = data;
  const Case *c = taken->c;
  const FsRect area = areas[i];
  g_atomic_int_inc (&taken->n_taken[i]);
  if (!words)
    g_atomic_int_inc (&taken->n_hard);
  for (int y = area.y0; y < area.y1; y++)
    for (int x = area.x0; x < area.x1; x++) {
      const int p = y * c->w + x;
      const uint32_t hard = (c->image->pixels[p] & 0xffffffu) | (c->mask[p] ? 0xff000000u : 0);
      g_assert_cmphex (words ? *words++ : hard, ==, taken->all[p]);
    }
  if (taken->cancel)
    atomic_store (taken->cancel, TRUE);
}

/* Areas have the words of the whole photo, whatever the number of threads, and each is taken once;
 * a cancelled call takes no more. */
static void
finds_areas (void)
{
  static const int widths[] = { FS_EDGE_WIDTH_AUTO, 3, FS_EDGE_MAX_WIDTH_PX };
  g_auto (Case) c;
  case_init (&c, 3 * W, H, 97.3, 71.8);
  make_noisy (&c, 97, 71);
  for (guint k = 0; k < G_N_ELEMENTS (widths); k++) {
    const FsEdgeInput input = input_of (&c, widths[k]);
    g_autofree uint32_t *all = soften (&c, widths[k]);
    for (int n_threads = 1; n_threads <= 4; n_threads++) {
      Taken taken = { .all = all, .c = &c };
      fs_energy_set_threads (n_threads);
      g_assert_true (fs_edge_find_areas (&input, NULL, areas, N_AREAS, NULL, take_area, &taken));
      for (int i = 0; i < N_AREAS; i++)
        g_assert_cmpint (taken.n_taken[i], ==, 1);
      g_assert_cmpint (taken.n_hard, <, N_AREAS);
    }
    FsCancelFlag cancel = FALSE;
    Taken taken = { .all = all, .c = &c, .cancel = &cancel };
    const FsProgress progress = { .cancel = &cancel };
    fs_energy_set_threads (1);
    g_assert_false (
        fs_edge_find_areas (&input, NULL, areas, N_AREAS, &progress, take_area, &taken));
    g_assert_cmpint (taken.n_taken[0], ==, 1);
    g_assert_cmpint (taken.n_taken[1], ==, 0);
    g_assert_true (fs_edge_find_areas (&input, NULL, NULL, 0, NULL, take_area, &taken));
  }
  fs_energy_set_threads (0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/edge/finds-alpha-and-colours", finds_alpha_and_colours);
  g_test_add_func ("/edge/keeps-to-its-definition", keeps_to_its_definition);
  g_test_add_func ("/edge/leaves-no-haze", leaves_no_haze);
  g_test_add_func ("/edge/leaves-the-rest-alone", leaves_the_rest_alone);
  g_test_add_func ("/edge/spares-what-is-painted", spares_what_is_painted);
  g_test_add_func ("/edge/has-no-border", has_no_border);
  g_test_add_func ("/edge/knows-no-tiles", knows_no_tiles);
  g_test_add_func ("/edge/knows-no-threads-or-order", knows_no_threads_or_order);
  g_test_add_func ("/edge/makes-parts", makes_parts);
  g_test_add_func ("/edge/finds-areas", finds_areas);
  return g_test_run ();
}
