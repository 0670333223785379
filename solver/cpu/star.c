/* SPDX-License-Identifier: MIT */
#include "solver/cpu/star.h"

#include <string.h>

/* Mostly unchanged. */
enum { PIXELS_PER_GLANCE = 64 };

typedef struct {
  FsCpuLayout *layout;
  const FsGrid *was, *is;
  int64_t gained;
} Change;

/* An arc and its two ends. */
typedef struct {
  size_t pixel, there;    /* in the grid   */
  size_t node, neighbour; /* in the layout */
  int arc, d;
  gboolean here_is_built, there_is_built;
} Pair;

static Pair
find_pair (const FsCpuLayout *layout, const FsGrid *grid, size_t pixel, size_t node, uint8_t arc)
{
  Pair pair = { .pixel = pixel, .node = node, .arc = arc };
  pair.there = pixel + (size_t)fs_grid_step (grid, arc);
  pair.d = fs_cpu_layout_direction (layout, arc);
  pair.neighbour = node + (size_t)layout->offset[node % FS_CPU_TILE_PIXELS][pair.d];
  pair.here_is_built = fs_cpu_layout_is_built (layout, node / FS_CPU_TILE_PIXELS);
  pair.there_is_built = fs_cpu_layout_is_built (layout, pair.neighbour / FS_CPU_TILE_PIXELS);
  return pair;
}

static void
add_excess (Change *change, size_t node, int32_t added)
{
  int32_t *excess = &change->layout->excess[node];
  change->gained += (int64_t)MAX (*excess + added, 0) - MAX (*excess, 0);
  *excess += added;
}

/* The residuals of the arc from a node in direction d and of the one back. */
static void
set_residual (FsCpuLayout *layout, size_t node, int d, uint16_t out, uint16_t in)
{
  uint16_t *arcs = &layout->arcs[node];
  layout->residual[node * (size_t)layout->n_directions + (size_t)d] = out;
  *arcs = (uint16_t)((*arcs & ~(0x101u << d)) | (unsigned)(out > 0) << d
                     | (unsigned)(in > 0) << (d + 8));
}

/* Nothing flows into a tile that is not built. */
static void
fit_pair (Change *change, const Pair *pair)
{
  FsCpuLayout *layout = change->layout;
  if (!pair->here_is_built && !pair->there_is_built)
    return;
  int32_t forth = fs_grid_capacity (change->is, pair->pixel, pair->arc);
  int32_t back = fs_grid_capacity (change->is, pair->there, pair->arc ^ FS_DIRECTION_OPPOSITE);
  int32_t flow = 0;
  if (pair->here_is_built && pair->there_is_built)
    flow = fs_grid_capacity (change->was, pair->pixel, pair->arc)
           - layout->residual[pair->node * (size_t)layout->n_directions + (size_t)pair->d];
  int32_t new_flow = CLAMP (flow, -back, forth);
  uint16_t out = (uint16_t)(forth - new_flow), in = (uint16_t)(back + new_flow);
  if (pair->here_is_built)
    set_residual (layout, pair->node, pair->d, out, in);
  if (pair->there_is_built)
    set_residual (layout, pair->neighbour, pair->d ^ (layout->n_directions / 2), in, out);
  if (new_flow == flow)
    return;
  add_excess (change, pair->node, flow - new_flow);
  add_excess (change, pair->neighbour, new_flow - flow);
}

/* Where both ends have other parents and one was or is the other's, the first of them fits the
 * pair: it is fitted from what it was. */
static gboolean
is_done_there (const Change *change, const Pair *pair)
{
  uint8_t back = (uint8_t)(pair->arc ^ FS_DIRECTION_OPPOSITE);
  uint8_t was = change->was->star[pair->there], is = change->is->star[pair->there];
  return pair->there < pair->pixel && was != is && (was == back || is == back);
}

static void
replace_parent (Change *change, size_t pixel, size_t node)
{
  const uint8_t arcs[] = { change->was->star[pixel], change->is->star[pixel] };
  for (int i = 0; i < 2; i++) {
    if (arcs[i] == FS_STAR_NONE)
      continue;
    Pair pair = find_pair (change->layout, change->was, pixel, node, arcs[i]);
    if (!is_done_there (change, &pair))
      fit_pair (change, &pair);
  }
}

static void
replace_row (Change *change, int y)
{
  size_t width = (size_t)change->was->width, row = (size_t)y * width;
  const uint8_t *was = change->was->star + row, *is = change->is->star + row;
  for (size_t begin = 0; begin < width; begin += PIXELS_PER_GLANCE) {
    size_t end = MIN (begin + PIXELS_PER_GLANCE, width);
    if (memcmp (was + begin, is + begin, end - begin) == 0)
      continue;
    for (size_t x = begin; x < end; x++)
      if (was[x] != is[x])
        replace_parent (change, row + x, fs_cpu_layout_node (change->layout, (int)x, y));
  }
}

int64_t
fs_cpu_star_replace (FsCpuLayout *layout, const FsGrid *was, const FsGrid *is, int first, int last)
{
  Change change = { .layout = layout, .was = was, .is = is };
  for (int y = first * FS_CPU_TILE; y < MIN (last * FS_CPU_TILE, was->height); y++)
    replace_row (&change, y);
  return change.gained;
}
