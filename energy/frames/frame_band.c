/* SPDX-License-Identifier: MIT */
#include "energy/frames/frame_band.h"

#include "energy/image/distance.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* The half width in thousandths of the frame's shorter side, and its minimum. */
enum { HALF_WIDTH_PER_MILLE = 20, MIN_HALF_WIDTH_PX = 5 };
/* Steps of the distance: to a neighbour, to a diagonal one; half a step leads to a border. */
enum { STRAIGHT = FS_FRAME_BAND_UNIT, DIAGONAL = 7, FAR = G_MAXUINT16 };
/* Blocks have as many pixels along a side as the frame's shorter side has of these, rounded to a
 * power of two from 2 to 8. */
enum { BLOCKS_IN_FRAME = 100 };

void
fs_frame_band_init (FsFrameBand *band)
{
  *band = (FsFrameBand){ 0 };
}

static void
free_planes (FsFrameBand *band)
{
  g_clear_pointer (&band->label, fs_memory_free);
  g_clear_pointer (&band->distance, fs_memory_free);
  g_clear_pointer (&band->state, fs_memory_free);
  g_clear_pointer (&band->runs, fs_memory_free);
  g_clear_pointer (&band->row_start, fs_memory_free);
  g_clear_pointer (&band->block, fs_memory_free);
  g_clear_pointer (&band->block_distance, fs_memory_free);
  g_clear_pointer (&band->near, fs_memory_free);
  g_clear_pointer (&band->near_start, fs_memory_free);
  band->capacity = band->block_capacity = band->rows_capacity = 0;
}

void
fs_frame_band_clear (FsFrameBand *band)
{
  free_planes (band);
  fs_frame_band_init (band);
}

static gboolean
reserve_planes (FsFrameBand *band)
{
  size_t n = (size_t)band->width * (size_t)band->height;
  size_t n_blocks = (size_t)(band->columns + 2) * (size_t)(band->rows + 2);
  if (n <= band->capacity && n_blocks <= band->block_capacity
      && (size_t)band->height < band->rows_capacity)
    return TRUE;
  free_planes (band);
  band->label = fs_memory_new (n, sizeof *band->label);
  band->distance = fs_memory_new (n, sizeof *band->distance);
  band->state = fs_memory_new (n, sizeof *band->state);
  band->runs = fs_memory_new (n / 2 + 1, sizeof *band->runs); /* as many as there can be */
  band->row_start = fs_memory_new ((size_t)band->height + 1, sizeof *band->row_start);
  band->block = fs_memory_new (n_blocks, sizeof *band->block);
  band->block_distance = fs_memory_new (n_blocks, sizeof *band->block_distance);
  band->near = fs_memory_new (n_blocks, sizeof *band->near);
  band->near_start = fs_memory_new ((size_t)band->height + 2, sizeof *band->near_start);
  if (!band->label || !band->distance || !band->state || !band->runs || !band->row_start
      || !band->block || !band->block_distance || !band->near || !band->near_start)
    return FALSE;
  band->capacity = n;
  band->block_capacity = n_blocks;
  band->rows_capacity = (size_t)band->height + 1;
  return TRUE;
}

FsRect
fs_frame_band_find_object (const uint8_t *mask, int width, int height)
{
  FsRect found = { width, height, 0, 0 };
  for (int y = 0; y < height; y++) {
    const uint8_t *row = mask + (size_t)y * (size_t)width;
    const uint8_t *first = memchr (row, 1, (size_t)width);
    if (!first)
      continue;
    const uint8_t *last = memrchr (row, 1, (size_t)width);
    found = (FsRect){ MIN (found.x0, (int)(first - row)), MIN (found.y0, y),
                      MAX (found.x1, (int)(last - row) + 1), y + 1 };
  }
  return found.x1 > 0 ? found : (FsRect){ 0, 0, 0, 0 };
}

int
fs_frame_band_half_width_px (int width, int height)
{
  return MAX (MIN_HALF_WIDTH_PX, MIN (width, height) * HALF_WIDTH_PER_MILLE / 1000);
}

/* --- labels ----------------------------------------------------------------------------------- */

