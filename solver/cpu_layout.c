/* SPDX-License-Identifier: MIT */
#include "solver/cpu_layout.h"
#include "solver/checked_memory.h"

#include <string.h>

static void
fill_offsets (FsCpuLayout *layout)
{
  int half = layout->n_directions / 2;
  for (int place = 0; place < FS_CPU_TILE_PIXELS; place++)
    for (int d = 0; d < 8; d++) {
      if (d >= layout->n_directions) {
        layout->offset[place][d] = 0;
        continue;
      }
      int sign = d < half ? 1 : -1;
      /* One tile in from the corner, so that no coordinate is negative. */
      int x = FS_CPU_TILE + place % FS_CPU_TILE;
      int y = FS_CPU_TILE + place / FS_CPU_TILE;
      size_t there = fs_cpu_layout_node (layout, x + sign * fs_direction_dx (d % half),
                                         y + sign * fs_direction_dy (d % half));
      layout->offset[place][d] = (int32_t)(there - fs_cpu_layout_node (layout, x, y));
    }
}

/* Cuts one block into planes, each on its own cache lines; with `block` NULL, only measures it. */
static size_t
place_planes (FsCpuLayout *layout, uint8_t *block)
{
  size_t n = layout->n_nodes;
  size_t guard = ((size_t)layout->tile_cols + 1) * FS_CPU_TILE_PIXELS;
  size_t at = 0;
  layout->word = (uint32_t *)(void *)(block + at) + guard;
  at += (n + 2 * guard) * sizeof *layout->word;
  layout->residual = (uint16_t *)(void *)(block + at);
  at += n * layout->n_directions * sizeof *layout->residual;
  layout->excess = (int32_t *)(void *)(block + at);
  at += n * sizeof *layout->excess;
  layout->arcs = (uint16_t *)(void *)(block + at);
  at += n * sizeof *layout->arcs;
  layout->touched = block + at;
  at += n / FS_CPU_TILE_PIXELS;
  return at;
}

gboolean
fs_cpu_layout_init (FsCpuLayout *layout, const FsGrid *grid)
{
  *layout = (FsCpuLayout){ .width = grid->width, .height = grid->height };
  layout->n_directions = 2 * fs_grid_n_directions (grid);
  layout->tile_cols = (grid->width - 1) / FS_CPU_TILE + 1;
  layout->tile_rows = (grid->height - 1) / FS_CPU_TILE + 1;
  layout->n_nodes = (size_t)layout->tile_cols * layout->tile_rows * FS_CPU_TILE_PIXELS;
  /* Offsets between nodes have 31 bits, and so has the gather instruction's index. */
  if (layout->n_nodes > INT32_MAX / 2)
    return FALSE;
  uint8_t origin;
  layout->block_bytes = place_planes (layout, &origin);
  layout->block = fs_memory_new (layout->block_bytes, 1);
  if (layout->block == NULL)
    return FALSE;
  place_planes (layout, layout->block);
  size_t guard = ((size_t)layout->tile_cols + 1) * FS_CPU_TILE_PIXELS;
  memset (layout->word - guard, 0, guard * sizeof *layout->word);
  memset (layout->word + layout->n_nodes, 0, guard * sizeof *layout->word);
  fill_offsets (layout);
  return TRUE;
}

void
fs_cpu_layout_clear (FsCpuLayout *layout)
{
  fs_memory_free (layout->block);
  *layout = (FsCpuLayout){ 0 };
}

/* Capacity of the arc that leaves (x, y) in direction d, any of the n_directions. */
static uint16_t
capacity (const FsGrid *grid, int x, int y, int d)
{
  int half = fs_grid_n_directions (grid);
  FsDirection forward = d % half;
  if (d < half) {
    size_t p = (size_t)y * grid->width + x;
    return fs_grid_has_neighbour (grid, x, y, forward) ? grid->nlink[forward][p] : 0;
  }
  int qx = x - fs_direction_dx (forward);
  int qy = y - fs_direction_dy (forward);
  if (qx < 0 || qx >= grid->width || qy < 0)
    return 0;
  size_t q = (size_t)qy * grid->width + qx;
  return grid->nlink_back[forward] != NULL ? grid->nlink_back[forward][q] : grid->nlink[forward][q];
}

static uint16_t
capacity_in (const FsGrid *grid, int x, int y, int d)
{
  int half = fs_grid_n_directions (grid);
  int sign = d < half ? 1 : -1;
  int qx = x + sign * fs_direction_dx (d % half);
  int qy = y + sign * fs_direction_dy (d % half);
  if (qx < 0 || qy < 0 || qx >= grid->width || qy >= grid->height)
    return 0;
  return capacity (grid, qx, qy, d ^ half);
}

static void
build_node (FsCpuLayout *layout, const FsGrid *grid, int x, int y)
{
  size_t node = fs_cpu_layout_node (layout, x, y);
  uint16_t *residual = layout->residual + node * layout->n_directions;
  gboolean inside = x < grid->width && y < grid->height;
  unsigned arcs = 0;
  for (int d = 0; d < layout->n_directions; d++) {
    residual[d] = inside ? capacity (grid, x, y, d) : 0;
    arcs |= (unsigned)(residual[d] > 0) << d;
    arcs |= (unsigned)(inside && capacity_in (grid, x, y, d) > 0) << (d + 8);
  }
  layout->arcs[node] = (uint16_t)arcs;
  layout->excess[node] = inside ? grid->tlink[(size_t)y * grid->width + x] : 0;
  layout->word[node] = FS_WORD_FREE;
}

void
fs_cpu_layout_build (FsCpuLayout *layout, const FsGrid *grid, int first, int last)
{
  for (int y = first * FS_CPU_TILE; y < last * FS_CPU_TILE; y++)
    for (int x = 0; x < layout->tile_cols * FS_CPU_TILE; x++)
      build_node (layout, grid, x, y);
}

void
fs_cpu_layout_read (const FsCpuLayout *layout, int y, int n_rows, int32_t *excess,
                    uint16_t *residual[FS_N_DIRECTIONS])
{
  size_t p = 0;
  for (int row = y; row < y + n_rows; row++)
    for (int x = 0; x < layout->width; x++, p++) {
      size_t node = fs_cpu_layout_node (layout, x, row);
      excess[p] = layout->excess[node];
      for (int d = 0; d < layout->n_directions / 2; d++)
        residual[d][p] = layout->residual[node * layout->n_directions + d];
    }
}
