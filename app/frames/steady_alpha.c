/* SPDX-License-Identifier: MIT */
#include "app/frames/steady_alpha.h"

#include "energy/image/row_threads.h"
#include "energy/image/seed_map.h"

#include <stdlib.h>

/* The window around a pixel, 5 × 5, and the squares by which noise is measured, every other one of
 * each row and column. */
enum { RADIUS = 2, SQUARE = 8, SQUARE_STEP = 16 };
/* Differences are means of the three channels' absolute differences, in sixteenths of a level. */
enum { UNIT = 16 };
/* A difference that noise may always make, and one that it never makes; and the quartile of a
 * picture that is another one as a whole. */
#define MIN_STILL (2 * UNIT)
#define MAX_STILL (10 * UNIT)
#define CUT       (24 * UNIT)

typedef struct {
  const FsSteadyFrame *frame, *previous;
  const uint8_t *marks;
  uint32_t *words;
  int n;                          /* of the previous ones                       */
  int still[FS_STEADY_ALPHA_MAX]; /* the largest difference that counts as noise */
} Averaging;

/* ---- Differences of pictures ---- */

static int
measure_difference (const FsImage *a, const FsImage *b, FsRect area)
{
  const gsize width = (gsize)a->width;
  const int n = 3 * (area.x1 - area.x0) * (area.y1 - area.y0);
  int sum = 0;
  for (int y = area.y0; y < area.y1; y++)
    for (gsize p = (gsize)y * width + (gsize)area.x0, end = (gsize)y * width + (gsize)area.x1;
         p < end; p++)
      sum += abs ((int)FS_PIXEL_R (a->pixels[p]) - (int)FS_PIXEL_R (b->pixels[p]))
             + abs ((int)FS_PIXEL_G (a->pixels[p]) - (int)FS_PIXEL_G (b->pixels[p]))
             + abs ((int)FS_PIXEL_B (a->pixels[p]) - (int)FS_PIXEL_B (b->pixels[p]));
  return UNIT * sum / n;
}

/* The lower quartile of the squares' differences: noise alone, unless nearly everything moves.
 * Squares in which nothing differs, such as black bars, do not count. */
static int
measure_noise (const FsImage *a, const FsImage *b)
{
  int counts[255 * UNIT + 1] = { 0 };
  int n = 0;
  for (int y = 0; y + SQUARE <= a->height; y += SQUARE_STEP)
    for (int x = 0; x + SQUARE <= a->width; x += SQUARE_STEP) {
      const int d = measure_difference (a, b, (FsRect){ x, y, x + SQUARE, y + SQUARE });
      counts[d] += d > 0;
      n += d > 0;
    }
  int noise = 0;
  for (int below = counts[0]; below <= n / 4 && n > 0;)
    below += counts[++noise];
  return noise;
}

/* ---- Averages ---- */

static gboolean
is_soft (uint8_t alpha)
{
  return alpha > 0 && alpha < 255;
}

/* Counts the previous frames that show the same at pixel (x, y). */
static int
count_still (const Averaging *a, int x, int y)
{
  const FsImage *image = a->frame->image;
  const FsRect all = { 0, 0, image->width, image->height };
  const FsRect window =
      fs_rect_intersect (all, (FsRect){ x - RADIUS, y - RADIUS, x + RADIUS + 1, y + RADIUS + 1 });
  const gsize p = (gsize)y * (gsize)image->width + (gsize)x;
  int k = 0;
  for (; k < a->n; k++) {
    const FsSteadyFrame *other = &a->previous[k];
    const gboolean fits = !other->mask[p] == !a->frame->mask[p]
                          || (is_soft (other->alpha[p]) && is_soft (a->frame->alpha[p]));
    if (!fits || measure_difference (image, other->image, window) > a->still[k])
      break;
  }
  return k;
}

static gboolean
is_alpha_equal (const Averaging *a, gsize p)
{
  for (int k = 0; k < a->n; k++)
    if (a->previous[k].alpha[p] != a->frame->alpha[p])
      return FALSE;
  return TRUE;
}

static void
average_rows (int y0, int y1, gpointer data)
{
  const Averaging *a = data;
  const int width = a->frame->image->width;
  for (int y = y0; y < y1; y++)
    for (int x = 0; x < width; x++) {
      const gsize p = (gsize)y * (gsize)width + (gsize)x;
      if (is_alpha_equal (a, p) || (a->marks && a->marks[p]))
        continue;
      const guint n = (guint)count_still (a, x, y);
      guint sum = a->frame->alpha[p];
      for (guint k = 0; k < n; k++)
        sum += a->previous[k].alpha[p];
      a->words[p] = (a->words[p] & 0xffffffu) | (2 * sum + n + 1) / (2 * (n + 1)) << 24;
    }
}

void
fs_steady_alpha_average (const FsSteadyFrame *frame, const FsSteadyFrame *previous, int n,
                         const uint8_t *marks, uint32_t *words)
{
  g_return_if_fail (frame && words && n >= 0 && n <= FS_STEADY_ALPHA_MAX && (previous || n == 0));
  const FsImage *image = frame->image;
  Averaging a = { .frame = frame, .previous = previous, .marks = marks, .words = words };
  for (; a.n < n; a.n++) {
    const FsImage *other = previous[a.n].image;
    if (other->width != image->width || other->height != image->height)
      break;
    const int noise = measure_noise (image, other);
    if (noise > CUT)
      break;
    a.still[a.n] = CLAMP (noise * 3 / 2 + UNIT, MIN_STILL, MAX_STILL);
  }
  if (a.n > 0)
    fs_row_threads_run (image->height, image->width, average_rows, &a);
}
