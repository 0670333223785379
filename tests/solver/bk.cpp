/* SPDX-License-Identifier: MIT */
#include "tests/solver/bk.h"

#include <maxflow.h>

typedef maxflow::Graph_III Graph;

struct _Bk {
  Graph *graph;
  size_t n_pixels;
};

static void
add_nlinks (Graph *graph, const FsGrid *grid, int d)
{
  FsDirection direction = (FsDirection)d;
  for (int y = 0; y < grid->height; y++)
    for (int x = 0; x < grid->width; x++) {
      if (!fs_grid_has_neighbour (grid, x, y, direction))
        continue;
      size_t p = (size_t)y * grid->width + x;
      int q = (y + fs_direction_dy (direction)) * grid->width + x + fs_direction_dx (direction);
      int forth = fs_grid_capacity (grid, p, d);
      int back = fs_grid_capacity (grid, (size_t)q, d ^ FS_DIRECTION_OPPOSITE);
      graph->add_edge ((int)p, q, forth, back);
    }
}

Bk *
bk_new (const FsGrid *grid)
{
  size_t n = fs_grid_n_pixels (grid);
  Bk *bk = new Bk;
  bk->n_pixels = n;
  bk->graph = new Graph ((int)n, (int)n * fs_grid_n_directions (grid));
  bk->graph->add_node ((int)n);
  for (size_t p = 0; p < n; p++)
    bk->graph->add_tweights ((int)p, MAX (grid->tlink[p], 0), MAX (-grid->tlink[p], 0));
  for (int d = 0; d < fs_grid_n_directions (grid); d++)
    add_nlinks (bk->graph, grid, d);
  return bk;
}

void
bk_free (Bk *bk)
{
  delete bk->graph;
  delete bk;
}

void
bk_change_tlink (Bk *bk, uint32_t pixel, int32_t old_tlink, int32_t new_tlink)
{
  int added = new_tlink - old_tlink;
  bk->graph->add_tweights ((int)pixel, MAX (added, 0), MAX (-added, 0));
  bk->graph->mark_node ((int)pixel);
}

void
bk_solve (Bk *bk, gboolean keep_trees)
{
  bk->graph->maxflow (keep_trees != FALSE);
}

void
bk_read_mask (const Bk *bk, uint8_t *mask)
{
  for (size_t p = 0; p < bk->n_pixels; p++)
    mask[p] = bk->graph->what_segment ((int)p, Graph::SOURCE) == Graph::SOURCE;
}
