/* SPDX-License-Identifier: MIT */
#include "app/frames/follow/previous_background.h"

#include "app/frames/follow/motion.h"

#include <stdlib.h>
#include <string.h>

/* Samples of a frame and of a mask, at most about; and the fewest that say something. */
enum { MAX_SAMPLES = 2000, MIN_SAMPLES = 16 };
/* A pixel that differs by so many times the median of the background's differences, or by the
 * least, is something else; with more noise than the most nothing can be said. */
enum { MIN_TOLERANCE = 6, MAX_TOLERANCE = 24, HUNDREDTHS = 250 };
/* The fraction of the background's samples that must match, and of the object's that may. */
#define MIN_FIT      0.7
#define MAX_LIKENESS 0.5

typedef struct {
  const FsImage *previous, *image;
  const uint8_t *previous_mask, *mask;
  FsShift shift;
  int tolerance;
} Comparison;

static int
colour_difference (uint32_t a, uint32_t b)
{
  int red = abs ((int)FS_PIXEL_R (a) - (int)FS_PIXEL_R (b));
  int green = abs ((int)FS_PIXEL_G (a) - (int)FS_PIXEL_G (b));
  int blue = abs ((int)FS_PIXEL_B (a) - (int)FS_PIXEL_B (b));
  return MAX (red, MAX (green, blue));
}

/* The origin of a frame's pixel; FALSE outside the previous frame. */
static gboolean
find_origin (const Comparison *c, int x, int y, size_t *p)
{
  int u = x - c->shift.dx, v = y - c->shift.dy;
  if (u < 0 || v < 0 || u >= c->image->width || v >= c->image->height)
    return FALSE;
  *p = (size_t)v * (size_t)c->image->width + (size_t)u;
  return TRUE;
}

/* Histogram of the differences of some hundred background pixels that both frames have. */
static int
count_background (const Comparison *c, int count[256])
{
  int width = c->image->width, height = c->image->height, n = 0;
  int step = MAX (1, (int)(0.5 + (width + height) / 80.0));
  for (int i = 0; i < 256; i++)
    count[i] = 0;
  for (int y = step / 2; y < height; y += step)
    for (int x = step / 2; x < width; x += step) {
      size_t p = (size_t)y * (size_t)width + (size_t)x, origin;
      if (c->mask[p] || !find_origin (c, x, y, &origin) || c->previous_mask[origin])
        continue;
      count[colour_difference (c->image->pixels[p], c->previous->pixels[origin])]++;
      n++;
    }
  return n;
}

/* TRUE if the background matches with the shift; sets the tolerance. */
static gboolean
fits_background (Comparison *c)
{
  int count[256], below = 0, median = 0, n_fit = 0;
  int n = count_background (c, count);
  if (n < MIN_SAMPLES)
    return FALSE;
  while (below + count[median] <= n / 2)
    below += count[median++];
  c->tolerance = CLAMP (median * HUNDREDTHS / 100, MIN_TOLERANCE, MAX_TOLERANCE);
  for (int d = 0; d <= c->tolerance; d++)
    n_fit += count[d];
  return n_fit >= MIN_FIT * n;
}

static int64_t
sum_differences (const Comparison *c, FsShift shift)
{
  Comparison moved = *c;
  int count[256];
  int64_t sum = 0;
  moved.shift = shift;
  int n = count_background (&moved, count);
  for (int d = 0; d < 256; d++)
    sum += (int64_t)d * count[d];
  return n > 0 ? sum * 256 / n : G_MAXINT64;
}

/* TRUE if the camera has not moved: the background matches much better than a few pixels off. */
static gboolean
stands_still (const Comparison *c)
{
  static const FsShift off[] = { { 4, 0 }, { -4, 0 }, { 0, 4 }, { 0, -4 } };
  int64_t here = sum_differences (c, (FsShift){ 0, 0 });
  for (guint i = 0; i < G_N_ELEMENTS (off); i++)
    if (here > sum_differences (c, off[i]) / 4 * 3)
      return FALSE;
  return TRUE;
}

