/* SPDX-License-Identifier: MIT */
#include "energy/frame_energy.h"

#include "energy/energy.h"
#include "energy/exact_math.h"
#include "energy/lab_contrast.h"
#include "energy/row_threads.h"
#include "solver/checked_memory.h"

#include <math.h>
#include <string.h>

/* In nats, at the band's end. */
#define DISTANCE_WEIGHT 2
/* Of equal neighbours, in nats, in frames of LINK_PIXELS and fewer. */
#define LINK_WEIGHT 8.0
#define LINK_PIXELS 200000.0
#define LINK_POWER  1.5
/* One row of the frame in so many tells of the mean contrast. */
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
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (energy->nlink[d]);
  fs_frame_energy_init (energy);
}

static gboolean
make_room (FsFrameEnergy *energy, size_t n)
{
  if (n <= energy->capacity)
    return TRUE;
  fs_frame_energy_clear (energy);
  energy->tlink = fs_memory_new (n, sizeof *energy->tlink);
  energy->lab = fs_memory_new (n, sizeof *energy->lab);
  gboolean enough = energy->tlink && energy->lab;
  for (int d = 0; d < FS_N_DIRECTIONS; d++) {
    energy->nlink[d] = fs_memory_new (n, sizeof *energy->nlink[d]);
    enough = enough && energy->nlink[d];
  }
  if (enough)
    energy->capacity = n;
  return enough;
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
  const int16_t *pull; /* [reach + 1] */
} Job;

static const uint32_t *
row_of_image (const Job *job, int j)
{
  return job->image->pixels + (ptrdiff_t)(job->band->window.y0 + j) * job->image->width
         + job->band->window.x0;
}

/* Pixels [x0, x1) of a row that are free, in turn; FALSE after the last ones. */
static gboolean
next_run (const uint8_t *state, int width, int *x0, int *x1)
{
  const uint8_t *found =
      *x1 < width ? memchr (state + *x1, FS_FRAME_FREE, (size_t)(width - *x1)) : NULL;
  if (!found)
    return FALSE;
  *x0 = *x1 = (int)(found - state);
  while (*x1 < width && state[*x1] == FS_FRAME_FREE)
    (*x1)++;
  return TRUE;
}

/* --- colours ---------------------------------------------------------------------------------- */

/* Free pixels of the rows above and below touch the row, too. */
static void
convert_rows (int y0, int y1, gpointer data)
{
  const Job *job = data;
  const FsFrameBand *band = job->band;
  for (int j = y0; j < y1; j++)
    for (int k = MAX (0, j - 1); k <= MIN (band->height - 1, j + 1); k++) {
      const uint8_t *state = band->state + (size_t)k * (size_t)band->width;
      const uint8_t *here = band->state + (size_t)j * (size_t)band->width;
      for (int x0 = 0, x1 = 0; next_run (state, band->width, &x0, &x1);) {
        int from = MAX (0, x0 - 1), to = MIN (band->width, x1 + 1);
        while (from < to && here[from] == FS_FRAME_OUTSIDE)
          from++;
        while (to > from && here[to - 1] == FS_FRAME_OUTSIDE)
          to--;
        fs_lab_from_pixels (row_of_image (job, j) + from, (size_t)(to - from),
                            job->energy->lab + (size_t)j * (size_t)band->width + from);
      }
    }
}

/* Of free pixels and what is to the right of and below them. */
static double
measure_mean (const Job *job)
{
  const FsFrameBand *band = job->band;
  const FsLab *lab = job->energy->lab;
  size_t width = (size_t)band->width;
  uint64_t sum = 0, n = 0;
  for (int j = 0; j + 1 < band->height; j++) {
    if ((band->window.y0 + j) % ROWS_PER_MEAN != 0)
      continue;
    size_t row = (size_t)j * width;
    for (size_t p = row; p + 1 < row + width; p++)
      if (band->state[p] == FS_FRAME_FREE && band->state[p + 1] != FS_FRAME_OUTSIDE
          && band->state[p + width] != FS_FRAME_OUTSIDE) {
        sum += (uint64_t)(fs_lab_distance2 (lab[p], lab[p + 1])
                          + fs_lab_distance2 (lab[p], lab[p + width]));
        n += 2;
      }
  }
  return sum > 0 ? fmax (1, (double)sum / (double)n) : 1;
}

static Weights *
weights_new (const FsImage *image, double mean)
{
  Weights *weights = g_new (Weights, 1);
  double size = MAX (1, (double)image->width * image->height / LINK_PIXELS);
  double most = FS_NAT_SCALE * LINK_WEIGHT * fs_exact_exp (fs_exact_log (size) / 3);
  for (int i = 0; i < FS_LAB_CONTRAST_ENTRIES; i++) {
    double w = most * fs_exact_exp (-LINK_POWER * sqrt (fs_lab_contrast_middle (i) / mean));
    weights->of[0][i] = (uint16_t)floor (MIN (w, FS_NLINK_MAX) + 0.5);
    weights->of[1][i] = (uint16_t)floor (MIN (w / sqrt (2), FS_NLINK_MAX) + 0.5);
  }
  return weights;
}

