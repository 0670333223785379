/* SPDX-License-Identifier: MIT */
#include "energy/terms/lab_contrast.h"

#include "energy/colour/lab.h"
#include "energy/image/exact_math.h"
#include "energy/image/row_threads.h"
#include "energy/image/target_clones.h"

#include <math.h>
#include <string.h>

/* Bound: at most FS_NLINK_MAX, which is whole and rounds to itself. */
static uint16_t
quantise (double w)
{
  return (uint16_t)floor (CLAMP (w, 0.0, (double)FS_NLINK_MAX) + 0.5);
}

double
fs_lab_contrast_middle (int entry)
{
  int octave = entry / 256;
  double first = ldexp (256 + entry % 256, octave);
  return first + (ldexp (1, octave) - 1) / 2 - 256;
}

typedef struct {
  uint16_t straight[FS_LAB_CONTRAST_ENTRIES];
  uint16_t diagonal[FS_LAB_CONTRAST_ENTRIES];
} Weights;

static Weights *
weights_new (double weight, double mean)
{
  Weights *weights = g_new (Weights, 1);
  for (int i = 0; i < FS_LAB_CONTRAST_ENTRIES; i++) {
    double w = weight * fs_exact_exp (-2 * sqrt (fs_lab_contrast_middle (i) / mean));
    weights->straight[i] = quantise (w);
    weights->diagonal[i] = quantise (w / sqrt (2));
  }
  return weights;
}

static const uint16_t *
weights_of (const Weights *weights, FsDirection d)
{
  return d >= FS_DIRECTION_SE ? weights->diagonal : weights->straight;
}

/* --- two rows of Lab, by channel --- */

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
span_of (const FsImage *image, FsDirection d, int y)
{
  int dx = fs_direction_dx (d), w = image->width;
  if (y + fs_direction_dy (d) >= image->height)
    return (Span){ 0, 0 };
  return (Span){ MAX (0, -dx), w - MAX (0, dx) };
}

/* d²[x] for the pixels of the span. */
FS_TARGET_CLONES static void
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

/* --- jobs ---------------------------------------------------------------------------------------
 *
 * Weights need the mean first. Where every row counts for it, colours are converted once only: the
 * planes take the entries, and then the weights in their place. */

typedef struct {
  FsPhotoTerms *terms;
  const FsProgress *progress;
  int step;               /* one row in so many counts for the mean           */
  uint64_t *sum;          /* [height] of the rows that count                  */
  const Weights *weights; /* NULL until the mean is known: planes get entries */
} Job;

FS_TARGET_CLONES static void
add_to_sum (const Job *job, int y, Span span, const int32_t *d2)
{
  uint64_t sum = 0;
  for (int x = span.x0; x < span.x1; x++)
    sum += (uint64_t)d2[x];
  job->sum[y] += sum;
}

/* Rows that count: every step-th. */
static void
sum_contrast_rows (int i0, int i1, gpointer data)
{
  const Job *job = data;
  const FsImage *image = job->terms->image;
  g_auto (Rows) rows = { 0 };
  rows_init (&rows, image);
  g_autofree int32_t *d2 = g_new (int32_t, image->width);
  for (int y = i0 * job->step; y < i1 * job->step && y < image->height; y += job->step) {
    rows_convert (&rows, 0, y);
    if (y + 1 < image->height)
      rows_convert (&rows, 1, y + 1);
    for (int d = 0; d < fs_photo_terms_n_directions (job->terms); d++) {
      Span span = span_of (image, (FsDirection)d, y);
      differences (&rows, (FsDirection)d, span, d2);
      add_to_sum (job, y, span, d2);
    }
  }
}

/* In squared units of lab.h; at least 1. */
static double
mean_of_sums (const Job *job)
{
  uint64_t sum = 0, n = 0;
  for (int y = 0; y < job->terms->image->height; y += job->step) {
    sum += job->sum[y];
    for (int d = 0; d < fs_photo_terms_n_directions (job->terms); d++) {
      Span span = span_of (job->terms->image, (FsDirection)d, y);
      n += (uint64_t)(span.x1 - span.x0);
    }
  }
  return sum > 0 ? fmax (1, (double)sum / (double)n) : 1;
}

