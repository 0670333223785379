/* SPDX-License-Identifier: MIT */
#include "energy/terms/nlinks.h"

#include "energy/colour/lab.h"
#include "energy/image/row_threads.h"
#include "energy/image/target_clones.h"
#include "energy/terms/lab_contrast.h"

#include <string.h>

/* The pixels of a row, one more on each side included, for which Points has memory of its own.
 * Sums of single pixels are computed by the million, and where address space is limited each
 * allocation of a thread first tries in vain to get a heap of its own. */
enum { OWN_PIXELS = 72 };

/* Two rows of points, the lower one only where it is in the photo, of pixels [x0, x1). */
typedef struct {
  const FsPhotoTerms *terms;
  int y, x0, x1;
  int16_t *channel[2][3];
  int16_t *allocated; /* or NULL */
  int16_t own[6 * OWN_PIXELS];
} Points;

static void
points_init (Points *points, const FsPhotoTerms *terms, int y, int x0, int n)
{
  points->terms = terms;
  points->y = y;
  points->x0 = MAX (x0 - 1, 0);
  points->x1 = MIN (x0 + n + 1, terms->image->width);
  size_t length = (size_t)(points->x1 - points->x0);
  points->allocated = length > OWN_PIXELS ? g_new (int16_t, 6 * length) : NULL;
  int16_t *channels = points->allocated ? points->allocated : points->own;
  for (size_t i = 0; i < 6; i++)
    points->channel[i / 3][i % 3] = channels + i * length;
}

static void
points_clear (Points *points)
{
  g_free (points->allocated);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Points, points_clear)

static void
read_row (const Points *points, int below)
{
  const FsImage *image = points->terms->image;
  const uint32_t *pixels =
      image->pixels + (size_t)(points->y + below) * (size_t)image->width + (size_t)points->x0;
  size_t n = (size_t)(points->x1 - points->x0);
  int16_t *const *channel = points->channel[below];
  if (points->terms->tables.space) {
    fs_lab_channels_from_pixels (pixels, n, channel[0], channel[1], channel[2]);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    channel[0][i] = FS_PIXEL_R (pixels[i]);
    channel[1][i] = FS_PIXEL_G (pixels[i]);
    channel[2][i] = FS_PIXEL_B (pixels[i]);
  }
}

/* Squared distances of n points side by side from those beside them. */
static void
add_squares (const int16_t *here, const int16_t *there, int n, int32_t *squares)
{
  for (int i = 0; i < n; i++) {
    int32_t difference = here[i] - there[i];
    squares[i] += difference * difference;
  }
}

static void
weigh (const FsNlinkTables *tables, const uint16_t *table, const int32_t *squares, int n,
       uint16_t *links)
{
  if (tables->scale == FS_SCALE_OCTAVES)
    for (int i = 0; i < n; i++)
      links[i] = table[fs_lab_contrast_entry (squares[i])];
  else
    for (int i = 0; i < n; i++)
      links[i] = table[squares[i]];
}

enum { CHUNK = 64 };

/* The links of n pixels, at most CHUNK; `at`: of the first in the points' rows. */
static void
compute_links (const Points *points, FsDirection d, int at, int n, uint16_t *links)
{
  const FsNlinkTables *tables = &points->terms->tables;
  int dx = fs_direction_dx (d), below = fs_direction_dy (d);
  int32_t squares[CHUNK] = { 0 };
  for (int k = 0; k < 3; k++)
    add_squares (points->channel[0][k] + at, points->channel[below][k] + at + dx, n, squares);
  weigh (tables, dx != 0 && below != 0 ? tables->diagonal : tables->straight, squares, n, links);
}

static void
compute (const FsPhotoTerms *terms, int y, int x0, int n, uint16_t *out[FS_N_DIRECTIONS])
{
  g_auto (Points) points;
  gboolean is_last = y + 1 == terms->image->height;
  points_init (&points, terms, y, x0, n);
  read_row (&points, 0);
  if (!is_last)
    read_row (&points, 1);
  for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
    int dx = fs_direction_dx ((FsDirection)d);
    int begin = MAX (x0, -dx), end = MIN (x0 + n, terms->image->width - MAX (0, dx));
    if (is_last && fs_direction_dy ((FsDirection)d) > 0)
      end = begin;
    memset (out[d], 0, (size_t)(begin - x0) * sizeof *out[d]);
    memset (out[d] + end - x0, 0, (size_t)(x0 + n - end) * sizeof *out[d]);
    for (int x = begin; x < end; x += CHUNK)
      compute_links (&points, (FsDirection)d, x - points.x0, MIN (CHUNK, end - x), out[d] + x - x0);
  }
}