static int16_t *
pull_new (const FsFrameBand *band)
{
  int16_t *pull = g_new (int16_t, band->reach + 1);
  for (int d = 0; d <= band->reach; d++)
    pull[d] = (int16_t)(DISTANCE_WEIGHT * FS_NAT_SCALE * d / band->reach);
  return pull;
}

/* --- links ------------------------------------------------------------------------------------ */

static uint16_t
weigh (const Job *job, int diagonal, size_t p, size_t q)
{
  const FsLab *lab = job->energy->lab;
  return job->weights->of[diagonal][fs_lab_contrast_entry (fs_lab_distance2 (lab[p], lab[q]))];
}

static void
fill_nlinks (const Job *job, int j, int d)
{
  const FsFrameBand *band = job->band;
  int width = band->width, dx = fs_direction_dx ((FsDirection)d);
  int dy = fs_direction_dy ((FsDirection)d);
  size_t row = (size_t)j * (size_t)width;
  uint16_t *out = job->energy->nlink[d] + row;
  const uint8_t *state = band->state + row;
  memset (out, 0, (size_t)width * sizeof *out);
  if (j + dy >= band->height)
    return;
  size_t step = (size_t)(dy * width + dx);
  for (int x0 = 0, x1 = 0; next_run (state, width, &x0, &x1);)
    for (int x = MAX (x0, -dx); x < MIN (x1, width - MAX (0, dx)); x++)
      if (state[(size_t)x + step] == FS_FRAME_FREE)
        out[x] = weigh (job, d >= FS_DIRECTION_SE, row + (size_t)x, row + (size_t)x + step);
}

/* What the links of a free pixel to its fixed neighbours pull. */
static int32_t
pull_of_fixed (const Job *job, int x, int j)
{
  static const int steps[FS_N_ARCS][2] = { { 1, 0 }, { -1, 0 }, { 0, 1 },  { 0, -1 },
                                           { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 } };
  const FsFrameBand *band = job->band;
  size_t p = (size_t)j * (size_t)band->width + (size_t)x;
  int32_t sum = 0;
  for (int i = 0; i < FS_N_ARCS; i++) {
    int qx = x + steps[i][0], qy = j + steps[i][1];
    if (qx < 0 || qy < 0 || qx >= band->width || qy >= band->height)
      continue;
    size_t q = (size_t)qy * (size_t)band->width + (size_t)qx;
    if (band->state[q] == FS_FRAME_OBJECT)
      sum += weigh (job, i >= 4, p, q);
    else if (band->state[q] == FS_FRAME_BACKGROUND)
      sum -= weigh (job, i >= 4, p, q);
  }
  return sum;
}

static gboolean
touches_fixed (const FsFrameBand *band, int x, int j)
{
  if (x == 0 || j == 0 || x + 1 == band->width || j + 1 == band->height)
    return TRUE;
  const uint8_t *here = band->state + (size_t)j * (size_t)band->width + (size_t)x;
  const uint8_t *above = here - band->width, *below = here + band->width;
  return (above[-1] | above[0] | above[1] | here[-1] | here[1] | below[-1] | below[0] | below[1])
         != FS_FRAME_FREE;
}
G_STATIC_ASSERT (FS_FRAME_FREE == 0);

static void
fill_tlinks (const Job *job, int j)
{
  const FsFrameBand *band = job->band;
  size_t row = (size_t)j * (size_t)band->width;
  const uint8_t *state = band->state + row;
  const uint32_t *pixels = row_of_image (job, j);
  int32_t *out = job->energy->tlink + row;
  memset (out, 0, (size_t)band->width * sizeof *out);
  for (int x0 = 0, x1 = 0; next_run (state, band->width, &x0, &x1);)
    for (int x = x0; x < x1; x++) {
      size_t p = row + (size_t)x;
      int32_t pull = job->pull[MIN (band->distance[p], band->reach)];
      out[x] = job->colours->by_colour[fs_colour_bin (pixels[x])] + (band->label[p] ? pull : -pull);
      if (touches_fixed (band, x, j))
        out[x] += pull_of_fixed (job, x, j);
    }
}

static void
fill_rows (int y0, int y1, gpointer data)
{
  const Job *job = data;
  for (int j = y0; j < y1; j++) {
    for (int d = 0; d < FS_N_DIRECTIONS; d++)
      fill_nlinks (job, j, d);
    fill_tlinks (job, j);
  }
}

gboolean
fs_frame_energy_fill (FsFrameEnergy *energy, const FsImage *image, const FsFrameBand *band,
                      const FsFrameColours *colours)
{
  if (!make_room (energy, (size_t)band->width * (size_t)band->height))
    return FALSE;
  energy->width = band->width;
  energy->height = band->height;
  Job job = { .energy = energy, .image = image, .band = band, .colours = colours };
  fs_row_threads_run (band->height, band->width, convert_rows, &job);
  energy->mean = measure_mean (&job);
  g_autofree Weights *weights = weights_new (image, energy->mean);
  g_autofree int16_t *pull = pull_new (band);
  job.weights = weights;
  job.pull = pull;
  fs_row_threads_run (band->height, band->width, fill_rows, &job);
  return TRUE;
}
