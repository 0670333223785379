/* SPDX-License-Identifier: MIT */
#include "energy/refine/soft_edge.h"

#include "energy/image/row_threads.h"

#include <string.h>

/* A variance of a channel (from 0 to 1) below this counts as noise and is smoothed. */
#define NOISE 1e-4
/* The object's and the background's colours are means over a window of this many radii. */
#define TINT_RADII 2
/* Haze is an alpha that differs from 0, or from 255, by less than HAZE_ALONE, or by less than
 * HAZE_MAX where no neighbour differs by HAZE_NEIGHBOUR or more. It becomes 0, or 255. The limits
 * are measured (docs/decisions/cut-outs.md). */
enum { HAZE_ALONE = 6, HAZE_MAX = 20, HAZE_NEIGHBOUR = 32 };
/* The sides of tiles, of a power of two pixels. Wide margins are worth larger tiles. */
#define SMALL_SIDE  64
#define LARGE_SIDE  128
#define LARGE_SINCE 12

struct FsSoftEdge {
  const FsImage *image;
  const uint8_t *mask;
  const uint8_t *marks; /* or NULL */
  FsRect area;          /* of the photo, whose rows are asked for */
  int radius;
  int side;       /* of tiles; a strip of rows is a row of tiles   */
  int strip;      /* whose rows are there; −1: none                */
  uint32_t *rows; /* [side · the area's width]                     */
  int next;       /* atomic; the next tile of the strip            */
  int is_short;   /* atomic; a thread of this strip had no memory  */
};

/* Sums are whole numbers, so that they do not depend on where tiles begin. */
enum { RED, GREEN, BLUE, INSIDE, INSIDE_RED, INSIDE_GREEN, INSIDE_BLUE, RR, RG, RB, GG, GB, BB };
enum { N_MOMENTS = BB + 1, N_TINTS = INSIDE_BLUE + 1, N_TERMS = 4 };
/* The fixed-point 1 of the filter's linear terms. */
#define ONE 0x1p32
/* An alpha that is still to be found. */
#define OPEN 128

/* A tile with the halo that its filter reads, clipped to the photo. */
typedef struct {
  const FsSoftEdge *edge;
  FsRect halo;      /* the area of the photo that has lines                  */
  uint8_t *raw;     /* there: alpha as the lines give it, without marks      */
  uint8_t *alpha;   /* there                                                 */
  int64_t *lines;   /* there: alpha's terms, an offset and three slopes      */
  int64_t *columns; /* sums of the pixels above and below, for a row of them */
} Window;

/* ---- The window ---- */

/* Pixels with a border near them lie in tiles; all work on these is done on so many pixels more:
 * colours need alpha on TINT_RADII radii, alpha its neighbours', that the lines on one radius more,
 * and lines the photo on one more. */
static int
alpha_margin (const FsSoftEdge *edge)
{
  return TINT_RADII * edge->radius;
}

static int
lines_margin (const FsSoftEdge *edge)
{
  return alpha_margin (edge) + 1 + edge->radius;
}

static gboolean
window_init (Window *w, const FsSoftEdge *edge)
{
  const gsize side = (gsize)(edge->side + 2 * lines_margin (edge));
  w->edge = edge;
  w->raw = g_try_malloc (side * side);
  w->alpha = g_try_malloc (side * side);
  w->lines = g_try_malloc_n (side * side, N_TERMS * sizeof *w->lines);
  w->columns = g_try_malloc_n (side + 2 * (gsize)edge->radius, N_MOMENTS * sizeof *w->columns);
  return w->raw && w->alpha && w->lines && w->columns;
}

static void
window_clear (Window *w)
{
  g_free (w->raw);
  g_free (w->alpha);
  g_free (w->lines);
  g_free (w->columns);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Window, window_clear)

static FsRect
grow (const FsSoftEdge *edge, FsRect rect, int by)
{
  const FsRect all = { 0, 0, edge->image->width, edge->image->height };
  return fs_rect_intersect (all,
                            (FsRect){ rect.x0 - by, rect.y0 - by, rect.x1 + by, rect.y1 + by });
}

static gsize
place_in_window (const Window *w, int x, int y)
{
  const gsize width = (gsize)(w->halo.x1 - w->halo.x0);
  return (gsize)(y - w->halo.y0) * width + (gsize)(x - w->halo.x0);
}

static gsize
place_in_photo (const FsSoftEdge *edge, int x, int y)
{
  return (gsize)y * (gsize)edge->image->width + (gsize)x;
}

/* ---- Sums over squares ---- */

