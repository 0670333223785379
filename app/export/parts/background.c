/* SPDX-License-Identifier: MIT */
#include "app/export/parts/background.h"

#include "app/photo/display_image.h"
#include "app/photo/photo.h"

#include <math.h>
#include <string.h>

#define WEIGHT_BITS 16          /* of a sum of weights */
#define WHITE       0xffffffffu /* behind pictures with transparent parts */

struct FsBackground {
  gatomicrefcount n_refs;
  FsPhoto *picture; /* or NULL */
  char *path;       /* its, or NULL */
  uint32_t rgb;
};

gboolean
fs_background_parse_colour (const char *text, uint32_t *rgb)
{
  static const struct {
    const char *name;
    uint32_t rgb;
  } names[] = { { "aqua", 0x00ffff },    { "black", 0x000000 },  { "blue", 0x0000ff },
                { "fuchsia", 0xff00ff }, { "gray", 0x808080 },   { "green", 0x008000 },
                { "grey", 0x808080 },    { "lime", 0x00ff00 },   { "magenta", 0xff00ff },
                { "maroon", 0x800000 },  { "navy", 0x000080 },   { "olive", 0x808000 },
                { "orange", 0xffa500 },  { "purple", 0x800080 }, { "red", 0xff0000 },
                { "silver", 0xc0c0c0 },  { "teal", 0x008080 },   { "white", 0xffffff },
                { "yellow", 0xffff00 },  { "cyan", 0x00ffff } };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (text, names[i].name) == 0) {
      *rgb = names[i].rgb;
      return TRUE;
    }
  const gsize n_digits = strlen (text) - (*text == '#');
  if (*text != '#' || (n_digits != 3 && n_digits != 6))
    return FALSE;
  uint32_t value = 0;
  for (gsize i = 1; i <= n_digits; i++) {
    const int digit = g_ascii_xdigit_value (text[i]);
    if (digit < 0)
      return FALSE;
    value = n_digits == 6 ? value << 4 | (uint32_t)digit : value << 8 | (uint32_t)digit * 0x11;
  }
  *rgb = value;
  return TRUE;
}

FsBackground *
fs_background_new_colour (uint32_t rgb)
{
  FsBackground *self = g_new0 (FsBackground, 1);
  g_atomic_ref_count_init (&self->n_refs);
  self->rgb = rgb;
  return self;
}

FsBackground *
fs_background_new (const char *text, GError **error)
{
  uint32_t rgb = 0;
  FsPhoto *picture = NULL;
  if (!fs_background_parse_colour (text, &rgb)
      && !(picture = fs_photo_load (text, NULL, NULL, error)))
    return NULL;
  FsBackground *self = fs_background_new_colour (rgb);
  self->picture = picture;
  self->path = picture ? g_strdup (text) : NULL;
  return self;
}

const char *
fs_background_get_path (const FsBackground *self)
{
  return self->path;
}

uint32_t
fs_background_get_colour (const FsBackground *self)
{
  return self->rgb;
}

FsBackground *
fs_background_ref (FsBackground *self)
{
  if (self)
    g_atomic_ref_count_inc (&self->n_refs);
  return self;
}

void
fs_background_unref (FsBackground *self)
{
  if (!self || !g_atomic_ref_count_dec (&self->n_refs))
    return;
  g_clear_pointer (&self->picture, fs_photo_free);
  g_free (self->path);
  g_free (self);
}

uint32_t
fs_pixel_over (uint32_t top, uint32_t below)
{
  const uint32_t a = FS_PIXEL_A (top), b = FS_PIXEL_A (below) * (255 - a); /* of 255, of 255² */
  const uint32_t all = 255 * a + b;
  if (all == 0)
    return 0;
  uint32_t pixel = (all + 127) / 255 << 24;
  for (int shift = 0; shift < 24; shift += 8)
    pixel |= ((top >> shift & 0xff) * 255 * a + (below >> shift & 0xff) * b + all / 2) / all
             << shift;
  return pixel;
}

/* ---- Scaling ---- */

/* Pixels of the picture for each of the photo. */
static double
find_step (const FsImage *picture, int width, int height)
{
  return MIN ((double)picture->width / width, (double)picture->height / height);
}

/* The place in the picture of the middle of a pixel of the photo, along one side. */
static double
find_place (int at, int n_photo, int n_picture, double step)
{
  return n_picture / 2.0 + (at + 0.5 - n_photo / 2.0) * step;
}

typedef struct {
  int n; /* taps of each pixel */
  int *first;
  uint32_t *weights; /* n for each, of sum 2^WEIGHT_BITS */
} Taps;

static void
taps_clear (Taps *taps)
{
  g_free (taps->first);
  g_free (taps->weights);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Taps, taps_clear)

/* The triangle's weights; what lies outside of the picture counts as its outermost pixel. */
static void
weigh (const Taps *taps, int i, double place, double radius, int n_picture)
{
  uint32_t *weights = taps->weights + (gsize)i * (gsize)taps->n;
  const int begin = (int)floor (place - radius);
  const int first = CLAMP (begin, 0, MAX (n_picture - taps->n, 0));
  double sum = 0;
  for (int t = 0; t < taps->n; t++)
    sum += MAX (0, radius - fabs (begin + t + 0.5 - place));
  uint32_t rest = 1u << WEIGHT_BITS;
  int largest = 0;
  for (int t = 0; t < taps->n; t++) {
    const double fraction = MAX (0, radius - fabs (begin + t + 0.5 - place)) / sum;
    const uint32_t weight = MIN (rest, (uint32_t)(fraction * (1 << WEIGHT_BITS) + 0.5));
    const int to = CLAMP (begin + t, 0, n_picture - 1) - first;
    if (weight == 0)
      continue;
    weights[to] += weight;
    rest -= weight;
    if (weights[to] > weights[largest])
      largest = to;
  }
  weights[largest] += rest;
  taps->first[i] = first;
}

