/* SPDX-License-Identifier: MIT */
#include "energy/frames/frame_tables.h"

#include "energy/frames/frame_energy.h"
#include "energy/image/row_threads.h"
#include "solver/mask_words.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { TILE = FS_BAND_TILE, WITH_HALO = FS_BAND_SIDE_WITH_HALO };

G_STATIC_ASSERT (FS_COLOUR_BINS == FS_WORD_BINS);
/* As fixed pixels are marked. */
enum { MARK_OF_FREE = FS_BAND_SINK - FS_FRAME_BACKGROUND };
G_STATIC_ASSERT (MARK_OF_FREE + FS_FRAME_OBJECT == FS_BAND_SOURCE
                 && MARK_OF_FREE + FS_FRAME_OUTSIDE == FS_BAND_NOWHERE);

void
fs_frame_tables_init (FsFrameTables *tables)
{
  *tables = (FsFrameTables){ 0 };
}

void
fs_frame_tables_clear (FsFrameTables *tables)
{
  g_clear_pointer (&tables->tiles, fs_memory_free);
  g_clear_pointer (&tables->places, fs_memory_free);
  tables->capacity = 0;
}

FsBandSpace
fs_frame_tables_space (void)
{
  return (FsBandSpace){ .space = fs_lab_get_space (),
                        .scale = FS_SCALE_OCTAVES,
                        .n_entries = FS_LAB_CONTRAST_ENTRIES };
}

/* --- the tiles -------------------------------------------------------------------------------- */

static gboolean
reserve_planes (FsFrameTables *tables)
{
  size_t n = (size_t)tables->columns * (size_t)tables->rows;
  if (n <= tables->capacity)
    return TRUE;
  fs_frame_tables_clear (tables);
  tables->tiles = fs_memory_new (n, sizeof *tables->tiles);
  tables->places = fs_memory_new (n, sizeof *tables->places);
  if (!tables->tiles || !tables->places) {
    fs_frame_tables_clear (tables);
    return FALSE;
  }
  tables->capacity = n;
  return TRUE;
}

/* Those that a row's runs lie in. */
static void
mark_row (FsFrameTables *tables, const FsFrameBand *band, int y)
{
  int32_t *row = tables->places + (size_t)(y / TILE) * (size_t)tables->columns;
  for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
    for (int column = band->runs[r].x0 / TILE; column <= (band->runs[r].x1 - 1) / TILE; column++)
      row[column] = 0;
}

static gboolean
list_tiles (FsFrameTables *tables, const FsFrameBand *band)
{
  tables->columns = (band->width - 1) / TILE + 1;
  tables->rows = (band->height - 1) / TILE + 1;
  tables->n_tiles = 0;
  if (!reserve_planes (tables))
    return FALSE;
  int n = tables->columns * tables->rows;
  memset (tables->places, 0xff, (size_t)n * sizeof *tables->places);
  for (int y = 0; y < band->height; y++)
    mark_row (tables, band, y);
  for (int i = 0; i < n; i++)
    if (tables->places[i] == 0) {
      tables->places[i] = tables->n_tiles;
      tables->tiles[tables->n_tiles++] = (uint32_t)i;
    }
  return TRUE;
}

gboolean
fs_frame_tables_make (FsFrameTables *tables, const FsImage *image, const FsFrameBand *band)
{
  g_return_val_if_fail (band->half_width < FS_BAND_PULLS, FALSE);
  if (!list_tiles (tables, band))
    return FALSE;
  tables->n_priors = band->half_width + 1;
  tables->mean = fs_frame_energy_measure_mean (image, band);
  fs_frame_energy_weigh_links (image, tables->mean, tables->straight, tables->diagonal);
  return TRUE;
}

/* --- up --------------------------------------------------------------------------------------- */

typedef struct {
  const FsFrameTables *tables;
  const FsImage *image;
  const FsFrameBand *band;
  const FsBandTiles *tiles;
} Packing;

/* n pixels from place p of the window on. */
static inline __attribute__ ((always_inline)) void
pack_marks (const FsFrameBand *band, size_t p, int n, uint16_t *restrict marks)
{
  const uint8_t *restrict state = band->state + p, *restrict label = band->label + p;
  const uint16_t *restrict distance = band->distance + p;
  uint16_t half_width = (uint16_t)band->half_width;
  for (int i = 0; i < n; i++) { /* without a branch: in vectors */
    uint16_t is_fixed = (uint16_t)(state[i] == FS_FRAME_FREE) - 1;
    uint16_t of_free = (uint16_t)(2 * MIN (distance[i], half_width) + label[i]);
    marks[i] = (uint16_t)((of_free & ~is_fixed) | ((MARK_OF_FREE + state[i]) & is_fixed));
  }
}

