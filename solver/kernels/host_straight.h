/* SPDX-License-Identifier: MIT */
/* The twin of solver/kernels/straight.cuh.   Layer: solver/kernels. */
#ifndef FS_KERNELS_HOST_STRAIGHT_H
#define FS_KERNELS_HOST_STRAIGHT_H

#include "solver/kernels/host_solve.h"

/* Sends what can flow straight, along rows and then along columns, with 4 neighbours. `slots`: the
 * places of the photo's tiles among the engine's, −1 for none; NULL where these are all. `marks`:
 * flags that tiles get where something flows. */
void fs_host_straight (FsEngine *engine, const int32_t *slots, uint32_t marks);

#endif
