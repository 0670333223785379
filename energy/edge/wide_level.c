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
fs_wide_level_init (FsWideLevel *wide, FsEdgeCells *cells, const FsWideLevelRule *rule, int side)
{
  *wide = (FsWideLevel){ .rule = *rule };
  const int whole = side + 2 * counts_margin (rule);
  const gsize n = (gsize)(whole >> rule->shift) + 6;
  const gboolean is_fit = fs_edge_level_init (&wide->level, cells, rule->filter, whole);
  wide->contradictions = g_try_malloc (n * n);
  wide->own_weights = g_try_malloc_n (n * n, sizeof *wide->own_weights);
  wide->weights = g_try_malloc_n (n * n, sizeof *wide->weights);
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
  const FsEdgeCells *cells = wide->level.cells;
  const FsRect near = fs_rect_intersect (cells->all, fs_rect_widen ((FsRect){ x, y, x + 1, y + 1 },
                                                                    wide->rule.border));
  uint8_t sides = 0;
  for (int j = near.y0; j < near.y1; j++)
    for (int i = near.x0; i < near.x1; i++)
      sides |= cells->sides[fs_rect_place (cells->cells, i, j)];
  return sides == FS_SIDES_BOTH;
}

/* Between the alpha of the cell's mean colour and the side of most of its pixels. Where the colours
 * say nothing, alpha is the mask blurred. */
static uint8_t
contradiction (const FsWideLevel *wide, int x, int y)
{
  const FsEdgeLevel *level = &wide->level;
  const FsEdgeLine *line = fs_edge_level_get_line (level, x, y);
  if (line->certainty < (float)wide->rule.certain)
    return NONE;
  const int32_t *sums = fs_edge_cells_get_sums (level->cells, x, y)->narrow;
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
  const FsRect cells = wide->level.lined;
  uint8_t *to = wide->contradictions, any = NONE;
  for (int y = cells.y0; y < cells.y1; y++)
    for (int x = cells.x0; x < cells.x1; x++) {
      *to = fs_edge_level_is_near (&wide->level, x, y) ? contradiction (wide, x, y) : NONE;
      any |= *to++;
    }
  return any & STRONG;
}

/* ---- Weights ---- */

static inline void
add_counts (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns)
{
  const FsWideLevel *wide = data;
  const uint8_t *from = wide->contradictions + fs_rect_place (wide->level.lined, x0, y);
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
  const FsEdgeCells *cells = wide->level.cells;
  const int more = mean_radius (&wide->rule);
  fs_edge_level_fit (&wide->level, window,
                     fs_rect_intersect (window->photo,
                                        fs_rect_widen (area, counts_margin (&wide->rule))));
  wide->is_empty = !find_contradictions (wide);
  if (wide->is_empty)
    return;
  wide->cells = fs_edge_cells_of (cells, area, 1);
  wide->counted = fs_edge_cells_of (cells, area, 1 + more);
  fs_box_sums (wide->counted, cells->all, wide->rule.radius, N_COUNTS, window->box_columns,
               add_counts, take_weight, wide);
  fs_box_sums (wide->cells, cells->all, more, 1, window->box_columns, add_weights, take_mean_weight,
               wide);
}

static double
weight_between (const FsWideLevel *wide, const FsEdgeCorner *c)
{
  const float *top = wide->weights + fs_rect_place (wide->cells, c->left, c->top);
  const float *bottom = wide->weights + fs_rect_place (wide->cells, c->left, c->bottom);
  const int right = c->right - c->left;
  if (top[0] + top[right] + bottom[0] + bottom[right] <= 0)
    return 0;
  const double above = top[0] + c->tx * (top[right] - top[0]);
  const double below = bottom[0] + c->tx * (bottom[right] - bottom[0]);
  return above + c->ty * (below - above);
}

void
fs_wide_level_mix (const FsWideLevel *wide, const FsEdgeWindow *window, int y, int x0, int x1,
                   double *alpha)
{
  const uint32_t *pixels = window->input->image->pixels + fs_edge_window_in_photo (window, 0, y);
  const uint8_t *mask = window->mask + fs_rect_place (window->mask_area, x0, y);
  FsEdgeLine line;
  for (int x = x0; !wide->is_empty && x < x1; x++, alpha++, mask++) {
    const FsEdgeCorner corner = fs_edge_level_get_corner (&wide->level, x, y);
    const double weight = weight_between (wide, &corner);
    if (weight <= 0)
      continue;
    const double own = fs_edge_level_interpolate (&wide->level, &corner, &line)
                           ? fs_edge_line_alpha (&line, FS_PIXEL_R (pixels[x]),
                                                 FS_PIXEL_G (pixels[x]), FS_PIXEL_B (pixels[x]))
                           : *mask;
    *alpha += weight * (own - *alpha);
  }
}
