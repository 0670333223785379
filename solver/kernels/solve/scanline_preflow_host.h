/* SPDX-License-Identifier: MIT */
/* The twin of solver/kernels/solve/scanline_preflow.cuh.   Layer: solver/kernels. */
#ifndef FS_SOLVER_KERNELS_SOLVE_SCANLINE_PREFLOW_HOST_H
#define FS_SOLVER_KERNELS_SOLVE_SCANLINE_PREFLOW_HOST_H

#include "solver/kernels/solve/solve_host.h"

/* Sends what can flow straight, along rows and then along columns, with 4 neighbours. `slots`: the
 * places of the photo's tiles among the engine's, −1 for none; NULL where these are all. `marks`:
 * flags that tiles get where something flows. */
void fs_host_straight (FsEngine *engine, const int32_t *slots, uint32_t marks);

#endif
