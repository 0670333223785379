/* SPDX-License-Identifier: MIT */
#include "energy/lab_contrast.h"

#include "energy/exact_math.h"
#include "energy/lab.h"
#include "energy/row_threads.h"

#include <math.h>
#include <string.h>

static uint16_t
quantise (double w)
{
  return (uint16_t)floor (CLAMP (w, 0.0, (double)FS_NLINK_MAX) + 0.5);
}

/* The middle of the squared differences of an entry. */
static double
entry_middle (int entry)
{
  int octave = entry / 256;
  double first = ldexp (256 + entry % 256, octave);
  return first + (ldexp (1, octave) - 1) / 2 - 256;
}

void
fs_lab_contrast_init (FsLabContrast *contrast, double weight, double mean)
{
  for (int i = 0; i < FS_LAB_CONTRAST_ENTRIES; i++) {
    double w = weight * fs_exact_exp (-2 * sqrt (entry_middle (i) / mean));
    contrast->straight[i] = quantise (w);
    contrast->diagonal[i] = quantise (w / sqrt (2));
  }
}

/* --- two rows of Lab, by channel ----------------------------------------------------------------
 */

typedef struct {
  const FsImage *image;
  int16_t *channel[2][3]; /* [width] each: of the row, and of the one below */
} Rows;

static void
rows_init (Rows *rows, const FsImage *image)
{
  size_t w = (size_t)image->width;
  rows->image = image;
  int16_t *channels = g_new (int16_t, 6 * w);
  for (int i = 0; i < 6; i++)
    rows->channel[i / 3][i % 3] = channels + (size_t)i * w;
}

static void
rows_clear (Rows *rows)
{
  g_free (MIN (rows->channel[0][0], rows->channel[1][0]));
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Rows, rows_clear)

static void
rows_convert (Rows *rows, int i, int y)
{
  size_t w = (size_t)rows->image->width;
  int16_t **channel = rows->channel[i];
  fs_lab_channels_from_pixels (rows->image->pixels + (size_t)y * w, w, channel[0], channel[1],
                               channel[2]);
}

/* The row below becomes the row. */
static void
rows_swap (Rows *rows)
{
  for (int k = 0; k < 3; k++) {
    int16_t *upper = rows->channel[0][k];
    rows->channel[0][k] = rows->channel[1][k];
    rows->channel[1][k] = upper;
  }
}

typedef struct {
  int x0, x1; /* the pixels that have this neighbour */
} Span;

static Span
span_of (const Rows *rows, FsDirection d, int y)
{
  int dx = fs_direction_dx (d), w = rows->image->width;
  if (y + fs_direction_dy (d) >= rows->image->height)
    return (Span){ 0, 0 };
  return (Span){ MAX (0, -dx), w - MAX (0, dx) };
}

/* d²[x] for the pixels of the span. */
static void
differences (const Rows *rows, FsDirection d, Span span, int32_t *restrict d2)
{
  int dx = fs_direction_dx (d), below = fs_direction_dy (d);
  const int16_t *l = rows->channel[0][0], *a = rows->channel[0][1], *b = rows->channel[0][2];
  const int16_t *l2 = rows->channel[below][0] + dx, *a2 = rows->channel[below][1] + dx,
                *b2 = rows->channel[below][2] + dx;
  for (int x = span.x0; x < span.x1; x++) {
    int16_t dl = (int16_t)(l[x] - l2[x]), da = (int16_t)(a[x] - a2[x]),
            db = (int16_t)(b[x] - b2[x]);
    d2[x] = (int32_t)dl * dl + (int32_t)da * da + (int32_t)db * db;
  }
}

/* --- the mean -----------------------------------------------------------------------------------
 */

double
fs_lab_contrast_mean (const FsImage *image, FsNeighbours neighbours)
{
  g_auto (Rows) rows = { 0 };
  rows_init (&rows, image);
  g_autofree int32_t *d2 = g_new (int32_t, image->width);
  gint64 n_pixels = (gint64)image->width * image->height;
  int step = (int)MAX (1, n_pixels / FS_LAB_CONTRAST_SAMPLES);
  uint64_t sum = 0, n = 0;
  for (int y = 0; y < image->height; y += step) {
    rows_convert (&rows, 0, y);
    if (y + 1 < image->height)
      rows_convert (&rows, 1, y + 1);
    for (int d = 0; d < (neighbours == FS_NEIGHBOURS_8 ? 4 : 2); d++) {
      Span span = span_of (&rows, (FsDirection)d, y);
      differences (&rows, (FsDirection)d, span, d2);
      for (int x = span.x0; x < span.x1; x++)
        sum += (uint64_t)d2[x];
      n += (uint64_t)(span.x1 - span.x0);
    }
  }
  return sum > 0 ? fmax (1, (double)sum / (double)n) : 1;
}

/* --- the planes ---------------------------------------------------------------------------------
 */

typedef struct {
  const FsLabContrast *contrast;
  FsScene *scene;
  const FsProgress *progress;
} Job;

static gboolean
is_cancelled (const FsProgress *progress)
{
  return progress && progress->cancel
         && atomic_load_explicit (progress->cancel, memory_order_relaxed);
}

static void
fill_row (const Job *job, const Rows *rows, FsDirection d, int y, int32_t *d2)
{
  int w = rows->image->width;
  uint16_t *out = job->scene->nlink[d] + (size_t)y * (size_t)w;
  Span span = span_of (rows, d, y);
  const uint16_t *weights =
      d >= FS_DIRECTION_SE ? job->contrast->diagonal : job->contrast->straight;
  if (span.x0 >= span.x1) {
    memset (out, 0, (size_t)w * sizeof *out);
    return;
  }
  differences (rows, d, span, d2);
  for (int x = span.x0; x < span.x1; x++) /* apart from the look-up: in vectors */
    d2[x] = (int32_t)fs_lab_contrast_entry (d2[x]);
  out[0] = out[w - 1] = 0;
  for (int x = span.x0; x < span.x1; x++)
    out[x] = weights[d2[x]];
}

static void
fill_rows (int y0, int y1, gpointer data)
{
  const Job *job = data;
  g_auto (Rows) rows = { 0 };
  rows_init (&rows, job->scene->image);
  g_autofree int32_t *d2 = g_new (int32_t, job->scene->image->width);
  rows_convert (&rows, 0, y0);
  for (int y = y0; y < y1 && !is_cancelled (job->progress); y++) {
    if (y + 1 < job->scene->image->height)
      rows_convert (&rows, 1, y + 1);
    for (int d = 0; d < fs_scene_n_directions (job->scene); d++)
      fill_row (job, &rows, (FsDirection)d, y, d2);
    rows_swap (&rows);
  }
}

gboolean
fs_lab_contrast_fill (const FsLabContrast *contrast, FsScene *scene, const FsProgress *progress,
                      GError **error)
{
  Job job = { contrast, scene, progress };
  fs_row_threads_run (scene->image->height, scene->image->width, fill_rows, &job);
  if (!is_cancelled (progress))
    return TRUE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "cancelled");
  return FALSE;
}