/* Adds what counts of pixels [x0, x1) of row y to a sum each, `sign` times. */
typedef void (*AddRow) (const Window *w, int y, int x0, int x1, int sign, int64_t *columns);
/* Gets the sums over the square around (x, y), and of how many pixels they are. */
typedef void (*TakeSums) (const Window *w, int x, int y, const int64_t *sums, int n);

static inline __attribute__ ((always_inline)) void
add_column (int64_t *sums, const int64_t *column, int n, int sign)
{
  for (int k = 0; k < n; k++)
    sums[k] += sign * column[k];
}

/* Box sums of row y from the column sums of pixels [x0, x1), which cover n_rows rows around it. */
static inline __attribute__ ((always_inline)) void
sum_row (const Window *w, int y, FsRect of, int r, int x0, int x1, int n_rows, int n_sums,
         TakeSums take)
{
  int64_t sums[N_MOMENTS] = { 0 };
  for (int x = x0; x < MIN (of.x0 + r, x1); x++)
    add_column (sums, w->columns + (x - x0) * n_sums, n_sums, 1);
  for (int x = of.x0; x < of.x1; x++) {
    if (x + r < x1)
      add_column (sums, w->columns + (x + r - x0) * n_sums, n_sums, 1);
    if (x - r > x0)
      add_column (sums, w->columns + (x - r - 1 - x0) * n_sums, n_sums, -1);
    take (w, x, y, sums, n_rows * (MIN (x + r + 1, x1) - MAX (x - r, x0)));
  }
}

/* For each pixel of `of` over what the photo has of the square of 2r + 1 pixels a side. */
static inline __attribute__ ((always_inline)) void
sum_squares (const Window *w, FsRect of, int r, int n_sums, AddRow add, TakeSums take)
{
  const FsRect from = grow (w->edge, of, r);
  memset (w->columns, 0, (gsize)((from.x1 - from.x0) * n_sums) * sizeof *w->columns);
  for (int y = from.y0; y < MIN (of.y0 + r, from.y1); y++)
    add (w, y, from.x0, from.x1, 1, w->columns);
  for (int y = of.y0; y < of.y1; y++) {
    if (y + r < from.y1)
      add (w, y + r, from.x0, from.x1, 1, w->columns);
    if (y - r > from.y0)
      add (w, y - r - 1, from.x0, from.x1, -1, w->columns);
    sum_row (w, y, of, r, from.x0, from.x1, MIN (y + r + 1, from.y1) - MAX (y - r, from.y0), n_sums,
             take);
  }
}

/* ---- Alpha ---- */

static inline void
add_moments (const Window *w, int y, int x0, int x1, int sign, int64_t *columns)
{
  const gsize row = place_in_photo (w->edge, 0, y);
  for (int x = x0; x < x1; x++, columns += N_MOMENTS) {
    const uint32_t pixel = w->edge->image->pixels[row + (gsize)x];
    const int inside = w->edge->mask[row + (gsize)x] ? sign : 0;
    const int r = FS_PIXEL_R (pixel), g = FS_PIXEL_G (pixel), b = FS_PIXEL_B (pixel);
    const int moments[N_MOMENTS] = { sign * r,     sign * g,     sign * b,     inside,
                                     inside * r,   inside * g,   inside * b,   sign * r * r,
                                     sign * r * g, sign * r * b, sign * g * g, sign * g * b,
                                     sign * b * b };
    for (int k = 0; k < N_MOMENTS; k++)
      columns[k] += moments[k];
  }
}

/* n² times the covariance of two things whose sums, and that of their product, are known. */
static double
covariance (const int64_t *sums, int a, int b, int product, int n)
{
  return (double)(n * sums[product] - sums[a] * sums[b]);
}

/* The slopes of alpha over the channels, which go to 255: (covariance + noise)⁻¹ · covariance with
 * the mask. */
static void
solve (const int64_t *sums, int n, double slopes[3])
{
  const double noise = NOISE * 255 * 255 * n * n;
  const double c0 = covariance (sums, RED, RED, RR, n) + noise,
               c1 = covariance (sums, RED, GREEN, RG, n), c2 = covariance (sums, RED, BLUE, RB, n),
               c3 = covariance (sums, GREEN, GREEN, GG, n) + noise,
               c4 = covariance (sums, GREEN, BLUE, GB, n),
               c5 = covariance (sums, BLUE, BLUE, BB, n) + noise;
  const double v0 = covariance (sums, RED, INSIDE, INSIDE_RED, n),
               v1 = covariance (sums, GREEN, INSIDE, INSIDE_GREEN, n),
               v2 = covariance (sums, BLUE, INSIDE, INSIDE_BLUE, n);
  const double i00 = c3 * c5 - c4 * c4, i01 = c2 * c4 - c1 * c5, i02 = c1 * c4 - c2 * c3,
               i11 = c0 * c5 - c2 * c2, i12 = c1 * c2 - c0 * c4, i22 = c0 * c3 - c1 * c1;
  const double determinant = c0 * i00 + c1 * i01 + c2 * i02;
  slopes[0] = (i00 * v0 + i01 * v1 + i02 * v2) / determinant;
  slopes[1] = (i01 * v0 + i11 * v1 + i12 * v2) / determinant;
  slopes[2] = (i02 * v0 + i12 * v1 + i22 * v2) / determinant;
}