static void
move_row (FsFrameBand *band, const FsMovedMask *moved, int j)
{
  int from_y = CLAMP (band->window.y0 + j - moved->dy, 0, moved->height - 1);
  const uint8_t *from = moved->mask + (size_t)from_y * (size_t)moved->width;
  uint8_t *label = band->label + (size_t)j * (size_t)band->width;
  int shift = band->window.x0 - moved->dx;
  int first = CLAMP (-shift, 0, band->width), last = CLAMP (moved->width - shift, 0, band->width);
  last = MAX (first, last);
  memset (label, from[0], (size_t)first);
  memcpy (label + first, from + first + shift, (size_t)(last - first));
  memset (label + last, from[moved->width - 1], (size_t)(band->width - last));
}

/* --- blocks ----------------------------------------------------------------------------------- */

size_t
fs_frame_band_block (const FsFrameBand *band, int column, int row)
{
  return (size_t)(row + 1) * (size_t)(band->columns + 2) + (size_t)(column + 1);
}

/* The pixels of a block's column in the window. */
static void
column_ends (const FsFrameBand *band, int column, int *x0, int *x1)
{
  int first = (band->first_column + column) * (1 << band->shift) - band->window.x0;
  *x0 = MAX (0, first);
  *x1 = MIN (band->width, first + (1 << band->shift));
}

static uint8_t
classify_frame_block (const FsFrameBand *band, int x0, int x1, int y0, int y1)
{
  uint8_t any = 0, all = 1;
  for (int y = y0; y < y1; y++) {
    const uint8_t *label = band->label + (size_t)y * (size_t)band->width;
    for (int x = x0; x < x1; x++) {
      any |= label[x];
      all &= label[x];
    }
  }
  return any != all ? FS_FRAME_BLOCK_MIXED
         : all      ? FS_FRAME_BLOCK_OBJECT
                    : FS_FRAME_BLOCK_BACKGROUND;
}

/* Whole rows of one label, which most are, need no look at each pixel. */
static gboolean
rows_are_background (const FsFrameBand *band, int y0, int y1)
{
  return !memchr (band->label + (size_t)y0 * (size_t)band->width, 1,
                  (size_t)(y1 - y0) * (size_t)band->width);
}

static void
row_ends (const FsFrameBand *band, int row, int *y0, int *y1)
{
  int first = (band->first_row + row) * (1 << band->shift) - band->window.y0;
  *y0 = MAX (0, first);
  *y1 = MIN (band->height, first + (1 << band->shift));
}

static void
classify_frame_blocks (FsFrameBand *band)
{
  for (int row = 0; row < band->rows; row++) {
    int x0, x1, y0, y1;
    uint8_t *block = band->block + fs_frame_band_block (band, 0, row);
    row_ends (band, row, &y0, &y1);
    if (rows_are_background (band, y0, y1)) {
      memset (block, FS_FRAME_BLOCK_BACKGROUND, (size_t)band->columns);
      continue;
    }
    for (int column = 0; column < band->columns; column++) {
      column_ends (band, column, &x0, &x1);
      block[column] = classify_frame_block (band, x0, x1, y0, y1);
    }
  }
}

/* A chamfer distance over a plane of labels, in two passes, each from pixels that are done
 * (Borgefors 1986). Between two labels lies a border, half a step from either. */
typedef struct {
  const uint8_t *label;
  uint16_t *distance;
  ptrdiff_t width;
  int straight, diagonal, half;
} Chamfer;

static inline int
distance_through (const uint8_t *label, const uint16_t *distance, ptrdiff_t to, int step, int half)
{
  return label[0] == label[to] ? distance[to] + step : half;
}

/* Lowers the distance of a pixel through its neighbours on one side: `row` is −width or width,
 * `side` −1 or 1. */
static inline void
lower_distance (const Chamfer *c, size_t p, ptrdiff_t row, ptrdiff_t side)
{
  const uint8_t *label = c->label + p;
  uint16_t *distance = c->distance + p;
  int min = distance[0];
  min = MIN (min, distance_through (label, distance, row, c->straight, c->half));
  min = MIN (min, distance_through (label, distance, row - 1, c->diagonal, c->half));
  min = MIN (min, distance_through (label, distance, row + 1, c->diagonal, c->half));
  min = MIN (min, distance_through (label, distance, side, c->straight, c->half));
  distance[0] = (uint16_t)min;
}

static void
repeat_sides (FsFrameBand *band)
{
  size_t line = (size_t)band->columns + 2;
  for (int row = 0; row < band->rows; row++) {
    uint8_t *first = band->block + fs_frame_band_block (band, 0, row);
    first[-1] = first[0];
    first[band->columns] = first[band->columns - 1];
  }
  memcpy (band->block, band->block + line, line);
  memcpy (band->block + (size_t)(band->rows + 1) * line, band->block + (size_t)band->rows * line,
          line);
}

