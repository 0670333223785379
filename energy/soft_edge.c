/* SPDX-License-Identifier: MIT */
#include "energy/soft_edge.h"

#include "energy/row_threads.h"

#include <string.h>

/* Tiles are so many pixels a side, and a strip of rows is a row of tiles. */
#define SIDE 64
/* Of a channel's variance, from 0 to 1: less than that is taken for noise, and smoothed. */
#define NOISE 1e-4
/* The object's and the background's colours are means over so many radii; with as many more around
 * each, whose alpha needs two radii, a tile looks at MARGIN radii around it. */
#define REACH  2
#define MARGIN (REACH + 2)
/* A tile with a border costs as much as so many plain pixels a pixel. */
#define DEARNESS 64

struct FsSoftEdge {
  const FsImage *image;
  const uint8_t *mask;
  FsRect part; /* of the photo, whose rows are asked for */
  int radius;
  int strip;      /* whose rows are there; −1: none                */
  uint32_t *rows; /* [SIDE · the part's width]                     */
  int is_short;   /* atomic; a thread of this strip had no memory  */
};

enum { PRODUCTS = 6 };

/* What lies around a tile, cut at the photo's ends. Each plane has width · height values. */
typedef struct {
  int x0, y0, width, height;
  double *guide[3];          /* the photo's channels, from 0 to 1                 */
  double *alpha;             /* first the mask                                    */
  double *mean[3];           /* of the channels                                   */
  double *share;             /* of the object: the mean of the mask, then of alpha */
  double *product[PRODUCTS]; /* means of two channels' product: rr rg rb gg gb bb */
  double *masked[3];         /* means of a channel times the mask; then the slopes */
  double *offset;
  double *sums;
  double *memory;
} Window;

enum { N_PLANES = 3 + 1 + 3 + 1 + PRODUCTS + 3 + 1 + 1 };
static const int first_of[PRODUCTS] = { 0, 0, 0, 1, 1, 2 };
static const int second_of[PRODUCTS] = { 0, 1, 2, 1, 2, 2 };

/* ---- The window ---- */

static gsize
size_of (const Window *w)
{
  return (gsize)w->width * (gsize)w->height;
}

static gboolean
window_init (Window *w, const FsSoftEdge *edge)
{
  const gsize side = SIDE + 2 * MARGIN * (gsize)edge->radius, n = side * side;
  double *at = w->memory = g_try_malloc_n (n * N_PLANES, sizeof *at);
  if (!at)
    return FALSE;
  double **planes[N_PLANES] = { &w->alpha,      &w->share,      &w->offset,     &w->sums,
                                &w->guide[0],   &w->guide[1],   &w->guide[2],   &w->mean[0],
                                &w->mean[1],    &w->mean[2],    &w->masked[0],  &w->masked[1],
                                &w->masked[2],  &w->product[0], &w->product[1], &w->product[2],
                                &w->product[3], &w->product[4], &w->product[5] };
  for (int i = 0; i < N_PLANES; i++, at += n)
    *planes[i] = at;
  return TRUE;
}

static void
window_clear (Window *w)
{
  g_free (w->memory);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Window, window_clear)

static void
window_move (Window *w, const FsSoftEdge *edge, int x, int y)
{
  const int margin = MARGIN * edge->radius;
  w->x0 = MAX (0, x - margin);
  w->y0 = MAX (0, y - margin);
  w->width = MIN (edge->image->width, x + SIDE + margin) - w->x0;
  w->height = MIN (edge->image->height, y + SIDE + margin) - w->y0;
  for (int j = 0; j < w->height; j++) {
    const gsize from = (gsize)(w->y0 + j) * (gsize)edge->image->width + (gsize)w->x0;
    const gsize to = (gsize)j * (gsize)w->width;
    for (int i = 0; i < w->width; i++) {
      const uint32_t pixel = edge->image->pixels[from + (gsize)i];
      w->guide[0][to + (gsize)i] = FS_PIXEL_R (pixel) / 255.0;
      w->guide[1][to + (gsize)i] = FS_PIXEL_G (pixel) / 255.0;
      w->guide[2][to + (gsize)i] = FS_PIXEL_B (pixel) / 255.0;
      w->alpha[to + (gsize)i] = edge->mask[from + (gsize)i] ? 1 : 0;
    }
  }
}

