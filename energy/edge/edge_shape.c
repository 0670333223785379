/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_shape.h"

#include "energy/edge/box_sums.h"

#include <math.h>

/* An alpha is haze that differs from 0, or from 255, by less than HAZE_ALONE, or by less than
 * HAZE_MAX where no neighbour differs by HAZE_NEIGHBOUR or more. The limits are measured
 * (docs/decisions/edges.md). */
enum { HAZE_ALONE = 6, HAZE_MAX = 20, HAZE_NEIGHBOUR = 32 };

/* ---- Rounded corners ---- */

/* The fixed-point 1 of means. */
#define ONE (1 << 20)

typedef struct {
  const FsEdgeWindow *window;
  FsRect once; /* the pixels of which a first mean is taken */
} Smoothing;

static inline void
add_mask (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns)
{
  const Smoothing *smoothing = data;
  const FsEdgeWindow *w = smoothing->window;
  const uint8_t *row = w->input->mask + fs_edge_window_in_photo (w, 0, y);
  for (int x = x0; x < x1; x++)
    *columns++ += row[x] ? sign : 0;
}

static inline void
take_first_mean (gpointer data, int x, int y, const int64_t *sums, int n)
{
  const Smoothing *smoothing = data;
  smoothing->window->means[fs_rect_place (smoothing->once, x, y)] = sums[0] * ONE / n;
}

static inline void
add_means (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns)
{
  const Smoothing *smoothing = data;
  fs_box_add (columns, smoothing->window->means + fs_rect_place (smoothing->once, x0, y), x1 - x0,
              sign);
}

static inline void
take_side (gpointer data, int x, int y, const int64_t *sums, int n)
{
  const Smoothing *smoothing = data;
  const FsEdgeWindow *w = smoothing->window;
  const gboolean is_inside = w->input->mask[fs_edge_window_in_photo (w, x, y)] != 0;
  const int64_t twice = 2 * sums[0], half = (int64_t)n * ONE;
  const gboolean is_kept = twice == half || fs_edge_window_mark (w, x, y) != FS_SEED_NONE;
  w->mask[fs_rect_place (w->mask_area, x, y)] = is_kept ? is_inside : twice > half;
}

static void
copy_mask (const FsEdgeWindow *w)
{
  const FsRect area = w->mask_area;
  for (int y = area.y0; y < area.y1; y++) {
    const uint8_t *restrict from = w->input->mask + fs_edge_window_in_photo (w, area.x0, y);
    uint8_t *restrict to = w->mask + fs_rect_place (area, area.x0, y);
    for (int x = 0; x < area.x1 - area.x0; x++)
      to[x] = from[x] != 0;
  }
}

void
fs_edge_fill_mask (const FsEdgeWindow *window)
{
  const int radius = window->input->settings.smooth_px;
  if (radius == 0) {
    copy_mask (window);
    return;
  }
  Smoothing smoothing = { window, fs_rect_intersect (window->photo,
                                                     fs_rect_widen (window->mask_area, radius)) };
  fs_box_sums (smoothing.once, window->photo, radius, 1, window->box_columns, add_mask,
               take_first_mean, &smoothing);
  fs_box_sums (window->mask_area, window->photo, radius, 1, window->box_columns, add_means,
               take_side, &smoothing);
}

/* ---- Antialiasing ---- */

uint8_t
fs_edge_get_antialiased (const FsEdgeWindow *window, int x, int y)
{
  static const int binomial[5] = { 1, 4, 6, 4, 1 };
  int inside = 0;
  for (int j = -2; j <= 2; j++) {
    const int y_there = CLAMP (y + j, window->photo.y0, window->photo.y1 - 1);
    for (int i = -2; i <= 2; i++) {
      const int x_there = CLAMP (x + i, window->photo.x0, window->photo.x1 - 1);
      inside += binomial[i + 2] * binomial[j + 2]
                * window->mask[fs_rect_place (window->mask_area, x_there, y_there)];
    }
  }
  /* In 256ths; twice as steep, which makes the ramp about one pixel wide. */
  const int steep = 2 * inside - 128;
  return (uint8_t)(CLAMP (steep, 0, 256) * 255 / 256);
}

/* ---- Haze ---- */

