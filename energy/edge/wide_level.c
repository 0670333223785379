/* SPDX-License-Identifier: MIT */
#include "energy/edge/wide_level.h"

#include "energy/edge/box_sums.h"

enum { NONE, WEAK, STRONG };
enum { N_WEAK, N_STRONG, N_COUNTS };

/* The fixed-point 1 of weights. */
#define ONE (1 << 16)

/* Squares have corners; means over squares of half their size round these. */
static int
mean_radius (const FsWideLevelRule *rule)
{
  return rule->radius / 2;
}

/* Room around an area for squares, means and interpolation, in pixels. */
static int
counts_margin (const FsWideLevelRule *rule)
{
  return (rule->radius + mean_radius (rule) + 2) << rule->shift;
}

gboolean
fs_wide_level_init (FsWideLevel *wide, const FsEdgeInput *input, const FsWideLevelRule *rule,
                    int side)
{
  *wide = (FsWideLevel){ .rule = *rule };
  const int whole = side + 2 * counts_margin (rule);
  const gsize cells = (gsize)(whole >> rule->shift) + 6;
  const gboolean is_fit =
      fs_edge_level_init (&wide->level, input, rule->shift, rule->filter, whole);
  wide->contradictions = g_try_malloc (cells * cells);
  wide->own_weights = g_try_malloc_n (cells * cells, sizeof *wide->own_weights);
  wide->weights = g_try_malloc_n (cells * cells, sizeof *wide->weights);
  return is_fit && wide->contradictions && wide->own_weights && wide->weights;
}

void
fs_wide_level_clear (FsWideLevel *wide)
{
  fs_edge_level_clear (&wide->level);
  g_clear_pointer (&wide->contradictions, g_free);
  g_clear_pointer (&wide->own_weights, g_free);
  g_clear_pointer (&wide->weights, g_free);
}

int
fs_wide_level_get_margin (const FsWideLevelRule *rule)
{
  return counts_margin (rule) + fs_edge_level_get_margin (rule->shift, rule->filter);
}

/* ---- Contradictions ---- */

static gboolean
has_border_near (const FsWideLevel *wide, int x, int y)
{
  const FsEdgeLevel *level = &wide->level;
  const FsRect near = fs_rect_intersect (level->all, fs_rect_widen ((FsRect){ x, y, x + 1, y + 1 },
                                                                    wide->rule.border));
  int inside = 0, count = 0;
  for (int j = near.y0; j < near.y1; j++)
    for (int i = near.x0; i < near.x1; i++) {
      const int32_t *sums = fs_edge_level_get_sums (level, i, j);
      inside += sums[FS_INSIDE];
      count += sums[FS_COUNT];
    }
  return inside > 0 && inside < count;
}

/* Between the alpha of the cell's mean colour and the side of most of its pixels. Where the colours
 * say nothing, alpha is the mask blurred. */
static uint8_t
contradiction (const FsWideLevel *wide, int x, int y)
{
  const FsEdgeLevel *level = &wide->level;
  const FsEdgeLine *line = &level->lines[fs_rect_place (level->cells, x, y)];
  if (!line->is_near || line->certainty < (float)wide->rule.certain)
    return NONE;
  const int32_t *sums = fs_edge_level_get_sums (level, x, y);
  const double n = sums[FS_COUNT];
  const double alpha =
      fs_edge_line_alpha (line, sums[FS_RED] / n, sums[FS_GREEN] / n, sums[FS_BLUE] / n);
  const double difference = 2 * sums[FS_INSIDE] > sums[FS_COUNT] ? 1 - alpha : alpha;
  if (difference <= wide->rule.weak || has_border_near (wide, x, y))
    return NONE;
  return difference > wide->rule.strong ? STRONG : WEAK;
}

/* Returns whether there is a strong one. */
static gboolean
find_contradictions (FsWideLevel *wide)
{
  const FsRect cells = wide->level.cells;
  uint8_t *to = wide->contradictions, any = NONE;
  for (int y = cells.y0; y < cells.y1; y++)
    for (int x = cells.x0; x < cells.x1; x++) {
      *to = contradiction (wide, x, y);
      any |= *to++;
    }
  return any & STRONG;
}

