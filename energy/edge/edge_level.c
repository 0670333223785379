/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_level.h"

/* A variance of a channel (from 0 to 1) below this counts as noise and is smoothed. */
#define NOISE 1e-4
/* The fixed-point 1 of the lines' terms. */
#define ONE 0x1p32

/* Terms of a line while means are taken. */
enum { OFFSET, SLOPES, EXPLAINED = SLOPES + 3, VARIANCE, N_TERMS };
G_STATIC_ASSERT (N_TERMS * sizeof (int64_t) <= FS_SPARSE_SUMS_BYTES);

/* ---- A line of each window ---- */

static inline void
add_cell (gpointer data, int x, int y, int sign, FsSparseSum *column)
{
  const FsEdgeLevel *level = data;
  const FsSparseSum *sums = fs_edge_cells_get_sums (level->cells, x, y);
  for (gsize k = 0; k < G_N_ELEMENTS (column->narrow); k++)
    column->narrow[k] += sign * sums->narrow[k];
}

static inline void
move_cells (FsSparseSum *sums, const FsSparseSum *column, int sign)
{
  for (gsize k = 0; k < G_N_ELEMENTS (sums->narrow); k++)
    sums->narrow[k] += sign * column->narrow[k];
}

/* n² times the covariance of two things whose sums, and that of their product, are known. */
static double
covariance (const int32_t *sums, int a, int b, int product)
{
  return (double)((int64_t)sums[FS_COUNT] * sums[product] - (int64_t)sums[a] * sums[b]);
}

/* The slopes of alpha over the channels, which go to 255: (covariance + noise)⁻¹ · covariance with
 * the mask. Returns n² times the variance of the mask that they explain. */
static double
solve (const int32_t *sums, double slopes[3])
{
  const double n = (double)sums[FS_COUNT], noise = NOISE * 255 * 255 * n * n;
  const double rr = covariance (sums, FS_RED, FS_RED, FS_RR) + noise,
               rg = covariance (sums, FS_RED, FS_GREEN, FS_RG),
               rb = covariance (sums, FS_RED, FS_BLUE, FS_RB),
               gg = covariance (sums, FS_GREEN, FS_GREEN, FS_GG) + noise,
               gb = covariance (sums, FS_GREEN, FS_BLUE, FS_GB),
               bb = covariance (sums, FS_BLUE, FS_BLUE, FS_BB) + noise;
  const double v0 = covariance (sums, FS_RED, FS_INSIDE, FS_INSIDE_RED),
               v1 = covariance (sums, FS_GREEN, FS_INSIDE, FS_INSIDE_GREEN),
               v2 = covariance (sums, FS_BLUE, FS_INSIDE, FS_INSIDE_BLUE);
  const double i00 = gg * bb - gb * gb, i01 = rb * gb - rg * bb, i02 = rg * gb - rb * gg,
               i11 = rr * bb - rb * rb, i12 = rg * rb - gb * rr, i22 = rr * gg - rg * rg;
  const double determinant = rr * i00 + rg * i01 + rb * i02;
  slopes[0] = (i00 * v0 + i01 * v1 + i02 * v2) / determinant;
  slopes[1] = (i01 * v0 + i11 * v1 + i12 * v2) / determinant;
  slopes[2] = (i02 * v0 + i12 * v1 + i22 * v2) / determinant;
  return slopes[0] * v0 + slopes[1] * v1 + slopes[2] * v2;
}

static inline void
fit_line (gpointer data, int x, int y, const FsSparseSum *window, int n_cells)
{
  const FsEdgeLevel *level = data;
  const int32_t *sums = window->narrow;
  int64_t *terms = level->terms[fs_rect_place (level->inner, x, y)].wide;
  const double n = (double)sums[FS_COUNT];
  double slopes[3], offset = (double)sums[FS_INSIDE] / n;
  const double explained = solve (sums, slopes) / (n * n);
  for (int k = 0; k < 3; k++) {
    terms[SLOPES + k] = (int64_t)(slopes[k] * ONE);
    offset -= slopes[k] * (double)sums[k] / n;
  }
  terms[OFFSET] = (int64_t)(offset * ONE);
  terms[EXPLAINED] = (int64_t)(explained * ONE);
  terms[VARIANCE] =
      (int64_t)((double)sums[FS_INSIDE] * (n - (double)sums[FS_INSIDE]) / (n * n) * ONE);
}

/* ---- Means of the lines ---- */

/* A window with one side alone has the line that is this side everywhere. */
static inline void
add_line (gpointer data, int x, int y, int sign, FsSparseSum *column)
{
  const FsEdgeLevel *level = data;
  const gsize i = fs_rect_place (level->inner, x, y);
  const uint8_t sides = level->sides[i];
  if (sides != FS_SIDES_BOTH) {
    column->wide[OFFSET] += sides == FS_SIDE_INSIDE ? sign * (int64_t)ONE : 0;
    return;
  }
  for (int k = 0; k < N_TERMS; k++)
    column->wide[k] += sign * level->terms[i].wide[k];
}

