/* SPDX-License-Identifier: MIT */
#include "energy/frames/frame_energy.h"

#include "energy/image/exact_math.h"
#include "energy/image/row_threads.h"
#include "energy/terms/lab_contrast.h"
#include "energy/terms/scale.h"
#include "solver/system/checked_memory.h"

#include <math.h>
#include <string.h>

/* The weight of the prior at the band's end, in nats. */
#define DISTANCE_WEIGHT 4
/* λ: the n-link of equal neighbours, in nats, in frames of LINK_PIXELS. */
#define LINK_WEIGHT 10.0
#define LINK_PIXELS 200000.0
#define LINK_POWER  1.5
/* One row of the frame in so many is sampled for the mean contrast. */
enum { ROWS_PER_MEAN = 4 };

void
fs_frame_energy_init (FsFrameEnergy *energy)
{
  *energy = (FsFrameEnergy){ 0 };
}

void
fs_frame_energy_clear (FsFrameEnergy *energy)
{
  fs_memory_free (energy->tlink);
  fs_memory_free (energy->lab);
  fs_memory_free (energy->runs);
  fs_memory_free (energy->row_start);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (energy->nlink[d]);
  fs_frame_energy_init (energy);
}

/* All planes are 0 then, and there are no runs. */
static gboolean
make_planes (FsFrameEnergy *energy, size_t n)
{
  fs_frame_energy_clear (energy);
  energy->tlink = fs_memory_new (n, sizeof *energy->tlink);
  energy->lab = fs_memory_new (n, sizeof *energy->lab);
  gboolean enough = energy->tlink && energy->lab;
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    energy->nlink[d] = fs_memory_new (n, sizeof *energy->nlink[d]);
    enough = enough && energy->nlink[d];
  }
  if (!enough)
    return FALSE;
  energy->capacity = n;
  memset (energy->tlink, 0, n * sizeof *energy->tlink);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    memset (energy->nlink[d], 0, n * sizeof *energy->nlink[d]);
  return TRUE;
}

/* Sets what the last frame filled to 0. */
static void
clear_runs (FsFrameEnergy *energy)
{
  for (int y = 0; energy->n_runs > 0 && y < energy->height; y++)
    for (size_t r = energy->row_start[y]; r < energy->row_start[y + 1]; r++) {
      size_t p = (size_t)y * (size_t)energy->width + (size_t)energy->runs[r].x0;
      size_t n = (size_t)(energy->runs[r].x1 - energy->runs[r].x0);
      memset (energy->tlink + p, 0, n * sizeof *energy->tlink);
      for (int d = 0; d < FS_N_DIRECTIONS; d++)
        memset (energy->nlink[d] + p, 0, n * sizeof *energy->nlink[d]);
    }
  energy->n_runs = 0;
}

static gboolean
copy_runs (FsFrameEnergy *energy, const FsFrameBand *band)
{
  size_t n_rows = (size_t)band->height + 1;
  if (band->n_runs > energy->runs_capacity || n_rows > energy->rows_capacity) {
    energy->runs_capacity = energy->rows_capacity = 0;
    fs_memory_free (energy->runs);
    fs_memory_free (energy->row_start);
    size_t n_runs = band->n_runs + band->n_runs / 4 + 1;
    energy->runs = fs_memory_new (n_runs, sizeof *energy->runs);
    energy->row_start = fs_memory_new (n_rows, sizeof *energy->row_start);
    if (!energy->runs || !energy->row_start)
      return FALSE;
    energy->runs_capacity = n_runs;
    energy->rows_capacity = n_rows;
  }
  memcpy (energy->runs, band->runs, band->n_runs * sizeof *band->runs);
  memcpy (energy->row_start, band->row_start, n_rows * sizeof *band->row_start);
  energy->n_runs = band->n_runs;
  energy->width = band->width;
  energy->height = band->height;
  return TRUE;
}

