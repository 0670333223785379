/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/cell_sides.h"
#include "energy/image/distance.h"
#include "energy/image/row_threads.h"
#include "energy/refine/refine_internal.h"

#include <math.h>
#include <string.h>

typedef struct {
  FsRefinement *refinement;
  int64_t *distance2[2];
} Distances;

/* Squared distances, in cells, to the nearest cell that is not wholly of a side; `from` and `to`
 * are sides. */
static void
measure_sides (int from, int to, gpointer data)
{
  Distances *distances = data;
  const FsRefinement *refinement = distances->refinement;
  size_t n = (size_t)refinement->level->width * (size_t)refinement->level->height;
  g_autofree uint8_t *is_other = g_malloc (n);
  for (int side = from; side < to; side++) {
    for (size_t i = 0; i < n; i++)
      is_other[i] = refinement->side[i] != side;
    distances->distance2[side] =
        fs_distance2 (is_other, refinement->level->width, refinement->level->height);
  }
}
G_STATIC_ASSERT (FS_CELL_ALL_BACKGROUND == 0 && FS_CELL_ALL_OBJECT == 1);

/* A one-sided cell's distance to the nearest that is not of its side alone; 0 of a mixed one.
 * Square roots of integers are rounded alike everywhere. */
static void
measure_distances (FsRefinement *refinement)
{
  size_t n = (size_t)refinement->level->width * (size_t)refinement->level->height;
  Distances distances = { .refinement = refinement };
  fs_row_threads_run_each (2, measure_sides, &distances);
  for (size_t i = 0; i < n; i++) {
    int64_t distance2 =
        refinement->side[i] == FS_CELL_MIXED ? 0 : distances.distance2[refinement->side[i]][i];
    refinement->distance[i] = (int32_t)(FS_GEODESIC_UNIT * sqrt ((double)distance2));
  }
  for (int side = 0; side < 2; side++)
    g_free (distances.distance2[side]);
}

/* FALSE where the band is the whole photo: all cells have the same weight, and there is no prior.
 * TRUE even so where the photo is so long that the farthest cells would weigh less. */
static gboolean
needs_distances (const FsRefinement *refinement)
{
  int64_t farthest =
      (int64_t)FS_GEODESIC_UNIT * (refinement->level->width + refinement->level->height);
  return !refinement->is_whole || farthest * FS_DECAY_STEPS >= G_MAXINT32;
}

void
fs_refinement_measure_distance (FsRefinement *refinement, const uint8_t *mask)
{
  const FsGeodesicLevel *level = refinement->level;
  fs_cell_sides_find (level, mask, refinement->side);
  if (!fs_rect_is_empty (refinement->box))
    fs_refinement_measure_distance_from_box (refinement);
  else if (needs_distances (refinement))
    measure_distances (refinement);
  else
    memset (refinement->distance, 0,
            (size_t)level->width * (size_t)level->height * sizeof *refinement->distance);
}
