/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/solve_host.h"

enum { MAX_EPOCHS = 100000, DISTANCE_CAP_GROWTH = 2 };

/* Makes labels exact, and puts the tiles in which something can flow on the list. Returns whether
 * there are any, or labels that were not looked for. */
static int
label_and_gather (FsEngine *engine)
{
  engine->is_cut = 0;
  fs_host_gather (engine, FS_TILE_STALE, FS_TILE_STALE);
  fs_host_label_all (engine, 1);
  fs_host_gather (engine, FS_TILE_VISITED | FS_TILE_CUT, FS_TILE_VISITED);
  fs_host_label_all (engine, 0);
  fs_host_gather (engine, FS_TILE_ACTIVE, FS_TILE_VISITED);
  return engine->list[0].count > 0 || engine->is_cut;
}

int
fs_host_solve (FsEngine *engine, int (*is_cancelled) (void *), void *data, int64_t *epochs)
{
  for (engine->distance_cap = fs_first_distance_cap (engine->first_distance_cap);;) {
    int goes_on = label_and_gather (engine);
    ++*epochs;
    if (!goes_on)
      return FS_ENGINE_DONE;
    int cancelled = is_cancelled (data);
    fs_host_discharge_all (engine);
    for (int tile = 0; cancelled && tile < engine->grid.n_tiles; tile++)
      fs_host_absorb (engine, tile);
    if (cancelled || *epochs > MAX_EPOCHS)
      return cancelled ? FS_ENGINE_CANCELLED : FS_ENGINE_FAILED;
    engine->distance_cap = fs_next_distance_cap (engine->distance_cap, DISTANCE_CAP_GROWTH);
  }
}