/* Alpha stays the mask where no border is near. */
static inline void
fit_line (const Window *w, int x, int y, const int64_t *sums, int n)
{
  const gsize here = place_in_window (w, x, y), there = place_in_photo (w->edge, x, y);
  const gboolean is_near = sums[INSIDE] > 0 && sums[INSIDE] < n;
  double slopes[3] = { 0, 0, 0 }, offset = (double)sums[INSIDE] / n;
  w->raw[here] = is_near ? OPEN : w->edge->mask[there] ? 255 : 0;
  if (is_near)
    solve (sums, n, slopes);
  for (int k = 0; k < 3; k++) {
    w->lines[here * N_TERMS + 1 + (gsize)k] = (int64_t)(slopes[k] * ONE);
    offset -= slopes[k] * (double)sums[k] / n;
  }
  w->lines[here * N_TERMS] = (int64_t)(offset * ONE);
}

static inline void
add_lines (const Window *w, int y, int x0, int x1, int sign, int64_t *columns)
{
  const int64_t *lines = w->lines + place_in_window (w, x0, y) * N_TERMS;
  add_column (columns, lines, (x1 - x0) * N_TERMS, sign);
}

static inline void
find_alpha (const Window *w, int x, int y, const int64_t *sums, int n)
{
  uint8_t *alpha = &w->raw[place_in_window (w, x, y)];
  if (*alpha != OPEN)
    return;
  const uint32_t pixel = w->edge->image->pixels[place_in_photo (w->edge, x, y)];
  const int64_t sum = sums[0] + sums[1] * FS_PIXEL_R (pixel) + sums[2] * FS_PIXEL_G (pixel)
                      + sums[3] * FS_PIXEL_B (pixel);
  const double mean = (double)sum / (n * ONE);
  *alpha = (uint8_t)(CLAMP (mean, 0, 1) * 255 + 0.5);
}

/* TRUE if an alpha that is nearly 0 (flip 0) or nearly 255 (flip 255) is only the haze that the
 * filter makes of noise. */
static gboolean
is_haze (const Window *w, int x, int y, uint8_t flip)
{
  const uint8_t rest = w->raw[place_in_window (w, x, y)] ^ flip;
  if (rest < HAZE_ALONE || rest >= HAZE_MAX)
    return rest < HAZE_ALONE;
  const FsRect near = grow (w->edge, (FsRect){ x, y, x + 1, y + 1 }, 1);
  for (int j = near.y0; j < near.y1; j++)
    for (int i = near.x0; i < near.x1; i++)
      if ((w->raw[place_in_window (w, i, j)] ^ flip) >= HAZE_NEIGHBOUR)
        return FALSE;
  return TRUE;
}

/* Pixels with strokes have the alpha of their side, whatever the filter gives. */
static void
clear_haze (const Window *w, FsRect of)
{
  const FsSoftEdge *edge = w->edge;
  for (int y = of.y0; y < of.y1; y++)
    for (int x = of.x0; x < of.x1; x++) {
      const gsize here = place_in_window (w, x, y), there = place_in_photo (edge, x, y);
      const uint8_t raw = w->raw[here], end = raw < 128 ? 0 : 255;
      if (edge->marks && edge->marks[there] != FS_SEED_NONE)
        w->alpha[here] = edge->mask[there] ? 255 : 0;
      else
        w->alpha[here] = is_haze (w, x, y, end) ? end : raw;
    }
}

/* ---- Colours ---- */

static inline void
add_tints (const Window *w, int y, int x0, int x1, int sign, int64_t *columns)
{
  const uint32_t *pixels = w->edge->image->pixels + place_in_photo (w->edge, 0, y);
  const uint8_t *alpha = w->alpha + place_in_window (w, x0, y);
  for (int x = x0; x < x1; x++, columns += N_TINTS, alpha++) {
    const int r = sign * FS_PIXEL_R (pixels[x]), g = sign * FS_PIXEL_G (pixels[x]),
              b = sign * FS_PIXEL_B (pixels[x]);
    const int tints[N_TINTS] = { r, g, b, sign * *alpha, *alpha * r, *alpha * g, *alpha * b };
    for (int k = 0; k < N_TINTS; k++)
      columns[k] += tints[k];
  }
}

