/* SPDX-License-Identifier: MIT */
/* Photos on the device, shared by solvers.   Layer: solver (CUDA backend).
 *
 * Solvers of one photo share one copy: it is uploaded when the first of them is made, and freed
 * with the last.
 *
 * Threads: safe.
 */
#ifndef FS_SOLVER_CUDA_CUDA_PHOTOS_H
#define FS_SOLVER_CUDA_CUDA_PHOTOS_H

#include "solver/grid.h"
#include "solver/kernels/engine.h"
#include "solver/link_source.h"

G_BEGIN_DECLS

/* The photo of a source, uploaded if need be; NULL, with the reason in `failure`, on an error. */
const FsEnginePhoto *fs_cuda_photos_take (const FsEngineTable *table, const FsLinkSource *source,
                                          const FsGrid *grid, FsEngineError *failure);
/* Releases a photo that was taken, when no engine of the caller uses it any more. NULL: nothing. */
void fs_cuda_photos_give_back (const FsEnginePhoto *photo);

G_END_DECLS

#endif
