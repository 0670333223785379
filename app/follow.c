/* SPDX-License-Identifier: MIT */
#include "app/follow.h"

#include "app/report.h"
#include "energy/distance.h"
#include "energy/energy.h"

#include <stdlib.h>
#include <string.h>

/* The first look is at shifts some pixels apart, a power of two that the frame's shorter side has
 * COARSE_PARTS times at least, with the samples of some turns. */
enum { MOST_SAMPLES = 2000, TURNS = 16, COARSE_TURNS = 4, COARSE_PARTS = 60, SIXTH = 6 };

/* Of the frame's shorter side, in thousandths, and the least of both. */
enum { BAND_PER_MILLE = 20, LEAST_BAND_PX = 5 };

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

/* What a pixel counts that would leave the frame: more than one that fits, and less than most that
 * do not: an object may leave the frame. */
enum { MISFIT = 24 };

static int
grey (uint32_t pixel)
{
  return (2 * FS_PIXEL_R (pixel) + 5 * FS_PIXEL_G (pixel) + FS_PIXEL_B (pixel)) / 8;
}

/* Every step-th pixel of the object, run by run. */
static size_t
list_pixels (const FsImage *former, const uint8_t *mask, size_t step, uint32_t *pixel)
{
  size_t width = (size_t)former->width, n = 0, next = 0; /* so many pixels from the run's start */
  for (int y = 0; y < former->height; y++) {
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

/* At most MOST_SAMPLES; those of each turn are from all over the object. */
static void
draw_samples (Match *match, const FsImage *former, const uint8_t *mask)
{
  size_t width = (size_t)former->width;
  size_t n_object = (size_t)fs_report_count_object (mask, former->width, former->height);
  size_t step = n_object / MOST_SAMPLES + 1;
  g_autofree uint32_t *pixel = g_new (uint32_t, n_object / step + 1);
  size_t n = list_pixels (former, mask, step, pixel);
  match->sample = g_new (Sample, n + 1);
  for (size_t turn = 0; turn < TURNS; turn++)
    for (size_t i = turn; i < n; i += TURNS)
      match->sample[match->n++] =
          (Sample){ (int32_t)(pixel[i] % width), (int32_t)(pixel[i] / width),
                    grey (former->pixels[pixel[i]]) };
}

/* The mean difference of grey, in 256ths, and of equal ones the smallest shift. Ends early, with
 * some number not below `least`, where it comes to that. */
static int64_t
cost_of (const Match *match, FsShift shift, int64_t least)
{
  enum { STRIDE = 64 };
  const FsImage *next = match->next;
  int64_t sum = 0, most = least / 256 * (int64_t)match->n + (int64_t)match->n;
  for (size_t i = 0; i < match->n; i++) {
    const Sample *sample = &match->sample[i];
    int x = sample->x + shift.dx, y = sample->y + shift.dy;
    gboolean is_inside = x >= 0 && y >= 0 && x < next->width && y < next->height;
    sum +=
        is_inside
            ? abs (sample->grey - grey (next->pixels[(size_t)y * (size_t)next->width + (size_t)x]))
            : MISFIT;
    if (i % STRIDE == 0 && sum > most)
      return least;
  }
  return sum * 256 / (int64_t)match->n + abs (shift.dx) + abs (shift.dy);
}

static FsShift
search (const Match *match, FsShift middle, int reach_x, int reach_y, int step)
{
  FsShift best = middle;
  int64_t least = cost_of (match, middle, G_MAXINT64 / 2 / (int64_t)match->n);
  for (int dy = middle.dy - reach_y; dy <= middle.dy + reach_y; dy += step)
    for (int dx = middle.dx - reach_x; dx <= middle.dx + reach_x; dx += step) {
      FsShift shift = { dx, dy };
      int64_t cost = cost_of (match, shift, least);
      if (cost < least) {
        least = cost;
        best = shift;
      }
    }
  return best;
}

static int
coarse_step (const FsImage *frame)
{
  int step = 2;
  while (2 * step <= MIN (frame->width, frame->height) / COARSE_PARTS)
    step *= 2;
  return step;
}

/* Within a reach of either side; `n` is not 0. */
static FsShift
search_all (Match *match, const FsImage *former, int reach_x, int reach_y)
{
  size_t n = match->n;
  int first = coarse_step (former);
  match->n = n / TURNS > 0 ? n / TURNS * COARSE_TURNS : n;
  FsShift best =
      search (match, (FsShift){ 0, 0 }, reach_x / first * first, reach_y / first * first, first);
  match->n = n;
  for (int step = first / 2; step >= 1; step /= 2)
    best = search (match, best, step, step, step);
  return best;
}

FsShift
fs_follow_measure (const FsImage *former, const uint8_t *mask, const FsImage *next)
{
  Match match = { .next = next };
  draw_samples (&match, former, mask);
  FsShift best = { 0, 0 };
  if (match.n > 0)
    best = search_all (&match, former, former->width / SIXTH, former->height / SIXTH);
  g_free (match.sample);
  return best;
}

FsShift
fs_follow_seek (const FsImage *former, const uint8_t *mask, const FsImage *next)
{
  Match match = { .next = next };
  draw_samples (&match, former, mask);
  FsShift best = { 0, 0 };
  if (match.n > 0)
    best = search_all (&match, former, former->width, former->height);
  g_free (match.sample);
  return best;
}

/* --- seeds ------------------------------------------------------------------------------------ */

/* The mask moved; what came into the frame is 2. */
static uint8_t *
move (const uint8_t *mask, int width, int height, FsShift shift)
{
  uint8_t *moved = g_malloc ((size_t)width * (size_t)height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      int from_x = x - shift.dx, from_y = y - shift.dy;
      gboolean inside = from_x >= 0 && from_y >= 0 && from_x < width && from_y < height;
      moved[(size_t)y * (size_t)width + (size_t)x] =
          inside ? mask[(size_t)from_y * (size_t)width + (size_t)from_x] : 2;
    }
  return moved;
}

static int64_t *
distance_to (const uint8_t *moved, size_t n, int width, int height, uint8_t side)
{
  g_autofree uint8_t *plane = g_malloc (n);
  for (size_t p = 0; p < n; p++)
    plane[p] = moved[p] == side;
  return fs_distance2 (plane, width, height);
}

/* Objects thinner than the band keep their inner half. */
static int64_t
inner_band2 (const uint8_t *moved, const int64_t *to_background, size_t n, int64_t band2)
{
  int64_t most = 0;
  for (size_t p = 0; p < n; p++)
    if (moved[p] == 1)
      most = MAX (most, to_background[p]);
  return MIN (band2, most / 4);
}

void
fs_follow_make_seeds (const uint8_t *mask, FsShift shift, FsSeedMap *seeds)
{
  int width = seeds->width, height = seeds->height;
  size_t n = (size_t)width * (size_t)height;
  int64_t band = MAX (LEAST_BAND_PX, MIN (width, height) * BAND_PER_MILLE / 1000);
  g_autofree uint8_t *moved = move (mask, width, height, shift);
  g_autofree int64_t *to_background = distance_to (moved, n, width, height, 0);
  g_autofree int64_t *to_object = distance_to (moved, n, width, height, 1);
  int64_t inner2 = inner_band2 (moved, to_background, n, band * band);
  g_autofree uint8_t *labels = g_malloc (n);
  for (size_t p = 0; p < n; p++)
    labels[p] = moved[p] == 1 && to_background[p] > inner2    ? FS_SEED_OBJECT
                : moved[p] == 0 && to_object[p] > band * band ? FS_SEED_BACKGROUND
                                                              : FS_SEED_NONE;
  fs_seed_map_set (seeds, labels);
}

/* --- cut -------------------------------------------------------------------------------------- */

gboolean
fs_follow_cut (FsImage *image, const FsSeedMap *seeds, uint8_t *mask, GError **error)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.star = FALSE; /* seeds enclose the border, as a lasso's do */
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, error);
  if (!energy)
    return FALSE;
  fs_energy_fit (energy, seeds);
  fs_energy_fill_grid (energy, seeds);
  FsSolution solution;
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, fs_energy_get_grid (energy), error);
  if (!solver || !fs_solver_solve (solver, NULL, &solution, error))
    return FALSE;
  if (!solution.exact) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_INVALID,
                         "the cut could not be proven minimal");
    return FALSE;
  }
  fs_solver_read_mask (solver, 0, 0, image->width, image->height, mask, (size_t)image->width);
  return TRUE;
}
