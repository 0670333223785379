/* SPDX-License-Identifier: MIT */
#include "energy/distance.h"

#include "energy/clones.h"
#include "solver/checked_memory.h"

/* Vertical distances: gap[y·W + x] to the nearest marked pixel of the column. Row by row, so that
 * all columns go on together. */
FS_CLONES static void
scan_columns (const uint8_t *plane, int width, int height, int *gap)
{
  size_t w = (size_t)width;
  int far = width + height;
  for (size_t x = 0; x < w; x++)
    gap[x] = plane[x] ? 0 : far;
  for (size_t y = 1; y < (size_t)height; y++) {
    const uint8_t *marks = plane + y * w;
    const int *restrict above = gap + (y - 1) * w;
    int *restrict here = gap + y * w;
    for (size_t x = 0; x < w; x++)
      here[x] = marks[x] ? 0 : MIN (above[x] + 1, far);
  }
  for (size_t y = (size_t)height - 1; y-- > 0;) {
    const int *restrict below = gap + (y + 1) * w;
    int *restrict here = gap + y * w;
    for (size_t x = 0; x < w; x++)
      here[x] = MIN (here[x], below[x] + 1);
  }
}

static int64_t
parabola (const int *gap, int from, int x)
{
  return (int64_t)(x - from) * (x - from) + (int64_t)gap[from] * gap[from];
}

/* The first x at which the parabola of `b` lies below that of `a`, a < b. The quotient of doubles
 * is that of the integers: these have fewer than 40 bits, so it is never rounded up to a whole one.
 */
static int64_t
crossing (const int *gap, int a, int b)
{
  int64_t difference = parabola (gap, b, 0) - parabola (gap, a, 0);
  return 1 + (int64_t)((double)difference / (double)(2 * (int64_t)(b - a)));
}

/* The lower envelope of one parabola a pixel: source[k] is lowest from start[k] on. */
FS_CLONES static void
scan_row (const int *gap, int width, int64_t *out, int *source, int *start)
{
  int last = 0;
  source[0] = start[0] = 0;
  for (int x = 1; x < width; x++) {
    while (last >= 0 && parabola (gap, source[last], start[last]) > parabola (gap, x, start[last]))
      last--;
    int64_t from = last < 0 ? 0 : crossing (gap, source[last], x);
    if (from >= width)
      continue;
    last++;
    source[last] = x;
    start[last] = (int)from;
  }
  for (int x = width - 1; x >= 0; x--) {
    out[x] = parabola (gap, source[last], x);
    if (x == start[last])
      last--;
  }
}

int64_t *
fs_distance2 (const uint8_t *plane, int width, int height)
{
  size_t n = (size_t)width * (size_t)height;
  g_autofree int *gap = g_new (int, n);
  g_autofree int *source = g_new (int, (gsize)width);
  g_autofree int *start = g_new (int, (gsize)width);
  int64_t *out = g_new (int64_t, n);
  fs_memory_need (gap, n, sizeof *gap);
  fs_memory_need (out, n, sizeof *out);
  scan_columns (plane, width, height, gap);
  for (int y = 0; y < height; y++)
    scan_row (gap + (size_t)y * width, width, out + (size_t)y * width, source, start);
  return out;
}
