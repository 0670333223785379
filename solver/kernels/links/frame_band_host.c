/* SPDX-License-Identifier: MIT */
#include "solver/kernels/links/frame_band_host.h"

#include "solver/kernels/links/frame_band.h"
#include "solver/kernels/solve/tiles_host.h"

#include <stdlib.h>
#include <string.h>

struct FsEngineBand {
  FsEngine *engine; /* of orders alone */
  FsBandSpace space;
  FsWordSpace *copy;
  FsBandTiles tiles;
  int n_tiles;
  uint32_t *mask;
};

/* Noise: what is read has to be written first. */
static void *
noise_block (size_t n, size_t size)
{
  void *block = malloc (n * size);
  memset (block, 0xc5, n * size);
  return block;
}

FsEngineBand *
fs_host_band_new (const FsBandSpace *space, FsEngine *engine)
{
  FsEngineBand *band = calloc (1, sizeof *band);
  band->engine = engine;
  band->space = *space;
  if (space->space == NULL)
    return band;
  band->copy = noise_block (1, sizeof *band->copy);
  *band->copy = *space->space;
  band->space.space = band->copy;
  return band;
}

static void
drop_tiles (FsEngineBand *band)
{
  FsBandTiles *tiles = &band->tiles;
  free (tiles->words);
  free (tiles->marks);
  free (tiles->neighbour);
  free (tiles->by_word);
  free (tiles->pull);
  free (tiles->straight);
  free (tiles->diagonal);
  free (band->mask);
}

void
fs_host_band_free (FsEngineBand *band)
{
  drop_tiles (band);
  free (band->copy);
  free (band->engine);
  free (band);
}

void
fs_host_band_reserve (FsEngineBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles)
{
  size_t pixels = (size_t)n_tiles * FS_PIXELS_WITH_HALO;
  drop_tiles (band);
  *tiles =
      (FsBandTiles){ .words = noise_block (pixels, sizeof *tiles->words),
                     .marks = noise_block (pixels, sizeof *tiles->marks),
                     .neighbour = noise_block ((size_t)n_tiles * 9, sizeof *tiles->neighbour),
                     .by_word = noise_block (FS_WORD_BINS, sizeof *tiles->by_word),
                     .pull = noise_block ((size_t)n_pulls, sizeof *tiles->pull),
                     .straight = noise_block (band->space.n_entries, sizeof *tiles->straight),
                     .diagonal = noise_block (band->space.n_entries, sizeof *tiles->diagonal) };
  band->tiles = *tiles;
  band->n_tiles = n_tiles;
  band->mask = noise_block ((size_t)n_tiles * FS_SIDE, sizeof *band->mask);
}

/* --- The cut --- */

static FsLinkTables
new_links (const FsEngineBand *band)
{
  const FsBandTiles *tiles = &band->tiles;
  size_t pixels = (size_t)band->n_tiles * FS_TILE_PIXELS;
  FsLinkTables tables = { .links = { .words = tiles->words,
                                     .space = band->space.space,
                                     .scale = band->space.scale,
                                     .n_entries = band->space.n_entries,
                                     .straight = tiles->straight,
                                     .diagonal = tiles->diagonal },
                          .marks = tiles->marks,
                          .by_word = tiles->by_word,
                          .pull = tiles->pull,
                          .tlink = noise_block (pixels, sizeof *tables.tlink) };
  for (int d = 0; d < FS_LINK_TABLE_ARCS / 2; d++)
    tables.nlink[d] = noise_block (pixels, sizeof *tables.nlink[d]);
  return tables;
}

static void
drop_links (FsLinkTables *tables)
{
  free (tables->tlink);
  for (int d = 0; d < FS_LINK_TABLE_ARCS / 2; d++)
    free (tables->nlink[d]);
}

static void
build_tile (const FsGridState *grid, const FsLinkTables *tables, int tile)
{
  FsLinkScratch scratch;
  memset (&scratch, 0xc5, sizeof scratch);
  for (int i = 0; i < FS_PIXELS_WITH_HALO; i++)
    fs_link_tables_point (tables, tile, i, &scratch);
  for (int at = 0; at < FS_TILE_PIXELS; at++) {
    uint32_t bits = fs_link_tables_start (grid, tables, &scratch, tile, at);
    for (int arc = 0; arc < FS_LINK_TABLE_ARCS; arc++)
      if (bits >> arc & 1)
        fs_set_bits (fs_open_word (grid, FS_LINK_TABLE_ARCS, tile, arc, at / FS_SIDE),
                     1u << at % FS_SIDE);
    fs_refresh_excess_bits (grid, tile, at);
  }
  for (int i = 0; i < 4 * FS_SIDE; i++)
    grid->border[(size_t)tile * 4 * FS_SIDE + i] = FS_FAR;
  grid->flags[tile] = FS_TILE_VISITED;
}

static void
end_tile (FsEngineBand *band, const FsGridState *grid, const FsLinkTables *tables, int tile,
          FsEngineResult *result)
{
  for (int y = 0; y < FS_SIDE; y++)
    band->mask[tile * FS_SIDE + y] = ~grid->found[tile * FS_SIDE + y];
  for (int at = 0; at < FS_TILE_PIXELS; at++)
    fs_link_tables_sum (grid, tables, tile, at, &result->energy, &result->bound);
}

static void
start_tiles (const FsEngineBand *band, const FsLinkTables *tables, FsEngine *tiles)
{
  FsGridState shape;
  fs_grid_shape (&shape, 1, 1, FS_LINK_TABLE_ARCS);
  fs_host_tiles_init (tiles, band->engine, &shape, band->n_tiles);
  memcpy (tiles->grid.neighbour, band->tiles.neighbour,
          (size_t)band->n_tiles * 9 * sizeof *tiles->grid.neighbour);
  for (int tile = 0; tile < band->n_tiles; tile++)
    build_tile (&tiles->grid, tables, tile);
}

int
fs_host_band_cut (FsEngineBand *band, int (*is_cancelled) (void *), void *data,
                  const uint32_t **mask, FsEngineResult *result)
{
  FsEngine tiles;
  FsLinkTables tables = new_links (band);
  *result = (FsEngineResult){ 0 };
  start_tiles (band, &tables, &tiles);
  int status = fs_host_solve (&tiles, is_cancelled, data, &result->epochs);
  band->engine->random = tiles.random;
  for (int tile = 0; tile < band->n_tiles && status == FS_ENGINE_DONE; tile++)
    end_tile (band, &tiles.grid, &tables, tile, result);
  result->discharges = tiles.n_discharges;
  result->labellings = tiles.n_labellings;
  *mask = band->mask;
  fs_host_tiles_clear (&tiles);
  drop_links (&tables);
  return status;
}
