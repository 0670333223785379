/* SPDX-License-Identifier: MIT */
#include "energy/models/near_samples.h"

#include "energy/geodesic/sources.h"

#include <stdlib.h>
#include <string.h>

/* The samples of the frame where there are background strokes. */
enum { FRAME_SAMPLES = 150 };

typedef struct {
  const FsNearSamples *samples;
  FsColourTable **table;
  uint64_t near[2];      /* the weights of unpainted cells */
  uint64_t n_painted[2]; /* cells                          */
} Work;

static gboolean
is_painted (const FsNearSamples *samples, int side, uint8_t bits)
{
  if (side == 1)
    return bits & FS_CELL_OBJECT;
  if (samples->known[0])
    return bits & FS_CELL_BACKGROUND;
  return (bits & FS_CELL_FRAME) && !(bits & FS_CELL_OBJECT);
}

static void
add_unpainted (Work *work, size_t cell)
{
  const FsNearSamples *samples = work->samples;
  int32_t to_object = samples->to_object[cell], to_background = samples->to_background[cell];
  int side = to_object < to_background;
  uint32_t weight = fs_geodesic_photo_weight (samples->photo, MIN (to_object, to_background));
  if (weight == 0)
    return;
  fs_colour_table_add (work->table[side], samples->photo->of_cell[cell], weight);
  work->near[side] += weight;
}

static void
count_or_add (Work *work, size_t cell)
{
  uint8_t bits = work->samples->bits[cell];
  gboolean background = is_painted (work->samples, 0, bits);
  gboolean object = is_painted (work->samples, 1, bits);
  work->n_painted[0] += background;
  work->n_painted[1] += object;
  if (!background && !object)
    add_unpainted (work, cell);
}

static void
add_painted (Work *work, size_t cell)
{
  const FsNearSamples *samples = work->samples;
  uint8_t bits = samples->bits[cell];
  FsColourPlace place = samples->photo->of_cell[cell];
  for (int side = 0; side < 2; side++)
    if (is_painted (samples, side, bits)) {
      uint64_t weight = work->near[side] / MAX (1, work->n_painted[side]);
      fs_colour_table_add (work->table[side], place, MAX (FS_COLOUR_WEIGHT, weight));
    }
  if (samples->known[0] && (bits & FS_CELL_FRAME) && samples->n_frame_cells > 0)
    fs_colour_table_add (work->table[0], place,
                         (uint64_t)FRAME_SAMPLES * FS_COLOUR_WEIGHT / samples->n_frame_cells);
}

static void
for_each_cell (Work *work, void (*func) (Work *work, size_t cell))
{
  const FsGeodesicLevel *level = work->samples->photo->level;
  for (int y = 0; y < level->height; y++) {
    size_t row = fs_geodesic_cell (level, 0, y);
    for (size_t cell = row; cell < row + (size_t)level->width; cell++)
      func (work, cell);
  }
}

static int
compare_distances (const void *a, const void *b)
{
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static void
add_far_third (Work *work)
{
  const FsNearSamples *samples = work->samples;
  const FsGeodesicLevel *level = samples->photo->level;
  size_t width = (size_t)level->width, n = width * (size_t)level->height;
  g_autofree int32_t *sorted = g_new (int32_t, n);
  for (int y = 0; y < level->height; y++)
    memcpy (sorted + (size_t)y * width, samples->to_background + fs_geodesic_cell (level, 0, y),
            width * sizeof *sorted);
  qsort (sorted, n, sizeof *sorted, compare_distances);
  int32_t min = MAX (1, sorted[n - 1 - n / 3]);
  for (int y = 0; y < level->height; y++) {
    size_t row = fs_geodesic_cell (level, 0, y);
    for (size_t cell = row; cell < row + width; cell++)
      if (samples->to_background[cell] >= min)
        fs_colour_table_add (work->table[1], samples->photo->of_cell[cell], FS_COLOUR_WEIGHT);
  }
}

void
fs_near_samples_collect (const FsNearSamples *samples, FsColourTable *table[2])
{
  Work work = { .samples = samples, .table = table };
  for (int side = 0; side < 2; side++)
    fs_colour_table_clear (table[side]);
  for_each_cell (&work, count_or_add);
  for_each_cell (&work, add_painted);
  if (!samples->known[1])
    add_far_third (&work);
  for (int side = 0; side < 2; side++)
    fs_colour_table_smooth (table[side]);
}