static uint8_t
to_byte (double value)
{
  return (uint8_t)(CLAMP (value, 0, 255) + 0.5);
}

/* The object's colour in a mixed pixel. The residual, the part of the pixel's colour that the means
 * of the two sides do not explain, goes to the object in proportion to its opacity. */
static uint32_t
colour_of (uint32_t pixel, uint8_t alpha, const int64_t *sums, int n)
{
  const double opacity = alpha / 255.0;
  const int channels[3] = { FS_PIXEL_R (pixel), FS_PIXEL_G (pixel), FS_PIXEL_B (pixel) };
  uint8_t bytes[3];
  for (int k = 0; k < 3; k++) {
    const int64_t inside = sums[INSIDE_RED + k];
    const double object = (double)inside / (double)sums[INSIDE];
    const double ground = (double)(255 * sums[k] - inside) / (double)(255 * n - sums[INSIDE]);
    const double rest = channels[k] - opacity * object - (1 - opacity) * ground;
    bytes[k] = to_byte (object + opacity * rest);
  }
  return FS_PIXEL (alpha, bytes[0], bytes[1], bytes[2]);
}

static gsize
area_width (const FsSoftEdge *edge)
{
  return (gsize)(edge->area.x1 - edge->area.x0);
}

/* The word of pixel (x, y) of the photo. */
static uint32_t *
word_at (const FsSoftEdge *edge, int x, int y)
{
  return edge->rows + (gsize)(y % edge->side) * area_width (edge) + (gsize)(x - edge->area.x0);
}

static inline void
find_colour (const Window *w, int x, int y, const int64_t *sums, int n)
{
  const FsRect *area = &w->edge->area;
  if (x < area->x0 || x >= area->x1 || y < area->y0 || y >= area->y1)
    return;
  const uint32_t pixel = w->edge->image->pixels[place_in_photo (w->edge, x, y)];
  const uint8_t alpha = w->alpha[place_in_window (w, x, y)];
  *word_at (w->edge, x, y) = alpha > 0 && alpha < 255 ? colour_of (pixel, alpha, sums, n)
                                                      : (pixel & 0xffffffu) | (uint32_t)alpha << 24;
}

/* ---- Tiles ---- */

/* Adds those pixels of the tile whose squares hold the neighbours (x, y) and (x + dx, y + dy). */
static void
add_border (FsRect *work, FsRect tile, int x, int y, int dx, int dy, int r)
{
  const FsRect near = { x + dx - r, y + dy - r, x + r + 1, y + r + 1 };
  *work = fs_rect_union (*work, fs_rect_intersect (near, tile));
}

static void
add_borders_of_row (const FsSoftEdge *edge, FsRect *work, FsRect tile, FsRect halo, int y)
{
  const uint8_t *row = edge->mask + place_in_photo (edge, 0, y), *below = row + edge->image->width;
  const gboolean has_below = y + 1 < halo.y1;
  const gsize n = (gsize)(halo.x1 - halo.x0);
  if (memcmp (row + halo.x0, row + halo.x0 + 1, n - 1) == 0
      && (!has_below || memcmp (row + halo.x0, below + halo.x0, n) == 0))
    return;
  for (int x = halo.x0; x < halo.x1; x++) {
    if (x + 1 < halo.x1 && !row[x] != !row[x + 1])
      add_border (work, tile, x, y, 1, 0, edge->radius);
    if (has_below && !row[x] != !below[x])
      add_border (work, tile, x, y, 0, 1, edge->radius);
  }
}

/* Where all pixels lie that have a border near. */
static FsRect
find_work (const FsSoftEdge *edge, FsRect tile)
{
  const FsRect halo = grow (edge, tile, edge->radius);
  FsRect work = { 0 };
  for (int y = halo.y0; y < halo.y1; y++)
    add_borders_of_row (edge, &work, tile, halo, y);
  return work;
}

static void
soften (Window *w, FsRect work)
{
  const FsSoftEdge *edge = w->edge;
  const int r = edge->radius;
  const FsRect with_alpha = grow (edge, work, alpha_margin (edge));
  w->halo = grow (edge, work, lines_margin (edge));
  sum_squares (w, w->halo, r, N_MOMENTS, add_moments, fit_line);
  sum_squares (w, grow (edge, with_alpha, 1), r, N_TERMS, add_lines, find_alpha);
  clear_haze (w, with_alpha);
  sum_squares (w, work, TINT_RADII * r, N_TINTS, add_tints, find_colour);
}

