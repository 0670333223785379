/* SPDX-License-Identifier: MIT */
/* Discharging along runs in the kernels' twin: what runs.cuh is to the device.   Layer:
 * solver/kernels (tests). */
#ifndef FS_SOLVER_KERNELS_SOLVE_RUNS_HOST_H
#define FS_SOLVER_KERNELS_SOLVE_RUNS_HOST_H

#include "solver/kernels/solve/runs.h"
#include "solver/kernels/solve/host_state.h"

typedef struct {
  FsRunScratch scratch;
  FsRunLane lanes[FS_WARP];
} FsHostRuns;

/* Searches the tile whose bits are in `scratch`; returns whether there is any excess to push. */
int fs_host_search_runs (FsEngine *engine, int is_last, int32_t limit, FsDischargeScratch *scratch,
                         FsHostRuns *runs);

/* Pushes along the runs that the search has found. */
void fs_host_push_runs (FsEngine *engine, FsDischargeScratch *scratch, FsHostRuns *runs,
                        FsStrip *strips);

#endif
