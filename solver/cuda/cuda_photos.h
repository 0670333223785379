/* SPDX-License-Identifier: MIT */
/* The photos that the device holds.   Layer: solver.
 *
 * Solvers of one photo share one copy: it goes up when the first of them is made, and is gone with
 * the last.
 *
 * Threads: safe.
 */
#ifndef FS_SOLVER_CUDA_CUDA_PHOTOS_H
#define FS_SOLVER_CUDA_CUDA_PHOTOS_H

#include "solver/grid.h"
#include "solver/kernels/engine.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

/* NULL where it cannot be had; `failure` tells why. */
const FsEnginePhoto *fs_cuda_photos_take (const FsEngineTable *table, const FsLinkSource *source,
                                          const FsGrid *grid, FsEngineError *failure);
/* What was taken, once no engine uses it any more. NULL: nothing. */
void fs_cuda_photos_give_back (const FsEnginePhoto *photo);

G_END_DECLS

#endif
