/* SPDX-License-Identifier: MIT */
#include "energy/edge/edge_level.h"

#include "energy/edge/box_sums.h"

/* A variance of a channel (from 0 to 1) below this counts as noise and is smoothed. */
#define NOISE 1e-4
/* The fixed-point 1 of the lines' terms. */
#define ONE 0x1p32

/* Terms of a line while means are taken. */
enum { OFFSET, SLOPES, EXPLAINED = SLOPES + 3, VARIANCE, IS_NEAR, N_TERMS };
G_STATIC_ASSERT ((int)N_TERMS == (int)FS_EDGE_N_TERMS);
G_STATIC_ASSERT ((int)FS_N_SUMS <= (int)FS_BOX_SUMS_MAX);

typedef struct {
  FsEdgeLevel *level;
  const FsEdgeWindow *window;
  FsRect inner; /* cells that have a line of their own window */
} Fit;

/* ---- Sums of cells ---- */

static void
add_pixel (int32_t *sums, uint32_t pixel, int is_inside)
{
  const int r = FS_PIXEL_R (pixel), g = FS_PIXEL_G (pixel), b = FS_PIXEL_B (pixel);
  const int values[FS_N_SUMS] = {
    r,     g,     b,     1,     is_inside, is_inside * r, is_inside * g, is_inside * b,
    r * r, r * g, r * b, g * g, g * b,     b * b
  };
  for (int k = 0; k < FS_N_SUMS; k++)
    sums[k] += values[k];
}

static void
sum_cells (FsEdgeLevel *level, const FsEdgeWindow *w)
{
  const FsRect outer = level->outer;
  const int side = 1 << level->shift, columns = outer.x1 - outer.x0;
  memset (level->sums, 0,
          (gsize)columns * (gsize)(outer.y1 - outer.y0) * FS_N_SUMS * sizeof *level->sums);
  const int x0 = outer.x0 * side, x1 = MIN (outer.x1 * side, w->photo.x1);
  for (int y = outer.y0 * side; y < MIN (outer.y1 * side, w->photo.y1); y++) {
    const uint32_t *pixels = w->input->image->pixels + fs_edge_window_in_photo (w, 0, y);
    const uint8_t *mask = w->mask + fs_rect_place (w->mask_area, x0, y);
    int32_t *row =
        level->sums + (gsize)((y >> level->shift) - outer.y0) * (gsize)columns * FS_N_SUMS;
    for (int x = x0; x < x1; x++)
      add_pixel (row + ((x >> level->shift) - outer.x0) * FS_N_SUMS, pixels[x], *mask++);
  }
}

/* ---- A line of each window ---- */

static inline void
add_sums (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns)
{
  const Fit *fit = data;
  const int32_t *sums = fs_edge_level_get_sums (fit->level, x0, y);
  for (int k = 0; k < (x1 - x0) * FS_N_SUMS; k++)
    columns[k] += sign * sums[k];
}

/* n² times the covariance of two things whose sums, and that of their product, are known. */
static double
covariance (const int64_t *sums, int a, int b, int product)
{
  return (double)(sums[FS_COUNT] * sums[product] - sums[a] * sums[b]);
}

/* The slopes of alpha over the channels, which go to 255: (covariance + noise)⁻¹ · covariance with
 * the mask. Returns n² times the variance of the mask that they explain. */
static double
solve (const int64_t *sums, double slopes[3])
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
fit_line (gpointer data, int x, int y, const int64_t *sums, int n_cells)
{
  const Fit *fit = data;
  int64_t *terms = fit->window->lines + fs_rect_place (fit->inner, x, y) * N_TERMS;
  const double n = (double)sums[FS_COUNT];
  const gboolean is_near = sums[FS_INSIDE] > 0 && sums[FS_INSIDE] < sums[FS_COUNT];
  double slopes[3] = { 0, 0, 0 }, offset = (double)sums[FS_INSIDE] / n, explained = 0;
  if (is_near)
    explained = solve (sums, slopes) / (n * n);
  for (int k = 0; k < 3; k++) {
    terms[SLOPES + k] = (int64_t)(slopes[k] * ONE);
    offset -= slopes[k] * (double)sums[k] / n;
  }
  terms[OFFSET] = (int64_t)(offset * ONE);
  terms[EXPLAINED] = (int64_t)(explained * ONE);
  terms[VARIANCE] =
      (int64_t)((double)sums[FS_INSIDE] * (n - (double)sums[FS_INSIDE]) / (n * n) * ONE);
  terms[IS_NEAR] = is_near;
}

/* ---- Means of the lines ---- */

static inline void
add_lines (gconstpointer data, int y, int x0, int x1, int sign, int64_t *columns)
{
  const Fit *fit = data;
  const int64_t *terms = fit->window->lines + fs_rect_place (fit->inner, x0, y) * N_TERMS;
  fs_box_add (columns, terms, (x1 - x0) * N_TERMS, sign);
}

