/* SPDX-License-Identifier: MIT */
/* The solve of the kernels' twin: what solve.cuh is to the device.   Layer: solver/kernels (tests).
 */
#ifndef FS_SOLVER_KERNELS_SOLVE_SOLVE_HOST_H
#define FS_SOLVER_KERNELS_SOLVE_SOLVE_HOST_H

#include "solver/kernels/solve/host_state.h"

/* Solves to the end, or until it is cancelled; *epochs counts. Returns how it ended. */
int fs_host_solve (FsEngine *engine, int (*is_cancelled) (void *), void *data, int64_t *epochs);

#endif