static gboolean
is_haze (const uint8_t *raw, FsRect from, int x, int y, uint8_t end)
{
  const uint8_t rest = raw[fs_rect_place (from, x, y)] ^ end;
  if (rest < HAZE_ALONE || rest >= HAZE_MAX)
    return rest < HAZE_ALONE;
  for (int j = MAX (y - 1, from.y0); j < MIN (y + 2, from.y1); j++)
    for (int i = MAX (x - 1, from.x0); i < MIN (x + 2, from.x1); i++)
      if ((raw[fs_rect_place (from, i, j)] ^ end) >= HAZE_NEIGHBOUR)
        return FALSE;
  return TRUE;
}

void
fs_edge_clear_haze (const uint8_t *raw, FsRect from, uint8_t *alpha, FsRect to)
{
  for (int y = to.y0; y < to.y1; y++)
    for (int x = to.x0; x < to.x1; x++) {
      const uint8_t own = raw[fs_rect_place (from, x, y)], end = own < 128 ? 0 : 255;
      *alpha++ = is_haze (raw, from, x, y, end) ? end : own;
    }
}

/* ---- Shift ---- */

int
fs_edge_get_shift_margin (const FsEdgeSettings *settings)
{
  return (ABS (settings->shift_tenths) + 9) / 10;
}

static void
raise_to (uint8_t *restrict to, const uint8_t *restrict from, int n)
{
  for (int x = 0; x < n; x++)
    to[x] = MAX (to[x], from[x]);
}

/* One row of `to`: the largest alpha within a disc of so many pixels, 0 for the pixel alone. */
static void
dilate_row (const uint8_t *alpha, FsRect from, int radius, int y, FsRect to, uint8_t *row)
{
  const int n = to.x1 - to.x0;
  memset (row, 0, (gsize)n);
  for (int j = MAX (y - radius, from.y0); j < MIN (y + radius + 1, from.y1); j++) {
    const int half = (int)sqrt (radius * radius + 0.5 * radius - (j - y) * (j - y));
    for (int i = -half; i <= half; i++) {
      const int x0 = MAX (to.x0, from.x0 - i), x1 = MIN (to.x1, from.x1 - i);
      if (x0 < x1)
        raise_to (row + (x0 - to.x0), alpha + fs_rect_place (from, x0 + i, j), x1 - x0);
    }
  }
}

/* Inwards, the background moves outwards. */
void
fs_edge_shift (const FsEdgeSettings *settings, const uint8_t *alpha, FsRect from, uint8_t *shifted,
               FsRect to, uint8_t *scratch)
{
  const int tenths = ABS (settings->shift_tenths), whole = tenths / 10, rest = tenths % 10;
  const uint8_t flip = settings->shift_tenths < 0 ? 255 : 0;
  const gsize n = (gsize)(from.x1 - from.x0) * (gsize)(from.y1 - from.y0);
  const int width = to.x1 - to.x0;
  uint8_t *source = scratch, *next = scratch + n;
  for (gsize i = 0; i < n; i++)
    source[i] = alpha[i] ^ flip;
  for (int y = to.y0; y < to.y1; y++, shifted += width) {
    dilate_row (source, from, whole, y, to, shifted);
    if (rest > 0)
      dilate_row (source, from, whole + 1, y, to, next);
    for (int x = 0; x < width; x++) {
      const int mixed =
          rest > 0 ? (shifted[x] * (10 - rest) + next[x] * rest + 5) / 10 : shifted[x];
      shifted[x] = (uint8_t)mixed ^ flip;
    }
  }
}

/* ---- Contrast ---- */

void
fs_edge_raise_contrast (const FsEdgeSettings *settings, uint8_t *alpha, gsize n)
{
  uint8_t table[256];
  const int rest = 100 - settings->contrast;
  for (int a = 0; a < 256; a++) {
    const int twice = 2 * a - 255; /* −255 to 255 */
    const int steep = rest == 0 ? (twice > 0 ? 255 : -255) : CLAMP (twice * 100 / rest, -255, 255);
    table[a] = (uint8_t)((steep + 255) / 2);
  }
  for (gsize i = 0; i < n; i++)
    alpha[i] = table[alpha[i]];
}