/* --- the camera's motion ---------------------------------------------------------------------- */

/* A frame in blocks, so many along its shorter side: the mean grey of each, from some samples, or
 * UNKNOWN where the object is. */
enum { BLOCKS = 45, SAMPLES = 4, UNKNOWN = -1 };
/* Blocks that are compared at most, and what one counts that the other frame does not have. */
enum { MAX_COMPARED = 400, MISFIT = 8 };

typedef struct {
  int side, columns, rows;
  int16_t *grey;
} Blocks;

static void
blocks_clear (Blocks *blocks)
{
  g_free (blocks->grey);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Blocks, blocks_clear)

static int
mean_grey (const FsImage *image, const uint8_t *mask, int x0, int y0, int side)
{
  int sum = 0, n = MIN (SAMPLES, side);
  for (int i = 0; i < n * n; i++) {
    int x = x0 + i % n * side / n, y = y0 + i / n * side / n;
    size_t p = (size_t)y * (size_t)image->width + (size_t)x;
    if (mask[p])
      return UNKNOWN;
    sum += FS_PIXEL_R (image->pixels[p]) + 2 * FS_PIXEL_G (image->pixels[p])
           + FS_PIXEL_B (image->pixels[p]);
  }
  return sum / (4 * n * n);
}

static Blocks
make_blocks (const FsImage *image, const uint8_t *mask)
{
  int side = MAX (1, MIN (image->width, image->height) / BLOCKS);
  Blocks blocks = { side, image->width / side, image->height / side, NULL };
  blocks.grey = g_new (int16_t, (gsize)blocks.columns * (gsize)blocks.rows);
  for (int row = 0; row < blocks.rows; row++)
    for (int column = 0; column < blocks.columns; column++)
      blocks.grey[row * blocks.columns + column] =
          (int16_t)mean_grey (image, mask, column * side, row * side, side);
  return blocks;
}

/* Blocks of the background, at most MAX_COMPARED from all over the frame. */
typedef struct {
  int column, row, grey;
} Block;

static int
list_background (const Blocks *blocks, Block list[MAX_COMPARED])
{
  int n_all = blocks->columns * blocks->rows, n = 0, step = n_all / MAX_COMPARED + 1;
  step += blocks->columns % step == 0; /* not of the same columns in each row */
  for (int i = step / 2; i < n_all && n < MAX_COMPARED; i += step)
    if (blocks->grey[i] != UNKNOWN)
      list[n++] = (Block){ i % blocks->columns, i / blocks->columns, blocks->grey[i] };
  return n;
}

/* The sum of differences where they are moved by some blocks; ends early from `min` on. */
static int
compare_blocks (const Block *list, int n, const Blocks *to, int dx, int dy, int min)
{
  int sum = 0;
  for (int i = 0; i < n && sum < min; i++) {
    unsigned column = (unsigned)(list[i].column + dx), row = (unsigned)(list[i].row + dy);
    int other = column < (unsigned)to->columns && row < (unsigned)to->rows
                    ? to->grey[row * (unsigned)to->columns + column]
                    : UNKNOWN;
    sum += other == UNKNOWN ? MISFIT : abs (list[i].grey - other);
  }
  return sum;
}

/* The best shift in whole blocks; of equal ones the first. */
static FsShift
find_shift (const Comparison *c)
{
  g_auto (Blocks) from = make_blocks (c->previous, c->previous_mask);
  g_auto (Blocks) to = make_blocks (c->image, c->mask);
  Block list[MAX_COMPARED];
  int n = list_background (&from, list);
  FsShift best = { 0, 0 };
  int min = compare_blocks (list, n, &to, 0, 0, G_MAXINT);
  for (int dy = -from.rows / 2; dy <= from.rows / 2; dy++)
    for (int dx = -from.columns / 2; dx <= from.columns / 2; dx++) {
      int sum = compare_blocks (list, n, &to, dx, dy, min);
      if (sum >= min)
        continue;
      min = sum;
      best = (FsShift){ dx * from.side, dy * from.side };
    }
  return best;
}

