/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/tiles_host.h"

#include <stdlib.h>

void
fs_host_tiles_init (FsEngine *tiles, const FsEngine *like, const FsGridState *shape, int n_tiles)
{
  size_t n = (size_t)n_tiles, words = n * FS_SIDE;
  *tiles = *like;
  tiles->n_discharges = tiles->n_labellings = 0;
  FsGridState *state = &tiles->grid;
  fs_grid_shape (state, shape->width, shape->height, shape->n_arcs);
  state->n_tiles = n_tiles;
  state->excess = malloc (n * FS_TILE_PIXELS * sizeof *state->excess);
  state->residual = malloc (n * state->n_arcs * FS_TILE_PIXELS * sizeof *state->residual);
  state->border = malloc (words * 4 * sizeof *state->border);
  state->open = calloc (words * state->n_arcs, sizeof *state->open);
  state->deficit = calloc (words, sizeof *state->deficit);
  state->excess_bits = calloc (words, sizeof *state->excess_bits);
  state->found = calloc (words, sizeof *state->found);
  state->border_flow = calloc (words * state->n_slots, sizeof *state->border_flow);
  state->flags = malloc (n * sizeof *state->flags);
  state->highest = calloc (n, sizeof *state->highest);
  state->neighbour = malloc (n * 9 * sizeof *state->neighbour);
  for (int i = 0; i < 2; i++)
    tiles->list[i] = (FsHostList){ malloc (n * sizeof (uint32_t)), 0 };
}

void
fs_host_tiles_clear (FsEngine *tiles)
{
  FsGridState *state = &tiles->grid;
  free (state->excess);
  free (state->residual);
  free (state->border);
  free (state->open);
  free (state->deficit);
  free (state->excess_bits);
  free (state->found);
  free (state->border_flow);
  free (state->flags);
  free (state->highest);
  free (state->neighbour);
  free (tiles->list[0].tile);
  free (tiles->list[1].tile);
}
