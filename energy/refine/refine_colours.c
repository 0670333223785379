/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/cell_sides.h"
#include "energy/image/target_clones.h"
#include "energy/refine/refine_internal.h"

/* The decay length of a cell's weight with its distance from the border, e^(−d / length): 0.08 of
 * the diagonal. */
enum { DECAY_DIVIDEND = 2, DECAY_DIVISOR = 25 };

enum { CELLS_AT_ONCE = 256 };

/* Steps of the decay to n cells. The quotient of doubles is that of the integers: these have fewer
 * than 40 bits, so it is never rounded up to a whole one. */
FS_TARGET_CLONES static void
find_steps (const int32_t *distance, int n, double length, int32_t *steps)
{
  for (int i = 0; i < n; i++)
    steps[i] = (int32_t)MIN ((double)distance[i] * FS_DECAY_STEPS / length, FS_DECAY_ENTRIES);
}

/* A cell's weight, as in `counted`. */
static int32_t
weight_of (const FsRefinement *refinement, uint8_t side, int32_t step)
{
  if (side == FS_CELL_MIXED || step >= FS_DECAY_ENTRIES)
    return 0;
  int32_t weight = (int32_t)refinement->photo->decay[step];
  return side == FS_CELL_ALL_OBJECT ? weight : -weight;
}

/* A cell's weight in the table of a side. */
static int32_t
part_of_side (int32_t weight, int side)
{
  return MAX (side == 1 ? weight : -weight, 0);
}

static void
count_cell (FsRefinement *refinement, size_t cell, int32_t weight, FsColourPlace place)
{
  for (int side = 0; side < 2; side++) {
    int64_t more = part_of_side (weight, side) - part_of_side (refinement->counted[cell], side);
    if (more != 0)
      fs_colour_table_add (refinement->table[side], place, (uint64_t)more);
  }
  refinement->counted[cell] = weight;
}

/* Counts the cells [x0, x1) of row y. Few weights change from round to round. */
static void
count_cells (FsRefinement *refinement, int x0, int x1, int y, double length)
{
  int32_t steps[CELLS_AT_ONCE];
  size_t first = (size_t)y * (size_t)refinement->level->width + (size_t)x0;
  const uint8_t *side = refinement->side + first;
  const int32_t *counted = refinement->counted + first;
  const FsColourPlace *places =
      refinement->photo->of_cell + fs_geodesic_cell (refinement->level, x0, y);
  find_steps (refinement->distance + first, x1 - x0, length, steps);
  for (int i = 0; i < x1 - x0; i++) {
    int32_t weight = weight_of (refinement, side[i], steps[i]);
    if (weight != counted[i])
      count_cell (refinement, first + (size_t)i, weight, places[i]);
  }
}

static double
decay_length (const FsRefinement *refinement)
{
  return refinement->is_whole
             ? G_MAXINT32
             : MAX (1, refinement->level->diagonal / DECAY_DIVISOR * DECAY_DIVIDEND);
}

void
fs_refinement_collect_colours (FsRefinement *refinement)
{
  const FsGeodesicLevel *level = refinement->level;
  double length = fs_rect_is_empty (refinement->box) ? decay_length (refinement)
                                                     : fs_refinement_box_decay_length (refinement);
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x += CELLS_AT_ONCE)
      count_cells (refinement, x, MIN (x + CELLS_AT_ONCE, level->width), y, length);
  for (int side = 0; side < 2; side++)
    fs_colour_table_smooth (refinement->table[side]);
}
