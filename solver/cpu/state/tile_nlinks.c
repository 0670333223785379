/* SPDX-License-Identifier: MIT */
#include "solver/cpu/state/tile_nlinks.h"

#include <string.h>

/* A window, clipped to the photo. */
typedef struct {
  int x0, y0, width, height;
  size_t first; /* its first pixel in the window */
} Clip;

static Clip
clip_of (const FsGrid *grid, int tx, int ty)
{
  int x = tx * FS_CPU_TILE - 1, y = ty * FS_CPU_TILE - 1;
  Clip clip = { .x0 = MAX (x, 0), .y0 = MAX (y, 0) };
  clip.width = MIN (x + FS_CPU_WINDOW, grid->width) - clip.x0;
  clip.height = MIN (y + FS_CPU_WINDOW, grid->height) - clip.y0;
  clip.first = (size_t)(clip.y0 - y) * FS_CPU_WINDOW + (size_t)(clip.x0 - x);
  return clip;
}

static void
clear_window (FsCpuWindow *window)
{
  memset (window->nlink, 0, sizeof window->nlink);
  memset (window->tlink, 0, sizeof window->tlink);
  memset (window->star, FS_STAR_NONE, sizeof window->star);
}

static void
read_whole (FsCpuWindow *window, const FsGrid *grid, Clip clip)
{
  uint16_t *out[FS_N_DIRECTIONS];
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    out[d] = window->nlink[d];
  grid->links->read (grid->links->data, clip.x0, clip.y0, clip.width, clip.height, out);
}

static void
read_clipped (FsCpuWindow *window, const FsGrid *grid, Clip clip)
{
  uint16_t read[FS_N_DIRECTIONS][FS_CPU_WINDOW * FS_CPU_WINDOW];
  uint16_t *out[FS_N_DIRECTIONS] = { read[0], read[1], read[2], read[3] };
  grid->links->read (grid->links->data, clip.x0, clip.y0, clip.width, clip.height, out);
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    for (int y = 0; y < clip.height; y++)
      memcpy (window->nlink[d] + clip.first + (size_t)y * FS_CPU_WINDOW,
              read[d] + (size_t)y * (size_t)clip.width, (size_t)clip.width * sizeof *read[d]);
}

void
fs_cpu_window_read (FsCpuWindow *window, const FsGrid *grid, int tx, int ty)
{
  Clip clip = clip_of (grid, tx, ty);
  window->grid = (FsGrid){ .width = FS_CPU_WINDOW,
                           .height = FS_CPU_WINDOW,
                           .neighbours = grid->neighbours,
                           .tlink = window->tlink,
                           .star = grid->star != NULL ? window->star : NULL };
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    window->grid.nlink[d] = window->nlink[d];
  if (clip.width == FS_CPU_WINDOW && clip.height == FS_CPU_WINDOW)
    read_whole (window, grid, clip);
  else {
    clear_window (window);
    read_clipped (window, grid, clip);
  }
  for (int y = 0; y < clip.height; y++) {
    size_t to = clip.first + (size_t)y * FS_CPU_WINDOW, n = (size_t)clip.width;
    size_t from = (size_t)(clip.y0 + y) * (size_t)grid->width + (size_t)clip.x0;
    memcpy (window->tlink + to, grid->tlink + from, n * sizeof *window->tlink);
    if (grid->star != NULL)
      memcpy (window->star + to, grid->star + from, n);
  }
}