/* ---- Means over squares ---- */

static void
add_row (double *sums, const double *row, int n, double sign)
{
  for (int i = 0; i < n; i++)
    sums[i] += sign * row[i];
}

/* sums: of 2r + 1 rows around each, fewer at the ends. */
static void
sum_columns (const Window *w, const double *plane, int r)
{
  const gsize width = (gsize)w->width;
  memset (w->sums, 0, width * sizeof *w->sums);
  for (int y = 0; y < MIN (r, w->height); y++)
    add_row (w->sums, plane + (gsize)y * width, w->width, 1);
  for (int y = 0; y < w->height; y++) {
    double *here = w->sums + (gsize)y * width;
    if (y > 0)
      memcpy (here, here - width, width * sizeof *here);
    if (y + r < w->height)
      add_row (here, plane + (gsize)(y + r) * width, w->width, 1);
    if (y > r)
      add_row (here, plane + (gsize)(y - r - 1) * width, w->width, -1);
  }
}

/* Over the part that the window has of the square of 2r + 1 pixels a side; in place where `mean` is
 * the plane. */
static void
take_mean (const Window *w, const double *plane, double *mean, int r)
{
  sum_columns (w, plane, r);
  for (int y = 0; y < w->height; y++) {
    const double *sums = w->sums + (gsize)y * (gsize)w->width;
    double *out = mean + (gsize)y * (gsize)w->width, sum = 0;
    const int n_rows = MIN (y + r, w->height - 1) - MAX (y - r, 0) + 1;
    for (int x = 0; x < MIN (r, w->width); x++)
      sum += sums[x];
    for (int x = 0; x < w->width; x++) {
      const int n_columns = MIN (x + r, w->width - 1) - MAX (x - r, 0) + 1;
      sum += x + r < w->width ? sums[x + r] : 0;
      sum -= x > r ? sums[x - r - 1] : 0;
      out[x] = sum / (n_rows * n_columns);
    }
  }
}

static void
take_mean_of_product (const Window *w, const double *a, const double *b, double *mean, int r)
{
  for (gsize p = 0; p < size_of (w); p++)
    mean[p] = a[p] * b[p];
  take_mean (w, mean, mean, r);
}

/* ---- Alpha ---- */

/* The slopes of alpha over the channels at p: (covariance + noise)⁻¹ · covariance with the mask. */
static void
solve (const Window *w, gsize p, double slopes[3])
{
  double c[PRODUCTS], v[3];
  for (int k = 0; k < PRODUCTS; k++)
    c[k] = w->product[k][p] - w->mean[first_of[k]][p] * w->mean[second_of[k]][p]
           + (first_of[k] == second_of[k] ? NOISE : 0);
  for (int k = 0; k < 3; k++)
    v[k] = w->masked[k][p] - w->mean[k][p] * w->share[p];
  const double i00 = c[3] * c[5] - c[4] * c[4], i01 = c[2] * c[4] - c[1] * c[5],
               i02 = c[1] * c[4] - c[2] * c[3], i11 = c[0] * c[5] - c[2] * c[2],
               i12 = c[1] * c[2] - c[0] * c[4], i22 = c[0] * c[3] - c[1] * c[1];
  const double determinant = c[0] * i00 + c[1] * i01 + c[2] * i02;
  slopes[0] = (i00 * v[0] + i01 * v[1] + i02 * v[2]) / determinant;
  slopes[1] = (i01 * v[0] + i11 * v[1] + i12 * v[2]) / determinant;
  slopes[2] = (i02 * v[0] + i12 * v[1] + i22 * v[2]) / determinant;
}

