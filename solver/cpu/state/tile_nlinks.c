/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/tile_nlinks.h"

#include <string.h>

/* What lies in the photo. */
typedef struct {
  int x0, y0, width, height;
  size_t first; /* its first pixel in the window */
} Part;

static Part
part_of (const FsGrid *grid, int tx, int ty)
{
  int x = tx * FS_CPU_TILE - 1, y = ty * FS_CPU_TILE - 1;
  Part part = { .x0 = MAX (x, 0), .y0 = MAX (y, 0) };
  part.width = MIN (x + FS_CPU_WINDOW, grid->width) - part.x0;
  part.height = MIN (y + FS_CPU_WINDOW, grid->height) - part.y0;
  part.first = (size_t)(part.y0 - y) * FS_CPU_WINDOW + (size_t)(part.x0 - x);
  return part;
}

static void
clear_window (FsCpuWindow *window)
{
  memset (window->nlink, 0, sizeof window->nlink);
  memset (window->tlink, 0, sizeof window->tlink);
  memset (window->star, FS_STAR_NONE, sizeof window->star);
}

static void
read_whole (FsCpuWindow *window, const FsGrid *grid, Part part)
{
  uint16_t *out[FS_N_DIRECTIONS];
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    out[d] = window->nlink[d];
  grid->links->read (grid->links->data, part.x0, part.y0, part.width, part.height, out);
}

static void
read_clipped (FsCpuWindow *window, const FsGrid *grid, Part part)
{
  uint16_t read[FS_N_DIRECTIONS][FS_CPU_WINDOW * FS_CPU_WINDOW];
  uint16_t *out[FS_N_DIRECTIONS] = { read[0], read[1], read[2], read[3] };
  grid->links->read (grid->links->data, part.x0, part.y0, part.width, part.height, out);
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    for (int y = 0; y < part.height; y++)
      memcpy (window->nlink[d] + part.first + (size_t)y * FS_CPU_WINDOW,
              read[d] + (size_t)y * (size_t)part.width, (size_t)part.width * sizeof *read[d]);
}

void
fs_cpu_window_read (FsCpuWindow *window, const FsGrid *grid, int tx, int ty)
{
  Part part = part_of (grid, tx, ty);
  window->grid = (FsGrid){ .width = FS_CPU_WINDOW,
                           .height = FS_CPU_WINDOW,
                           .neighbours = grid->neighbours,
                           .tlink = window->tlink,
                           .star = grid->star != NULL ? window->star : NULL };
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    window->grid.nlink[d] = window->nlink[d];
  if (part.width == FS_CPU_WINDOW && part.height == FS_CPU_WINDOW)
    read_whole (window, grid, part);
  else {
    clear_window (window);
    read_clipped (window, grid, part);
  }
  for (int y = 0; y < part.height; y++) {
    size_t to = part.first + (size_t)y * FS_CPU_WINDOW, n = (size_t)part.width;
    size_t from = (size_t)(part.y0 + y) * (size_t)grid->width + (size_t)part.x0;
    memcpy (window->tlink + to, grid->tlink + from, n * sizeof *window->tlink);
    if (grid->star != NULL)
      memcpy (window->star + to, grid->star + from, n);
  }
}
