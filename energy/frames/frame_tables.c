/* SPDX-License-Identifier: MIT */
#include "energy/frames/frame_tables.h"

#include "energy/frames/frame_energy.h"
#include "energy/image/row_threads.h"
#include "solver/mask_words.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { TILE = FS_BAND_TILE, RINGED = FS_BAND_RINGED };

G_STATIC_ASSERT (FS_COLOUR_BINS == FS_WORD_BINS);
/* As fixed pixels are marked. */
enum { MARK_OF_FREE = FS_BAND_SINK - FS_FRAME_BACKGROUND };
G_STATIC_ASSERT (MARK_OF_FREE + FS_FRAME_OBJECT == FS_BAND_SOURCE
                 && MARK_OF_FREE + FS_FRAME_OUTSIDE == FS_BAND_NOWHERE);

void
fs_frame_told_init (FsFrameTold *told)
{
  *told = (FsFrameTold){ 0 };
}

void
fs_frame_told_clear (FsFrameTold *told)
{
  g_clear_pointer (&told->tiles, fs_memory_free);
  g_clear_pointer (&told->places, fs_memory_free);
  told->capacity = 0;
}

FsBandSpace
fs_frame_told_space (void)
{
  return (FsBandSpace){ .space = fs_lab_get_space (),
                        .scale = FS_SCALE_OCTAVES,
                        .n_entries = FS_LAB_CONTRAST_ENTRIES };
}

/* --- the tiles -------------------------------------------------------------------------------- */

static gboolean
make_room (FsFrameTold *told)
{
  size_t n = (size_t)told->columns * (size_t)told->rows;
  if (n <= told->capacity)
    return TRUE;
  fs_frame_told_clear (told);
  told->tiles = fs_memory_new (n, sizeof *told->tiles);
  told->places = fs_memory_new (n, sizeof *told->places);
  if (!told->tiles || !told->places) {
    fs_frame_told_clear (told);
    return FALSE;
  }
  told->capacity = n;
  return TRUE;
}

/* Those that a row's runs lie in. */
static void
mark_row (FsFrameTold *told, const FsFrameBand *band, int y)
{
  int32_t *row = told->places + (size_t)(y / TILE) * (size_t)told->columns;
  for (size_t r = band->row_start[y]; r < band->row_start[y + 1]; r++)
    for (int column = band->runs[r].x0 / TILE; column <= (band->runs[r].x1 - 1) / TILE; column++)
      row[column] = 0;
}

static gboolean
list_tiles (FsFrameTold *told, const FsFrameBand *band)
{
  told->columns = (band->width - 1) / TILE + 1;
  told->rows = (band->height - 1) / TILE + 1;
  told->n_tiles = 0;
  if (!make_room (told))
    return FALSE;
  int n = told->columns * told->rows;
  memset (told->places, 0xff, (size_t)n * sizeof *told->places);
  for (int y = 0; y < band->height; y++)
    mark_row (told, band, y);
  for (int i = 0; i < n; i++)
    if (told->places[i] == 0) {
      told->places[i] = told->n_tiles;
      told->tiles[told->n_tiles++] = (uint32_t)i;
    }
  return TRUE;
}

gboolean
fs_frame_told_make (FsFrameTold *told, const FsImage *image, const FsFrameBand *band)
{
  g_return_val_if_fail (band->reach < FS_BAND_PULLS, FALSE);
  if (!list_tiles (told, band))
    return FALSE;
  told->n_pulls = band->reach + 1;
  told->mean = fs_frame_energy_measure_mean (image, band);
  fs_frame_energy_weigh_links (image, told->mean, told->straight, told->diagonal);
  return TRUE;
}

/* --- up --------------------------------------------------------------------------------------- */

typedef struct {
  const FsFrameTold *told;
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
  uint16_t reach = (uint16_t)band->reach;
  for (int i = 0; i < n; i++) { /* without a branch: in vectors */
    uint16_t is_fixed = (uint16_t)(state[i] == FS_FRAME_FREE) - 1;
    uint16_t of_free = (uint16_t)(2 * MIN (distance[i], reach) + label[i]);
    marks[i] = (uint16_t)((of_free & ~is_fixed) | ((MARK_OF_FREE + state[i]) & is_fixed));
  }
}

