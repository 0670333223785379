/* SPDX-License-Identifier: MIT */
#include "energy/nlinks.h"

#include "energy/lab.h"
#include "energy/lab_contrast.h"
#include "energy/row_threads.h"

#include <string.h>

/* Two rows of points, the lower one only where it is in the photo, of pixels [x0, x1). */
typedef struct {
  const FsScene *scene;
  int y, x0, x1;
  int16_t *channel[2][3];
} Points;

static void
points_init (Points *points, const FsScene *scene, int y, int x0, int n)
{
  *points = (Points){ .scene = scene, .y = y };
  points->x0 = MAX (x0 - 1, 0);
  points->x1 = MIN (x0 + n + 1, scene->image->width);
  size_t length = (size_t)(points->x1 - points->x0);
  int16_t *channels = g_new (int16_t, 6 * length);
  for (size_t i = 0; i < 6; i++)
    points->channel[i / 3][i % 3] = channels + i * length;
}

static void
points_clear (Points *points)
{
  g_free (points->channel[0][0]);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Points, points_clear)

static void
read_row (const Points *points, int below)
{
  const FsImage *image = points->scene->image;
  const uint32_t *pixels =
      image->pixels + (size_t)(points->y + below) * (size_t)image->width + (size_t)points->x0;
  size_t n = (size_t)(points->x1 - points->x0);
  int16_t *const *channel = points->channel[below];
  if (points->scene->tables.space) {
    fs_lab_channels_from_pixels (pixels, n, channel[0], channel[1], channel[2]);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    channel[0][i] = FS_PIXEL_R (pixels[i]);
    channel[1][i] = FS_PIXEL_G (pixels[i]);
    channel[2][i] = FS_PIXEL_B (pixels[i]);
  }
}

static uint16_t
weigh (const FsNlinkTables *tables, gboolean is_diagonal, int32_t d2)
{
  uint32_t entry = tables->scale == FS_SCALE_OCTAVES ? fs_lab_contrast_entry (d2) : (uint32_t)d2;
  return is_diagonal ? tables->diagonal[entry] : tables->straight[entry];
}

/* `at`, `there`: of the two pixels in the points' rows. */
static uint16_t
compute_link (const Points *points, FsDirection d, int at, int there)
{
  int below = fs_direction_dy (d);
  int32_t d2 = 0;
  for (int k = 0; k < 3; k++) {
    int32_t difference = points->channel[0][k][at] - points->channel[below][k][there];
    d2 += difference * difference;
  }
  return weigh (&points->scene->tables, fs_direction_dx (d) != 0 && below != 0, d2);
}

static void
compute (const FsScene *scene, int y, int x0, int n, uint16_t *out[FS_N_DIRECTIONS])
{
  g_auto (Points) points = { 0 };
  gboolean is_last = y + 1 == scene->image->height;
  points_init (&points, scene, y, x0, n);
  read_row (&points, 0);
  if (!is_last)
    read_row (&points, 1);
  for (int d = 0; d < fs_scene_n_directions (scene); d++) {
    int dx = fs_direction_dx ((FsDirection)d);
    memset (out[d], 0, (size_t)n * sizeof *out[d]);
    if (is_last && fs_direction_dy ((FsDirection)d) > 0)
      continue;
    for (int x = MAX (x0, -dx); x < MIN (x0 + n, scene->image->width - MAX (0, dx)); x++)
      out[d][x - x0] = compute_link (&points, (FsDirection)d, x - points.x0, x + dx - points.x0);
  }
}

void
fs_nlinks_read (const FsScene *scene, int y, int x0, int n, uint16_t *out[FS_N_DIRECTIONS])
{
  if (!g_atomic_int_get (&scene->has_nlinks)) {
    compute (scene, y, x0, n, out);
    return;
  }
  size_t first = (size_t)y * (size_t)scene->image->width + (size_t)x0;
  for (int d = 0; d < fs_scene_n_directions (scene); d++)
    memcpy (out[d], scene->nlink[d] + first, (size_t)n * sizeof *out[d]);
}

static void
fill_rows (int y0, int y1, gpointer data)
{
  const FsScene *scene = data;
  for (int y = y0; y < y1; y++) {
    uint16_t *out[FS_N_DIRECTIONS];
    for (int d = 0; d < fs_scene_n_directions (scene); d++)
      out[d] = scene->nlink[d] + (size_t)y * (size_t)scene->image->width;
    compute (scene, y, 0, scene->image->width, out);
  }
}

static gboolean
make_planes (FsScene *scene, GError **error)
{
  if (g_atomic_int_get (&scene->has_nlinks)) /* somebody was quicker */
    return TRUE;
  if (!fs_scene_allocate_nlinks (scene, error))
    return FALSE;
  fs_row_threads_run (scene->image->height, scene->image->width, fill_rows, scene);
  g_atomic_int_set (&scene->has_nlinks, TRUE);
  return TRUE;
}

gboolean
fs_nlinks_need (FsScene *scene, GError **error)
{
  if (g_atomic_int_get (&scene->has_nlinks))
    return TRUE;
  g_mutex_lock (&scene->making);
  gboolean done = make_planes (scene, error);
  g_mutex_unlock (&scene->making);
  return done;
}

/* --- Sums --- */

static int32_t
sum_of_planes (const FsScene *scene, int x, int y)
{
  size_t w = (size_t)scene->image->width, pixel = (size_t)y * w + (size_t)x;
  int32_t sum = 1;
  for (int d = 0; d < fs_scene_n_directions (scene); d++) {
    int back_x = x - fs_direction_dx ((FsDirection)d),
        back_y = y - fs_direction_dy ((FsDirection)d);
    sum += scene->nlink[d][pixel];
    if (back_x >= 0 && back_x < (int)w && back_y >= 0)
      sum += scene->nlink[d][(size_t)back_y * w + (size_t)back_x];
  }
  return sum;
}

enum { RUN = 64 };

/* Rows of links, from one pixel before the run. */
typedef uint16_t Links[FS_N_DIRECTIONS][RUN + 2];

static void
read_links (const FsScene *scene, int y, int x0, int n, Links links)
{
  uint16_t *out[FS_N_DIRECTIONS];
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    out[d] = links[d];
  compute (scene, y, x0, n, out);
}

/* Of at most RUN pixels. */
static void
sum_run (const FsScene *scene, int x, int y, int n, int32_t *sums)
{
  int w = scene->image->width, x0 = MAX (x - 1, 0), x1 = MIN (x + n + 1, w);
  Links here, above;
  read_links (scene, y, x0, x1 - x0, here);
  if (y > 0)
    read_links (scene, y - 1, x0, x1 - x0, above);
  for (int i = 0; i < n; i++)
    sums[i] = 1;
  for (int d = 0; d < fs_scene_n_directions (scene); d++) {
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
fs_nlinks_sums (const FsScene *scene, uint32_t pixel, int n, int32_t *sums)
{
  int w = scene->image->width, x = (int)(pixel % (uint32_t)w), y = (int)(pixel / (uint32_t)w);
  gboolean has_planes = g_atomic_int_get (&scene->has_nlinks);
  for (int i = 0; has_planes && i < n; i++)
    sums[i] = sum_of_planes (scene, x + i, y);
  for (int i = 0; !has_planes && i < n; i += RUN)
    sum_run (scene, x + i, y, MIN (n - i, RUN), sums + i);
}

int32_t
fs_nlinks_sum (const FsScene *scene, uint32_t pixel)
{
  int32_t sum;
  fs_nlinks_sums (scene, pixel, 1, &sum);
  return sum;
}
