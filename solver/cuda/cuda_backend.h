/* SPDX-License-Identifier: MIT */
/* The CUDA backend.   Layer: solver.
 *
 * The kernels live in a module of their own, which is opened when the backend is first asked for:
 * the program needs neither a driver nor a device to start. A solver of this backend whose device
 * fails at any call goes on with the CPU backend on the same grid, which holds everything: the
 * caller gets the same mask, later, and may read what happened from fs_cuda_notice().
 *
 * Threads: safe, but for fs_cuda_use_table().
 */
#ifndef FS_SOLVER_CUDA_CUDA_BACKEND_H
#define FS_SOLVER_CUDA_CUDA_BACKEND_H

#include "solver/cuda/cuda_module.h"
#include "solver/kernels/engine.h"
#include "solver/solver.h"

G_BEGIN_DECLS

extern const FsBackend fs_backend_cuda;

/* What the last solve of a solver took; all 0 after a solve by the CPU. */
void fs_cuda_last_result (FsSolver *solver, FsEngineResult *result);

/* What its last preview took; of a device that has failed, any. */
void fs_cuda_last_preview (FsSolver *solver, FsEnginePreviewResult *result);

G_END_DECLS

#endif
