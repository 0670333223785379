/* SPDX-License-Identifier: MIT */
/* Discharging along runs in the kernels' twin: what runs.cuh is to the device.   Layer:
 * solver/kernels (tests). */
#ifndef FS_KERNELS_HOST_RUNS_H
#define FS_KERNELS_HOST_RUNS_H

#include "solver/kernels/host_solve.h"
#include "solver/kernels/runs.h"

typedef struct {
  FsRunRoom room;
  FsRunLane lanes[FS_WARP];
} FsHostRuns;

/* Searches the tile whose bits lie in the room; returns whether there is any excess to push. */
int fs_host_search_runs (FsEngine *engine, int is_last, int32_t limit, FsDischargeRoom *room,
                         FsHostRuns *runs);

/* Pushes along what the search has found. */
void fs_host_push_runs (FsEngine *engine, FsDischargeRoom *room, FsHostRuns *runs, FsStrip *strips);

#endif
