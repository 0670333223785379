/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/motion.h"

#include "app/files/report_numbers.h"

#include <stdlib.h>
#include <string.h>

/* The first search has a step that is a power of two, at most 1/COARSE_DIVISOR of the frame's
 * shorter side, and uses the samples of COARSE_ROUNDS rounds. */
enum { MAX_SAMPLES = 2000, ROUNDS = 16, COARSE_ROUNDS = 4, COARSE_DIVISOR = 60, SIXTH = 6 };

/* --- motion ----------------------------------------------------------------------------------- */

typedef struct {
  int32_t x, y;
  int32_t grey;
} Sample;

typedef struct {
  const FsImage *next;
  Sample *sample; /* [n] of the object */
  size_t n;
} Match;

/* The cost of a pixel that would leave the frame: above that of a match and below that of most
 * mismatches, since an object may leave the frame. */
enum { MISFIT = 24 };

static int
grey (uint32_t pixel)
{
  return (2 * FS_PIXEL_R (pixel) + 5 * FS_PIXEL_G (pixel) + FS_PIXEL_B (pixel)) / 8;
}

/* Every step-th pixel of the object, run by run. */
static size_t
list_pixels (const FsImage *previous, const uint8_t *mask, size_t step, uint32_t *pixel)
{
  size_t width = (size_t)previous->width, n = 0, next = 0; /* so many pixels from the run's start */
  for (int y = 0; y < previous->height; y++) {
    const uint8_t *row = mask + (size_t)y * width, *end = row + width, *at = row;
    while (at < end && (at = memchr (at, 1, (size_t)(end - at)))) {
      const uint8_t *last = memchr (at, 0, (size_t)(end - at));
      size_t length = (size_t)((last ? last : end) - at);
      for (; next < length; next += step)
        pixel[n++] = (uint32_t)((size_t)(at - mask) + next);
      next -= length;
      at += length;
    }
  }
  return n;
}

/* At most MAX_SAMPLES; those of each round are from all over the object. */
static void
draw_samples (Match *match, const FsImage *previous, const uint8_t *mask)
{
  size_t width = (size_t)previous->width;
  size_t n_object = (size_t)fs_report_count_object (mask, previous->width, previous->height);
  size_t step = n_object / MAX_SAMPLES + 1;
  g_autofree uint32_t *pixel = g_new (uint32_t, n_object / step + 1);
  size_t n = list_pixels (previous, mask, step, pixel);
  match->sample = g_new (Sample, n + 1);
  for (size_t round = 0; round < ROUNDS; round++)
    for (size_t i = round; i < n; i += ROUNDS)
      match->sample[match->n++] =
          (Sample){ (int32_t)(pixel[i] % width), (int32_t)(pixel[i] / width),
                    grey (previous->pixels[pixel[i]]) };
}

/* The mean difference in grey, in 256ths, with a small penalty for the length of the shift. Ends
 * early where the result cannot be below `min`. */
static int64_t
cost_of (const Match *match, FsShift shift, int64_t min)
{
  enum { STRIDE = 64 };
  const FsImage *next = match->next;
  int64_t sum = 0, max = min / 256 * (int64_t)match->n + (int64_t)match->n;
  for (size_t i = 0; i < match->n; i++) {
    const Sample *sample = &match->sample[i];
    int x = sample->x + shift.dx, y = sample->y + shift.dy;
    gboolean is_inside = x >= 0 && y >= 0 && x < next->width && y < next->height;
    sum +=
        is_inside
            ? abs (sample->grey - grey (next->pixels[(size_t)y * (size_t)next->width + (size_t)x]))
            : MISFIT;
    if (i % STRIDE == 0 && sum > max)
      return min;
  }
  return sum * 256 / (int64_t)match->n + abs (shift.dx) + abs (shift.dy);
}

static FsShift
search_shift (const Match *match, FsShift middle, int range_x, int range_y, int step)
{
  FsShift best = middle;
  int64_t min = cost_of (match, middle, G_MAXINT64 / 2 / (int64_t)match->n);
  for (int dy = middle.dy - range_y; dy <= middle.dy + range_y; dy += step)
    for (int dx = middle.dx - range_x; dx <= middle.dx + range_x; dx += step) {
      FsShift shift = { dx, dy };
      int64_t cost = cost_of (match, shift, min);
      if (cost < min) {
        min = cost;
        best = shift;
      }
    }
  return best;
}

static int
coarse_step (const FsImage *frame)
{
  int step = 2;
  while (2 * step <= MIN (frame->width, frame->height) / COARSE_DIVISOR)
    step *= 2;
  return step;
}

/* Within the search range on either side of `middle`; `n` is not 0. */
static FsShift
search_all (Match *match, const FsImage *previous, FsShift middle, int range_x, int range_y)
{
  size_t n = match->n;
  int first = coarse_step (previous);
  match->n = n / ROUNDS > 0 ? n / ROUNDS * COARSE_ROUNDS : n;
  FsShift best =
      search_shift (match, middle, range_x / first * first, range_y / first * first, first);
  match->n = n;
  for (int step = first / 2; step >= 1; step /= 2)
    best = search_shift (match, best, step, step, step);
  return best;
}

FsShift
fs_follow_measure (const FsImage *previous, const uint8_t *mask, const FsImage *next)
{
  Match match = { .next = next };
  draw_samples (&match, previous, mask);
  FsShift best = { 0, 0 };
  if (match.n > 0)
    best = search_all (&match, previous, best, previous->width / SIXTH, previous->height / SIXTH);
  g_free (match.sample);
  return best;
}

FsShift
fs_follow_seek (const FsImage *previous, const uint8_t *mask, const FsImage *next)
{
  Match match = { .next = next };
  draw_samples (&match, previous, mask);
  FsShift best = { 0, 0 };
  if (match.n > 0)
    best = search_all (&match, previous, best, previous->width, previous->height);
  g_free (match.sample);
  return best;
}

FsShift
fs_follow_refine (const FsImage *previous, const uint8_t *mask, const FsImage *next, FsShift near,
                  int range)
{
  Match match = { .next = next };
  draw_samples (&match, previous, mask);
  FsShift best = near;
  if (match.n > 0)
    best = search_all (&match, previous, best, range, range);
  g_free (match.sample);
  return best;
}
