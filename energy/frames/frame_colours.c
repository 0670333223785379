/* SPDX-License-Identifier: MIT */
#include "energy/frames/frame_colours.h"

#include "energy/image/exact_math.h"
#include "energy/image/row_threads.h"
#include "energy/terms/scale.h"
#include "solver/system/checked_memory.h"

#include <math.h>
#include <string.h>

/* The distance cap of samples from the border, in thousandths of the frame's diagonal; it is
 * LENGTHS_TO_CAP decay lengths of their weights. */
enum { DISTANCE_CAP_PER_MILLE = 60, MIN_DISTANCE_CAP_PX = 16, LENGTHS_TO_CAP = 2 };
/* The weights of the sources. */
enum { WEIGHT_FIRST = 1, WEIGHT_PREVIOUS = 2, WEIGHT_PRESENT = 1, WEIGHT_STROKES = 2 };

/* As in energy/refine/refine.h. */
#define RATIO_MAX      6
#define DENSITY_UNSEEN 3e-5
#define RATIO_WEIGHT   0.6

/* Pixels, as fs_row_threads_run counts them: each of two tables is worth a thread. */
enum { WORTH_A_THREAD = 100000 };

/* Samples along each side of a block. */
enum { SAMPLES = 2 };

enum { NOT_YET = G_MININT16 };

FsFrameColours *
fs_frame_colours_new (void)
{
  FsFrameColours *colours = fs_memory_new (1, sizeof *colours);
  if (colours)
    memset (colours, 0, sizeof *colours);
  return colours;
}

void
fs_frame_colours_free (FsFrameColours *colours)
{
  fs_memory_free (colours);
}

static int
diagonal_px (int width, int height)
{
  return (int)floor (sqrt ((double)width * width + (double)height * height));
}

int
fs_frame_colours_distance_cap_px (int width, int height)
{
  return MAX (MIN_DISTANCE_CAP_PX, diagonal_px (width, height) * DISTANCE_CAP_PER_MILLE / 1000);
}

/* --- samples ---------------------------------------------------------------------------------- */

typedef struct {
  const FsImage *image;
  const FsFrameBand *band;
  FsSideTables *tables;
  gboolean is_previous;  /* the image is that of the mask  */
  int min, distance_cap; /* blocks between these are sampled, in units */
  uint32_t *weight;      /* [distance_cap + 1] */

  /* Samples of a row of blocks, converted together: pixels, weights and sides. */
  uint32_t *word, *worth;
  uint8_t *is_object;
  int16_t *lab[3];
  int n;
} Sampling;

static void
sampling_init (Sampling *s)
{
  gsize n_max = (gsize)s->band->columns * SAMPLES * SAMPLES;
  s->word = g_new (uint32_t, 2 * n_max);
  s->worth = s->word + n_max;
  s->lab[0] = g_new (int16_t, 3 * n_max);
  s->lab[1] = s->lab[0] + n_max;
  s->lab[2] = s->lab[1] + n_max;
  s->is_object = g_malloc (n_max);
  s->distance_cap =
      FS_FRAME_BAND_UNIT * fs_frame_colours_distance_cap_px (s->image->width, s->image->height);
  s->weight = g_new (uint32_t, s->distance_cap + 1);
  for (int d = 0; d <= s->distance_cap; d++)
    s->weight[d] = (uint32_t)floor (
        FS_COLOUR_WEIGHT * fs_exact_exp (-(double)LENGTHS_TO_CAP * d / s->distance_cap) + 0.5);
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (&s->tables->side[side]);
}

static void
sampling_clear (Sampling *s)
{
  g_free (s->weight);
  g_free (s->word);
  g_free (s->lab[0]);
  g_free (s->is_object);
}

static gboolean
is_in_frame (const Sampling *s, int x, int y)
{
  return x >= 0 && y >= 0 && x < s->image->width && y < s->image->height;
}

/* One pixel, if both frames have it. */
static void
take_pixel (Sampling *s, int x, int y, FsFrameBlock side, int distance)
{
  const FsFrameBand *band = s->band;
  if (!is_in_frame (s, x, y) || !is_in_frame (s, x - band->dx, y - band->dy))
    return;
  if (s->is_previous) {
    x -= band->dx;
    y -= band->dy;
  }
  s->word[s->n] = s->image->pixels[(size_t)y * (size_t)s->image->width + (size_t)x];
  s->worth[s->n] = s->weight[distance];
  s->is_object[s->n++] = side == FS_FRAME_BLOCK_OBJECT;
}

