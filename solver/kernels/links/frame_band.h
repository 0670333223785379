/* SPDX-License-Identifier: MIT */
/* A frame's band with implicit links (photo_links.h).   Layer: solver/kernels.
 *
 * A block computes a tile: first the points of its pixels and of their halo, then, pixel by pixel,
 * links, excess and residuals. An n-link is computed at both of its ends, so that tiles are
 * independent. The links are stored tile by tile, for the sums of energy and bound.
 */
#ifndef FS_SOLVER_KERNELS_LINKS_FRAME_BAND_H
#define FS_SOLVER_KERNELS_LINKS_FRAME_BAND_H

#include "solver/kernels/links/build.h"

#define FS_LINK_TABLE_ARCS 8

typedef struct {
  FsPhotoLinks links;    /* `words` are those of the tiles, with their halos     */
  const uint16_t *marks; /* [n_tiles][FS_PIXELS_WITH_HALO]                          */
  const int16_t *by_word, *pull;
  int32_t *tlink;     /* [n_tiles][1024]: n-links to fixed neighbours included    */
  uint16_t *nlink[4]; /* [n_tiles][1024]: to neighbours in the band, else 0       */
} FsLinkTables;

/* Scratch memory of a block. */
typedef struct {
  FsBuildScratch points;
  uint16_t mark[FS_PIXELS_WITH_HALO];
} FsLinkScratch;

FS_PHASE void
fs_link_tables_point (const FsLinkTables *band, int tile, int i, FsLinkScratch *scratch)
{
  size_t at = (size_t)tile * FS_PIXELS_WITH_HALO + i;
  scratch->mark[i] = band->marks[at];
  if (scratch->mark[i] != FS_BAND_NOWHERE)
    fs_build_set_point (&band->links, band->links.words[at], i, &scratch->points);
}

/* The t-link of a pixel of the band, without its fixed neighbours. */
FS_PHASE int32_t
fs_link_tables_own_tlink (const FsLinkTables *band, uint32_t word, uint16_t mark)
{
  int32_t pull = band->pull[mark >> 1];
  return band->by_word[fs_word_bin (word)] + (mark & 1 ? pull : -pull);
}

/* Computes pixel `at` of a tile; returns bits as fs_problem_start(). */
FS_PHASE uint32_t
fs_link_tables_start (const FsGridState *grid, const FsLinkTables *band,
                      const FsLinkScratch *scratch, int tile, int at)
{
  int here = (at / FS_SIDE + 1) * FS_SIDE_WITH_HALO + at % FS_SIDE + 1;
  size_t place = (size_t)tile * FS_TILE_PIXELS + at;
  int is_free = scratch->mark[here] < FS_BAND_SINK;
  uint32_t word = band->links.words[(size_t)tile * FS_PIXELS_WITH_HALO + here], bits = 0;
  int32_t tlink = is_free ? fs_link_tables_own_tlink (band, word, scratch->mark[here]) : 0;
  FS_UNROLL
  for (int arc = 0; arc < FS_LINK_TABLE_ARCS; arc++) {
    int dx = fs_arc_dx (FS_LINK_TABLE_ARCS, arc), dy = fs_arc_dy (FS_LINK_TABLE_ARCS, arc);
    int there = here + dy * FS_SIDE_WITH_HALO + dx;
    uint16_t mark = scratch->mark[there], nlink = 0;
    if (is_free && mark != FS_BAND_NOWHERE)
      nlink = fs_build_nlink (&band->links, &scratch->points, here, there, dx != 0 && dy != 0);
    tlink += mark == FS_BAND_SOURCE ? nlink : mark == FS_BAND_SINK ? -(int32_t)nlink : 0;
    uint16_t capacity = mark < FS_BAND_SINK ? nlink : 0;
    if (arc < 4)
      band->nlink[arc][place] = capacity;
    grid->residual[fs_grid_residual_place (grid, place, arc)] = capacity;
    bits |= capacity > 0 ? 1u << arc : 0;
  }
  band->tlink[place] = grid->excess[place] = tlink;
  return bits | (tlink < 0 ? FS_START_DEFICIT : tlink > 0 ? FS_START_EXCESS : 0);
}

/* --- The mask and the sums --- */

FS_PHASE int
fs_link_tables_is_object (const FsGridState *grid, size_t place)
{
  return (int)(~grid->found[place / FS_SIDE] >> place % FS_SIDE & 1u);
}

/* The place of a neighbour in direction 0 … 3, which must be in the band. */
FS_PHASE size_t
fs_link_tables_neighbour (const FsGridState *grid, int tile, int at, int direction)
{
  int x = at % FS_SIDE + fs_arc_dx (FS_LINK_TABLE_ARCS, direction);
  int y = at / FS_SIDE + fs_arc_dy (FS_LINK_TABLE_ARCS, direction);
  int neighbour = fs_tile_neighbour (grid, tile, (x >= FS_SIDE) - (x < 0), y >= FS_SIDE);
  return (size_t)neighbour * FS_TILE_PIXELS + (y & (FS_SIDE - 1)) * FS_SIDE + (x & (FS_SIDE - 1));
}

/* Adds pixel `at` of a tile to the energy of the mask and to the bound; nothing outside the band.
 */
FS_PHASE void
fs_link_tables_sum (const FsGridState *grid, const FsLinkTables *band, int tile, int at,
                    int64_t *energy, int64_t *bound)
{
  size_t place = (size_t)tile * FS_TILE_PIXELS + at;
  int32_t tlink = band->tlink[place];
  int is_object = fs_link_tables_is_object (grid, place);
  *bound += fs_max_i32 (tlink, 0) - fs_max_i32 (grid->excess[place], 0);
  *energy += fs_max_i32 (is_object ? -tlink : tlink, 0);
  for (int direction = 0; direction < 4; direction++) {
    uint16_t nlink = band->nlink[direction][place];
    if (nlink > 0
        && fs_link_tables_is_object (grid, fs_link_tables_neighbour (grid, tile, at, direction))
               != is_object)
      *energy += nlink;
  }
}

#endif