static inline void
take_mean (gpointer data, int x, int y, const int64_t *sums, int n_cells)
{
  const Fit *fit = data;
  const int64_t *own = fit->window->lines + fs_rect_place (fit->inner, x, y) * N_TERMS;
  const double scale = 1 / (n_cells * ONE);
  fit->level->lines[fs_rect_place (fit->level->cells, x, y)] = (FsEdgeLine){
    .offset = (double)sums[OFFSET] * scale,
    .slopes = { (double)sums[SLOPES] * scale, (double)sums[SLOPES + 1] * scale,
                (double)sums[SLOPES + 2] * scale },
    .certainty = sums[VARIANCE] > 0 ? (float)((double)sums[EXPLAINED] / (double)sums[VARIANCE]) : 0,
    .is_near = own[IS_NEAR] != 0,
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
fs_edge_level_init (FsEdgeLevel *level, const FsEdgeInput *input, int shift, int radius, int side)
{
  const int cell = 1 << shift;
  *level = (FsEdgeLevel){ .shift = shift,
                          .radius = radius,
                          .all = { 0, 0, (input->image->width + cell - 1) / cell,
                                   (input->image->height + cell - 1) / cell } };
  const gsize cells = (gsize)(side / cell + 2 + 2 * interpolation_margin (shift)),
              outer = cells + 4 * (gsize)radius;
  level->sums = g_try_malloc_n (outer * outer, FS_N_SUMS * sizeof *level->sums);
  level->lines = g_try_malloc_n (cells * cells, sizeof *level->lines);
  return level->sums && level->lines;
}

void
fs_edge_level_clear (FsEdgeLevel *level)
{
  g_clear_pointer (&level->sums, g_free);
  g_clear_pointer (&level->lines, g_free);
}

static FsRect
cells_near (const FsEdgeLevel *level, FsRect rect, int by)
{
  return fs_rect_intersect (level->all, fs_rect_widen (rect, by));
}

void
fs_edge_level_fit (FsEdgeLevel *level, const FsEdgeWindow *window, FsRect area)
{
  const int shift = level->shift, last = (1 << shift) - 1;
  const FsRect in_cells = { area.x0 >> shift, area.y0 >> shift, (area.x1 + last) >> shift,
                            (area.y1 + last) >> shift };
  level->cells = cells_near (level, in_cells, interpolation_margin (level->shift));
  Fit fit = { level, window, cells_near (level, level->cells, level->radius) };
  level->outer = cells_near (level, fit.inner, level->radius);
  sum_cells (level, window);
  fs_box_sums (fit.inner, level->all, level->radius, FS_N_SUMS, window->columns, add_sums, fit_line,
               &fit);
  fs_box_sums (level->cells, level->all, level->radius, N_TERMS, window->columns, add_lines,
               take_mean, &fit);
}

static FsEdgeLine
line_between (const FsEdgeLine *a, const FsEdgeLine *b, double t)
{
  FsEdgeLine line = { .offset = a->offset + t * (b->offset - a->offset),
                      .certainty = a->certainty + (float)t * (b->certainty - a->certainty),
                      .is_near = a->is_near || b->is_near };
  for (int k = 0; k < 3; k++)
    line.slopes[k] = a->slopes[k] + t * (b->slopes[k] - a->slopes[k]);
  return line;
}

/* The cell before a pixel's centre among n, and the way from its centre to the next one's. */
static int
cell_before (const FsEdgeLevel *level, int x, int n, double *t)
{
  const double side = 1 << level->shift, at = (x + 0.5) / side - 0.5;
  const int before = at < 0 ? 0 : MIN ((int)at, MAX (n - 2, 0));
  *t = CLAMP (at - before, 0, n > 1 ? 1 : 0);
  return before;
}

FsEdgeCorner
fs_edge_level_get_corner (const FsEdgeLevel *level, int x, int y)
{
  FsEdgeCorner corner;
  corner.left = cell_before (level, x, level->all.x1, &corner.tx);
  corner.top = cell_before (level, y, level->all.y1, &corner.ty);
  corner.right = corner.left + (corner.tx > 0);
  corner.bottom = corner.top + (corner.ty > 0);
  return corner;
}

FsEdgeLine
fs_edge_level_get_line (const FsEdgeLevel *level, int x, int y)
{
  const FsRect cells = level->cells;
  if (level->shift == 0)
    return level->lines[fs_rect_place (cells, x, y)];
  const FsEdgeCorner c = fs_edge_level_get_corner (level, x, y);
  const FsEdgeLine above =
      line_between (&level->lines[fs_rect_place (cells, c.left, c.top)],
                    &level->lines[fs_rect_place (cells, c.right, c.top)], c.tx);
  const FsEdgeLine below =
      line_between (&level->lines[fs_rect_place (cells, c.left, c.bottom)],
                    &level->lines[fs_rect_place (cells, c.right, c.bottom)], c.tx);
  return line_between (&above, &below, c.ty);
}