static void
fit_lines (const Window *w, int r)
{
  for (int k = 0; k < 3; k++) {
    take_mean (w, w->guide[k], w->mean[k], r);
    take_mean_of_product (w, w->guide[k], w->alpha, w->masked[k], r);
  }
  for (int k = 0; k < PRODUCTS; k++)
    take_mean_of_product (w, w->guide[first_of[k]], w->guide[second_of[k]], w->product[k], r);
  take_mean (w, w->alpha, w->share, r);
  for (gsize p = 0; p < size_of (w); p++) {
    double slopes[3];
    solve (w, p, slopes);
    w->offset[p] = w->share[p];
    for (int k = 0; k < 3; k++) {
      w->masked[k][p] = slopes[k];
      w->offset[p] -= slopes[k] * w->mean[k][p];
    }
  }
}

/* The sums of a mask are whole numbers, so all of a square is exactly 0 or 1. */
static gboolean
is_near_border (const Window *w, gsize p)
{
  return w->share[p] > 0 && w->share[p] < 1;
}

static void
find_alpha (const Window *w, int r)
{
  fit_lines (w, r);
  take_mean (w, w->offset, w->offset, r);
  for (int k = 0; k < 3; k++)
    take_mean (w, w->masked[k], w->masked[k], r);
  for (gsize p = 0; p < size_of (w); p++)
    if (is_near_border (w, p)) {
      const double alpha = w->offset[p] + w->masked[0][p] * w->guide[0][p]
                           + w->masked[1][p] * w->guide[1][p] + w->masked[2][p] * w->guide[2][p];
      w->alpha[p] = CLAMP (alpha, 0, 1);
    }
}

/* ---- Colours ---- */

static void
find_mean_colours (const Window *w, int r)
{
  take_mean (w, w->alpha, w->share, r);
  for (int k = 0; k < 3; k++) {
    take_mean (w, w->guide[k], w->mean[k], r);
    take_mean_of_product (w, w->guide[k], w->alpha, w->masked[k], r);
  }
}

static uint8_t
to_byte (double value)
{
  return (uint8_t)(CLAMP (value, 0, 1) * 255 + 0.5);
}

/* Of the object at p, where some of both is. What means of both sides do not explain of the pixel
 * is given to the object by its share. */
static uint32_t
colour_at (const Window *w, gsize p)
{
  const double alpha = w->alpha[p];
  uint8_t bytes[3];
  for (int k = 0; k < 3; k++) {
    const double object = w->masked[k][p] / w->share[p];
    const double ground = (w->mean[k][p] - w->masked[k][p]) / (1 - w->share[p]);
    const double rest = w->guide[k][p] - alpha * object - (1 - alpha) * ground;
    bytes[k] = to_byte (object + alpha * rest);
  }
  return FS_PIXEL (to_byte (alpha), bytes[0], bytes[1], bytes[2]);
}

/* ---- Tiles ---- */

static gsize
part_width (const FsSoftEdge *edge)
{
  return (gsize)(edge->part.x1 - edge->part.x0);
}

/* Of pixel (x, y) of the photo. */
static uint32_t *
word_at (const FsSoftEdge *edge, int x, int y)
{
  return edge->rows + (gsize)(y % SIDE) * part_width (edge) + (gsize)(x - edge->part.x0);
}

static void
put (const FsSoftEdge *edge, int x, int y, uint8_t alpha)
{
  const gsize p = (gsize)y * (gsize)edge->image->width + (gsize)x;
  *word_at (edge, x, y) = (edge->image->pixels[p] & 0xffffffu) | (uint32_t)alpha << 24;
}

static gboolean
has_border (const FsSoftEdge *edge, int x, int y)
{
  const gsize width = (gsize)edge->image->width;
  const int r = edge->radius, x0 = MAX (0, x - r), x1 = MIN (edge->image->width, x + SIDE + r);
  const uint8_t *plane = edge->mask;
  const gboolean first = plane[(gsize)y * width + (gsize)x] != 0;
  for (int j = MAX (0, y - r); j < MIN (edge->image->height, y + SIDE + r); j++)
    for (int i = x0; i < x1; i++)
      if ((plane[(gsize)j * width + (gsize)i] != 0) != first)
        return TRUE;
  return FALSE;
}

