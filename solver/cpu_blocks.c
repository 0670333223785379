/* SPDX-License-Identifier: MIT */
#include "solver/cpu_blocks.h"
#include "solver/cpu_plant.h"

#include <string.h>

enum { BLOCK_TILES = 32, WALL_TILES = 4 * (BLOCK_TILES + 1) };

/* Of tiles. */
typedef struct {
  int x0, y0, x1, y1;
} Block;

/* The tiles around a block, and the words that they have without it. */
typedef struct {
  int n;
  size_t tile[WALL_TILES];
  uint32_t word[WALL_TILES][FS_CPU_TILE_PIXELS];
} Wall;

/* What blocks leave to the search of the whole. */
typedef struct {
  FsLists waiting[FS_N_TREES];
  uint32_t top[FS_N_TREES];
} Left;

/* Where there is such a tile, in the rows that are searched. */
static void
wall_tile (FsCpuLayout *layout, Wall *wall, Block rows, int tx, int ty)
{
  if (tx < rows.x0 || ty < rows.y0 || tx >= rows.x1 || ty >= rows.y1)
    return;
  size_t tile = (size_t)ty * (size_t)layout->tile_cols + (size_t)tx;
  if (fs_cpu_layout_is_built (layout, tile))
    memcpy (wall->word[wall->n], layout->word + tile * FS_CPU_TILE_PIXELS, sizeof wall->word[0]);
  wall->tile[wall->n++] = tile;
  fs_cpu_plant_wall (layout, tx, ty);
}

static void
wall_in (FsCpuLayout *layout, Wall *wall, Block rows, Block block)
{
  wall->n = 0;
  for (int tx = block.x0 - 1; tx <= block.x1; tx++) {
    wall_tile (layout, wall, rows, tx, block.y0 - 1);
    wall_tile (layout, wall, rows, tx, block.y1);
  }
  for (int ty = block.y0; ty < block.y1; ty++) {
    wall_tile (layout, wall, rows, block.x0 - 1, ty);
    wall_tile (layout, wall, rows, block.x1, ty);
  }
}

/* No search has met what is behind a wall. */
static void
tear_down (FsCpuLayout *layout, const Wall *wall)
{
  for (int i = 0; i < wall->n; i++) {
    size_t tile = wall->tile[i];
    if (fs_cpu_layout_is_built (layout, tile))
      memcpy (layout->word + tile * FS_CPU_TILE_PIXELS, wall->word[i], sizeof wall->word[i]);
    else
      fs_cpu_plant_fence (layout, tile);
  }
}

static void
confine (FsCpuSearch *search, Block block)
{
  fs_cpu_search_reset (search);
  search->first_row = block.y0;
  search->last_row = block.y1;
  search->first_col = block.x0;
  search->last_col = block.x1;
}

/* The words are those that were prepared. */
static FsSearchOutcome
plant_block (FsCpuSearch *search, Block block, const FsProgress *progress)
{
  confine (search, block);
  fs_cpu_search_begin (search, progress);
  fs_cpu_plant_lists (search, block.y0, block.y1);
  search->has_trees = TRUE;
  return fs_cpu_search_end (search, !fs_cpu_search_poll (search));
}

static FsSearchOutcome
run_block (FsCpuSearch *search, FsCpuRun run, Block rows, Block block, const FsProgress *progress)
{
  Wall wall;
  wall_in (search->layout, &wall, rows, block);
  FsSearchOutcome outcome = plant_block (search, block, progress);
  if (outcome == FS_SEARCH_DONE)
    outcome = run (search, progress);
  tear_down (search->layout, &wall);
  return outcome;
}

/* FALSE when memory ends. */
static gboolean
put_aside (FsCpuSearch *search, Left *left)
{
  for (int tree = 0; tree < FS_N_TREES; tree++) {
    FsLists *waiting = &search->waiting[tree];
    while (fs_lists_seek (waiting)) {
      uint32_t distance = waiting->low;
      uint32_t node = fs_lists_pop (waiting, &search->pool);
      fs_lists_push (&left->waiting[tree], &search->pool, distance, node);
    }
    left->top[tree] = MAX (left->top[tree], search->top[tree]);
  }
  return !search->pool.failed;
}