/* Packs the pixels [x0, x1) of the window's row that lie in the frame. */
static void
pack_words (const Packing *packing, int y, int x0, int x1, uint32_t *words)
{
  const FsImage *image = packing->image;
  int frame_y = y + packing->band->window.y0, left = packing->band->window.x0;
  int first = MAX (x0, -left), last = MIN (x1, image->width - left);
  if (frame_y < 0 || frame_y >= image->height || last <= first)
    return;
  const uint32_t *from =
      image->pixels + (size_t)frame_y * (size_t)image->width + (size_t)(first + left);
  if (last - first == WITH_HALO)
    memcpy (words, from, WITH_HALO * sizeof *words);
  else
    memcpy (words + (first - x0), from, (size_t)(last - first) * sizeof *words);
}

/* A row of a tile and its halo, from (x, y) of the window on. */
static void
pack_row (const Packing *packing, int x, int y, uint16_t *marks, uint32_t *words)
{
  const FsFrameBand *band = packing->band;
  int first = MAX (x, 0), last = MIN (x + WITH_HALO, band->width);
  size_t p = (size_t)y * (size_t)band->width + (size_t)first;
  if (y >= 0 && y < band->height && last - first == WITH_HALO) {
    pack_marks (band, p, WITH_HALO, marks); /* as most are, of a length that the compiler knows */
  } else {
    memset (marks, 0xff, WITH_HALO * sizeof *marks);
    if (y < 0 || y >= band->height)
      return;
    pack_marks (band, p, last - first, marks + (first - x));
  }
  pack_words (packing, y, first, last, words + (first - x));
}
G_STATIC_ASSERT (FS_BAND_NOWHERE == 0xffff);

static void
list_tile_neighbours (const FsFrameTables *tables, int column, int row, int32_t *neighbours)
{
  for (int i = 0; i < 9; i++) {
    int x = column + i % 3 - 1, y = row + i / 3 - 1;
    neighbours[i] = x >= 0 && y >= 0 && x < tables->columns && y < tables->rows
                        ? tables->places[y * tables->columns + x]
                        : -1;
  }
}

/* Tiles [first, last), which are side by side in one row of them: row of pixels by row of pixels,
 * as the planes lie in memory. */
static void
pack_row_of_tiles (const Packing *packing, int first, int last)
{
  const FsBandTiles *to = packing->tiles;
  int columns = packing->tables->columns, row = (int)packing->tables->tiles[first] / columns;
  for (int i = first; i < last; i++)
    list_tile_neighbours (packing->tables, (int)packing->tables->tiles[i] % columns, row,
                          to->neighbour + (size_t)i * 9);
  for (int j = 0; j < WITH_HALO; j++)
    for (int i = first; i < last; i++) {
      int column = (int)packing->tables->tiles[i] % columns;
      size_t start = ((size_t)i * WITH_HALO + (size_t)j) * WITH_HALO;
      pack_row (packing, column * TILE - 1, row * TILE - 1 + j, to->marks + start,
                to->words + start);
    }
}

static void
pack_tiles (int first, int last, gpointer data)
{
  const Packing *packing = data;
  const FsFrameTables *tables = packing->tables;
  for (int i = first, end; i < last; i = end) {
    for (end = i + 1; end < last; end++)
      if ((int)tables->tiles[end] / tables->columns != (int)tables->tiles[i] / tables->columns)
        break;
    pack_row_of_tiles (packing, i, end);
  }
}

void
fs_frame_tables_pack (const FsFrameTables *tables, const FsImage *image, const FsFrameBand *band,
                      const FsFrameColours *colours, const FsBandTiles *tiles)
{
  Packing packing = { tables, image, band, tiles };
  memcpy (tiles->by_word, colours->by_colour, sizeof colours->by_colour);
  memcpy (tiles->straight, tables->straight, sizeof tables->straight);
  memcpy (tiles->diagonal, tables->diagonal, sizeof tables->diagonal);
  fs_frame_energy_list_priors (band, tiles->pull);
  fs_row_threads_run (tables->n_tiles, WITH_HALO * WITH_HALO, pack_tiles, &packing);
}

/* --- down ------------------------------------------------------------------------------------- */

void
fs_frame_tables_unpack (const FsFrameTables *tables, const FsFrameBand *band, const uint32_t *mask,
                        uint8_t *labels)
{
  for (int i = 0; i < tables->n_tiles; i++) {
    int x = (int)tables->tiles[i] % tables->columns * TILE;
    int y = (int)tables->tiles[i] / tables->columns * TILE;
    int n = MIN (TILE, band->width - x), n_rows = MIN (TILE, band->height - y);
    for (int j = 0; j < n_rows; j++)
      fs_mask_unpack_bits (mask[(size_t)i * TILE + (size_t)j], 0, n,
                           labels + (size_t)(y + j) * (size_t)band->width + x);
  }
}
