/* SPDX-License-Identifier: MIT */
#include "solver/cpu/tlinks.h"

#include <string.h>

enum { PIXELS_PER_LOOK = 1 << 14 };

gboolean
fs_cpu_tlinks_differ (const FsGrid *grid, const int32_t *tlinks, size_t max)
{
  size_t n = fs_grid_n_pixels (grid);
  size_t n_changed = 0;
  for (size_t begin = 0; begin < n && n_changed <= max; begin += PIXELS_PER_LOOK) {
    size_t end = MIN (begin + PIXELS_PER_LOOK, n);
    uint32_t changed = 0;
    for (size_t p = begin; p < end; p++)
      changed += tlinks[p] != grid->tlink[p];
    n_changed += changed;
  }
  return n_changed > max;
}

static void
replace_pixels (int32_t *old, const int32_t *tlink, int32_t *excess, int n, FsCpuSums *gained)
{
  for (int i = 0; i < n; i++) {
    int32_t e = excess[i] + (tlink[i] - old[i]);
    gained->tlinks += (int64_t)MAX (tlink[i], 0) - MAX (old[i], 0);
    gained->excess += (int64_t)MAX (e, 0) - MAX (excess[i], 0);
    excess[i] = e;
    old[i] = tlink[i];
  }
}

static void
replace_tile (FsCpuLayout *layout, FsGrid *grid, const int32_t *tlinks, int tx, int ty,
              FsCpuSums *gained)
{
  int x = tx * FS_CPU_TILE;
  int n = MIN (FS_CPU_TILE, grid->width - x);
  gboolean is_built =
      fs_cpu_layout_is_built (layout, (size_t)ty * (size_t)layout->tile_cols + (size_t)tx);
  for (int y = ty * FS_CPU_TILE; y < MIN ((ty + 1) * FS_CPU_TILE, grid->height); y++) {
    size_t pixel = (size_t)y * (size_t)grid->width + (size_t)x;
    int32_t own[FS_CPU_TILE], *excess = own;
    if (is_built)
      excess = layout->excess + fs_cpu_layout_node (layout, x, y);
    else
      memcpy (own, grid->tlink + pixel, (size_t)n * sizeof *own);
    replace_pixels (grid->tlink + pixel, tlinks + pixel, excess, n, gained);
  }
}

FsCpuSums
fs_cpu_tlinks_replace (FsCpuLayout *layout, FsGrid *grid, const int32_t *tlinks, int first,
                       int last)
{
  FsCpuSums gained = { 0 };
  for (int ty = first; ty < last; ty++)
    for (int tx = 0; tx < layout->tile_cols; tx++)
      replace_tile (layout, grid, tlinks, tx, ty, &gained);
  return gained;
}