static gboolean
reserve_planes (FsFrameEnergy *energy, const FsFrameBand *band)
{
  size_t n = (size_t)band->width * (size_t)band->height;
  clear_runs (energy);
  return (n <= energy->capacity || make_planes (energy, n)) && copy_runs (energy, band);
}

/* --- what every row needs --------------------------------------------------------------------- */

typedef struct {
  uint16_t of[2][FS_LAB_CONTRAST_ENTRIES]; /* straight, diagonal */
} Weights;

typedef struct {
  FsFrameEnergy *energy;
  const FsImage *image;
  const FsFrameBand *band;
  const FsFrameColours *colours;
  const Weights *weights;
  const int16_t *prior; /* [half_width + 1] */
} Job;

/* Sum of d² over the rows that are sampled for the mean. */
typedef struct {
  uint64_t d2, n;
} ContrastSum;

static const uint32_t *
row_of_image (const Job *job, int j)
{
  return job->image->pixels + (ptrdiff_t)(job->band->window.y0 + j) * job->image->width
         + job->band->window.x0;
}

/* --- colours ---------------------------------------------------------------------------------- */

/* The pixels [*x0, *x1) of a row, from *x1 on, that are free or touch a free one. */
static gboolean
next_touched (const FsFrameBand *band, size_t at[3], const size_t end[3], int *x0, int *x1)
{
  int first = G_MAXINT;
  for (int i = 0; i < 3; i++)
    if (at[i] < end[i])
      first = MIN (first, band->runs[at[i]].x0 - 1);
  if (first == G_MAXINT)
    return FALSE;
  *x0 = *x1 = MAX (0, first);
  for (gboolean grows = TRUE; grows;) {
    grows = FALSE;
    for (int i = 0; i < 3; i++)
      for (; at[i] < end[i] && band->runs[at[i]].x0 - 1 <= *x1; at[i]++) {
        int last = MIN (band->width, band->runs[at[i]].x1 + 1);
        *x1 = MAX (*x1, last);
        grows = TRUE;
      }
  }
  return TRUE;
}

static void
convert_row (const Job *job, int y)
{
  const FsFrameBand *band = job->band;
  size_t at[3], end[3];
  for (int i = 0; i < 3; i++) {
    int row = CLAMP (y - 1 + i, 0, band->height - 1);
    at[i] = band->row_start[row];
    end[i] = band->row_start[row + 1];
  }
  int frame_y = y + band->window.y0;
  if (frame_y < 0 || frame_y >= job->image->height)
    return;
  int left = -band->window.x0, right = job->image->width - band->window.x0;
  for (int x0 = 0, x1 = 0; next_touched (band, at, end, &x0, &x1);) {
    int first = MAX (x0, left), last = MIN (x1, right);
    if (last > first)
      fs_lab_from_pixels (row_of_image (job, y) + first, (size_t)(last - first),
                          job->energy->lab + (size_t)y * (size_t)band->width + first);
  }
}

static void
convert_rows (int y0, int y1, gpointer data)
{
  for (int y = y0; y < y1; y++)
    convert_row (data, y);
}

/* Squared differences of a run's pixels from what is to the right of and below them: Lab of its row
 * and of the one below, from the run's first pixel on, one more than the run has. */
static void
add_run_energy (const FsFrameBand *band, int y, const FsBandRun *run, const FsLab *here,
                const FsLab *below, ContrastSum *sum)
{
  const uint8_t *state = band->state + (size_t)y * (size_t)band->width + run->x0;
  int n = MIN (run->x1, band->width - 1) - run->x0;
  for (int i = 0; i < n; i++) {
    if (state[i + 1] == FS_FRAME_OUTSIDE || state[i + band->width] == FS_FRAME_OUTSIDE)
      continue;
    sum->d2 +=
        (uint64_t)(fs_lab_distance2 (here[i], here[i + 1]) + fs_lab_distance2 (here[i], below[i]));
    sum->n += 2;
  }
}

static double
mean_of (const ContrastSum *sum)
{
  return sum->d2 > 0 ? fmax (1, (double)sum->d2 / (double)sum->n) : 1;
}