static FsSearchOutcome
run_blocks (FsCpuSearch *search, FsCpuRun run, Block rows, Left *left, const FsProgress *progress)
{
  FsSearchOutcome outcome = FS_SEARCH_DONE;
  for (int y = rows.y0; y < rows.y1 && outcome == FS_SEARCH_DONE; y += BLOCK_TILES)
    for (int x = rows.x0; x < rows.x1 && outcome == FS_SEARCH_DONE; x += BLOCK_TILES) {
      Block block = { x, y, MIN (x + BLOCK_TILES, rows.x1), MIN (y + BLOCK_TILES, rows.y1) };
      outcome = run_block (search, run, rows, block, progress);
      if (outcome == FS_SEARCH_DONE && !put_aside (search, left))
        outcome = FS_SEARCH_NO_MEMORY;
    }
  return outcome;
}

/* Whether another block begins behind tile i of a row or column of n. */
static gboolean
is_last_of_block (int i, int n)
{
  return i >= 0 && i + 1 < n && (i + 1) % BLOCK_TILES == 0;
}

/* The pixels of a tile that touch another block. */
static uint64_t
seam_of (Block rows, int tx, int ty)
{
  const uint64_t column = UINT64_C (0x0101010101010101), row = 0xff;
  int n_cols = rows.x1 - rows.x0, n_rows = rows.y1 - rows.y0;
  uint64_t left = is_last_of_block (tx - rows.x0 - 1, n_cols) ? column : 0;
  uint64_t right = is_last_of_block (tx - rows.x0, n_cols) ? column << 7 : 0;
  uint64_t top = is_last_of_block (ty - rows.y0 - 1, n_rows) ? row : 0;
  uint64_t bottom = is_last_of_block (ty - rows.y0, n_rows) ? row << 56 : 0;
  return left | right | top | bottom;
}

static void
list_seams (FsCpuSearch *search, Block rows)
{
  for (int ty = rows.y0; ty < rows.y1; ty++)
    for (int tx = rows.x0; tx < rows.x1; tx++) {
      size_t tile = (size_t)ty * (size_t)search->layout->tile_cols + (size_t)tx;
      for (uint64_t seam = seam_of (rows, tx, ty); seam != 0; seam &= seam - 1)
        fs_cpu_plant_seam (search, (uint32_t)(tile * FS_CPU_TILE_PIXELS)
                                       + (uint32_t)__builtin_ctzll (seam));
    }
}

/* Gives the search what was put aside for it, and with it all trees. */
static void
take_over (FsCpuSearch *search, Left *left)
{
  for (int tree = 0; tree < FS_N_TREES; tree++) {
    FsLists none = search->waiting[tree];
    search->waiting[tree] = left->waiting[tree];
    left->waiting[tree] = none;
    search->top[tree] = left->top[tree];
  }
  search->has_trees = TRUE;
}

gboolean
fs_cpu_blocks_are_many (const FsCpuLayout *layout, int first, int last)
{
  return last - first > BLOCK_TILES || layout->tile_cols > BLOCK_TILES;
}

FsSearchOutcome
fs_cpu_blocks_run (FsCpuSearch *search, FsCpuRun run, int first, int last,
                   const FsProgress *progress)
{
  const Block rows = { 0, first, search->layout->tile_cols, last };
  Left left = { 0 };
  gboolean is_part = search->is_part;
  search->is_part = TRUE;
  FsSearchOutcome outcome = run_blocks (search, run, rows, &left, progress);
  search->is_part = is_part;
  confine (search, rows);
  take_over (search, &left);
  if (outcome == FS_SEARCH_DONE)
    list_seams (search, rows);
  else
    fs_cpu_search_reset (search);
  for (int tree = 0; tree < FS_N_TREES; tree++)
    fs_lists_clear (&left.waiting[tree]);
  return outcome;
}