static void
soften (const FsSoftEdge *edge, Window *w, int x, int y)
{
  window_move (w, edge, x, y);
  find_alpha (w, edge->radius);
  find_mean_colours (w, REACH * edge->radius);
  for (int j = MAX (y, edge->part.y0); j < MIN (edge->part.y1, y + SIDE); j++)
    for (int i = MAX (x, edge->part.x0); i < MIN (edge->part.x1, x + SIDE); i++) {
      const gsize p = (gsize)(j - w->y0) * (gsize)w->width + (gsize)(i - w->x0);
      const uint8_t alpha = to_byte (w->alpha[p]);
      if (alpha > 0 && alpha < 255)
        *word_at (edge, i, j) = colour_at (w, p);
      else
        put (edge, i, j, alpha);
    }
}

/* Tiles [t0, t1) of those of the strip that the part meets. */
static void
soften_tiles (int t0, int t1, gpointer data)
{
  FsSoftEdge *edge = data;
  const int first = edge->part.x0 / SIDE;
  g_auto (Window) w = { 0 };
  for (int t = first + t0; t < first + t1; t++) {
    if (!has_border (edge, t * SIDE, edge->strip * SIDE))
      continue;
    if (!w.memory && !window_init (&w, edge)) {
      g_atomic_int_set (&edge->is_short, TRUE);
      return;
    }
    soften (edge, &w, t * SIDE, edge->strip * SIDE);
  }
}

static void
make_strip (FsSoftEdge *edge, int strip)
{
  const FsRect *part = &edge->part;
  edge->strip = strip;
  edge->is_short = FALSE;
  for (int y = MAX (part->y0, strip * SIDE); y < MIN (part->y1, (strip + 1) * SIDE); y++)
    for (int x = part->x0; x < part->x1; x++)
      put (edge, x, y, edge->mask[(gsize)y * (gsize)edge->image->width + (gsize)x] ? 255 : 0);
  fs_row_threads_run ((part->x1 - 1) / SIDE - part->x0 / SIDE + 1, SIDE * SIDE * DEARNESS,
                      soften_tiles, edge);
}

const uint32_t *
fs_soft_edge_get_row (FsSoftEdge *self, int y)
{
  g_return_val_if_fail (self && y >= self->part.y0 && y < self->part.y1, NULL);
  if (y / SIDE != self->strip)
    make_strip (self, y / SIDE);
  if (!self->is_short)
    return word_at (self, self->part.x0, y);
  self->strip = -1;
  return NULL;
}

FsImage *
fs_soft_edge_render (const FsImage *image, const uint8_t *mask, FsRect part, int radius_px)
{
  g_autoptr (FsSoftEdge) edge = fs_soft_edge_new (image, mask, part, radius_px);
  g_autoptr (FsImage) picture = edge ? fs_image_new (part.x1 - part.x0, part.y1 - part.y0) : NULL;
  if (!picture)
    return NULL;
  picture->has_alpha = TRUE;
  for (int y = 0; y < picture->height; y++) {
    const gsize from = (gsize)(part.y0 + y) * (gsize)image->width + (gsize)part.x0;
    uint32_t *out = picture->pixels + (gsize)y * (gsize)picture->width;
    const uint32_t *soft = fs_soft_edge_get_row (edge, part.y0 + y);
    if (!soft)
      return NULL;
    for (int x = 0; x < picture->width; x++)
      out[x] = fs_soft_edge_over (soft[x], image->pixels[from + (gsize)x]);
  }
  return g_steal_pointer (&picture);
}

FsSoftEdge *
fs_soft_edge_new (const FsImage *image, const uint8_t *mask, FsRect part, int radius_px)
{
  g_return_val_if_fail (image && mask && !fs_rect_is_empty (part), NULL);
  g_return_val_if_fail (part.x0 >= 0 && part.x1 <= image->width, NULL);
  g_return_val_if_fail (part.y0 >= 0 && part.y1 <= image->height, NULL);
  g_return_val_if_fail (radius_px >= 1 && radius_px <= FS_SOFT_EDGE_MOST, NULL);
  g_autoptr (FsSoftEdge) self = g_new0 (FsSoftEdge, 1);
  *self =
      (FsSoftEdge){ .image = image, .mask = mask, .part = part, .radius = radius_px, .strip = -1 };
  self->rows = g_try_malloc_n (part_width (self) * SIDE, sizeof *self->rows);
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
