/* SPDX-License-Identifier: MIT */
#include "energy/distance.h"

/* Vertical distances: gap[y·W + x] to the nearest marked pixel of the column. */
static void
scan_column (const uint8_t *plane, int width, int height, int x, int *gap)
{
  int far = width + height, d = far;
  for (int y = 0; y < height; y++) {
    d = plane[(size_t)y * width + x] ? 0 : MIN (d + 1, far);
    gap[(size_t)y * width + x] = d;
  }
  for (int y = height - 1; y >= 0; y--) {
    size_t p = (size_t)y * width + x;
    d = MIN (gap[p], MIN (d + 1, far));
    gap[p] = d;
  }
}

static int64_t
parabola (const int *gap, int from, int x)
{
  return (int64_t)(x - from) * (x - from) + (int64_t)gap[from] * gap[from];
}

/* The first x at which the parabola of `b` lies below that of `a`, a < b. */
static int64_t
crossing (const int *gap, int a, int b)
{
  int64_t difference = parabola (gap, b, 0) - parabola (gap, a, 0);
  return 1 + difference / (2 * (int64_t)(b - a));
}

/* The lower envelope of one parabola a pixel: source[k] is lowest from start[k] on. */
static void
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
  for (int x = 0; x < width; x++)
    scan_column (plane, width, height, x, gap);
  for (int y = 0; y < height; y++)
    scan_row (gap + (size_t)y * width, width, out + (size_t)y * width, source, start);
  return out;
}
