/* SPDX-License-Identifier: MIT */
/* The rounds of the kernels' twin.   Layer: solver/kernels (tests). What solve.cuh is to the
 * device. */
#ifndef FS_SOLVER_KERNELS_SOLVE_SOLVE_HOST_H
#define FS_SOLVER_KERNELS_SOLVE_SOLVE_HOST_H

#include "solver/kernels/solve/host_state.h"

/* Takes the border flow of a tile into its planes. */
void fs_host_absorb (FsEngine *engine, int tile);

/* Solves to the end, or until it is cancelled; *epochs counts. Returns how it ended. */
int fs_host_solve (FsEngine *engine, int (*is_cancelled) (void *), void *data, int64_t *epochs);

#endif
