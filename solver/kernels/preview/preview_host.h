/* SPDX-License-Identifier: MIT */
/* Previews by levels and bands, by the kernels' twin.   Layer: solver/kernels (tests). What
 * preview.cuh and preview_calls.cuh are to the device. */
#ifndef FS_SOLVER_KERNELS_PREVIEW_PREVIEW_HOST_H
#define FS_SOLVER_KERNELS_PREVIEW_PREVIEW_HOST_H

#include "solver/kernels/preview/band.h"
#include "solver/kernels/solve/solve_host.h"

/* As the table's. The mask is the engine's (FsEngine.preview). */
int fs_host_preview (FsEngine *engine, const FsEnginePreview *options, int (*is_cancelled) (void *),
                     void *data, FsEnginePreviewResult *result);

#endif