static void
measure_blocks (FsFrameBand *band)
{
  ptrdiff_t line = band->columns + 2;
  size_t n = (size_t)line * (size_t)(band->rows + 2);
  int side = STRAIGHT << band->shift;
  Chamfer c = { band->block, band->block_distance, line, side, DIAGONAL << band->shift, side / 2 };
  repeat_sides (band);
  for (size_t i = 0; i < n; i++)
    band->block_distance[i] = band->block[i] == FS_FRAME_BLOCK_MIXED ? 0 : FAR;
  for (int row = 0; row < band->rows; row++)
    for (int column = 0; column < band->columns; column++)
      lower_distance (&c, fs_frame_band_block (band, column, row), -line, -1);
  for (int row = band->rows - 1; row >= 0; row--)
    for (int column = band->columns - 1; column >= 0; column--)
      lower_distance (&c, fs_frame_band_block (band, column, row), line, 1);
}

/* --- pixels near the border ------------------------------------------------------------------- */

/* TRUE if a block may have pixels within the band, or up to twice as deep in the object, where its
 * thickness is measured. */
static gboolean
is_near (const FsFrameBand *band, int column, int row)
{
  size_t i = fs_frame_band_block (band, column, row);
  int half_width =
      band->block[i] == FS_FRAME_BLOCK_BACKGROUND ? band->half_width : 2 * band->half_width;
  return band->block_distance[i] <= half_width + (2 * STRAIGHT << band->shift);
}

/* Pixels [x0, x1) of a row of blocks that are near, but for those on the window's sides. */
static void
list_near_row (FsFrameBand *band, int row)
{
  for (int at = 0, none; at < band->columns;) {
    FsBandRun run;
    if (!is_near (band, at, row)) {
      at++;
      continue;
    }
    column_ends (band, at, &run.x0, &none);
    while (at < band->columns && is_near (band, at, row))
      column_ends (band, at++, &none, &run.x1);
    run.x0 = MAX (run.x0, 1);
    run.x1 = MIN (run.x1, band->width - 1);
    band->near[band->n_near++] = run;
  }
}

static void
list_near (FsFrameBand *band)
{
  band->n_near = 0;
  for (int row = 0; row < band->rows; row++) {
    band->near_start[row] = band->n_near;
    list_near_row (band, row);
  }
  band->near_start[band->rows] = band->n_near;
}

/* The runs of a row of pixels. */
static const FsBandRun *
near_runs (const FsFrameBand *band, int y, const FsBandRun **end)
{
  int row = ((y + band->window.y0) >> band->shift) - band->first_row;
  *end = band->near + band->near_start[row + 1];
  return band->near + band->near_start[row];
}

static void
measure_row (const FsFrameBand *band, const Chamfer *c, int y, gboolean downwards)
{
  size_t line = (size_t)y * (size_t)band->width;
  const FsBandRun *end, *run = near_runs (band, y, &end);
  for (; run < end; run++)
    if (downwards)
      for (int x = run->x0; x < run->x1; x++)
        lower_distance (c, line + (size_t)x, -c->width, -1);
    else
      for (int x = run->x1 - 1; x >= run->x0; x--)
        lower_distance (c, line + (size_t)x, c->width, 1);
}

/* Ways to the border stay among pixels that are near. */
static void
measure_pixels (FsFrameBand *band)
{
  Chamfer c = { band->label, band->distance, band->width, STRAIGHT, DIAGONAL, STRAIGHT / 2 };
  memset (band->distance, 0xff,
          (size_t)band->width * (size_t)band->height * sizeof *band->distance);
  for (int y = 1; y + 1 < band->height; y++)
    measure_row (band, &c, y, TRUE);
  for (int y = band->height - 2; y >= 1; y--)
    measure_row (band, &c, y, FALSE);
}

