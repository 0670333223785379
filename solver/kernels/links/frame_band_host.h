/* SPDX-License-Identifier: MIT */
/* Frames' bands in the kernels' twin: what frame_band.cuh is to the device.   Layer: solver/kernels
 * (tests). */
#ifndef FS_SOLVER_KERNELS_LINKS_FRAME_BAND_HOST_H
#define FS_SOLVER_KERNELS_LINKS_FRAME_BAND_HOST_H

#include "solver/kernels/engine.h"

/* Takes ownership of the engine, and goes on with its random orders. */
FsEngineBand *fs_host_band_new (const FsBandSpace *space, FsEngine *engine);
void fs_host_band_free (FsEngineBand *band);

/* Memory with noise in it. */
void fs_host_band_reserve (FsEngineBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles);

int fs_host_band_cut (FsEngineBand *band, int (*is_cancelled) (void *), void *data,
                      const uint32_t **mask, FsEngineResult *result);

#endif