FS_TARGET_CLONES static void
fill_row (const Job *job, const Rows *rows, FsDirection d, int y, int32_t *d2)
{
  int w = rows->image->width;
  uint16_t *out = job->terms->nlink[d] + (size_t)y * (size_t)w;
  Span span = span_of (rows->image, d, y);
  if (span.x0 >= span.x1) {
    memset (out, 0, (size_t)w * sizeof *out);
    return;
  }
  differences (rows, d, span, d2);
  if (!job->weights)
    add_to_sum (job, y, span, d2);
  for (int x = span.x0; x < span.x1; x++) /* apart from the look-up: in vectors */
    d2[x] = (int32_t)fs_lab_contrast_entry (d2[x]);
  out[0] = out[w - 1] = 0;
  const uint16_t *weights = job->weights ? weights_of (job->weights, d) : NULL;
  for (int x = span.x0; x < span.x1; x++)
    out[x] = weights ? weights[d2[x]] : (uint16_t)d2[x];
}

static void
fill_rows (int y0, int y1, gpointer data)
{
  const Job *job = data;
  g_auto (Rows) rows = { 0 };
  rows_init (&rows, job->terms->image);
  g_autofree int32_t *d2 = g_new (int32_t, job->terms->image->width);
  rows_convert (&rows, 0, y0);
  for (int y = y0; y < y1 && !fs_progress_is_cancelled (job->progress); y++) {
    if (y + 1 < job->terms->image->height)
      rows_convert (&rows, 1, y + 1);
    for (int d = 0; d < fs_photo_terms_n_directions (job->terms); d++)
      fill_row (job, &rows, (FsDirection)d, y, d2);
    rows_swap (&rows);
  }
}

/* Entries become weights. */
static void
weigh_rows (int y0, int y1, gpointer data)
{
  const Job *job = data;
  for (int d = 0; d < fs_photo_terms_n_directions (job->terms); d++) {
    const uint16_t *weights = weights_of (job->weights, (FsDirection)d);
    for (int y = y0; y < y1; y++) {
      Span span = span_of (job->terms->image, (FsDirection)d, y);
      uint16_t *row = job->terms->nlink[d] + (size_t)y * (size_t)job->terms->image->width;
      for (int x = span.x0; x < span.x1; x++)
        row[x] = weights[row[x]];
    }
  }
}

static gboolean
goes_on (const Job *job, GError **error)
{
  if (!fs_progress_is_cancelled (job->progress))
    return TRUE;
  g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "cancelled");
  return FALSE;
}

static void
set_tables (FsPhotoTerms *terms, Weights *weights)
{
  terms->tables = (FsNlinkTables){ .space = fs_lab_get_space (),
                                   .scale = FS_SCALE_OCTAVES,
                                   .n_entries = FS_LAB_CONTRAST_ENTRIES,
                                   .straight = weights->straight,
                                   .diagonal = weights->diagonal,
                                   .tables = weights };
}

/* `sum`: 0 for each row. */
static Job
job_of (FsPhotoTerms *terms, uint64_t *sum, const FsProgress *progress)
{
  gint64 n_pixels = (gint64)terms->image->width * terms->image->height;
  int step = (int)(n_pixels / FS_LAB_CONTRAST_SAMPLES);
  /* Odd: an even one would pass over the borders between JPEG's blocks, where differences are
   * larger. */
  return (Job){ .terms = terms, .progress = progress, .sum = sum, .step = step | 1 };
}

gboolean
fs_lab_contrast_make_tables (FsPhotoTerms *terms, double weight, const FsProgress *progress,
                             GError **error)
{
  int w = terms->image->width, h = terms->image->height;
  g_autofree uint64_t *sum = g_new0 (uint64_t, h);
  Job job = job_of (terms, sum, progress);
  fs_row_threads_run ((h - 1) / job.step + 1, w, sum_contrast_rows, &job);
  if (!goes_on (&job, error))
    return FALSE;
  set_tables (terms, weights_new (weight, mean_of_sums (&job)));
  return TRUE;
}

gboolean
fs_lab_contrast_fill (FsPhotoTerms *terms, double weight, const FsProgress *progress,
                      GError **error)
{
  int w = terms->image->width, h = terms->image->height;
  g_autofree uint64_t *sum = g_new0 (uint64_t, h);
  Job job = job_of (terms, sum, progress);
  gboolean once = job.step == 1;
  if (once)
    fs_row_threads_run (h, w, fill_rows, &job);
  else
    fs_row_threads_run ((h - 1) / job.step + 1, w, sum_contrast_rows, &job);
  if (!goes_on (&job, error)) /* then not all planes hold entries */
    return FALSE;
  Weights *weights = weights_new (weight, mean_of_sums (&job));
  set_tables (terms, weights);
  job.weights = weights;
  fs_row_threads_run (h, w, once ? weigh_rows : fill_rows, &job);
  return goes_on (&job, error);
}