/* Outside the frame the object is a guess, and the window may end anywhere. */
static int
inner_half_width (const FsFrameBand *band, const FsMovedMask *moved)
{
  int max = 0, deep = 2 * band->half_width, window_y0 = band->window.y0;
  int left = MAX (0, -band->window.x0), right = moved->width - band->window.x0;
  for (int y = MAX (1, -window_y0); y < MIN (band->height - 1, moved->height - window_y0); y++) {
    size_t line = (size_t)y * (size_t)band->width;
    const FsBandRun *end, *run = near_runs (band, y, &end);
    const uint8_t *restrict label = band->label + line;
    const uint16_t *restrict distance = band->distance + line;
    for (; run < end; run++)
      for (int x = MAX (run->x0, left), x1 = MIN (run->x1, right); x < x1; x++)
        max = MAX (max, label[x] ? MIN (distance[x], deep) : 0);
  }
  return MIN (band->half_width, max / 2);
}

/* --- states ----------------------------------------------------------------------------------- */

/* Fixes every pixel of a row to its label's side. Rows have pointers of their own here and below,
 * so that compilers vectorise the loops. */
static void
fix_row (FsFrameBand *band, int y)
{
  size_t line = (size_t)y * (size_t)band->width;
  const uint8_t *restrict label = band->label + line;
  uint8_t *restrict state = band->state + line;
  for (int x = 0, width = band->width; x < width; x++)
    state[x] = (uint8_t)(FS_FRAME_BACKGROUND + label[x]);
}
G_STATIC_ASSERT (FS_FRAME_OBJECT == FS_FRAME_BACKGROUND + 1);

static void
free_near_border (FsFrameBand *band, int y, int inner)
{
  size_t line = (size_t)y * (size_t)band->width;
  const uint8_t *restrict label = band->label + line;
  const uint16_t *restrict distance = band->distance + line;
  uint8_t *restrict state = band->state + line;
  const FsBandRun *end, *run = near_runs (band, y, &end);
  uint16_t min[2] = { (uint16_t)band->half_width, (uint16_t)inner };
  for (; run < end; run++)
    for (int x = run->x0, x1 = run->x1; x < x1; x++) {
      uint16_t half_width = label[x] ? min[1] : min[0];
      state[x] = distance[x] <= half_width ? FS_FRAME_FREE : state[x];
    }
}

/* Frees the pixels [x0, x1) of a row that the previous frame did not have. */
static void
free_new_pixels (FsFrameBand *band, int y, int x0, int x1)
{
  size_t line = (size_t)y * (size_t)band->width;
  for (int x = MAX (0, x0); x < MIN (x1, band->width); x++) {
    size_t p = line + (size_t)x;
    band->distance[p] = 0;
    if (band->label[p])
      band->state[p] = FS_FRAME_FREE;
  }
}

static void
mark_outside (FsFrameBand *band, int y, int x0, int x1)
{
  x0 = MAX (0, x0);
  x1 = MIN (x1, band->width);
  if (x1 > x0)
    memset (band->state + (size_t)y * (size_t)band->width + x0, FS_FRAME_OUTSIDE,
            (size_t)(x1 - x0));
}

static void
divide_row (FsFrameBand *band, const FsMovedMask *moved, int y, int inner)
{
  int frame_y = y + band->window.y0, from_y = frame_y - moved->dy;
  int from_x = moved->dx - band->window.x0; /* the previous frame's first pixel */
  fix_row (band, y);
  free_near_border (band, y, inner);
  if (from_y < 0 || from_y >= moved->height) {
    free_new_pixels (band, y, 0, band->width);
  } else {
    free_new_pixels (band, y, 0, from_x);
    free_new_pixels (band, y, from_x + moved->width, band->width);
  }
  if (frame_y < 0 || frame_y >= moved->height) {
    mark_outside (band, y, 0, band->width);
  } else {
    mark_outside (band, y, 0, -band->window.x0);
    mark_outside (band, y, moved->width - band->window.x0, band->width);
  }
}

static void
list_runs (FsFrameBand *band)
{
  band->n_runs = band->n_free = 0;
  for (int y = 0; y < band->height; y++) {
    const uint8_t *state = band->state + (size_t)y * (size_t)band->width;
    const uint8_t *end = state + band->width, *at = state;
    band->row_start[y] = band->n_runs;
    while (at < end && (at = memchr (at, FS_FRAME_FREE, (size_t)(end - at))) != NULL) {
      const uint8_t *first = at;
      while (at < end && *at == FS_FRAME_FREE)
        at++;
      band->runs[band->n_runs++] = (FsBandRun){ (int)(first - state), (int)(at - state) };
      band->n_free += (size_t)(at - first);
    }
  }
  band->row_start[band->height] = band->n_runs;
}

static int
block_shift (const FsMovedMask *moved)
{
  int side = MIN (moved->width, moved->height) / BLOCKS_IN_FRAME;
  return side < 3 ? 1 : side < 6 ? 2 : 3;
}

