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

#include "solver/kernels/engine.h"
#include "solver/solver.h"

G_BEGIN_DECLS

extern const FsBackend fs_backend_cuda;

/* Whether the module and a device are there. Errors: BACKEND, with the reason. The first call opens
 * the module and the driver, which takes a moment. */
gboolean fs_cuda_is_available (GError **error);

/* FALSE where the module or every driver is missing. Cheap: opens neither. */
gboolean fs_cuda_may_be_there (void);

/* The driver's own line; "" where there is none, or on other systems. g_free. */
char *fs_cuda_driver_version (void);

/* Why a solver had to go on with the CPU; NULL while none had to. Static storage. */
const char *fs_cuda_notice (void);

/* What the last solve of a solver took; all 0 after a solve by the CPU. */
void fs_cuda_last_result (FsSolver *solver, FsEngineResult *result);

/* What its last preview took; of a device that has failed, any. */
void fs_cuda_last_preview (FsSolver *solver, FsEnginePreviewResult *result);

/* Test switch: solvers that are made from now on use this table, with `name` as their device. NULL:
 * the module's again. Forgets the notice. */
void fs_cuda_use_table (const FsEngineTable *table);

G_END_DECLS

#endif
