/* SPDX-License-Identifier: MIT */
#include "energy/frames/frame_guess.h"

#include "energy/guess/opinion.h"

#include <string.h>

/* All is certainly background at this many half widths of the band from the moved object's
 * rectangle. */
enum { AWAY_HALF_WIDTHS = 3 };

/* The previous silhouette is strong evidence already: here a confirmed guess counts by its log-odds
 * with a weight of 1. */
enum { WEIGHT_PARTS = FS_OPINION_WEIGHT_CONFIRMED };

/* The smallest intersection over union of the objects of a guess and a mask that confirms. */
#define MIN_COMMON 0.5

/* The rectangle of the frame outside of which all is certainly background. */
static FsRect
find_possible_object (const FsFrameBand *band)
{
  FsRect r = fs_frame_band_find_object (band->label, band->width, band->height);
  const int away = AWAY_HALF_WIDTHS * band->half_width / FS_FRAME_BAND_UNIT;
  return (FsRect){ r.x0 + band->window.x0 - away, r.y0 + band->window.y0 - away,
                   r.x1 + band->window.x0 + away, r.y1 + band->window.y0 + away };
}

static void
mark_object_row (const FsFrameBand *band, int y, int width, uint8_t *labels)
{
  const int window_y = y - band->window.y0;
  if (window_y < 0 || window_y >= band->height)
    return;
  const uint8_t *state = band->state + (size_t)window_y * (size_t)band->width;
  for (int x = MAX (0, band->window.x0); x < MIN (width, band->window.x1); x++)
    if (state[x - band->window.x0] == FS_FRAME_OBJECT)
      labels[x] = FS_SEED_OBJECT;
}

/* The certain pixels of the frame as seeds. NULL where memory is short. */
static FsSeedMap *
make_seeds (const FsFrameBand *band, const FsSeedMap *strokes, int width, int height)
{
  const size_t w = (size_t)width, n = w * (size_t)height;
  const FsRect frame = { 0, 0, width, height };
  const FsRect near = fs_rect_intersect (find_possible_object (band), frame);
  g_autofree uint8_t *labels = g_try_malloc (n);
  FsSeedMap *seeds = fs_seed_map_new (width, height);
  if (!labels || !seeds) {
    fs_seed_map_free (seeds);
    return NULL;
  }
  /* With strokes the object may also be where the silhouette has never been. */
  memset (labels, strokes ? FS_SEED_NONE : FS_SEED_BACKGROUND, n);
  for (int y = near.y0; y < near.y1 && near.x0 < near.x1; y++) {
    uint8_t *row = labels + (size_t)y * w;
    memset (row + near.x0, FS_SEED_NONE, (size_t)(near.x1 - near.x0));
    mark_object_row (band, y, width, row);
  }
  for (size_t p = 0; strokes && p < n; p++)
    if (strokes->label[p] != FS_SEED_NONE)
      labels[p] = strokes->label[p];
  fs_seed_map_set (seeds, labels);
  return seeds;
}

static void
add_row (const FsOpinionView *view, int y, int x0, int x1, int32_t *scratch, int32_t *tlinks)
{
  memset (scratch, 0, (size_t)(x1 - x0) * sizeof *scratch);
  fs_opinion_view_add_row (view, y, x0, x1, scratch);
  for (int x = 0; x < x1 - x0; x++)
    tlinks[x] += scratch[x] / WEIGHT_PARTS;
}

static void
add_rows (FsFrameEnergy *energy, const FsFrameBand *band, const FsOpinionView *view,
          int32_t *scratch)
{
  for (int y = 0; y < band->height; y++)
    for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++) {
      const FsBandRun *run = &band->runs[r];
      add_row (view, y + band->window.y0, run->x0 + band->window.x0, run->x1 + band->window.x0,
               scratch, energy->tlink + (size_t)y * (size_t)band->width + run->x0);
    }
}

gboolean
fs_frame_guess_add (FsFrameEnergy *energy, const FsFrameBand *band, FsGuess *guess,
                    const FsSeedMap *strokes, int frame_width, int frame_height)
{
  g_return_val_if_fail (energy && band && guess, FALSE);
  g_autoptr (FsOpinion) opinion = fs_opinion_new (guess, NULL);
  g_autoptr (FsSeedMap) seeds = make_seeds (band, strokes, frame_width, frame_height);
  FsOpinionView view = { 0 };
  g_autofree int32_t *scratch = g_try_new (int32_t, band->width);
  if (!opinion || !seeds || !scratch
      || !fs_opinion_view_init (&view, opinion, frame_width, frame_height))
    return FALSE;
  fs_opinion_weigh (opinion, seeds);
  add_rows (energy, band, &view, scratch);
  fs_opinion_view_clear (&view);
  return TRUE;
}

gboolean
fs_frame_guess_confirms (const FsGuess *guess, const FsMovedMask *moved)
{
  const int w = fs_guess_get_width (guess), h = fs_guess_get_height (guess);
  const uint16_t *probability = fs_guess_get_probability (guess);
  int64_t n_both = 0, n_either = 0;
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      const int at_x = (int)((2 * (int64_t)x + 1) * moved->width / (2 * w)) - moved->dx;
      const int at_y = (int)((2 * (int64_t)y + 1) * moved->height / (2 * h)) - moved->dy;
      const gboolean is_known =
          at_x >= 0 && at_x < moved->width && at_y >= 0 && at_y < moved->height;
      const gboolean is_object =
          is_known && moved->mask[(size_t)at_y * (size_t)moved->width + (size_t)at_x];
      const gboolean is_guessed = probability[(size_t)y * (size_t)w + (size_t)x] > UINT16_MAX / 2;
      n_both += is_object && is_guessed;
      n_either += is_object || is_guessed;
    }
  return n_both > 0 && (double)n_both >= MIN_COMMON * (double)n_either;
}
