/* SPDX-License-Identifier: MIT */
/* The CUDA backend.   Layer: solver.
 *
 * The kernels are in a module of their own, which is opened when the backend is first needed: the
 * program needs neither a driver nor a device to start. A solver of this backend whose device fails
 * at any call goes on with the CPU backend on the same grid, which holds the whole problem: the
 * caller gets the same mask, later, and fs_cuda_notice() has the reason.
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

/* Statistics of a solver's last solve; all 0 after a solve by the CPU. */
void fs_cuda_last_result (FsSolver *solver, FsEngineResult *result);

/* Statistics of its last preview; undefined once the device has failed. */
void fs_cuda_last_preview (FsSolver *solver, FsEnginePreviewResult *result);

G_END_DECLS

#endif