/* TRUE if a row of the window is sampled for the mean. */
static gboolean
row_counts (const FsFrameBand *band, int y)
{
  return (band->window.y0 + y) % ROWS_PER_MEAN == 0;
}

/* The mean of d² between free pixels and their neighbours to the right and below. */
static double
measure_mean (const Job *job)
{
  const FsFrameBand *band = job->band;
  ContrastSum sum = { 0 };
  for (int y = 0; y + 1 < band->height; y++)
    for (size_t r = band->row_start[y]; row_counts (band, y) && r < band->row_start[y + 1]; r++) {
      const FsLab *here = job->energy->lab + (size_t)y * (size_t)band->width + band->runs[r].x0;
      add_run_energy (band, y, &band->runs[r], here, here + band->width, &sum);
    }
  return mean_of (&sum);
}

/* The run's pixels in a row of the frame, and one more; those beyond the frame are not touched. */
static void
convert_run (const FsImage *image, const FsFrameBand *band, int y, const FsBandRun *run, FsLab *out)
{
  int frame_y = band->window.y0 + y;
  int first = MAX (band->window.x0 + run->x0, 0);
  int last = MIN (band->window.x0 + run->x1 + 1, image->width);
  if (frame_y >= 0 && frame_y < image->height && last > first)
    fs_lab_from_pixels (image->pixels + (size_t)frame_y * (size_t)image->width + first,
                        (size_t)(last - first), out + (first - band->window.x0 - run->x0));
}

double
fs_frame_energy_measure_mean (const FsImage *image, const FsFrameBand *band)
{
  ContrastSum sum = { 0 };
  g_autofree FsLab *lab = g_new0 (FsLab, 2 * (gsize)(band->width + 1));
  FsLab *below = lab + band->width + 1;
  for (int y = 0; y + 1 < band->height; y++)
    for (size_t r = band->row_start[y]; row_counts (band, y) && r < band->row_start[y + 1]; r++) {
      convert_run (image, band, y, &band->runs[r], lab);
      convert_run (image, band, y + 1, &band->runs[r], below);
      add_run_energy (band, y, &band->runs[r], lab, below, &sum);
    }
  return mean_of (&sum);
}

void
fs_frame_energy_list_links (const FsImage *image, double mean, double *of_entry)
{
  double size = (double)image->width * image->height / LINK_PIXELS;
  double max = FS_NAT_SCALE * LINK_WEIGHT * fs_exact_exp (fs_exact_log (size) / 3);
  for (int i = 0; i < FS_LAB_CONTRAST_ENTRIES; i++)
    of_entry[i] = max * fs_exact_exp (-LINK_POWER * sqrt (fs_lab_contrast_middle (i) / mean));
}

/* Bound: each at most FS_NLINK_MAX, which is whole and rounds to itself. */
void
fs_frame_energy_weigh_links (const FsImage *image, double mean, uint16_t *straight,
                             uint16_t *diagonal)
{
  g_autofree double *link = g_new (double, FS_LAB_CONTRAST_ENTRIES);
  fs_frame_energy_list_links (image, mean, link);
  for (int i = 0; i < FS_LAB_CONTRAST_ENTRIES; i++) {
    straight[i] = (uint16_t)floor (MIN (link[i], FS_NLINK_MAX) + 0.5);
    diagonal[i] = (uint16_t)floor (MIN (link[i] / sqrt (2), FS_NLINK_MAX) + 0.5);
  }
}

static Weights *
weights_new (const FsImage *image, double mean)
{
  Weights *weights = g_new (Weights, 1);
  fs_frame_energy_weigh_links (image, mean, weights->of[0], weights->of[1]);
  return weights;
}

void
fs_frame_energy_list_priors (const FsFrameBand *band, int16_t *prior)
{
  for (int d = 0; d <= band->half_width; d++)
    prior[d] = (int16_t)(DISTANCE_WEIGHT * FS_NAT_SCALE * d / band->half_width);
}

