/* SPDX-License-Identifier: MIT */
/* The state of a band's tiles, for the kernels' twin.   Layer: solver/kernels (tests). */
#ifndef FS_SOLVER_KERNELS_SOLVE_TILES_HOST_H
#define FS_SOLVER_KERNELS_SOLVE_TILES_HOST_H

#include "solver/kernels/solve/solve_host.h"

/* Makes an engine with the state of n_tiles tiles alone, and the random orders of another one.
 * Memory that phases have to write is filled with noise. */
void fs_host_tiles_init (FsEngine *tiles, const FsEngine *like, const FsGridState *shape,
                         int n_tiles);
void fs_host_tiles_clear (FsEngine *tiles);

#endif
