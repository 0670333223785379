/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/host_state.h"

static uint32_t
draw_random (FsEngine *engine, uint32_t n)
{
  engine->random ^= engine->random << 13;
  engine->random ^= engine->random >> 17;
  engine->random ^= engine->random << 5;
  return engine->random % n;
}

void
fs_host_shuffle (FsEngine *engine, int *order, int n)
{
  for (int i = 0; i < n; i++) {
    int j = engine->random == 0 ? i : (int)draw_random (engine, (uint32_t)i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

void
fs_host_wake (FsEngine *engine, int tile, uint32_t flags)
{
  if (fs_set_bits (&engine->grid.flags[tile], FS_TILE_QUEUED | flags) & FS_TILE_QUEUED)
    return;
  engine->list[1].tile[engine->list[1].count++] = (uint32_t)tile;
}

void
fs_host_end_round (FsEngine *engine)
{
  FsHostList done = engine->list[0];
  engine->list[0] = engine->list[1];
  engine->list[1] = done;
  engine->list[1].count = 0;
}

void
fs_host_gather (FsEngine *engine, uint32_t wanted, uint32_t cleared)
{
  for (int tile = 0; tile < engine->grid.n_tiles; tile++) {
    uint32_t old = engine->grid.flags[tile];
    engine->grid.flags[tile] = old & ~(cleared | FS_TILE_QUEUED);
    if (old & wanted)
      fs_host_wake (engine, tile, 0);
  }
  fs_host_end_round (engine);
}
