/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/layout.h"

#include "solver/system/checked_memory.h"

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

static size_t
on_page (size_t at)
{
  return (at + FS_CPU_PAGE_BYTES - 1) / FS_CPU_PAGE_BYTES * FS_CPU_PAGE_BYTES;
}

/* Cuts one block into planes, those that are large each on its own pages; with `block` NULL, only
 * measures it. */
static size_t
place_planes (FsCpuLayout *layout, uint8_t *block)
{
  size_t n = layout->n_nodes;
  size_t guard = ((size_t)layout->tile_cols + 1) * FS_CPU_TILE_PIXELS;
  size_t at = on_page (guard * sizeof *layout->word);
  layout->word = (uint32_t *)(void *)(block + at);
  at = on_page (at + (n + guard) * sizeof *layout->word);
  layout->residual = (uint16_t *)(void *)(block + at);
  at = on_page (at + n * layout->n_directions * sizeof *layout->residual);
  layout->excess = (int32_t *)(void *)(block + at);
  at = on_page (at + n * sizeof *layout->excess);
  layout->arcs = (uint16_t *)(void *)(block + at);
  at = on_page (at + n * sizeof *layout->arcs);
  for (int tree = 0; tree < FS_N_TREES; tree++) {
    layout->roots[tree] = (uint64_t *)(void *)(block + at);
    at += n / FS_CPU_TILE_PIXELS * sizeof *layout->roots[tree];
  }
  layout->met = (uint32_t *)(void *)(block + at);
  at += n / FS_CPU_TILE_PIXELS * sizeof *layout->met;
  layout->touched = block + at;
  at += n / FS_CPU_TILE_PIXELS;
  layout->state = block + at;
  at += n / FS_CPU_TILE_PIXELS;
  layout->pages = (atomic_uchar *)(block + at);
  at += fs_cpu_pages_n_groups (layout);
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
  uint8_t *of_tiles = (uint8_t *)layout->roots[0];
  fs_memory_need (of_tiles, (size_t)((uint8_t *)layout->block + layout->block_bytes - of_tiles), 1);
  for (size_t group = 0; group < fs_cpu_pages_n_groups (layout); group++)
    atomic_init (&layout->pages[group], 0);
  size_t guard = ((size_t)layout->tile_cols + 1) * FS_CPU_TILE_PIXELS;
  memset (layout->word - guard, 0, guard * sizeof *layout->word);
  memset (layout->word + layout->n_nodes, 0, guard * sizeof *layout->word);
  fill_offsets (layout);
  fs_cpu_layout_forget (layout, grid);
  return TRUE;
}

void
fs_cpu_layout_forget (FsCpuLayout *layout, const FsGrid *grid)
{
  layout->grid = grid;
  size_t n_tiles = layout->n_nodes / FS_CPU_TILE_PIXELS;
  memset (layout->state, FS_TILE_UNTOUCHED, n_tiles);
  memset (layout->met, 0, n_tiles * sizeof *layout->met);
  for (int tree = 0; tree < FS_N_TREES; tree++)
    memset (layout->roots[tree], 0, n_tiles * sizeof *layout->roots[tree]);
}

void
fs_cpu_layout_clear (FsCpuLayout *layout)
{
  fs_memory_free (layout->block);
  *layout = (FsCpuLayout){ 0 };
}

/* The pixels of a row that lie in one tile, nodes in a row themselves. Called with constants for
 * `half`, so that each case is compiled by itself. */
static inline void
read_pixels (const FsCpuLayout *layout, size_t node, int n, int half, size_t p,
             uint16_t *residual[FS_N_DIRECTIONS])
{
  const uint16_t *left = layout->residual + node * 2 * half;
  for (int d = 0; d < half; d++)
    for (int i = 0; i < n; i++)
      residual[d][p + i] = left[i * 2 * half + d];
}

/* The same of a tile that is not built: no flow has passed. */
static void
read_grid (const FsCpuLayout *layout, int x0, int y, int n, size_t p, int32_t *excess,
           uint16_t *residual[FS_N_DIRECTIONS])
{
  const FsGrid *grid = layout->grid;
  for (int i = 0; i < n; i++) {
    int x = x0 + i;
    size_t pixel = (size_t)y * (size_t)grid->width + (size_t)x;
    excess[p + (size_t)i] = grid->tlink[pixel];
    for (int d = 0; d < layout->n_directions / 2; d++)
      residual[d][p + (size_t)i] =
          fs_grid_has_arc (grid, x, y, d) ? fs_grid_capacity (grid, pixel, d) : 0;
  }
}

void
fs_cpu_layout_read (const FsCpuLayout *layout, int y, int n_rows, int32_t *excess,
                    uint16_t *residual[FS_N_DIRECTIONS])
{
  size_t p = 0;
  for (int row = y; row < y + n_rows; row++)
    for (int x = 0; x < layout->width; x += FS_CPU_TILE) {
      int n = MIN (FS_CPU_TILE, layout->width - x);
      size_t node = fs_cpu_layout_node (layout, x, row);
      if (!fs_cpu_layout_is_built (layout, node / FS_CPU_TILE_PIXELS))
        read_grid (layout, x, row, n, p, excess, residual);
      else {
        memcpy (excess + p, layout->excess + node, (size_t)n * sizeof *excess);
        if (layout->n_directions == 8)
          read_pixels (layout, node, n, 4, p, residual);
        else
          read_pixels (layout, node, n, 2, p, residual);
      }
      p += (size_t)n;
    }
}