/* What of [x0, x1) of the window's row lies in the frame. */
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
  if (last - first == RINGED)
    memcpy (words, from, RINGED * sizeof *words);
  else
    memcpy (words + (first - x0), from, (size_t)(last - first) * sizeof *words);
}

/* A row of a tile and its ring, from (x, y) of the window on. */
static void
pack_row (const Packing *packing, int x, int y, uint16_t *marks, uint32_t *words)
{
  const FsFrameBand *band = packing->band;
  int first = MAX (x, 0), last = MIN (x + RINGED, band->width);
  size_t p = (size_t)y * (size_t)band->width + (size_t)first;
  if (y >= 0 && y < band->height && last - first == RINGED) {
    pack_marks (band, p, RINGED, marks); /* as most are, of a length that the compiler knows */
  } else {
    memset (marks, 0xff, RINGED * sizeof *marks);
    if (y < 0 || y >= band->height)
      return;
    pack_marks (band, p, last - first, marks + (first - x));
  }
  pack_words (packing, y, first, last, words + (first - x));
}
G_STATIC_ASSERT (FS_BAND_NOWHERE == 0xffff);

static void
list_beside (const FsFrameTold *told, int column, int row, int32_t *beside)
{
  for (int i = 0; i < 9; i++) {
    int x = column + i % 3 - 1, y = row + i / 3 - 1;
    beside[i] = x >= 0 && y >= 0 && x < told->columns && y < told->rows
                    ? told->places[y * told->columns + x]
                    : -1;
  }
}

/* Tiles [first, last), which are side by side in one row of them: row of pixels by row of pixels,
 * as the planes lie in memory. */
static void
pack_row_of_tiles (const Packing *packing, int first, int last)
{
  const FsBandTiles *to = packing->tiles;
  int columns = packing->told->columns, row = (int)packing->told->tiles[first] / columns;
  for (int i = first; i < last; i++)
    list_beside (packing->told, (int)packing->told->tiles[i] % columns, row,
                 to->beside + (size_t)i * 9);
  for (int j = 0; j < RINGED; j++)
    for (int i = first; i < last; i++) {
      int column = (int)packing->told->tiles[i] % columns;
      size_t start = ((size_t)i * RINGED + (size_t)j) * RINGED;
      pack_row (packing, column * TILE - 1, row * TILE - 1 + j, to->marks + start,
                to->words + start);
    }
}

static void
pack_tiles (int first, int last, gpointer data)
{
  const Packing *packing = data;
  const FsFrameTold *told = packing->told;
  for (int i = first, end; i < last; i = end) {
    for (end = i + 1; end < last; end++)
      if ((int)told->tiles[end] / told->columns != (int)told->tiles[i] / told->columns)
        break;
    pack_row_of_tiles (packing, i, end);
  }
}

void
fs_frame_told_pack (const FsFrameTold *told, const FsImage *image, const FsFrameBand *band,
                    const FsFrameColours *colours, const FsBandTiles *tiles)
{
  Packing packing = { told, image, band, tiles };
  memcpy (tiles->by_word, colours->by_colour, sizeof colours->by_colour);
  memcpy (tiles->straight, told->straight, sizeof told->straight);
  memcpy (tiles->diagonal, told->diagonal, sizeof told->diagonal);
  fs_frame_energy_list_pulls (band, tiles->pull);
  fs_row_threads_run (told->n_tiles, RINGED * RINGED, pack_tiles, &packing);
}

/* --- down ------------------------------------------------------------------------------------- */

void
fs_frame_told_unpack (const FsFrameTold *told, const FsFrameBand *band, const uint32_t *mask,
                      uint8_t *labels)
{
  for (int i = 0; i < told->n_tiles; i++) {
    int x = (int)told->tiles[i] % told->columns * TILE;
    int y = (int)told->tiles[i] / told->columns * TILE;
    int n = MIN (TILE, band->width - x), n_rows = MIN (TILE, band->height - y);
    for (int j = 0; j < n_rows; j++)
      fs_mask_unpack_bits (mask[(size_t)i * TILE + (size_t)j], 0, n,
                           labels + (size_t)(y + j) * (size_t)band->width + x);
  }
}
