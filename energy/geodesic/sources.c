/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/sources.h"

#include "energy/image/distance.h"
#include "energy/image/row_threads.h"
#include "solver/system/checked_memory.h"

#include <math.h>

#include <string.h>

#define SEED_BITS (FS_CELL_BACKGROUND | FS_CELL_OBJECT)
/* The mark of cells that an update has collected; never set between calls. */
#define LISTED 0x80
/* Within this radius of an object stroke the frame is no source: per cent of the diagonal. */
enum { FRAME_RADIUS_PERCENT = 12 };
/* Object strokes within this part of the diagonal of all four sides refute the whole frame. */
enum { ALL_ROUND_DIVISOR = 40 };

/* TRUE if a cell touches the frame along one axis. */
static gboolean
touches_frame (int cell, int shift, int size)
{
  int first = cell << shift, end = first + (1 << shift);
  return first < FS_GEODESIC_FRAME_PX || end > size - FS_GEODESIC_FRAME_PX;
}

static gboolean
is_in_frame (const FsGeodesicLevel *level, int x, int y)
{
  return touches_frame (y, level->shift, level->photo_height)
         || touches_frame (x, level->shift, level->photo_width);
}

static void
set_frame (FsGeodesicSources *sources)
{
  const FsGeodesicLevel *level = sources->level;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++)
      if (is_in_frame (level, x, y))
        sources->bits[fs_geodesic_cell (level, x, y)] |= FS_CELL_FRAME;
}

FsGeodesicSources *
fs_geodesic_sources_new (FsGeodesicLevel *level)
{
  g_return_val_if_fail (level, NULL);

  uint8_t *bits = fs_geodesic_plane_new (level, 1);
  if (!bits)
    return NULL;
  FsGeodesicSources *sources = g_new0 (FsGeodesicSources, 1);
  sources->level = fs_geodesic_level_ref (level);
  sources->bits = bits;
  set_frame (sources);
  return sources;
}

void
fs_geodesic_sources_free (FsGeodesicSources *sources)
{
  if (!sources)
    return;
  fs_geodesic_level_unref (sources->level);
  fs_memory_free (sources->bits);
  g_free (sources);
}

static inline uint8_t
seed_bit (uint8_t label)
{
  return label == FS_SEED_NONE         ? 0
         : label == FS_SEED_BACKGROUND ? FS_CELL_BACKGROUND
                                       : FS_CELL_OBJECT;
}

static uint8_t
bits_of_labels (const uint8_t *labels, int n)
{
  uint8_t bits = 0;
  for (int i = 0; i < n; i++)
    bits |= seed_bit (labels[i]);
  return bits;
}

/* The end of the run of free pixels that starts at x. Most of a photo carries no seed. */
static int
skip_free (const uint8_t *row, int x, int width)
{
  uint64_t word;
  for (; x + (int)sizeof word <= width; x += (int)sizeof word) {
    memcpy (&word, row + x, sizeof word);
    if (word)
      break;
  }
  while (x < width && row[x] == FS_SEED_NONE)
    x++;
  return x;
}

typedef struct {
  FsGeodesicSources *sources;
  const FsSeedMap *seeds;
} SetJob;

/* Sets the bits of rows [y0, y1) of cells. */
static void
set_rows (int y0, int y1, gpointer data)
{
  const SetJob *job = data;
  const FsGeodesicLevel *level = job->sources->level;
  const FsSeedMap *seeds = job->seeds;
  for (int y = y0 << level->shift; y < MIN (y1 << level->shift, seeds->height); y++) {
    const uint8_t *row = seeds->label + (size_t)y * (size_t)seeds->width;
    uint8_t *cells = job->sources->bits + fs_geodesic_cell (level, 0, y >> level->shift);
    for (int x = skip_free (row, 0, seeds->width); x < seeds->width;
         x = skip_free (row, x + 1, seeds->width))
      cells[x >> level->shift] |= seed_bit (row[x]);
  }
}

/* Pixels without a seed are skipped eight at a time. */
void
fs_geodesic_sources_set (FsGeodesicSources *sources, const FsSeedMap *seeds)
{
  const FsGeodesicLevel *level = sources->level;
  g_return_if_fail (seeds->width == level->photo_width && seeds->height == level->photo_height);

  for (size_t i = 0; i < level->n_plane; i++)
    sources->bits[i] &= (uint8_t)~SEED_BITS;
  SetJob job = { sources, seeds };
  fs_row_threads_run (level->height, (level->width << level->shift << level->shift) / 8, set_rows,
                      &job);
}

static uint8_t
bits_of_block (const FsGeodesicLevel *level, const FsSeedMap *seeds, uint32_t cell)
{
  int side = 1 << level->shift;
  int x0 = fs_geodesic_cell_x (level, cell) * side, y0 = fs_geodesic_cell_y (level, cell) * side;
  int y1 = MIN (y0 + side, seeds->height);
  uint8_t bits = 0;
  for (int y = y0; y < y1 && bits != SEED_BITS; y++)
    bits |= bits_of_labels (seeds->label + (size_t)y * (size_t)seeds->width + x0,
                            MIN (side, seeds->width - x0));
  return bits;
}

