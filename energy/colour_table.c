/* SPDX-License-Identifier: MIT */
#include "energy/colour_table.h"

#include "energy/exact_math.h"

#include <string.h>

enum { SIDE = FS_COLOUR_TABLE_SIDE, RADIUS = 4, AB_RANGE = 64 * FS_LAB_UNIT };

/* The place of v in [0, range] among the nodes of one axis. */
static uint16_t
divide (int v, int range, uint16_t *fraction)
{
  int place = (CLAMP (v, 0, range) * 256 * (SIDE - 1) + range / 2) / range;
  int node = MIN (place >> 8, SIDE - 2);
  *fraction = (uint16_t)(place - node * 256);
  return (uint16_t)node;
}

FsColourPlace
fs_colour_place (FsLab lab)
{
  FsColourPlace place;
  int l = divide (lab.l, FS_LAB_L_MAX, &place.fraction[0]);
  int a = divide (lab.a + AB_RANGE, 2 * AB_RANGE, &place.fraction[1]);
  int b = divide (lab.b + AB_RANGE, 2 * AB_RANGE, &place.fraction[2]);
  place.node = (uint16_t)((l * SIDE + a) * SIDE + b);
  return place;
}

void
fs_colour_table_clear (FsColourTable *table)
{
  memset (table, 0, sizeof *table);
}

static const uint16_t corner_offset[8] = {
  0, 1, SIDE, SIDE + 1, SIDE *SIDE, SIDE *SIDE + 1, SIDE *SIDE + SIDE, SIDE *SIDE + SIDE + 1
};

/* The share of corner i: of 2^24. */
static inline uint32_t
corner_share (const FsColourPlace *place, int i)
{
  const uint16_t *f = place->fraction;
  uint32_t l = i & 4 ? f[0] : 256u - f[0], a = i & 2 ? f[1] : 256u - f[1];
  return l * a * (i & 1 ? f[2] : 256u - f[2]);
}

void
fs_colour_table_add (FsColourTable *table, FsColourPlace place, uint64_t weight)
{
  for (int i = 0; i < 8; i++)
    table->sum[place.node + corner_offset[i]] += weight * corner_share (&place, i);
  table->total += weight;
}

/* --- smoothing --- */

/* Of the smoothing, in distances between nodes. */
#define DEVIATION 0.35

typedef struct {
  double tap[RADIUS + 1];
} Gaussian;

static Gaussian
gaussian_of_the_table (void)
{
  Gaussian g;
  double sum = 0;
  for (int k = 0; k <= RADIUS; k++) {
    g.tap[k] = fs_exact_exp (-0.5 * k * k / (DEVIATION * DEVIATION));
    sum += k > 0 ? 2 * g.tap[k] : g.tap[k];
  }
  for (int k = 0; k <= RADIUS; k++)
    g.tap[k] /= sum;
  return g;
}

/* What lies beyond the border is its mirror image, so that nothing is lost there. */
static int
mirror (int i)
{
  return i < 0 ? -1 - i : i >= SIDE ? 2 * SIDE - 1 - i : i;
}

/* Smooths along an axis whose nodes are `stride` apart, for the `stride` lines side by side. */
static void
smooth_lines (const Gaussian *g, const float *restrict from, size_t stride, float *restrict to)
{
  for (int i = 0; i < SIDE; i++) {
    const float *here = from + (size_t)i * stride;
    float *sum = to + (size_t)i * stride, tap = (float)g->tap[0];
    for (size_t j = 0; j < stride; j++)
      sum[j] = tap * here[j];
    for (int k = 1; k <= RADIUS; k++) {
      const float *below = from + (size_t)mirror (i - k) * stride;
      const float *above = from + (size_t)mirror (i + k) * stride;
      tap = (float)g->tap[k];
      for (size_t j = 0; j < stride; j++)
        sum[j] += tap * (below[j] + above[j]);
    }
  }
}

/* Smooths along the axis whose nodes lie side by side. */
static void
smooth_line (const Gaussian *g, float *line)
{
  float padded[SIDE + 2 * RADIUS];
  for (int i = 0; i < SIDE + 2 * RADIUS; i++)
    padded[i] = line[mirror (i - RADIUS)];
  const float *from = padded + RADIUS;
  for (int i = 0; i < SIDE; i++)
    line[i] = (float)g->tap[0] * from[i];
  for (int k = 1; k <= RADIUS; k++)
    for (int i = 0; i < SIDE; i++)
      line[i] += (float)g->tap[k] * (from[i - k] + from[i + k]);
}

void
fs_colour_table_smooth (FsColourTable *table)
{
  double total = (double)table->total * (1 << 24);
  float *density = table->density;
  for (int i = 0; i < FS_COLOUR_TABLE_NODES; i++)
    density[i] = total > 0 ? (float)((double)table->sum[i] / total) : 0;
  if (total == 0)
    return;

  Gaussian g = gaussian_of_the_table ();
  g_autofree float *other = g_new (float, FS_COLOUR_TABLE_NODES);
  smooth_lines (&g, density, SIDE * SIDE, other);
  for (int l = 0; l < SIDE; l++)
    smooth_lines (&g, other + l * SIDE * SIDE, SIDE, density + l * SIDE * SIDE);
  for (int line = 0; line < SIDE * SIDE; line++)
    smooth_line (&g, density + line * SIDE);
}

double
fs_colour_table_look_up (const FsColourTable *table, FsColourPlace place)
{
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += (double)table->density[place.node + corner_offset[i]] * corner_share (&place, i);
  return sum / (1 << 24);
}
