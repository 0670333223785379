/* SPDX-License-Identifier: MIT */
#include "energy/colour/colour_density.h"

#include "energy/image/exact_math.h"
#include "energy/image/target_clones.h"

#include <string.h>

enum { SIDE = FS_COLOUR_TABLE_SIDE, RADIUS = 2, AB_RANGE = 64 * FS_LAB_UNIT };

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
  memset (table->sum, 0, sizeof table->sum);
  table->total = 0;
}

static const uint16_t corner_offset[8] = {
  0, 1, SIDE, SIDE + 1, SIDE *SIDE, SIDE *SIDE + 1, SIDE *SIDE + SIDE, SIDE *SIDE + SIDE + 1
};

/* The weight of corner i: of 2^24. */
static inline uint32_t
corner_weight (const FsColourPlace *place, int i)
{
  const uint16_t *f = place->fraction;
  uint32_t l = i & 4 ? f[0] : 256u - f[0], a = i & 2 ? f[1] : 256u - f[1];
  return l * a * (i & 1 ? f[2] : 256u - f[2]);
}

void
fs_colour_table_add (FsColourTable *table, FsColourPlace place, uint64_t weight)
{
  for (int i = 0; i < 8; i++)
    table->sum[place.node + corner_offset[i]] += weight * corner_weight (&place, i);
  table->total += weight;
}

/* --- smoothing --- */

/* The σ of the smoothing, in node distances. A third tap would be 1e-16. */
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

/* The table is mirrored at its border, so that smoothing keeps the sum. */
static int
mirror (int i)
{
  return i < 0 ? -1 - i : i >= SIDE ? 2 * SIDE - 1 - i : i;
}

/* A range of nodes along an axis: `first` ≤ node < `last`. */
typedef struct {
  int first, last;
} Range;

/* The bounding box of nodes with samples. Photos have a small part of all colours. */
typedef struct {
  Range l, a, b;
} Box;

static void
extend_range (Range *range, int i)
{
  range->first = MIN (range->first, i);
  range->last = MAX (range->last, i + 1);
}

static void
extend_box (Box *box, const uint64_t *sum, int l, int a)
{
  for (int b = 0; b < SIDE; b++)
    if (sum[b] != 0) {
      extend_range (&box->l, l);
      extend_range (&box->a, a);
      extend_range (&box->b, b);
    }
}

/* A line without samples costs one test. */
static Box
box_of_samples (const FsColourTable *table)
{
  Box box = { { SIDE, 0 }, { SIDE, 0 }, { SIDE, 0 } };
  for (int line = 0; line < SIDE * SIDE; line++) {
    const uint64_t *sum = table->sum + line * SIDE;
    uint64_t any = 0;
    for (int b = 0; b < SIDE; b++)
      any |= sum[b];
    if (any != 0)
      extend_box (&box, sum, line / SIDE, line % SIDE);
  }
  return box;
}

/* The range that smoothing extends it to. */
static Range
widened (Range range)
{
  return (Range){ MAX (range.first - RADIUS, 0), MIN (range.last + RADIUS, SIDE) };
}

/* Smooths along an axis whose nodes are `stride` apart, within a range of it and of the lines side
 * by side; outside of the one before it there is nothing. */
FS_TARGET_CLONES static void
smooth_lines (const Gaussian *g, const float *restrict from, size_t stride, Range axis, Range lines,
              float *restrict to)
{
  size_t first = (size_t)lines.first, last = (size_t)lines.last;
  for (int i = axis.first; i < axis.last; i++) {
    const float *here = from + (size_t)i * stride;
    float *sum = to + (size_t)i * stride, tap = (float)g->tap[0];
    for (size_t j = first; j < last; j++)
      sum[j] = tap * here[j];
    for (int k = 1; k <= RADIUS; k++) {
      const float *below = from + (size_t)mirror (i - k) * stride;
      const float *above = from + (size_t)mirror (i + k) * stride;
      tap = (float)g->tap[k];
      for (size_t j = first; j < last; j++)
        sum[j] += tap * (below[j] + above[j]);
    }
  }
}

/* Smooths along the axis whose nodes lie side by side. */
FS_TARGET_CLONES static void
smooth_line (const Gaussian *g, Range range, float *line)
{
  float padded[SIDE + 2 * RADIUS];
  for (int i = 0; i < SIDE + 2 * RADIUS; i++)
    padded[i] = line[mirror (i - RADIUS)];
  const float *from = padded + RADIUS;
  for (int i = range.first; i < range.last; i++)
    line[i] = (float)g->tap[0] * from[i];
  for (int k = 1; k <= RADIUS; k++)
    for (int i = range.first; i < range.last; i++)
      line[i] += (float)g->tap[k] * (from[i - k] + from[i + k]);
}

static void
smooth_box (float *density, Box box)
{
  const Gaussian g = gaussian_of_the_table ();
  const Box out = { widened (box.l), widened (box.a), widened (box.b) };
  g_autofree float *other = g_new0 (float, FS_COLOUR_TABLE_NODES);
  for (int a = box.a.first; a < box.a.last; a++)
    smooth_lines (&g, density + a * SIDE, SIDE * SIDE, out.l, box.b, other + a * SIDE);
  for (int l = out.l.first; l < out.l.last; l++)
    smooth_lines (&g, other + l * SIDE * SIDE, SIDE, out.a, box.b, density + l * SIDE * SIDE);
  for (int l = out.l.first; l < out.l.last; l++)
    for (int a = out.a.first; a < out.a.last; a++)
      smooth_line (&g, out.b, density + (l * SIDE + a) * SIDE);
}

void
fs_colour_table_smooth (FsColourTable *table)
{
  double total = (double)table->total * (1 << 24);
  float *density = table->density;
  memset (density, 0, sizeof table->density);
  if (total == 0)
    return;
  const Box box = box_of_samples (table);
  for (int l = box.l.first; l < box.l.last; l++)
    for (int a = box.a.first; a < box.a.last; a++)
      for (int i = (l * SIDE + a) * SIDE + box.b.first; i < (l * SIDE + a) * SIDE + box.b.last; i++)
        density[i] = (float)((double)table->sum[i] / total);
  smooth_box (density, box);
}

double
fs_colour_table_look_up (const FsColourTable *table, FsColourPlace place)
{
  double sum = 0;
  for (int i = 0; i < 8; i++)
    sum += (double)table->density[place.node + corner_offset[i]] * corner_weight (&place, i);
  return sum / (1 << 24);
}

void
fs_colour_tables_look_up (FsColourTable *const table[2], FsColourPlace place, double density[2])
{
  density[0] = density[1] = 0;
  for (int i = 0; i < 8; i++) {
    double weight = (double)(int32_t)corner_weight (&place, i);
    for (int side = 0; side < 2; side++)
      density[side] += (double)table[side]->density[place.node + corner_offset[i]] * weight;
  }
  density[0] /= 1 << 24;
  density[1] /= 1 << 24;
}

void
fs_colour_tables_log_ratios (FsColourTable *const table[2], const FsColourPlace *places, int n,
                             double unseen, double *out)
{
  for (int i = 0; i < n; i++) {
    double density[2];
    fs_colour_tables_look_up (table, places[i], density);
    out[i] = (density[1] + unseen) / (density[0] + unseen);
  }
  fs_exact_logs (out, n);
}
