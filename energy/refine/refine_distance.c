/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/cell_sides.h"
#include "energy/image/distance.h"
#include "energy/image/row_threads.h"
#include "energy/refine/refine_internal.h"

#include <math.h>
#include <string.h>

typedef struct {
  FsSecondLook *look;
  int64_t *distance2[2];
} Distances;

/* Squared distances, in cells, to the nearest cell that is not wholly of a side; `from` and `to`
 * are sides. */
static void
measure_sides (int from, int to, gpointer data)
{
  Distances *distances = data;
  const FsSecondLook *look = distances->look;
  size_t n = (size_t)look->level->width * (size_t)look->level->height;
  g_autofree uint8_t *is_other = g_malloc (n);
  for (int side = from; side < to; side++) {
    for (size_t i = 0; i < n; i++)
      is_other[i] = look->side[i] != side;
    distances->distance2[side] = fs_distance2 (is_other, look->level->width, look->level->height);
  }
}
G_STATIC_ASSERT (FS_CELL_ALL_BACKGROUND == 0 && FS_CELL_ALL_OBJECT == 1);

/* A one-sided cell's distance to the nearest that is not of its side alone; 0 of a mixed one.
 * Square roots of integers are rounded alike everywhere. */
static void
measure_distances (FsSecondLook *look)
{
  size_t n = (size_t)look->level->width * (size_t)look->level->height;
  Distances distances = { .look = look };
  fs_row_threads_run_each (2, measure_sides, &distances);
  for (size_t i = 0; i < n; i++) {
    int64_t distance2 = look->side[i] == FS_CELL_MIXED ? 0 : distances.distance2[look->side[i]][i];
    look->distance[i] = (int32_t)(FS_GEODESIC_UNIT * sqrt ((double)distance2));
  }
  for (int side = 0; side < 2; side++)
    g_free (distances.distance2[side]);
}

/* Of the whole photo all cells weigh alike, nothing is pulled, and all is open: unless it is so
 * long that the farthest would weigh less. */
static gboolean
needs_distances (const FsSecondLook *look)
{
  int64_t farthest = (int64_t)FS_GEODESIC_UNIT * (look->level->width + look->level->height);
  return !look->is_whole || farthest * FS_DECAY_STEPS >= G_MAXINT32;
}

void
fs_second_look_measure (FsSecondLook *look, const uint8_t *mask)
{
  const FsGeodesicLevel *level = look->level;
  fs_cell_sides_find (level, mask, look->side);
  if (!fs_rect_is_empty (look->box))
    fs_second_look_measure_from_box (look);
  else if (needs_distances (look))
    measure_distances (look);
  else
    memset (look->distance, 0,
            (size_t)level->width * (size_t)level->height * sizeof *look->distance);
}
