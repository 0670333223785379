/* SPDX-License-Identifier: MIT */
#include "energy/image/distance.h"

#include "energy/image/target_clones.h"
#include "solver/system/checked_memory.h"

/* Vertical distances: gap[y·W + x] to the nearest marked pixel of the column. Row by row, so that
 * all columns go on together. */
FS_TARGET_CLONES static void
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

/* A row's parabolas: that of pixel `from` is (x − from)² + gap², at 0 from² + gap². */
typedef struct {
  const int *gap;
  int64_t *at_zero;
  int width;
} Parabolas;

static inline int64_t
parabola (const Parabolas *parabolas, int from, int x)
{
  return parabolas->at_zero[from] + (int64_t)x * (x - 2 * (int64_t)from);
}

FS_TARGET_CLONES static void
find_at_zero (const int *gap, int width, int64_t *at_zero)
{
  for (int x = 0; x < width; x++)
    at_zero[x] = (int64_t)x * x + (int64_t)gap[x] * gap[x];
}

/* The first x at which the parabola of `b` lies below that of `a`, a < b. The quotient of doubles
 * is that of the integers: these have fewer than 40 bits, so it is never rounded up to a whole one.
 */
static inline int64_t
crossing (const Parabolas *parabolas, int a, int b)
{
  int64_t difference = parabolas->at_zero[b] - parabolas->at_zero[a];
  return 1 + (int64_t)((double)difference / (double)(2 * (b - a)));
}

/* Part of the lower envelope. */
typedef struct {
  int64_t at_start;
  int from, start; /* lowest from `start` on */
} Arc;

/* The envelope of the parabolas of [x0, x1) as far as x1; returns its last arc. */
static Arc *
make_envelope (const Parabolas *parabolas, int x0, int x1, Arc *first)
{
  Arc *last = first;
  *last = (Arc){ parabola (parabolas, x0, x0), x0, x0 };
  for (int x = x0 + 1; x < x1; x++) {
    while (last >= first && last->at_start > parabola (parabolas, x, last->start))
      last--;
    int64_t start = last < first ? x0 : crossing (parabolas, last->from, x);
    if (start < x1)
      *++last = (Arc){ parabola (parabolas, x, (int)start), x, (int)start };
  }
  return last;
}

/* Unmarked pixels side by side: nothing beyond the marked ones at their ends is nearer. */
static void
fill_run (const Parabolas *parabolas, int x0, int x1, int64_t *out, Arc *arcs)
{
  const Arc *arc = make_envelope (parabolas, MAX (x0 - 1, 0), MIN (x1 + 1, parabolas->width), arcs);
  for (int x = x1 - 1; x >= x0; x--) {
    while (arc->start > x)
      arc--;
    out[x] = parabola (parabolas, arc->from, x);
  }
}

static void
scan_row (const Parabolas *parabolas, int64_t *out, Arc *arcs)
{
  const int width = parabolas->width, *gap = parabolas->gap;
  find_at_zero (gap, width, parabolas->at_zero);
  for (int x = 0; x < width;) {
    int end = x;
    for (; end < width && gap[end] == 0; end++)
      out[end] = 0;
    for (x = end; end < width && gap[end] != 0; end++)
      ;
    if (x < end)
      fill_run (parabolas, x, end, out, arcs);
    x = end;
  }
}

int64_t *
fs_distance2 (const uint8_t *plane, int width, int height)
{
  size_t n = (size_t)width * (size_t)height;
  g_autofree int *gap = g_new (int, n);
  g_autofree int64_t *at_zero = g_new (int64_t, (gsize)width);
  g_autofree Arc *arcs = g_new (Arc, (gsize)width);
  int64_t *out = g_new (int64_t, n);
  fs_memory_need (gap, n, sizeof *gap);
  fs_memory_need (out, n, sizeof *out);
  scan_columns (plane, width, height, gap);
  for (size_t y = 0; y < (size_t)height; y++) {
    const Parabolas parabolas = { gap + y * (size_t)width, at_zero, width };
    scan_row (&parabolas, out + y * (size_t)width, arcs);
  }
  return out;
}