static int16_t *
prior_new (const FsFrameBand *band)
{
  int16_t *prior = g_new (int16_t, band->half_width + 1);
  fs_frame_energy_list_priors (band, prior);
  return prior;
}

/* --- links ------------------------------------------------------------------------------------ */

static uint16_t
weigh (const Job *job, int diagonal, size_t p, size_t q)
{
  const FsLab *lab = job->energy->lab;
  return job->weights->of[diagonal][fs_lab_contrast_entry (fs_lab_distance2 (lab[p], lab[q]))];
}

/* Fills the n-links of a run in one direction; pixels at the window's sides are never free. */
static void
fill_nlink_run (const Job *job, size_t p, size_t end, int d)
{
  const uint8_t *state = job->band->state;
  uint16_t *out = job->energy->nlink[d];
  size_t step = (size_t)(fs_direction_dy ((FsDirection)d) * job->band->width
                         + fs_direction_dx ((FsDirection)d));
  for (; p < end; p++)
    if (state[p + step] == FS_FRAME_FREE)
      out[p] = weigh (job, d >= FS_DIRECTION_SE, p, p + step);
}

/* The t-link of a free pixel by its links to fixed neighbours. */
static int32_t
tlink_of_fixed (const Job *job, size_t p)
{
  const FsFrameBand *band = job->band;
  ptrdiff_t line = band->width;
  const ptrdiff_t steps[FS_N_ARCS] = {
    1, -1, line, -line, line + 1, line - 1, 1 - line, -1 - line
  };
  int32_t sum = 0;
  for (int i = 0; i < FS_N_ARCS; i++) {
    size_t q = (size_t)((ptrdiff_t)p + steps[i]);
    if (band->state[q] == FS_FRAME_OBJECT)
      sum += weigh (job, i >= 4, p, q);
    else if (band->state[q] == FS_FRAME_BACKGROUND)
      sum -= weigh (job, i >= 4, p, q);
  }
  return sum;
}

static gboolean
touches_fixed (const FsFrameBand *band, size_t p)
{
  const uint8_t *here = band->state + p;
  const uint8_t *above = here - band->width, *below = here + band->width;
  return (above[-1] | above[0] | above[1] | here[-1] | here[1] | below[-1] | below[0] | below[1])
         != FS_FRAME_FREE;
}
G_STATIC_ASSERT (FS_FRAME_FREE == 0);

static void
fill_tlinks (const Job *job, int y, const FsBandRun *run)
{
  const FsFrameBand *band = job->band;
  size_t row = (size_t)y * (size_t)band->width;
  const uint32_t *pixels = row_of_image (job, y);
  for (int x = run->x0; x < run->x1; x++) {
    size_t p = row + (size_t)x;
    int32_t prior = job->prior[MIN (band->distance[p], band->half_width)];
    int32_t tlink =
        job->colours->by_colour[fs_colour_bin (pixels[x])] + (band->label[p] ? prior : -prior);
    job->energy->tlink[p] = tlink + (touches_fixed (band, p) ? tlink_of_fixed (job, p) : 0);
  }
}

static void
fill_rows (int y0, int y1, gpointer data)
{
  const Job *job = data;
  const FsFrameBand *band = job->band;
  for (int y = y0; y < y1; y++)
    for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++) {
      size_t row = (size_t)y * (size_t)band->width;
      for (int d = 0; d < FS_N_DIRECTIONS; d++)
        fill_nlink_run (job, row + (size_t)band->runs[r].x0, row + (size_t)band->runs[r].x1, d);
      fill_tlinks (job, y, &band->runs[r]);
    }
}