/* Marks the cells of n pixels with `mark` and appends those that did not have it. */
static void
mark_cells (FsGeodesicSources *sources, const uint32_t *pixels, size_t n, uint8_t mark,
            FsCellList *cells)
{
  for (size_t i = 0; i < n; i++) {
    uint32_t cell = fs_geodesic_cell_of_pixel (sources->level, pixels[i]);
    if (sources->bits[cell] & mark)
      continue;
    sources->bits[cell] |= mark;
    if (cells)
      g_array_append_val (cells, cell);
  }
}

void
fs_geodesic_sources_update (FsGeodesicSources *sources, const FsSeedMap *seeds,
                            const uint32_t *pixels, size_t n, FsCellList *changed)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  mark_cells (sources, pixels, n, LISTED, cells);
  for (guint i = 0; i < cells->len; i++) {
    uint32_t cell = g_array_index (cells, uint32_t, i);
    uint8_t before = sources->bits[cell] & (uint8_t)~LISTED;
    uint8_t after = (before & (uint8_t)~SEED_BITS) | bits_of_block (sources->level, seeds, cell);
    sources->bits[cell] = after;
    if (changed && after != before)
      g_array_append_val (changed, cell);
  }
}

/* --- the object beside the frame --- */

static gboolean
has_object (const FsGeodesicSources *sources, FsRect cells)
{
  for (int y = cells.y0; y < cells.y1; y++)
    for (int x = cells.x0; x < cells.x1; x++)
      if (sources->bits[fs_geodesic_cell (sources->level, x, y)] & FS_CELL_OBJECT)
        return TRUE;
  return FALSE;
}

static gboolean
object_is_all_round (const FsGeodesicSources *sources)
{
  const FsGeodesicLevel *level = sources->level;
  int w = level->width, h = level->height;
  double width = level->photo_width, height = level->photo_height;
  int margin_px =
      MAX (FS_GEODESIC_FRAME_PX, (int)(sqrt (width * width + height * height) / ALL_ROUND_DIVISOR));
  int margin = ((margin_px - 1) >> level->shift) + 1;
  return has_object (sources, (FsRect){ 0, 0, w, MIN (margin, h) })
         && has_object (sources, (FsRect){ 0, MAX (h - margin, 0), w, h })
         && has_object (sources, (FsRect){ 0, 0, MIN (margin, w), h })
         && has_object (sources, (FsRect){ MAX (w - margin, 0), 0, w, h });
}

static int
frame_radius (const FsGeodesicLevel *level)
{
  double width = level->photo_width, height = level->photo_height;
  double radius_px = sqrt (width * width + height * height) * FRAME_RADIUS_PERCENT / 100;
  return ((int)radius_px >> level->shift) + 1;
}

/* For each cell the squared distance to the object's strokes, of width·height; NULL where they are
 * too far from the frame to refute it, or memory is short. */
static int64_t *
measure_from_object (const FsGeodesicSources *sources, int radius)
{
  const FsGeodesicLevel *level = sources->level;
  int w = level->width, h = level->height;
  gboolean is_near = FALSE;
  g_autofree uint8_t *is_object = g_try_new0 (uint8_t, (size_t)w * (size_t)h);
  for (int y = 0; y < h && is_object; y++)
    for (int x = 0; x < w; x++)
      if (sources->bits[fs_geodesic_cell (level, x, y)] & FS_CELL_OBJECT) {
        is_object[(size_t)y * (size_t)w + (size_t)x] = 1;
        is_near |= MIN (MIN (x, y), MIN (w - 1 - x, h - 1 - y)) <= radius + FS_GEODESIC_FRAME_PX;
      }
  return is_near ? fs_distance2 (is_object, w, h) : NULL;
}

gboolean
fs_geodesic_sources_refute_frame (FsGeodesicSources *sources, gboolean by_object)
{
  const FsGeodesicLevel *level = sources->level;
  int64_t radius = frame_radius (level);
  g_autofree int64_t *far2 = by_object ? measure_from_object (sources, (int)radius) : NULL;
  gboolean is_none = by_object && object_is_all_round (sources), changed = FALSE;
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      if (!is_in_frame (level, x, y))
        continue;
      uint8_t *bits = sources->bits + fs_geodesic_cell (level, x, y);
      size_t i = (size_t)y * (size_t)level->width + (size_t)x;
      gboolean is_refuted = is_none || (far2 && far2[i] <= radius * radius);
      uint8_t frame = is_refuted ? 0 : FS_CELL_FRAME;
      changed |= frame != (*bits & FS_CELL_FRAME);
      *bits = (uint8_t)((*bits & ~FS_CELL_FRAME) | frame);
    }
  return changed;
}

void
fs_geodesic_sources_mark_stroke (FsGeodesicSources *sources, const uint32_t *pixels, size_t n,
                                 FsCellList *changed)
{
  mark_cells (sources, pixels, n, FS_CELL_STROKE, changed);
}

void
fs_geodesic_sources_clear_stroke (FsGeodesicSources *sources)
{
  for (size_t i = 0; i < sources->level->n_plane; i++)
    sources->bits[i] &= (uint8_t)~FS_CELL_STROKE;
}
