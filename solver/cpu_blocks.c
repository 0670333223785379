/* SPDX-License-Identifier: MIT */
#include "solver/cpu_blocks.h"
#include "solver/cpu_plant.h"

enum { BLOCK_TILES = 32 };

/* Of tiles. */
typedef struct {
  int x0, y0, x1, y1;
} Block;

static void
wall_tile (FsCpuLayout *layout, int tx, int ty)
{
  if (tx >= 0 && ty >= 0 && tx < layout->tile_cols && ty < layout->tile_rows)
    fs_cpu_plant_wall (layout, tx, ty);
}

static void
wall_in (FsCpuLayout *layout, Block block)
{
  for (int tx = block.x0 - 1; tx <= block.x1; tx++) {
    wall_tile (layout, tx, block.y0 - 1);
    wall_tile (layout, tx, block.y1);
  }
  for (int ty = block.y0; ty < block.y1; ty++) {
    wall_tile (layout, block.x0 - 1, ty);
    wall_tile (layout, block.x1, ty);
  }
}

static FsSearchOutcome
run_block (FsCpuSearch *part, FsCpuRun run, Block block, const FsProgress *progress)
{
  wall_in (part->layout, block);
  fs_cpu_search_reset (part);
  part->first_row = block.y0;
  part->last_row = block.y1;
  part->first_col = block.x0;
  part->last_col = block.x1;
  return run (part, progress);
}

static FsSearchOutcome
run_blocks (FsCpuSearch *part, FsCpuRun run, const FsProgress *progress)
{
  const FsCpuLayout *layout = part->layout;
  FsSearchOutcome outcome = FS_SEARCH_DONE;
  for (int y = 0; y < layout->tile_rows && outcome == FS_SEARCH_DONE; y += BLOCK_TILES)
    for (int x = 0; x < layout->tile_cols && outcome == FS_SEARCH_DONE; x += BLOCK_TILES) {
      Block block = { x, y, MIN (x + BLOCK_TILES, layout->tile_cols),
                      MIN (y + BLOCK_TILES, layout->tile_rows) };
      outcome = run_block (part, run, block, progress);
    }
  return outcome;
}

FsSearchOutcome
fs_cpu_blocks_run (FsCpuSearch *whole, FsCpuRun run, const FsProgress *progress)
{
  FsCpuLayout *layout = whole->layout;
  if (layout->tile_rows <= BLOCK_TILES && layout->tile_cols <= BLOCK_TILES)
    return FS_SEARCH_DONE;
  FsCpuSearch part;
  FsSearchOutcome outcome = FS_SEARCH_NO_MEMORY;
  if (fs_cpu_search_init (&part, layout)) {
    part.is_part = TRUE;
    part.n_polls = whole->n_polls;
    outcome = fs_cpu_search_prepare (whole, progress);
    part.is_prepared = TRUE;
    if (outcome == FS_SEARCH_DONE)
      outcome = run_blocks (&part, run, progress);
  }
  whole->n_polls = part.n_polls;
  whole->flow += part.flow;
  whole->is_prepared = outcome == FS_SEARCH_DONE;
  fs_cpu_search_clear (&part);
  return outcome;
}