gboolean
fs_frame_energy_fill (FsFrameEnergy *energy, const FsImage *image, const FsFrameBand *band,
                      const FsFrameColours *colours)
{
  if (!reserve_planes (energy, band))
    return FALSE;
  Job job = { .energy = energy, .image = image, .band = band, .colours = colours };
  fs_row_threads_run (band->height, band->width, convert_rows, &job);
  energy->mean = measure_mean (&job);
  g_autofree Weights *weights = weights_new (image, energy->mean);
  g_autofree int16_t *prior = prior_new (band);
  job.weights = weights;
  job.prior = prior;
  fs_row_threads_run (band->height, band->width, fill_rows, &job);
  return TRUE;
}

/* --- from a grid ------------------------------------------------------------------------------ */

/* A pixel's link in a direction, or against it: to place `other` of the window. */
static void
take_link (FsFrameEnergy *energy, const FsFrameBand *band, size_t p, size_t other, uint16_t weight,
           uint16_t *forward)
{
  if (band->state[other] == FS_FRAME_OBJECT)
    energy->tlink[p] += weight;
  else if (band->state[other] == FS_FRAME_BACKGROUND)
    energy->tlink[p] -= weight;
  else if (band->state[other] == FS_FRAME_FREE && forward)
    forward[p] = weight;
}

static void
take_pixel (FsFrameEnergy *energy, const FsFrameBand *band, const FsGrid *grid, int x, int y)
{
  ptrdiff_t p = (ptrdiff_t)y * band->width + x;
  ptrdiff_t at = (ptrdiff_t)(y + band->window.y0) * grid->width + x + band->window.x0;
  energy->tlink[p] = grid->tlink[at];
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    ptrdiff_t dx = fs_direction_dx ((FsDirection)d), dy = fs_direction_dy ((FsDirection)d);
    ptrdiff_t to = p + dy * band->width + dx, from = p - dy * band->width - dx;
    if (band->state[to] != FS_FRAME_OUTSIDE)
      take_link (energy, band, (size_t)p, (size_t)to, grid->nlink[d][at], energy->nlink[d]);
    if (band->state[from] != FS_FRAME_OUTSIDE)
      take_link (energy, band, (size_t)p, (size_t)from, grid->nlink[d][at - dy * grid->width - dx],
                 NULL);
  }
}

gboolean
fs_frame_energy_take (FsFrameEnergy *energy, const FsImage *image, const FsFrameBand *band,
                      const FsGrid *grid)
{
  g_return_val_if_fail (grid->neighbours == FS_NEIGHBOURS_8 && !grid->nlink_back[0], FALSE);
  if (!reserve_planes (energy, band))
    return FALSE;
  Job job = { .energy = energy, .image = image, .band = band };
  fs_row_threads_run (band->height, band->width, convert_rows, &job);
  energy->mean = measure_mean (&job);
  for (int y = 0; y < band->height; y++)
    for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
      for (int x = band->runs[r].x0; x < band->runs[r].x1; x++)
        take_pixel (energy, band, grid, x, y);
  return TRUE;
}

/* --- sums ------------------------------------------------------------------------------------- */

static int64_t
sum_pixel (const FsFrameEnergy *energy, const uint8_t *labels, size_t p)
{
  int64_t sum = labels[p] ? MAX (-energy->tlink[p], 0) : MAX (energy->tlink[p], 0);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    if (energy->nlink[d][p] > 0) {
      ptrdiff_t step = fs_direction_dy ((FsDirection)d) * (ptrdiff_t)energy->width
                       + fs_direction_dx ((FsDirection)d);
      sum += labels[p] != labels[(ptrdiff_t)p + step] ? energy->nlink[d][p] : 0;
    }
  return sum;
}

int64_t
fs_frame_energy_sum (const FsFrameEnergy *energy, const uint8_t *labels)
{
  int64_t sum = 0;
  for (int y = 0; energy->n_runs > 0 && y < energy->height; y++)
    for (size_t r = energy->row_start[y]; r < energy->row_start[y + 1]; r++)
      for (int x = energy->runs[r].x0; x < energy->runs[r].x1; x++)
        sum += sum_pixel (energy, labels, (size_t)y * (size_t)energy->width + (size_t)x);
  return sum;
}