static FsShift
refine_shift (const Comparison *c, FsShift shift)
{
  int step = 1;
  while (2 * step <= MIN (c->image->width, c->image->height) / BLOCKS)
    step *= 2;
  for (; step >= 1; step /= 2) {
    FsShift middle = shift;
    int64_t min = sum_differences (c, middle);
    for (int i = 0; i < 9; i++) {
      FsShift other = { middle.dx + (i % 3 - 1) * step, middle.dy + (i / 3 - 1) * step };
      int64_t sum = sum_differences (c, other);
      if (sum < min) {
        min = sum;
        shift = other;
      }
    }
  }
  return shift;
}

static gboolean
register_background (Comparison *c)
{
  c->shift = (FsShift){ 0, 0 };
  if (!stands_still (c))
    c->shift = refine_shift (c, find_shift (c));
  return fits_background (c);
}

/* --- the mask --------------------------------------------------------------------------------- */

/* The fraction of the mask's samples that show the previous background. */
static double
measure_fraction (const Comparison *c, int64_t n_mask)
{
  size_t n = (size_t)c->image->width * (size_t)c->image->height;
  int64_t step = n_mask / MAX_SAMPLES + 1, at = 0, n_samples = 0, n_background = 0;
  const uint8_t *next = c->mask, *end = c->mask + n;
  for (; next < end && (next = memchr (next, 1, (size_t)(end - next))); next++) {
    size_t origin, width = (size_t)c->image->width, p = (size_t)(next - c->mask);
    if (at++ % step != 0)
      continue;
    n_samples++;
    n_background +=
        find_origin (c, (int)(p % width), (int)(p / width), &origin) && !c->previous_mask[origin]
        && colour_difference (c->image->pixels[p], c->previous->pixels[origin]) <= c->tolerance;
  }
  return n_samples >= MIN_SAMPLES ? (double)n_background / (double)n_samples : 0;
}

/* The fraction of the previous object's samples like the nearest background in their row. */
static double
measure_likeness (const Comparison *c)
{
  int width = c->previous->width, height = c->previous->height;
  int64_t n_samples = 0, n_like = 0;
  for (int y = 0; y < height; y++) {
    const uint8_t *mask = c->previous_mask + (size_t)y * (size_t)width;
    const uint32_t *pixel = c->previous->pixels + (size_t)y * (size_t)width;
    if (!memchr (mask, 1, (size_t)width))
      continue;
    for (int x = 1; x < width; x++) {
      if (mask[x - 1] == mask[x])
        continue;
      /* A few pixels off the border, which may be mixed. */
      int inside = mask[x] ? x + 3 : x - 4, outside = mask[x] ? x - 4 : x + 3;
      if (inside < 0 || inside >= width || outside < 0 || outside >= width || !mask[inside]
          || mask[outside])
        continue;
      n_samples++;
      n_like += colour_difference (pixel[inside], pixel[outside]) <= c->tolerance;
    }
  }
  return n_samples > 0 ? (double)n_like / (double)n_samples : 0;
}

double
fs_previous_background_fraction (const FsImage *previous, const uint8_t *previous_mask,
                                 const FsImage *image, const uint8_t *mask)
{
  g_return_val_if_fail (previous && previous_mask && image && mask, 0);
  g_return_val_if_fail (previous->width == image->width && previous->height == image->height, 0);
  Comparison c = { previous, image, previous_mask, mask, { 0, 0 }, 0 };
  int64_t n_mask = 0;
  size_t n = (size_t)image->width * (size_t)image->height;
  for (size_t p = 0; p < n; p++)
    n_mask += mask[p];
  if (n_mask == 0 || !register_background (&c))
    return 0;
  double fraction = measure_fraction (&c, n_mask);
  return fraction > 0 && measure_likeness (&c) <= MAX_LIKENESS ? fraction : 0;
}
