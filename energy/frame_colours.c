/* SPDX-License-Identifier: MIT */
#include "energy/frame_colours.h"

#include "energy/energy.h"
#include "energy/exact_math.h"
#include "energy/row_threads.h"
#include "solver/checked_memory.h"

#include <math.h>
#include <string.h>

/* Of the frame's diagonal: how far pixels tell of colours. Over LENGTHS_IN_REACH-th of it they lose
 * all but 1/e. */
enum { REACH_PER_MILLE = 60, LEAST_REACH_PX = 16, LENGTHS_IN_REACH = 2 };
/* Pixels nearer to a border, in units, may have colours of both sides. */
enum { MIXED_BELOW = 2 * FS_FRAME_BAND_UNIT };
/* One pixel in so many tells, along rows and columns: the diagonal by this, and one. */
enum { SAMPLES_PER_DIAGONAL = 600 };
/* What the sources count. */
enum { SHARE_FIRST = 1, SHARE_FORMER = 2, SHARE_PRESENT = 1 };

/* As in energy/second_look.h. */
#define RATIO_MAX      6
#define DENSITY_UNSEEN 3e-5
#define RATIO_WEIGHT   0.6

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
fs_frame_colours_reach_px (int width, int height)
{
  return MAX (LEAST_REACH_PX, diagonal_px (width, height) * REACH_PER_MILLE / 1000);
}

/* --- samples ---------------------------------------------------------------------------------- */

typedef struct {
  const FsImage *image;
  const FsFrameBand *band;
  FsSideTables *tables;
  int dx, dy; /* from the image to the band */
  gboolean is_cut;
  int reach;        /* in units */
  uint32_t *weight; /* [reach + 1] */
} Sampling;

static void
sampling_init (Sampling *s)
{
  s->reach = FS_FRAME_BAND_UNIT * fs_frame_colours_reach_px (s->image->width, s->image->height);
  s->weight = g_new (uint32_t, s->reach + 1);
  for (int d = 0; d <= s->reach; d++)
    s->weight[d] = (uint32_t)floor (
        FS_COLOUR_WEIGHT * fs_exact_exp (-(double)LENGTHS_IN_REACH * d / s->reach) + 0.5);
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (&s->tables->side[side]);
}

static void
add_sample (const Sampling *s, int x, int y, size_t p)
{
  int distance = s->band->distance[p];
  FsFrameState state = s->band->state[p];
  gboolean is_sure = s->is_cut ? distance >= MIXED_BELOW
                               : state == FS_FRAME_BACKGROUND || state == FS_FRAME_OBJECT;
  if (!is_sure || distance > s->reach)
    return;
  FsLab lab;
  fs_lab_from_pixels (&s->image->pixels[(size_t)y * (size_t)s->image->width + (size_t)x], 1, &lab);
  fs_colour_table_add (&s->tables->side[s->band->label[p]], fs_colour_place (lab),
                       s->weight[distance]);
}

/* Samples lie on a lattice of the image, wherever the window begins. */
static void
sample (Sampling *s)
{
  const FsImage *image = s->image;
  int step = 1 + diagonal_px (image->width, image->height) / SAMPLES_PER_DIAGONAL;
  FsRect window = s->band->window, whole = { 0, 0, image->width, image->height };
  FsRect there = { window.x0 - s->dx, window.y0 - s->dy, window.x1 - s->dx, window.y1 - s->dy };
  there = fs_rect_intersect (there, whole);
  sampling_init (s);
  for (int y = (there.y0 + step - 1) / step * step; y < there.y1; y += step)
    for (int x = (there.x0 + step - 1) / step * step; x < there.x1; x += step)
      add_sample (s, x, y,
                  (size_t)(y + s->dy - window.y0) * (size_t)s->band->width
                      + (size_t)(x + s->dx - window.x0));
  g_free (s->weight);
}

void
fs_frame_colours_of_mask (FsSideTables *tables, const FsImage *image, const FsFrameBand *band,
                          int dx, int dy)
{
  Sampling s = {
    .image = image, .band = band, .tables = tables, .dx = dx, .dy = dy, .is_cut = TRUE
  };
  sample (&s);
}

void
fs_frame_colours_of_band (FsSideTables *tables, const FsImage *image, const FsFrameBand *band)
{
  Sampling s = { .image = image, .band = band, .tables = tables };
  sample (&s);
}

/* --- densities -------------------------------------------------------------------------------- */

/* Adds a table in a share, whatever its own total. */
static void
mix_in (FsColourTable *mixed, const FsColourTable *table, int share)
{
  if (table->total == 0 || share == 0)
    return;
  double factor = (double)share * FS_COLOUR_WEIGHT / (double)table->total;
  for (int i = 0; i < FS_COLOUR_TABLE_NODES; i++)
    mixed->sum[i] += (uint64_t)(factor * (double)table->sum[i]);
  mixed->total += (uint64_t)share * FS_COLOUR_WEIGHT;
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
    mix_in (mixed, &colours->first.side[side], is_new ? 0 : SHARE_FIRST);
    mix_in (mixed, &colours->former.side[side], is_new ? 0 : SHARE_FORMER);
    mix_in (mixed, &colours->present.side[side], SHARE_PRESENT);
    fs_colour_table_smooth (mixed);
  }
}

void
fs_frame_colours_mix (FsFrameColours *colours, gboolean new_background)
{
  enum { WORTH_A_THREAD = 100000 }; /* "pixels" of a side */
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
  for (int j = 0; j < band->height; j++) {
    const uint8_t *state = band->state + (size_t)j * (size_t)band->width;
    const uint32_t *pixels =
        image->pixels + (ptrdiff_t)(band->window.y0 + j) * image->width + band->window.x0;
    for (int i = 0; i < band->width; i++)
      if (state[i] == FS_FRAME_FREE) {
        int16_t *tlink = &colours->by_colour[fs_colour_bin (pixels[i])];
        if (*tlink == NOT_YET)
          *tlink = weigh_bin (colours, fs_colour_bin (pixels[i]));
      }
  }
}

double
fs_frame_colours_overlap (const FsColourTable *a, const FsColourTable *b)
{
  double sum = 0;
  for (int i = 0; a->total && b->total && i < FS_COLOUR_TABLE_NODES; i++)
    sum += MIN ((double)a->sum[i] / (double)a->total, (double)b->sum[i] / (double)b->total);
  return sum / (1 << 24);
}
