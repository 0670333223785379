/* SPDX-License-Identifier: MIT */
/* The twin of solver/kernels/solve/scanline_preflow.cuh.   Layer: solver/kernels. */
#ifndef FS_SOLVER_KERNELS_SOLVE_SCANLINE_PREFLOW_HOST_H
#define FS_SOLVER_KERNELS_SOLVE_SCANLINE_PREFLOW_HOST_H

#include "solver/kernels/solve/solve_host.h"

/* Pre-flow along rows, then along columns, with 4 neighbours. `slots`: the places of the photo's
 * tiles among the engine's, −1 for none; NULL where these are all. `marks`: flags that tiles with
 * flow get. */
void fs_host_preflow (FsEngine *engine, const int32_t *slots, uint32_t marks);

#endif