void
fs_nlinks_read (const FsPhotoTerms *terms, int y, int x0, int n, uint16_t *out[FS_N_DIRECTIONS])
{
  if (!g_atomic_int_get (&terms->has_nlinks)) {
    compute (terms, y, x0, n, out);
    return;
  }
  size_t first = (size_t)y * (size_t)terms->image->width + (size_t)x0;
  for (int d = 0; d < fs_photo_terms_n_directions (terms); d++)
    memcpy (out[d], terms->nlink[d] + first, (size_t)n * sizeof *out[d]);
}

/* --- among the pixels of a rectangle --- */

/* The Lab or RGB channels of a rectangle's pixels, row by row. */
typedef int16_t Channels[3][FS_GRID_LINKS_MAX];

/* One after another, so that few are not converted in vectors. */
static void
read_channels (const FsPhotoTerms *terms, int x0, int y0, int width, int height, Channels channel)
{
  uint32_t pixels[FS_GRID_LINKS_MAX];
  size_t n = (size_t)width * (size_t)height;
  for (int y = 0; y < height; y++)
    memcpy (pixels + (size_t)y * (size_t)width,
            terms->image->pixels + (size_t)(y0 + y) * (size_t)terms->image->width + (size_t)x0,
            (size_t)width * sizeof *pixels);
  if (terms->tables.space)
    fs_lab_channels_from_pixels (pixels, n, channel[0], channel[1], channel[2]);
  for (size_t i = 0; i < n && !terms->tables.space; i++) {
    channel[0][i] = FS_PIXEL_R (pixels[i]);
    channel[1][i] = FS_PIXEL_G (pixels[i]);
    channel[2][i] = FS_PIXEL_B (pixels[i]);
  }
}

/* The entries of n pixels and those so many steps on, in vectors. */
FS_TARGET_CLONES static void
find_entries (const FsNlinkTables *tables, int16_t channel[3][FS_GRID_LINKS_MAX], int step, int n,
              int32_t *restrict entries)
{
  const int16_t *l = channel[0], *a = channel[1], *b = channel[2];
  for (int i = 0; i < n; i++) {
    int16_t dl = (int16_t)(l[i] - l[i + step]), da = (int16_t)(a[i] - a[i + step]),
            db = (int16_t)(b[i] - b[i + step]);
    entries[i] = (int32_t)dl * dl + (int32_t)da * da + (int32_t)db * db;
  }
  for (int i = 0; i < n && tables->scale == FS_SCALE_OCTAVES; i++)
    entries[i] = (int32_t)fs_lab_contrast_entry (entries[i]);
}

void
fs_nlinks_read_among (gconstpointer data, int x0, int y0, int width, int height,
                      uint16_t *const out[FS_N_DIRECTIONS])
{
  const FsPhotoTerms *terms = data;
  const FsNlinkTables *tables = &terms->tables;
  Channels channel;
  int32_t entries[FS_GRID_LINKS_MAX];
  read_channels (terms, x0, y0, width, height, channel);
  for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
    int dx = fs_direction_dx ((FsDirection)d), dy = fs_direction_dy ((FsDirection)d);
    /* Links from the end of a row to the next row are computed, too, and cleared below. */
    int step = dy * width + dx, n = MAX (width * height - step, 0);
    const uint16_t *weights = d >= FS_DIRECTION_SE ? tables->diagonal : tables->straight;
    find_entries (tables, channel, step, n, entries);
    for (int i = 0; i < n; i++)
      out[d][i] = weights[entries[i]];
    memset (out[d] + n, 0, (size_t)(width * height - n) * sizeof *out[d]);
    for (int y = 0; y < height && dx != 0; y++)
      out[d][y * width + (dx > 0 ? width - 1 : 0)] = 0;
  }
}

static void
fill_rows (int y0, int y1, gpointer data)
{
  const FsPhotoTerms *terms = data;
  for (int y = y0; y < y1; y++) {
    uint16_t *out[FS_N_DIRECTIONS];
    for (int d = 0; d < fs_photo_terms_n_directions (terms); d++)
      out[d] = terms->nlink[d] + (size_t)y * (size_t)terms->image->width;
    compute (terms, y, 0, terms->image->width, out);
  }
}

