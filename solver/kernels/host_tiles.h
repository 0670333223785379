/* SPDX-License-Identifier: MIT */
/* The state of a band's tiles, for the kernels' twin.   Layer: solver/kernels (tests). */
#ifndef FS_KERNELS_HOST_TILES_H
#define FS_KERNELS_HOST_TILES_H

#include "solver/kernels/host_solve.h"

/* An engine of so many tiles of a shape alone, with the orders of another one. Noise where phases
 * have to write. */
void fs_host_tiles_init (FsEngine *tiles, const FsEngine *like, const FsGridState *shape,
                         int n_tiles);
void fs_host_tiles_clear (FsEngine *tiles);

#endif
