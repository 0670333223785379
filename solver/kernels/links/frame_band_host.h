/* SPDX-License-Identifier: MIT */
/* Bands whose links are told, by the kernels' twin.   Layer: solver/kernels (tests). What
 * frame_band.cuh is to the device. */
#ifndef FS_SOLVER_KERNELS_LINKS_FRAME_BAND_HOST_H
#define FS_SOLVER_KERNELS_LINKS_FRAME_BAND_HOST_H

#include "solver/kernels/engine.h"

/* Takes the engine, whose orders it goes on with. */
FsEngineBand *fs_host_band_new (const FsBandSpace *space, FsEngine *engine);
void fs_host_band_free (FsEngineBand *band);

/* Memory with noise in it. */
void fs_host_band_reserve (FsEngineBand *band, int n_tiles, int n_pulls, FsBandTiles *tiles);

int fs_host_band_cut (FsEngineBand *band, int (*is_cancelled) (void *), void *data,
                      const uint32_t **mask, FsEngineResult *result);

#endif