/* Tiles of those of the strip that the area meets, until there is none left. */
static void
soften_tiles (int t0, int t1, gpointer data)
{
  FsSoftEdge *edge = data;
  const int end = (edge->area.x1 - 1) / edge->side + 1, y = edge->strip * edge->side;
  const FsRect all = { 0, 0, edge->image->width, edge->image->height };
  g_auto (Window) w = { 0 };
  for (int t; (t = g_atomic_int_add (&edge->next, 1)) < end;) {
    const FsRect tile = { t * edge->side, y, (t + 1) * edge->side, y + edge->side };
    const FsRect work = find_work (edge, fs_rect_intersect (tile, all));
    if (fs_rect_is_empty (work))
      continue;
    if (!w.edge && !window_init (&w, edge)) {
      g_atomic_int_set (&edge->is_short, TRUE);
      return;
    }
    soften (&w, work);
  }
}

static void
put_hard_row (FsSoftEdge *edge, int y)
{
  const gsize from = place_in_photo (edge, edge->area.x0, y);
  uint32_t *row = word_at (edge, edge->area.x0, y);
  for (gsize x = 0; x < area_width (edge); x++)
    row[x] = (edge->image->pixels[from + x] & 0xffffffu) | (edge->mask[from + x] ? 0xff000000u : 0);
}

static void
make_strip (FsSoftEdge *edge, int strip)
{
  const FsRect *area = &edge->area;
  edge->strip = strip;
  edge->next = area->x0 / edge->side;
  edge->is_short = FALSE;
  for (int y = MAX (area->y0, strip * edge->side); y < MIN (area->y1, (strip + 1) * edge->side);
       y++)
    put_hard_row (edge, y);
  fs_row_threads_run_each ((area->x1 - 1) / edge->side - area->x0 / edge->side + 1, soften_tiles,
                           edge);
}

const uint32_t *
fs_soft_edge_get_row (FsSoftEdge *self, int y)
{
  g_return_val_if_fail (self && y >= self->area.y0 && y < self->area.y1, NULL);
  if (y / self->side != self->strip)
    make_strip (self, y / self->side);
  if (!self->is_short)
    return word_at (self, self->area.x0, y);
  self->strip = -1;
  return NULL;
}

FsImage *
fs_soft_edge_render (const FsImage *image, const uint8_t *mask, const uint8_t *marks, FsRect area,
                     int radius_px)
{
  g_autoptr (FsSoftEdge) edge = fs_soft_edge_new (image, mask, marks, area, radius_px);
  g_autoptr (FsImage) picture = edge ? fs_image_new (area.x1 - area.x0, area.y1 - area.y0) : NULL;
  if (!picture)
    return NULL;
  picture->has_alpha = TRUE;
  for (int y = 0; y < picture->height; y++) {
    const gsize from = (gsize)(area.y0 + y) * (gsize)image->width + (gsize)area.x0;
    uint32_t *out = picture->pixels + (gsize)y * (gsize)picture->width;
    const uint32_t *soft = fs_soft_edge_get_row (edge, area.y0 + y);
    if (!soft)
      return NULL;
    for (int x = 0; x < picture->width; x++)
      out[x] = fs_soft_edge_over (soft[x], image->pixels[from + (gsize)x]);
  }
  return g_steal_pointer (&picture);
}

FsSoftEdge *
fs_soft_edge_new (const FsImage *image, const uint8_t *mask, const uint8_t *marks, FsRect area,
                  int radius_px)
{
  g_return_val_if_fail (image && mask && !fs_rect_is_empty (area), NULL);
  g_return_val_if_fail (area.x0 >= 0 && area.x1 <= image->width, NULL);
  g_return_val_if_fail (area.y0 >= 0 && area.y1 <= image->height, NULL);
  g_return_val_if_fail (radius_px >= 1 && radius_px <= FS_SOFT_EDGE_MAX_PX, NULL);
  g_autoptr (FsSoftEdge) self = g_new0 (FsSoftEdge, 1);
  *self = (FsSoftEdge){ .image = image,
                        .mask = mask,
                        .marks = marks,
                        .area = area,
                        .radius = radius_px,
                        .side = radius_px < LARGE_SINCE ? SMALL_SIDE : LARGE_SIDE,
                        .strip = -1 };
  self->rows = g_try_malloc_n (area_width (self) * (gsize)self->side, sizeof *self->rows);
  return self->rows ? g_steal_pointer (&self) : NULL;
}

void
fs_soft_edge_free (FsSoftEdge *self)
{
  if (!self)
    return;
  g_free (self->rows);
  g_free (self);
}