/* SAMPLES² pixels of each block. */
static void
take_block (Sampling *s, int column, int row)
{
  const FsFrameBand *band = s->band;
  size_t i = fs_frame_band_block (band, column, row);
  int distance = band->block_distance[i], step = (1 << band->shift) / SAMPLES;
  if (band->block[i] == FS_FRAME_BLOCK_MIXED || distance < s->min || distance > s->distance_cap)
    return;
  int x = (band->first_column + column) * (1 << band->shift) + step / 2;
  int y = (band->first_row + row) * (1 << band->shift) + step / 2;
  for (int k = 0; k < SAMPLES * SAMPLES; k++)
    take_pixel (s, x + k % SAMPLES * step, y + k / SAMPLES * step, (FsFrameBlock)band->block[i],
                distance);
}

/* Adds the samples of a row of blocks to the tables. */
static void
add_samples (Sampling *s)
{
  fs_lab_channels_from_pixels (s->word, (size_t)s->n, s->lab[0], s->lab[1], s->lab[2]);
  for (int i = 0; i < s->n; i++) {
    FsLab lab = { s->lab[0][i], s->lab[1][i], s->lab[2][i] };
    fs_colour_table_add (&s->tables->side[s->is_object[i]], fs_colour_place (lab), s->worth[i]);
  }
  s->n = 0;
}

static void
sample (Sampling *s)
{
  sampling_init (s);
  for (int row = 0; row < s->band->rows; row++) {
    for (int column = 0; column < s->band->columns; column++)
      take_block (s, column, row);
    add_samples (s);
  }
  sampling_clear (s);
}

void
fs_frame_colours_of_mask (FsSideTables *tables, const FsImage *image, const FsFrameBand *band)
{
  Sampling s = { .image = image, .band = band, .tables = tables, .is_previous = TRUE };
  sample (&s);
}

/* Blocks so far from the border hold no free pixel that the previous frame had. */
void
fs_frame_colours_of_band (FsSideTables *tables, const FsImage *image, const FsFrameBand *band)
{
  Sampling s = { .image = image,
                 .band = band,
                 .tables = tables,
                 .min = band->half_width + (2 * FS_FRAME_BAND_UNIT << band->shift) };
  sample (&s);
}

typedef struct {
  FsFrameColours *colours;
  const FsImage *image[2]; /* previous, present */
  const FsFrameBand *band;
} Learning;

static void
learn_frames (int first, int last, gpointer data)
{
  const Learning *learning = data;
  for (int i = first; i < last; i++)
    if (i == 0)
      fs_frame_colours_of_mask (&learning->colours->previous, learning->image[0], learning->band);
    else
      fs_frame_colours_of_band (&learning->colours->present, learning->image[1], learning->band);
}

void
fs_frame_colours_learn (FsFrameColours *colours, const FsImage *previous, const FsImage *present,
                        const FsFrameBand *band)
{
  Learning learning = { colours, { previous, present }, band };
  fs_row_threads_run (2, WORTH_A_THREAD, learn_frames, &learning);
}

void
fs_frame_colours_of_strokes (FsSideTables *tables, const FsImage *image, const FsSeedMap *strokes)
{
  size_t n = (size_t)image->width * (size_t)image->height;
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (&tables->side[side]);
  for (size_t p = 0; p < n; p++) {
    FsLab lab;
    if (strokes->label[p] == FS_SEED_NONE)
      continue;
    fs_lab_from_pixels (&image->pixels[p], 1, &lab);
    fs_colour_table_add (&tables->side[strokes->label[p] == FS_SEED_OBJECT], fs_colour_place (lab),
                         FS_COLOUR_WEIGHT);
  }
}

/* --- densities -------------------------------------------------------------------------------- */

/* Adds a table scaled so that its total becomes `weight`. */
static void
mix_in (FsColourTable *mixed, const FsColourTable *table, int weight)
{
  if (table->total == 0 || weight == 0)
    return;
  double factor = (double)weight * FS_COLOUR_WEIGHT / (double)table->total;
  for (int i = 0; i < FS_COLOUR_TABLE_NODES; i++)
    mixed->sum[i] += (uint64_t)(factor * (double)table->sum[i]);
  mixed->total += (uint64_t)weight * FS_COLOUR_WEIGHT;
}

typedef struct {
  FsFrameColours *colours;
  gboolean new_background;
} Mixing;