gboolean
fs_frame_band_make (FsFrameBand *band, const FsMovedMask *moved, FsRect window, int half_width_px)
{
  g_return_val_if_fail (window.x1 - window.x0 > 2 && window.y1 - window.y0 > 2, FALSE);
  g_return_val_if_fail (half_width_px > 0, FALSE);
  band->window = window;
  band->width = window.x1 - window.x0;
  band->height = window.y1 - window.y0;
  band->dx = moved->dx;
  band->dy = moved->dy;
  band->half_width = half_width_px * FS_FRAME_BAND_UNIT;
  band->shift = block_shift (moved);
  band->first_column = window.x0 >> band->shift;
  band->first_row = window.y0 >> band->shift;
  band->columns = ((window.x1 - 1) >> band->shift) - band->first_column + 1;
  band->rows = ((window.y1 - 1) >> band->shift) - band->first_row + 1;
  if (!reserve_planes (band))
    return FALSE;
  for (int y = 0; y < band->height; y++)
    move_row (band, moved, y);
  classify_frame_blocks (band);
  measure_blocks (band);
  list_near (band);
  measure_pixels (band);
  int inner = inner_half_width (band, moved);
  for (int y = 0; y < band->height; y++)
    divide_row (band, moved, y, inner);
  list_runs (band);
  return TRUE;
}

/* --- strokes ---------------------------------------------------------------------------------- */

/* The stroke's label at a place of the window. */
static uint8_t
stroke_at (const FsFrameBand *band, const FsSeedMap *strokes, int x, int y)
{
  int frame_x = x + band->window.x0, frame_y = y + band->window.y0;
  if (frame_x < 0 || frame_y < 0 || frame_x >= strokes->width || frame_y >= strokes->height)
    return FS_SEED_NONE;
  return strokes->label[(size_t)frame_y * (size_t)strokes->width + (size_t)frame_x];
}

/* Frees what lies near the strokes of one side and is of the other one. */
static void
free_near_strokes (FsFrameBand *band, const int64_t *distance2, gboolean is_object, int radius_px)
{
  int64_t radius2 = (int64_t)radius_px * radius_px;
  for (int y = 1; y + 1 < band->height; y++)
    for (int x = 1; x + 1 < band->width; x++) {
      size_t p = (size_t)y * (size_t)band->width + (size_t)x;
      if (distance2[p] > radius2 || band->label[p] == is_object
          || band->state[p] == FS_FRAME_OUTSIDE)
        continue;
      band->distance[p] = 0;
      band->state[p] = FS_FRAME_FREE;
    }
}

static gboolean
mend_side (FsFrameBand *band, const FsSeedMap *strokes, uint8_t side, int radius_px)
{
  size_t n = (size_t)band->width * (size_t)band->height;
  if (strokes->n_seeds[side] == 0)
    return TRUE;
  uint8_t *plane = fs_memory_new (n, 1);
  if (!plane)
    return FALSE;
  for (int y = 0; y < band->height; y++)
    for (int x = 0; x < band->width; x++)
      plane[(size_t)y * (size_t)band->width + (size_t)x] = stroke_at (band, strokes, x, y) == side;
  int64_t *distance2 = fs_distance2 (plane, band->width, band->height);
  free_near_strokes (band, distance2, side == FS_SEED_OBJECT, radius_px);
  g_free (distance2);
  fs_memory_free (plane);
  return TRUE;
}

static void
fix_strokes (FsFrameBand *band, const FsSeedMap *strokes)
{
  for (int y = 1; y + 1 < band->height; y++)
    for (int x = 1; x + 1 < band->width; x++) {
      uint8_t label = stroke_at (band, strokes, x, y);
      if (label != FS_SEED_NONE)
        band->state[(size_t)y * (size_t)band->width + (size_t)x] =
            label == FS_SEED_OBJECT ? FS_FRAME_OBJECT : FS_FRAME_BACKGROUND;
    }
}

gboolean
fs_frame_band_mend (FsFrameBand *band, const FsSeedMap *strokes, int radius_px)
{
  if (!mend_side (band, strokes, FS_SEED_OBJECT, radius_px)
      || !mend_side (band, strokes, FS_SEED_BACKGROUND, radius_px))
    return FALSE;
  fix_strokes (band, strokes);
  list_runs (band);
  return TRUE;
}
