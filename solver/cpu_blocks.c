/* SPDX-License-Identifier: MIT */
#include "solver/cpu_blocks.h"
#include "solver/cpu_plant.h"

enum { BLOCK_TILES = 32 };

/* Of tiles. */
typedef struct {
  int x0, y0, x1, y1;
} Block;

/* Where there is such a tile, in the rows that are searched. */
static void
wall_tile (FsCpuLayout *layout, Block rows, int tx, int ty)
{
  if (tx >= rows.x0 && ty >= rows.y0 && tx < rows.x1 && ty < rows.y1)
    fs_cpu_plant_wall (layout, tx, ty);
}

static void
wall_in (FsCpuLayout *layout, Block rows, Block block)
{
  for (int tx = block.x0 - 1; tx <= block.x1; tx++) {
    wall_tile (layout, rows, tx, block.y0 - 1);
    wall_tile (layout, rows, tx, block.y1);
  }
  for (int ty = block.y0; ty < block.y1; ty++) {
    wall_tile (layout, rows, block.x0 - 1, ty);
    wall_tile (layout, rows, block.x1, ty);
  }
}

static FsSearchOutcome
run_block (FsCpuSearch *part, FsCpuRun run, Block rows, Block block, const FsProgress *progress)
{
  wall_in (part->layout, rows, block);
  fs_cpu_search_reset (part);
  part->first_row = block.y0;
  part->last_row = block.y1;
  part->first_col = block.x0;
  part->last_col = block.x1;
  return run (part, progress);
}

gboolean
fs_cpu_blocks_are_many (const FsCpuLayout *layout, int first, int last)
{
  return last - first > BLOCK_TILES || layout->tile_cols > BLOCK_TILES;
}

FsSearchOutcome
fs_cpu_blocks_run (FsCpuSearch *part, FsCpuRun run, int first, int last, const FsProgress *progress)
{
  const Block rows = { 0, first, part->layout->tile_cols, last };
  FsSearchOutcome outcome = FS_SEARCH_DONE;
  for (int y = rows.y0; y < rows.y1 && outcome == FS_SEARCH_DONE; y += BLOCK_TILES)
    for (int x = rows.x0; x < rows.x1 && outcome == FS_SEARCH_DONE; x += BLOCK_TILES) {
      Block block = { x, y, MIN (x + BLOCK_TILES, rows.x1), MIN (y + BLOCK_TILES, rows.y1) };
      outcome = run_block (part, run, rows, block, progress);
    }
  return outcome;
}