static inline void
move_lines (FsSparseSum *sums, const FsSparseSum *column, int sign)
{
  for (int k = 0; k < N_TERMS; k++)
    sums->wide[k] += sign * column->wide[k];
}

static inline void
take_mean (gpointer data, int x, int y, const FsSparseSum *window, int n_cells)
{
  const FsEdgeLevel *level = data;
  const int64_t *sums = window->wide;
  const double scale = 1 / (n_cells * ONE);
  level->lines[fs_rect_place (level->lined, x, y)] = (FsEdgeLine){
    .offset = (double)sums[OFFSET] * scale,
    .slopes = { (double)sums[SLOPES] * scale, (double)sums[SLOPES + 1] * scale,
                (double)sums[SLOPES + 2] * scale },
    .certainty = sums[VARIANCE] > 0 ? (float)((double)sums[EXPLAINED] / (double)sums[VARIANCE]) : 0,
  };
}

/* ---- A level ---- */

/* Interpolation reads one cell further. */
static int
interpolation_margin (int shift)
{
  return shift > 0;
}

int
fs_edge_level_get_margin (int shift, int radius)
{
  return (2 * radius + interpolation_margin (shift) + (shift > 0)) << shift;
}

gboolean
fs_edge_level_init (FsEdgeLevel *level, FsEdgeCells *cells, int radius, int side)
{
  const int more = interpolation_margin (cells->shift);
  const gsize lined = (gsize)((side >> cells->shift) + 2 + 2 * more),
              inner = lined + 2 * (gsize)radius, outer = inner + 2 * (gsize)radius,
              with_neighbours = lined + 2 * (gsize)more;
  *level = (FsEdgeLevel){ .cells = cells, .radius = radius };
  level->sides = g_try_malloc (outer * outer);
  level->terms = g_try_malloc_n (inner * inner, sizeof *level->terms);
  level->lines = g_try_malloc_n (lined * lined, sizeof *level->lines);
  level->wanted = g_try_malloc (with_neighbours * with_neighbours);
  return level->sides && level->terms && level->lines && level->wanted;
}

void
fs_edge_level_clear (FsEdgeLevel *level)
{
  g_clear_pointer (&level->sides, g_free);
  g_clear_pointer (&level->terms, g_free);
  g_clear_pointer (&level->lines, g_free);
  g_clear_pointer (&level->wanted, g_free);
}

void
fs_edge_level_fit (FsEdgeLevel *level, const FsEdgeWindow *window, FsRect area)
{
  const FsEdgeCells *cells = level->cells;
  const int radius = level->radius, more = interpolation_margin (cells->shift);
  level->lined = fs_edge_cells_of (cells, area, more);
  level->inner = fs_rect_intersect (cells->all, fs_rect_widen (level->lined, radius));
  fs_edge_or_squares (cells->sides, cells->cells, level->inner, radius, level->sides);
  FsSparseSums sums = { .of = level->inner,
                        .all = cells->all,
                        .radius = radius,
                        .wanted = level->sides,
                        .value = FS_SIDES_BOTH,
                        .columns = window->columns,
                        .rows = window->column_rows };
  fs_sparse_sums (&sums, add_cell, move_cells, fit_line, level);
  /* Windows of neighbours overlap, so that together they have both sides only where one has. */
  fs_edge_or_squares (level->sides, level->inner, level->lined, more, level->wanted);
  sums.of = level->lined;
  sums.wanted = level->wanted;
  fs_sparse_sums (&sums, add_line, move_lines, take_mean, level);
}

static FsEdgeLine
line_between (const FsEdgeLine *a, const FsEdgeLine *b, double t)
{
  FsEdgeLine line = { .offset = a->offset + t * (b->offset - a->offset) };
  for (int k = 0; k < 3; k++)
    line.slopes[k] = a->slopes[k] + t * (b->slopes[k] - a->slopes[k]);
  return line;
}

gboolean
fs_edge_level_interpolate (const FsEdgeLevel *level, const FsEdgeCorner *c, FsEdgeLine *line)
{
  if (!fs_edge_level_is_near (level, c->left, c->top)
      && !fs_edge_level_is_near (level, c->right, c->top)
      && !fs_edge_level_is_near (level, c->left, c->bottom)
      && !fs_edge_level_is_near (level, c->right, c->bottom))
    return FALSE;
  const FsEdgeLine above = line_between (fs_edge_level_get_line (level, c->left, c->top),
                                         fs_edge_level_get_line (level, c->right, c->top), c->tx);
  const FsEdgeLine below =
      line_between (fs_edge_level_get_line (level, c->left, c->bottom),
                    fs_edge_level_get_line (level, c->right, c->bottom), c->tx);
  *line = line_between (&above, &below, c->ty);
  return TRUE;
}