/* ---- Weights ---- */

static inline void
add_counts (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns)
{
  const FsWideLevel *wide = data;
  const uint8_t *from = wide->contradictions + fs_rect_place (wide->level.cells, x0, y);
  for (int x = x0; x < x1; x++, columns += N_COUNTS, from++) {
    columns[N_WEAK] += *from != NONE ? sign : 0;
    columns[N_STRONG] += *from == STRONG ? sign : 0;
  }
}

static inline void
take_weight (gpointer data, int x, int y, const int64_t *sums, int n_cells)
{
  FsWideLevel *wide = data;
  const double part = sums[N_WEAK] > 0 ? (double)sums[N_STRONG] / (double)sums[N_WEAK] : 0;
  const double t = CLAMP ((part - wide->rule.low) / (wide->rule.high - wide->rule.low), 0, 1);
  wide->own_weights[fs_rect_place (wide->counted, x, y)] = (int32_t)(t * t * (3 - 2 * t) * ONE);
}

static inline void
add_weights (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns)
{
  const FsWideLevel *wide = data;
  const int32_t *from = wide->own_weights + fs_rect_place (wide->counted, x0, y);
  for (int x = x0; x < x1; x++)
    *columns++ += sign * *from++;
}

static inline void
take_mean_weight (gpointer data, int x, int y, const int64_t *sums, int n_cells)
{
  FsWideLevel *wide = data;
  wide->weights[fs_rect_place (wide->cells, x, y)] = (float)((double)sums[0] / n_cells / ONE);
}

void
fs_wide_level_fit (FsWideLevel *wide, const FsEdgeWindow *window, FsRect area)
{
  const FsEdgeLevel *level = &wide->level;
  const int shift = level->shift, last = (1 << shift) - 1;
  fs_edge_level_fit (&wide->level, window,
                     fs_rect_intersect (window->photo,
                                        fs_rect_widen (area, counts_margin (&wide->rule))));
  wide->is_empty = !find_contradictions (wide);
  if (wide->is_empty)
    return;
  const FsRect in_cells = { area.x0 >> shift, area.y0 >> shift, (area.x1 + last) >> shift,
                            (area.y1 + last) >> shift };
  const int more = mean_radius (&wide->rule);
  wide->cells = fs_rect_intersect (level->all, fs_rect_widen (in_cells, 1));
  wide->counted = fs_rect_intersect (level->all, fs_rect_widen (in_cells, 1 + more));
  fs_box_sums (wide->counted, level->all, wide->rule.radius, N_COUNTS, window->columns, add_counts,
               take_weight, wide);
  fs_box_sums (wide->cells, level->all, more, 1, window->columns, add_weights, take_mean_weight,
               wide);
}

static double
weight_at (const FsWideLevel *wide, int x, int y)
{
  const FsEdgeCorner c = fs_edge_level_get_corner (&wide->level, x, y);
  const float *top = wide->weights + fs_rect_place (wide->cells, c.left, c.top);
  const float *bottom = wide->weights + fs_rect_place (wide->cells, c.left, c.bottom);
  const int right = c.right - c.left;
  const double above = top[0] + c.tx * (top[right] - top[0]);
  const double below = bottom[0] + c.tx * (bottom[right] - bottom[0]);
  return above + c.ty * (below - above);
}

double
fs_wide_level_mix (const FsWideLevel *wide, const FsEdgeWindow *window, int x, int y, double alpha)
{
  const double weight = wide->is_empty ? 0 : weight_at (wide, x, y);
  if (weight <= 0)
    return alpha;
  const FsEdgeLine line = fs_edge_level_get_line (&wide->level, x, y);
  const uint32_t pixel = window->input->image->pixels[fs_edge_window_in_photo (window, x, y)];
  const double own = line.is_near ? fs_edge_line_alpha (&line, FS_PIXEL_R (pixel),
                                                        FS_PIXEL_G (pixel), FS_PIXEL_B (pixel))
                                  : window->mask[fs_rect_place (window->mask_area, x, y)];
  return alpha + weight * (own - alpha);
}