static void
mix_sides (int first, int last, gpointer data)
{
  const Mixing *mixing = data;
  FsFrameColours *colours = mixing->colours;
  for (int side = first; side < last; side++) {
    gboolean is_new = side == 0 && mixing->new_background;
    FsColourTable *mixed = &colours->mixed.side[side];
    fs_colour_table_clear (mixed);
    mix_in (mixed, &colours->first.side[side], is_new ? 0 : WEIGHT_FIRST);
    mix_in (mixed, &colours->previous.side[side], is_new ? 0 : WEIGHT_PREVIOUS);
    mix_in (mixed, &colours->present.side[side], WEIGHT_PRESENT);
    mix_in (mixed, &colours->strokes.side[side], WEIGHT_STROKES);
    fs_colour_table_smooth (mixed);
  }
}

void
fs_frame_colours_mix (FsFrameColours *colours, gboolean new_background)
{
  Mixing mixing = { colours, new_background };
  fs_row_threads_run (2, WORTH_A_THREAD, mix_sides, &mixing);
}

static int16_t
weigh_bin (const FsFrameColours *colours, uint32_t bin)
{
  uint32_t pixel = fs_colour_bin_pixel (bin);
  FsLab lab;
  fs_lab_from_pixels (&pixel, 1, &lab);
  FsColourPlace place = fs_colour_place (lab);
  double object = fs_colour_table_look_up (&colours->mixed.side[1], place);
  double background = fs_colour_table_look_up (&colours->mixed.side[0], place);
  double r = fs_exact_log ((object + DENSITY_UNSEEN) / (background + DENSITY_UNSEEN));
  return (int16_t)floor (FS_NAT_SCALE * RATIO_WEIGHT * CLAMP (r, -RATIO_MAX, RATIO_MAX) + 0.5);
}

void
fs_frame_colours_weigh (FsFrameColours *colours, const FsImage *image, const FsFrameBand *band)
{
  for (int i = 0; i < FS_COLOUR_BINS; i++)
    colours->by_colour[i] = NOT_YET;
  for (int y = 0; y < band->height; y++) {
    const uint32_t *pixels =
        image->pixels + (ptrdiff_t)(band->window.y0 + y) * image->width + band->window.x0;
    for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
      for (int x = band->runs[r].x0; x < band->runs[r].x1; x++) {
        int16_t *tlink = &colours->by_colour[fs_colour_bin (pixels[x])];
        if (*tlink == NOT_YET)
          *tlink = weigh_bin (colours, fs_colour_bin (pixels[x]));
      }
  }
}

int64_t
fs_frame_colours_score (const FsFrameColours *colours, const FsImage *image,
                        const FsFrameBand *band, const uint8_t *labels)
{
  int64_t sum = 0;
  for (int y = 0; y < band->height; y++) {
    const uint32_t *pixels =
        image->pixels + (ptrdiff_t)(band->window.y0 + y) * image->width + band->window.x0;
    const uint8_t *row = labels + (size_t)y * (size_t)band->width;
    for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
      for (int x = band->runs[r].x0; x < band->runs[r].x1; x++)
        sum += row[x] ? colours->by_colour[fs_colour_bin (pixels[x])] : 0;
  }
  return sum;
}

/* A table's samples are counted in 8³ cubes of nodes. */
enum { CUBE = 4, CUBES = FS_COLOUR_TABLE_SIDE / CUBE };

static void
sum_cubes (const FsColourTable *table, double fraction[CUBES * CUBES * CUBES])
{
  memset (fraction, 0, CUBES * CUBES * CUBES * sizeof *fraction);
  for (int i = 0; table->total > 0 && i < FS_COLOUR_TABLE_NODES; i++) {
    int l = i / (FS_COLOUR_TABLE_SIDE * FS_COLOUR_TABLE_SIDE);
    int a = i / FS_COLOUR_TABLE_SIDE % FS_COLOUR_TABLE_SIDE, b = i % FS_COLOUR_TABLE_SIDE;
    fraction[(l / CUBE * CUBES + a / CUBE) * CUBES + b / CUBE] +=
        (double)table->sum[i] / (1 << 24) / (double)table->total;
  }
}

double
fs_frame_colours_overlap (const FsColourTable *a, const FsColourTable *b)
{
  double of_a[CUBES * CUBES * CUBES], of_b[CUBES * CUBES * CUBES], sum = 0;
  sum_cubes (a, of_a);
  sum_cubes (b, of_b);
  for (int i = 0; i < CUBES * CUBES * CUBES; i++)
    sum += MIN (of_a[i], of_b[i]);
  return sum;
}
