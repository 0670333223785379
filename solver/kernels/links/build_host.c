/* SPDX-License-Identifier: MIT */
#include "solver/kernels/links/build_host.h"

#include <stdlib.h>
#include <string.h>

static void *
copy_block (const void *from, size_t bytes)
{
  void *to = malloc (bytes);
  memcpy (to, from, bytes);
  return to;
}

FsEnginePhoto *
fs_host_load_photo (const FsPhotoLinks *links, int width, int height)
{
  FsEnginePhoto *photo = calloc (1, sizeof *photo);
  size_t table = links->n_entries * sizeof *links->straight;
  photo->links = *links;
  photo->links.words = copy_block (links->words, (size_t)width * height * sizeof *links->words);
  photo->links.straight = copy_block (links->straight, table);
  photo->links.diagonal = copy_block (links->diagonal, table);
  if (links->space != NULL)
    photo->links.space = copy_block (links->space, sizeof *links->space);
  return photo;
}

void
fs_host_unload_photo (FsEnginePhoto *photo)
{
  free ((void *)photo->links.words);
  free ((void *)photo->links.straight);
  free ((void *)photo->links.diagonal);
  free ((void *)photo->links.space);
  free (photo);
}

static uint64_t *
new_bits (size_t pixels)
{
  return malloc ((pixels + 63) / 64 * sizeof (uint64_t));
}

FsSentTerms
fs_host_send_terms (const FsTlinkTerms *terms, size_t pixels)
{
  FsSentTerms sent = { .by_word = terms->by_word,
                       .place = terms->place,
                       .pull = terms->pull,
                       .stretched = terms->stretched,
                       .previous = terms->previous,
                       .clamped = terms->clamped,
                       .strength = terms->strength };
  if (terms->fixed == NULL)
    return sent;
  uint64_t *fixed = new_bits (pixels), *sink = new_bits (pixels);
  fs_pack_fixed (terms->fixed, pixels, fixed, sink);
  sent.fixed = fixed;
  sent.sink = sink;
  return sent;
}

void
fs_host_drop_terms (FsSentTerms *terms)
{
  free ((void *)terms->fixed);
  free ((void *)terms->sink);
}

void
fs_host_build_tile (FsEngine *engine, const FsSentTerms *terms, int tile)
{
  FsGridState *grid = &engine->grid;
  const FsPhotoLinks *links = &engine->photo->links;
  FsBuildScratch scratch;
  memset (&scratch, 0xc5, sizeof scratch);
  for (int i = 0; i < FS_PIXELS_WITH_HALO; i++)
    fs_build_point (grid, links, tile, i, &scratch);
  for (int at = 0; at < FS_TILE_PIXELS; at++) {
    uint32_t bits =
        fs_build_pixel (grid, grid->n_arcs, &engine->problem, links, terms, &scratch, tile, at);
    for (int arc = 0; arc < grid->n_arcs; arc++)
      if (bits >> arc & 1)
        fs_set_bits (fs_open_word (grid, grid->n_arcs, tile, arc, at / FS_SIDE),
                     1u << at % FS_SIDE);
    fs_refresh_excess_bits (grid, tile, at);
  }
}

void
fs_host_remake_tile (FsEngine *engine, const FsSentTerms *terms, int tile)
{
  FsGridState *grid = &engine->grid;
  int differs = 0;
  for (int at = 0; at < FS_TILE_PIXELS; at++)
    if (fs_remake_pixel (grid, &engine->problem, &engine->photo->links, terms, tile, at)) {
      fs_refresh_excess_bits (grid, tile, at);
      differs = 1;
    }
  if (differs)
    fs_set_bits (&grid->flags[tile], FS_TILE_STALE | FS_TILE_SUMS);
}