/* Taps of the photo's pixels [begin, end). FALSE where memory is short. */
static gboolean
fill_taps (Taps *taps, int begin, int end, int n_photo, int n_picture, double step)
{
  const double radius = MAX (1, step);
  const gsize n_pixels = (gsize)(end - begin);
  taps->n = (int)ceil (2 * radius) + 1;
  taps->first = g_try_new (int, n_pixels);
  taps->weights = g_try_malloc0_n (n_pixels, (gsize)taps->n * sizeof *taps->weights);
  if (!taps->first || !taps->weights)
    return FALSE;
  for (int i = begin; i < end; i++)
    weigh (taps, i - begin, find_place (i, n_photo, n_picture, step), radius, n_picture);
  return TRUE;
}

/* One pixel; taps lie `stride` apart, and those that do not count are not read. */
static uint32_t
gather (const uint32_t *from, gsize stride, const uint32_t *weights, int n)
{
  guint64 r = 1 << (WEIGHT_BITS - 1), g = r, b = r;
  for (int t = 0; t < n; t++) {
    if (weights[t] == 0)
      continue;
    const uint32_t pixel = from[(gsize)t * stride];
    r += (guint64)FS_PIXEL_R (pixel) * weights[t];
    g += (guint64)FS_PIXEL_G (pixel) * weights[t];
    b += (guint64)FS_PIXEL_B (pixel) * weights[t];
  }
  return FS_PIXEL (255, r >> WEIGHT_BITS, g >> WEIGHT_BITS, b >> WEIGHT_BITS);
}

/* Rows of the picture, as wide as the area, from row y0 on. */
static FsImage *
scale_rows (const FsImage *picture, const Taps *across, int width, int y0, int y1)
{
  FsImage *rows = fs_image_new_whole (width, y1 - y0);
  g_autofree uint32_t *row = g_try_new (uint32_t, (gsize)picture->width);
  if (!rows || !row) {
    fs_image_unref (rows);
    return NULL;
  }
  for (int y = y0; y < y1; y++) {
    const uint32_t *from = picture->pixels + (gsize)y * (gsize)picture->width;
    uint32_t *to = rows->pixels + (gsize)(y - y0) * (gsize)width;
    for (int x = 0; x < picture->width; x++)
      row[x] = fs_pixel_over (from[x], WHITE);
    for (int x = 0; x < width; x++)
      to[x] = gather (row + across->first[x], 1, across->weights + (gsize)x * (gsize)across->n,
                      across->n);
  }
  return rows;
}

static FsImage *
scale_picture (const FsImage *picture, int width, int height, FsRect area)
{
  const double step = find_step (picture, width, height);
  const int n_columns = area.x1 - area.x0, n_rows = area.y1 - area.y0;
  g_auto (Taps) across = { 0 }, down = { 0 };
  if (!fill_taps (&across, area.x0, area.x1, width, picture->width, step)
      || !fill_taps (&down, area.y0, area.y1, height, picture->height, step))
    return NULL;
  const int y0 = down.first[0], y1 = MIN (picture->height, down.first[n_rows - 1] + down.n);
  g_autoptr (FsImage) rows = scale_rows (picture, &across, n_columns, y0, y1);
  FsImage *scaled = rows ? fs_image_new_whole (n_columns, n_rows) : NULL;
  for (int y = 0; scaled && y < n_rows; y++) {
    const uint32_t *from = rows->pixels + (gsize)(down.first[y] - y0) * (gsize)n_columns;
    const uint32_t *weights = down.weights + (gsize)y * (gsize)down.n;
    uint32_t *to = scaled->pixels + (gsize)y * (gsize)n_columns;
    for (int x = 0; x < n_columns; x++)
      to[x] = gather (from + x, (gsize)n_columns, weights, down.n);
  }
  return scaled;
}

FsImage *
fs_background_render (const FsBackground *self, int width, int height, FsRect area, GBytes *icc)
{
  g_return_val_if_fail (self && !fs_rect_is_empty (area), NULL);
  if (self->picture) {
    g_autoptr (FsImage) picture = fs_display_image_new (self->picture, icc);
    return scale_picture (picture, width, height, area);
  }
  FsImage *image = fs_image_new_whole (area.x1 - area.x0, area.y1 - area.y0);
  const gsize n = image ? (gsize)image->width * (gsize)image->height : 0;
  for (gsize i = 0; i < n; i++)
    image->pixels[i] = 0xff000000u | self->rgb;
  return image;
}

uint32_t
fs_background_get_pixel (const FsBackground *self, int width, int height, int x, int y)
{
  if (!self->picture)
    return 0xff000000u | self->rgb;
  const FsImage *picture = self->picture->image;
  const double step = find_step (picture, width, height);
  const int u = (int)find_place (x, width, picture->width, step);
  const int v = (int)find_place (y, height, picture->height, step);
  return fs_pixel_over (
      picture->pixels[(gsize)CLAMP (v, 0, picture->height - 1) * (gsize)picture->width
                      + (gsize)CLAMP (u, 0, picture->width - 1)],
      WHITE);
}