static gboolean
make_nlink_planes (FsPhotoTerms *terms, GError **error)
{
  if (g_atomic_int_get (&terms->has_nlinks)) /* somebody was quicker */
    return TRUE;
  if (!fs_photo_terms_allocate_nlinks (terms, error))
    return FALSE;
  fs_row_threads_run (terms->image->height, terms->image->width, fill_rows, terms);
  g_atomic_int_set (&terms->has_nlinks, TRUE);
  return TRUE;
}

gboolean
fs_nlinks_need (FsPhotoTerms *terms, GError **error)
{
  if (g_atomic_int_get (&terms->has_nlinks))
    return TRUE;
  g_mutex_lock (&terms->making);
  gboolean done = make_nlink_planes (terms, error);
  g_mutex_unlock (&terms->making);
  return done;
}

/* --- Sums --- */

static void
add_links (const uint16_t *links, int n, int32_t *sums)
{
  for (int i = 0; i < n; i++)
    sums[i] += links[i];
}

/* Sums for n consecutive pixels, from the planes. */
static void
sum_planes (const FsPhotoTerms *terms, int x, int y, int n, int32_t *sums)
{
  int w = terms->image->width;
  size_t pixel = (size_t)y * (size_t)w + (size_t)x;
  for (int i = 0; i < n; i++)
    sums[i] = 1;
  for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
    int dx = fs_direction_dx ((FsDirection)d), dy = fs_direction_dy ((FsDirection)d);
    int first = MAX (0, dx - x), end = MIN (n, w + dx - x);
    add_links (terms->nlink[d] + pixel, n, sums);
    if (y >= dy && first < end)
      add_links (terms->nlink[d] + pixel - (ptrdiff_t)dy * w - dx + first, end - first,
                 sums + first);
  }
}

enum { RUN = 64 };

/* Rows of links, from one pixel before the run. */
typedef uint16_t Links[FS_N_DIRECTIONS][RUN + 2];

static void
read_links (const FsPhotoTerms *terms, int y, int x0, int n, Links links)
{
  uint16_t *out[FS_N_DIRECTIONS];
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    out[d] = links[d];
  compute (terms, y, x0, n, out);
}

/* Sums for at most RUN consecutive pixels, from the tables. */
static void
sum_run (const FsPhotoTerms *terms, int x, int y, int n, int32_t *sums)
{
  int w = terms->image->width, x0 = MAX (x - 1, 0), x1 = MIN (x + n + 1, w);
  Links here, above;
  read_links (terms, y, x0, x1 - x0, here);
  if (y > 0)
    read_links (terms, y - 1, x0, x1 - x0, above);
  for (int i = 0; i < n; i++)
    sums[i] = 1;
  for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
    int dx = fs_direction_dx ((FsDirection)d), dy = fs_direction_dy ((FsDirection)d);
    const uint16_t *back = dy == 0 ? here[d] : above[d];
    for (int i = 0; i < n; i++)
      sums[i] += here[d][x + i - x0];
    for (int i = 0; i < n && (dy == 0 || y > 0); i++)
      if (x + i - dx >= 0 && x + i - dx < w)
        sums[i] += back[x + i - dx - x0];
  }
}

void
fs_nlinks_fetch (const FsPhotoTerms *terms, uint32_t pixel)
{
  enum { LINE_BYTES = 64, N_LINES = 3 };
  gboolean has_planes = g_atomic_int_get (&terms->has_nlinks);
  for (int i = 0; i < N_LINES; i++) {
    for (int d = 0; has_planes && d < fs_photo_terms_n_directions (terms); d++)
      __builtin_prefetch ((const char *)(terms->nlink[d] + pixel) + i * LINE_BYTES);
    if (!has_planes)
      __builtin_prefetch ((const char *)(terms->image->pixels + pixel) + i * LINE_BYTES);
  }
}

void
fs_nlinks_sums (const FsPhotoTerms *terms, uint32_t pixel, int n, int32_t *sums)
{
  int w = terms->image->width, x = (int)(pixel % (uint32_t)w), y = (int)(pixel / (uint32_t)w);
  gboolean has_planes = g_atomic_int_get (&terms->has_nlinks);
  if (has_planes)
    sum_planes (terms, x, y, n, sums);
  for (int i = 0; !has_planes && i < n; i += RUN)
    sum_run (terms, x + i, y, MIN (n - i, RUN), sums + i);
}

int32_t
fs_nlinks_sum (const FsPhotoTerms *terms, uint32_t pixel)
{
  int32_t sum;
  fs_nlinks_sums (terms, pixel, 1, &sum);
  return sum;
}
